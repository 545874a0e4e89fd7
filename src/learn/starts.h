/* SPDX-License-Identifier: MIT */
/* Starts: positions from which self-play begins. From the empty board alone, and from a few stones
 * without care, everything collapses onto a few wins of the first player; so most games begin with
 * stones at random, many of them with one more that a network chose to make the position even, and
 * some in the middle of an earlier game with a move changed. */
#pragma once

#include "base/rng.h"
#include "game/board.h"

typedef enum {
    START_EMPTY,
    START_RANDOM,   /* stones at random */
    START_BALANCED, /* and then the caller looks for the most even move among starts_moves */
    START_MIDDLE,   /* of an earlier game */
} Start;

enum { STARTS_STONES_MAX = 8, STARTS_MOVES_MAX = 12 };

/* Sets a start up on the board, whatever was on it; `earlier` are the moves of an earlier game on
 * it. The position may be decided already: the caller looks, and asks again if it is. */
Start starts_set(Board *board, const Point *earlier, int earlier_count, Rng *rng);

/* Up to STARTS_MOVES_MAX legal moves near the stones, drawn at random, none twice. */
int starts_moves(const Board *board, Rng *rng, Point *moves);
