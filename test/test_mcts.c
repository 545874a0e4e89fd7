/* SPDX-License-Identifier: MIT */
/* Rollouts by rule of thumb against a slow reference, and the tree search on them. */
#include "game/ban.h"
#include "position.h"
#include "search/rollout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- the reference: every empty point is asked, with nothing kept ---- */

static int row_through(const Stones *s, Colour colour, Point p, int step, bool *free)
{
    int length = 1;
    *free = true;
    for (int sense = -1; sense <= 1; sense += 2) {
        int at = p + sense * step;
        for (; stones_has(s, colour, (Point)at); at += sense * step) length++;
        int x = rules_x(&s->rules, (Point)at), y = rules_y(&s->rules, (Point)at);
        if (!rules_inside(&s->rules, x, y) || stones_cell(s, (Point)at) != CELL_EMPTY)
            *free = false;
    }
    return length;
}

static bool is_open_four(const Stones *s, Colour colour, Point p)
{
    int stride = rules_stride(&s->rules);
    const int steps[] = {1, stride, stride + 1, stride - 1};
    for (int i = 0; i < 4; i++) {
        bool free;
        if (row_through(s, colour, p, steps[i], &free) == s->rules.k - 1 && free) return true;
    }
    return false;
}

/* 4: completes an own row … 1: spoils an open four of theirs, 0: nothing. */
static int rank(const Stones *s, Colour side, Point p)
{
    Colour other = colour_other(side);
    if (stones_wins_at(s, side, p)) return 4;
    if (stones_wins_at(s, other, p)) return 3;
    return is_open_four(s, side, p) ? 2 : is_open_four(s, other, p) ? 1 : 0;
}

static void check_move(const Stones *s, Colour side)
{
    int best = 0;
    for (int i = 0; i < s->empty_count; i++) {
        int r = rank(s, side, s->points[i]);
        if (r > best) best = r;
    }
    Point p = rollout_move(s, side);
    assert_int_equal(p ? rank(s, side, p) : 0, best);
    if (p) assert_int_equal(stones_cell(s, p), CELL_EMPTY);
}

static void test_heuristic(void **state)
{
    (void)state;
    static const struct {
        RuleKind rule;
        int width, height, k;
    } boards[] = {
        {RULE_FREESTYLE, 15, 15, 5}, {RULE_STANDARD, 9, 12, 5}, {RULE_CARO, 10, 10, 5},
        {RULE_FREESTYLE, 7, 7, 4},   {RULE_RENJU, 15, 15, 5},   {RULE_FREESTYLE, 3, 3, 3},
        {RULE_STANDARD, 20, 8, 6},
    };
    Rng rng;
    rng_seed(&rng, 3);
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        Rules rules;
        Stones s;
        rules_init(&rules, boards[b].rule, boards[b].width, boards[b].height, boards[b].k);
        stones_open(&s, &rules);
        for (int game = 0; game < 40; game++) {
            Colour side = BLACK, winner = COLOUR_COUNT;
            stones_clear(&s);
            while (s.empty_count && winner == COLOUR_COUNT) {
                /* Random enough for odd positions, sensible enough for many threats. */
                check_move(&s, side);
                Point p = rng_below(&rng, 3) ? rollout_move(&s, side) : POINT_NONE;
                if (!p) p = stones_pick(&s, &rng);
                stones_play(&s, side, p);
                if (stones_wins_at(&s, side, p)) winner = side;
                side = colour_other(side);
            }
            stones_clear(&s);
            winner = rollout_heuristic(&s, BLACK, &rng);
            assert_true(winner == COLOUR_COUNT ? s.empty_count == 0 : stones_has_won(&s, winner));
        }
        stones_close(&s);
    }
}

/* ---- the tree ---- */

typedef struct {
    RolloutJudge judge;
    Mcts *mcts;
} Tree;

static void tree_open(Tree *tree, const Rules *rules, size_t memory, bool reuse)
{
    MctsOptions options = {.judge = &rollout_judge,
                           .ctx = &tree->judge,
                           .explore = 1.4142,
                           .reuse = reuse,
                           .near = NEAR_SQUARE2,
                           .memory = memory,
                           .seed = 5};
    tree->mcts = mcts_open(rules, &options, NULL);
    assert_non_null(tree->mcts);
    rollout_judge_open(&tree->judge, rules, stones_rollout);
    rng_seed(&tree->judge.rng, 6);
}

static MctsResult tree_run(Tree *tree, const Board *board, const Limits *limits, int64_t rounds)
{
    MctsResult result;
    Leash leash;
    leash_start(&leash, limits, board->stones, 8, NULL);
    mcts_run(tree->mcts, board, limits, rounds, &leash, &result);
    return result;
}

static void tree_close(Tree *tree)
{
    mcts_close(tree->mcts);
    rollout_judge_close(&tree->judge);
}

static void test_tree(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 9, 9, 5);
    Limits none = {0};
    Board *board = board_from(&rules, "b:c5d5e5f5/w:b5c4d4e4", 'b');
    Point win = rules_point(&rules, 6, 4); /* g5 */
    Tree a, b, small;
    tree_open(&a, &rules, 1 << 24, false);
    tree_open(&b, &rules, 1 << 24, false);
    tree_open(&small, &rules, 1, false); /* as small as it gets: full after a few moves */
    MctsResult first = tree_run(&a, board, &none, 2000), second = tree_run(&b, board, &none, 2000);
    assert_int_equal(first.rounds, 2000);
    assert_int_equal(first.move, win);
    assert_true(first.value >= 1);
    assert_int_equal(first.depth, second.depth);
    assert_int_equal(first.line_len, second.line_len);
    assert_int_equal(tree_run(&small, board, &none, 2000).move, win);

    MctsMove moves[81];
    int n = mcts_moves(a.mcts, moves, 81);
    int64_t visits = 0;
    for (int i = 0; i < n; i++) visits += moves[i].visits;
    assert_int_equal(n, 81 - board->stones);
    assert_int_equal(visits, 2000);

    Limits blocked = {.blocked = &win, .blocked_count = 1};
    assert_int_not_equal(tree_run(&a, board, &blocked, 500).move, win);
    Limits one = {.nodes = 1};
    MctsResult tiny = tree_run(&a, board, &one, 0);
    assert_int_equal(tiny.rounds, 1);
    assert_true(ban_allows(board, tiny.move, board->side));
    tree_close(&a);
    tree_close(&b);
    tree_close(&small);
    board_close(board);
}

/* Of two moves more the tree still knows what it saw; anything else starts anew. */
static void test_reuse(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 5, 5, 4);
    Limits none = {0};
    Board *board = board_from(&rules, "c3", 0);
    Tree tree;
    tree_open(&tree, &rules, 1 << 24, true);
    MctsResult result = tree_run(&tree, board, &none, 5000);
    assert_true(result.line_len >= 2);
    board_play(board, result.line[0]);
    board_play(board, result.line[1]);
    tree_run(&tree, board, &none, 1);
    MctsMove moves[25];
    int n = mcts_moves(tree.mcts, moves, 25);
    int64_t visits = 0;
    for (int i = 0; i < n; i++) {
        visits += moves[i].visits;
        assert_true(board_is_empty(board, moves[i].move));
    }
    assert_true(visits > 10);
    board_undo(board);
    tree_run(&tree, board, &none, 1);
    n = mcts_moves(tree.mcts, moves, 25);
    visits = 0;
    for (int i = 0; i < n; i++) visits += moves[i].visits;
    assert_int_equal(visits, 1);
    tree_close(&tree);
    board_close(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heuristic),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
