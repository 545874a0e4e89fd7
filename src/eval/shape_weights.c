/* SPDX-License-Identifier: MIT */
/* The fitted weights, one file per rule, as `goren learn shape` writes them: the number of sets (2
 * where the colours differ), then per set the weights of the threats, and of each kind two for the
 * value and two for the policy. */
#include "eval/shape.h"

#include <stddef.h>
#include <string.h>

static const int16_t freestyle[] = {
#include "eval/weights/freestyle.inc"
};
static const int16_t standard[] = {
#include "eval/weights/standard.inc"
};
static const int16_t caro[] = {
#include "eval/weights/caro.inc"
};
static const int16_t renju[] = {
#include "eval/weights/renju.inc"
};

enum { PER_SET = SHAPE_THREATS + SHAPE_KINDS * 2 * SHAPE_ROLES };

static const int16_t *find(RuleKind kind, size_t *count)
{
    switch (kind) {
    case RULE_FREESTYLE:
        *count = sizeof freestyle / sizeof *freestyle;
        return freestyle;
    case RULE_RENJU:
        *count = sizeof renju / sizeof *renju;
        return renju;
    case RULE_CARO:
    case RULE_CARO6:
        *count = sizeof caro / sizeof *caro;
        return caro;
    default:
        *count = sizeof standard / sizeof *standard;
        return standard;
    }
}

bool shape_weights_fitted(RuleKind kind, ShapeWeights *weights)
{
    size_t count;
    const int16_t *from = find(kind, &count);
    if (count < 1 + PER_SET) return false;
    int sets = *from++;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        const int16_t *w = from + (sets == 2 ? c * PER_SET : 0);
        memcpy(weights->threat[c], w, sizeof weights->threat[c]);
        w += SHAPE_THREATS;
        for (int i = 0; i < SHAPE_KINDS; i++, w += 2 * SHAPE_ROLES) {
            memcpy(weights->value[c][i], w, sizeof weights->value[c][i]);
            memcpy(weights->policy[c][i], w + SHAPE_ROLES, sizeof weights->policy[c][i]);
        }
    }
    return true;
}

void shape_weights_write(const ShapeWeights *weights, Buf *out)
{
    bool alike =
        !memcmp(weights->value[BLACK], weights->value[WHITE], sizeof weights->value[BLACK]) &&
        !memcmp(weights->policy[BLACK], weights->policy[WHITE], sizeof weights->policy[BLACK]);
    int sets = alike ? 1 : 2, column = 0;
    buf_printf(out, "%d,\n", sets);
    for (int c = 0; c < sets; c++) {
        for (int i = 0; i < SHAPE_THREATS; i++)
            buf_printf(out, "%d,%c", weights->threat[c][i], i % 24 == 23 ? '\n' : ' ');
        buf_add_char(out, '\n');
        for (int i = 0; i < SHAPE_KINDS; i++) {
            const int16_t *value = weights->value[c][i], *policy = weights->policy[c][i];
            buf_printf(out, "%d,%d,%d,%d,", value[0], value[1], policy[0], policy[1]);
            buf_add_char(out, ++column % 6 ? ' ' : '\n');
        }
    }
    buf_add_char(out, '\n');
}
