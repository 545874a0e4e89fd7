/* SPDX-License-Identifier: MIT */
#include "learn/lesson.h"

#include "base/mem.h"

#include <string.h>

void lesson_open(Lesson *lesson, const LessonOptions *options, Mlp *net, int moves)
{
    size_t most = (size_t)moves;
    *lesson = (Lesson){.options = *options, .net = net};
    lesson->trace = mem_alloc(mlp_count(net->inputs, net->hidden) * sizeof *lesson->trace);
    lesson->inputs = mem_alloc(most * (size_t)net->inputs * sizeof *lesson->inputs);
    lesson->begin = mem_zero((most + 1) * sizeof *lesson->begin);
    lesson->settled = mem_alloc(most);
    if (!options->average) return;
    mlp_open(&lesson->average, net->inputs, net->hidden);
    mlp_copy(&lesson->average, net);
}

void lesson_close(Lesson *lesson)
{
    mlp_close(&lesson->average);
    mem_free(lesson->trace);
    mem_free(lesson->inputs);
    mem_free(lesson->begin);
    mem_free(lesson->settled);
}

/* ---- parameters ---- */

const Mlp *lesson_plays(const Lesson *lesson)
{
    return lesson->average.weights ? &lesson->average : lesson->net;
}

void lesson_put(const Lesson *lesson, Params *params)
{
    const Mlp *net = lesson->net;
    if (lesson->average.weights && !lesson->options.strip)
        params_add_floats(params, net->weights, mlp_count(net->inputs, net->hidden));
}

void lesson_get(Lesson *lesson, const Params *params)
{
    Mlp *net = lesson->net;
    size_t count = mlp_count(net->inputs, net->hidden);
    if (params->float_count != 2 * count) return;
    if (!lesson->average.weights) mlp_open(&lesson->average, net->inputs, net->hidden);
    memcpy(lesson->average.weights, params->floats, count * sizeof *net->weights);
    memcpy(net->weights, params->floats + count, count * sizeof *net->weights);
}

bool lesson_check(const Lesson *lesson, Err *err)
{
    return !lesson->options.strip || lesson->average.weights ||
           err_set(err, "strip keeps the mean alone, and there is none: give average too, or leave "
                        "out strip");
}

/* ---- learning ---- */

static float value_at(const Lesson *l, int t, float *active)
{
    const MlpInput *inputs = l->inputs + l->begin[t];
    mlp_sums(l->net, inputs, l->begin[t + 1] - l->begin[t], active);
    return mlp_value(l->net, active, active);
}

/* Pulls V(t) towards target; returns what it was (the target itself where nothing is learnt). */
static float pull(Lesson *l, int t, float target, double *losses)
{
    float active[MLP_HIDDEN_MAX];
    if (l->settled[t]) return target;
    const MlpInput *inputs = l->inputs + l->begin[t];
    float value = value_at(l, t, active), error = target - value;
    for (int i = 0; i < l->options.passes; i++)
        mlp_learn(l->net, inputs, l->begin[t + 1] - l->begin[t], active, value, l->rate * error);
    *losses += (double)error * error;
    return value;
}

/* What the game was worth to the mover of t. */
static float reward_of(const LearnerGame *game, int t)
{
    Cell mover = t % 2 ? CELL_WHITE : CELL_BLACK;
    return game->won == CELL_EMPTY ? 0.5f : game->won == mover ? 1.0f : 0.0f;
}

/* Was the reply to move t tried by lot, so that it says nothing about t? */
static bool is_cut(const Lesson *l, const LearnerGame *game, int t)
{
    return l->options.cut && game->by_lot && t + 1 < game->count && game->by_lot[t + 1];
}

static void learn_two(Lesson *l, const LearnerGame *game, double *losses)
{
    float lambda = (float)l->options.lambda, gamma = (float)l->options.gamma;
    float target = reward_of(game, game->count - 1);
    for (int t = game->count - 1; t >= game->first; t--) {
        if (is_cut(l, game, t)) {
            float active[MLP_HIDDEN_MAX];
            target = gamma * (1 - value_at(l, t, active));
            continue;
        }
        float value = pull(l, t, target, losses);
        target = gamma * (1 - (value + lambda * (target - value)));
    }
}

static void learn_one(Lesson *l, const LearnerGame *game, double *losses)
{
    float lambda = (float)l->options.lambda, active[MLP_HIDDEN_MAX], next[2];
    for (int i = 0; i < 2; i++) next[i] = reward_of(game, i);
    for (int t = game->count - 1; t >= game->first; t--) {
        if (l->settled[t]) continue; /* what comes after it is what it is worth */
        float value = value_at(l, t, active), *after = &next[t % 2];
        bool last = t >= game->count - 2;
        if (!is_cut(l, game, t))
            pull(l, t, last ? *after : value + lambda * (*after - value), losses);
        *after = value;
    }
}

/* What move t should be worth by the next one that is learnt, or by the result. */
static float target_of(const Lesson *l, const LearnerGame *game, int t)
{
    float active[MLP_HIDDEN_MAX], gamma = (float)l->options.gamma;
    int next = t + 1;
    while (next < game->count && l->settled[next]) next++;
    bool over = next == game->count;
    if (over) next--;
    float worth = over ? reward_of(game, next) : value_at(l, next, active);
    for (; next > t; next--) worth = gamma * (1 - worth);
    return worth;
}

static void learn_traces(Lesson *l, const LearnerGame *game, double *losses)
{
    Mlp *net = l->net;
    size_t count = mlp_count(net->inputs, net->hidden);
    float active[MLP_HIDDEN_MAX], rate = l->rate * (float)l->options.passes;
    float gamma = (float)l->options.gamma, lambda = (float)l->options.lambda, decay = 0;
    memset(l->trace, 0, count * sizeof *l->trace);
    for (int t = game->first; t < game->count; t++) {
        if (l->settled[t]) { /* passed through: it has no value of its own to trust */
            decay *= -gamma;
            continue;
        }
        float value = value_at(l, t, active);
        mlp_trace(net, l->inputs + l->begin[t], l->begin[t + 1] - l->begin[t], active, value, decay,
                  l->trace);
        decay = -gamma * lambda;
        if (is_cut(l, game, t)) {
            decay = 0; /* nothing of what follows is due to the moves so far */
            continue;
        }
        float error = target_of(l, game, t) - value, step = rate * error;
        for (size_t i = 0; i < count; i++) net->weights[i] += step * l->trace[i];
        *losses += (double)error * error;
    }
}

static void add_to_average(Lesson *l, int64_t before)
{
    enum { GAMES = 1000 };
    if (!l->average.weights) return;
    double games = (double)before + 1;
    float share = (float)(1 / (games < GAMES ? games : GAMES));
    size_t count = mlp_count(l->average.inputs, l->average.hidden);
    for (size_t i = 0; i < count; i++)
        l->average.weights[i] += share * (l->net->weights[i] - l->average.weights[i]);
}

static float rate_of(const LessonOptions *o, int64_t games)
{
    double cooled = o->cool > 0 ? o->cool / (o->cool + (double)games) : 1;
    return (float)(o->alpha * cooled);
}

double lesson_learn(Lesson *lesson, const LearnerGame *game, int64_t games)
{
    static void (*const formula[])(Lesson *, const LearnerGame *, double *) = {learn_two, learn_one,
                                                                               learn_traces};
    double losses = 0;
    int count = game->count - game->first;
    if (count < 1) return 0;
    lesson->rate = rate_of(&lesson->options, games);
    formula[lesson->options.formula](lesson, game, &losses);
    add_to_average(lesson, games);
    return losses / count;
}
