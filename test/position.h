/* SPDX-License-Identifier: MIT */
/* What tests share: a board from a position as people write it. */
#pragma once

#include "game/board.h"

/* Fails the test if the position cannot be read. */
Board *board_from(const Rules *rules, const char *text, char side);
