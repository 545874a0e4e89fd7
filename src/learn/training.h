/* SPDX-License-Identifier: MIT */
/* Training: a learner plays and learns until it has had its games or its time, and its curve is
 * drawn on the way. Killed at any moment it loses the game under way and nothing else; the same
 * call goes on, and comes to what it would have come to anyway. */
#pragma once

#include "learn/curve.h"

#include <stdatomic.h>

typedef struct {
    int64_t games;     /* to learn from in all its lives; 0: no limit */
    double seconds;    /* for this run; 0: no limit */
    int64_t every;     /* games between two places of the curve, and one at the end; 0: none */
    const char *curve; /* where its numbers are kept; NULL: nowhere */
    const char *svg;   /* where it is drawn; NULL: nowhere */
} TrainingPlan;

typedef struct {
    const Learner *learner;
    const Curve *curve;
    int64_t begun;  /* games when this run began */
    double seconds; /* of this run */
    double loss;    /* mean since the last multiple of `every` */
    bool place;     /* the newest place of the curve is new */
} TrainingProgress;

/* After every game, and after every place of the curve. */
typedef void TrainingReport(void *ctx, const TrainingProgress *progress);

/* `curve` has its opponents; its places are read from plan->curve if that exists. Ends early, and
 * well, when *stop becomes true. */
bool training_run(const TrainingPlan *plan, Learner *learner, Curve *curve, const atomic_bool *stop,
                  TrainingReport *report, void *ctx, Err *err);
