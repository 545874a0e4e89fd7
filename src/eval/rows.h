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
    Row *straight, *diagonal; /* one block, large pages if there are any: reads go all over it */
} Rows;

/* 51 MB; false: the system refuses them. */
bool rows_open(Rows *rows, const NetWeights *weights, int threads);
void rows_close(Rows *rows);
