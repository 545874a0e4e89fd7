/* SPDX-License-Identifier: MIT */
#include "eval/critic_td.h"

#include "game/ban.h"

#include <math.h>
#include <string.h>

enum { INPUTS_MAX = 1100, MILLI = 1000 };

int td_critic_inputs(int k, TdForm form)
{
    return (td_patterns_count(k) - 1) * (form >= TD_APART ? 2 : 1);
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

/* Windows overlap, so that an open three is three of them: counts of a whole board are made smaller
 * than those of a move. */
static const float whole_board = 0.25f;

/* What stands on the board before the move; only TD_AFTER asks. */
static int look_before(const TdCritic *critic, const TdFeatures *features, Colour colour,
                       MlpInput *inputs)
{
    int count = features->patterns.count - 1, n = 0;
    if (critic->form != TD_AFTER) return 0;
    for (int side = 0; side < 2; side++) {
        const int *total = features->total[side ? colour_other(colour) : colour];
        for (int i = 0; i < count; i++)
            if (total[i]) inputs[n++] = (MlpInput){side * count + i, whole_board * (float)total[i]};
    }
    return n;
}

/* What the move changes of that. */
static int look_change(const TdFeatures *features, Point p, Colour colour, MlpInput *inputs)
{
    const int8_t *mine = td_features_at(features, p, colour);
    const int8_t *ended = td_features_held(features, p, colour_other(colour));
    int count = features->patterns.count - 1, n = 0;
    for (int i = 0; i < count; i++) {
        if (mine[i]) inputs[n++] = (MlpInput){i, whole_board * mine[i]};
        if (ended[i]) inputs[n++] = (MlpInput){count + i, -whole_board * ended[i]};
    }
    return n;
}

static int look_after(const TdFeatures *features, Point p, Colour colour, MlpInput *inputs)
{
    Colour other = colour_other(colour);
    const int8_t *mine = td_features_at(features, p, colour);
    const int8_t *ended = td_features_held(features, p, other);
    int count = features->patterns.count - 1, n = 0;
    for (int i = 0; i < count; i++) {
        int own = features->total[colour][i] + mine[i];
        int others = features->total[other][i] - ended[i];
        if (own) inputs[n++] = (MlpInput){i, whole_board * (float)own};
        if (others) inputs[n++] = (MlpInput){count + i, whole_board * (float)others};
    }
    return n;
}

static int look_move(const TdCritic *critic, const TdFeatures *features, Point p, Colour colour,
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

int td_critic_look(const TdCritic *critic, const TdFeatures *features, Point p, Colour colour,
                   MlpInput *inputs)
{
    return critic->form == TD_AFTER ? look_after(features, p, colour, inputs)
                                    : look_move(critic, features, p, colour, inputs);
}

/* The value of the move; `before` are the sums of look_before. */
static float network_value(const TdCritic *critic, const TdFeatures *features, Point p,
                           Colour colour, const float *before)
{
    MlpInput inputs[INPUTS_MAX];
    float sums[MLP_HIDDEN_MAX];
    int count = critic->form == TD_AFTER ? look_change(features, p, colour, inputs)
                                         : look_move(critic, features, p, colour, inputs);
    memcpy(sums, before, (size_t)critic->net.hidden * sizeof *sums);
    for (int i = 0; i < count; i++)
        mlp_change(&critic->net, inputs[i].index, inputs[i].value, sums);
    return mlp_value(&critic->net, sums, sums);
}

static float value_of(const TdCritic *critic, const TdFeatures *features, const Board *board,
                      Point p, const float *before)
{
    bool blocks = board_class(board, p, colour_other(board->side)) == CLASS_FIVE;
    if (board_class(board, p, board->side) == CLASS_FIVE) return TD_VALUE_FIVE;
    if (blocks && critic->form != TD_AFTER) return TD_VALUE_BLOCK;
    float value = network_value(critic, features, p, board->side, before);
    return blocks ? TD_VALUE_BLOCK + value / 4 : value;
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
    MlpInput inputs[INPUTS_MAX];
    float most = -1, before[MLP_HIDDEN_MAX];
    uint32_t equals = 0;
    mlp_sums(&critic->net, inputs, look_before(critic, features, board->side, inputs), before);
    if (board->stones == 0 && is_allowed(board, middle, blocked, blocked_count)) {
        *value = network_value(critic, features, middle, board->side, before);
        return middle;
    }
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (!board_is_empty(board, p)) continue;
        float v = value_of(critic, features, board, p, before);
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
