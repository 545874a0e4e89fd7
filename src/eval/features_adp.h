/* SPDX-License-Identifier: MIT */
/* What the ADP critics count on a board, for both colours.
 *
 *   zhao    20 line patterns, after Zhao, Zhang and Dai, "Self-teaching adaptive dynamic
 * programming for Gomoku" (2012): o a stone of the colour, . a blank, x an opponent's stone or the
 *           edge; a pattern and its mirror image are one. Counted wherever they stand. k = 5 only.
 *   fudan   100 shapes of empty points, after "Final Report for Gomoku Project" (Ding and Ge): what
 *           the two best lines through the point would be with a stone there (and the third, where
 *           three are alike). Counted by points. Any k.
 *
 * Counts are kept move by move: a stone changes the patterns that it is part of, and for the shapes
 * the board's newest Ply says which points changed. */
#pragma once

#include "game/board.h"

typedef enum { ADP_ZHAO, ADP_FUDAN, ADP_FORM_COUNT } AdpForm;
#define ADP_FORM_CHOICES "zhao|fudan"

enum { ADP_PATTERNS = 20, ADP_FIVE = 19, ADP_SHAPES = 100, ADP_KINDS_MAX = ADP_SHAPES };

/* The 20 patterns as text, the last one five in a row. */
extern const char *const adp_patterns[ADP_PATTERNS];

/* Which of the 100 shapes four shapes (a code of line.h) amount to; −1: none. */
int adp_shape_of(unsigned code);

typedef struct AdpTables AdpTables;

typedef struct {
    AdpForm form;
    int kinds; /* ADP_PATTERNS or ADP_SHAPES */
    const AdpTables *tables;
    int16_t count[COLOUR_COUNT][ADP_KINDS_MAX];
} AdpCounts;

/* What a move changes. */
typedef struct {
    int count;
    struct {
        uint8_t colour, kind;
        int16_t change; /* not 0 */
    } of[2 * ADP_KINDS_MAX];
} AdpChange;

/* False with a reason where the form does not know these rules. */
bool adp_counts_check(AdpForm form, const Rules *rules, Err *err);
void adp_counts_open(AdpCounts *counts, AdpForm form);
void adp_counts_reset(AdpCounts *counts, const Board *board); /* from nothing */
/* What the last move of the board changed. */
void adp_counts_change(const AdpCounts *counts, const Board *board, AdpChange *change);
void adp_counts_push(AdpCounts *counts, const Board *board); /* after a play */
/* What a stone of the side to move would change; fudan plays it and takes it back. */
void adp_counts_try(const AdpCounts *counts, Board *board, Point p, AdpChange *change);
