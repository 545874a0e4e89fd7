/* SPDX-License-Identifier: MIT */
#include "learn/actors.h"

#include "base/mem.h"
#include "learn/starts.h"
#include "search/gumbel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    VCF_TABLE_BYTES = 1 << 20, /* per thread: stays in its second cache */
    AT_ONCE = 8,               /* games that a thread takes */
    PLAYED_ON = 10,            /* one in so many games goes on where both sides see a draw */
    EVEN_FULL = 4,             /* which they may once so much of the board is full: 1 / EVEN_FULL */
};

/* So near to even a search that sees nothing is. Of 1,686 games in
 * which 16 in a row did, 99 per cent were drawn in the end. */
static const float EVEN_VALUE = 0.05f;

typedef enum {
    PHASE_START,   /* a new game is to begin */
    PHASE_BALANCE, /* a move is sought that makes the start even */
    PHASE_MOVE,    /* the side to move is to decide */
    PHASE_SEARCH,  /* it thinks */
} Phase;

/* One game. */
typedef struct {
    Board *board;
    Gumbel *tree;
    GumbelOptions options;
    Rng rng;
    Phase phase;
    Point moves[STARTS_MOVES_MAX]; /* PHASE_BALANCE: tried one after the other */
    int move_count, move_next;
    Point most_even;
    float evenness;                  /* |value| after it */
    Point earlier[REPLAY_PLIES_MAX]; /* the game before this one */
    int earlier_count;
    int searches;   /* of this game */
    int even;       /* the last so many of them saw nothing for either side */
    bool played_on; /* nevertheless, to its end */
    int warm;       /* moves still to be made before anything counts */
    ReplayGame record;
} Actor;

/* What each thread owns. */
typedef struct {
    Vcf *vcf;
    ActorsStats stats;
    Point points[PLANES_FRAME_MAX * PLANES_FRAME_MAX];
    float logits[PLANES_FRAME_MAX * PLANES_FRAME_MAX];
} Stage;

struct Actors {
    ActorsPlan plan;
    Team *team;
    Replay *replay;
    int stage_count;
    Stage *stages;
    Actor *actors;
    /* Of the step under way. */
    const uint16_t *policy;
    const float *value;
    uint8_t *planes, *kinds;
};

/* --- opening --------------------------------------------------------------------------------- */

static bool plan_check(const ActorsPlan *plan, Err *err)
{
    int rules = 0, sizes = 0;
    if (plan->games < 1) return err_set(err, "at least one game is needed");
    if (plan->frame < 5 || plan->frame > PLANES_FRAME_MAX)
        return err_set(err, "the frame must be 5 to %d", PLANES_FRAME_MAX);
    if (plan->simulations < 1 || plan->many_simulations < 1 || plan->simulations > 10000 ||
        plan->many_simulations > 10000)
        return err_set(err, "simulations must be 1 to 10000");
    if (plan->candidates < 1 || plan->candidates > GUMBEL_CANDIDATES_MAX)
        return err_set(err, "candidates must be 1 to %d", GUMBEL_CANDIDATES_MAX);
    for (int i = 0; i < RULE_COUNT; i++) {
        if (plan->rule_weight[i] < 0) return err_set(err, "a weight is negative");
        rules += plan->rule_weight[i];
    }
    for (int i = 0; i <= PLANES_FRAME_MAX; i++) {
        if (plan->size_weight[i] < 0) return err_set(err, "a weight is negative");
        if (plan->size_weight[i] && (i > plan->frame || i < 5))
            return err_set(err, "size %d does not fit into the frame", i);
        sizes += plan->size_weight[i];
    }
    if (!rules || !sizes) return err_set(err, "no rule or no size has any weight");
    if (plan->warm_moves < 0 || plan->even_draw < 0)
        return err_set(err, "a number of moves or searches is negative");
    return true;
}

/* Which of the weights a draw falls on. */
static int weighted(const int32_t *weight, int count, Rng *rng)
{
    uint32_t sum = 0, draw;
    for (int i = 0; i < count; i++) sum += (uint32_t)weight[i];
    draw = rng_below(rng, sum);
    int i = 0;
    while (draw >= (uint32_t)weight[i]) draw -= (uint32_t)weight[i++];
    return i;
}

static void actor_init(Actor *actor, const ActorsPlan *plan, int number)
{
    Rules rules;
    rng_seed(&actor->rng, plan->seed * 1000003 + (uint64_t)number);
    RuleKind kind = (RuleKind)weighted(plan->rule_weight, RULE_COUNT, &actor->rng);
    int size = weighted(plan->size_weight, PLANES_FRAME_MAX + 1, &actor->rng);
    int most =
        plan->simulations > plan->many_simulations ? plan->simulations : plan->many_simulations;
    rules_init(&rules, kind, size, size, 5);
    actor->board = board_open(&rules, NEAR_SQUARE2_LINE3);
    actor->tree = gumbel_open(most, size * size);
    actor->options = (GumbelOptions){.candidates = plan->candidates,
                                     .noise = plan->noise,
                                     .visits_offset = plan->visits_offset,
                                     .scale = plan->scale,
                                     .leaf_fours = plan->leaf_fours};
    actor->record.rules = rules;
    actor->warm = plan->warm_moves;
}

Actors *actors_open(const ActorsPlan *plan, Team *team, Replay *replay, Err *err)
{
    if (!plan_check(plan, err)) return NULL;
    Actors *actors = mem_zero(sizeof *actors);
    actors->plan = *plan;
    actors->team = team;
    actors->replay = replay;
    actors->stage_count = team_size(team);
    actors->stages = mem_lines((size_t)actors->stage_count * sizeof *actors->stages);
    actors->actors = mem_zero((size_t)plan->games * sizeof *actors->actors);
    for (int i = 0; i < actors->stage_count; i++) actors->stages[i].vcf = vcf_open(VCF_TABLE_BYTES);
    for (int i = 0; i < plan->games; i++) actor_init(&actors->actors[i], plan, i);
    return actors;
}

void actors_close(Actors *actors)
{
    if (!actors) return;
    for (int i = 0; i < actors->stage_count; i++) vcf_close(actors->stages[i].vcf);
    for (int i = 0; i < actors->plan.games; i++) {
        board_close(actors->actors[i].board);
        gumbel_close(actors->actors[i].tree);
    }
    mem_free(actors->stages);
    mem_free(actors->actors);
    mem_free(actors);
}

/* --- a game ---------------------------------------------------------------------------------- */

static uint16_t place(const Board *board, Point p)
{
    const Site *site = &board->grid->site[p];
    return (uint16_t)(site->y * board->rules.width + site->x);
}

static void play(Actor *actor, Point p, const GumbelResult *seen)
{
    ReplayGame *record = &actor->record;
    ReplayPly *ply = &record->ply[record->plies++];
    *ply = (ReplayPly){.played = place(actor->board, p)};
    if (seen) {
        ply->value = (int16_t)lrintf(seen->value * REPLAY_VALUE_ONE);
        for (int i = 0; i < seen->count; i++) {
            long share = lrintf(seen->share[i] * 255);
            if (share < 1 && i) break; /* they come largest first */
            ply->point[i] = place(actor->board, seen->best[i]);
            ply->share[i] = (uint8_t)(share < 1 ? 1 : share);
            ply->targets++;
        }
        actor->searches++;
    }
    board_play(actor->board, p);
}

/* The stones that a start put on the board, as plies without targets. */
static void record_start(Actor *actor, Point *played)
{
    Board *board = actor->board;
    int count = board->plies;
    for (int i = count; i-- > 0;) {
        played[i] = board_last_point(board);
        board_undo(board);
    }
    actor->record.plies = 0;
    for (int i = 0; i < count; i++) play(actor, played[i], NULL);
}

static void begin(Actors *actors, Actor *actor)
{
    const ActorsPlan *plan = &actors->plan;
    Point played[REPLAY_PLIES_MAX];
    Start start = starts_set(actor->board, actor->earlier, actor->earlier_count, &actor->rng);
    record_start(actor, played);
    bool many = (int)rng_below(&actor->rng, 100) < plan->many_percent;
    actor->options.simulations = many ? plan->many_simulations : plan->simulations;
    actor->searches = actor->even = 0;
    actor->played_on = !rng_below(&actor->rng, PLAYED_ON);
    actor->phase = PHASE_MOVE;
    if (start != START_BALANCED) return;
    actor->phase = PHASE_BALANCE;
    actor->move_count = starts_moves(actor->board, &actor->rng, actor->moves);
    actor->move_next = 0;
    actor->most_even = POINT_NONE;
}

static void finish(Actors *actors, Actor *actor, Stage *stage, Cell winner)
{
    ReplayGame *record = &actor->record;
    actor->phase = PHASE_START;
    if (!actor->searches) {
        stage->stats.discarded += !actor->warm;
        return;
    }
    record->winner = winner;
    if (actors->replay) replay_add(actors->replay, record);
    actor->earlier_count = record->plies;
    for (int i = 0; i < record->plies; i++)
        actor->earlier[i] = rules_nth(&record->rules, record->ply[i].played);
    stage->stats.games++;
    stage->stats.black_wins += winner == CELL_BLACK;
    stage->stats.white_wins += winner == CELL_WHITE;
    stage->stats.plies += record->plies;
}

/* Goes to the next of the moves that may even the start. True: it is on the board to be judged. */
static bool balance(Actor *actor, Stage *stage)
{
    Board *board = actor->board;
    int count;
    while (actor->move_next < actor->move_count) {
        board_play(board, actor->moves[actor->move_next]);
        Outlook outlook =
            outlook_of(board, stage->vcf, actor->options.leaf_fours, stage->points, &count);
        if (outlook == OUTLOOK_OPEN || outlook == OUTLOOK_FORCED) return true;
        board_undo(board);
        actor->move_next++;
    }
    if (actor->most_even != POINT_NONE) play(actor, actor->most_even, NULL);
    actor->phase = PHASE_MOVE;
    return false;
}

static bool given_up(const ActorsPlan *plan, const Actor *actor)
{
    const Rules *rules = &actor->record.rules;
    return plan->even_draw && actor->even >= plan->even_draw && !actor->played_on &&
           actor->board->stones * EVEN_FULL >= rules->width * rules->height;
}

static void decide(Actors *actors, Actor *actor, Stage *stage)
{
    Board *board = actor->board;
    int count;
    Outlook outlook = outlook_of(board, stage->vcf, actors->plan.root_fours, stage->points, &count);
    Cell us = (Cell)(board->side + 1), them = (Cell)(colour_other(board->side) + 1);
    if (outlook == OUTLOOK_WON)
        finish(actors, actor, stage, us);
    else if (outlook == OUTLOOK_LOST)
        finish(actors, actor, stage, them);
    else if (outlook == OUTLOOK_DRAWN || board->stones >= REPLAY_PLIES_MAX)
        finish(actors, actor, stage, CELL_EMPTY);
    else if (given_up(&actors->plan, actor)) {
        stage->stats.given_up++;
        finish(actors, actor, stage, CELL_EMPTY);
    } else if (outlook == OUTLOOK_FORCED)
        play(actor, stage->points[0], NULL);
    else {
        GumbelOptions options = actor->options;
        if (actor->warm) options.simulations = 1; /* the move is drawn by the policy */
        gumbel_start(actor->tree, &options);
        actor->phase = PHASE_SEARCH;
    }
}

/* True: the board stands at a position that is to be judged. */
static bool search(Actor *actor, Stage *stage)
{
    GumbelResult seen;
    if (gumbel_descend(actor->tree, actor->board, stage->vcf, &actor->rng)) return true;
    gumbel_result(actor->tree, &seen);
    actor->phase = PHASE_MOVE;
    if (actor->warm) {
        actor->warm--;
        play(actor, seen.move, NULL);
        return false;
    }
    actor->even = fabsf(seen.value) < EVEN_VALUE ? actor->even + 1 : 0;
    play(actor, seen.move, &seen);
    stage->stats.searches++;
    return false;
}

static void go_on(Actors *actors, Actor *actor, Stage *stage)
{
    for (;;) {
        switch (actor->phase) {
        case PHASE_START:
            begin(actors, actor);
            break;
        case PHASE_BALANCE:
            if (balance(actor, stage)) return;
            break;
        case PHASE_MOVE:
            decide(actors, actor, stage);
            break;
        case PHASE_SEARCH:
            if (search(actor, stage)) return;
            break;
        }
    }
}

/* --- a step ---------------------------------------------------------------------------------- */

static void judge(const Actors *actors, Actor *actor, Stage *stage, const uint16_t *policy,
                  float value)
{
    if (!(value >= -1 && value <= 1)) value = value > 1 ? 1 : value < -1 ? -1 : 0;
    stage->stats.leaves++;
    if (actor->phase == PHASE_SEARCH) {
        const Point *moves;
        int count = gumbel_moves(actor->tree, &moves);
        planes_logits(actor->board, actors->plan.frame, policy, moves, count, stage->logits);
        gumbel_judge(actor->tree, actor->board, stage->logits, value);
        return;
    }
    board_undo(actor->board);
    if (actor->most_even == POINT_NONE || fabsf(value) < actor->evenness) {
        actor->most_even = actor->moves[actor->move_next];
        actor->evenness = fabsf(value);
    }
    actor->move_next++;
}

static void step_some(void *ctx, int member, int from, int to)
{
    Actors *actors = ctx;
    Stage *stage = &actors->stages[member];
    int frame = actors->plan.frame;
    size_t area = (size_t)(frame * frame);
    for (int i = from; i < to; i++) {
        Actor *actor = &actors->actors[i];
        size_t at = (size_t)i;
        if (actors->policy)
            judge(actors, actor, stage, actors->policy + at * area, actors->value[at]);
        go_on(actors, actor, stage);
        planes_write(actor->board, SYM_NONE, frame, actors->planes + at * PLANES_COUNT * area);
        actors->kinds[at] = (uint8_t)planes_kind(actor->board);
    }
}

void actors_step(Actors *actors, const uint16_t *policy, const float *value, uint8_t *planes,
                 uint8_t *kinds)
{
    actors->policy = policy;
    actors->value = value;
    actors->planes = planes;
    actors->kinds = kinds;
    team_run(actors->team, step_some, actors, actors->plan.games, AT_ONCE);
}

void actors_stats(const Actors *actors, ActorsStats *stats)
{
    *stats = (ActorsStats){0};
    for (int i = 0; i < actors->stage_count; i++) {
        const ActorsStats *one = &actors->stages[i].stats;
        stats->games += one->games;
        stats->black_wins += one->black_wins;
        stats->white_wins += one->white_wins;
        stats->plies += one->plies;
        stats->searches += one->searches;
        stats->leaves += one->leaves;
        stats->discarded += one->discarded;
        stats->given_up += one->given_up;
    }
}
