/* SPDX-License-Identifier: MIT */
/* Opening maker: random stones in the middle of the board, kept if a search finds the position
 * even.
 *
 * Candidate number i depends on the seed and on i alone, and so does what the search thinks of it
 * (one thread, so many nodes, an empty table). The openings made are the first `count` good ones in
 * the order of their numbers: the same for any number of threads. */
#pragma once

#include "base/err.h"
#include "eval/eval.h"
#include "play/openings.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int count;                  /* openings wanted */
    int stones_min, stones_max; /* of each */
    int width, height;          /* of the area in the middle that the stones are in */
    double window;              /* how far from ½ the expected score may be: the mean of what the
                                   last four depths of a search thought; the last, twice as far */
    const EvalKind *eval;       /* what judges */
    int64_t nodes;              /* of the last search; cheaper ones come before it */
    int64_t tries;              /* candidates to look at before giving up */
    int threads;
    size_t table_bytes; /* for each thread */
    uint64_t seed;
} MakerPlan;

typedef struct {
    int64_t tried; /* candidates judged */
    int made;      /* good ones among them, at most count */
} MakerProgress;

/* Called after every candidate, from any thread but never from two at once. */
typedef void MakerReport(void *ctx, const MakerProgress *progress);

bool maker_check(const Rules *rules, const MakerPlan *plan, Err *err);

/* Fills openings, which is the caller's to free. False with a reason if the tries did not give
 * `count`, or *stop was set: openings then holds those made so far. report may be NULL. */
bool maker_run(const Rules *rules, const MakerPlan *plan, const atomic_bool *stop,
               MakerReport *report, void *ctx, Openings *openings, Err *err);

/* What a search of so many nodes expects of each opening, as the score of the side to move (0 … 1),
 * into values[openings->count]; stops early like maker_run. The report's `made` counts those that
 * are within the window. */
bool maker_judge(const Openings *openings, const MakerPlan *plan, const atomic_bool *stop,
                 MakerReport *report, void *ctx, double *values, Err *err);
