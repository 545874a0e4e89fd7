/* SPDX-License-Identifier: MIT */
#include "eval/eval.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const EvalKind *const eval_kinds[] = {&eval_best, &eval_shape, &eval_net, NULL};

const EvalKind *eval_find(const char *name, Err *err)
{
    for (const EvalKind *const *kind = eval_kinds; *kind; kind++)
        if (strcmp((*kind)->name, name) == 0) return *kind;
    err_set(err, "there is no evaluation \"%s\"; there are: best, shape, net", name);
    return NULL;
}

double eval_win_rate(int value)
{
    return 1 / (1 + exp(-(double)value / EVAL_SCALE));
}
