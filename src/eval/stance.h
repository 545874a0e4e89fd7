/* SPDX-License-Identifier: MIT */
/* Stance: what the stones on the board are part of. Every stone has a Shape in each of four
 * directions, the one that it made or that has since become of it; a Stance counts them per colour.
 * An unbroken open three is thus counted three times, once for each of its stones.
 *
 * The board itself keeps the shapes of empty points only. A stone's are behind the same keys: taken
 * out of the middle of its window it leaves the key of an empty point. And what a shape was before
 * the newest stone is behind the key without that stone, so nothing is kept but the counts. */
#pragma once

#include "game/board.h"

typedef struct {
    int16_t count[COLOUR_COUNT][SHAPE_COUNT + 1];
} StanceCounts;

typedef struct {
    StanceCounts now;
    StanceCounts *stack; /* one for each stone there is room for */
    int depth;
} Stance;

void stance_open(Stance *stance, const Rules *rules);
void stance_close(Stance *stance);
void stance_reset(Stance *stance, const Board *board);
void stance_push(Stance *stance, const Board *board); /* after a play */
void stance_pop(Stance *stance);                      /* at its undo */

/* Of the stone at p. */
Shape stance_shape(const Board *board, Point p, int dir);
