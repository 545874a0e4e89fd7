/* SPDX-License-Identifier: MIT */
/* goren bench --rollouts: see bench_rollouts.h. Processor time, so that a busy machine measures the
 * same. */
#include "app/bench_rollouts.h"

#include "app/cli.h"
#include "search/rollout.h"

#include <stdio.h>
#include <time.h>

typedef struct {
    int64_t games, moves; /* moves 0: not counted */
    double seconds;
} Pace;

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static Pace measure_alone(const Rules *rules, RolloutPolicy *policy, double seconds)
{
    Stones start, game;
    Rng rng;
    Pace pace = {0};
    rng_seed(&rng, 1);
    stones_open(&start, rules);
    stones_open(&game, rules);
    for (double from = cpu_seconds(); pace.seconds < seconds; pace.seconds = cpu_seconds() - from) {
        for (int i = 0; i < 100; i++) {
            stones_copy(&game, &start);
            policy(&game, BLACK, &rng);
            pace.moves += stones_count(&game);
        }
        pace.games += 100;
    }
    stones_close(&game);
    stones_close(&start);
    return pace;
}

static Pace measure_tree(const Rules *rules, RolloutPolicy *policy, double seconds)
{
    RolloutJudge judge;
    MctsOptions options = {.judge = &rollout_judge,
                           .ctx = &judge,
                           .explore = 1.4142,
                           .near = NEAR_SQUARE2,
                           .memory = 64 << 20,
                           .seed = 1};
    Err err;
    Pace pace = {0};
    Limits limits = {0};
    Board *board = board_open(rules, NEAR_SQUARE2);
    Mcts *mcts = mcts_open(rules, &options, &err);
    rollout_judge_open(&judge, rules, policy);
    rng_seed(&judge.rng, 1);
    board_play(board, rules_point(rules, rules->width / 2, rules->height / 2));
    for (double from = cpu_seconds(); mcts && pace.seconds < seconds;
         pace.seconds = cpu_seconds() - from) {
        MctsResult result;
        Leash leash;
        leash_start(&leash, &limits, board->stones, 8, NULL);
        mcts_run(mcts, board, &limits, 3000, &leash, &result);
        pace.games += result.rounds;
    }
    rollout_judge_close(&judge);
    mcts_close(mcts);
    board_close(board);
    return pace;
}

static void print_pace(const char *name, Pace pace, bool json)
{
    double rate = pace.seconds > 0 ? (double)pace.games / pace.seconds : 0;
    double length = (double)pace.moves / (double)(pace.games ? pace.games : 1);
    if (json)
        cli_json(json_pack("{s:s, s:I, s:f}", "rollouts", name, "games_per_s", (json_int_t)rate,
                           "moves", length));
    else if (pace.moves)
        printf("%-28s %9.0f games a second, %.0f moves each\n", name, rate, length);
    else
        printf("%-28s %9.0f games a second\n", name, rate);
}

void bench_rollouts(int width, int height, double seconds, bool json)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, width, height, 5);
    print_pace("random", measure_alone(&rules, stones_rollout, seconds), json);
    print_pace("heuristic", measure_alone(&rules, rollout_heuristic, seconds), json);
    print_pace("uct:rounds=3000", measure_tree(&rules, stones_rollout, seconds), json);
    print_pace("hmcts:rounds=3000", measure_tree(&rules, rollout_heuristic, seconds), json);
}
