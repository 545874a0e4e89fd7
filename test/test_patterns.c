/* SPDX-License-Identifier: MIT */
/* Patterns: texts and how they are turned, the scan and what is kept from move to move, with the
 * published strings and tables as cases. */
#include "base/rng.h"
#include "eval/pattern_count.h"
#include "eval/pattern_scan.h"
#include "eval/pattern_simple.h"
#include "game/sym.h"
#include "play/player_pattern.h"
#include "position.h"
#include "search/pattern_judge.h"
#include "search/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Pattern read_pattern(const char *text, int k)
{
    Pattern p;
    Err err;
    if (!pattern_parse(text, strlen(text), k, &p, &err)) fail_msg("%s", err.text);
    return p;
}

static void expect_text(const char *text, int k, const char *as)
{
    char out[PATTERN_TEXT_MAX];
    Pattern p = read_pattern(text, k);
    assert_string_equal(pattern_text(&p, out), as);
    Pattern again = read_pattern(out, k);
    assert_true(pattern_equal(&p, &again));
}

/* Most stones to the left; else the way that sorts first; crossings go with their lines. */
static void test_turning(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"-xxx--", "-xxx--"},
        {"--xxx-", "-xxx--"},
        {"-xxxx", "xxxx-"},
        {"-x-xx-", "-xx-x-"},
        {"x-xxx", "xxx-x"},
        {"xx-xx", "xx-xx"},
        {"-x-x--", "--x-x-"},
        {"--x-x-", "--x-x-"},
        {"---xx", "xx---"},
        {"-xx-x", "-xx-x"},
        {"x-xx-", "-xx-x"},
        {"-xxx--12xxx--", "-xxx--12xxx--"},
        {"--xxx-42xxx--", "-xxx--12xxx--"},
        {"-xxx--12--xxx", "-xxx--12xxx--"},
        {"--xxx-42--xxx", "-xxx--12xxx--"},
        {"--xx--32xxxx-", "--xx--22xxxx-"},
        {"--xx--22-xxxx", "--xx--22xxxx-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_text(cases[i][0], 5, cases[i][1]);
    expect_text("xx", 3, "xx");
    expect_text("-xxxxxxxxx-a9xxxxxxxxx-", 10, "-xxxxxxxxx-09xxxxxxxxx-");
}

typedef struct {
    const char *text;
    int score;
    const char *as; /* how we write it; NULL: the same */
} Row;

/* The database of the thesis after five games, and what had come to it after thirty (Tables 8-1 and
 * 8-2). A line that reads the same both ways, or has as many stones in both halves, it left as it
 * was found; we turn these too, so one pattern there may be two. */
static const Row table_5[] = {
    {"-xxxx-", 10006, NULL},
    {"-xxx--", 999, NULL},
    {"-xxx-12--x-x-", 9996, NULL},
    {"--xx--", 96, NULL},
    {"xxxx-", 9996, NULL},
    {"--xx--32xxxx-", 996, "--xx--22xxxx-"},
    {"--xx--32xxx--", 996, "--xx--22xxx--"},
    {"-xx-x-", 998, NULL},
    {"--x-x-23-x-x--", 998, "--x-x-22--x-x-"},
    {"-xxx--33-xxx--", 10000, NULL},
    {"-xx--33-xx--", 1000, NULL},
    {"-xx--", 100, NULL},
};
static const Row table_30[] = {
    {"--x-x-40x--x", 942, NULL},
    {"--x-x-23-xxx--", 942, NULL},
    {"-xx-x-43xxxx-", 9942, NULL},
    {"-xx--43xxx--", 942, NULL},
    {"-xx--43x-x-", 942, "-xx--40-x-x"},
    {"-xxx--12xxx--", 9942, NULL},
    {"--xx--42xx--", 942, "--xx--12xx--"},
    {"xxx-x", 9944, NULL},
    {"xxx--", 944, NULL},
    {"xxx--01xx--", 9944, NULL},
    {"xx--01xx--", 944, NULL},
    {"-x-x-", 44, NULL},
    {"-xx--21xxx--", 952, NULL},
    {"-xx--10xx--", 957, NULL},
    {"--xx--20xx--", 951, NULL},
    {"xxx--12-xxx--", 9953, NULL},
    {"--x-x-41-xx--", 953, NULL},
    {"--xx--30xx--", 950, "--xx--20xx--"},
};

static void check_table(const Row *rows, size_t count, Buf *text)
{
    for (size_t i = 0; i < count; i++) {
        Pattern p = read_pattern(rows[i].text, 5);
        expect_text(rows[i].text, 5, rows[i].as ? rows[i].as : rows[i].text);
        assert_true(strlen(rows[i].text) <= 14);
        /* Every printed score is within a hundred of where the rule starts it. */
        assert_int_equal(pattern_within(&p, 5, rows[i].score), rows[i].score);
        buf_printf(text, "%d %s %d\n", 150 + (int)i, rows[i].text, rows[i].score);
    }
}

static void test_tables(void **state)
{
    (void)state;
    enum { FIVE = sizeof table_5 / sizeof *table_5, THIRTY = sizeof table_30 / sizeof *table_30 };
    Buf text = BUF_EMPTY, out = BUF_EMPTY;
    PatternBook book, again;
    Err err;
    check_table(table_5, FIVE, &text);
    check_table(table_30, THIRTY, &text);
    if (!pattern_book_parse(text.data, text.len, "tables", &book, &err)) fail_msg("%s", err.text);
    assert_int_equal(book.count, FIVE + THIRTY - 1); /* two of them are one */
    Pattern twice = read_pattern("--xx--30xx--", 5);
    assert_int_equal(pattern_book_find(&book, &twice)->score, 951);
    pattern_book_write(&book, &out);
    assert_true(pattern_book_parse(out.data, out.len, "out", &again, &err));
    assert_int_equal(again.count, book.count);
    for (int i = 0; i < book.count; i++) {
        const PatternRow *row = pattern_book_find(&again, &book.rows[i].pattern);
        assert_non_null(row);
        assert_int_equal(row->score, book.rows[i].score);
        if (i) assert_true(again.rows[i - 1].score >= again.rows[i].score);
    }
    pattern_book_free(&book);
    pattern_book_free(&again);
    buf_free(&text);
    buf_free(&out);
}

/* 10^stones, ten times as much for a composite, but four stones are never worth more. */
static void test_standard(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int k, score;
    } cases[] = {
        {"--xx--", 5, 100},         {"-xxx--", 5, 1000},          {"-xxxx-", 5, 10000},
        {"--xx--22xxxx-", 5, 1000}, {"-xxx--33-xxx--", 5, 10000}, {"xxxx-00xxxx-", 5, 10000},
        {"xx-", 3, 10000},          {"xxxxx-", 6, 10000},         {"xx----", 6, 100},
        {"xxx---", 6, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Pattern p = read_pattern(cases[i].text, cases[i].k);
        assert_int_equal(pattern_standard(&p, cases[i].k), cases[i].score);
        assert_int_equal(pattern_within(&p, cases[i].k, cases[i].score + 101),
                         cases[i].score + 100);
        assert_int_equal(pattern_within(&p, cases[i].k, cases[i].score - 101),
                         cases[i].score - 100);
    }
}

static void test_bad_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"-xxx", "line 1: there is no score after the pattern"},
        {"-xxx-- x", "is no whole number"},
        {"-xxx-- 100001", "is no whole number from -100000 to 100000"},
        {"-xxx-- 1 -2", "is no count"},
        {"-xxx-- 1 2 3 4 5", "more than a pattern, a score and three counts"},
        {"\n150", "line 2: there is no pattern after the number"},
        {"xx 1", "has 2 cells; there must be 4 to 6"},
        {"-xxx---- 1", "has 8 cells"},
        {"x---- 1", "has 1 stone; there must be 2 to 4"},
        {"xxxxx 1", "has 5 stones"},
        {"-xxx--1 1", "has 0 cells"},
        {"-xxx--6 1", "place 6 is beyond the end"},
        {"-xxx--16xxx-- 1", "place 6 is beyond the end"},
        {"-xxx--1?xxx-- 1", "is said by two digits"},
        {"-xxx--?1xxx-- 1", "is said by two digits"},
        {"-xxx--02xxx-- 1", "do not agree"},
        {"-xxx--12xxx--33 1", "there is more after the second line"},
        {"goren-patterns 2", "another version of goren (patterns 2, not 1)"},
        {"goren-patterns 1 win 11", "a number from 3 to 10"},
        {"goren-patterns", "must be followed by its version"},
        {"-xxx-- 1\ngoren-patterns 1 win 6", "the first line must say this"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PatternBook book;
        Err err;
        assert_false(
            pattern_book_parse(cases[i].text, strlen(cases[i].text), "t.txt", &book, &err));
        if (!strstr(err.text, cases[i].says) || strncmp(err.text, "t.txt", 5) != 0)
            fail_msg("%s: %s", cases[i].text, err.text);
    }
}

/* ---- the scan ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All patterns of a colour as texts, sorted, with blanks between them. */
static void scan_texts(const Board *board, Colour colour, Buf *out)
{
    static char texts[4096][PATTERN_TEXT_MAX];
    PatternBook found;
    pattern_book_init(&found, board->rules.k);
    pattern_scan(board, colour, &found);
    assert_true(found.count <= 4096);
    for (int i = 0; i < found.count; i++) pattern_text(&found.rows[i].pattern, texts[i]);
    qsort(texts, (size_t)found.count, sizeof *texts, compare_texts);
    buf_clear(out);
    for (int i = 0; i < found.count; i++) buf_printf(out, "%s%s", i ? " " : "", texts[i]);
    pattern_book_free(&found);
}

/* A board of one row; x are Black's stones and o White's. */
static Board *row_board(const char *row)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, (int)strlen(row), 1, 5);
    Board *board = board_open(&rules, NEAR_ALL);
    for (int x = 0; row[x]; x++)
        if (row[x] != '-')
            board_put(board, rules_point(&rules, x, 0), row[x] == 'x' ? BLACK : WHITE);
    return board;
}

static void test_rows(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        /* Five rows hold two or three of these stones; the first and the last are outdone. */
        {"---xxx---", "-xxx--"},
        /* Open on both sides: two ways to make it longer, here written alike. */
        {"--xxx--", "-xxx--"},
        {"o-xxx--", "-xxx--"},
        {"-xxx-", "-xxx-"},
        {"oxxx--o", "xxx--"},
        {"o-xxxx-o", "-xxxx-"},
        {"oxxxx--", "xxxx-"},
        {"oxxx-xo", "xxx-x"},
        {"xx-xx", "xx-xx"},
        {"-xx-x-", "-xx-x-"},
        {"---xx---", "--xx-- -xx---"},
        {"--xx", ""},
        {"xoxox", ""},
        {"x----", ""},
    };
    Buf out = BUF_EMPTY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Board *board = row_board(cases[i][0]);
        scan_texts(board, BLACK, &out);
        if (strcmp(buf_text(&out), cases[i][1]) != 0)
            fail_msg("%s: %s", cases[i][0], buf_text(&out));
        board_close(board);
    }
    buf_free(&out);
}

/* Three stones from one point on in two directions: however they lie, one text. */
static void test_directions(void **state)
{
    (void)state;
    static const int way[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                  {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    Rules rules;
    Buf out = BUF_EMPTY;
    rules_init(&rules, RULE_FREESTYLE, 19, 19, 5);
    for (int a = 0; a < 8; a++) {
        for (int b = 0; b < 8; b++) {
            if (a % 4 == b % 4) continue;
            Board *board = board_open(&rules, NEAR_ALL);
            for (int i = 0; i < 3; i++) {
                board_put(board, rules_point(&rules, 9 + i * way[a][0], 9 + i * way[a][1]), BLACK);
                if (i)
                    board_put(board, rules_point(&rules, 9 + i * way[b][0], 9 + i * way[b][1]),
                              BLACK);
            }
            board_put(board, rules_point(&rules, 9 - way[b][0], 9 - way[b][1]), WHITE);
            scan_texts(board, BLACK, &out);
            if (!strstr(buf_text(&out), "xxx--01-xxx--") ||
                !strstr(buf_text(&out), "xxx--03-xxx--"))
                fail_msg("%d %d: %s", a, b, buf_text(&out));
            board_close(board);
        }
    }
    buf_free(&out);
}

static void random_position(Board *board, Rng *rng, int stones)
{
    const Rules *r = &board->rules;
    for (int i = 0; i < stones; i++) {
        Point p = rules_point(r, (int)rng_below(rng, (uint32_t)r->width),
                              (int)rng_below(rng, (uint32_t)r->height));
        if (board_is_empty(board, p)) board_put(board, p, (Colour)rng_below(rng, 2));
    }
}

/* Turned and mirrored boards have the same patterns. */
static void test_symmetries(void **state)
{
    (void)state;
    Rng rng;
    Rules rules;
    Buf one = BUF_EMPTY, other = BUF_EMPTY;
    rng_seed(&rng, 4);
    rules_init(&rules, RULE_FREESTYLE, 11, 11, 5);
    for (int n = 0; n < 20; n++) {
        Board *board = board_open(&rules, NEAR_ALL);
        random_position(board, &rng, 24);
        scan_texts(board, WHITE, &one);
        for (Sym sym = 1; sym < SYM_MAX; sym++) {
            Board *turned = board_open(&rules, NEAR_ALL);
            for (int i = 0; i < rules.width * rules.height; i++) {
                Point p = rules_nth(&rules, i);
                if (!board_is_empty(board, p))
                    board_put(turned, sym_point(&rules, sym, p), (Colour)(board->cell[p] - 1));
            }
            scan_texts(turned, WHITE, &other);
            assert_string_equal(buf_text(&one), buf_text(&other));
            board_close(turned);
        }
        board_close(board);
    }
    buf_free(&one);
    buf_free(&other);
}

/* ---- kept from move to move ---- */

/* A book of whatever stands on random boards, with scores of all kinds. */
static void random_book(const Rules *rules, Rng *rng, PatternBook *book)
{
    bool is_new;
    pattern_book_init(book, rules->k);
    for (int n = 0; n < 8; n++) {
        Board *board = board_open(rules, NEAR_ALL);
        PatternBook found;
        random_position(board, rng, rules->width * rules->height / (2 + n % 4));
        pattern_book_init(&found, rules->k);
        pattern_scan(board, (Colour)(n & 1), &found);
        for (int i = 0; i < found.count; i++) {
            Pattern p = found.rows[i].pattern;
            if (rng_below(rng, 3) == 0) continue;
            if (p.second && rng_below(rng, 4) == 0)
                p = (Pattern){p.second, p.main, p.second_at, p.main_at};
            pattern_book_add(book, &p, &is_new)->score = (int)rng_below(rng, 30000) - 5000;
        }
        pattern_book_free(&found);
        board_close(board);
    }
}

static void expect_equal(const PatternCount *count, const Board *board, const PatternBook *book)
{
    assert_int_equal(pattern_count_value(count, BLACK), pattern_scan_value(board, book, BLACK));
    assert_int_equal(pattern_count_value(count, WHITE), pattern_scan_value(board, book, WHITE));
}

static void random_game(const Rules *rules, Rng *rng, const PatternBook *book)
{
    Board *board = board_open(rules, NEAR_SQUARE2);
    PatternCount *count = pattern_count_open(rules, book), *fresh = pattern_count_open(rules, book);
    Point points[400];
    int length = rules->width * rules->height;
    pattern_count_reset(count, board);
    for (int n = 0; n < 3 * length / 2; n++) {
        if (board->stones && (board_is_full(board) || rng_below(rng, 4) == 0)) {
            pattern_count_pop(count, board);
            board_undo(board);
        } else {
            int found = board_candidates(board, points);
            Point p = found ? points[rng_below(rng, (uint32_t)found)]
                            : rules_nth(rules, (int)rng_below(rng, (uint32_t)length));
            board_play(board, p);
            pattern_count_push(count, board);
        }
        expect_equal(count, board, book);
    }
    pattern_count_reset(fresh, board);
    expect_equal(fresh, board, book);
    PatternBook found;
    pattern_book_init(&found, rules->k);
    pattern_scan(board, BLACK, &found);
    for (int i = 0; i < found.count; i++) {
        const Pattern *p = &found.rows[i].pattern;
        if (pattern_book_find(book, p)) assert_true(pattern_count_has(count, p, BLACK));
    }
    pattern_book_free(&found);
    pattern_count_close(count);
    pattern_count_close(fresh);
    board_close(board);
}

static void test_incremental(void **state)
{
    (void)state;
    static const struct {
        int width, height, k;
    } boards[] = {{15, 15, 5}, {9, 9, 5},   {7, 12, 4},   {5, 5, 3},
                  {19, 3, 5},  {14, 13, 6}, {18, 11, 10}, {1, 9, 5}};
    Rng rng;
    rng_seed(&rng, 11);
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        Rules rules;
        PatternBook book;
        rules_init(&rules, RULE_FREESTYLE, boards[i].width, boards[i].height, boards[i].k);
        random_book(&rules, &rng, &book);
        for (int n = 0; n < 2; n++) random_game(&rules, &rng, &book);
        pattern_book_free(&book);
    }
}

/* ---- the player ---- */

/* Figure 4-3: the published list, mirrored forms too; ? is the stone to come. */
static void test_simple(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        int score;
    } cases[] = {
        {"xx?xxx", 100}, {"xx?xx", 100},   {"xx?x-", 40},  {"-x?xx", 40},  {"xx?-x", 40},
        {"x-x?x", 40},   {"x?-xx", 40},    {"-x?x-", 30},  {"xx?--", 20},  {"--x?x", 20},
        {"-x?--", 0},    {"oxx?xo", 0},    {"oxx?-x", 40}, {"o-x?x-", 30}, {"ox?x-o", 0},
        {"-xx?--", 30},  {"ooooo?---", 0}, {"x?x-", 0},    {"x-x-?", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char row[16];
        int x = (int)(strchr(cases[i].row, '?') - cases[i].row);
        snprintf(row, sizeof row, "%s", cases[i].row);
        row[x] = '-';
        Board *board = row_board(row);
        int score = pattern_simple(board, rules_point(&board->rules, x, 0), BLACK);
        if (score != cases[i].score) fail_msg("%s: %d", cases[i].row, score);
        board_close(board);
    }
}

static void book_of(const char *text, PatternBook *book)
{
    Err err;
    if (!pattern_book_parse(text, strlen(text), "book", book, &err)) fail_msg("%s", err.text);
}

/* Plain minimax without cuts over the same moves. */
static int plain(Board *board, const PatternBook *book, int depth, int ply)
{
    Point points[400];
    if (board->won) return ply - PATTERN_WIN;
    if (board_is_full(board)) return 0;
    if (depth == 0) return pattern_scan_value(board, book, board->side);
    int count = board_candidates(board, points), best = -PATTERN_WIN;
    for (int i = 0; i < count; i++) {
        board_play(board, points[i]);
        int score = -plain(board, book, depth - 1, ply + 1);
        board_undo(board);
        if (score > best) best = score;
    }
    return best;
}

static void think(Plain *search, Board *board, const Limits *limits, int depth, PlainResult *result)
{
    Point moves[400];
    Leash leash;
    leash_start(&leash, limits, board->stones, 64, NULL);
    plain_run(search, board, moves, board_candidates(board, moves), 1, 1, depth, &leash, result);
}

/* Alpha-beta finds what minimax finds. */
static void test_minimax(void **state)
{
    (void)state;
    Rules rules;
    Rng rng;
    PatternBook book;
    rng_seed(&rng, 3);
    rules_init(&rules, RULE_FREESTYLE, 6, 6, 4);
    random_book(&rules, &rng, &book);
    Err err;
    PatternJudge *judge = pattern_judge_open(&rules, &book);
    Plain *search = plain_open(&rules, &pattern_judge, judge, 0, &err);
    for (int n = 0; n < 12; n++) {
        Board *board = board_open(&rules, NEAR_SQUARE2);
        Point points[400];
        for (int i = 0; i < 6 + n; i++) {
            int count = board_candidates(board, points);
            Point p = count ? points[rng_below(&rng, (uint32_t)count)] : rules_nth(&rules, 14);
            board_play(board, p);
            if (board->won) board_undo(board);
        }
        for (int depth = 1; depth <= 3; depth++) {
            PlainResult choice;
            think(search, board, &(Limits){0}, depth, &choice);
            assert_int_equal(choice.score, plain(board, &book, choice.depth, 0));
            board_play(board, choice.move);
            assert_int_equal(-plain(board, &book, choice.depth - 1, 1), choice.score);
            board_undo(board);
        }
        board_close(board);
    }
    plain_close(search);
    pattern_judge_close(judge);
    pattern_book_free(&book);
}

/* Limits are kept, and there is always a move. */
static void test_limits(void **state)
{
    (void)state;
    Rules rules;
    PatternBook book;
    Thought thought;
    atomic_bool stop = true;
    book_of("-xxxx- 10000\n-xxx-- 1000\n--xx-- 100\n", &book);
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Player *player = player_pattern_with(&book, 4, 0);
    Board *board = board_from(&rules, "h8i9g7j10f6i8", 'b');
    assert_true(player_think(player, board, &(Limits){.nodes = 1000}, &thought, NULL));
    assert_in_range(thought.nodes, 1, 1000);
    assert_true(board_is_empty(board, thought.stones[0]));
    assert_true(player_think(player, board, &(Limits){.stop = &stop}, &thought, NULL));
    assert_true(thought.nodes < 200);
    assert_true(board_is_empty(board, thought.stones[0]));
    assert_true(player_think(player, board, &(Limits){.depth = 2}, &thought, NULL));
    assert_int_equal(thought.depth, 2);
    Point best = thought.stones[0];
    Limits other = {.depth = 2, .blocked = &best, .blocked_count = 1};
    assert_true(player_think(player, board, &other, &thought, NULL));
    assert_int_not_equal(thought.stones[0], best);
    board_close(board);
    board = board_open(&rules, NEAR_ALL);
    assert_true(player_think(player, board, &(Limits){0}, &thought, NULL));
    assert_int_equal(thought.stones[0], rules_point(&rules, 7, 7));
    board_close(board);
    /* An open three of theirs must be answered; a five of ours is taken. */
    board = board_from(&rules, "a1h8a15h9o1h10", 'b');
    assert_true(player_think(player, board, &(Limits){0}, &thought, NULL));
    assert_int_equal(rules_x(&rules, thought.stones[0]), 7);
    board_close(board);
    board = board_from(&rules, "h8a1h9a15h10o1h11o15", 'b');
    assert_true(player_think(player, board, &(Limits){0}, &thought, NULL));
    assert_int_equal(thought.score, score_win_in(1));
    board_close(board);
    player_close(player);
    /* Patterns for five in a row cannot play six. */
    Err err;
    book_of("-xxxx- 10000\n", &book);
    player = player_pattern_with(&book, 4, 0);
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 6);
    board = board_open(&rules, NEAR_ALL);
    assert_false(player_think(player, board, &(Limits){0}, &thought, &err));
    assert_non_null(strstr(err.text, "for 5 in a row, not for 6"));
    board_close(board);
    player_close(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turning),    cmocka_unit_test(test_tables),
        cmocka_unit_test(test_standard),   cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_rows),       cmocka_unit_test(test_directions),
        cmocka_unit_test(test_symmetries), cmocka_unit_test(test_incremental),
        cmocka_unit_test(test_simple),     cmocka_unit_test(test_minimax),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
