/* SPDX-License-Identifier: MIT */
/* m,n,k games solved to the end, with the library's win test against results known for decades: a
 * win missed or seen too often anywhere on the board changes one of them.
 *
 * One question at a time: can the attacker force a win? A draw counts as the defender's. First
 * Black attacks; where he fails White does, so that "draw" is shown and not concluded from
 * strategy stealing (which exact rows do not allow). Only boards of up to 30 cells, so that a
 * position is its own hash key. */
#include "base/mem.h"
#include "game/stones.h"
#include "game/sym.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS_MAX = 30, WINDOWS_MAX = 4 * CELLS_MAX, TABLE_SIZE = 1 << 22 };

typedef enum { DRAW, WIN } Result; /* for the first player; nobody ever found a loss */

typedef enum { FAST, SLOW, LONG } Cost; /* LONG needs MNK_LONG=1, SLOW is left out by QUICK */

typedef struct {
    int m, n, k;
    bool exact; /* more than k is nothing */
    Result result;
    Cost cost;
} Fact;

static const Fact FACTS[] = {
    {3, 3, 3, false, DRAW, FAST}, {2, 3, 3, false, DRAW, FAST}, {2, 4, 3, false, DRAW, FAST},
    {2, 5, 3, false, DRAW, FAST}, {2, 9, 3, false, DRAW, FAST}, {1, 9, 3, false, DRAW, FAST},
    {3, 4, 3, false, WIN, FAST},  {3, 5, 3, false, WIN, FAST},  {4, 4, 3, false, WIN, FAST},
    {5, 5, 3, false, WIN, FAST},  {2, 4, 4, false, DRAW, FAST}, {2, 5, 4, false, DRAW, FAST},
    {3, 4, 4, false, DRAW, FAST}, {4, 4, 4, false, DRAW, FAST}, {4, 5, 4, false, DRAW, FAST},
    {4, 6, 4, false, DRAW, SLOW}, {5, 5, 4, false, DRAW, SLOW}, {6, 5, 4, false, WIN, SLOW},
    {5, 5, 5, false, DRAW, LONG},

    {3, 3, 3, true, DRAW, FAST},  {2, 9, 3, true, DRAW, FAST},  {3, 4, 3, true, WIN, FAST},
    {3, 5, 3, true, WIN, FAST},   {4, 4, 3, true, WIN, FAST},   {4, 4, 4, true, DRAW, FAST},
    {4, 5, 4, true, DRAW, FAST},  {4, 6, 4, true, DRAW, SLOW},  {5, 5, 4, true, DRAW, SLOW},
    {5, 6, 4, true, WIN, SLOW},   {5, 5, 5, true, DRAW, LONG},
};
enum { FACT_COUNT = sizeof FACTS / sizeof *FACTS };

typedef struct {
    Stones stones;
    Colour attacker;
    int cells;
    uint32_t side[COLOUR_COUNT];  /* stones by cell in reading order: key and pruning */
    uint32_t window[WINDOWS_MAX]; /* every k cells in a row */
    int window_count;
    uint8_t image[SYM_MAX][CELLS_MAX]; /* where a symmetry puts each cell */
    uint64_t *table; /* position, with KNOWN and the answer in bits no cell uses; 0: nothing */
    uint64_t nodes;
} Solver;

static const uint64_t KNOWN = 1ull << 63, WON = 1ull << 62;

static void solver_open(Solver *s, const Rules *rules)
{
    static const int STEP[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    memset(s, 0, sizeof *s);
    stones_open(&s->stones, rules);
    s->cells = rules->width * rules->height;
    assert_true(s->cells <= CELLS_MAX);
    s->table = mem_zero(TABLE_SIZE * sizeof *s->table);
    for (int i = 0; i < s->cells; i++) {
        for (int dir = 0; dir < 4; dir++) {
            uint32_t window = 0;
            for (int n = 0; n < rules->k; n++) {
                int x = i % rules->width + n * STEP[dir][0],
                    y = i / rules->width + n * STEP[dir][1];
                if (rules_inside(rules, x, y)) window |= 1u << (y * rules->width + x);
            }
            if (__builtin_popcount(window) == rules->k) s->window[s->window_count++] = window;
        }
        for (int sym = 0; sym < sym_count(rules); sym++) {
            Point p = sym_point(rules, (Sym)sym, rules_nth(rules, i));
            s->image[sym][i] = (uint8_t)(rules_y(rules, p) * rules->width + rules_x(rules, p));
        }
    }
}

static void solver_close(Solver *s)
{
    mem_free(s->table);
    stones_close(&s->stones);
}

static uint32_t turned(const uint8_t image[CELLS_MAX], uint32_t cells)
{
    uint32_t out = 0;
    for (; cells; cells &= cells - 1) out |= 1u << image[__builtin_ctz(cells)];
    return out;
}

/* The smallest of the position's images, as a number. */
static uint64_t position_key(const Solver *s)
{
    uint64_t least = UINT64_MAX;
    for (int sym = 0; sym < sym_count(&s->stones.rules); sym++) {
        uint64_t white = turned(s->image[sym], s->side[WHITE]);
        uint64_t key = white << CELLS_MAX | turned(s->image[sym], s->side[BLACK]);
        if (key < least) least = key;
    }
    return KNOWN | least;
}

static uint64_t *table_slot(Solver *s, uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    return &s->table[(hash ^ hash >> 32) & (TABLE_SIZE - 1)];
}

static void solver_play(Solver *s, Colour c, int cell)
{
    stones_play(&s->stones, c, rules_nth(&s->stones.rules, cell));
    s->side[c] |= 1u << cell;
}

static void solver_undo(Solver *s, Colour c, int cell)
{
    stones_remove(&s->stones, rules_nth(&s->stones.rules, cell));
    s->side[c] &= ~(1u << cell);
}

/* Cells where the colour wins at once, by the library's word. */
static uint32_t winning_cells(Solver *s, Colour c)
{
    uint32_t wins = 0, empty = ~(s->side[BLACK] | s->side[WHITE]) & ((1u << s->cells) - 1);
    for (; empty; empty &= empty - 1) {
        int cell = __builtin_ctz(empty);
        solver_play(s, c, cell);
        if (stones_wins_at(&s->stones, c, rules_nth(&s->stones.rules, cell))) wins |= 1u << cell;
        solver_undo(s, c, cell);
    }
    return wins;
}

/* Scores the cells by the windows either side can still fill; false when the attacker has none. */
static bool score_cells(const Solver *s, int score[CELLS_MAX])
{
    bool alive = false;
    memset(score, 0, CELLS_MAX * sizeof *score);
    for (int i = 0; i < s->window_count; i++) {
        uint32_t w = s->window[i];
        bool black = w & s->side[BLACK], white = w & s->side[WHITE];
        if (black && white) continue;
        if (!(w & s->side[colour_other(s->attacker)])) alive = true;
        int stones = __builtin_popcount(w & (s->side[BLACK] | s->side[WHITE]));
        for (uint32_t rest = w; rest; rest &= rest - 1)
            score[__builtin_ctz(rest)] += 1 << 2 * stones;
    }
    return alive;
}

static bool attacker_wins(Solver *s, Colour mover);

static bool search_cells(Solver *s, Colour mover, uint32_t cells, int score[CELLS_MAX])
{
    bool attacking = mover == s->attacker;
    while (cells) {
        int best = __builtin_ctz(cells);
        for (uint32_t rest = cells; rest; rest &= rest - 1)
            if (score[__builtin_ctz(rest)] > score[best]) best = __builtin_ctz(rest);
        cells &= ~(1u << best);
        solver_play(s, mover, best);
        bool won = attacker_wins(s, colour_other(mover));
        solver_undo(s, mover, best);
        if (won == attacking) return won;
    }
    return !attacking;
}

/* The last move did not win, and mover is to play. */
static bool attacker_wins(Solver *s, Colour mover)
{
    uint32_t empty = ~(s->side[BLACK] | s->side[WHITE]) & ((1u << s->cells) - 1);
    int score[CELLS_MAX];
    if (!empty || !score_cells(s, score)) return false;
    uint64_t key = position_key(s);
    uint64_t *slot = table_slot(s, key);
    if ((*slot & ~WON) == key) return *slot & WON;
    s->nodes++;
    bool won;
    if (winning_cells(s, mover)) {
        won = mover == s->attacker;
    } else {
        uint32_t threats = winning_cells(s, colour_other(mover));
        won = search_cells(s, mover, threats ? threats & -threats : empty, score);
    }
    *slot = key | (won ? WON : 0);
    return won;
}

static bool can_win(const Rules *rules, Colour attacker, uint64_t *nodes)
{
    Solver s;
    solver_open(&s, rules);
    s.attacker = attacker;
    bool won = attacker_wins(&s, BLACK);
    *nodes += s.nodes;
    solver_close(&s);
    return won;
}

static void check_fact(const Fact *f, int width, int height)
{
    Rules rules;
    uint64_t nodes = 0;
    rules_init(&rules, f->exact ? RULE_STANDARD : RULE_FREESTYLE, width, height, f->k);
    bool black = can_win(&rules, BLACK, &nodes);
    bool white = !black && can_win(&rules, WHITE, &nodes);
    print_message("%dx%d k=%d %-5s %s  %llu nodes\n", width, height, f->k,
                  f->exact ? "exact" : "k+",
                  black   ? "win"
                  : white ? "LOSS"
                          : "draw",
                  (unsigned long long)nodes);
    assert_false(white);
    assert_int_equal(black, f->result == WIN);
}

static void test_facts(void **state)
{
    (void)state;
    Cost most = getenv("QUICK") ? FAST : getenv("MNK_LONG") ? LONG : SLOW;
    for (int i = 0; i < FACT_COUNT; i++) {
        const Fact *f = &FACTS[i];
        if (f->cost > most) continue;
        check_fact(f, f->m, f->n);
        if (f->cost == FAST && f->m != f->n) check_fact(f, f->n, f->m);
    }
}

static const Fact *fact_find(int m, int n, int k, bool exact)
{
    for (int i = 0; i < FACT_COUNT; i++) {
        const Fact *f = &FACTS[i];
        bool same_board = (f->m == m && f->n == n) || (f->m == n && f->n == m);
        if (same_board && f->k == k && f->exact == exact) return f;
    }
    return NULL;
}

/* Every row of the collected table that is one board within our reach is among the facts, with the
 * same answer. */
static void test_table(void **state)
{
    (void)state;
    FILE *file = fopen("../shared/data/mnk/table.tsv", "r");
    if (!file) {
        print_message("no ../shared/data/mnk/table.tsv: skipped\n");
        skip();
    }
    char line[1000];
    int rows = 0;
    while (fgets(line, sizeof line, file)) {
        char m[16], n[16], overline[16], result[16], *end_m, *end_n;
        int k;
        if (sscanf(line, "%15s %15s %d %15s %15s", m, n, &k, overline, result) != 5) continue;
        long width = strtol(m, &end_m, 10), height = strtol(n, &end_n, 10);
        if (*end_m || *end_n || width * height > CELLS_MAX) continue;
        const Fact *f = fact_find((int)width, (int)height, k, strcmp(overline, "exact") == 0);
        if (!f) fail_msg("not among the facts: %s", line);
        assert_string_equal(result, f->result == WIN ? "WIN" : "DRAW");
        rows++;
    }
    fclose(file);
    print_message("%d rows of the table agree\n", rows);
    assert_true(rows >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
