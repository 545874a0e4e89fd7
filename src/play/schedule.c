/* SPDX-License-Identifier: MIT */
#include "play/schedule.h"

#include "base/rng.h"
#include "game/scatter.h"

#include <inttypes.h>
#include <string.h>

enum { RANDOM_SIDE = 7 }; /* of the square in the middle where stones by lot lie */

int schedule_pairs(const MatchPlan *plan)
{
    int n = plan->player_count;
    return plan->gauntlet ? n - 1 : n * (n - 1) / 2;
}

void schedule_pair(const MatchPlan *plan, int pair, int players[2])
{
    int a = 0;
    if (!plan->gauntlet)
        while (pair >= plan->player_count - 1 - a) pair -= plan->player_count - 1 - a++;
    players[0] = a;
    players[1] = a + 1 + pair;
}

int64_t schedule_jobs(const MatchPlan *plan)
{
    int64_t rounds = (plan->games + 1) / 2;
    return rounds * schedule_pairs(plan) * 2;
}

/* One number from several, well mixed. */
static uint64_t mix(uint64_t seed, uint64_t a, uint64_t b)
{
    Rng rng;
    rng_seed(&rng, seed ^ a * UINT64_C(0x9e3779b97f4a7c15));
    rng_seed(&rng, rng_next(&rng) ^ b * UINT64_C(0xbf58476d1ce4e5b9));
    return rng_next(&rng);
}

bool schedule_job(const MatchPlan *plan, int64_t number, Job *job)
{
    int64_t pairs = schedule_pairs(plan), both = number / 2;
    int players[2];
    *job = (Job){
        .number = (int)number,
        .pair = (int)(both % pairs),
        .round = (int)(both / pairs),
        .leg = (int)(number % 2),
    };
    schedule_pair(plan, job->pair, players);
    /* Who begins the first of two games alternates, so that an odd number is fair on average. */
    int first = (job->leg + job->round) % 2;
    job->player[SEAT_FIRST] = players[first];
    job->player[SEAT_SECOND] = players[1 - first];
    job->seed = mix(plan->seed, (uint64_t)job->round, (uint64_t)job->pair);
    return 2 * job->round + job->leg < plan->games;
}

/* Opening of a round: all of them once, in an order by lot if wanted, then all again. */
static int opening_of(const MatchPlan *plan, int round)
{
    int count = plan->openings->count, pass = round / count, place = round % count;
    if (!plan->shuffle) return place;
    int *order = mem_alloc((size_t)count * sizeof *order);
    Rng rng;
    rng_seed(&rng, mix(plan->seed, 0x6f70656e, (uint64_t)pass));
    for (int i = 0; i < count; i++) {
        int k = (int)rng_below(&rng, (uint32_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    int opening = order[place];
    mem_free(order);
    return opening;
}

/* More stones by lot, none of which ends the game. */
static int add_random(const MatchPlan *plan, int round, Point *stones, int count)
{
    const Rules *rules = &plan->game.rules;
    Board *board = board_open(rules, NEAR_ALL);
    for (int i = 0; i < count; i++) board_play(board, stones[i]);
    Rng rng;
    rng_seed(&rng, mix(plan->seed, 0x6c6f74, (uint64_t)round));
    Area area = scatter_area(rules, RANDOM_SIDE, true, &rng);
    count += scatter_stones(board, area, count + plan->random_stones, &rng, stones + count);
    board_close(board);
    return count;
}

int schedule_stones(const MatchPlan *plan, const Job *job, Point *stones)
{
    int count = 0;
    if (plan->openings) {
        const Rules *rules = &plan->game.rules;
        Sym sym = SYM_NONE;
        if (plan->symmetries)
            sym =
                (Sym)(mix(plan->seed, 0x73796d, (uint64_t)job->round) % (uint64_t)sym_count(rules));
        count = openings_turned(plan->openings, opening_of(plan, job->round), sym, stones);
    }
    return plan->random_stones ? add_random(plan, job->round, stones, count) : count;
}

bool schedule_check(const MatchPlan *plan, Err *err)
{
    if (plan->player_count < 2) return err_set(err, "a match needs two players");
    for (int i = 0; i < plan->player_count; i++) {
        for (int k = 0; k < i; k++)
            if (strcmp(plan->players[i].name, plan->players[k].name) == 0)
                return err_set(err, "two players are called %s; write NAME=SPEC to tell them apart",
                               plan->players[i].name);
    }
    if (plan->has_sprt && plan->player_count != 2)
        return err_set(err, "sprt: it takes two players");
    if (plan->has_sprt && plan->sprt.elo0 >= plan->sprt.elo1)
        return err_set(err, "sprt: the first bound must be below the second");
    GamePlan game = plan->game;
    if (!plan->openings) return game_check(&game, err);
    for (int i = 0; i < plan->openings->count; i++) {
        game.stones = openings_stones(plan->openings, i, &game.stone_count);
        if (!game_check(&game, err)) return err_prefix(err, "opening %d", i + 1);
    }
    return true;
}

void schedule_conditions(const MatchPlan *plan, Buf *out)
{
    const GamePlan *game = &plan->game;
    const Adjudication *a = &plan->adjudication;
    for (int i = 0; i < plan->player_count; i++)
        buf_printf(out, "player%d %s=%s\n", i + 1, plan->players[i].name, plan->players[i].spec);
    buf_printf(out, "rule %s\nsize %dx%d\nwin %d\n", rule_name(game->rules.kind), game->rules.width,
               game->rules.height, game->rules.k);
    buf_printf(out, "kind %s\nopening %s\n", plan->gauntlet ? "gauntlet" : "round-robin",
               phase_name(game->phase));
    buf_printf(out, "time %" PRId64 "/%" PRId64 "+%" PRId64 " ms\ngrace %" PRId64 " ms\n",
               game->clock.match_ms, game->clock.turn_ms, game->clock.increment_ms,
               game->clock.grace_ms);
    buf_printf(out, "nodes %" PRId64 "\ndepth %d\nmemory %zu\nsuspend %d\n", plan->nodes,
               plan->depth, plan->memory, plan->suspend);
    buf_printf(out, "draw-after %d\nresign %d/%g\ndraw %d/%g/%d\n", game->draw_after,
               a->resign_moves, a->resign_value, a->draw_moves, a->draw_within, a->draw_from);
    uint64_t hash = 0;
    if (plan->openings) {
        const Openings *openings = plan->openings;
        for (int i = 0; i < openings->count; i++) {
            int n;
            const Point *stones = openings_stones(openings, i, &n);
            for (int k = 0; k < n; k++) hash = mix(hash, (uint64_t)i, stones[k]);
        }
        buf_printf(out, "openings %d:%016" PRIx64 "\n", openings->count, hash);
    }
    buf_printf(out, "shuffle %d\nsymmetries %d\nrandom %d\nseed %" PRIu64 "\n", plan->shuffle,
               plan->symmetries, plan->random_stones, plan->seed);
    if (plan->has_sprt)
        buf_printf(out, "sprt %g,%g,%g,%g\n", plan->sprt.elo0, plan->sprt.elo1, plan->sprt.alpha,
                   plan->sprt.beta);
}
