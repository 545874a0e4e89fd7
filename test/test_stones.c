/* SPDX-License-Identifier: MIT */
/* Stones: the bit tests against a naive scan over windows of k cells, on random fillings of boards
 * of every shape and under every rule; then the rollouts. */
#include "base/rng.h"
#include "game/stones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What the naive scan reads: cells by x and y, nothing shared with Stones. */
typedef struct {
    const Rules *rules;
    uint8_t cell[SIZE_MAX_SIDE][SIZE_MAX_SIDE]; /* [y][x] */
} Plain;

static const int STEP[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

static Cell plain_at(const Plain *b, int x, int y)
{
    return rules_inside(b->rules, x, y) ? (Cell)b->cell[y][x] : CELL_WALL;
}

static bool is_row(const Plain *b, Colour c, int x, int y, int dir, int n)
{
    for (int i = 0; i < n; i++)
        if (plain_at(b, x + i * STEP[dir][0], y + i * STEP[dir][1]) != (Cell)(c + 1)) return false;
    return true;
}

/* Do the k cells from (x, y) on win, judged by themselves and their two neighbours? */
static bool window_wins(const Plain *b, Colour c, int x, int y, int dir)
{
    int k = b->rules->k, dx = STEP[dir][0], dy = STEP[dir][1];
    if (!is_row(b, c, x, y, dir, k)) return false;
    Cell own = (Cell)(c + 1), other = (Cell)(colour_other(c) + 1);
    Cell before = plain_at(b, x - dx, y - dy), after = plain_at(b, x + k * dx, y + k * dy);
    const SideRule *rule = &b->rules->side[c];
    if (before == own || after == own) return rule->overline == OVERLINE_WINS;
    return !(rule->enclosed_dead && before == other && after == other);
}

static bool plain_wins_at(const Plain *b, Colour c, int x, int y)
{
    for (int dir = 0; dir < 4; dir++)
        for (int i = 0; i < b->rules->k; i++)
            if (window_wins(b, c, x - i * STEP[dir][0], y - i * STEP[dir][1], dir)) return true;
    return false;
}

static bool plain_has_won(const Plain *b, Colour c)
{
    for (int y = 0; y < b->rules->height; y++)
        for (int x = 0; x < b->rules->width; x++)
            for (int dir = 0; dir < 4; dir++)
                if (window_wins(b, c, x, y, dir)) return true;
    return false;
}

static bool plain_has_row(const Plain *b, Colour c, int n)
{
    for (int y = 0; y < b->rules->height; y++)
        for (int x = 0; x < b->rules->width; x++)
            for (int dir = 0; dir < 4; dir++)
                if (is_row(b, c, x, y, dir, n)) return true;
    return false;
}

static void check_whole(const Stones *s, const Plain *b)
{
    for (int c = 0; c < COLOUR_COUNT; c++) {
        assert_int_equal(stones_has_won(s, (Colour)c), plain_has_won(b, (Colour)c));
        for (int n = 1; n <= s->rules.k; n++)
            assert_int_equal(stones_has_row(s, (Colour)c, n), plain_has_row(b, (Colour)c, n));
    }
}

/* Every point once, empty ones before the border and stones behind it. */
static void check_points(const Stones *s, const Plain *b)
{
    const Rules *r = &s->rules;
    for (int i = 0; i < s->point_count; i++) {
        Point p = rules_nth(r, i);
        assert_int_equal(s->points[s->place[p]], p);
        assert_int_equal(stones_cell(s, p), plain_at(b, rules_x(r, p), rules_y(r, p)));
        assert_int_equal(stones_cell(s, p) == CELL_EMPTY, s->place[p] < s->empty_count);
    }
}

/* Fills a board at random, on past the first win. Black's share varies so that long rows and
 * enclosed ones come up for every k; now and then a stone is taken off again. */
static void check_game(const Rules *rules, Rng *rng, int *wins)
{
    static Plain b;
    Stones s;
    memset(&b, 0, sizeof b);
    b.rules = rules;
    stones_open(&s, rules);
    uint32_t black_share = 30 + rng_below(rng, 60);
    int whole_every = 1 + s.point_count / 12;
    for (int move = 0; s.empty_count > 0; move++) {
        Point p = stones_pick(&s, rng);
        Colour c = rng_below(rng, 100) < black_share ? BLACK : WHITE;
        int x = rules_x(rules, p), y = rules_y(rules, p);
        stones_play(&s, c, p);
        b.cell[y][x] = (uint8_t)(c + 1);
        bool won = stones_wins_at(&s, c, p);
        assert_int_equal(won, plain_wins_at(&b, c, x, y));
        *wins += won;
        if (rng_below(rng, 10) == 0) {
            Point q = s.points[s.empty_count + (int)rng_below(rng, (uint32_t)stones_count(&s))];
            stones_remove(&s, q);
            b.cell[rules_y(rules, q)][rules_x(rules, q)] = CELL_EMPTY;
        }
        if (move % whole_every == 0) check_whole(&s, &b), check_points(&s, &b);
    }
    check_whole(&s, &b);
    check_points(&s, &b);
    stones_close(&s);
}

static void check_size(int width, int height, int games, Rng *rng, int *wins)
{
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        for (int k = WIN_MIN; k <= WIN_MAX; k++) {
            Rules rules;
            rules_init(&rules, (RuleKind)kind, width, height, k);
            for (int i = 0; i < games; i++) check_game(&rules, rng, wins);
        }
    }
}

static void test_wins(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 7);
    int wins = 0, side_step = getenv("QUICK") ? 4 : 1;
    for (int side = 1; side <= 22; side += side_step) {
        check_size(side, side, 2, &rng, &wins);
        check_size(side, 1 + (int)rng_below(&rng, 22), 1, &rng, &wins);
    }
    check_size(22, 22, 1, &rng, &wins);
    check_size(100, 5, 1, &rng, &wins);
    check_size(5, 100, 1, &rng, &wins);
    if (!getenv("QUICK")) check_size(100, 100, 1, &rng, &wins);
    assert_true(wins > 1000);
}

/* Rows along all four edges and across the seam between rows of the layout. */
static void test_edges(void **state)
{
    (void)state;
    Rules rules;
    Stones s;
    rules_init(&rules, RULE_FREESTYLE, 6, 6, 5);
    stones_open(&s, &rules);
    for (int i = 1; i < 6; i++) stones_play(&s, BLACK, rules_point(&rules, i, 0));
    assert_true(stones_has_won(&s, BLACK));
    stones_clear(&s);
    /* Three at the end of one row and three at the start of the next are no six. */
    for (int i = 0; i < 3; i++) stones_play(&s, WHITE, rules_point(&rules, 3 + i, 2));
    for (int i = 0; i < 3; i++) stones_play(&s, WHITE, rules_point(&rules, i, 3));
    assert_false(stones_has_row(&s, WHITE, 4));
    assert_true(stones_has_row(&s, WHITE, 3));
    stones_close(&s);
}

/* The same seed from the same position is the same game, and its end is what was returned. */
static void test_rollout(void **state)
{
    (void)state;
    static const int SHAPES[][3] = {{15, 15, 5}, {20, 20, 5}, {3, 3, 3}, {9, 4, 4},
                                    {40, 3, 3},  {1, 1, 3},   {6, 6, 6}};
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < (int)(sizeof SHAPES / sizeof *SHAPES); i++) {
        for (int round = 0; round < 50; round++) {
            Rules rules;
            Stones empty, a, b;
            rules_init(&rules, (RuleKind)(round % RULE_COUNT), SHAPES[i][0], SHAPES[i][1],
                       SHAPES[i][2]);
            stones_open(&empty, &rules), stones_open(&a, &rules), stones_open(&b, &rules);
            stones_copy(&a, &empty);
            stones_copy(&b, &empty);
            Rng same = rng;
            Colour side = (Colour)(round & 1), winner = stones_rollout(&a, side, &rng);
            assert_int_equal(stones_rollout(&b, side, &same), winner);
            assert_memory_equal(a.block, b.block, a.block_size);
            if (winner == COLOUR_COUNT) assert_int_equal(a.empty_count, 0);
            for (int c = 0; c < COLOUR_COUNT; c++)
                assert_int_equal(stones_has_won(&a, (Colour)c), winner == (Colour)c);
            int stones = stones_count(&a), firsts = 0;
            for (int n = 0; n < a.point_count; n++)
                firsts += stones_has(&a, side, rules_nth(&rules, n));
            assert_int_equal(firsts, (stones + 1) / 2);
            stones_close(&empty), stones_close(&a), stones_close(&b);
        }
    }
}

/* Random 15x15 games last 109 moves on average and the first player wins 51 % of them; both are
 * known well enough to notice a crooked generator or a missed win. */
static void test_rollout_statistics(void **state)
{
    (void)state;
    enum { GAMES = 20000 };
    Rules rules;
    Stones s;
    Rng rng;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    stones_open(&s, &rules);
    rng_seed(&rng, 11);
    int won[COLOUR_COUNT + 1] = {0};
    double moves = 0;
    for (int i = 0; i < GAMES; i++) {
        stones_clear(&s);
        won[stones_rollout(&s, BLACK, &rng)]++;
        moves += stones_count(&s);
    }
    assert_true(moves / GAMES > 108 && moves / GAMES < 110.2);
    assert_true(won[BLACK] > GAMES * 0.495 && won[BLACK] < GAMES * 0.525);
    assert_true(won[COLOUR_COUNT] < GAMES / 1000);
    stones_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wins),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_rollout),
        cmocka_unit_test(test_rollout_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
