/* SPDX-License-Identifier: MIT */
/* The presets behind the rule names, and the check of a board's size. */
#include "game/rules.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
    const char *name;
    int gomocup; /* value of the protocol's INFO rule */
    SideRule side[COLOUR_COUNT];
} Preset;

static const Preset PRESETS[RULE_COUNT] = {
    [RULE_FREESTYLE] = {"freestyle",
                        0,
                        {{OVERLINE_WINS, false, false}, {OVERLINE_WINS, false, false}}},
    [RULE_STANDARD] = {"standard",
                       1,
                       {{OVERLINE_NOTHING, false, false}, {OVERLINE_NOTHING, false, false}}},
    [RULE_RENJU] = {"renju", 4, {{OVERLINE_FOUL, false, true}, {OVERLINE_WINS, false, false}}},
    [RULE_CARO] = {"caro", 9, {{OVERLINE_NOTHING, true, false}, {OVERLINE_NOTHING, true, false}}},
    [RULE_CARO6] = {"caro6", 8, {{OVERLINE_WINS, true, false}, {OVERLINE_WINS, true, false}}},
};

void rules_init(Rules *rules, RuleKind kind, int width, int height, int k)
{
    memset(rules, 0, sizeof *rules); /* padding too, so that a copy of the bytes is a copy */
    rules->kind = kind;
    rules->width = width;
    rules->height = height;
    rules->k = k;
    for (int c = 0; c < COLOUR_COUNT; c++) rules->side[c] = PRESETS[kind].side[c];
}

bool rules_check(int width, int height, int k, Err *err)
{
    if (width < 1 || height < 1 || width > SIZE_MAX_SIDE || height > SIZE_MAX_SIDE)
        return err_set(err, "a board of %dx%d is not possible (1 to %d each way)", width, height,
                       SIZE_MAX_SIDE);
    if (k < WIN_MIN || k > WIN_MAX)
        return err_set(err, "%d in a row is not possible (%d to %d)", k, WIN_MIN, WIN_MAX);
    return true;
}

static bool side_equal(const SideRule *a, const SideRule *b)
{
    return a->overline == b->overline && a->enclosed_dead == b->enclosed_dead &&
           a->fouls == b->fouls;
}

bool rules_same_sides(const SideRule a[COLOUR_COUNT], const SideRule b[COLOUR_COUNT])
{
    return side_equal(&a[BLACK], &b[BLACK]) && side_equal(&a[WHITE], &b[WHITE]);
}

bool rules_equal(const Rules *a, const Rules *b)
{
    return a->kind == b->kind && a->width == b->width && a->height == b->height && a->k == b->k &&
           rules_same_sides(a->side, b->side);
}

const char *rule_name(RuleKind kind)
{
    return PRESETS[kind].name;
}

int rule_gomocup_number(RuleKind kind)
{
    return PRESETS[kind].gomocup;
}

bool rule_parse(const char *name, RuleKind *kind, Err *err)
{
    char *end = NULL;
    long number = strtol(name, &end, 10);
    bool is_number = end != name && *end == '\0';
    for (int i = 0; i < RULE_COUNT; i++) {
        bool found =
            is_number ? number == PRESETS[i].gomocup : strcasecmp(name, PRESETS[i].name) == 0;
        if (found) {
            *kind = (RuleKind)i;
            return true;
        }
    }
    return err_set(
        err, "unknown rule '%.60s' (freestyle, standard, renju, caro, caro6; or 0, 1, 4, 9, 8)",
        name);
}
