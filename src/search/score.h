/* SPDX-License-Identifier: MIT */
/* Scores of a search: what a position is worth to the side to move. Evaluations stay within
 * EVAL_MAX; a forced win in n plies is SCORE_WIN − n. */
#pragma once

#include <stdbool.h>

enum {
    SEARCH_PLY_MAX = 240,
    SCORE_WIN = 30000,
    SCORE_MATE = SCORE_WIN - 2 * SEARCH_PLY_MAX, /* this and more: a forced win */
    SCORE_INFINITE = 32000,
};

static inline int score_win_in(int plies)
{
    return SCORE_WIN - plies;
}

static inline int score_loss_in(int plies)
{
    return plies - SCORE_WIN;
}

static inline bool score_is_mate(int score)
{
    return score >= SCORE_MATE || score <= -SCORE_MATE;
}
