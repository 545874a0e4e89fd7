/* SPDX-License-Identifier: MIT */
/* Statistics of a match; see tally.h. */
#include "play/tally.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#define Z95 1.959963984540054 /* 95 % of a normal distribution lie within ± this */

enum { GAME_OUTCOMES = 3 };

void tally_add_game(Tally *tally, int half_points)
{
    assert(half_points >= 0 && half_points <= 2);
    if (half_points == 2) tally->wins++;
    if (half_points == 1) tally->draws++;
    if (half_points == 0) tally->losses++;
}

void tally_add_pair(Tally *tally, int half_points)
{
    assert(half_points >= 0 && half_points < PAIR_OUTCOMES);
    tally->pairs[half_points]++;
}

void tally_join(Tally *tally, const Tally *other)
{
    tally->wins += other->wins;
    tally->draws += other->draws;
    tally->losses += other->losses;
    for (int i = 0; i < PAIR_OUTCOMES; i++) tally->pairs[i] += other->pairs[i];
}

int64_t tally_games(const Tally *tally)
{
    return tally->wins + tally->draws + tally->losses;
}

int64_t tally_pairs(const Tally *tally)
{
    int64_t sum = 0;
    for (int i = 0; i < PAIR_OUTCOMES; i++) sum += tally->pairs[i];
    return sum;
}

double elo_of_score(double score)
{
    return 400 * log10(score / (1 - score));
}

double score_of_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* A distribution over n outcomes, which score 0, 1/(n−1), … 1. */
typedef struct {
    int n;
    double total; /* number of observations */
    double count[PAIR_OUTCOMES];
} Counts;

static Counts counts_of_games(const Tally *tally)
{
    Counts counts = {.n = GAME_OUTCOMES,
                     .count = {(double)tally->losses, (double)tally->draws, (double)tally->wins}};
    counts.total = (double)tally_games(tally);
    return counts;
}

static Counts counts_of_pairs(const Tally *tally)
{
    Counts counts = {.n = PAIR_OUTCOMES, .total = (double)tally_pairs(tally)};
    for (int i = 0; i < PAIR_OUTCOMES; i++) counts.count[i] = (double)tally->pairs[i];
    return counts;
}

static double outcome_score(const Counts *counts, int i)
{
    return (double)i / (counts->n - 1);
}

static double counts_mean(const Counts *counts)
{
    double sum = 0;
    for (int i = 0; i < counts->n; i++) sum += counts->count[i] * outcome_score(counts, i);
    return sum / counts->total;
}

/* Of one observation. */
static double counts_variance(const Counts *counts)
{
    double mean = counts_mean(counts), sum = 0;
    for (int i = 0; i < counts->n; i++) {
        double off = outcome_score(counts, i) - mean;
        sum += counts->count[i] * off * off;
    }
    return sum / counts->total;
}

static void counts_imagine(Counts *counts)
{
    counts->count[0] += 0.5;
    counts->count[counts->n - 1] += 0.5;
    counts->total += 1;
}

/* Mean score over all games, and its variance: pairs with that of pairs, the rest with that of
 * single games. */
static void estimate(const Tally *tally, double *mean, double *variance)
{
    Counts games = counts_of_games(tally), pairs = counts_of_pairs(tally);
    double paired = 2 * pairs.total, single = games.total - paired;
    bool spread = counts_variance(&games) > 0;
    if (paired > 0) spread = counts_variance(&pairs) > 0 || (single > 0 && spread);
    if (!spread) {
        if (paired > 0) counts_imagine(&pairs);
        counts_imagine(&games);
    }
    *mean = counts_mean(&games);
    double sum = single > 0 ? single * counts_variance(&games) : 0;
    if (paired > 0) sum += pairs.total * 4 * counts_variance(&pairs);
    *variance = sum / (games.total * games.total);
}

void tally_summary(const Tally *tally, TallySummary *summary)
{
    if (tally_games(tally) == 0) {
        *summary = (TallySummary){.score = 0.5, .deviation = 0.5, .los = 0.5};
        summary->high = summary->error = elo_of_score(1 - 1e-3);
        summary->low = -summary->high;
        return;
    }
    double mean, variance, edge = 1e-3 / (double)tally_games(tally);
    estimate(tally, &mean, &variance);
    Counts games = counts_of_games(tally);
    summary->score = counts_mean(&games);
    summary->deviation = sqrt(variance);
    summary->elo = elo_of_score(mean);
    summary->low = elo_of_score(fmax(mean - Z95 * summary->deviation, edge));
    summary->high = elo_of_score(fmin(mean + Z95 * summary->deviation, 1 - edge));
    summary->error = (summary->high - summary->low) / 2;
    summary->los = 0.5 * erfc((0.5 - mean) / (summary->deviation * sqrt(2)));
}

/* --- SPRT ------------------------------------------------------------------------------------ */

/* The distribution p with mean s that makes the counts likeliest is p_i = q_i / (1 + t (a_i − s))
 * with q the frequencies, a_i the outcomes' scores and t such that the mean is s, that is
 * Σ q_i (a_i − s) / (1 + t (a_i − s)) = 0: falling in t, with one root where all p_i > 0. Newton,
 * kept within the bracket. */
static double tilt_to_mean(const Counts *counts, double s)
{
    double low = -1 / (1 - s), high = 1 / s, t = 0;
    for (int round = 0; round < 100; round++) {
        double f = 0, slope = 0;
        for (int i = 0; i < counts->n; i++) {
            double off = outcome_score(counts, i) - s, part = off / (1 + t * off);
            f += counts->count[i] * part;
            slope -= counts->count[i] * part * part;
        }
        if (f > 0)
            low = t;
        else
            high = t;
        double next = t - f / slope;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - t) < 1e-10) return next;
        t = next;
    }
    return t;
}

static double log_likelihood_ratio(Counts counts, double s0, double s1)
{
    /* An outcome that was not seen yet is not impossible; fishtest's value. */
    for (int i = 0; i < counts.n; i++)
        if (counts.count[i] == 0) counts.count[i] = 1e-3;
    double t0 = tilt_to_mean(&counts, s0), t1 = tilt_to_mean(&counts, s1), sum = 0;
    for (int i = 0; i < counts.n; i++) {
        double a = outcome_score(&counts, i);
        sum += counts.count[i] * log((1 + t0 * (a - s0)) / (1 + t1 * (a - s1)));
    }
    return sum;
}

void sprt_judge(const Sprt *sprt, const Tally *tally, SprtState *state)
{
    assert(sprt->elo0 < sprt->elo1 && sprt->alpha + sprt->beta < 1);
    Counts counts = tally_pairs(tally) ? counts_of_pairs(tally) : counts_of_games(tally);
    double s0 = score_of_elo(sprt->elo0), s1 = score_of_elo(sprt->elo1);
    state->lower = log(sprt->beta / (1 - sprt->alpha));
    state->upper = log((1 - sprt->beta) / sprt->alpha);
    state->llr = counts.total > 0 ? log_likelihood_ratio(counts, s0, s1) : 0;
    state->verdict = state->llr >= state->upper   ? SPRT_ACCEPTED
                     : state->llr <= state->lower ? SPRT_REJECTED
                                                  : SPRT_OPEN;
}

const char *sprt_verdict_name(SprtVerdict verdict)
{
    static const char *const names[] = {"open", "accepted", "rejected"};
    return names[verdict];
}
