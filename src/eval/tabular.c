/* SPDX-License-Identifier: MIT */
#include "eval/tabular.h"

#include "base/mem.h"
#include "game/sym.h"

#include <string.h>

static int32_t codes_of(int points)
{
    int32_t n = 1;
    for (int i = 0; i < points; i++) n *= 3;
    return n;
}

static int index_of(const Rules *rules, Point p)
{
    return rules_y(rules, p) * rules->width + rules_x(rules, p);
}

bool tabular_check(const Rules *rules, Err *err)
{
    int points = rules->width * rules->height;
    if (points <= TABULAR_POINTS_MAX) return true;
    return err_set(err, "a table is for boards of at most %d points, such as 3x3; %dx%d has %d",
                   TABULAR_POINTS_MAX, rules->width, rules->height, points);
}

void tabular_open(Tabular *table, const Rules *rules)
{
    *table = (Tabular){.rules = *rules, .points = rules->width * rules->height};
    table->row_of = mem_zero((size_t)codes_of(table->points) * sizeof *table->row_of);
    for (int sym = 0; sym < sym_count(rules); sym++)
        for (int i = 0; i < table->points; i++)
            table->turn[sym][i] =
                (uint8_t)index_of(rules, sym_point(rules, (Sym)sym, rules_nth(rules, i)));
}

void tabular_close(Tabular *table)
{
    mem_free(table->codes);
    mem_free(table->cells);
    mem_free(table->row_of);
    *table = (Tabular){0};
}

TabularKey tabular_key(const Tabular *table, const Board *board)
{
    static const int32_t power[TABULAR_POINTS_MAX] = {1,   3,    9,    27,    81,    243,
                                                      729, 2187, 6561, 19683, 59049, 177147};
    Cell own = (Cell)(board->side + CELL_BLACK);
    TabularKey best = {INT32_MAX, 0};
    for (int sym = 0; sym < sym_count(&table->rules); sym++) {
        int32_t code = 0;
        for (int i = 0; i < table->points; i++) {
            Cell cell = (Cell)board->cell[rules_nth(&table->rules, i)];
            if (cell != CELL_EMPTY) code += power[table->turn[sym][i]] * (cell == own ? 1 : 2);
        }
        if (code < best.code) best = (TabularKey){code, sym};
    }
    return best;
}

int tabular_find(const Tabular *table, int32_t code)
{
    return table->row_of[code] - 1;
}

int tabular_add(Tabular *table, int32_t code)
{
    if (table->row_of[code]) return table->row_of[code] - 1;
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 1024;
        table->codes = mem_grow(table->codes, (size_t)table->room * sizeof *table->codes);
        table->cells = mem_grow(table->cells,
                                (size_t)table->room * (size_t)table->points * sizeof *table->cells);
    }
    table->codes[table->count] = code;
    memset(tabular_row(table, table->count), 0, (size_t)table->points * sizeof *table->cells);
    table->row_of[code] = ++table->count;
    return table->count - 1;
}

int tabular_action(const Tabular *table, TabularKey key, Point p)
{
    return table->turn[key.sym][index_of(&table->rules, p)];
}

Point tabular_point(const Tabular *table, TabularKey key, int action)
{
    int i = 0;
    while (table->turn[key.sym][i] != action) i++;
    return rules_nth(&table->rules, i);
}

bool tabular_is_free(int32_t code, int action)
{
    while (action-- > 0) code /= 3;
    return code % 3 == 0;
}

int tabular_stones(int32_t code)
{
    int stones = 0;
    for (; code; code /= 3) stones += code % 3 != 0;
    return stones;
}

/* ---- parameters ---- */

void tabular_put(const Tabular *table, Params *params)
{
    params_put(params, "rule", table->rules.kind);
    params_put(params, "width", table->rules.width);
    params_put(params, "height", table->rules.height);
    params_put(params, "k", table->rules.k);
    params_put(params, "rows", table->count);
    for (int row = 0; row < table->count; row++) {
        float code = (float)table->codes[row]; /* below 2^24: exact */
        params_add_floats(params, &code, 1);
        params_add_floats(params, &tabular_row(table, row)->value, 3 * (size_t)table->points);
    }
}

static bool get_rules(const Params *params, Rules *rules, Err *err)
{
    int64_t rule, width, height, k;
    if (!params_get(params, "rule", 0, RULE_COUNT - 1, &rule, err) ||
        !params_get(params, "width", 1, TABULAR_POINTS_MAX, &width, err) ||
        !params_get(params, "height", 1, TABULAR_POINTS_MAX, &height, err) ||
        !params_get(params, "k", WIN_MIN, WIN_MAX, &k, err))
        return false;
    rules_init(rules, (RuleKind)rule, (int)width, (int)height, (int)k);
    return tabular_check(rules, err);
}

static bool get_rows(Tabular *table, const Params *params, Err *err)
{
    int64_t rows;
    size_t stride = 1 + 3 * (size_t)table->points;
    int32_t codes = codes_of(table->points);
    if (!params_get(params, "rows", 0, codes, &rows, err)) return false;
    if ((size_t)rows * stride != params->float_count)
        return err_set(err, "has %zu floats where %zu belong", params->float_count,
                       (size_t)rows * stride);
    for (int64_t i = 0; i < rows; i++) {
        const float *from = params->floats + (size_t)i * stride;
        if (!(from[0] >= 0 && from[0] < (float)codes) || from[0] != (float)(int32_t)from[0] ||
            tabular_find(table, (int32_t)from[0]) >= 0)
            return err_set(err, "row %lld is of no position, or of one twice", (long long)i);
        int row = tabular_add(table, (int32_t)from[0]);
        memcpy(tabular_row(table, row), from + 1, (stride - 1) * sizeof(float));
        for (int a = 0; a < table->points; a++) {
            float next = tabular_row(table, row)[a].next;
            if (!(next >= TABULAR_DRAWN && next <= (float)codes))
                return err_set(err, "row %lld leads to no position", (long long)i);
        }
    }
    return true;
}

bool tabular_get(Tabular *table, const Params *params, const char *name, Err *err)
{
    Rules rules;
    *table = (Tabular){0};
    if (!get_rules(params, &rules, err)) return err_prefix(err, "%s", name);
    tabular_open(table, &rules);
    if (get_rows(table, params, err)) return true;
    tabular_close(table);
    return err_prefix(err, "%s", name);
}
