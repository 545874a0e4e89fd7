/* SPDX-License-Identifier: MIT */
/* Net: the file of a line network, as the trainer writes it and eval/linenet plays it. All numbers
 * are integers, so every machine computes the same; units are in brackets.
 *
 * What a point looks like comes from the windows of 11 cells through it, one per direction. A small
 * generator maps a window to a row of NET_HALF numbers; straight and diagonal directions have one
 * each. A window is seen twice, by each colour as "own", which makes the two halves of a row. A
 * point's features are the four rows summed and clipped:
 *
 *   generator  h1 = clip(Σ cell[i][state of cell i])                       [64] 0 … 127
 *              h2 = clip((bias2 + mix2·h1(window) + mix2·h1(window mirrored)) >> 6)
 *              row = (bias3 + mix3·h2) >> 6, held within ±127              [64]
 *   feature    clip(Σ rows of the 4 directions)                            [64] 0 … 127
 *
 * Features are summed over 3x3 regions of the board. The heads see the mover's half first:
 *
 *   value      x = the 9 regions' sums >> 2, then the whole board's >> 4, held to 1023
 *              v1 = clip((bias + W·x) >> 9), v2 = clip((bias + W·v1) >> 6)
 *              value = (bias + w·v2) >> 6                                  [EVAL_SCALE]
 *   policy     p1 = clip((bias + W·feature + (G·whole >> 4)) >> 6)
 *              score = (bias + w·p1) >> 6                       [100 per log probability]
 *
 * File: "gorennet", u32 version, u32 bytes of recipe (a multiple of 8), the recipe (text: data,
 * counts, losses), u32 rule kinds it plays (one bit each), u32 smallest and largest side, u32 zero,
 * NetWeights, u64 FNV-1a of all before it. Little-endian. */
#pragma once

#include "base/err.h"
#include "game/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_VERSION = 1,
    NET_REACH = 5, /* cells of a window on each side of the point */
    NET_CELLS = 2 * NET_REACH + 1,
    NET_STATES = 4, /* empty, own, opponent's, off the board */
    NET_HIDDEN = 64,
    NET_HALF = 32,
    NET_WIDTH = 2 * NET_HALF,
    NET_REGIONS = 9,
    NET_POOLED = (NET_REGIONS + 1) * NET_WIDTH,
    NET_VALUE = 32,
    NET_POLICY = 16,
    NET_CLIP = 127,
    NET_POOL_MOST = 1023,
};

/* One generator. States of a cell beyond the first one off the board are all "off the board". */
typedef struct {
    int16_t cell[NET_CELLS][NET_STATES][NET_HIDDEN];
    int32_t bias2[NET_HIDDEN];
    int16_t mix2[NET_HIDDEN][NET_HIDDEN]; /* by output, as all matrices; −127 … 127 */
    int32_t bias3[NET_HALF];
    int16_t mix3[NET_HALF][NET_HIDDEN];
} NetGenerator;

/* What reads a position for the colour that is to move. */
typedef struct {
    int32_t value_bias1[NET_VALUE];
    int16_t value1[NET_VALUE][NET_POOLED];
    int32_t value_bias2[NET_VALUE];
    int16_t value2[NET_VALUE][NET_VALUE];
    int32_t value_bias3;
    int16_t value3[NET_VALUE];
    int32_t policy_bias1[NET_POLICY];
    int16_t policy1[NET_POLICY][NET_WIDTH];
    int16_t policy_whole[NET_POLICY][NET_WIDTH];
    int32_t policy_bias2;
    int16_t policy2[NET_POLICY];
} NetHeads;

/* By colour; both the same where the rules treat both alike. */
typedef struct {
    NetGenerator straight[COLOUR_COUNT], diagonal[COLOUR_COUNT];
    NetHeads heads[COLOUR_COUNT];
} NetWeights;

typedef struct {
    uint32_t rule_kinds; /* bit 1 << RuleKind */
    int size_min, size_max;
    uint64_t hash;
    const char *recipe; /* not ended by NUL */
    size_t recipe_len;
    const NetWeights *weights;
} Net;

/* Reads a file's bytes, which must stay. `bytes` is aligned to 8; name is for errors. */
bool net_read(Net *net, const void *bytes, size_t n, const char *name, Err *err);
bool net_plays(const Net *net, const Rules *rules);
