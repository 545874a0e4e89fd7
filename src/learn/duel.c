/* SPDX-License-Identifier: MIT */
#include "learn/duel.h"

#include "base/mem.h"
#include "base/os.h"
#include "learn/selfplay.h"
#include "search/gumbel.h"

#include <assert.h>

enum {
    TABLE_BYTES = 16 << 20, /* of an engine; one a thread */
    VCF_TABLE_BYTES = 1 << 20,
    OPENING_NODES = 2000,
    UNKNOWN = -1, /* points of a game not played */
};

typedef struct {
    Board *board;
    Gumbel *tree;
    Rng rng;
    int number;     /* of the game; −1: none is left */
    Colour network; /* its colour */
    bool searching; /* the tree waits for a judgement */
} Slot;

typedef struct {
    Vcf *vcf;
    Search *engine;
    Search *openings; /* apart, so that an opening depends on its number alone */
    int64_t plies, engine_moves, leaves;
    Point points[PLANES_FRAME_MAX * PLANES_FRAME_MAX];
    float logits[PLANES_FRAME_MAX * PLANES_FRAME_MAX];
} Bench;

struct Duel {
    DuelPlan plan;
    Rules rules;
    GumbelOptions options;
    Team *team;
    int bench_count;
    Bench *benches;
    Slot *slots;
    atomic_int next; /* game to be begun */
    int8_t *points;  /* by game: 0, 1, 2 (a win) for the network, or UNKNOWN */
    const uint16_t *policy;
    const float *value;
    uint8_t *planes, *kinds;
};

static bool plan_check(const DuelPlan *plan, Err *err)
{
    if (plan->games < 2 || plan->slots < 1) return err_set(err, "at least two games are needed");
    if (plan->rule < 0 || plan->rule >= RULE_COUNT) return err_set(err, "no such rule");
    if (plan->size < 9 || plan->size > PLANES_FRAME_MAX)
        return err_set(err, "the board must be 9 to %d", PLANES_FRAME_MAX);
    if (plan->simulations < 1 || plan->simulations > 10000)
        return err_set(err, "simulations must be 1 to 10000");
    if (plan->candidates < 1 || plan->candidates > GUMBEL_CANDIDATES_MAX)
        return err_set(err, "candidates must be 1 to %d", GUMBEL_CANDIDATES_MAX);
    return true;
}

Duel *duel_open(const DuelPlan *plan, Team *team, Err *err)
{
    if (!plan_check(plan, err)) return NULL;
    Duel *duel = mem_zero(sizeof *duel);
    duel->plan = *plan;
    duel->plan.games += duel->plan.games % 2;
    duel->team = team;
    duel->options = (GumbelOptions){plan->simulations,   plan->candidates, 0,
                                    plan->visits_offset, plan->scale,      plan->leaf_fours};
    rules_init(&duel->rules, (RuleKind)plan->rule, plan->size, plan->size, 5);
    duel->bench_count = team_size(team);
    duel->benches = mem_lines((size_t)duel->bench_count * sizeof *duel->benches);
    duel->slots = mem_zero((size_t)plan->slots * sizeof *duel->slots);
    duel->points = mem_alloc((size_t)duel->plan.games);
    for (int i = 0; i < duel->plan.games; i++) duel->points[i] = UNKNOWN;
    /* Gates compare teachers with one another: the yardstick stays what it was. */
    SearchOptions options = {.threads = 1, .table_bytes = TABLE_BYTES, .eval = &eval_shape};
    bool good = true;
    for (int i = 0; good && i < duel->bench_count; i++) {
        duel->benches[i].vcf = vcf_open(VCF_TABLE_BYTES);
        duel->benches[i].engine = search_open(&duel->rules, &options, err);
        duel->benches[i].openings = search_open(&duel->rules, &options, err);
        good = duel->benches[i].engine && duel->benches[i].openings;
    }
    for (int i = 0; i < plan->slots; i++) {
        duel->slots[i].board = board_open(&duel->rules, NEAR_SQUARE2_LINE3);
        duel->slots[i].tree = gumbel_open(plan->simulations, plan->size * plan->size);
        duel->slots[i].number = UNKNOWN;
    }
    if (good) return duel;
    duel_close(duel);
    return NULL;
}

void duel_close(Duel *duel)
{
    if (!duel) return;
    for (int i = 0; i < duel->bench_count; i++) {
        vcf_close(duel->benches[i].vcf);
        if (duel->benches[i].engine) search_close(duel->benches[i].engine);
        if (duel->benches[i].openings) search_close(duel->benches[i].openings);
    }
    for (int i = 0; i < duel->plan.slots; i++) {
        board_close(duel->slots[i].board);
        gumbel_close(duel->slots[i].tree);
    }
    mem_free(duel->benches);
    mem_free(duel->slots);
    mem_free(duel->points);
    mem_free(duel);
}

/* --- a game ---------------------------------------------------------------------------------- */

/* Both games of an opening draw the same stones. */
static bool begin(Duel *duel, Slot *slot, Bench *bench)
{
    Point stones[SELFPLAY_OPENING_MAX];
    slot->number = atomic_fetch_add(&duel->next, 1);
    if (slot->number >= duel->plan.games) {
        slot->number = UNKNOWN;
        return false;
    }
    slot->network = (Colour)(slot->number % 2);
    rng_seed(&slot->rng, duel->plan.seed * 1000003 + (uint64_t)(slot->number / 2));
    board_reset(slot->board);
    search_new_game(bench->openings);
    selfplay_opening(slot->board, bench->openings, OPENING_NODES, &slot->rng, stones);
    return true;
}

static void finish(Duel *duel, Slot *slot, Bench *bench, Cell winner)
{
    bench->plies += slot->board->stones;
    duel->points[slot->number] = winner == CELL_EMPTY                  ? 1
                                 : winner == (Cell)(slot->network + 1) ? 2
                                                                       : 0;
    slot->number = UNKNOWN;
}

static void engine_move(Duel *duel, Slot *slot, Bench *bench)
{
    SearchResult seen;
    if (board_is_over(slot->board)) {
        finish(duel, slot, bench, slot->board->won);
        return;
    }
    search_run(bench->engine, slot->board, &(Limits){.nodes = duel->plan.engine_nodes}, NULL, NULL,
               &seen);
    bench->engine_moves++;
    if (seen.move == POINT_NONE)
        finish(duel, slot, bench, CELL_EMPTY);
    else
        board_play(slot->board, seen.move);
}

static void network_move(Duel *duel, Slot *slot, Bench *bench)
{
    Board *board = slot->board;
    Cell us = (Cell)(slot->network + 1), them = (Cell)(colour_other(slot->network) + 1);
    int count;
    switch (outlook_of(board, bench->vcf, duel->plan.root_fours, bench->points, &count)) {
    case OUTLOOK_WON:
        finish(duel, slot, bench, us);
        break;
    case OUTLOOK_LOST:
        finish(duel, slot, bench, them);
        break;
    case OUTLOOK_DRAWN:
        finish(duel, slot, bench, CELL_EMPTY);
        break;
    case OUTLOOK_FORCED:
        board_play(board, bench->points[0]);
        break;
    case OUTLOOK_OPEN:
        gumbel_start(slot->tree, &duel->options);
        slot->searching = true;
        break;
    }
}

/* True: a position waits for judgement. False: nothing is left to play here. */
static bool go_on(Duel *duel, Slot *slot, Bench *bench)
{
    for (;;) {
        GumbelResult seen;
        if (slot->number == UNKNOWN && !begin(duel, slot, bench)) return false;
        if (!slot->searching && slot->board->side == slot->network)
            network_move(duel, slot, bench);
        else if (!slot->searching)
            engine_move(duel, slot, bench);
        else if (gumbel_descend(slot->tree, slot->board, bench->vcf, &slot->rng))
            return true;
        else {
            gumbel_result(slot->tree, &seen);
            board_play(slot->board, seen.move);
            slot->searching = false;
        }
    }
}

static void step_some(void *ctx, int member, int from, int to)
{
    Duel *duel = ctx;
    Bench *bench = &duel->benches[member];
    int frame = duel->plan.size;
    size_t area = (size_t)(frame * frame);
    for (int i = from; i < to; i++) {
        Slot *slot = &duel->slots[i];
        size_t at = (size_t)i;
        if (slot->searching && duel->policy) {
            const Point *moves;
            int count = gumbel_moves(slot->tree, &moves);
            float value = duel->value[at];
            if (!(value >= -1 && value <= 1)) value = 0;
            planes_logits(slot->board, frame, duel->policy + at * area, moves, count,
                          bench->logits);
            gumbel_judge(slot->tree, slot->board, bench->logits, value);
            bench->leaves++;
        }
        if (!go_on(duel, slot, bench)) continue;
        planes_write(slot->board, SYM_NONE, frame, duel->planes + at * PLANES_COUNT * area);
        duel->kinds[at] = (uint8_t)planes_kind(slot->board);
    }
}

bool duel_step(Duel *duel, const uint16_t *policy, const float *value, uint8_t *planes,
               uint8_t *kinds)
{
    duel->policy = policy;
    duel->value = value;
    duel->planes = planes;
    duel->kinds = kinds;
    team_run(duel->team, step_some, duel, duel->plan.slots, 1);
    for (int i = 0; i < duel->plan.slots; i++)
        if (duel->slots[i].number != UNKNOWN) return true;
    return false;
}

void duel_stats(const Duel *duel, DuelStats *stats)
{
    *stats = (DuelStats){0};
    for (int i = 0; i < duel->bench_count; i++) {
        stats->plies += duel->benches[i].plies;
        stats->engine_moves += duel->benches[i].engine_moves;
        stats->leaves += duel->benches[i].leaves;
    }
    for (int i = 0; i < duel->plan.games; i++) {
        int points = duel->points[i];
        if (points == UNKNOWN) continue;
        stats->games++;
        stats->wins += points == 2;
        stats->draws += points == 1;
        stats->losses += points == 0;
        stats->wins_black += points == 2 && i % 2 == BLACK;
        stats->losses_black += points == 0 && i % 2 == BLACK;
        if (i % 2 && duel->points[i - 1] != UNKNOWN) stats->pairs[points + duel->points[i - 1]]++;
    }
}
