/* SPDX-License-Identifier: MIT */
/* Gaps: rows with at most one gap, and what they are worth; after the "Gomoku Report" of Lida Zhao.
 *
 * From a stone the line is followed both ways over stones of its colour and, once, over a single
 * blank with such a stone behind it. What stops it is a barrier (an opponent's stone or the edge)
 * or an open end. Stones, barriers and the place of the gap make a Gap by the report's table, the
 * Gap a score, and a position is worth the scores of all own stones in four directions less the
 * opponent's. The report gives no scores; ours are in gap_score.
 *
 * The table is written for five in a row. For another k the longer part counts as so many stones
 * more or less; a row that is too long to win is dead.
 *
 * A Gaps keeps the sums line by line, so that a stone costs four lines. */
#pragma once

#include "game/board.h"

/* Named as in the report: JUMP has a gap, DEAD a barrier. */
typedef enum {
    GAP_NOTHING,
    GAP_DEAD,
    GAP_DEAD_ONE,
    GAP_ONE,
    GAP_DEAD_JUMP_TWO,
    GAP_DEAD_TWO,
    GAP_JUMP_TWO,
    GAP_TWO,
    GAP_DEAD_JUMP_THREE,
    GAP_DEAD_THREE,
    GAP_JUMP_THREE,
    GAP_THREE,
    GAP_DEAD_JUMP_FOUR2,
    GAP_DEAD_JUMP_FOUR,
    GAP_DEAD_FOUR,
    GAP_JUMP_FOUR,
    GAP_FOUR,
    GAP_FIVE,
    GAP_COUNT
} Gap;

extern const int gap_score[GAP_COUNT]; /* of one stone in one direction */

/* The report's table for five in a row: so many stones, 0 … 2 barriers, `gap` stones on one side of
 * the gap (0: there is none); good_barrier: the only barrier stands at the longer part. */
Gap gap_of(int count, int barriers, int gap, bool good_barrier);

/* The row through a stone of the colour at p, which need not be there yet. */
Gap gap_at(const Board *board, Point p, int dir, Colour colour);
/* What a stone of the colour at the empty point p would be worth. */
int gap_point(const Board *board, Point p, Colour colour);

typedef struct Gaps Gaps;

Gaps *gaps_open(const Rules *rules);
void gaps_close(Gaps *gaps); /* NULL is fine */
void gaps_reset(Gaps *gaps, const Board *board);
void gaps_push(Gaps *gaps, const Board *board); /* after a play */
void gaps_pop(Gaps *gaps, const Board *board);  /* before its undo */
int gaps_sum(const Gaps *gaps, Colour colour);  /* over all its stones */
