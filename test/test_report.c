/* SPDX-License-Identifier: MIT */
/* Reports: the cross table to the letter, and a page that is whole and shows what it should. */
#include "play/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const ReportPlayer players[] = {{"Ä <b>", 1712.4, 40.2, 35.9, 30, 0.75},
                                       {"second", 1600, 30, 30, 30, 0.45},
                                       {"C & \"D\"", 1487.6, 50, 60, 20, 0.2}};
static const ReportPair pairs[] = {{0, 1, {14, 1, 5, {0}}}, {2, 0, {1, 2, 7, {0}}}};
static const ReportGame games[] = {{0, 1, 2}, {1, 0, 1}, {2, 0, 0}, {0, 1, 0}};
static const Report whole = {"A <title>", players, 3, pairs, 2, games, 4};

static void test_text(void **state)
{
    (void)state;
    Buf out = BUF_EMPTY;
    report_text(&whole, &out);
    assert_string_equal(
        out.data, "     Name       Elo    +    -  games  score         1         2         3\n"
                  "   1 Ä <b>     1712   40   36     30  75.0%         .   14.5/20      8/10\n"
                  "   2 second    1600   30   30     30  45.0%    5.5/20         .          \n"
                  "   3 C & \"D\"   1488   50   60     20  20.0%      2/10                   .\n");
    buf_free(&out);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text += strlen(word)) count++;
    return count;
}

static void test_html(void **state)
{
    (void)state;
    Buf out = BUF_EMPTY;
    report_html(&whole, &out);
    assert_int_equal(count_of(out.data, "Ä <b>"), 0);
    assert_int_equal(count_of(out.data, "Ä &lt;b&gt;"), 4); /* plot, two tables, line */
    assert_int_equal(count_of(out.data, "C &amp; &quot;D&quot;"), 4);
    assert_non_null(strstr(out.data, "<title>A &lt;title&gt;</title>"));
    assert_non_null(strstr(out.data, "3 players, 30 games"));
    assert_int_equal(count_of(out.data, "<polyline"), 3);
    assert_int_equal(count_of(out.data, "<circle"), 3);
    assert_non_null(strstr(out.data, "title=\"+14 =1 −5, +168 ± 193 Elo\">14½/20</td>"));
    assert_non_null(strstr(out.data, ">5½/20</td>"));
    static const char *const paired[] = {"svg", "table", "tr", "td", "text", "div", "h2", "body"};
    for (size_t i = 0; i < sizeof paired / sizeof *paired; i++) {
        char open[16], shut[16], bare[16];
        snprintf(open, sizeof open, "<%s ", paired[i]);
        snprintf(bare, sizeof bare, "<%s>", paired[i]);
        snprintf(shut, sizeof shut, "</%s>", paired[i]);
        assert_int_equal(count_of(out.data, open) + count_of(out.data, bare),
                         count_of(out.data, shut));
    }
    static const char *const strange[] = {"<script", "http", "src=", "nan", "inf"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        assert_int_equal(count_of(out.data, strange[i]), 0);
    buf_free(&out);
}

/* One player, no games, equal ratings: nothing to divide by. */
static void test_edges(void **state)
{
    (void)state;
    ReportPlayer same[] = {{"A", 1600, 0, 0, 0, 0}, {"B", 1600, 0, 0, 0, 0}};
    for (int n = 1; n <= 2; n++) {
        Report report = {.title = "t", .players = same, .player_count = n};
        Buf out = BUF_EMPTY;
        report_html(&report, &out);
        report_text(&report, &out);
        assert_int_equal(count_of(out.data, "nan"), 0);
        assert_int_equal(count_of(out.data, "polyline"), 0);
        buf_free(&out);
    }
}

/* Rows of both orders become one pair, players take the places of their ranks. */
static void test_from_results(void **state)
{
    (void)state;
    Results results;
    Rating rating;
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Report report;
    Err err;
    results_open(&results);
    int low = results_player(&results, "low", 3), high = results_player(&results, "high", 4);
    results_add(&results, low, high, 1, 2, 5);
    results_add_game(&results, high, low, 2);
    results_add_game(&results, low, high, 1);
    assert_true(rating_run(&results, &plan, false, &rating, &err));
    report_open(&report, "t", &results, &rating);
    assert_string_equal(report.players[0].name, "high");
    assert_int_equal(report.pair_count, 1);
    assert_int_equal(report.pairs[0].a, 0);
    assert_int_equal(report.pairs[0].tally.wins, 6);
    assert_int_equal(report.pairs[0].tally.draws, 3);
    assert_int_equal(report.pairs[0].tally.losses, 1);
    assert_int_equal(report.game_count, 2);
    assert_int_equal(report.games[1].a, 1);
    assert_int_equal(report.games[1].half_points, 1);
    report_close(&report);
    rating_free(&rating);
    results_close(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_from_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
