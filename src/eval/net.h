/* SPDX-License-Identifier: MIT */
/* Net: the file of a line network, as the trainer writes it and eval/linenet plays it. All numbers
 * are integers, so every machine computes the same; units are in brackets.
 *
 * What a point looks like comes from the windows of 11 cells through it, one per direction. A small
 * generator maps a window to a row of NET_HALF numbers; straight and diagonal directions have one
 * each. A window is seen twice, by each colour as "own", which makes the two halves of a row. A
 * point's features are the four rows summed, and nothing below zero. clip holds to 0 … 127.
 *
 *   generator  h1 = clip(Σ cell[i][state of cell i])                        [64]
 *              h2 = clip((bias2 + mix2·((h1(window) + h1(mirrored)) >> 1)) >> 6)   [64]
 *              row = (bias3 + mix3·h2) >> 8, held within ±31                [16]
 *   feature    max(0, Σ rows of the 4 directions), at most 124              [16]
 *
 * Features are summed over 3x3 regions of the board. The heads see the mover's half first:
 *
 *   value      x = clip(the 9 regions' sums >> 2), then clip(the whole board's >> 4)    [16]
 *              v1 = clip((bias + W·x) >> 6), v2 = clip((bias + W·v1) >> 6)  [16]
 *              value = (bias + w·v2) >> 6                                   [EVAL_SCALE]
 *   policy     gate, context = bias + G·whole;  gate = clip(gate >> 4)      [64], [1024]
 *              W' = (W·gate + 32) >> 6 by input, held within ±127           [64]
 *              p1 = clip((context + W'·feature) >> 6)                       [16]
 *              score = (bias + w·p1) >> 6                        [100 per log probability]
 *
 * The gates let the whole position say which features matter for a move; making whole layers out of
 * the position, as Rapfi's networks do, is the same idea at a higher price.
 *
 * Matrices lie as eval/dense.h reads them: [inputs / 4][outputs][4].
 *
 * File: "gorennet", u32 version, u32 bytes of recipe (a multiple of 8), the recipe (text: data,
 * counts, losses), u32 rule kinds it plays (one bit each), u32 smallest and largest side, u32 zero,
 * NetWeights, u64 FNV-1a of all before it. Little-endian. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_VERSION = 2,
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
    NET_GATES = NET_WIDTH,
    NET_CONTEXT = NET_GATES + NET_POLICY,
    NET_ROW_MOST = 31, /* four of them and their difference fit a byte */
    NET_REGION_SHIFT = 2,
    NET_WHOLE_SHIFT = 4,
    NET_NAME_MAX = 64,
};

/* One generator. States of a cell beyond the first one off the board are all "off the board". */
typedef struct {
    int16_t cell[NET_CELLS][NET_STATES][NET_HIDDEN];
    int32_t bias2[NET_HIDDEN];
    int8_t mix2[NET_HIDDEN / 4][NET_HIDDEN][4];
    int32_t bias3[NET_HALF];
    int8_t mix3[NET_HIDDEN / 4][NET_HALF][4];
} NetGenerator;

/* What reads a position for the colour that is to move. */
typedef struct {
    int32_t value_bias1[NET_VALUE];
    int8_t value1[NET_POOLED / 4][NET_VALUE][4];
    int32_t value_bias2[NET_VALUE];
    int8_t value2[NET_VALUE / 4][NET_VALUE][4];
    int32_t value_bias3;
    int16_t value3[NET_VALUE];
    int32_t context_bias[NET_CONTEXT]; /* the gates', then the hidden layer's */
    int8_t context[NET_WIDTH / 4][NET_CONTEXT][4];
    int8_t policy1[NET_WIDTH / 4][NET_POLICY][4];
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

/* How many of n bytes belong to the network that they begin with, as its head says; n if that makes
 * no sense. */
size_t net_length(const void *bytes, size_t n);
/* Reads a file's bytes, which must stay. `bytes` is aligned to 8; name is for errors. */
bool net_read(Net *net, const void *bytes, size_t n, const char *name, Err *err);
/* Reads a file. Returns its bytes, to be freed when net is done with; NULL: refused. */
void *net_load(Net *net, const char *path, Err *err);
bool net_plays(const Net *net, const Rules *rules);
/* Adds what it plays: "freestyle and renju on 5x5 to 22x22, 5 in a row". */
void net_add_scope(const Net *net, Buf *out);
/* "freestyle-1a2b3c4d": the rules it plays and the first half of its hash. Returns text. */
const char *net_name(const Net *net, char text[NET_NAME_MAX]);
