/* SPDX-License-Identifier: MIT */
/* PatternMinimax: the search of the pattern player. Minimax to a fixed depth with alpha-beta; the
 * leaves are judged by the patterns of a book (eval/pattern_count), moves are points at most two
 * away from a stone, tried in the order of the simple patterns that they make or deny.
 *
 * It looks one move ahead, then two, … up to the depth, so that there is an answer whenever the
 * leash ends it; the last depth that was gone through decides. */
#pragma once

#include "eval/pattern_book.h"
#include "game/board.h"
#include "search/leash.h"

enum { PATTERN_DEPTH = 4, PATTERN_DEPTH_MAX = 16 };

typedef struct PatternMinimax PatternMinimax;

typedef struct {
    Point move;
    int score; /* sum of the patterns' scores, or beyond PATTERN_MATE */
    int depth; /* 0: nothing was searched */
    Point line[PATTERN_DEPTH_MAX];
    int line_len;
} PatternChoice;

enum { PATTERN_WIN = 1 << 30, PATTERN_MATE = PATTERN_WIN - 1000 }; /* won in n plies: WIN − n */

/* The book must be of the rules' k; it is copied. */
PatternMinimax *pattern_minimax_open(const Rules *rules, const PatternBook *book);
void pattern_minimax_close(PatternMinimax *search); /* NULL is fine */

/* The board is of the same rules, its candidates are NEAR_SQUARE2, and it is not over; it comes
 * back as it was. One of the moves is chosen, count ≥ 1 of them. depth 1 … PATTERN_DEPTH_MAX. */
void pattern_minimax_run(PatternMinimax *search, Board *board, const Point *moves, int count,
                         int depth, Leash *leash, PatternChoice *choice);
