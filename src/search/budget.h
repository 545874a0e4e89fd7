/* SPDX-License-Identifier: MIT */
/* Budget: how long to think about a move, from clocks and limits. */
#pragma once

#include "search/limits.h"

#include <stdint.h>

typedef struct {
    int64_t optimum_ms; /* do not start another iteration after this; −1: no limit */
    int64_t maximum_ms; /* stop wherever the search is; −1: no limit */
} Budget;

/* stones: on the board so far, to guess how many moves are still to come. */
Budget budget_make(const Limits *limits, int stones);
