/* SPDX-License-Identifier: MIT */
/* The player `pattern` from a book instead of a spec: for its learner. */
#pragma once

#include "eval/pattern_book.h"
#include "play/player.h"

/* Takes the book over. nodes 0: no limit. */
Player *player_pattern_with(PatternBook *book, int depth, int64_t nodes);
