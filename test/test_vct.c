/* SPDX-License-Identifier: MIT */
/* Wins by threats, and the prover behind them. What is left out of a list of defences must lose;
 * on small boards the prover must agree with searches that try every move; problem suites of
 * ../shared/data where they are (every row with SUITE_ALL=1). */
#include "base/rng.h"
#include "game/ban.h"
#include "game/record.h"
#include "search/dfpn.h"
#include "search/vct.h"
#include "position.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Vcf *vcf;
static Dfpn *dfpn;

static int open_all(void **state)
{
    (void)state;
    vcf = vcf_open(1 << 22);
    dfpn = dfpn_open(1 << 26);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    dfpn_close(dfpn);
    vcf_close(vcf);
    return 0;
}

static Board *random_board(const Rules *rules, Rng *rng, int stones)
{
    Board *board = board_open(rules, NEAR_SQUARE2);
    for (int i = 0; i < stones; i++) {
        Point p = rules_nth(rules, (int)rng_below(rng, (uint32_t)(rules->width * rules->height)));
        if (board_is_empty(board, p)) board_put(board, p, (Colour)(i & 1));
    }
    while (board->won != CELL_EMPTY)
        board_undo(board); /* a five that was too long or enclosed stays */
    board_set_side(board, (Colour)rng_below(rng, 2));
    return board;
}

/* --- named positions ------------------------------------------------------------------------- */

static const struct {
    const char *name;
    RuleKind rule;
    int size, k;
    char side;
    const char *position;
    Verdict verdict;
} CASES[] = {
    {"double three", RULE_FREESTYLE, 15, 5, 'b', "b:g8h8i9i10/w:a1c1e1", SOLVE_WIN},
    {"not for White", RULE_RENJU, 15, 5, 'w', "b:a1c1e1g1/w:g8h8i9i10", SOLVE_WIN},
    {"nothing there", RULE_FREESTYLE, 9, 5, 'b', "b:e5/w:d4", SOLVE_NONE},
    {"the defender is faster", RULE_FREESTYLE, 9, 5, 'b', "b:c4d4e5e6/w:a1b1c1d1", SOLVE_NONE},
    {"his four comes between", RULE_FREESTYLE, 7, 5, 'b', "b:c4d4/w:a1b1c1a7b7c7g5g6", SOLVE_NONE},
    {"k = 4", RULE_FREESTYLE, 7, 4, 'b', "b:d4/w:a1", SOLVE_WIN},
};

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Rules rules;
        DfpnResult result;
        Err err;
        rules_init(&rules, CASES[i].rule, CASES[i].size, CASES[i].size, CASES[i].k);
        Board *board = board_from(&rules, CASES[i].position, CASES[i].side);
        uint64_t hash = board->hash;
        Verdict verdict = dfpn_search(dfpn, board, GOAL_VCT, board->side, NULL, &result);
        if (verdict != CASES[i].verdict) fail_msg("%s: verdict %d", CASES[i].name, verdict);
        if (verdict == SOLVE_WIN &&
            !proof_line_holds(board, result.line, result.plies, GOAL_VCT, &err))
            fail_msg("%s: %s", CASES[i].name, err.text);
        assert_true(board->hash == hash);
        board_close(board);
    }
}

/* --- defences -------------------------------------------------------------------------------- */

static const struct {
    RuleKind rule;
    int width, height, k;
} GAMES[] = {
    {RULE_FREESTYLE, 11, 11, 5}, {RULE_STANDARD, 11, 11, 5}, {RULE_RENJU, 11, 11, 5},
    {RULE_RENJU, 13, 9, 5},      {RULE_CARO, 11, 11, 5},     {RULE_CARO6, 11, 11, 5},
    {RULE_FREESTYLE, 8, 8, 4},   {RULE_CARO, 9, 9, 4},
};
enum { GAME_COUNT = sizeof GAMES / sizeof *GAMES };

/* Every legal move that is not listed must lose to some win by fours, and every listed one must
 * refute the line that was shown. */
static void check_defences(Board *board, const VcfResult *win)
{
    static VcfResult after;
    static Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int n = vct_defences(board, win, moves);
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!ban_allows(board, p, board->side)) continue;
        bool listed = false;
        for (int j = 0; j < n; j++) listed |= moves[j] == p;
        board_play(board, p);
        if (listed)
            assert_false(vct_line_wins(board, win->line, win->plies));
        else
            assert_int_equal(vcf_search(vcf, board, NULL, &after), SOLVE_WIN);
        board_undo(board);
    }
}

static void test_defences(void **state)
{
    (void)state;
    static VcfResult win;
    int rounds = getenv("SUITE_ALL") ? 40000 : getenv("QUICK") ? 200 : 800;
    Rng rng;
    rng_seed(&rng, 7);
    for (int game = 0; game < GAME_COUNT; game++) {
        Rules rules;
        int threats = 0;
        rules_init(&rules, GAMES[game].rule, GAMES[game].width, GAMES[game].height, GAMES[game].k);
        int cells = rules.width * rules.height;
        for (int i = 0; i < rounds; i++) {
            Board *board = random_board(&rules, &rng, cells / 6 + (int)rng_below(&rng, 20));
            Colour attacker = colour_other(board->side);
            if (!board->count[board->side][CLASS_FIVE] && !board->count[attacker][CLASS_FIVE]) {
                board_pass(board);
                Verdict verdict = vcf_search(vcf, board, NULL, &win);
                board_undo(board);
                if (verdict == SOLVE_WIN) {
                    check_defences(board, &win);
                    threats++;
                }
            }
            board_close(board);
        }
        print_message("%s %dx%d k=%d: %d threats\n", rule_name(rules.kind), rules.width,
                      rules.height, rules.k, threats);
        assert_true(threats > rounds / 20);
    }
}

/* Adding a white stone never makes a black point look more like a foul: what vct.c relies on. */
static void test_fouls_shrink(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_RENJU, 15, 15, 5);
    const SideRule *rule = &rules.side[BLACK];
    for (uint32_t own = 0; own < 1u << 11; own++) {
        for (uint32_t opp = 0; opp < 1u << 11; opp++) {
            if ((own & opp) || ((own | opp) & 1u << 5)) continue;
            Shape before = line_shape(rule, 5, (Window){own, opp, 0});
            for (int i = 0; i < 11; i++) {
                if (i == 5 || ((own | opp) >> i & 1)) continue;
                Shape after = line_shape(rule, 5, (Window){own, opp | 1u << i, 0});
                if (after == SHAPE_OVERLINE) assert_int_equal(before, SHAPE_OVERLINE);
                if (before == SHAPE_OVERLINE) continue;
                assert_true(after <= before);
                bool four = after == SHAPE_FOUR || after == SHAPE_OPEN_FOUR;
                if (before == SHAPE_OPEN_FOUR && four) continue;
                if (after == SHAPE_DOUBLE_FOUR) assert_int_equal(before, SHAPE_DOUBLE_FOUR);
            }
        }
    }
}

/* --- small boards, every move ---------------------------------------------------------------- */

/* Plain memo of positions by hash: 0 unknown, 1 no, 2 yes. */
enum { MEMO_SIZE = 1 << 18 };
static struct {
    uint64_t key;
    int value;
} memo[MEMO_SIZE];
static int budget;

static bool ref_defender(Board *board, Colour attacker, Goal goal);

static bool ref_is_threat(Board *board)
{
    static VcfResult result;
    board_pass(board);
    Verdict verdict = vcf_search(vcf, board, NULL, &result);
    board_undo(board);
    return verdict == SOLVE_WIN;
}

static bool ref_attacker(Board *board, Colour attacker, Goal goal)
{
    size_t at = board->hash % MEMO_SIZE;
    if (board->count[attacker][CLASS_FIVE]) return true;
    if (memo[at].key == board->hash && memo[at].value) return memo[at].value == 2;
    if (budget-- < 0) return false;
    bool wins = false;
    for (int i = 0; i < board->rules.width * board->rules.height && !wins; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!ban_allows(board, p, attacker)) continue;
        board_play(board, p);
        bool attacks = goal == GOAL_WIN || board->count[attacker][CLASS_FIVE] ||
                       (!board->count[board->side][CLASS_FIVE] && ref_is_threat(board));
        if (attacks) wins = ref_defender(board, attacker, goal);
        board_undo(board);
    }
    memo[at].key = board->hash;
    memo[at].value = wins ? 2 : 1;
    return wins;
}

static bool ref_defender(Board *board, Colour attacker, Goal goal)
{
    if (board->count[board->side][CLASS_FIVE] || board_is_full(board)) return false;
    bool moved = false;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!ban_allows(board, p, board->side)) continue;
        moved = true;
        board_play(board, p);
        bool wins = ref_attacker(board, attacker, goal);
        board_undo(board);
        if (!wins) return false;
    }
    return moved;
}

static void check_small(const Rules *rules, Goal goal, int stones, int rounds)
{
    Rng rng;
    int asked = 0, wins = 0;
    rng_seed(&rng, (uint64_t)(goal * 1000 + rules->width * 10 + rules->k));
    memset(memo, 0, sizeof memo);
    for (int i = 0; i < rounds; i++) {
        Board *board = random_board(rules, &rng, stones);
        DfpnResult result;
        Err err;
        budget = goal == GOAL_WIN ? 20000 : 2000;
        bool expected = ref_attacker(board, board->side, goal);
        if (budget < 0) {
            memset(memo, 0, sizeof memo);
        } else {
            Verdict verdict = dfpn_search(dfpn, board, goal, board->side, NULL, &result);
            assert_int_equal(verdict, expected ? SOLVE_WIN : SOLVE_NONE);
            if (expected && !proof_line_holds(board, result.line, result.plies, goal, &err))
                fail_msg("%s", err.text);
            asked++;
            wins += expected && !board->count[board->side][CLASS_FIVE];
        }
        board_close(board);
    }
    print_message("%s %dx%d k=%d goal %d: %d positions, %d wins\n", rule_name(rules->kind),
                  rules->width, rules->height, rules->k, goal, asked, wins);
    assert_true(asked > rounds / 5);
}

static void test_small_boards(void **state)
{
    (void)state;
    static const struct {
        RuleKind rule;
        int width, height, k, stones;
        Goal goal;
    } SMALL[] = {
        {RULE_FREESTYLE, 5, 5, 4, 10, GOAL_VCT}, {RULE_STANDARD, 6, 5, 4, 14, GOAL_VCT},
        {RULE_CARO, 5, 5, 4, 10, GOAL_VCT},      {RULE_CARO6, 5, 5, 4, 10, GOAL_VCT},
        {RULE_RENJU, 7, 7, 5, 30, GOAL_VCT},     {RULE_FREESTYLE, 7, 6, 5, 24, GOAL_VCT},
        {RULE_FREESTYLE, 4, 4, 3, 4, GOAL_WIN},  {RULE_FREESTYLE, 5, 4, 4, 8, GOAL_WIN},
        {RULE_STANDARD, 5, 4, 4, 8, GOAL_WIN},   {RULE_CARO, 5, 4, 4, 8, GOAL_WIN},
        {RULE_CARO6, 4, 4, 3, 4, GOAL_WIN},      {RULE_RENJU, 6, 6, 5, 28, GOAL_WIN},
    };
    int rounds = getenv("SUITE_ALL") ? 600 : getenv("QUICK") ? 10 : 30;
    for (size_t i = 0; i < sizeof SMALL / sizeof *SMALL; i++) {
        Rules rules;
        rules_init(&rules, SMALL[i].rule, SMALL[i].width, SMALL[i].height, SMALL[i].k);
        check_small(&rules, SMALL[i].goal, SMALL[i].stones, rounds);
    }
}

/* --- limits ---------------------------------------------------------------------------------- */

static void test_limits(void **state)
{
    (void)state;
    Rules rules;
    DfpnResult result;
    rules_init(&rules, RULE_FREESTYLE, 7, 7, 4);
    Board *board = board_from(&rules, "b:d4/w:a1", 'b');
    Dfpn *small = dfpn_open(1 << 20);
    DfpnLimits limits = {.nodes = 1};
    assert_int_equal(dfpn_search(small, board, GOAL_VCT, BLACK, &limits, &result), SOLVE_UNKNOWN);
    atomic_bool stop = true;
    limits = (DfpnLimits){.stop = &stop};
    assert_int_equal(dfpn_search(small, board, GOAL_VCT, BLACK, &limits, &result), SOLVE_UNKNOWN);
    assert_int_equal(dfpn_search(small, board, GOAL_VCT, BLACK, NULL, &result), SOLVE_WIN);
    board_close(board);
    dfpn_close(small);
}

/* What one search could not find out is no answer to the next one. */
static void test_doubt(void **state)
{
    (void)state;
    Rules rules;
    DfpnResult result;
    atomic_bool stop = true;
    static const int64_t budgets[] = {0, 1, 2, 5, 20};
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *lost = board_from(&rules, "b:c8d8e8m3m4m5/w:a1o15a15o1k15", 'w');
    Board *quiet = board_from(&rules, "b:h8i8/w:a1", 'w');
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        Dfpn *small = dfpn_open(1 << 20);
        DfpnLimits limits = {.nodes = budgets[i], .stop = budgets[i] ? NULL : &stop};
        assert_int_not_equal(dfpn_search(small, lost, GOAL_VCT, BLACK, &limits, &result),
                             SOLVE_NONE);
        assert_int_equal(dfpn_search(small, lost, GOAL_VCT, BLACK, NULL, &result), SOLVE_WIN);
        for (int round = 0; round < 2; round++)
            assert_int_equal(dfpn_search(small, quiet, GOAL_VCT, BLACK, NULL, &result),
                             SOLVE_UNKNOWN);
        assert_int_equal(dfpn_search(small, lost, GOAL_VCT, BLACK, NULL, &result), SOLVE_WIN);
        dfpn_close(small);
    }
    board_close(lost);
    board_close(quiet);
}

/* Tables far too small for a question end it without an answer; small questions fit. */
static void test_tiny_tables(void **state)
{
    (void)state;
    Rules rules;
    DfpnResult result;
    static const size_t sizes[] = {0, 1 << 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Dfpn *tiny = dfpn_open(sizes[i]);
        rules_init(&rules, RULE_FREESTYLE, 5, 5, 4);
        Board *board = board_from(&rules, "", 'b');
        uint64_t hash = board->hash;
        Verdict verdict = dfpn_search(tiny, board, GOAL_WIN, BLACK, NULL, &result);
        assert_int_equal(verdict, SOLVE_UNKNOWN);
        assert_true(hash == board->hash);
        board_close(board);
        rules_init(&rules, RULE_FREESTYLE, 7, 7, 4);
        board = board_from(&rules, "b:d4/w:a1", 'b');
        verdict = dfpn_search(tiny, board, GOAL_VCT, BLACK, NULL, &result);
        assert_int_equal(verdict, SOLVE_WIN);
        board_close(board);
        dfpn_close(tiny);
    }
}

/* --- the suites of ../shared/data ------------------------------------------------------------ */

static void check_suite(const char *path, int step)
{
    RecordSet set;
    Err err;
    suite_read(path, &set);
    bool quick = getenv("QUICK"); /* under the sanitizers: a handful of rows */
    if (getenv("SUITE_ALL")) step = 1;
    if (quick) step *= 6;
    int rows = 0, solved = 0;
    for (int i = 0; i < set.count; i += step, rows++) {
        const Record *record = &set.records[i];
        DfpnResult result;
        DfpnLimits limits = {.nodes = 1000000};
        Board *board = board_of(record);
        Verdict verdict = dfpn_search(dfpn, board, GOAL_VCT, board->side, &limits, &result);
        assert_int_not_equal(verdict, SOLVE_NONE);
        solved += verdict == SOLVE_WIN;
        if (verdict == SOLVE_WIN &&
            !proof_line_holds(board, result.line, result.plies, GOAL_VCT, &err))
            fail_msg("%s: %s", record->name, err.text);
        board_close(board);
    }
    print_message("%s: %d of %d rows solved\n", path, solved, rows);
    assert_true(solved * 100 >= rows * (quick ? 60 : 95));
    record_set_close(&set);
}

static void test_suite_vct(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/vct-renju.tsv", 10);
}

static void test_suite_win3(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/win3-renju.tsv", 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),        cmocka_unit_test(test_defences),
        cmocka_unit_test(test_fouls_shrink), cmocka_unit_test(test_small_boards),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_doubt),
        cmocka_unit_test(test_tiny_tables),  cmocka_unit_test(test_suite_vct),
        cmocka_unit_test(test_suite_win3),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
