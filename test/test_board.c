/* SPDX-License-Identifier: MIT */
/* The board: what it keeps move by move equals what its stones imply, for every rule, odd sizes
 * and every k; undo, copies, passes and set-up stones leave nothing behind.
 *
 * On large boards every move is audited where it could have changed something, and every hundredth
 * everywhere. BOARD_LONG=1 plays the 100x100 games to the end. */
#include "audit.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int SIZES[][2] = {{5, 5}, {7, 9}, {15, 15}, {20, 20}, {22, 22}, {100, 5}, {100, 100}};
static const int WINS[] = {3, 4, 5, 6, 8};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES, WIN_COUNT = sizeof WINS / sizeof *WINS };

/* A legal-looking random move: mostly near stones, sometimes anywhere. */
static Point random_move(const Board *board, Rng *rng)
{
    static Point list[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int n = rng_below(rng, 8) ? board_candidates(board, list) : 0;
    if (n) return list[rng_below(rng, (uint32_t)n)];
    for (;;) {
        int points = board->rules.width * board->rules.height;
        Point p = rules_nth(&board->rules, (int)rng_below(rng, (uint32_t)points));
        if (board_is_empty(board, p)) return p;
    }
}

enum { LARGE = 2000, FULL_AUDIT = 100 };

static void assert_none(const Board *board, const char *wrong, const char *when)
{
    if (!wrong) return;
    fail_msg("%s %dx%d k=%d after %d plies, %s: %s", rule_name(board->rules.kind),
             board->rules.width, board->rules.height, board->rules.k, board->plies, when, wrong);
}

static void assert_sound(Audit *audit, const Board *board, const char *when)
{
    assert_none(board, audit_check(audit, board), when);
}

static void assert_sound_after(Audit *audit, const Board *board, Point p, const char *when)
{
    bool large = board->rules.width * board->rules.height >= LARGE;
    if (!large || board->plies % FULL_AUDIT == 0)
        assert_sound(audit, board, when);
    else
        assert_none(board, audit_check_near(audit, board, p), when);
}

static int longest(int width, int height)
{
    if (width * height < LARGE || getenv("BOARD_LONG")) return width * height;
    return 1000;
}

static void random_game(const Rules *rules, Near near, Rng *rng)
{
    Board *board = board_open(rules, near);
    Audit *audit = audit_open(rules, near);
    int plies = longest(rules->width, rules->height);
    assert_sound(audit, board, "at the start");
    while (board->stones < plies && !board_is_full(board)) {
        Point p = random_move(board, rng);
        bool five = board_class(board, p, board->side) == CLASS_FIVE;
        Cell won = board->won;
        board_play(board, p);
        assert_sound_after(audit, board, p, "play");
        Point row[SIZE_MAX_SIDE];
        if (five != (board_winning_row(board, p, row) > 0)) fail_msg("five and row disagree");
        if (won == CELL_EMPTY && five) assert_int_equal(board->won, board->cell[p]);
        if (!rng_below(rng, 16)) board_pass(board);
        if (rng_below(rng, 12)) continue;
        for (int back = (int)rng_below(rng, 6); back && board->plies; back--) {
            Point last = board_last_point(board);
            board_undo(board);
            if (last) assert_sound_after(audit, board, last, "undo");
        }
    }
    while (board->plies) board_undo(board);
    assert_sound(audit, board, "undo of everything");
    assert_int_equal(board->hash, 0);
    assert_int_equal(board->won, CELL_EMPTY);
    audit_close(audit);
    board_close(board);
}

static void all_sizes(RuleKind kind)
{
    Rng rng;
    rng_seed(&rng, 7 + (uint64_t)kind);
    bool quick = getenv("QUICK"); /* under the sanitizers: every rule, fewer boards */
    for (int s = 0; s < SIZE_COUNT; s++)
        for (int w = 0; w < WIN_COUNT; w++) {
            if (quick && (SIZES[s][0] > 15 || w % 2 != (int)kind % 2)) continue;
            Rules rules;
            rules_init(&rules, kind, SIZES[s][0], SIZES[s][1], WINS[w]);
            random_game(&rules, (Near)((s + w) % NEAR_COUNT), &rng);
        }
}

static void test_freestyle(void **state)
{
    (void)state;
    all_sizes(RULE_FREESTYLE);
}

static void test_standard(void **state)
{
    (void)state;
    all_sizes(RULE_STANDARD);
}

static void test_renju(void **state)
{
    (void)state;
    all_sizes(RULE_RENJU);
}

static void test_caro(void **state)
{
    (void)state;
    all_sizes(RULE_CARO);
}

static void test_caro6(void **state)
{
    (void)state;
    all_sizes(RULE_CARO6);
}

static void test_every_shape_of_board(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < (getenv("QUICK") ? 10 : 60); i++) {
        Rules rules;
        int width = 1 + (int)rng_below(&rng, i % 3 ? 12 : 100),
            height = 1 + (int)rng_below(&rng, 12);
        rules_init(&rules, (RuleKind)rng_below(&rng, RULE_COUNT), width, height,
                   (int)(WIN_MIN + rng_below(&rng, WIN_MAX - WIN_MIN + 1)));
        random_game(&rules, (Near)rng_below(&rng, NEAR_COUNT), &rng);
    }
}

static void test_copy(void **state)
{
    (void)state;
    Rules rules;
    Rng rng;
    rng_seed(&rng, 5);
    rules_init(&rules, RULE_RENJU, 15, 15, 5);
    Board *board = board_open(&rules, NEAR_SQUARE3_LINE4),
          *other = board_open(&rules, NEAR_SQUARE3_LINE4);
    Audit *audit = audit_open(&rules, NEAR_SQUARE3_LINE4);
    for (int i = 0; i < 80; i++) {
        board_play(board, random_move(board, &rng));
        board_copy(other, board);
        assert_sound(audit, other, "copy");
        board_play(other, random_move(other, &rng));
        assert_sound(audit, other, "play on a copy");
        assert_sound(audit, board, "original after play on its copy");
        while (other->plies) board_undo(other);
        assert_sound(audit, other, "undo of a copy");
    }
    Board *clone = board_clone(board);
    while (clone->plies > 40) board_undo(clone);
    assert_sound(audit, clone, "clone");
    audit_close(audit);
    board_close(clone);
    board_close(other);
    board_close(board);
}

static void test_set_up_stones(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_STANDARD, 15, 15, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    Audit *audit = audit_open(&rules, NEAR_SQUARE2);
    for (int x = 3; x < 9; x++) board_put(board, rules_point(&rules, x, 7), WHITE);
    assert_sound(audit, board, "put");
    assert_int_equal(board->side, BLACK);
    assert_int_equal(board->won, CELL_EMPTY); /* it was five before it was six */
    assert_int_equal(board_scan_winner(board), CELL_EMPTY);
    board_undo(board);
    assert_int_equal(board->won, CELL_WHITE);
    assert_int_equal(board_scan_winner(board), CELL_WHITE);
    assert_int_equal(board->side, BLACK);
    board_set_side(board, WHITE);
    assert_sound(audit, board, "side");
    audit_close(audit);
    board_close(board);
}

/* Who has won is a matter of the stones, not of the order they were set up in. */
static void test_order_of_set_up(void **state)
{
    (void)state;
    enum { SIDE = 7, STONES = 40 };
    Rng rng;
    rng_seed(&rng, 11);
    int dead = 0;
    for (int round = 0; round < 3000; round++) {
        Rules rules;
        rules_init(&rules, (RuleKind)(round % RULE_COUNT), SIDE, SIDE, 4 + (int)rng_below(&rng, 2));
        Board *board = board_open(&rules, NEAR_SQUARE2);
        for (int i = 0; i < STONES; i++) {
            Point p = rules_nth(&rules, (int)rng_below(&rng, SIDE * SIDE));
            bool was_won = board->won != CELL_EMPTY;
            if (board_is_empty(board, p)) board_put(board, p, (Colour)rng_below(&rng, 2));
            assert_int_equal(board->won != CELL_EMPTY, board_scan_winner(board) != CELL_EMPTY);
            dead += was_won && board->won == CELL_EMPTY;
        }
        board_close(board);
    }
    if (dead <= 20) fail_msg("only %d fives died", dead);
}

static void test_hash_is_of_the_position(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *a = board_open(&rules, NEAR_SQUARE2), *b = board_open(&rules, NEAR_SQUARE2);
    Point p = rules_point(&rules, 7, 7), q = rules_point(&rules, 8, 8),
          r = rules_point(&rules, 1, 2);
    board_play(a, p), board_play(a, q), board_play(a, r);
    board_play(b, r), board_play(b, q), board_play(b, p);
    assert_int_equal(a->hash, b->hash);
    board_pass(b);
    assert_int_not_equal(a->hash, b->hash);
    board_close(a);
    board_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_freestyle),
        cmocka_unit_test(test_standard),
        cmocka_unit_test(test_renju),
        cmocka_unit_test(test_caro),
        cmocka_unit_test(test_caro6),
        cmocka_unit_test(test_every_shape_of_board),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_set_up_stones),
        cmocka_unit_test(test_order_of_set_up),
        cmocka_unit_test(test_hash_is_of_the_position),
    };
    return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
