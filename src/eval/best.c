/* SPDX-License-Identifier: MIT */
/* The evaluation `best`: a built-in network where one plays these rules and the system gives it
 * memory, otherwise `shape`. It only chooses: what it opens is an Eval of the other kind. */
#include "eval/eval.h"
#include "eval/networks.h"

static Eval *best_open(const Rules *rules, const char *file, Err *err)
{
    bool built_in = networks_find(networks_built_in(), rules) != NULL;
    Eval *eval = built_in ? eval_net.open(rules, NULL, NULL) : NULL;
    return eval ? eval : eval_shape.open(rules, file, err);
}

const EvalKind eval_best = {.name = "best", .open = best_open};
