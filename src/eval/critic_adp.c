/* SPDX-License-Identifier: MIT */
#include "eval/critic_adp.h"

#include "game/ban.h"

#include <string.h>

enum {
    STEPS = 5, /* inputs of a pattern's count */
    ZHAO_SIDE = (ADP_PATTERNS - 1) * STEPS + 1,
    ZHAO_TURN = 2 * ZHAO_SIDE,
    ZHAO_FIRST = ZHAO_TURN + 2 * ADP_PATTERNS * 2,
    FUDAN_FIRST = 4 * ADP_SHAPES,
    WON = 2, /* the value of a completed row */
};
_Static_assert(ZHAO_FIRST + 2 == ADP_ZHAO_INPUTS, "as the paper counts them");
_Static_assert(FUDAN_FIRST + 2 == ADP_FUDAN_INPUTS, "as the report counts them");

void adp_critic_open(AdpCritic *critic, AdpForm form, int hidden)
{
    critic->form = form;
    mlp_open(&critic->net, form == ADP_ZHAO ? ADP_ZHAO_INPUTS : ADP_FUDAN_INPUTS, hidden);
}

void adp_critic_close(AdpCritic *critic)
{
    mlp_close(&critic->net);
}

/* ---- inputs ---- */

/* Input `step` of a pattern that stands n times: Table 1. */
static float step_value(int n, int step)
{
    if (step < STEPS - 1) return n > step ? 1 : 0;
    return n > 4 ? (float)(n - 4) / 2 : 0;
}

/* So many points of a shape: log2(1 + n) between its whole values. One point is much, the thirtieth
 * hardly more than the twenty-ninth. */
static float points_value(int n)
{
    int whole = 31 - __builtin_clz((unsigned)n + 1);
    return (float)whole + (float)(n + 1 - (1 << whole)) / (float)(1 << whole);
}

/* What the count n of one pattern says; `side` is 0 for own, 1 for the other. */
static int zhao_inputs(int side, int kind, int n, MlpInput *inputs)
{
    int count = 0, first = side * ZHAO_SIDE + kind * STEPS;
    if (kind == ADP_FIVE) {
        if (n > 0) inputs[count++] = (MlpInput){first, 1};
        return count;
    }
    for (int step = 0; step < STEPS && (step == STEPS - 1 || n > step); step++) {
        float x = step_value(n, step);
        if (x != 0) inputs[count++] = (MlpInput){first + step, x};
    }
    return count;
}

static MlpInput turn_input(AdpForm form, int side, int kind, bool others_turn)
{
    int base =
        form == ADP_ZHAO ? ZHAO_TURN + (side * ADP_PATTERNS + kind) * 2 : 2 * ADP_SHAPES + kind * 2;
    return (MlpInput){base + others_turn, 1};
}

int adp_critic_look(const AdpCritic *critic, const AdpCounts *counts, Colour own, Colour turn,
                    MlpInput *inputs)
{
    int n = 0;
    bool zhao = critic->form == ADP_ZHAO;
    const int16_t *of[2] = {counts->count[own], counts->count[colour_other(own)]};
    for (int side = 0; side < 2; side++) {
        Colour owner = side ? colour_other(own) : own;
        for (int kind = 0; kind < counts->kinds; kind++) {
            int count = of[side][kind];
            if (!count) continue;
            if (zhao) {
                n += zhao_inputs(side, kind, count, inputs + n);
                inputs[n++] = turn_input(critic->form, side, kind, turn != owner);
            } else {
                inputs[n++] = (MlpInput){side * ADP_SHAPES + kind, points_value(count)};
                if (!side || !of[0][kind])
                    inputs[n++] = turn_input(critic->form, side, kind, turn != own);
            }
        }
    }
    inputs[n++] = (MlpInput){(zhao ? ZHAO_FIRST : FUDAN_FIRST) + (own != BLACK), 1};
    return n;
}

/* ---- moves ---- */

static void change_zhao(const AdpCritic *critic, int side, int kind, int before, int after,
                        float *sums)
{
    int first = side * ZHAO_SIDE + kind * STEPS;
    for (int step = 0; kind != ADP_FIVE && step < STEPS; step++) {
        float x = step_value(after, step) - step_value(before, step);
        if (x != 0) mlp_change(&critic->net, first + step, x, sums);
    }
    int there = (after > 0) - (before > 0);
    if (!there) return;
    if (kind == ADP_FIVE) mlp_change(&critic->net, first, (float)there, sums);
    /* After a move it is the other's turn. */
    MlpInput turn = turn_input(ADP_ZHAO, side, kind, side == 0);
    mlp_change(&critic->net, turn.index, (float)there, sums);
}

static void change_fudan(const AdpCritic *critic, const AdpCounts *counts, Colour own,
                         const AdpChange *change, float *sums)
{
    int16_t more[ADP_SHAPES] = {0}; /* of either colour */
    for (int i = 0; i < change->count; i++) {
        int kind = change->of[i].kind, colour = change->of[i].colour;
        int before = counts->count[colour][kind], after = before + change->of[i].change;
        int input = (colour != (int)own) * ADP_SHAPES + kind;
        mlp_change(&critic->net, input, points_value(after) - points_value(before), sums);
        more[kind] = (int16_t)(more[kind] + change->of[i].change);
    }
    /* The turn inputs ask for a shape of either colour. After a move it is the other's turn. */
    for (int i = 0; i < change->count; i++) {
        int kind = change->of[i].kind;
        int before = counts->count[BLACK][kind] + counts->count[WHITE][kind];
        int there = (before + more[kind] > 0) - (before > 0);
        more[kind] = 0; /* once only */
        if (there)
            mlp_change(&critic->net, turn_input(ADP_FUDAN, 0, kind, true).index, (float)there,
                       sums);
    }
}

static float value_after(const AdpCritic *critic, const AdpCounts *counts, Colour own,
                         const AdpChange *change, const float *base)
{
    float sums[MLP_HIDDEN_MAX];
    memcpy(sums, base, (size_t)critic->net.hidden * sizeof *sums);
    if (critic->form == ADP_FUDAN) change_fudan(critic, counts, own, change, sums);
    for (int i = 0; critic->form == ADP_ZHAO && i < change->count; i++) {
        int kind = change->of[i].kind, colour = change->of[i].colour;
        int before = counts->count[colour][kind];
        change_zhao(critic, colour != (int)own, kind, before, before + change->of[i].change, sums);
    }
    return mlp_value(&critic->net, sums, sums);
}

int adp_critic_moves(const AdpCritic *critic, const AdpCounts *counts, Board *board, AdpMove *moves,
                     int room)
{
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    MlpInput inputs[ADP_INPUTS_MAX];
    float base[MLP_HIDDEN_MAX];
    const Rules *rules = &board->rules;
    Colour own = board->side;
    int count = board_candidates(board, points), n = 0;
    if (!count || !board->stones) {
        points[0] = rules_point(rules, rules->width / 2, rules->height / 2);
        count = board_is_empty(board, points[0]);
    }
    int seen = adp_critic_look(critic, counts, own, colour_other(own), inputs);
    mlp_sums(&critic->net, inputs, seen, base);
    for (int i = 0; i < count && n < room; i++) {
        AdpChange change;
        if (!ban_allows(board, points[i], own)) continue;
        moves[n].point = points[i];
        moves[n].value = WON;
        if (board_class(board, points[i], own) != CLASS_FIVE) {
            adp_counts_try(counts, board, points[i], &change);
            moves[n].value = value_after(critic, counts, own, &change, base);
        }
        n++;
    }
    for (int i = 0; !n && i < rules->width * rules->height; i++) {
        /* Near the stones nothing is allowed: then what comes first. */
        if (ban_allows(board, rules_nth(rules, i), own))
            moves[n++] = (AdpMove){rules_nth(rules, i), 0};
    }
    return n;
}

Point adp_critic_choose(const AdpCritic *critic, const AdpCounts *counts, Board *board,
                        const Point *blocked, int blocked_count, float *value)
{
    AdpMove moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int count = adp_critic_moves(critic, counts, board, moves, SIZE_MAX_SIDE * SIZE_MAX_SIDE);
    Point best = POINT_NONE;
    *value = 0;
    for (int i = 0; i < count; i++) {
        bool open = moves[i].value >= *value;
        for (int k = 0; open && k < blocked_count; k++) open = blocked[k] != moves[i].point;
        if (!open) continue;
        best = moves[i].point;
        *value = moves[i].value;
    }
    return best;
}

/* ---- parameters ---- */

void adp_critic_put(const AdpCritic *critic, Params *params)
{
    params_put(params, "form", critic->form);
    params_put(params, "hidden", critic->net.hidden);
    params_add_floats(params, critic->net.weights,
                      mlp_count(critic->net.inputs, critic->net.hidden));
}

bool adp_critic_get(AdpCritic *critic, const Params *params, const char *name, Err *err)
{
    int64_t form, hidden;
    if (!params_get(params, "form", 0, ADP_FORM_COUNT - 1, &form, err) ||
        !params_get(params, "hidden", 1, MLP_HIDDEN_MAX, &hidden, err))
        return err_prefix(err, "%s", name);
    size_t want = mlp_count(form == ADP_ZHAO ? ADP_ZHAO_INPUTS : ADP_FUDAN_INPUTS, (int)hidden);
    if (params->float_count < want)
        return err_set(err, "%s: has %zu floats where its header asks for %zu", name,
                       params->float_count, want);
    adp_critic_open(critic, (AdpForm)form, (int)hidden);
    memcpy(critic->net.weights, params->floats, want * sizeof(float));
    return true;
}
