/* SPDX-License-Identifier: MIT */
/* The teacher of patterns, its scores, and the database: what is learnt, kept and refused. */
#include "base/mem.h"
#include "base/os.h"
#include "learn/learner.h"
#include "learn/pattern_teacher.h"
#include "play/store.h"
#include "play/store_patterns.h"
#include "position.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the teacher ---- */

static void write_taught(void *ctx, const Pattern *pattern)
{
    char text[PATTERN_TEXT_MAX];
    buf_printf(ctx, "%s ", pattern_text(pattern, text));
}

static void expect_taught(const char *moves, const char *taught)
{
    Rules rules;
    Buf out = BUF_EMPTY;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_from(&rules, moves, 0);
    assert_int_not_equal(board->won, CELL_EMPTY);
    pattern_teach(board, write_taught, &out);
    if (strcmp(buf_text(&out), taught) != 0) fail_msg("%s: %s", moves, buf_text(&out));
    board_close(board);
    buf_free(&out);
}

static void test_teacher(void **state)
{
    (void)state;
    /* A row alone: open four, open three, two; the opponent's stones are far away. The two ways to
     * make the three longer are written alike, those of the two are not. */
    expect_taught("j8a1k8c1i8e1l8g1h8", "-xxxx- -xxx-- -xx--- --xx-- ");
    /* White wins as well; the row is closed on the left from the beginning. */
    expect_taught("g8h8a1i8c1j8e1k8o1l8", "xxxx- xxx-- xx--- ");
    /* A second row of three crosses the first at its end: found when the first has three stones,
     * not four. */
    expect_taught("h8a1h9c1h10e1i8g1j8i1k8m1l8", "-xxxx- -xxx--11-xxx-- -xx---11-xxx-- ");
    /* Then it is kept while it shrinks, though it has fewer stones than the first; with one stone
     * it is none. */
    expect_taught("h8a1i8c1h9e1j8g1h10i1k8m1l8",
                  "-xxxx- -xxx--11-xxx-- -xxx--11-xx--- -xx---11-xx--- -xx--- ");
}

/* ---- learning ---- */

typedef struct {
    char folder[32], path[48];
} Scratch;

static void scratch_open(Scratch *scratch)
{
    strcpy(scratch->folder, "/tmp/goren-test-XXXXXX");
    assert_non_null(mkdtemp(scratch->folder));
    snprintf(scratch->path, sizeof scratch->path, "%s/p.db", scratch->folder);
}

static void scratch_close(const Scratch *scratch)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[64];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", scratch->path, ends[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(scratch->folder), 0);
}

/* `keys` are the learner's own options as in a spec. */
static Learner *open_learner(const char *path, const char *keys, uint64_t seed, Err *err)
{
    const LearnerKind *kind = learner_find("patterns", NULL);
    void *options = mem_zero(kind->options_size);
    Arena texts;
    arena_open(&texts, 256);
    assert_true(opts_parse_keys(kind->options, keys, options, &texts, err));
    LearnerPlan plan = {.path = path, .seed = seed, .options = options};
    rules_init(&plan.rules, RULE_FREESTYLE, 11, 11, 5);
    Learner *learner = learner_open(kind, &plan, err);
    arena_close(&texts);
    mem_free(options);
    return learner;
}

static Learner *must_open(const char *path, const char *keys, uint64_t seed)
{
    Err err;
    Learner *learner = open_learner(path, keys, seed, &err);
    if (!learner) fail_msg("%s", err.text);
    return learner;
}

static void observe(Learner *learner, const char *text)
{
    Point moves[225];
    Err err;
    double loss;
    Board *board = board_from(&learner->rules, text, 0);
    LearnerGame game = {.moves = moves, .count = board_moves(board, moves), .won = board->won};
    board_close(board);
    assert_true(learner_observe(learner, &game, &loss, &err));
    assert_true(loss >= 0 && loss <= 1);
    if (!learner_save(learner, false, &err)) fail_msg("%s", err.text);
}

static void load(const char *path, int game, PatternBook *book)
{
    Err err;
    if (!pattern_file_load(path, game, book, &err)) fail_msg("%s", err.text);
}

static PatternRow row_of(const char *path, int game, const char *text)
{
    PatternBook book;
    Pattern pattern;
    load(path, game, &book);
    assert_true(pattern_parse(text, strlen(text), 5, &pattern, NULL));
    const PatternRow *found = pattern_book_find(&book, &pattern);
    PatternRow row = found ? *found : (PatternRow){.score = -1};
    pattern_book_free(&book);
    return row;
}

static const char black_wins[] = "f6a1g6c1e6e1h6g1d6";
static const char white_wins[] = "c6d6a1e6c1f6e1g6k1h6";

/* New ones at their standard, +3 when seen again, −2 for the others when the pupil lost (he is
 * Black in games 1, 3, …), never more than 100 away. */
static void test_document_scores(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_open(&scratch);
    const char *path = scratch.path;
    Learner *learner = must_open(path, "scoring=document", 1);
    observe(learner, black_wins);
    observe(learner, black_wins);
    observe(learner, white_wins);
    assert_int_equal(row_of(path, 1, "-xxxx-").score, 10000);
    assert_int_equal(row_of(path, 1, "-xxx--").score, 1000);
    assert_int_equal(row_of(path, 1, "--xx--").score, 100);
    assert_int_equal(row_of(path, 1, "xxxx-").score, -1);
    assert_int_equal(row_of(path, 2, "-xxxx-").score, 10003);
    assert_int_equal(row_of(path, 2, "-xxxx-").sightings, 2);
    assert_int_equal(row_of(path, 3, "-xxxx-").score, 10001);
    assert_int_equal(row_of(path, 3, "xxxx-").score, 10000);
    observe(learner, white_wins); /* the pupil won: nothing fades */
    assert_int_equal(row_of(path, 4, "-xxxx-").score, 10001);
    assert_int_equal(row_of(path, 4, "xxxx-").score, 10003);
    for (int i = 0; i < 60; i++) observe(learner, i % 2 ? black_wins : white_wins);
    for (int i = 0; i < 160; i++) observe(learner, white_wins);
    assert_int_equal(row_of(path, PATTERNS_NOW, "xxxx-").score, 10100);
    assert_int_equal(row_of(path, PATTERNS_NOW, "--xx--").score, 0);
    assert_int_equal(row_of(path, PATTERNS_NOW, "xxxx-").wins, 192);
    assert_int_equal(row_of(path, 2, "-xxxx-").score, 10003); /* the past stays */
    learner_close(learner);
    scratch_close(&scratch);
}

static int score_of(const char *path, const char *text)
{
    return row_of(path, PATTERNS_NOW, text).score;
}

/* Scores come backwards from the win: a game each from what wins at once to what makes it. */
static void test_winrate_scores(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_open(&scratch);
    const char *path = scratch.path;
    Learner *learner = must_open(path, "scoring=winrate,depth=1", 1);
    observe(learner, black_wins);
    assert_int_equal(score_of(path, "-xxxx-"), 0);
    /* Only it stands there when Black is to win: half an error, a fifth of it after no game and
     * 0.2 · 100/101 after one, by 4 · 1000, shared with the one that is always there. */
    observe(learner, black_wins);
    assert_int_equal(score_of(path, "-xxxx-"), 198);
    assert_int_equal(score_of(path, "-xxx--"), 0);
    observe(learner, black_wins);
    assert_in_range(score_of(path, "-xxx--"), 1, 100);
    assert_int_equal(score_of(path, "--xx--"), 0);
    observe(learner, black_wins);
    assert_in_range(score_of(path, "--xx--"), 1, 100);
    int before = score_of(path, "-xxxx-");
    observe(learner, white_wins); /* nobody has it here */
    assert_int_equal(score_of(path, "-xxxx-"), before);
    observe(learner, "d6c5e6c7f6c8g6c6a1c9"); /* here Black has a three, and loses */
    assert_int_equal(row_of(path, 6, "-xxx--").losses, 1);
    for (int i = 0; i < 300; i++) observe(learner, black_wins);
    assert_in_range(score_of(path, "-xxxx-"), 1000, 20000);
    assert_in_range(score_of(path, "-xxx--"), 100, score_of(path, "-xxxx-"));
    learner_close(learner);
    scratch_close(&scratch);
}

/* By win rate the lines of a composite are taught with it, and its two orders are one score. */
static void test_winrate_composites(void **state)
{
    (void)state;
    static const char three_first[] = "f6a1f7c1f8e1g6g1h6i1i6k1j6";
    static const char by_turns[] = "f6a1g6c1f7e1h6g1f8i1i6k1j6";
    Scratch scratch;
    scratch_open(&scratch);
    const char *path = scratch.path;
    Learner *learner = must_open(path, "scoring=winrate,depth=1", 1);
    observe(learner, three_first);
    assert_int_equal(score_of(path, "-xx---11-xxx--"), 0);
    assert_int_equal(score_of(path, "-xxx--"), 0);
    assert_int_equal(score_of(path, "-xx---"), 0);
    for (int i = 0; i < 5; i++) observe(learner, three_first);
    int once = score_of(path, "-xx---11-xxx--");
    assert_int_not_equal(once, 0);
    assert_int_equal(score_of(path, "-xxx--11-xx---"), -1);
    observe(learner, by_turns);
    assert_int_equal(score_of(path, "-xxx--11-xx---"), score_of(path, "-xx---11-xxx--"));
    for (int i = 0; i < 5; i++) observe(learner, by_turns);
    assert_int_not_equal(score_of(path, "-xx---11-xxx--"), once);
    assert_int_equal(score_of(path, "-xxx--11-xx---"), score_of(path, "-xx---11-xxx--"));
    learner_close(learner);
    scratch_close(&scratch);
}

/* Learns `games` games in `lives` lives of equal length; the book as text. */
static void learn(const char *keys, uint64_t seed, int games, int lives, Buf *out)
{
    Scratch scratch;
    PatternBook book;
    Err err;
    double loss;
    scratch_open(&scratch);
    for (int life = 0; life < lives; life++) {
        Learner *learner = must_open(scratch.path, keys, seed);
        assert_int_equal(learner->games, life * games / lives);
        for (int i = 0; i < games / lives; i++)
            if (!learner_step(learner, &loss, &err)) fail_msg("%s", err.text);
        Player *player = learner_player(learner, &err);
        assert_non_null(player);
        player_close(player);
        learner_close(learner);
    }
    load(scratch.path, PATTERNS_NOW, &book);
    buf_clear(out);
    pattern_book_write(&book, out);
    pattern_book_free(&book);
    scratch_close(&scratch);
}

static void test_same_seed(void **state)
{
    (void)state;
    static const char *const ways[] = {"depth=1,scoring=document", "depth=1,scoring=winrate",
                                       "depth=1,partner=random,mixed=no"};
    Buf one = BUF_EMPTY, other = BUF_EMPTY;
    for (int i = 0; i < 3; i++) {
        learn(ways[i], 7, 12, 1, &one);
        learn(ways[i], 7, 12, 4, &other);
        assert_string_equal(one.data, other.data);
        learn(ways[i], 8, 12, 1, &other);
        assert_string_not_equal(one.data, other.data);
    }
    buf_free(&one);
    buf_free(&other);
}

/* Each game changes the scores of two patterns, by what the rule says. */
static void test_tournament(void **state)
{
    (void)state;
    Scratch scratch;
    Err err;
    double loss;
    scratch_open(&scratch);
    assert_null(open_learner(scratch.path, "tournament", 1, &err));
    assert_non_null(strstr(err.text, "a tournament is for patterns that are there"));
    Learner *learner = must_open(scratch.path, "depth=1,scoring=document", 1);
    for (int i = 0; i < 6; i++) assert_true(learner_step(learner, &loss, &err));
    learner_close(learner);
    learner = must_open(scratch.path, "depth=1,scoring=document,tournament", 1);
    PatternBook before, after;
    for (int game = 7; game <= 12; game++) {
        assert_true(learner_step(learner, &loss, &err));
        load(scratch.path, game - 1, &before);
        load(scratch.path, game, &after);
        assert_int_equal(before.count, after.count);
        int up = 0, down = 0, drawn = 0;
        for (int i = 0; i < after.count; i++) {
            int change = after.rows[i].score - before.rows[i].score;
            up += change == 3;
            down += change == -3;
            drawn += change == -1;
            assert_true(change == 0 || change == 3 || change == -3 || change == -1);
        }
        assert_true((up == 1 && down == 1 && !drawn) || (!up && !down && drawn == 2));
        pattern_book_free(&before);
        pattern_book_free(&after);
    }
    learner_close(learner);
    scratch_close(&scratch);
}

/* ---- the database ---- */

static void expect_refused(const char *path, const char *keys, uint64_t seed, const char *says)
{
    Err err;
    Buf before = BUF_EMPTY, after = BUF_EMPTY;
    assert_true(os_file_read(path, 1 << 24, &before, &err));
    assert_null(open_learner(path, keys, seed, &err));
    if (!strstr(err.text, says)) fail_msg("%s", err.text);
    assert_true(os_file_read(path, 1 << 24, &after, &err));
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.data, after.data, before.len);
    buf_free(&before);
    buf_free(&after);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
    Err err;
    assert_true(os_file_replace(path, bytes, n, &err));
}

static void test_refusals(void **state)
{
    (void)state;
    Scratch scratch;
    Err err;
    scratch_open(&scratch);
    const char *path = scratch.path;
    write_file(path, "no database at all, but long enough to be one", 46);
    expect_refused(path, "", 1, "not a database");
    unlink(path);
    Store *matches = store_open(path, &err);
    store_close(matches);
    expect_refused(path, "scoring=document", 1,
                   "it is an SQLite file, but no database of patterns");
    unlink(path);
    Learner *learner = must_open(path, "scoring=document", 1);
    observe(learner, black_wins);
    learner_close(learner);
    expect_refused(path, "scoring=document", 2, "\"seed 1\" there, \"seed 2\" here");
    expect_refused(path, "scoring=winrate", 1,
                   "\"scoring document\" there, \"scoring winrate\" here");
    /* The schema's version stands at byte 60. */
    Buf bytes = BUF_EMPTY;
    assert_true(os_file_read(path, 1 << 24, &bytes, &err));
    bytes.data[63] = 9;
    write_file(path, bytes.data, bytes.len);
    expect_refused(path, "scoring=document", 1,
                   "another version of goren (database of patterns 9, not 1)");
    buf_free(&bytes);
    scratch_close(&scratch);
}

static void count_states(void *ctx, int game, const PatternRow *row)
{
    int *sum = ctx;
    *sum += 100000 * game + row->score;
}

static void test_store(void **state)
{
    (void)state;
    static const char text[] = "-xxxx- 10006 3 2 1\n-xxx-- 999\n";
    Scratch scratch;
    Err err;
    PatternBook book, other;
    scratch_open(&scratch);
    assert_true(pattern_book_parse(text, strlen(text), "text", &book, &err));
    PatternStore *store = pattern_store_open(scratch.path, &err);
    assert_false(pattern_store_load(store, PATTERNS_NOW, &other, &err));
    assert_non_null(strstr(err.text, "it is empty"));
    assert_true(pattern_store_import(store, &book, &err));
    assert_true(pattern_store_begin(store, 5, "all the same\n", &err));
    assert_false(pattern_store_begin(store, 6, "all the same\n", &err));
    pattern_book_copy(&other, &book);
    other.rows[1].score = 1002;
    PatternGame game = {.number = 1, .black = "a", .white = "b", .winner = -1, .moves = "h8"};
    assert_true(pattern_store_add(store, &game, &book, &other, &err));
    assert_false(pattern_store_add(store, &game, &book, &other, &err));
    assert_non_null(strstr(err.text, "game 1 is there already"));
    assert_false(pattern_store_import(store, &book, &err));
    assert_non_null(strstr(err.text, "it has learnt from 1 game, which an import would wipe out"));
    int sum = 0;
    assert_true(pattern_store_history(store, &book.rows[1].pattern, count_states, &sum, &err));
    assert_int_equal(sum, 999 + 100000 + 1002);
    sum = 0;
    assert_true(pattern_store_history(store, &book.rows[0].pattern, count_states, &sum, &err));
    assert_int_equal(sum, 10006); /* it did not change */
    Pattern unknown = pattern_linear(pattern_line(3, 5));
    assert_false(pattern_store_history(store, &unknown, count_states, &sum, &err));
    pattern_book_free(&other);
    assert_false(pattern_store_load(store, 2, &other, &err));
    assert_non_null(strstr(err.text, "no state after game 2"));
    assert_true(pattern_store_load(store, 0, &other, &err));
    assert_int_equal(other.rows[1].score, 999);
    assert_int_equal(other.rows[0].losses, 1);
    pattern_store_close(store);
    pattern_book_free(&book);
    pattern_book_free(&other);
    scratch_close(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_teacher),        cmocka_unit_test(test_document_scores),
        cmocka_unit_test(test_winrate_scores), cmocka_unit_test(test_winrate_composites),
        cmocka_unit_test(test_same_seed),      cmocka_unit_test(test_tournament),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
