/* SPDX-License-Identifier: MIT */
/* Results: lists and PGN, what is wrong with them, and out again. */
#include "play/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool parse(Results *results, const char *text, Err *err)
{
    return results_parse(results, text, strlen(text), "f", err);
}

static void assert_row(const Results *results, int i, const char *first, const char *second,
                       int wins, int draws, int losses)
{
    const ResultRow *row = &results->rows[i];
    assert_string_equal(results->names[row->first], first);
    assert_string_equal(results->names[row->second], second);
    assert_int_equal(row->wins, wins);
    assert_int_equal(row->draws, draws);
    assert_int_equal(row->losses, losses);
}

static void test_tsv(void **state)
{
    (void)state;
    Results results;
    Err err;
    results_open(&results);
    assert_true(parse(&results,
                      "\xef\xbb\xbf# a league\nplayer1\tplayer2\twins\tdraws\tlosses\r\n"
                      "A one\tB\t3\t1\t2\r\n\nB\tA one\t1\t0\t0\nA one\tB\t1\t1\t1",
                      &err));
    assert_true(parse(&results, "losses\tnote\tplayer2\twins\tplayer1\n5\tx\tC\t4\tB\n", &err));
    /* '#' begins a remark above the header, a name below it. */
    assert_true(parse(&results, "player1\tplayer2\twins\tdraws\tlosses\n#D\tC\t1\t0\t2\n", &err));
    assert_int_equal(results.player_count, 4);
    assert_int_equal(results.row_count, 4);
    assert_row(&results, 0, "A one", "B", 4, 2, 3);
    assert_row(&results, 1, "B", "A one", 1, 0, 0);
    assert_row(&results, 2, "B", "C", 4, 0, 5);
    assert_row(&results, 3, "#D", "C", 1, 0, 2);
    assert_int_equal(results_games(&results), 22);
    assert_int_equal(results_find(&results, "C"), 2);
    assert_int_equal(results_find(&results, "D"), -1);
    results_close(&results);
}

static void test_pgn(void **state)
{
    (void)state;
    Results results;
    Err err;
    results_open(&results);
    assert_true(parse(&results,
                      "[Event \"x\"]\n[White \"a\\\"b\\\\c\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n"
                      "1. h8 {[White \"no\"] ; no} i9 ; [Black \"no\"]\n1-0\n\n"
                      "[Result \"0-1\"] [Black \"a\\\"b\\\\c\"] [White \"B\"]\n"
                      "[White \"B\"][Black \"C\"][Result \"1/2-1/2\"] 1/2-1/2\n"
                      "[White \"B\"][Black \"C\"][Result \"*\"]\n",
                      &err));
    assert_int_equal(results.row_count, 3);
    assert_row(&results, 0, "a\"b\\c", "B", 1, 0, 0);
    assert_row(&results, 1, "B", "a\"b\\c", 0, 0, 1);
    assert_row(&results, 2, "B", "C", 0, 1, 0);

    /* Out and in again, both ways. */
    Buf text = BUF_EMPTY;
    results_write_pgn(&results, &text);
    results_write_pgn(&results, &text);
    Results again;
    results_open(&again);
    assert_true(results_parse(&again, text.data, text.len, "f", &err));
    assert_row(&again, 0, "a\"b\\c", "B", 2, 0, 0);
    assert_row(&again, 2, "B", "C", 0, 2, 0);
    buf_clear(&text);
    results_write_tsv(&results, &text);
    assert_true(results_parse(&again, text.data, text.len, "f", &err));
    assert_row(&again, 0, "a\"b\\c", "B", 3, 0, 0);
    assert_int_equal(results_games(&again), 9);
    results_close(&again);
    results_close(&results);
    buf_free(&text);
}

static void test_errors(void **state)
{
    (void)state;
#define HEADER "player1\tplayer2\twins\tdraws\tlosses\n"
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "f: holds no results"},
        {"\n\n# x\n", "f: holds no results"},
        {"A\tB\t1\t2\t3\n", "f:1: no column player1"},
        {"player1\tplayer2\twins\n", "f:1: no column losses"},
        {"player1\tplayer2\twins\tlosses\twins\n", "f:1: two columns wins"},
        {HEADER "A\tB\t1\t2\n", "f:2: the row ends before losses"},
        {HEADER "A\tB\t1\t-2\t3\n", "f:2: draws: '-2' is no number of games"},
        {HEADER "A\tB\t1\t2\t\n", "f:2: losses: '' is no number"},
        {HEADER "A\tB\t1\t2\t3\nA\tA\t1\t2\t3\n", "f:3: A against itself"},
        {HEADER "\tB\t1\t2\t3\n", "f:2: player 1 has no name"},
        {HEADER "A\tB\t1234567890123\t2\t3\n", "is no number of games"},
        {"[White \"A\"]\n[Black \"B\"]\n1-0\n[White \"A\"]", "f:1: the game has no tag Result"},
        {"\n[White \"A\"][Black \"B\"][Result \"2-0\"]", "f:2: result '2-0' is none of"},
        {"[White A]", "f:1: a tag is written"},
        {"[White \"A]\n", "f:1: the tag White does not end"},
        {"[White \"A\"][Black \"A\"][Result \"1-0\"]", "f:1: A against itself"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Results results;
        Err err;
        results_open(&results);
        assert_false(parse(&results, bad[i].text, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, err.text);
        results_close(&results);
    }
    Results results;
    Err err;
    results_open(&results);
    assert_false(results_read(&results, "no/such/file", &err));
    assert_non_null(strstr(err.text, "no/such/file"));
    results_close(&results);
}

/* Thousands of names and pairs are all found again. */
static void test_many(void **state)
{
    (void)state;
    enum { PLAYERS = 3000 };
    Results results;
    char name[16];
    results_open(&results);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PLAYERS; i++) {
            int len = snprintf(name, sizeof name, "p%d", i);
            assert_int_equal(results_player(&results, name, (size_t)len), i);
        }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < PLAYERS; i++)
            for (int k = 1; k < 4; k++) results_add(&results, i, (i + k) % PLAYERS, 1, 0, round);
    assert_int_equal(results.row_count, 3 * PLAYERS);
    for (int i = 0; i < results.row_count; i++) {
        assert_int_equal(results.rows[i].wins, 2);
        assert_int_equal(results.rows[i].losses, 1);
    }
    results_close(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tsv),
        cmocka_unit_test(test_pgn),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
