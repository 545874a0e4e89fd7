/* SPDX-License-Identifier: MIT */
/* Rating: Bayesian Elo from results, as Rémi Coulom's BayesElo computes it and Gomocup publishes
 * it.
 *
 * The model, with f(x) = 1 / (1 + 10^(x/400)):
 *
 *   P(first wins)  = f(elo_second − elo_first − advantage + draw_elo)
 *   P(second wins) = f(elo_first − elo_second + advantage + draw_elo)      else a draw
 *
 * Each player also gets `prior` virtual draws, shared out over the opponents as the games are: half
 * of them are his own, the other half come from his opponents' sharing. The ratings are the maximum
 * of the likelihood, found by minorisation-maximisation (Hunter 2004). Error bars take all other
 * ratings as exact: the likelihood along one rating is integrated, and (1 − confidence)/2 cut off
 * at either end. While one rating moves, the others move the other way so that their mean stays;
 * and nobody is thought to be farther than `range` from it. Superiority is judged by the normal
 * distribution that the curvature at the maximum gives, covariances included. */
#pragma once

#include "base/err.h"
#include "play/results.h"

#include <stdbool.h>
#include <stdint.h>

/* A player whose rating is known. With anchors the scale is theirs, and offset is not used. */
typedef struct {
    int player;
    double elo;
} RatingAnchor;

typedef struct {
    double advantage, draw_elo; /* Elo */
    bool fit_advantage;         /* find the likeliest instead, starting from there */
    bool fit_draw;
    double prior;      /* virtual draws, above 0 */
    double offset;     /* mean of all ratings */
    double confidence; /* 0 … 1 */
    double range;      /* Elo */
    const RatingAnchor *anchors;
    int anchor_count;
} RatingPlan;

/* Gomocup's setting. */
#define RATING_PLAN_GOMOCUP                                                                        \
    ((RatingPlan){.draw_elo = 0.01, .prior = 2, .offset = 1600, .confidence = 0.95, .range = 1500})

typedef struct {
    int player; /* number in the Results */
    double elo;
    double plus, minus; /* the interval is elo − minus … elo + plus; 0 for an anchor */
    int64_t games;
    double score, draws; /* shares of the games, 0 … 1 */
    double opponents;    /* mean rating of the opponents, by games */
} RatedPlayer;

typedef struct {
    RatedPlayer *players; /* best first; owned */
    int count;
    double *los; /* [i · count + k]: probability that players[i] is better than players[k]; owned,
                    NULL unless wanted */
    double advantage, draw_elo; /* as given or found */
    int rounds;                 /* it took to find the maximum */
} Rating;

/* Fails if there are no games, an anchor's number is none, or players fall into groups that never
 * met. */
bool rating_run(const Results *results, const RatingPlan *plan, bool los, Rating *rating, Err *err);
void rating_free(Rating *rating);
