/* SPDX-License-Identifier: MIT */
/* Rows: a network's generators, spread over all windows. The board's window keys index them: the
 * key of an occupied centre is that of the empty one plus (colour + 1) · keys. One row is a cache
 * line: Black's half, then White's. Made once for a network, by all the threads that are given,
 * and shared by all who play with it. */
#pragma once

#include "eval/net.h"

typedef struct {
    int8_t of[NET_WIDTH];
} Row;

typedef struct {
    uint32_t count; /* of windows */
    Row *straight, *diagonal;
} Rows;

void rows_open(Rows *rows, const NetWeights *weights, int threads);
void rows_close(Rows *rows);
