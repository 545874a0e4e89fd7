/* SPDX-License-Identifier: MIT */
/* The learner td: a critic of moves (eval/critic_td.h) that learns from games with itself, after
 * the program "gomoku" with temporal differences.
 *
 * After each game its moves are gone through from the last one backwards. V(t) is what the mover of
 * move t thinks of it:
 *
 *      two      V(T) ← 1; what V(t) is pulled to is 1 − V(t+1) − λ(target(t+1) − V(t+1)): what is
 *               good for one mover is bad for the other
 *      one      each mover by himself: V(t) ← V(t) + α(r(t) + λ(V(t+2) − V(t))), r = 1, ½ or 0 at
 *               his last move
 *      traces   forwards, V(t) against 1 − V(t+1), with eligibility traces that change their sign
 *               from mover to mover
 *
 * A completed row and a blocked one are worth what the rules say and are not learnt. */
#include "learn/learner.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/critic_td.h"
#include "game/ban.h"
#include "learn/starts.h"
#include "play/player_td.h"

#include <string.h>

typedef enum { FORMULA_TWO, FORMULA_ONE, FORMULA_TRACES } Formula;

typedef struct {
    int form, formula, hidden, passes;
    double credit, alpha, lambda, epsilon, cool;
    bool mixed, average;
} TdOptions;

typedef struct {
    Learner head;
    TdOptions options;
    TdCritic critic;
    Mlp average; /* of the critic's network over time; only with options.average */
    TdFeatures features;
    Board *board;
    float *trace;     /* owned; room for the network's parameters */
    MlpInput *inputs; /* owned; those of all moves of a game … */
    int *begin;       /* … where those of move t begin; one more than moves */
    uint8_t *settled; /* owned; move t completes or blocks a row */
} TdLearner;

static const Opt td_opts[] = {
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(TdOptions, form),
     .standard = "added",
     .choices = TD_FORM_CHOICES,
     .help = "how both sides' features are joined: the mover's credit added or a factor, or both "
             "apart"},
    {.name = "credit",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, credit),
     .min = -10,
     .max = 10,
     .standard = "0.2",
     .help = "of the mover"},
    {.name = "hidden",
     .type = OPT_INT,
     .offset = offsetof(TdOptions, hidden),
     .min = 0,
     .max = MLP_HIDDEN_MAX,
     .standard = "0",
     .help = "hidden units; 0: a quarter of the inputs"},
    {.name = "formula",
     .type = OPT_CHOICE,
     .offset = offsetof(TdOptions, formula),
     .standard = "two",
     .choices = "two|one|traces",
     .help = "two movers in one chain, each by himself, or with eligibility traces"},
    {.name = "alpha",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, alpha),
     .min = 1e-6,
     .max = 10,
     .standard = "0.01",
     .help = "learning rate"},
    {.name = "passes",
     .type = OPT_INT,
     .offset = offsetof(TdOptions, passes),
     .min = 1,
     .max = 1000,
     .standard = "50",
     .help = "steps of that rate for each move"},
    {.name = "cool",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, cool),
     .min = 0,
     .max = 1e12,
     .standard = "0",
     .value = "GAMES",
     .help = "after so many games the rate is half, after twice as many a third …; 0: never"},
    {.name = "lambda",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, lambda),
     .min = 0,
     .max = 1,
     .standard = "0.8",
     .help = "how far a result reaches back"},
    {.name = "epsilon",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, epsilon),
     .min = 0,
     .max = 1,
     .standard = "0.01",
     .help = "share of moves at random"},
    {.name = "mixed",
     .type = OPT_BOOL,
     .offset = offsetof(TdOptions, mixed),
     .standard = "no",
     .help = "games begin with stones at random, not with one in the middle"},
    {.name = "average",
     .type = OPT_BOOL,
     .offset = offsetof(TdOptions, average),
     .standard = "no",
     .help = "play with the mean of the last thousand games or so"},
    {0},
};

static const OptTable td_table = {
    .name = "td",
    .about = "Temporal differences on what a move does to the rows of k (--win). The player "
             "td:params=FILE plays with it.",
    .example = "goren learn td --games 5000 --out td.params --json",
    .opts = td_opts,
};

/* ---- opening and saving ---- */

/* Does the file hold what the options ask for? */
static bool check_same(const TdLearner *td, const LearnerPlan *plan, Err *err)
{
    const TdCritic *critic = &td->critic;
    if (critic->k != plan->rules.k)
        return err_set(err, "%s: is for %d in a row, not for %d", plan->path, critic->k,
                       plan->rules.k);
    if (critic->form != (TdForm)td->options.form)
        return err_set(err, "%s: has another form of features; give its --form, or another file",
                       plan->path);
    if (td->options.hidden && critic->net.hidden != td->options.hidden)
        return err_set(err, "%s: has %d hidden units, not %d", plan->path, critic->net.hidden,
                       td->options.hidden);
    return true;
}

/* The floats are what plays, then what learns if that is something else. */
static bool load(TdLearner *td, const LearnerPlan *plan, Err *err)
{
    Params params;
    if (!params_read(plan->path, td_table.name, &params, err)) return false;
    bool good = td_critic_get(&td->critic, &params, plan->path, err);
    size_t count = good ? mlp_count(td->critic.net.inputs, td->critic.net.hidden) : 0;
    good = good &&
           (learner_get_head(&td->head, &params, err) || err_prefix(err, "%s", plan->path)) &&
           check_same(td, plan, err);
    if (good && td->options.average) {
        mlp_open(&td->average, td->critic.net.inputs, td->critic.net.hidden);
        mlp_copy(&td->average, &td->critic.net);
    }
    if (good && params.float_count == 2 * count)
        memcpy(td->critic.net.weights, params.floats + count, count * sizeof(float));
    params_free(&params);
    return good;
}

static void make_new(TdLearner *td, const LearnerPlan *plan)
{
    rng_seed(&td->head.rng, plan->seed);
    td_critic_open(&td->critic, plan->rules.k, (TdForm)td->options.form, td->options.credit,
                   td->options.hidden);
    mlp_shuffle(&td->critic.net, 0.5, &td->head.rng);
    if (!td->options.average) return;
    mlp_open(&td->average, td->critic.net.inputs, td->critic.net.hidden);
    mlp_copy(&td->average, &td->critic.net);
}

static void td_close(Learner *learner)
{
    TdLearner *td = (TdLearner *)learner;
    td_critic_close(&td->critic);
    mlp_close(&td->average);
    if (td->board) {
        td_features_close(&td->features);
        board_close(td->board);
    }
    mem_free(td->trace);
    mem_free(td->inputs);
    mem_free(td->begin);
    mem_free(td->settled);
    mem_free(td);
}

static Learner *td_open(const LearnerPlan *plan, Err *err)
{
    TdLearner *td = mem_zero(sizeof *td);
    td->options = *(const TdOptions *)plan->options;
    if (plan->path && os_file_exists(plan->path)) {
        if (!load(td, plan, err)) return td_close(&td->head), NULL;
    } else {
        make_new(td, plan);
    }
    size_t points = (size_t)plan->rules.width * (size_t)plan->rules.height;
    size_t inputs = (size_t)td->critic.net.inputs;
    td->board = board_open(&plan->rules, NEAR_SQUARE2);
    td_features_open(&td->features, &plan->rules);
    td->trace = mem_alloc(mlp_count(td->critic.net.inputs, td->critic.net.hidden) * sizeof(float));
    td->inputs = mem_alloc(points * inputs * sizeof *td->inputs);
    td->begin = mem_alloc((points + 1) * sizeof *td->begin);
    td->settled = mem_alloc(points);
    return &td->head;
}

static void fill_params(TdLearner *td, Params *params)
{
    TdCritic plays = td->critic;
    params_init(params, td_table.name);
    if (td->average.weights) plays.net = td->average;
    td_critic_put(&plays, params);
    learner_put_head(&td->head, params);
    if (td->average.weights)
        params_add_floats(params, td->critic.net.weights,
                          mlp_count(td->critic.net.inputs, td->critic.net.hidden));
}

static bool td_save(Learner *learner, bool safe, Err *err)
{
    Params params;
    Buf bytes = BUF_EMPTY;
    fill_params((TdLearner *)learner, &params);
    params_write(&params, &bytes);
    bool good = learner_write(learner, &bytes, safe, err);
    buf_free(&bytes);
    params_free(&params);
    return good;
}

static Player *td_player(Learner *learner, Err *err)
{
    Params params;
    fill_params((TdLearner *)learner, &params);
    Player *player = player_td_from(&params, err);
    params_free(&params);
    return player;
}

/* ---- a game ---- */

static Point any_point(const Board *board, Rng *rng)
{
    Point all[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    const Rules *rules = &board->rules;
    uint32_t n = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (ban_allows(board, p, board->side)) all[n++] = p;
    }
    return n ? all[rng_below(rng, n)] : POINT_NONE;
}

static bool td_play(Learner *learner, Point *moves, LearnerGame *game, Err *err)
{
    (void)err;
    TdLearner *td = (TdLearner *)learner;
    Board *board = td->board;
    float value;
    do {
        board_reset(board);
        if (td->options.mixed) starts_set(board, NULL, 0, &learner->rng);
    } while (board_is_over(board));
    game->first = game->count = board_moves(board, moves);
    td_features_reset(&td->features, board);
    while (!board_is_over(board)) {
        bool by_lot = board->stones && rng_unit(&learner->rng) < td->options.epsilon;
        Point p = by_lot ? any_point(board, &learner->rng)
                         : td_critic_choose(&td->critic, &td->features, board, NULL, 0,
                                            &learner->rng, &value);
        if (p == POINT_NONE) break;
        board_play(board, p);
        td_features_push(&td->features, board);
        moves[game->count++] = p;
    }
    game->won = board->won;
    return true;
}

/* ---- learning from it ---- */

/* What the critic saw at every move of the game: inputs[begin[t] … begin[t + 1]). */
static void look_back(TdLearner *td, const LearnerGame *game)
{
    Board *board = td->board;
    board_reset(board);
    td_features_reset(&td->features, board);
    td->begin[0] = 0;
    for (int t = 0; t < game->count; t++) {
        Point p = game->moves[t];
        int n = 0;
        td->settled[t] = board_class(board, p, BLACK) == CLASS_FIVE ||
                         board_class(board, p, WHITE) == CLASS_FIVE;
        if (t >= game->first)
            n = td_critic_look(&td->critic, &td->features, p, board->side,
                               td->inputs + td->begin[t]);
        td->begin[t + 1] = td->begin[t] + n;
        board_play(board, p);
        td_features_push(&td->features, board);
    }
}

static float rate_of(const TdLearner *td)
{
    const TdOptions *o = &td->options;
    double cooled = o->cool > 0 ? o->cool / (o->cool + (double)td->head.games) : 1;
    return (float)(o->alpha * cooled);
}

static float value_at(const TdLearner *td, int t, float *active)
{
    const MlpInput *inputs = td->inputs + td->begin[t];
    mlp_sums(&td->critic.net, inputs, td->begin[t + 1] - td->begin[t], active);
    return mlp_value(&td->critic.net, active, active);
}

/* Pulls V(t) towards target; returns what it was (the target itself where nothing is learnt). */
static float pull(TdLearner *td, int t, float target, double *losses)
{
    float active[MLP_HIDDEN_MAX];
    if (td->settled[t]) return target;
    const MlpInput *inputs = td->inputs + td->begin[t];
    float value = value_at(td, t, active), error = target - value, rate = rate_of(td);
    for (int i = 0; i < td->options.passes; i++)
        mlp_learn(&td->critic.net, inputs, td->begin[t + 1] - td->begin[t], active, value,
                  rate * error);
    *losses += (double)error * error;
    return value;
}

/* What the game was worth to the mover of t. */
static float reward_of(const LearnerGame *game, int t)
{
    Cell mover = t % 2 ? CELL_WHITE : CELL_BLACK;
    return game->won == CELL_EMPTY ? 0.5f : game->won == mover ? 1.0f : 0.0f;
}

static void learn_two(TdLearner *td, const LearnerGame *game, double *losses)
{
    float lambda = (float)td->options.lambda, target = reward_of(game, game->count - 1);
    for (int t = game->count - 1; t >= game->first; t--) {
        float value = pull(td, t, target, losses);
        target = 1 - (value + lambda * (target - value));
    }
}

static void learn_one(TdLearner *td, const LearnerGame *game, double *losses)
{
    float lambda = (float)td->options.lambda, active[MLP_HIDDEN_MAX], next[2] = {0, 0};
    for (int t = game->count - 1; t >= game->first; t--) {
        bool last = t >= game->count - 2;
        float reward = reward_of(game, t), value = value_at(td, t, active);
        float target = last ? reward : value + lambda * (next[t % 2] - value);
        float was = pull(td, t, target, losses);
        next[t % 2] = td->settled[t] && last ? reward : was;
    }
}

static void learn_traces(TdLearner *td, const LearnerGame *game, double *losses)
{
    Mlp *net = &td->critic.net;
    size_t count = mlp_count(net->inputs, net->hidden);
    float active[MLP_HIDDEN_MAX], lambda = (float)td->options.lambda;
    float rate = rate_of(td) * (float)td->options.passes;
    memset(td->trace, 0, count * sizeof *td->trace);
    for (int t = game->first; t < game->count; t++) {
        float value = value_at(td, t, active);
        bool over = t + 1 == game->count || td->settled[t + 1];
        mlp_trace(net, td->inputs + td->begin[t], td->begin[t + 1] - td->begin[t], active, value,
                  -lambda, td->trace);
        float next[MLP_HIDDEN_MAX];
        float target = over ? reward_of(game, t) : 1 - value_at(td, t + 1, next);
        float error = target - value, step = rate * error;
        if (td->settled[t]) continue;
        for (size_t i = 0; i < count; i++) net->weights[i] += step * td->trace[i];
        *losses += (double)error * error;
    }
}

static void add_to_average(TdLearner *td)
{
    enum { GAMES = 1000 };
    if (!td->average.weights) return;
    double games = (double)td->head.games + 1;
    float share = (float)(1 / (games < GAMES ? games : GAMES));
    size_t count = mlp_count(td->average.inputs, td->average.hidden);
    for (size_t i = 0; i < count; i++)
        td->average.weights[i] += share * (td->critic.net.weights[i] - td->average.weights[i]);
}

static bool td_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    (void)err;
    static void (*const formula[])(TdLearner *, const LearnerGame *,
                                   double *) = {learn_two, learn_one, learn_traces};
    TdLearner *td = (TdLearner *)learner;
    int count = game->count - game->first;
    if (count < 1) return true;
    double losses = 0;
    look_back(td, game);
    formula[td->options.formula](td, game, &losses);
    add_to_average(td);
    *loss = losses / count;
    return true;
}

const LearnerKind learner_td = {
    .options = &td_table,
    .options_size = sizeof(TdOptions),
    .file = "td.params",
    .open = td_open,
    .play = td_play,
    .observe = td_observe,
    .save = td_save,
    .player = td_player,
    .close = td_close,
};
