/* SPDX-License-Identifier: MIT */
#include "search/budget.h"

enum {
    SAFETY_MS = 30,     /* between our stop and the manager's clock */
    SAFETY_PERCENT = 3, /* of a turn: slow machines are slow in proportion */
    MOVES_FAR = 26,     /* own moves still to come at the start … */
    MOVES_NEAR = 9,     /* … and late in the game */
};

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t with_safety(int64_t ms)
{
    int64_t safe = ms - max64(SAFETY_MS, ms * SAFETY_PERCENT / 100);
    return max64(safe, ms / 4); /* very short turns keep a quarter */
}

Budget budget_make(const Limits *limits, int stones)
{
    Budget budget = {-1, -1};
    if (limits->turn_ms) budget.maximum_ms = budget.optimum_ms = with_safety(limits->turn_ms);
    if (!limits->left_ms) return budget;
    int64_t left = with_safety(limits->left_ms);
    int moves = MOVES_FAR - stones / 5;
    if (moves < MOVES_NEAR) moves = MOVES_NEAR;
    int64_t share = left / moves + limits->increment_ms * 3 / 4;
    int64_t optimum = min64(share, left);
    int64_t maximum = min64(3 * share, left / 3 + limits->increment_ms / 2);
    maximum = min64(max64(maximum, 1), left);
    budget.optimum_ms = limits->turn_ms ? min64(budget.optimum_ms, optimum) : optimum;
    budget.maximum_ms = limits->turn_ms ? min64(budget.maximum_ms, maximum) : maximum;
    return budget;
}
