/* SPDX-License-Identifier: MIT */
/* Whole games proved: known results of m,n,k games, certificates of them, and a checker that takes
 * nothing on trust. */
#include "base/mem.h"
#include "base/rng.h"
#include "game/notation.h"
#include "search/dfpn.h"
#include "search/proof.h"
#include "search/vct.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Dfpn *dfpn;

static int open_dfpn(void **state)
{
    (void)state;
    dfpn = dfpn_open(1 << 27);
    return 0;
}

static int close_dfpn(void **state)
{
    (void)state;
    dfpn_close(dfpn);
    return 0;
}

static Point next_move(void *ctx, Board *board)
{
    return dfpn_move(ctx, board);
}

/* --- known results --------------------------------------------------------------------------- */

static const struct {
    RuleKind rule;
    int width, height, k;
    bool first_wins, slow;
} FACTS[] = {
    {RULE_FREESTYLE, 3, 3, 3, false, false},  {RULE_FREESTYLE, 4, 3, 3, true, false},
    {RULE_FREESTYLE, 4, 4, 3, true, false},   {RULE_FREESTYLE, 4, 4, 4, false, false},
    {RULE_STANDARD, 4, 4, 3, true, false},    {RULE_FREESTYLE, 9, 2, 3, false, false},
    {RULE_FREESTYLE, 1, 1, 3, false, false},  {RULE_FREESTYLE, 6, 5, 4, true, false},
    {RULE_STANDARD, 5, 6, 4, true, false},    {RULE_FREESTYLE, 5, 5, 4, false, true},
    {RULE_FREESTYLE, 50, 2, 3, false, false}, {RULE_CARO, 1, 100, 3, false, false},
    {RULE_STANDARD, 3, 30, 4, false, false},  {RULE_FREESTYLE, 4, 6, 4, false, true},
};

static void test_known_results(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof FACTS / sizeof *FACTS; i++) {
        Rules rules;
        DfpnResult result;
        Err err;
        if (FACTS[i].slow && getenv("QUICK")) continue;
        rules_init(&rules, FACTS[i].rule, FACTS[i].width, FACTS[i].height, FACTS[i].k);
        Board *board = board_open(&rules, NEAR_ALL);
        Verdict verdict = dfpn_search(dfpn, board, GOAL_WIN, BLACK, NULL, &result);
        if (verdict != (FACTS[i].first_wins ? SOLVE_WIN : SOLVE_NONE))
            fail_msg("%dx%d k=%d: verdict %d", rules.width, rules.height, rules.k, verdict);
        if (verdict == SOLVE_WIN) {
            if (!proof_line_holds(board, result.line, result.plies, GOAL_WIN, &err))
                fail_msg("%s", err.text);
        } else {
            /* The second player does not win either: a draw is shown, not concluded. */
            verdict = dfpn_search(dfpn, board, GOAL_WIN, WHITE, NULL, &result);
            assert_int_equal(verdict, SOLVE_NONE);
        }
        board_close(board);
    }
}

/* Every move of both sides: can the attacker force a row? */
static bool can_win(Board *board, Colour attacker)
{
    bool attacks = board->side == attacker;
    if (board->won != CELL_EMPTY) return board->won == (Cell)(attacker + 1);
    if (board_is_full(board)) return false;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!board_is_empty(board, p)) continue;
        board_play(board, p);
        bool wins = can_win(board, attacker);
        board_undo(board);
        if (wins == attacks) return attacks;
    }
    return !attacks;
}

/* Where vct_has_hope sees none there is none. */
static void test_hope(void **state)
{
    (void)state;
    static const int sizes[][3] = {{4, 3, 3}, {3, 4, 3}, {6, 2, 3},
                                   {1, 9, 3}, {4, 4, 4}, {7, 2, 4}};
    Rng rng;
    int denied = 0, hoped = 0;
    rng_seed(&rng, 5);
    for (int round = 0; round < 3000; round++) {
        const int *size = sizes[round % 6];
        Rules rules;
        rules_init(&rules, round % 2 ? RULE_FREESTYLE : RULE_CARO, size[0], size[1], size[2]);
        Board *board = board_open(&rules, NEAR_ALL);
        int all = size[0] * size[1], stones = all - 8 + (int)rng_below(&rng, 6);
        while (board->stones < stones && board->won == CELL_EMPTY) {
            Point p = rules_nth(&rules, (int)rng_below(&rng, (uint32_t)all));
            if (board_is_empty(board, p)) board_play(board, p);
        }
        for (int c = 0; c < COLOUR_COUNT && board->won == CELL_EMPTY; c++) {
            bool hope = vct_has_hope(board, (Colour)c);
            if (!hope) assert_false(can_win(board, (Colour)c));
            denied += !hope;
            hoped += hope;
        }
        board_close(board);
    }
    assert_true(denied > 1000 && hoped > 1000);
}

/* --- certificates ---------------------------------------------------------------------------- */

static void prove(const Rules *rules, const char *text, char side, Colour attacker, Goal goal,
                  Buf *out)
{
    Position position;
    DfpnResult result;
    Err err;
    if (!position_parse(rules, text, side, &position, &err)) fail_msg("%s", err.text);
    Board *board = board_open(rules, NEAR_ALL);
    for (int i = 0; i < position.count; i++)
        board_put(board, position.stones[i], (Colour)position.colours[i]);
    board_set_side(board, position.side);
    position_free(&position);
    assert_int_equal(dfpn_search(dfpn, board, goal, attacker, NULL, &result), SOLVE_WIN);
    if (!proof_write(board, attacker, next_move, dfpn, 1000000, out, &err))
        fail_msg("%s", err.text);
    board_close(board);
}

static void check_good(const Buf *text, Colour attacker)
{
    ProofSummary summary;
    Err err;
    if (!proof_check(buf_text(text), text->len, &summary, &err)) fail_msg("%s", err.text);
    assert_int_equal(summary.attacker, attacker);
    assert_int_equal(summary.moves, summary.positions);
}

static void check_bad(const char *text, const char *why)
{
    ProofSummary summary;
    Err err;
    assert_false(proof_check(text, strlen(text), &summary, &err));
    assert_int_equal(summary.is_one, strncmp(text, "goren-proof 1\n", 14) == 0);
    if (!strstr(err.text, why)) fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void test_certificates(void **state)
{
    (void)state;
    Rules rules;
    Buf text = BUF_EMPTY;
    rules_init(&rules, RULE_FREESTYLE, 6, 5, 4);
    prove(&rules, "b:/w:", 'b', BLACK, GOAL_WIN, &text);
    check_good(&text, BLACK);

    /* A threat on a big board: every one of 200 replies has its answer. */
    buf_clear(&text);
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    prove(&rules, "b:g8h8i9i10/w:a1c1e1", 'b', BLACK, GOAL_VCT, &text);
    check_good(&text, BLACK);

    /* The winner may be the one who is not to move; Black's block may be forbidden. */
    buf_clear(&text);
    rules_init(&rules, RULE_FREESTYLE, 5, 5, 3);
    prove(&rules, "b:c3/w:", 'w', BLACK, GOAL_WIN, &text);
    check_good(&text, BLACK);
    buf_clear(&text);
    rules_init(&rules, RULE_RENJU, 15, 15, 5);
    prove(&rules, "b:h9h10f8g8d5/w:e5f6i9", 'w', WHITE, GOAL_VCT, &text);
    check_good(&text, WHITE);
    buf_free(&text);
}

#define HEAD "goren-proof 1\nrule freestyle\nsize 4x4\nwin 3\nattacker b\nside b\n"

static void test_bad_certificates(void **state)
{
    (void)state;
    check_bad("", "goren-proof");
    check_bad("goren-proof 2\n", "version");
    check_bad("goren-proof 1\nrule chess\n", "chess");
    check_bad("goren-proof 1\nrule renju\nsize 4\nwin 3\n", "size");
    check_bad("goren-proof 1\nrule renju\nsize 4x400\nwin 3\n", "");
    check_bad(HEAD "position zz\nmoves 0\n", "");
    check_bad(HEAD "position b:a1/w:\nmoves 1\nxyz\n", "key");
    check_bad(HEAD "position b:a1/w:\nmoves 0\nmore\n", "more");
    /* Read well, and wrong. */
    check_bad(HEAD "position b:b2/w:a4\nmoves 0\n", "no move is given");
    check_bad(HEAD "position b:a1b1c1/w:\nmoves 0\n", "over already");
    check_bad("goren-proof 1\nrule freestyle\nsize 4x4\nwin 3\nattacker b\nside w\n"
              "position b:a1/w:c3d4\nmoves 0\n",
              "the defender wins");
}

/* A certificate with one move changed or one line missing does not hold, or is still a proof: never
 * does the checker stumble. */
static void test_damaged_certificate(void **state)
{
    (void)state;
    Rules rules;
    Buf text = BUF_EMPTY;
    rules_init(&rules, RULE_FREESTYLE, 4, 4, 3);
    prove(&rules, "b:/w:", 'b', BLACK, GOAL_WIN, &text);
    int held = 0;
    for (size_t i = 0; i < text.len; i++) {
        ProofSummary summary;
        Err err;
        char *copy = mem_copy(text.data, text.len + 1);
        copy[i] = copy[i] == 'a' ? 'b' : 'a';
        held += proof_check(copy, text.len, &summary, &err);
        copy[i] = '\0';
        assert_false(proof_check(copy, i, &summary, &err));
        mem_free(copy);
    }
    assert_true(held * 2 < (int)text.len);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_results),       cmocka_unit_test(test_hope),
        cmocka_unit_test(test_certificates),        cmocka_unit_test(test_bad_certificates),
        cmocka_unit_test(test_damaged_certificate),
    };
    return cmocka_run_group_tests(tests, open_dfpn, close_dfpn);
}
