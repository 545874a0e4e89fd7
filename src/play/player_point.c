/* SPDX-License-Identifier: MIT */
/* The player `point`: one look at every point near a stone, no search. A point is worth what an own
 * stone there would be part of and what a stone of the opponent's would (gaps.h), an own row a
 * little more than the same row denied. The single-point evaluation of the "Gomoku Report". */
#include "base/mem.h"
#include "base/os.h"
#include "eval/gaps.h"
#include "play/house.h"

typedef struct {
    int64_t seed;
    bool ties;
} PointOptions;

typedef struct {
    House house;
    Rng rng;
    bool ties;
} PointPlayer;

static const Opt point_opts[] = {
    {.name = "ties",
     .type = OPT_BOOL,
     .offset = offsetof(PointOptions, ties),
     .standard = "yes",
     .help = "draws lots between equally good points; no: the first in reading order"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(PointOptions, seed),
     .standard = "0",
     .help = "the same seed draws the same lots; 0: another one each time"},
    {0},
};

static const OptTable point_table = {
    .name = "point",
    .about = "The point that looks best by itself, without search.",
    .example = "point:seed=1",
    .opts = point_opts,
};

static Player *point_open(const char *keys, Err *err)
{
    PointOptions options = {0};
    if (!house_options(&point_table, keys, &options, err)) return NULL;
    PointPlayer *point = mem_zero(sizeof *point);
    point->ties = options.ties;
    rng_seed(&point->rng, options.seed ? (uint64_t)options.seed : (uint64_t)os_clock_ns());
    return &point->house.head;
}

static bool point_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                        Err *err)
{
    (void)err;
    PointPlayer *point = (PointPlayer *)player;
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE], best = POINT_NONE;
    int most = -1;
    uint32_t equals = 0;
    Leash leash;
    house_begin(&point->house, board, NEAR_SQUARE2, limits, 1, &leash);
    int count = house_moves(point->house.board, limits, moves);
    for (int i = 0; i < count; i++) {
        int score = house_point(point->house.board, moves[i]);
        equals = score > most ? 1 : equals + (score == most);
        bool better = score > most;
        if (!better && score == most && point->ties) better = rng_below(&point->rng, equals) == 0;
        if (!better) continue;
        most = score;
        best = moves[i];
    }
    thought_set_move(thought, best);
    leash.nodes = count;
    house_end(&leash, thought);
    return true;
}

static void point_reseed(Player *player, uint64_t seed)
{
    rng_seed(&((PointPlayer *)player)->rng, seed);
}

static void point_close(Player *player)
{
    house_close((House *)player);
}

const PlayerKind player_point = {
    .options = &point_table,
    .open = point_open,
    .think = point_think,
    .reseed = point_reseed,
    .close = point_close,
};
