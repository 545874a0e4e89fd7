/* SPDX-License-Identifier: MIT */
#include "learn/shape_fit.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/eval.h"
#include "game/board.h"
#include "learn/archive.h"
#include "search/moves.h"
#include "search/score.h"

#include <math.h>
#include <string.h>

enum {
    HELD_OUT = 16,  /* every so many games are for measuring only */
    MOVES_MAX = 96, /* candidates of a position that the policy learns from */
};

/* One position: kinds of its points, the candidates' kinds, and what came of it. */
typedef struct {
    int64_t first, moves; /* in kinds[]: the mover's points, then the other's, kind 0 left out;
                             pairs of the candidates (mover's kind, other's kind) */
    int count[COLOUR_COUNT], move_count;
    int played;       /* which of the candidates was played; −1: none to learn */
    float target;     /* expected score of the side to move */
    uint16_t threats; /* shape_threats */
    uint8_t us;       /* Colour */
    bool held_out;
} Sample;

typedef struct {
    Sample *samples;
    int count, cap;
    uint16_t *kinds;
    int64_t kind_count, kind_cap;
} Samples;

static uint16_t *kinds_add(Samples *set, int64_t n)
{
    if (set->kind_count + n > set->kind_cap) {
        set->kind_cap = (set->kind_count + n) * 2;
        set->kinds = mem_grow(set->kinds, (size_t)set->kind_cap * sizeof *set->kinds);
    }
    set->kind_count += n;
    return set->kinds + set->kind_count - n;
}

/* --- games ----------------------------------------------------------------------------------- */

typedef struct {
    const FitPlan *plan;
    const uint16_t *kind_of; /* by code */
    Samples samples;
    int games;
    RuleKind rule;
} Gatherer;

static int kind_at(const Gatherer *g, const Board *board, Point p, Colour c)
{
    return g->kind_of[board->code[p] >> 16 * c & 0xffff];
}

static void sample_add(Gatherer *g, const Board *board, Point played, bool held_out)
{
    Samples *set = &g->samples;
    Colour us = board->side, them = colour_other(us);
    if (set->count == set->cap) {
        set->cap = set->cap ? 2 * set->cap : 4096;
        set->samples = mem_grow(set->samples, (size_t)set->cap * sizeof *set->samples);
    }
    Sample *s = &set->samples[set->count++];
    *s = (Sample){.first = set->kind_count, .us = (uint8_t)us, .held_out = held_out, .played = -1};
    s->threats = (uint16_t)shape_threats(board->count[us], board->count[them]);
    int points = board->rules.width * board->rules.height;
    for (int i = 0; i < COLOUR_COUNT; i++) {
        for (int j = 0; j < points; j++) {
            int kind = kind_at(g, board, rules_nth(&board->rules, j), i ? them : us);
            if (!kind) continue;
            *kinds_add(set, 1) = (uint16_t)kind;
            s->count[i]++;
        }
    }
    static _Thread_local Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int n = moves_threat(board) == THREAT_NONE ? moves_list(board, THREAT_NONE, moves) : 0;
    s->moves = set->kind_count;
    for (int i = 0; i < n; i++) {
        /* Every candidate on small lists; on long ones the played move and an even share. */
        if (n > MOVES_MAX && moves[i] != played && (i * MOVES_MAX) / n == ((i + 1) * MOVES_MAX) / n)
            continue;
        if (moves[i] == played) s->played = s->move_count;
        uint16_t *pair = kinds_add(set, 2);
        pair[0] = (uint16_t)kind_at(g, board, moves[i], us);
        pair[1] = (uint16_t)kind_at(g, board, moves[i], them);
        s->move_count++;
    }
}

/* Which positions teach something: nothing hangs, and somebody has played. */
static bool is_worth(const Board *board)
{
    Threat threat = moves_threat(board);
    return board->stones >= 2 && (threat == THREAT_NONE || threat == THREAT_THEY_FOUR);
}

static void game_add(Gatherer *g, const ArchiveGame *game, bool held_out)
{
    Board *board = board_open(&game->rules, NEAR_SQUARE2_LINE3);
    for (int i = 0; i < game->plies && !board_is_over(board); i++) {
        const ArchivePly *ply = &game->ply[i];
        if (i >= game->opening && ply->score != ARCHIVE_NO_SCORE && is_worth(board)) {
            double value = score_is_mate(ply->score) ? ply->score > 0 : eval_win_rate(ply->score);
            double outcome =
                game->winner == CELL_EMPTY ? 0.5 : game->winner == (int)board->side + 1;
            double share = game->winner == ARCHIVE_UNFINISHED ? 0 : g->plan->outcome;
            sample_add(g, board, rules_nth(&game->rules, ply->best), held_out);
            g->samples.samples[g->samples.count - 1].target =
                (float)(share * outcome + (1 - share) * value);
        }
        board_play(board, rules_nth(&game->rules, ply->played));
    }
    board_close(board);
}

static bool file_add(Gatherer *g, const char *path, Err *err)
{
    Buf bytes = BUF_EMPTY;
    ArchiveGame *game = mem_alloc(sizeof *game);
    size_t at = 0;
    bool whole, good = archive_read(path, &bytes, err);
    while (good && archive_next(&bytes, &at, game, &whole)) {
        if (g->games && game->rules.kind != g->rule)
            good = err_set(err, "%s: game %u is %s, those before were %s; fit one rule at a time",
                           path, game->number, rule_name(game->rules.kind), rule_name(g->rule));
        g->rule = game->rules.kind;
        if (good) game_add(g, game, g->games++ % HELD_OUT == 0);
    }
    mem_free(game);
    buf_free(&bytes);
    return good;
}

/* --- regression ------------------------------------------------------------------------------ */

/* One parameter per set, kind and role, and Adam's two running means (Kingma and Ba 2015). */
typedef struct {
    float w, m, v, gradient;
} Param;

typedef struct {
    int set_of[COLOUR_COUNT]; /* which parameters a colour uses */
    Param value[COLOUR_COUNT][SHAPE_KINDS][SHAPE_ROLES];
    Param policy[COLOUR_COUNT][SHAPE_KINDS][SHAPE_ROLES];
    Param threat[COLOUR_COUNT][SHAPE_THREATS];
    int step;
} Model;

enum { BATCH = 256 };

static void param_step(Param *p, double rate, double decay, double c1, double c2)
{
    if (p->gradient == 0 && p->m == 0) return;
    double g = p->gradient + decay * p->w;
    p->m = (float)(0.9 * p->m + 0.1 * g);
    p->v = (float)(0.999 * p->v + 0.001 * g * g);
    p->w -= (float)(rate * (p->m / c1) / (sqrt(p->v / c2) + 1e-8));
    p->gradient = 0;
}

static void model_step(Model *model, double rate, double decay)
{
    model->step++;
    double c1 = 1 - pow(0.9, model->step), c2 = 1 - pow(0.999, model->step);
    Param *value = &model->value[0][0][0], *policy = &model->policy[0][0][0];
    for (int i = 0; i < COLOUR_COUNT * SHAPE_KINDS * SHAPE_ROLES; i++) {
        param_step(&value[i], rate, decay, c1, c2);
        param_step(&policy[i], 4 * rate, decay, c1, c2);
    }
    Param *threat = &model->threat[0][0];
    for (int i = 0; i < COLOUR_COUNT * SHAPE_THREATS; i++)
        param_step(&threat[i], 2 * rate, 10 * decay, c1, c2);
}

static double value_pass(Model *model, const Samples *set, const Sample *s, bool learn)
{
    const uint16_t *kind = set->kinds + s->first;
    int us = model->set_of[s->us], them = model->set_of[s->us ^ 1];
    double logit = model->threat[us][s->threats].w;
    for (int i = 0; i < s->count[0]; i++) logit += model->value[us][kind[i]][0].w;
    for (int i = 0; i < s->count[1]; i++) logit -= model->value[them][kind[s->count[0] + i]][1].w;
    double p = 1 / (1 + exp(-logit)), error = p - s->target;
    if (learn) {
        float g = (float)(error / BATCH);
        model->threat[us][s->threats].gradient += g;
        for (int i = 0; i < s->count[0]; i++) model->value[us][kind[i]][0].gradient += g;
        for (int i = 0; i < s->count[1]; i++)
            model->value[them][kind[s->count[0] + i]][1].gradient -= g;
    }
    double safe = p < 1e-7 ? 1e-7 : p > 1 - 1e-7 ? 1 - 1e-7 : p;
    return -(s->target * log(safe) + (1 - s->target) * log(1 - safe));
}

static double policy_pass(Model *model, const Samples *set, const Sample *s, bool learn,
                          bool *first)
{
    const uint16_t *pair = set->kinds + s->moves;
    int us = model->set_of[s->us], them = model->set_of[s->us ^ 1];
    double logit[MOVES_MAX * 2] = {0}, most = -1e30, sum = 0;
    int best = 0, n = s->move_count < MOVES_MAX * 2 ? s->move_count : MOVES_MAX * 2;
    for (int i = 0; i < n; i++) {
        logit[i] = model->policy[us][pair[2 * i]][0].w + model->policy[them][pair[2 * i + 1]][1].w;
        if (logit[i] > most) most = logit[i], best = i;
    }
    *first = best == s->played;
    for (int i = 0; i < n; i++) sum += exp(logit[i] - most);
    for (int i = 0; learn && i < n; i++) {
        float g = (float)((exp(logit[i] - most) / sum - (i == s->played)) / BATCH);
        model->policy[us][pair[2 * i]][0].gradient += g;
        model->policy[them][pair[2 * i + 1]][1].gradient += g;
    }
    return log(sum + 1e-300) - (logit[s->played] - most);
}

static void run_epoch(Model *model, const Samples *set, const int *order, int epoch, int epochs,
                      double decay)
{
    int in_batch = 0;
    /* Cosine: quick at first, still at the end. */
    double phase = epochs > 1 ? (double)epoch / (epochs - 1) : 0;
    double rate = 0.0002 + 0.004 * (1 + cos(phase * 3.14159265358979)) / 2;
    for (int i = 0; i < set->count; i++) {
        const Sample *s = &set->samples[order[i]];
        bool first;
        if (s->held_out) continue;
        value_pass(model, set, s, true);
        if (s->played >= 0) policy_pass(model, set, s, true, &first);
        if (++in_batch < BATCH) continue;
        model_step(model, rate, decay);
        in_batch = 0;
    }
}

static void measure(Model *model, const Samples *set, FitProgress *progress)
{
    double value = 0, policy = 0;
    int values = 0, policies = 0, hits = 0;
    for (int i = 0; i < set->count; i++) {
        const Sample *s = &set->samples[i];
        bool first;
        if (!s->held_out) continue;
        value += value_pass(model, set, s, false);
        values++;
        if (s->played < 0) continue;
        policy += policy_pass(model, set, s, false, &first);
        policies++;
        hits += first;
    }
    progress->value_loss = values ? value / values : 0;
    progress->policy_loss = policies ? policy / policies : 0;
    progress->policy_hit = policies ? (double)hits / policies : 0;
}

/* Begins with the weights in use: what the games never show stays as it was. */
static void model_begin(Model *model, const Rules *rules)
{
    ShapeWeights *start = mem_alloc(sizeof *start);
    bool alike = rules->side[BLACK].overline == rules->side[WHITE].overline &&
                 rules->side[BLACK].fouls == rules->side[WHITE].fouls;
    shape_weights(rules, start);
    model->set_of[WHITE] = alike ? 0 : 1;
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int kind = 0; kind < SHAPE_KINDS; kind++)
            for (int role = 0; role < SHAPE_ROLES; role++) {
                model->value[c][kind][role].w = (float)start->value[c][kind][role] / EVAL_SCALE;
                model->policy[c][kind][role].w =
                    (float)start->policy[c][kind][role] / SHAPE_POLICY_SCALE;
            }
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int i = 0; i < SHAPE_THREATS; i++)
            model->threat[c][i].w = (float)start->threat[c][i] / EVAL_SCALE;
    mem_free(start);
}

static int16_t rounded(double x)
{
    double r = floor(x + 0.5);
    return (int16_t)(r > 32000 ? 32000 : r < -32000 ? -32000 : r);
}

static void model_end(const Model *model, ShapeWeights *weights)
{
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int kind = 0; kind < SHAPE_KINDS; kind++)
            for (int role = 0; role < SHAPE_ROLES; role++) {
                int set = model->set_of[c];
                weights->value[c][kind][role] =
                    rounded(model->value[set][kind][role].w * (double)EVAL_SCALE);
                weights->policy[c][kind][role] =
                    rounded(model->policy[set][kind][role].w * (double)SHAPE_POLICY_SCALE);
            }
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int i = 0; i < SHAPE_THREATS; i++)
            weights->threat[c][i] =
                rounded(model->threat[model->set_of[c]][i].w * (double)EVAL_SCALE);
}

/* --- both together --------------------------------------------------------------------------- */

static void shuffle(int *order, int n, Rng *rng)
{
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static void fit(const Rules *rules, const FitPlan *plan, const Gatherer *g, FitReport *report,
                void *ctx, ShapeWeights *weights)
{
    const Samples *set = &g->samples;
    Model *model = mem_zero(sizeof *model);
    int *order = mem_alloc(((size_t)set->count + 1) * sizeof *order);
    Rng rng;
    rng_seed(&rng, plan->seed);
    model_begin(model, rules);
    for (int i = 0; i < set->count; i++) order[i] = i;
    for (int epoch = 0; epoch <= plan->epochs; epoch++) {
        FitProgress progress = {g->games, set->count, epoch, 0, 0, 0};
        if (epoch) {
            shuffle(order, set->count, &rng);
            run_epoch(model, set, order, epoch - 1, plan->epochs, plan->decay);
        }
        measure(model, set, &progress);
        if (report) report(ctx, &progress);
    }
    model_end(model, weights);
    mem_free(order);
    mem_free(model);
}

bool shape_fit(const FitPlan *plan, FitReport *report, void *ctx, ShapeWeights *weights,
               RuleKind *rule, Err *err)
{
    uint16_t *kind_of = mem_zero(sizeof *kind_of << 16);
    for (unsigned code = 0; code < 1u << 16; code++) {
        bool real = true;
        for (int dir = 0; dir < 4; dir++) real = real && (code >> 4 * dir & 15) < SHAPE_COUNT;
        if (real) kind_of[code] = (uint16_t)shape_kind(code);
    }
    Gatherer g = {.plan = plan, .kind_of = kind_of};
    bool good = true;
    for (int i = 0; good && i < plan->file_count; i++) good = file_add(&g, plan->files[i], err);
    int learnt = 0;
    for (int i = 0; i < g.samples.count; i++) learnt += !g.samples.samples[i].held_out;
    if (good && learnt < BATCH)
        good = err_set(err,
                       "the games hold %d positions to learn from, and a single step needs %d; "
                       "goren selfplay makes more",
                       learnt, BATCH);
    if (good) {
        Rules rules;
        rules_init(&rules, g.rule, 15, 15, 5);
        fit(&rules, plan, &g, report, ctx, weights);
    }
    *rule = g.rule;
    mem_free(g.samples.samples);
    mem_free(g.samples.kinds);
    mem_free(kind_of);
    return good;
}
