/* SPDX-License-Identifier: MIT */
#include "eval/critic_td.h"

#include "game/ban.h"

#include <math.h>
#include <string.h>

enum { INPUTS_MAX = 1100, MILLI = 1000 };

int td_critic_inputs(int k, TdForm form)
{
    return (td_patterns_count(k) - 1) * (form == TD_APART ? 2 : 1);
}

void td_critic_open(TdCritic *critic, int k, TdForm form, double credit, int hidden)
{
    int inputs = td_critic_inputs(k, form);
    critic->k = k;
    critic->form = form;
    critic->credit = credit;
    if (!hidden) hidden = inputs / 4;
    mlp_open(&critic->net, inputs, hidden < 1 ? 1 : hidden);
}

void td_critic_close(TdCritic *critic)
{
    mlp_close(&critic->net);
}

/* ---- values ---- */

int td_critic_look(const TdCritic *critic, const TdFeatures *features, Point p, Colour colour,
                   MlpInput *inputs)
{
    const int8_t *mine = td_features_at(features, p, colour);
    const int8_t *theirs = td_features_at(features, p, colour_other(colour));
    int count = features->patterns.count - 1, n = 0;
    float credit = (float)critic->credit;
    for (int i = 0; i < count; i++) {
        if (!mine[i] && !theirs[i]) continue;
        float x = mine[i];
        if (critic->form == TD_ADDED) x += mine[i] ? theirs[i] + credit : theirs[i];
        if (critic->form == TD_TIMES) x = x * credit + theirs[i];
        if (x != 0) inputs[n++] = (MlpInput){i, x};
        if (critic->form == TD_APART && theirs[i]) inputs[n++] = (MlpInput){count + i, theirs[i]};
    }
    return n;
}

static float network_value(const TdCritic *critic, const MlpInput *inputs, int count)
{
    float sums[MLP_HIDDEN_MAX];
    mlp_sums(&critic->net, inputs, count, sums);
    return mlp_value(&critic->net, sums, sums);
}

float td_critic_value(const TdCritic *critic, const TdFeatures *features, const Board *board,
                      Point p)
{
    MlpInput inputs[INPUTS_MAX];
    if (board_class(board, p, board->side) == CLASS_FIVE) return TD_VALUE_FIVE;
    if (board_class(board, p, colour_other(board->side)) == CLASS_FIVE) return TD_VALUE_BLOCK;
    int count = td_critic_look(critic, features, p, board->side, inputs);
    return network_value(critic, inputs, count);
}

/* ---- choice ---- */

static bool is_among(const Point *points, int count, Point p)
{
    for (int i = 0; i < count; i++)
        if (points[i] == p) return true;
    return false;
}

static bool is_allowed(const Board *board, Point p, const Point *blocked, int blocked_count)
{
    return ban_allows(board, p, board->side) && !is_among(blocked, blocked_count, p);
}

Point td_critic_choose(const TdCritic *critic, const TdFeatures *features, const Board *board,
                       const Point *blocked, int blocked_count, Rng *rng, float *value)
{
    const Rules *rules = &board->rules;
    Point best = POINT_NONE, middle = rules_point(rules, rules->width / 2, rules->height / 2);
    float most = -1;
    uint32_t equals = 0;
    if (board->stones == 0 && is_allowed(board, middle, blocked, blocked_count)) {
        *value = network_value(critic, NULL, 0);
        return middle;
    }
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (!board_is_empty(board, p)) continue;
        float v = td_critic_value(critic, features, board, p);
        if (v < most || !is_allowed(board, p, blocked, blocked_count)) continue;
        equals = v > most ? 1 : equals + 1;
        most = v;
        if (equals == 1 || rng_below(rng, equals) == 0) best = p;
    }
    *value = most;
    return best;
}

/* ---- parameters ---- */

void td_critic_put(const TdCritic *critic, Params *params)
{
    params_put(params, "k", critic->k);
    params_put(params, "form", critic->form);
    params_put(params, "credit", lround(critic->credit * MILLI));
    params_put(params, "hidden", critic->net.hidden);
    params_add_floats(params, critic->net.weights,
                      mlp_count(critic->net.inputs, critic->net.hidden));
}

bool td_critic_get(TdCritic *critic, const Params *params, const char *name, Err *err)
{
    int64_t k, form, credit, hidden;
    if (!params_get(params, "k", WIN_MIN, WIN_MAX, &k, err) ||
        !params_get(params, "form", 0, TD_FORM_COUNT - 1, &form, err) ||
        !params_get(params, "credit", -1000 * MILLI, 1000 * MILLI, &credit, err) ||
        !params_get(params, "hidden", 1, MLP_HIDDEN_MAX, &hidden, err))
        return err_prefix(err, "%s", name);
    size_t want = mlp_count(td_critic_inputs((int)k, (TdForm)form), (int)hidden);
    if (params->float_count < want)
        return err_set(err, "%s: has %zu floats where its header asks for %zu", name,
                       params->float_count, want);
    td_critic_open(critic, (int)k, (TdForm)form, (double)credit / MILLI, (int)hidden);
    memcpy(critic->net.weights, params->floats, want * sizeof(float));
    return true;
}
