/* SPDX-License-Identifier: MIT */
/* Generator: from a window of cells to its row (net.h says what that computes). The first layer is
 * a sum over cells: so each half of a window is summed once, 364 of them, and a window costs three
 * additions. Nothing but arithmetic, for which no instruction set is too good: half a million rows
 * are made when a network is taken into play. */
#pragma once

#include "eval/net.h"

/* A half is numbered as in the board's keys; the centre is empty, black or white. */
enum { GENERATOR_HALVES = 364, GENERATOR_CENTRES = 3 };

/* The share of each half, on either side of the point, in the first layer. */
typedef struct {
    int16_t left[GENERATOR_HALVES][NET_HIDDEN], right[GENERATOR_HALVES][NET_HIDDEN];
    int16_t centre[GENERATOR_CENTRES][NET_HIDDEN];
} GeneratorShares;

/* As `colour` sees the stones. */
void generator_shares(const NetGenerator *generator, int colour, GeneratorShares *shares);
void generator_row(const NetGenerator *generator, const GeneratorShares *shares, int left,
                   int centre, int right, int8_t row[NET_HALF]);
