/* SPDX-License-Identifier: MIT */
/* PatternSimple: a first guess at a move by the simple patterns that it would complete, for the
 * order in which moves are tried (Figure 4-3 of the thesis):
 *
 *     xxxxx  100      xxxx- and with the gap elsewhere  40      -xxx-  30      xxx-- --xxx  20
 *
 * For other k there are as many stones more or less. */
#pragma once

#include "game/board.h"

enum { SIMPLE_FIVE = 100, SIMPLE_FOUR = 40, SIMPLE_OPEN_THREE = 30, SIMPLE_THREE = 20 };

/* The best of them that a stone of the colour at p, an empty point, would be part of; 0: none. */
int pattern_simple(const Board *board, Point p, Colour colour);
