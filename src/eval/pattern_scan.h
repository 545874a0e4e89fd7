/* SPDX-License-Identifier: MIT */
/* PatternScan: all patterns of one colour on a board, found the plain way. What pattern_count keeps
 * from move to move must equal this; the teacher and displays use it too.
 *
 *   1. every row of k points with at least two own stones and none of the opponent;
 *   2. those that share a point, in one line, with one of more stones go;
 *   3. a row whose one end is empty is made longer by one empty point at the other end; with both
 *      ends empty, both ways; where that point is not empty it stays as it is:
 *
 *          o-xxx-o   -xxx-            oxxxx--   xxxx-
 *          o-xxx--   -xxx--           --xxx--   --xxx- and -xxx--
 *
 *   4. rows in different directions that share a point make composites, which come beside them;
 *   5. what is written alike counts once. */
#pragma once

#include "eval/pattern_book.h"
#include "game/board.h"

/* A line as it lies: cell i is start + i·step of the direction. */
typedef struct {
    Point start;
    int dir;
    PatternLine line;
} PatternPlace;

/* Is the row of k points from start on free of the opponent and of walls? How many own stones; −1:
 * it is not. */
int pattern_row(const Board *board, Colour colour, Point start, int dir);

/* Step 3 for such a row: one or two lines. */
int pattern_extend(const Board *board, Point start, int dir, PatternPlace out[2]);

/* Do two lines of different directions share a point? As a pattern with a as the main line. */
bool pattern_crossing(const Board *board, const PatternPlace *a, const PatternPlace *b,
                      Pattern *pattern);

/* Adds each pattern to found, which is empty before; composites with the line of fewer stones
 * first. */
void pattern_scan(const Board *board, Colour colour, PatternBook *found);

/* Scores of own patterns less those of the opponent. */
int pattern_scan_value(const Board *board, const PatternBook *book, Colour colour);
