/* SPDX-License-Identifier: MIT */
/* Curve: how a learner scores against fixed opponents as it learns, kept beside its parameters.
 *
 * Before each measurement chance is seeded by the number of games learnt from: the same learner
 * gives the same curve, however often it was stopped. Openings are a few stones by lot, each played
 * with both colours. */
#pragma once

#include "learn/learner.h"

enum { CURVE_OPPONENTS_MAX = 6 };

typedef struct {
    int64_t games; /* learnt from */
    double loss;   /* mean of the games since the place before */
    double score[CURVE_OPPONENTS_MAX];
} CurvePlace;

typedef struct {
    const char *opponents[CURVE_OPPONENTS_MAX]; /* specs; the caller's */
    int opponent_count;
    int games;          /* against each opponent, for one place of the curve */
    CurvePlace *places; /* owned, in the order of games */
    int count;
} Curve;

void curve_free(Curve *curve);
/* Plays the games with what the learner knows now, and adds a place. */
bool curve_measure(Curve *curve, Learner *learner, double loss, const atomic_bool *stop, Err *err);
/* The games of one player against another, from openings that `seed` draws: share of the points. */
bool curve_score(const Rules *rules, Player *player, Player *opponent, int games, uint64_t seed,
                 const atomic_bool *stop, double *score, Err *err);

/* As text: a header with the opponents, a line for each place. Reading checks that the opponents
 * are the same, and leaves out what lies after `games`. */
void curve_write(const Curve *curve, Buf *out);
bool curve_read(Curve *curve, const char *text, const char *name, int64_t games, Err *err);
void curve_svg(const Curve *curve, const char *title, Buf *out);
