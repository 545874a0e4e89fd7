/* SPDX-License-Identifier: MIT */
/* The evaluation `best`: the network of the file if one is named, else a built-in one where one
 * plays these rules and the system gives it memory, else `shape`. It only chooses: what it opens is
 * an Eval of the other kind. */
#include "eval/eval.h"
#include "eval/networks.h"

static Eval *best_open(const Rules *rules, const char *file, Err *err)
{
    if (file && *file) return eval_net.open(rules, file, err);
    bool built_in = networks_find(networks_built_in(), rules) != NULL;
    Eval *eval = built_in ? eval_net.open(rules, NULL, NULL) : NULL;
    return eval ? eval : eval_shape.open(rules, NULL, err);
}

const EvalKind eval_best = {.name = "best", .open = best_open};
