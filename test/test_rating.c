/* SPDX-License-Identifier: MIT */
/* Ratings: against the published output of BayesElo, against the equations they must solve, and
 * against games drawn from the model. */
#include "base/rng.h"
#include "play/rating.h"
#include "play/tally.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SHARED "../shared/data/gomocup-results/"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g ± %.3g", value, expected, tolerance);
}

static void results_of(Results *results, const char *text)
{
    Err err;
    results_open(results);
    if (!results_parse(results, text, strlen(text), "f", &err)) fail_msg("%s", err.text);
}

static const RatedPlayer *rated(const Results *results, const Rating *rating, const char *name)
{
    for (int i = 0; i < rating->count; i++)
        if (strcmp(results->names[rating->players[i].player], name) == 0)
            return &rating->players[i];
    fail_msg("%s was not rated", name);
    return NULL;
}

/* --- published figures ----------------------------------------------------------------------- */

/* Lines "rank name elo + - games score% oppo. draws%". */
static int compare_ratings(const Results *results, const Rating *rating, const char *path)
{
    char line[200], name[100];
    int rank, elo, plus, minus, games, score, opponents, draws, lines = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d %99s %d %d %d %d %d%% %d %d%%", &rank, name, &elo, &plus, &minus,
                   &games, &score, &opponents, &draws) != 9)
            continue;
        const RatedPlayer *p = rated(results, rating, name);
        assert_near(p->elo, elo, 0.6); /* they are rounded */
        assert_near(p->plus, plus, 1);
        assert_near(p->minus, minus, 1);
        assert_int_equal(p->games, games);
        assert_near(100 * p->score, score, 0.51);
        assert_near(p->opponents, opponents, 1);
        assert_near(100 * p->draws, draws, 0.51);
        lines++;
    }
    fclose(file);
    return lines;
}

/* After the heading, a row per player: 18 bytes of name, then four bytes per opponent. */
static void compare_los(const Results *results, const Rating *rating, const char *path)
{
    char line[400];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    int row = 0;
    for (; fgets(line, sizeof line, file); row++) {
        char *end = strchr(line, ' ');
        assert_non_null(end);
        *end = '\0';
        assert_string_equal(line, results->names[rating->players[row].player]);
        *end = ' ';
        for (int k = 0; 17 + 4 * k + 4 <= (int)strcspn(line, "\n"); k++) {
            char cell[5] = {0};
            memcpy(cell, line + 17 + 4 * k, 4);
            if (k != row)
                assert_near(1000 * rating->los[row * rating->count + k], atoi(cell) + 0.5, 2.5);
        }
    }
    assert_int_equal(row, 12);
    fclose(file);
}

static void test_gomocup(void **state)
{
    (void)state;
    static const struct {
        const char *results, *ratings, *los;
        int players;
    } leagues[] = {
        {SHARED "freestyle15.tsv", SHARED "freestyle15.bayeselo.txt", SHARED "freestyle15.los.txt",
         53},
        {SHARED "standard.tsv", SHARED "standard.bayeselo.txt", SHARED "standard.los.txt", 31},
    };
    FILE *there = fopen(leagues[0].results, "r");
    if (!there) skip();
    fclose(there);
    for (int i = 0; i < 2; i++) {
        Results results;
        Rating rating;
        RatingPlan plan = RATING_PLAN_GOMOCUP;
        Err err;
        results_open(&results);
        assert_true(results_read(&results, leagues[i].results, &err));
        assert_true(rating_run(&results, &plan, true, &rating, &err));
        assert_int_equal(rating.count, leagues[i].players);
        assert_int_equal(compare_ratings(&results, &rating, leagues[i].ratings),
                         leagues[i].players);
        compare_los(&results, &rating, leagues[i].los);
        rating_free(&rating);
        results_close(&results);
    }
}

/* --- equations ------------------------------------------------------------------------------- */

#define LEAGUE                                                                                     \
    "player1\tplayer2\twins\tdraws\tlosses\n"                                                      \
    "A\tB\t14\t3\t7\nB\tC\t9\t0\t3\nC\tA\t2\t1\t8\nD\tA\t0\t0\t10\nD\tC\t4\t2\t3\n"

/* Two players who draw or score evenly are equal; 3:1 is as far apart as the prior allows. */
static void test_two(void **state)
{
    (void)state;
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    results_of(&results, "player1\tplayer2\twins\tdraws\tlosses\nA\tB\t300\t0\t100\n");
    assert_true(rating_run(&results, &plan, true, &rating, &err));
    /* Each brings a virtual draw, which here weighs a win and a loss: 302:102. */
    double lead = elo_of_score(302.0 / 404);
    assert_near(rating.players[0].elo, 1600 + lead / 2, 0.01);
    assert_near(rating.players[1].elo, 1600 - lead / 2, 0.01);
    /* One standard error of the difference, by the information 404·p·(1−p). */
    double p = 302.0 / 404, error = 400 / log(10) / sqrt(404 * p * (1 - p));
    assert_near(rating.los[1], 0.5 * erfc(-lead / error / sqrt(2)), 1e-6);
    /* Half of a difference is each one's own. */
    assert_near(rating.players[0].plus, 1.96 * error / 2, 0.6);
    assert_near(rating.players[0].minus, rating.players[1].plus, 1e-6);
    rating_free(&rating);
    results_close(&results);
}

/* At the maximum everybody has scored, virtual draws included, what the model expects. */
static void test_maximum(void **state)
{
    (void)state;
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    results_of(&results, LEAGUE);
    plan.prior = 1e-3;
    plan.advantage = 35;
    plan.draw_elo = 120;
    assert_true(rating_run(&results, &plan, false, &rating, &err));
    double x = pow(10, -120.0 / 400), scale = 4 * x / ((1 + x) * (1 + x));
    double slope[4] = {0}, mean = 0;
    for (int i = 0; i < results.row_count; i++) {
        const ResultRow *row = &results.rows[i];
        double lead = (rated(&results, &rating, results.names[row->first])->elo -
                       rated(&results, &rating, results.names[row->second])->elo) /
                          scale +
                      35;
        double win = score_of_elo(lead - 120), loss = score_of_elo(-lead - 120);
        double up = (double)(row->wins + row->draws) * (1 - win) -
                    (double)(row->losses + row->draws) * (1 - loss);
        slope[row->first] += up;
        slope[row->second] -= up;
    }
    for (int i = 0; i < 4; i++) {
        assert_near(slope[i], 0, 2e-3);
        mean += rating.players[i].elo / 4;
    }
    assert_near(mean, 1600, 1e-6);
    rating_free(&rating);
    results_close(&results);
}

/* Results in the proportions of a model: the fit finds its parameters. */
static void test_fit(void **state)
{
    (void)state;
    static const double elo[4] = {250, 60, -90, -220};
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    results_open(&results);
    for (int i = 0; i < 4; i++) results_player(&results, &"ABCD"[i], 1);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            double lead = elo[i] - elo[k] + 40;
            double win = score_of_elo(lead - 80), loss = score_of_elo(-lead - 80);
            if (i != k)
                results_add(&results, i, k, llround(1e7 * win), llround(1e7 * (1 - win - loss)),
                            llround(1e7 * loss));
        }
    plan.fit_advantage = plan.fit_draw = true;
    assert_true(rating_run(&results, &plan, false, &rating, &err));
    assert_near(rating.advantage, 40, 0.01);
    assert_near(rating.draw_elo, 80, 0.01);
    double x = pow(10, -80.0 / 400), scale = 4 * x / ((1 + x) * (1 + x));
    for (int i = 0; i < 4; i++) assert_near(rating.players[i].elo, 1600 + elo[i] * scale, 0.01);
    rating_free(&rating);
    results_close(&results);
}

static void test_anchors(void **state)
{
    (void)state;
    Results results;
    Rating loose, one, two;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    results_of(&results, LEAGUE);
    assert_true(rating_run(&results, &plan, false, &loose, &err));
    RatingAnchor anchors[] = {{results_find(&results, "B"), 2000},
                              {results_find(&results, "D"), 1500}};
    plan.anchors = anchors;
    plan.anchor_count = 1;
    assert_true(rating_run(&results, &plan, true, &one, &err));
    plan.anchor_count = 2;
    assert_true(rating_run(&results, &plan, true, &two, &err));
    double shift = 2000 - rated(&results, &loose, "B")->elo;
    for (int i = 0; i < 4; i++) {
        const RatedPlayer *p = rated(&results, &loose, results.names[i]);
        const RatedPlayer *moved = rated(&results, &one, results.names[i]);
        assert_near(moved->elo, p->elo + shift, 1e-3);
        /* The whole difference is now the player's own. */
        if (i != anchors[0].player) assert_near(moved->plus / p->plus, 4.0 / 3, 0.02);
    }
    assert_near(rated(&results, &two, "B")->elo, 2000, 1e-9);
    assert_near(rated(&results, &two, "D")->elo, 1500, 1e-9);
    assert_near(rated(&results, &two, "D")->plus, 0, 1e-9);
    assert_true(rated(&results, &two, "A")->plus > 0);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) assert_near(two.los[4 * i + k] + two.los[4 * k + i], 1, 1e-12);
    rating_free(&loose);
    rating_free(&one);
    rating_free(&two);
    results_close(&results);
}

static void test_refused(void **state)
{
    (void)state;
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    results_of(&results, "player1\tplayer2\twins\tdraws\tlosses\nA\tB\t1\t0\t0\nC\tD\t1\t0\t0\n");
    assert_false(rating_run(&results, &plan, false, &rating, &err));
    assert_non_null(strstr(err.text, "A and C cannot be compared"));
    RatingAnchor anchors[] = {{0, 1500}, {2, 1700}};
    plan.anchors = anchors;
    plan.anchor_count = 2;
    assert_true(rating_run(&results, &plan, false, &rating, &err));
    assert_true(rated(&results, &rating, "D")->elo < 1700);
    rating_free(&rating);
    results_close(&results);
    plan.anchor_count = 0;
    results_of(&results, "player1\tplayer2\twins\tdraws\tlosses\nA\tB\t0\t0\t0\n");
    assert_false(rating_run(&results, &plan, false, &rating, &err));
    assert_non_null(strstr(err.text, "no games"));
    results_close(&results);
}

/* --- many games ------------------------------------------------------------------------------ */

/* 70,000 games among 300 players of known strength: rated in time, and as often within the error
 * bars as those promise. */
static void test_many(void **state)
{
    (void)state;
    enum { PLAYERS = 300, GAMES = 70000 };
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Err err;
    Rng rng;
    double elo[PLAYERS], mean = 0;
    char name[16];
    rng_seed(&rng, 7);
    results_open(&results);
    for (int i = 0; i < PLAYERS; i++) {
        int len = snprintf(name, sizeof name, "player %d", i);
        results_player(&results, name, (size_t)len);
        elo[i] = 1600 * (rng_unit(&rng) - 0.5);
        mean += elo[i] / PLAYERS;
    }
    for (int i = 0; i < GAMES; i++) {
        int a = (int)rng_below(&rng, PLAYERS), b = (int)rng_below(&rng, PLAYERS - 1);
        b += b >= a;
        bool win = rng_unit(&rng) < score_of_elo(elo[a] - elo[b]);
        results_add(&results, a, b, win, 0, !win);
    }
    plan.prior =
        0.1; /* Gomocup's would pull the ends towards the middle, by more than their errors */
    clock_t start = clock(); /* of this process: others may be busy too */
    assert_true(rating_run(&results, &plan, true, &rating, &err));
    int64_t ms = (int64_t)(1000 * (clock() - start) / CLOCKS_PER_SEC);
    int inside = 0;
    for (int i = 0; i < PLAYERS; i++) {
        const RatedPlayer *p = &rating.players[i];
        double off = elo[p->player] - mean + 1600 - p->elo;
        inside += off <= p->plus && off >= -p->minus;
    }
    print_message("%d games, %d pairs: %lld ms, %d rounds; %d of %d within their error bars\n",
                  GAMES, results.row_count, (long long)ms, rating.rounds, inside, PLAYERS);
    assert_in_range(inside, PLAYERS * 90 / 100, PLAYERS * 99 / 100);
    if (!getenv("QUICK")) assert_true(ms < 5000);
    rating_free(&rating);
    results_close(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gomocup), cmocka_unit_test(test_two),
        cmocka_unit_test(test_maximum), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_anchors), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
