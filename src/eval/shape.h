/* SPDX-License-Identifier: MIT */
/* Shape: the hand-made evaluation. Each empty point is worth something to each colour, depending on
 * its four shapes whatever their directions; the value of a position is the sum over its points,
 * with different weights for the side to move and for the other.
 *
 * Weights belong to sets of four shapes ("kinds", 3,060 of them). ShapeTable spreads them over the
 * board's 16-bit codes. */
#pragma once

#include "base/buf.h"
#include "base/kept.h"
#include "game/line.h"

#include <stdint.h>

enum {
    SHAPE_KINDS = 3060,       /* multisets of 4 out of SHAPE_COUNT shapes: C(15+3, 4) */
    SHAPE_ROLES = 2,          /* 0: the point's colour is to move, 1: the other one is */
    SHAPE_POLICY_SCALE = 100, /* policy weights per unit of log probability */
};

/* Which threats there are at all: what a sum over points cannot say is that a second one adds
 * little to the first. Four bits for the side to move, five for the other. */
enum { SHAPE_THREATS = 512 };
unsigned shape_threats(const uint16_t we[CLASS_SLOTS], const uint16_t they[CLASS_SLOTS]);

/* Weights by kind, for each colour (alike where the rules treat both alike). */
typedef struct {
    int16_t value[COLOUR_COUNT][SHAPE_KINDS][SHAPE_ROLES];
    int16_t policy[COLOUR_COUNT][SHAPE_KINDS][SHAPE_ROLES]; /* role 0: to play it, 1: to deny it */
    int16_t threat[COLOUR_COUNT][SHAPE_THREATS];            /* by the colour of the side to move */
} ShapeWeights;

typedef struct {
    Kept kept;
    int k;
    SideRule side[COLOUR_COUNT];
    int16_t threat[COLOUR_COUNT][SHAPE_THREATS];
    /* By code; one and the same for both colours where they are treated alike. */
    const int16_t (*value[COLOUR_COUNT])[SHAPE_ROLES], (*policy[COLOUR_COUNT])[SHAPE_ROLES];
    int16_t values[COLOUR_COUNT][1 << 16][SHAPE_ROLES];
    int16_t policies[COLOUR_COUNT][1 << 16][SHAPE_ROLES];
} ShapeTable;

/* Made at the first call for such rules, kept to the end, shared by all threads. */
const ShapeTable *shape_table(const Rules *rules);

/* The weights in use for such rules: fitted ones where there are any (k = 5), else guesses by
 * class. */
void shape_weights(const Rules *rules, ShapeWeights *weights);

/* The fitted weights of a rule, from eval/weights/; false: there are none yet. */
bool shape_weights_fitted(RuleKind kind, ShapeWeights *weights);
/* The same numbers as the text of such a file. */
void shape_weights_write(const ShapeWeights *weights, Buf *out);

int shape_kind(unsigned code); /* 0 … SHAPE_KINDS − 1; the same for all orders of directions */
