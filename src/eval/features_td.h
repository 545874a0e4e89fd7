/* SPDX-License-Identifier: MIT */
/* What a move at each empty point would do to the rows of k: the features of the TD(λ) game.
 *
 * A window is k cells in a line with stones of one colour only, at least two of them; windows that
 * mirror each other are one pattern. For k = 5 there are 16, from ...oo to ooooo:
 *
 *      ...oo ..o.o ..oo. ..ooo .o..o .o.o. .o.oo .oo.o .ooo. .oooo
 *      o...o o..oo o.o.o o.ooo oo.oo ooooo
 *
 * For every empty point and both colours we keep how the number of each pattern would change with a
 * stone of that colour there. A stone that is played changes this only for the points within k − 1
 * of it on its four lines, and there in one direction only: so little is counted anew. With what a
 * stone would end of the other colour's windows, the counts of the whole board follow from move to
 * move. */
#pragma once

#include "game/board.h"

typedef struct {
    int k;
    int count;          /* of patterns; the last one is k in a row */
    int16_t *of_window; /* by the bits of a window: its pattern, −1 with fewer than two stones */
} TdPatterns;

void td_patterns_open(TdPatterns *patterns, int k);
void td_patterns_close(TdPatterns *patterns);
/* How many there are for k. */
int td_patterns_count(int k);
/* The pattern as text, ".oo.o"; room for k + 1. */
void td_patterns_text(const TdPatterns *patterns, int pattern, char *text);

typedef struct {
    Rules rules;
    TdPatterns patterns;
    int8_t *change; /* by Point, colour, pattern; of an empty point only */
    int8_t *held;   /* likewise: the windows of that colour that a stone of the other would end */
    int *total[COLOUR_COUNT]; /* by pattern: on the whole board */
} TdFeatures;

void td_features_open(TdFeatures *features, const Rules *rules);
void td_features_close(TdFeatures *features);
void td_features_reset(TdFeatures *features, const Board *board); /* from nothing */
void td_features_push(TdFeatures *features, const Board *board);  /* after a play */

static inline const int8_t *td_features_at(const TdFeatures *f, Point p, Colour colour)
{
    return f->change + (2 * (size_t)p + colour) * (size_t)f->patterns.count;
}

static inline const int8_t *td_features_held(const TdFeatures *f, Point p, Colour colour)
{
    return f->held + (2 * (size_t)p + colour) * (size_t)f->patterns.count;
}
