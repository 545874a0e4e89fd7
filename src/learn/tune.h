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
    int64_t won, drawn, lost; /* pairs, by the search that was shaken upwards: about even */
} TuneState;

void tune_begin(TuneState *state, const SearchParams *start);
/* As text that tune_read understands; the parameters can be given to ab:params too. */
void tune_write(const TuneState *state, const TunePlan *plan, Buf *out);
bool tune_read(TuneState *state, const char *text, Err *err);

typedef void TuneReport(void *ctx, const TuneState *state); /* after each pair, one at a time */

/* Goes on from *state until plan->pairs are played or *stop is set. */
bool tune_run(const TunePlan *plan, TuneState *state, atomic_bool *stop, TuneReport *report,
              void *ctx, Err *err);
