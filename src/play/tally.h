/* SPDX-License-Identifier: MIT */
/* Tally: what a match between two players has shown so far, and what follows from it.
 *
 * Games from one opening, played both ways, are not independent: an opening that one side always
 * wins gives 1:1 whoever plays. So games are counted twice: alone (wins, draws, losses) and, once
 * both are over, as pairs. Everything that needs a variance takes it from the pairs where there
 * are some (the five outcomes of a pair: pentanomial) and from single games for the rest.
 *
 * All results are those of the first player. Elo is logistic: score = 1 / (1 + 10^(−elo/400)). */
#pragma once

#include <stdint.h>

enum { PAIR_OUTCOMES = 5 };

typedef struct {
    int64_t wins, draws, losses;  /* all games, those in pairs too */
    int64_t pairs[PAIR_OUTCOMES]; /* finished pairs with 0, ½, 1, 1½ and 2 points */
} Tally;

#define TALLY_EMPTY ((Tally){0})

/* Points are counted in halves: 0 a loss, 1 a draw, 2 a win. A game of a pair is added when it
 * ends, the pair (with the sum of both games, 0 … 4) when both have ended. */
void tally_add_game(Tally *tally, int half_points);
void tally_add_pair(Tally *tally, int half_points);
void tally_join(Tally *tally, const Tally *other);
int64_t tally_games(const Tally *tally);
int64_t tally_pairs(const Tally *tally);

typedef struct {
    double score;     /* 0 … 1; ½ before the first game */
    double deviation; /* of that score as an estimate: one standard error */
    double elo;       /* of the score */
    double low, high; /* 95 % interval of elo */
    double error;     /* half its width: elo ± error */
    double los;       /* likelihood of superiority: probability that the first player is better */
} TallySummary;

/* Always finite. Counts without any spread (only wins, say) say nothing about the error; half a win
 * and half a loss more are then imagined (half a pair of each, if there are pairs). */
void tally_summary(const Tally *tally, TallySummary *summary);

double elo_of_score(double score); /* 0 < score < 1 */
double score_of_elo(double elo);

/* SPRT: is the first player elo1 better, or only elo0 (Wald 1945)? The log-likelihood ratio is that
 * of the generalised test: each hypothesis is represented by the distribution over the outcomes
 * that fits the counts best among those with its mean score (Van den Bergh's, as fishtest has it
 * for logistic Elo). Nothing is assumed about draws or about how biased the openings are. */
typedef struct {
    double elo0, elo1;  /* elo0 < elo1 */
    double alpha, beta; /* errors allowed: elo1 accepted though elo0 is true, and the reverse */
} Sprt;

typedef enum { SPRT_OPEN, SPRT_ACCEPTED, SPRT_REJECTED } SprtVerdict; /* of elo1 */

typedef struct {
    double llr;
    double lower, upper; /* rejected at or below, accepted at or above */
    SprtVerdict verdict;
} SprtState;

/* Judges the pairs if there are any, else the single games. */
void sprt_judge(const Sprt *sprt, const Tally *tally, SprtState *state);
const char *sprt_verdict_name(SprtVerdict verdict); /* "open", "accepted", "rejected" */
