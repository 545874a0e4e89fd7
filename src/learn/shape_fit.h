/* SPDX-License-Identifier: MIT */
/* Fits the weights of eval/shape to games: logistic regression of the outcome (mixed with what a
 * search thought) on the points' kinds for the value, softmax regression on the moves played for
 * the policy. Games come from the engine itself at a fixed number of nodes. */
#pragma once

#include "base/err.h"
#include "base/rng.h"
#include "eval/shape.h"
#include "game/board.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t nodes; /* per move of the games */
    int games;
    int threads;
    uint64_t seed;
    int epochs;
    double outcome; /* share of the game's outcome in the target, the rest is the search's value */
} FitPlan;

typedef struct {
    int games_done;
    int64_t positions;
    int epoch;
    double value_loss, policy_loss; /* of the last epoch, on positions held out */
    double policy_hit;              /* share of held-out positions whose move was ranked first */
} FitProgress;

typedef void FitReport(void *ctx, const FitProgress *progress);

/* Plays, fits, and leaves the weights in `weights`. False only if the games could not be played. */
bool shape_fit(const Rules *rules, const FitPlan *plan, FitReport *report, void *ctx,
               ShapeWeights *weights, Err *err);
