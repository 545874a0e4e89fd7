/* SPDX-License-Identifier: MIT */
/* Rollouts as the judge of a tree: see rollout.h. */
#include "game/ban.h"
#include "search/moves.h"
#include "search/rollout.h"

#include <string.h>

void rollout_judge_open(RolloutJudge *judge, const Rules *rules, RolloutPolicy *policy)
{
    judge->policy = policy;
    judge->whole = policy == stones_rollout;
    judge->forced = !judge->whole;
    stones_open(&judge->stones, rules);
    stones_open(&judge->scratch, rules);
}

void rollout_judge_close(RolloutJudge *judge)
{
    stones_close(&judge->stones);
    stones_close(&judge->scratch);
}

static void judge_reset(void *ctx, const Board *board)
{
    RolloutJudge *judge = ctx;
    stones_clear(&judge->stones);
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!board_is_empty(board, p))
            stones_play(&judge->stones, (Colour)(board->cell[p] - CELL_BLACK), p);
    }
}

static void judge_push(void *ctx, const Board *board)
{
    RolloutJudge *judge = ctx;
    stones_play(&judge->stones, colour_other(board->side), board_last_point(board));
}

static void judge_pop(void *ctx, const Board *board)
{
    RolloutJudge *judge = ctx;
    stones_remove(&judge->stones, board_last_point(board));
}

static double judge_value(void *ctx, Board *board, bool *settled)
{
    RolloutJudge *judge = ctx;
    *settled = board_is_over(board);
    if (board->won != CELL_EMPTY) return 0; /* who just moved completed a row */
    if (*settled) return 0.5;
    stones_copy(&judge->scratch, &judge->stones);
    Colour winner = judge->policy(&judge->scratch, board->side, &judge->rng);
    return winner == board->side ? 1 : winner == COLOUR_COUNT ? 0.5 : 0;
}

static int list_all(const RolloutJudge *judge, const Board *board, Point *moves)
{
    int count = judge->whole || !board->stones ? 0 : board_candidates(board, moves);
    if (count) return count;
    count = judge->stones.empty_count;
    memcpy(moves, judge->stones.points, (size_t)count * sizeof *moves);
    return count;
}

static int judge_list(void *ctx, Board *board, Point *moves, float *priors)
{
    const RolloutJudge *judge = ctx;
    Threat threat = judge->forced ? moves_threat(board) : THREAT_NONE;
    int n = threat == THREAT_NONE ? 0 : moves_list(board, threat, moves);
    if (!n) {
        int all = list_all(judge, board, moves);
        bool fouls = board->rules.side[board->side].fouls;
        for (int i = 0; i < all; i++)
            if (!fouls || ban_allows(board, moves[i], board->side)) moves[n++] = moves[i];
    }
    for (int i = 0; i < n; i++) priors[i] = 1 / (float)n;
    return n;
}

const MctsJudge rollout_judge = {
    .reset = judge_reset,
    .push = judge_push,
    .pop = judge_pop,
    .value = judge_value,
    .list = judge_list,
};
