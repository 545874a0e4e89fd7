/* SPDX-License-Identifier: MIT */
/* The player `random`: any legal point, all equally likely. What every other player must beat. */
#include "play/player.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "game/ban.h"

typedef struct {
    Player head;
    Rng rng;
} RandomPlayer;

typedef struct {
    int64_t seed;
} RandomOptions;

static const Opt random_opts[] = {
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(RandomOptions, seed),
     .standard = "0",
     .help = "the same seed plays the same games; 0: another one each time"},
    {0},
};

static const OptTable random_table = {
    .name = "random",
    .about = "Any legal point, all equally likely.",
    .example = "random:seed=7",
    .opts = random_opts,
};

static Player *random_open(const char *keys, Err *err)
{
    RandomOptions options = {0};
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&random_table, keys, &options, &texts, err);
    arena_close(&texts);
    if (!good) return NULL;
    RandomPlayer *random = mem_zero(sizeof *random);
    rng_seed(&random->rng, options.seed ? (uint64_t)options.seed : (uint64_t)os_clock_ns());
    return &random->head;
}

/* Draws points without putting them back until one is allowed. */
static Point random_point(Rng *rng, const Board *board, const Limits *limits)
{
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    const Rules *rules = &board->rules;
    uint32_t n = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (board_is_empty(board, p)) points[n++] = p;
    }
    while (n > 0) {
        uint32_t i = rng_below(rng, n);
        bool good = ban_allows(board, points[i], board->side) && !limits_block(limits, points[i]);
        if (good) return points[i];
        points[i] = points[--n];
    }
    return POINT_NONE;
}

static bool random_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                         Err *err)
{
    (void)err;
    RandomPlayer *random = (RandomPlayer *)player;
    thought_set_move(thought, random_point(&random->rng, board, limits));
    return true;
}

static void random_reseed(Player *player, uint64_t seed)
{
    rng_seed(&((RandomPlayer *)player)->rng, seed);
}

static void random_close(Player *player)
{
    mem_free(player);
}

const PlayerKind player_random = {
    .options = &random_table,
    .open = random_open,
    .think = random_think,
    .reseed = random_reseed,
    .close = random_close,
};
