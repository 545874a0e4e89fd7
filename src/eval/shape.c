/* SPDX-License-Identifier: MIT */
#include "eval/shape.h"

#include "base/mem.h"
#include "eval/eval.h"

#include <stddef.h>
#include <string.h>

/* --- weights --------------------------------------------------------------------------------- */

int shape_kind(unsigned code)
{
    int s[4] = {0};
    for (int i = 0; i < 4; i++) {
        int shape = (int)(code >> 4 * i & 15), j = i;
        for (; j > 0 && s[j - 1] > shape; j--) s[j] = s[j - 1];
        s[j] = shape;
    }
    /* The combinatorial number of s0 < s1+1 < s2+2 < s3+3. */
    int a = s[0], b = s[1] + 1, c = s[2] + 2, d = s[3] + 3;
    return a + b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6 + d * (d - 1) * (d - 2) * (d - 3) / 24;
}

static unsigned any(const uint16_t count[CLASS_SLOTS], Class from, Class to)
{
    unsigned sum = 0;
    for (int i = (int)from; i <= (int)to; i++) sum |= count[i];
    return sum != 0;
}

unsigned shape_threats(const uint16_t we[CLASS_SLOTS], const uint16_t they[CLASS_SLOTS])
{
    return any(we, CLASS_OPEN_THREE, CLASS_OPEN_THREE_THREE) |
           any(we, CLASS_DOUBLE_OPEN_THREE, CLASS_DOUBLE_OPEN_THREE) << 1 |
           any(we, CLASS_FOUR, CLASS_FOUR_THREE) << 2 |
           any(we, CLASS_FOUR_OPEN_THREE, CLASS_FOUR_OPEN_THREE) << 3 |
           any(they, CLASS_OPEN_THREE, CLASS_OPEN_THREE_THREE) << 4 |
           any(they, CLASS_DOUBLE_OPEN_THREE, CLASS_DOUBLE_OPEN_THREE) << 5 |
           any(they, CLASS_FOUR, CLASS_FOUR_THREE) << 6 |
           any(they, CLASS_FOUR_OPEN_THREE, CLASS_FOUR_OPEN_THREE) << 7 |
           any(they, CLASS_DOUBLE_FOUR, CLASS_OPEN_FOUR) << 8;
}

/* What a point is worth by its class, before any fitting: to the side to move and to the other. */
static const int16_t class_value[CLASS_COUNT][SHAPE_ROLES] = {
    [CLASS_TWO] = {2, 1},
    [CLASS_OPEN_TWO] = {6, 4},
    [CLASS_THREE] = {7, 5},
    [CLASS_THREE_OPEN_TWO] = {14, 10},
    [CLASS_OPEN_THREE] = {24, 14},
    [CLASS_OPEN_THREE_TWO] = {28, 16},
    [CLASS_OPEN_THREE_OPEN_TWO] = {36, 20},
    [CLASS_OPEN_THREE_THREE] = {40, 22},
    [CLASS_DOUBLE_OPEN_THREE] = {120, 40},
    [CLASS_FOUR] = {16, 10},
    [CLASS_FOUR_TWO] = {20, 12},
    [CLASS_FOUR_OPEN_TWO] = {28, 16},
    [CLASS_FOUR_THREE] = {32, 18},
    [CLASS_FOUR_OPEN_THREE] = {300, 60},
    [CLASS_DOUBLE_FOUR] = {800, 80},
    [CLASS_OPEN_FOUR] = {800, 60},
    [CLASS_FIVE] = {4000, 200},
};

/* The shapes themselves, so that points of one class differ. */
static const int16_t shape_value[SHAPE_COUNT] = {
    [SHAPE_ONE] = 0,      [SHAPE_OPEN_ONE] = 1,      [SHAPE_TWO] = 1,
    [SHAPE_OPEN_TWO] = 3, [SHAPE_OPEN_TWO_WIDE] = 4, [SHAPE_OPEN_TWO_FULL] = 5,
    [SHAPE_THREE] = 4,    [SHAPE_OPEN_THREE] = 8,    [SHAPE_OPEN_THREE_TWIN] = 10,
    [SHAPE_FOUR] = 8,
};

static const int16_t class_policy[CLASS_COUNT] = {
    [CLASS_TWO] = 10,
    [CLASS_OPEN_TWO] = 40,
    [CLASS_THREE] = 30,
    [CLASS_THREE_OPEN_TWO] = 70,
    [CLASS_OPEN_THREE] = 110,
    [CLASS_OPEN_THREE_TWO] = 130,
    [CLASS_OPEN_THREE_OPEN_TWO] = 180,
    [CLASS_OPEN_THREE_THREE] = 190,
    [CLASS_DOUBLE_OPEN_THREE] = 500,
    [CLASS_FOUR] = 90,
    [CLASS_FOUR_TWO] = 100,
    [CLASS_FOUR_OPEN_TWO] = 140,
    [CLASS_FOUR_THREE] = 160,
    [CLASS_FOUR_OPEN_THREE] = 900,
    [CLASS_DOUBLE_FOUR] = 3000,
    [CLASS_OPEN_FOUR] = 3000,
    [CLASS_FIVE] = 10000,
};

static int shape_sum(unsigned code)
{
    int sum = 0;
    for (int dir = 0; dir < 4; dir++) sum += shape_value[code >> 4 * dir & 15];
    return sum;
}

static bool code_is_real(unsigned code)
{
    for (int dir = 0; dir < 4; dir++)
        if ((code >> 4 * dir & 15) >= SHAPE_COUNT) return false;
    return true;
}

static void weights_guess(const Rules *rules, ShapeWeights *weights)
{
    for (int c = 0; c < COLOUR_COUNT; c++) {
        for (unsigned code = 0; code < 1u << 16; code++) {
            if (!code_is_real(code)) continue;
            int kind = shape_kind(code), sum = shape_sum(code);
            Class class = line_class(code, rules->side[c].fouls);
            weights->value[c][kind][0] = (int16_t)(class_value[class][0] + sum);
            weights->value[c][kind][1] = (int16_t)(class_value[class][1] + sum / 2);
            if (class == CLASS_FOUL)
                class = CLASS_TWO; /* may be legal after all: keep it in sight */
            weights->policy[c][kind][0] = (int16_t)(class_policy[class] + 6 * sum);
            weights->policy[c][kind][1] = (int16_t)(class_policy[class] * 3 / 4 + 4 * sum);
        }
    }
}

void shape_weights(const Rules *rules, ShapeWeights *weights)
{
    memset(weights, 0, sizeof *weights);
    if (rules->k != 5 || !shape_weights_fitted(rules->kind, weights)) weights_guess(rules, weights);
}

static void table_spread(ShapeTable *table, const Rules *rules)
{
    ShapeWeights *weights = mem_alloc(sizeof *weights);
    shape_weights(rules, weights);
    memcpy(table->threat, weights->threat, sizeof table->threat);
    bool alike =
        memcmp(weights->value[BLACK], weights->value[WHITE], sizeof weights->value[0]) == 0 &&
        memcmp(weights->policy[BLACK], weights->policy[WHITE], sizeof weights->policy[0]) == 0;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        int set = alike ? BLACK : c;
        table->value[c] = (const int16_t(*)[SHAPE_ROLES])table->values[set];
        table->policy[c] = (const int16_t(*)[SHAPE_ROLES])table->policies[set];
        for (unsigned code = 0; set == c && code < 1u << 16; code++) {
            if (!code_is_real(code)) continue;
            int kind = shape_kind(code);
            memcpy(table->values[c][code], weights->value[c][kind], sizeof weights->value[c][kind]);
            memcpy(table->policies[c][code], weights->policy[c][kind],
                   sizeof weights->policy[c][kind]);
        }
    }
    mem_free(weights);
}

static bool table_fits(const Kept *kept, const void *key)
{
    const ShapeTable *table = (const ShapeTable *)kept;
    const Rules *rules = key;
    return table->k == rules->k && rules_same_sides(table->side, rules->side);
}

static Kept *table_make(const void *key)
{
    const Rules *rules = key;
    ShapeTable *table = mem_zero(sizeof *table);
    table->k = rules->k;
    memcpy(table->side, rules->side, sizeof table->side);
    table_spread(table, rules);
    return &table->kept;
}

static void table_drop(Kept *kept)
{
    mem_free(kept);
}

const ShapeTable *shape_table(const Rules *rules)
{
    static KeptKind tables = {table_fits, table_make, table_drop, NULL};
    return (const ShapeTable *)kept_get(&tables, rules);
}

/* --- the evaluator --------------------------------------------------------------------------- */

typedef struct {
    int32_t of[COLOUR_COUNT][SHAPE_ROLES];
} Sums;

typedef struct {
    Eval head;
    const ShapeTable *table;
    Sums ground; /* what an empty board is worth for being large: see ground_of */
    int depth;   /* entries on the stack */
    Sums *stack; /* sums before each push; the current ones are on top */
} ShapeEval;

static inline void sums_add(Sums *sums, const ShapeTable *table, uint32_t code, int sign)
{
    const int16_t *black = table->value[BLACK][code & 0xffff];
    const int16_t *white = table->value[WHITE][code >> 16];
    for (int role = 0; role < SHAPE_ROLES; role++) {
        sums->of[BLACK][role] += sign * black[role];
        sums->of[WHITE][role] += sign * white[role];
    }
}

static void sums_add_board(Sums *sums, const ShapeTable *table, const Board *board, int sign)
{
    for (int i = 0; i < board->rules.width * board->rules.height; i++)
        sums_add(sums, table, board->code[rules_nth(&board->rules, i)], sign);
}

/* Points at the edge are worth something to the side to move, as fitted on boards of up to 20x20. A
 * larger board has more of them, and the move would seem to decide everything there: what an empty
 * board has more than the fitted ones is taken off. */
static void ground_of(const Rules *rules, const ShapeTable *table, Sums *ground)
{
    enum { FITTED_SIDE = 20 };
    Rules fitted = *rules;
    if (rules->width <= FITTED_SIDE && rules->height <= FITTED_SIDE) return;
    if (fitted.width > FITTED_SIDE) fitted.width = FITTED_SIDE;
    if (fitted.height > FITTED_SIDE) fitted.height = FITTED_SIDE;
    Board *large = board_open(rules, NEAR_SQUARE2), *small = board_open(&fitted, NEAR_SQUARE2);
    sums_add_board(ground, table, large, 1);
    sums_add_board(ground, table, small, -1);
    board_close(large);
    board_close(small);
}

static Eval *shape_open(const Rules *rules, const char *file, Err *err)
{
    (void)file, (void)err;
    ShapeEval *eval = mem_zero(sizeof *eval);
    eval->head.kind = &eval_shape;
    eval->head.name = eval_shape.name;
    eval->table = shape_table(rules);
    ground_of(rules, eval->table, &eval->ground);
    size_t plies = 2 * (size_t)(rules->width * rules->height) + 16;
    eval->stack = mem_zero(plies * sizeof *eval->stack);
    return &eval->head;
}

static void shape_close(Eval *head)
{
    ShapeEval *eval = (ShapeEval *)head;
    mem_free(eval->stack);
    mem_free(eval);
}

static void shape_reset(Eval *head, const Board *board)
{
    ShapeEval *eval = (ShapeEval *)head;
    eval->depth = 0;
    Sums *sums = &eval->stack[0];
    memset(sums, 0, sizeof *sums);
    sums_add_board(sums, eval->table, board, 1);
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int role = 0; role < SHAPE_ROLES; role++)
            sums->of[c][role] -= eval->ground.of[c][role];
}

static void shape_push(Eval *head, const Board *board)
{
    ShapeEval *eval = (ShapeEval *)head;
    const Ply *ply = board_last(board);
    Sums sums = eval->stack[eval->depth];
    for (uint32_t i = 0; i < ply->count; i++) {
        sums_add(&sums, eval->table, ply->changes[i].code, -1);
        sums_add(&sums, eval->table, board->code[ply->changes[i].point], 1);
    }
    eval->stack[++eval->depth] = sums;
}

static void shape_pop(Eval *head)
{
    ((ShapeEval *)head)->depth--;
}

static int shape_value_of(Eval *head, const Board *board)
{
    ShapeEval *eval = (ShapeEval *)head;
    const Sums *sums = &eval->stack[eval->depth];
    Colour us = board->side, them = colour_other(us);
    int value = sums->of[us][0] - sums->of[them][1] +
                eval->table->threat[us][shape_threats(board->count[us], board->count[them])];
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}

static void shape_policy(Eval *head, const Board *board, const Point *moves, int count, int *out)
{
    const ShapeTable *table = ((ShapeEval *)head)->table;
    Colour us = board->side, them = colour_other(us);
    for (int i = 0; i < count; i++) {
        uint32_t code = board->code[moves[i]];
        out[i] = table->policy[us][code >> 16 * us & 0xffff][0] +
                 table->policy[them][code >> 16 * them & 0xffff][1];
    }
}

const EvalKind eval_shape = {
    .name = "shape",
    .open = shape_open,
    .reset = shape_reset,
    .push = shape_push,
    .pop = shape_pop,
    .value = shape_value_of,
    .policy = shape_policy,
    .close = shape_close,
};
