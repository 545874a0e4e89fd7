/* SPDX-License-Identifier: MIT */
/* Tally: figures worked out elsewhere, edges, and ten thousand simulated tests. */
#include "base/rng.h"
#include "play/tally.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g ± %.3g", value, expected, tolerance);
}

static void test_elo(void **state)
{
    (void)state;
    assert_near(elo_of_score(0.5), 0, 1e-12);
    assert_near(elo_of_score(10.0 / 11), 400, 1e-9);
    assert_near(score_of_elo(-400), 1.0 / 11, 1e-12);
    for (double elo = -700; elo <= 700; elo += 50)
        assert_near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
}

static void test_counts(void **state)
{
    (void)state;
    Tally tally = TALLY_EMPTY, other = {1, 2, 3, {0, 0, 2, 1, 0}};
    tally_add_game(&tally, 2);
    tally_add_game(&tally, 1);
    tally_add_pair(&tally, 3);
    tally_add_game(&tally, 0);
    Tally expected = {1, 1, 1, {0, 0, 0, 1, 0}};
    assert_memory_equal(&tally, &expected, sizeof tally);
    tally_join(&tally, &other);
    assert_int_equal(tally_games(&tally), 9);
    assert_int_equal(tally_pairs(&tally), 4);
}

/* The same figures as fishtest computes. */
static void test_summary(void **state)
{
    (void)state;
    Tally paired = {280, 50, 250, {10, 60, 130, 70, 20}};
    TallySummary s;
    tally_summary(&paired, &s);
    assert_near(s.score, 0.525862069, 1e-9);
    assert_near(s.deviation, 0.0135456398, 1e-9);
    assert_near(s.elo, 17.9868582, 1e-6);
    assert_near(s.error, 18.5152477, 1e-6);
    assert_near(s.los, 0.971885343, 1e-8);
    assert_near((s.high - s.low) / 2, s.error, 1e-9);

    /* The same games unpaired: textbook trinomial. */
    Tally single = {280, 50, 250, {0}};
    tally_summary(&single, &s);
    double mean = 305.0 / 580, variance = (280 + 12.5) / 580 - mean * mean;
    assert_near(s.deviation, sqrt(variance / 580), 1e-12);

    /* Pairs and one game more. */
    Tally mixed = {281, 50, 250, {10, 60, 130, 70, 20}};
    tally_summary(&mixed, &s);
    assert_near(s.score, 306.0 / 581, 1e-12);
    assert_near(s.deviation, 0.01356, 5e-5);
}

/* Mirrored results mirror everything; nothing is ever infinite. */
static void test_edges(void **state)
{
    (void)state;
    static const Tally tallies[] = {
        {0},
        {1, 0, 0, {0}},
        {0, 0, 1, {0}},
        {0, 1, 0, {0}},
        {1, 0, 1, {0, 0, 1, 0, 0}},
        {100, 0, 0, {0, 0, 0, 0, 50}},
        {500, 0, 500, {0, 0, 500, 0, 0}},
        {2, 0, 1, {0, 0, 1, 0, 0}},
        {1000000, 3, 7, {0}},
        {17, 4, 9, {1, 2, 6, 3, 3}},
    };
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++) {
        Tally mirror = {tallies[i].losses, tallies[i].draws, tallies[i].wins, {0}};
        for (int k = 0; k < PAIR_OUTCOMES; k++)
            mirror.pairs[k] = tallies[i].pairs[PAIR_OUTCOMES - 1 - k];
        TallySummary a, b;
        tally_summary(&tallies[i], &a);
        tally_summary(&mirror, &b);
        assert_true(isfinite(a.elo) && isfinite(a.error) && a.error > 0);
        assert_true(a.low < a.elo && a.elo < a.high);
        assert_near(a.elo + b.elo, 0, 1e-6);
        assert_near(a.low + b.high, 0, 1e-6);
        assert_near(a.los + b.los, 1, 1e-9);
        Sprt sprt = {-10, 10, 0.05, 0.05};
        SprtState x, y;
        sprt_judge(&sprt, &tallies[i], &x);
        sprt_judge(&sprt, &mirror, &y);
        assert_near(x.llr + y.llr, 0, 1e-6);
    }
}

/* Values of fishtest's LLR_logistic. */
static void test_llr(void **state)
{
    (void)state;
    static const struct {
        Tally tally;
        double elo0, elo1, llr;
    } cases[] = {
        {{0, 0, 0, {10, 60, 130, 70, 20}}, 0, 10, 1.4618626413663827},
        {{0, 0, 0, {3, 0, 40, 0, 12}}, -5, 5, 0.9491202672207414},
        {{0, 0, 0, {0, 2, 7, 3, 0}}, 0, 20, 0.08579357994294062},
        {{60, 30, 50, {0}}, 0, 15, 0.38363343188972143},
        {{0, 0, 0, {0, 0, 0, 0, 40}}, 0, 50, 5.343920358590822},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sprt sprt = {cases[i].elo0, cases[i].elo1, 0.05, 0.05};
        SprtState s;
        sprt_judge(&sprt, &cases[i].tally, &s);
        assert_near(s.llr, cases[i].llr, 1e-7);
        assert_near(s.upper, 2.944438979, 1e-8);
        assert_near(s.lower, -2.944438979, 1e-8);
        assert_int_equal(s.verdict, s.llr > 2.95 ? SPRT_ACCEPTED : SPRT_OPEN);
    }
    assert_string_equal(sprt_verdict_name(SPRT_REJECTED), "rejected");
}

/* --- simulation ------------------------------------------------------------------------------ */

/* A world of two players and openings that favour one side: a pair's outcomes with the exact mean
 * score of a given Elo. */
typedef struct {
    double score, variance;      /* of a pair, 0 … 1 */
    double below[PAIR_OUTCOMES]; /* probability of so many half points or fewer */
} World;

static void world_outcomes(double strength, double pair[PAIR_OUTCOMES])
{
    enum { BIAS = 150, DRAW = 30 };
    double game[2][3];
    for (int side = 0; side < 2; side++) {
        double elo = strength + (side ? -BIAS : BIAS);
        game[side][2] = score_of_elo(elo - DRAW);
        game[side][0] = score_of_elo(-elo - DRAW);
        game[side][1] = 1 - game[side][0] - game[side][2];
    }
    memset(pair, 0, PAIR_OUTCOMES * sizeof *pair);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) pair[i + k] += game[0][i] * game[1][k];
}

static World world_of_elo(double elo)
{
    double low = -1000, high = 1000, pair[PAIR_OUTCOMES];
    World world = {0};
    for (int round = 0; round < 80; round++) {
        double middle = (low + high) / 2;
        world_outcomes(middle, pair);
        world.score = 0;
        for (int i = 0; i < PAIR_OUTCOMES; i++) world.score += pair[i] * i / 4;
        if (world.score < score_of_elo(elo))
            low = middle;
        else
            high = middle;
    }
    double sum = 0;
    for (int i = 0; i < PAIR_OUTCOMES; i++) {
        double off = i / 4.0 - world.score;
        world.variance += pair[i] * off * off;
        world.below[i] = sum += pair[i];
    }
    return world;
}

static int world_play(const World *world, Rng *rng)
{
    double u = rng_unit(rng);
    int i = 0;
    while (i < PAIR_OUTCOMES - 1 && u >= world->below[i]) i++;
    return i;
}

/* What theory says: the LLR is a Brownian motion between the bounds (Wald), which are as far apart
 * as they are because a walk in steps overshoots them a little (Siegmund: 0.583 deviations). */
static void theory(const World *world, const Sprt *sprt, double *accepted, double *pairs)
{
    double s0 = score_of_elo(sprt->elo0), s1 = score_of_elo(sprt->elo1);
    double drift = (world->score - (s0 + s1) / 2) * (s1 - s0) / world->variance;
    double variance = (s1 - s0) * (s1 - s0) / world->variance;
    double past = 0.583 * sqrt(variance);
    double a = log((1 - sprt->beta) / sprt->alpha) + past;
    double b = -log(sprt->beta / (1 - sprt->alpha)) + past;
    if (fabs(drift) < 1e-9) {
        *accepted = b / (a + b);
        *pairs = a * b / variance;
        return;
    }
    double h = 2 * drift / variance;
    *accepted = (1 - exp(h * b)) / (exp(-h * a) - exp(h * b));
    *pairs = (a * *accepted - b * (1 - *accepted)) / drift;
}

static void simulate(double elo, const Sprt *sprt, int tests, Rng *rng)
{
    World world = world_of_elo(elo);
    double pairs = 0, accepted = 0, expected_accepted, expected_pairs;
    for (int i = 0; i < tests; i++) {
        Tally tally = TALLY_EMPTY;
        SprtState s = {0};
        while (s.verdict == SPRT_OPEN) {
            tally_add_pair(&tally, world_play(&world, rng));
            sprt_judge(sprt, &tally, &s);
        }
        pairs += (double)tally_pairs(&tally);
        accepted += s.verdict == SPRT_ACCEPTED;
    }
    theory(&world, sprt, &expected_accepted, &expected_pairs);
    accepted /= tests;
    pairs /= tests;
    /* Three standard errors (a test's length varies by about 0.7 of itself), and what the variance
     * costs that is only estimated from the games. */
    double error = sqrt(expected_accepted * (1 - expected_accepted) / tests);
    print_message("elo %.1f: accepted %.4f (theory %.4f), pairs %.1f (theory %.1f)\n", elo,
                  accepted, expected_accepted, pairs, expected_pairs);
    assert_near(accepted, expected_accepted, 3 * error + 0.004);
    assert_near(pairs, expected_pairs, expected_pairs * (0.03 + 3 * 0.7 / sqrt(tests)));
    if (elo == sprt->elo0) assert_true(accepted <= sprt->alpha + 3 * error);
    if (elo == sprt->elo1) assert_true(1 - accepted <= sprt->beta + 3 * error);
}

static void test_sprt(void **state)
{
    (void)state;
    Sprt sprt = {0, 30, 0.05, 0.1};
    Rng rng;
    rng_seed(&rng, 2024);
    int tests = getenv("QUICK") ? 400 : 10000;
    simulate(sprt.elo0, &sprt, tests, &rng);
    simulate(sprt.elo1, &sprt, tests, &rng);
    simulate(elo_of_score((score_of_elo(0) + score_of_elo(30)) / 2), &sprt, tests / 4, &rng);
    simulate(-10, &sprt, tests / 4, &rng);
    simulate(50, &sprt, tests / 4, &rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo),   cmocka_unit_test(test_counts), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_edges), cmocka_unit_test(test_llr),    cmocka_unit_test(test_sprt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
