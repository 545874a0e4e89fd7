/* SPDX-License-Identifier: MIT */
/* PatternTeacher: which patterns led to a win. It takes the moves of a won game back, two at a
 * time, and looks at each step at the row that became the five:
 *
 *   · the row as it was then, made longer where pattern_extend makes it longer;
 *   · a row that crosses it: within k − 1 of its points, of the winner's colour, the one with the
 *     most stones, at least two and at least as many as the row has. Once found it is kept, with
 *     the stones it had at each step, as long as it has two;
 *
 * until one stone of the row is left. It does not matter who won. */
#pragma once

#include "eval/pattern_scan.h"

/* Of one step: the composites of the row with the one that crosses it; without one, the row. Each
 * once, though there are two ways to make a row longer. */
typedef void PatternTaught(void *ctx, const Pattern *pattern);

/* The last move on the board won. Moves are taken back from it. */
void pattern_teach(Board *board, PatternTaught *taught, void *ctx);
