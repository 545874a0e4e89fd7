/* SPDX-License-Identifier: MIT */
/* Stones that make a position even: of a player whose every word is known, and of a real one. */
#include "game/notation.h"
#include "play/balance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a player that says what it is told to ---- */

typedef struct {
    const char *move;
    int depth, score; /* as the first look has them */
    int truth;        /* what a look at the move alone says */
} Told;

typedef struct {
    Player head;
    const Told *told;
    int stones; /* of the position that the list is about */
    int looks;
    SearchLine lines[8];
} Parrot;

static Point at(const Rules *rules, const char *text)
{
    Point p = POINT_NONE;
    assert_true(point_parse(rules, &text, &p, NULL));
    return p;
}

/* At the given position the whole list, after a move of it that one's truth, elsewhere an even
 * game with a list of one. */
static bool parrot_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                         Err *err)
{
    Parrot *parrot = (Parrot *)player;
    const Rules *rules = &board->rules;
    (void)err;
    parrot->looks++;
    thought->depth = 1;
    thought->best = parrot->lines;
    if (board->stones == parrot->stones) {
        assert_true(limits->lines > 1);
        for (int i = 0; parrot->told[i].move; i++) {
            const Told *told = &parrot->told[i];
            parrot->lines[thought->best_count++] = (SearchLine){
                .move = at(rules, told->move), .depth = told->depth, .score = told->score};
        }
    } else {
        parrot->lines[thought->best_count++] = (SearchLine){.move = at(rules, "a15")};
        for (int i = 0; board->stones == parrot->stones + 1 && parrot->told[i].move; i++)
            if (board_last_point(board) == at(rules, parrot->told[i].move))
                parrot->lines[0].score = -parrot->told[i].truth;
    }
    thought_set_move(thought, parrot->lines[0].move);
    thought_set_score(thought, parrot->lines[0].score);
    return true;
}

static const PlayerKind parrot_kind = {.think = parrot_think};

static Board *board_with(RuleKind kind, const char *moves)
{
    Rules rules;
    rules_init(&rules, kind, 15, 15, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    for (const char *s = moves; *s;) {
        Point p;
        assert_true(point_parse(&rules, &s, &p, NULL));
        board_play(board, p);
    }
    return board;
}

static void expect_stones(const Told *told, int stones, const char *points, int score)
{
    Err err;
    Thought thought = {0};
    Board *board = board_with(RULE_FREESTYLE, "h8h10");
    Parrot parrot = {.head.kind = &parrot_kind, .told = told, .stones = board->stones};
    Limits limits = {.nodes = 1000};
    char text[4 * POINT_TEXT_MAX] = "", one[POINT_TEXT_MAX];
    assert_true(balance_find(&parrot.head, board, &limits, stones, 0, &thought, &err));
    assert_int_equal(thought.decision, DECIDE_STONES);
    assert_int_equal(thought.stone_count, stones);
    for (int i = 0; i < stones; i++)
        strcat(text, point_text(&board->rules, thought.stones[i], one));
    assert_string_equal(text, points);
    assert_true(thought.has_value);
    assert_int_equal(thought.score, score);
    assert_true(parrot.looks < 10);
    board_close(board);
}

/* The time was up when only the best had been seen a ply deeper. */
static void test_best_is_deeper(void **state)
{
    (void)state;
    static const Told told[] = {{"h9", 12, -100, -120},
                                {"g9", 11, -2000, -2000},
                                {"i9", 11, -2500, -2500},
                                {"k9", 11, 18 - SCORE_WIN, 18 - SCORE_WIN},
                                {0}};
    expect_stones(told, 1, "h9", -120);
}

/* What seemed even is lost, and what seemed a little worse is not. */
static void test_looked_at_again(void **state)
{
    (void)state;
    static const Told told[] = {
        {"h9", 9, 900, 700}, {"g9", 9, 300, 310}, {"i9", 9, 10, -5000}, {"k9", 8, -20, -3000}, {0}};
    expect_stones(told, 1, "g9", 310);
}

static void test_nothing_is_even(void **state)
{
    (void)state;
    static const Told told[] = {{"h9", 9, 100, 4000}, {"g9", 9, 0, 5000}, {0}};
    expect_stones(told, 1, "h9", 4000);
}

/* The best first stone is put where the second can make up for it, and not where it wins. */
static void test_two(void **state)
{
    (void)state;
    static const Told behind[] = {{"h9", 9, -200, -250}, {"g9", 9, -900, -900}, {0}};
    static const Told ahead[] = {
        {"h9", 9, SCORE_WIN - 9, SCORE_WIN - 9}, {"g9", 9, 800, 900}, {"i9", 9, 30, 20}, {0}};
    static const Told hidden[] = {{"h9", 9, -20, 6000}, {"g9", 9, -40, -50}, {0}};
    expect_stones(behind, 2, "h9a15", 0);
    expect_stones(ahead, 2, "i9a15", 0);
    expect_stones(hidden, 2, "g9a15", 0);
}

/* ---- a real one ---- */

/* Two stones after which the first player has won were proposed here, whatever the limit. */
static void test_real(void **state)
{
    (void)state;
    Err err;
    Player *player = player_open("ab:eval=shape,memory=4M", &err);
    Board *board = board_with(RULE_FREESTYLE, "h8h10");
    assert_non_null(player);
    for (int64_t nodes = 20000; nodes <= 80000; nodes += 15000) {
        Thought thought, after;
        Limits limits = {.nodes = nodes}, longer = {.nodes = 100000, .forced_too = true};
        assert_true(balance_find(player, board, &limits, 2, 0, &thought, &err));
        assert_in_range(thought.nodes, 1, nodes + nodes / 10);
        for (int i = 0; i < 2; i++) board_play(board, thought.stones[i]);
        assert_true(player_think(player, board, &longer, &after, &err));
        for (int i = 0; i < 2; i++) board_undo(board);
        if (score_is_mate(after.score)) fail_msg("%lld nodes: %d", (long long)nodes, after.score);
    }
    board_close(board);
    player_close(player);
}

/* Where the nodes end in the midst of the moves the one good one is not passed over. */
static void test_cut_off(void **state)
{
    (void)state;
    Err err;
    Player *player = player_open("ab:memory=16M", &err);
    Board *board = board_with(RULE_RENJU, "h8i9g7j8j10g10");
    Point h10 = at(&board->rules, "h10");
    assert_non_null(player);
    for (int64_t nodes = 100000; nodes <= 250000; nodes += 75000) {
        Thought thought;
        Limits limits = {.nodes = nodes};
        assert_true(balance_find(player, board, &limits, 1, 0, &thought, &err));
        if (thought.stones[0] != h10) {
            char text[POINT_TEXT_MAX];
            fail_msg("%lld nodes: %s", (long long)nodes,
                     point_text(&board->rules, thought.stones[0], text));
        }
    }
    board_close(board);
    player_close(player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_is_deeper),
        cmocka_unit_test(test_looked_at_again),
        cmocka_unit_test(test_nothing_is_even),
        cmocka_unit_test(test_two),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
