/* SPDX-License-Identifier: MIT */
/* The players `uct` and `hmcts`: Monte Carlo tree search by rollouts. `uct` is that of the project
 * report "gomoku-ai": UCB1, an untried move at random first, random games over the whole board,
 * 3,000 rounds. `hmcts` plays its games by rule of thumb (rollout.h), keeps to it in the tree, and
 * looks near stones only. */
#include "base/mem.h"
#include "base/os.h"
#include "play/house.h"
#include "search/rollout.h"

#include <string.h>

typedef struct {
    int64_t rounds, seed;
    double explore;
    size_t memory;
    int moves;
} UctOptions;

typedef struct {
    House house;
    UctOptions options;
    RolloutPolicy *policy;
    RolloutJudge judge;
    Mcts *mcts; /* NULL before the first question */
    Rng rng;    /* gives each tree its seed */
} UctPlayer;

enum { MOVES_USUAL, MOVES_ALL, MOVES_NEAR };

static const Opt uct_opts[] = {
    {.name = "rounds",
     .type = OPT_COUNT,
     .offset = offsetof(UctOptions, rounds),
     .standard = "3000",
     .help = "games played out per move; 0: as many as time allows"},
    {.name = "explore",
     .type = OPT_FLOAT,
     .offset = offsetof(UctOptions, explore),
     .min = 0,
     .max = 100,
     .standard = "1.4142",
     .help = "how much moves that were little tried are preferred"},
    {.name = "moves",
     .type = OPT_CHOICE,
     .offset = offsetof(UctOptions, moves),
     .choices = "usual|all|near",
     .standard = "usual",
     .help = "which points the tree looks at: the whole board (usual for uct), or those near "
             "stones (usual for hmcts)"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(UctOptions, memory),
     .min = 1 << 16,
     .max = 1e12,
     .standard = "64M",
     .help = "bytes of the tree"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(UctOptions, seed),
     .standard = "0",
     .help = "the same seed plays the same games; 0: another one each time"},
    {0},
};

static const OptTable uct_table = {
    .name = "uct",
    .about = "Monte Carlo tree search by random games (UCT).",
    .example = "uct:rounds=3000,seed=1",
    .opts = uct_opts,
};

static const OptTable hmcts_table = {
    .name = "hmcts",
    .about = "Monte Carlo tree search by games that see fours and threes (HMCTS).",
    .example = "hmcts:rounds=3000,seed=1",
    .opts = uct_opts,
};

static Player *open_with(const OptTable *table, RolloutPolicy *policy, const char *keys, Err *err)
{
    UctOptions options = {0};
    if (!house_options(table, keys, &options, err)) return NULL;
    UctPlayer *uct = mem_zero(sizeof *uct);
    uct->options = options;
    uct->policy = policy;
    rng_seed(&uct->rng, options.seed ? (uint64_t)options.seed : (uint64_t)os_clock_ns());
    return &uct->house.head;
}

static Player *uct_open(const char *keys, Err *err)
{
    return open_with(&uct_table, stones_rollout, keys, err);
}

static Player *hmcts_open(const char *keys, Err *err)
{
    return open_with(&hmcts_table, rollout_heuristic, keys, err);
}

static void drop_tree(UctPlayer *uct)
{
    if (uct->mcts) rollout_judge_close(&uct->judge);
    mcts_close(uct->mcts);
    uct->mcts = NULL;
}

static bool tree_ready(UctPlayer *uct, const Rules *rules, bool same, Err *err)
{
    if (uct->mcts && same) return true;
    drop_tree(uct);
    MctsOptions options = {.judge = &rollout_judge,
                           .ctx = &uct->judge,
                           .rule = MCTS_UCB1,
                           .explore = uct->options.explore,
                           .near = NEAR_SQUARE2,
                           .memory = uct->options.memory};
    uct->mcts = mcts_open(rules, &options, err);
    if (!uct->mcts) return false;
    rollout_judge_open(&uct->judge, rules, uct->policy);
    if (uct->options.moves != MOVES_USUAL) uct->judge.whole = uct->options.moves == MOVES_ALL;
    return true;
}

static bool uct_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                      Err *err)
{
    UctPlayer *uct = (UctPlayer *)player;
    MctsResult result;
    Leash leash;
    bool same = house_begin(&uct->house, board, NEAR_SQUARE2, limits, 8, &leash);
    if (!tree_ready(uct, &board->rules, same, err)) return false;
    mcts_reseed(uct->mcts, rng_next(&uct->rng));
    rng_seed(&uct->judge.rng, rng_next(&uct->rng));
    uct->house.mcts = uct->mcts;
    mcts_run(uct->mcts, board, limits, uct->options.rounds, &leash, &result);
    house_fill(&result, thought);
    house_end(&leash, thought);
    return true;
}

static void uct_reseed(Player *player, uint64_t seed)
{
    rng_seed(&((UctPlayer *)player)->rng, seed);
}

static void uct_close(Player *player)
{
    UctPlayer *uct = (UctPlayer *)player;
    drop_tree(uct);
    house_close(&uct->house);
}

const PlayerKind player_uct = {
    .options = &uct_table,
    .open = uct_open,
    .think = uct_think,
    .stop = house_stop,
    .reseed = uct_reseed,
    .close = uct_close,
};

const PlayerKind player_hmcts = {
    .options = &hmcts_table,
    .open = hmcts_open,
    .think = uct_think,
    .stop = house_stop,
    .reseed = uct_reseed,
    .close = uct_close,
};
