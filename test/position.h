/* SPDX-License-Identifier: MIT */
/* What tests share: boards from positions as people write them, and from suites. */
#pragma once

#include "game/board.h"
#include "game/record.h"

/* Fails the test if the position cannot be read. */
Board *board_from(const Rules *rules, const char *text, char side);
Board *board_of(const Record *record); /* its set-up stones */
/* Skips the test if the file is not here, fails it if it cannot be read. */
void suite_read(const char *path, RecordSet *set);
