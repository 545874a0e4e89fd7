/* SPDX-License-Identifier: MIT */
/* Stones: a board of bits, for random games by the hundred thousand.
 *
 * One bit per Point and colour, in the padded layout of rules.h, so a step along a line is an
 * addition and the margins (always 0) stop every row without a test for the edge:
 *
 *      0 0 0 0 0 0 0      steps: 1 along a row, stride down a column, stride ± 1 diagonally;
 *      0 0 0 b b b 0      a shift of a whole bitboard by a step slides it along that line, and
 *      0 0 0 b b b 0      what leaves a row falls into the margin
 *
 * All points stand in one array: the empty ones first, then the stones, newest first. To play is
 * to swap a point across the border, which makes a random move cheap and is a record besides.
 * There are no shapes and no fouls here; board.h has those. */
#pragma once

#include "base/rng.h"
#include "game/rules.h"

#include <stddef.h>

typedef struct {
    Rules rules;
    int words;                    /* 64-bit words of one colour's bitboard */
    int point_count;              /* width · height */
    int empty_count;              /* points[0 … empty_count) are empty */
    uint64_t *bits[COLOUR_COUNT]; /* bit p: a stone of this colour at Point p */
    Point *points;                /* every point of the board once */
    uint16_t *place;              /* by Point: where it stands in points */
    void *block;                  /* owned; the arrays above lie in it */
    size_t block_size;            /* bytes */
} Stones;

void stones_open(Stones *stones, const Rules *rules); /* an empty board */
void stones_close(Stones *stones);
void stones_clear(Stones *stones);
/* Both open, with boards of the same size and k. One memcpy. */
void stones_copy(Stones *to, const Stones *from);

/* p must be an empty point of the board. */
void stones_play(Stones *stones, Colour colour, Point p);
/* Any stone, not only the last. */
void stones_remove(Stones *stones, Point p);

/* Is the stone of this colour at p part of a winning row? Exact under every rule; Black's overline
 * in renju is no win. */
bool stones_wins_at(const Stones *stones, Colour colour, Point p);
/* Is there a row of n or more anywhere (1 ≤ n ≤ WIN_MAX and n ≤ k)? */
bool stones_has_row(const Stones *stones, Colour colour, int n);
/* Is there a winning row anywhere? */
bool stones_has_won(const Stones *stones, Colour colour);

/* An empty point, all equally likely; the board must not be full. */
Point stones_pick(const Stones *stones, Rng *rng);

/* Plays random moves, side first, until somebody wins or the board is full, and leaves the final
 * position (roll out on a copy). Fouls are not looked at. Returns the winner, COLOUR_COUNT for a
 * draw. The position must not be won already. */
Colour stones_rollout(Stones *stones, Colour side, Rng *rng);

static inline bool stones_has(const Stones *s, Colour colour, Point p)
{
    return s->bits[colour][p >> 6] >> (p & 63) & 1;
}

static inline Cell stones_cell(const Stones *s, Point p) /* p on the board */
{
    return stones_has(s, BLACK, p) ? CELL_BLACK : stones_has(s, WHITE, p) ? CELL_WHITE : CELL_EMPTY;
}

static inline int stones_count(const Stones *s)
{
    return s->point_count - s->empty_count;
}
