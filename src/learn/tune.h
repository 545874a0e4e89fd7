/* SPDX-License-Identifier: MIT */
/* Tune: turns the numbers of the search by matches. SPSA (Spall 1992), as chess engines use it:
 * all parameters are shaken at once, each up or down by its step; the shaken search plays the
 * one shaken the other way, a game with each colour from one opening; the winner's direction is
 * followed a little. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/rules.h"
#include "search/params.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TUNE_SIZES_MAX = 16 };

typedef struct {
    const EvalKind *eval;
    const char *net; /* file of the network; NULL: the one that is built in */
    RuleKind rule;
    int size[TUNE_SIZES_MAX];
    int size_count;
    int64_t nodes; /* per move */
    int pairs;     /* of games, in the whole run */
    int threads;
    uint64_t seed;
    double rate;                     /* how far a won pair moves a parameter, in steps */
    bool chosen[SEARCH_PARAM_COUNT]; /* which are turned */
} TunePlan;

typedef struct {
    int pairs; /* played so far */
    double value[SEARCH_PARAM_COUNT];
    bool kept[SEARCH_PARAM_COUNT]; /* turned now or in an earlier run */
    int64_t won, drawn, lost;      /* pairs, by the search that was shaken upwards: about even */
} TuneState;

void tune_begin(TuneState *state, const TunePlan *plan);
/* As text that tune_read understands: the plan's rule and evaluation, pairs, values, "end". */
void tune_write(const TuneState *state, const TunePlan *plan, Buf *out);
/* Into a state that has begun. Refuses what was played by another rule or evaluation. */
bool tune_read(TuneState *state, const TunePlan *plan, const char *text, Err *err);

typedef void TuneReport(void *ctx, const TuneState *state); /* after each pair, one at a time */

/* Goes on from *state until plan->pairs are played or *stop is set. */
bool tune_run(const TunePlan *plan, TuneState *state, atomic_bool *stop, TuneReport *report,
              void *ctx, Err *err);
