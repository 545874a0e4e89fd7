/* SPDX-License-Identifier: MIT */
/* Fits the weights of eval/shape to games: logistic regression of the outcome (mixed with what a
 * search thought) on the points' kinds for the value, softmax regression on the moves played for
 * the policy. Games come from self-play (learn/selfplay.h). */
#pragma once

#include "base/err.h"
#include "eval/shape.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *const *files; /* archives (learn/archive.h) of games, all of one rule */
    int file_count;
    uint64_t seed; /* of the order in which positions are gone through */
    int epochs;
    double outcome; /* share of the game's outcome in the target, the rest is the search's value */
    double decay;   /* pull of every weight towards 0 */
} FitPlan;

typedef struct {
    int games;
    int64_t positions;
    int epoch;                      /* 0: still reading */
    double value_loss, policy_loss; /* of the last epoch, on positions held out */
    double policy_hit;              /* share of held-out positions whose move was ranked first */
} FitProgress;

typedef void FitReport(void *ctx, const FitProgress *progress);

/* Reads the games, fits, and leaves the weights in `weights` and the rule of the games in *rule.
 * False if a file cannot be read or holds nothing to learn from. */
bool shape_fit(const FitPlan *plan, FitReport *report, void *ctx, ShapeWeights *weights,
               RuleKind *rule, Err *err);
