/* SPDX-License-Identifier: MIT */
/* Probe: what a network's file says of many positions at once; for whoever compares it with the
 * trainer's own arithmetic. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* `cells` is n boards of side² bytes, row by row: 0 empty, 1 a stone of the mover, who has the
 * given colour, 2 the other's. Gives n values and n·side² policies (0 where no move is possible).
 */
bool probe_network(const char *path, int rule_kind, int side, int mover, const uint8_t *cells,
                   int n, int32_t *values, int32_t *policies, Err *err);
