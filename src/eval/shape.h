/* SPDX-License-Identifier: MIT */
/* Shape: the hand-made evaluation. Each empty point is worth something to each colour, depending on
 * its four shapes whatever their directions; the value of a position is the sum over its points,
 * with different weights for the side to move and for the other.
 *
 * Weights belong to sets of four shapes ("kinds", 3,060 of them). ShapeTable spreads them over the
 * board's 16-bit codes. */
#pragma once

#include "game/line.h"

#include <stdint.h>

enum {
    SHAPE_KINDS = 3060, /* multisets of 4 out of SHAPE_COUNT shapes: C(15+3, 4) */
    SHAPE_ROLES = 2,    /* 0: the point's colour is to move, 1: the other one is */
};

typedef struct ShapeTable {
    struct ShapeTable *next;
    int k;
    SideRule side[COLOUR_COUNT];
    int16_t value[COLOUR_COUNT][1 << 16][SHAPE_ROLES];
    int16_t policy[COLOUR_COUNT][1 << 16][SHAPE_ROLES]; /* role 0: to play it, 1: to deny it */
} ShapeTable;

/* Made at the first call for such rules, kept to the end, shared by all threads. */
const ShapeTable *shape_table(const Rules *rules);

int shape_kind(unsigned code); /* 0 … SHAPE_KINDS − 1; the same for all orders of directions */
