/* SPDX-License-Identifier: MIT */
/* Wins by fours: every branch on a small position of its own, random positions against a slow
 * search that shares nothing with src/ but the rules' text, and the suites of ../shared/data where
 * they are (every row with SUITE_ALL=1). */
#include "base/rng.h"
#include "game/notation.h"
#include "game/record.h"
#include "rif.h"
#include "search/proof.h"
#include "search/vcf.h"
#include "position.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Vcf *vcf;

static int open_vcf(void **state)
{
    (void)state;
    vcf = vcf_open(1 << 22);
    return 0;
}

static int close_vcf(void **state)
{
    (void)state;
    vcf_close(vcf);
    return 0;
}

/* --- named positions ------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    RuleKind rule;
    int width, height, k;
    char side;
    const char *position;
    int plies;        /* of the shortest win; 0: none */
    const char *line; /* that it must begin with; NULL: any */
} Case;

static const Case CASES[] = {
    {"five", RULE_FREESTYLE, 15, 15, 5, 'b', "b:a1b1c1d1", 1, "e1"},
    {"open four", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f8g8h8", 3, NULL},
    {"an empty board", RULE_FREESTYLE, 15, 15, 5, 'b', "b:/w:", 0, NULL},
    {"a four leads nowhere", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f8g8h8/w:e8", 0, NULL},
    {"double four", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f8g8h8i9i10i11/w:e8i12", 3, "i8"},
    {"two steps", RULE_FREESTYLE, 15, 15, 5, 'b', "b:c3d3e3f4f5/w:b3", 5, "f3g3"},
    {"two blocks are one too many", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f8g8h8/w:a1b1c1d1a3b3c3d3",
     0, NULL},
    {"block with a double four", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f1g1h1e2e3e4/w:a1b1c1d1", 3,
     "e1"},
    {"the block is no four", RULE_FREESTYLE, 15, 15, 5, 'b', "b:f8g8h8/w:a1b1c1d1", 0, NULL},
    {"the reply makes a four", RULE_FREESTYLE, 15, 15, 5, 'b', "b:c3d3e3f4f5/w:b3g4g5g6", 0, NULL},
    /* Six wins in freestyle and is nothing in standard. */
    {"six counts", RULE_FREESTYLE, 15, 15, 5, 'b', "b:a1b1c1d1f1", 1, NULL},
    {"six is nothing", RULE_STANDARD, 15, 15, 5, 'b', "b:a1b1c1d1f1", 0, NULL},
    /* Renju: Black may not make two fours, White may; Black's only block may be forbidden. */
    {"double four is foul", RULE_RENJU, 15, 15, 5, 'b', "b:f8g8h8i9i10i11/w:e8i12", 0, NULL},
    {"not to White", RULE_RENJU, 15, 15, 5, 'w', "b:e8i12/w:f8g8h8i9i10i11", 3, "i8"},
    {"five outranks the foul", RULE_RENJU, 15, 15, 5, 'b', "b:e8f8g8h8i9i10i11/w:d8", 1, "i8"},
    {"the only block is a double three", RULE_RENJU, 15, 15, 5, 'w', "b:h9h10f8g8d5/w:e5f6i9", 3,
     "g7--"},
    /* Caro: an enclosed five is dead, so a straight four can be stopped. */
    {"enclosed", RULE_CARO, 15, 15, 5, 'b', "b:f8g8h8i8/w:e8k8", 0, NULL},
    {"the edge does not enclose", RULE_CARO, 15, 15, 5, 'b', "b:a8b8c8d8/w:f8", 1, "e8"},
    {"open four, both ends far", RULE_CARO, 15, 15, 5, 'b', "b:f8g8h8", 3, NULL},
    {"six wins when enclosed", RULE_CARO6, 15, 15, 5, 'b', "b:f8g8h8i8k8/w:e8l8", 1, "j8"},
    {"six is nothing in caro", RULE_CARO, 15, 15, 5, 'b', "b:f8g8h8i8k8/w:e8l8", 0, NULL},
    /* Other lengths and tiny boards. */
    {"three in a row", RULE_FREESTYLE, 3, 3, 3, 'b', "b:a1b2/w:a2", 1, "c3"},
    {"fork of threes", RULE_FREESTYLE, 4, 4, 3, 'b', "b:b2/w:a4", 3, NULL},
    {"k = 4", RULE_FREESTYLE, 7, 7, 4, 'b', "b:c4d4/w:a1", 3, NULL},
    {"k = 6", RULE_FREESTYLE, 15, 15, 6, 'b', "b:e8f8g8h8/w:a1", 3, NULL},
    {"k = 8, no table of shapes", RULE_FREESTYLE, 15, 15, 8, 'b', "b:d8e8f8g8h8i8", 3, NULL},
    {"no room", RULE_FREESTYLE, 4, 4, 5, 'b', "b:a1b2c3", 0, NULL},
    {"one row", RULE_FREESTYLE, 9, 1, 5, 'b', "b:c1d1e1", 3, NULL},
};

static void line_text(const Rules *rules, const VcfResult *result, char *text, size_t size)
{
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < result->plies && n + POINT_TEXT_MAX < size; i++) {
        char point[POINT_TEXT_MAX];
        n += (size_t)snprintf(text + n, size - n, "%s", point_text(rules, result->line[i], point));
    }
}

static void check_case(const Case *c)
{
    static VcfResult result;
    char text[4 * VCF_LINE_MAX];
    Rules rules;
    Err err;
    rules_init(&rules, c->rule, c->width, c->height, c->k);
    Board *board = board_from(&rules, c->position, c->side);
    VcfLimits limits = {.shortest = true};
    Verdict verdict = vcf_search(vcf, board, &limits, &result);
    line_text(&rules, &result, text, sizeof text);
    if (verdict != (c->plies ? SOLVE_WIN : SOLVE_NONE) || result.plies != c->plies)
        fail_msg("%s: verdict %d, %d plies: %s", c->name, verdict, result.plies, text);
    if (c->line && strncmp(text, c->line, strlen(c->line)) != 0)
        fail_msg("%s: %s, not %s", c->name, text, c->line);
    if (c->plies && !proof_line_holds(board, result.line, result.plies, GOAL_VCF, &err))
        fail_msg("%s: %s: %s", c->name, text, err.text);
    board_close(board);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) check_case(&CASES[i]);
}

/* --- the reference --------------------------------------------------------------------------- */

enum { REF_BUDGET = 150 };

typedef struct {
    const Rules *rules;
    RifBoard at; /* 'X' Black, 'O' White */
    int budget;  /* nodes left; negative: given up */
} Ref;

static char glyph(Colour colour)
{
    return colour == BLACK ? 'X' : 'O';
}

static bool ref_wins(Ref *ref, int x, int y, Colour colour)
{
    static const int DX[4] = {1, 0, 1, 1}, DY[4] = {0, 1, 1, -1};
    const Rules *r = ref->rules;
    const SideRule *side = &r->side[colour];
    char own = glyph(colour), other = glyph(colour_other(colour));
    for (int dir = 0; dir < 4; dir++) {
        int length = 1, enemies = 0;
        for (int sense = -1; sense <= 1; sense += 2) {
            int i = x + sense * DX[dir], j = y + sense * DY[dir];
            for (; rules_inside(r, i, j) && ref->at.cell[j][i] == own;
                 i += sense * DX[dir], j += sense * DY[dir])
                length++;
            enemies += rules_inside(r, i, j) && ref->at.cell[j][i] == other;
        }
        if (length > r->k && side->overline == OVERLINE_WINS) return true;
        if (length == r->k && !(side->enclosed_dead && enemies == 2)) return true;
    }
    return false;
}

static bool ref_legal(Ref *ref, int x, int y, Colour colour)
{
    if (ref->at.cell[y][x] != '.') return false;
    if (!ref->rules->side[colour].fouls) return true;
    RifVerdict verdict = rif_forbidden(&ref->at, x, y, NULL);
    return verdict == RIF_LEGAL || verdict == RIF_FIVE;
}

static bool ref_has_five(Ref *ref, Colour colour)
{
    for (int y = 0; y < ref->rules->height; y++)
        for (int x = 0; x < ref->rules->width; x++)
            if (ref->at.cell[y][x] == '.' && ref_wins(ref, x, y, colour)) return true;
    return false;
}

static int ref_attack(Ref *ref, Colour attacker);

/* The defender's turn: the plies that his longest defence lasts; 0 if one of them holds. */
static int ref_reply(Ref *ref, Colour defender)
{
    Colour attacker = colour_other(defender);
    int longest = 2;
    if (ref_has_five(ref, defender) || !ref_has_five(ref, attacker)) return 0;
    for (int y = 0; y < ref->rules->height; y++) {
        for (int x = 0; x < ref->rules->width; x++) {
            if (!ref_legal(ref, x, y, defender)) continue;
            ref->at.cell[y][x] = glyph(defender);
            int plies = ref_has_five(ref, attacker) ? 1 : ref_attack(ref, attacker);
            ref->at.cell[y][x] = '.';
            if (!plies) return 0;
            if (plies + 1 > longest) longest = plies + 1;
        }
    }
    return longest;
}

/* The attacker's turn: plies of the shortest win, 0 for none. */
static int ref_attack(Ref *ref, Colour attacker)
{
    int best = 0;
    if (ref_has_five(ref, attacker)) return 1;
    if (ref->budget < 0 || ref->budget-- == 0) return 0;
    for (int y = 0; y < ref->rules->height; y++) {
        for (int x = 0; x < ref->rules->width; x++) {
            if (ref->at.cell[y][x] != '.') continue;
            ref->at.cell[y][x] = glyph(attacker);
            bool four = ref_has_five(ref, attacker);
            ref->at.cell[y][x] = '.';
            if (!four || !ref_legal(ref, x, y, attacker)) continue;
            ref->at.cell[y][x] = glyph(attacker);
            int plies = ref_reply(ref, colour_other(attacker));
            ref->at.cell[y][x] = '.';
            if (plies && (!best || plies + 1 < best)) best = plies + 1;
        }
    }
    return best;
}

/* Stones thrown near each other, so that there are fours to find. */
static Board *random_board(const Rules *rules, Rng *rng, Ref *ref)
{
    Board *board = board_open(rules, NEAR_SQUARE2);
    int cells = rules->width * rules->height;
    int stones = cells / 4 + (int)rng_below(rng, (uint32_t)cells / 4);
    ref->rules = rules;
    ref->at.width = rules->width;
    ref->at.height = rules->height;
    memset(ref->at.cell, '.', sizeof ref->at.cell);
    for (int i = 0; i < stones; i++) {
        int x = (int)rng_below(rng, (uint32_t)rules->width);
        int y = (int)rng_below(rng, (uint32_t)rules->height);
        Point p = rules_point(rules, x, y);
        Colour colour = (Colour)(i & 1);
        if (!board_is_empty(board, p) || board_class(board, p, colour) == CLASS_FIVE) continue;
        board_put(board, p, colour);
        ref->at.cell[y][x] = glyph(colour);
    }
    board_set_side(board, (Colour)rng_below(rng, 2));
    return board;
}

static const struct {
    RuleKind rule;
    int width, height, k;
} GAMES[] = {
    {RULE_FREESTYLE, 9, 9, 5}, {RULE_STANDARD, 9, 9, 5},  {RULE_RENJU, 9, 9, 5},
    {RULE_CARO, 9, 9, 5},      {RULE_CARO6, 9, 9, 5},     {RULE_FREESTYLE, 7, 7, 4},
    {RULE_CARO, 7, 8, 4},      {RULE_CARO6, 8, 7, 4},     {RULE_STANDARD, 8, 7, 4},
    {RULE_RENJU, 10, 8, 5},    {RULE_FREESTYLE, 9, 9, 6}, {RULE_FREESTYLE, 5, 5, 3},
    {RULE_CARO, 11, 11, 8},
};
enum { GAME_COUNT = sizeof GAMES / sizeof *GAMES };

/* A keen search may overlook a win but never makes one up, and what it leaves in the table leads no
 * other astray. */
static void check_keen(Board *board, const VcfLimits *keen, int plies, int *wins)
{
    static VcfResult result;
    Err err;
    Verdict verdict = vcf_search(vcf, board, keen, &result);
    if (verdict == SOLVE_NONE)
        assert_true(!vcf_is_possible(board) || (!vcf_knows_idle(board) && !plies));
    if (verdict != SOLVE_WIN) return;
    assert_true(plies && vcf_is_likely(board));
    if (!proof_line_holds(board, result.line, result.plies, GOAL_VCF, &err))
        fail_msg("%s", err.text);
    *wins += plies > 1;
}

static void check_random(const Rules *rules, Rng *rng, int *wins, int *keen_wins, int *asked)
{
    static VcfResult result, short_result;
    static Ref ref;
    Err err;
    Board *board = random_board(rules, rng, &ref);
    if (board_scan_winner(board) == CELL_EMPTY) {
        uint64_t hash = board->hash;
        uint32_t end = board->end;
        ref.budget = REF_BUDGET;
        int plies = ref_attack(&ref, board->side);
        if (ref.budget >= 0) {
            Verdict expected = plies ? SOLVE_WIN : SOLVE_NONE;
            VcfLimits limits = {.shortest = true}, keen = {.keen = true};
            check_keen(board, &keen, plies, keen_wins);
            assert_int_equal(vcf_search(vcf, board, NULL, &result), expected);
            assert_int_equal(vcf_search(vcf, board, &limits, &short_result), expected);
            assert_int_equal(short_result.plies, plies);
            assert_true(result.plies >= plies);
            if (plies && !proof_line_holds(board, result.line, result.plies, GOAL_VCF, &err))
                fail_msg("%s", err.text);
            assert_true(board->hash == hash && board->end == end);
            ++*asked;
            *wins += plies > 1;
        }
    }
    board_close(board);
}

static void test_reference(void **state)
{
    (void)state;
    int rounds = getenv("SUITE_ALL") ? 5000 : getenv("QUICK") ? 40 : 240;
    Rng rng;
    rng_seed(&rng, 2024);
    for (int game = 0; game < GAME_COUNT; game++) {
        Rules rules;
        int wins = 0, keen_wins = 0, asked = 0;
        rules_init(&rules, GAMES[game].rule, GAMES[game].width, GAMES[game].height, GAMES[game].k);
        for (int i = 0; i < rounds; i++) check_random(&rules, &rng, &wins, &keen_wins, &asked);
        print_message("%s %dx%d k=%d: %d positions, %d wins of 3 plies or more, %d found keenly\n",
                      rule_name(rules.kind), rules.width, rules.height, rules.k, asked, wins,
                      keen_wins);
        assert_true(asked > rounds / 4 && keen_wins >= wins / 2);
    }
}

/* --- limits and tables ----------------------------------------------------------------------- */

/* A long problem of our own making would do; any position with many fours does. */
static const char *const MANY_FOURS = "b:c3d3e3c5d5e5c7d7e7c9d9e9c11d11e11/w:b3b5b7b9b11a1a2";

static void test_limits(void **state)
{
    (void)state;
    static VcfResult result;
    Rules rules;
    rules_init(&rules, RULE_STANDARD, 15, 15, 5);
    Board *board = board_from(&rules, "b:c3d3e3k5k6k7m9/w:b3k4a1a2a3", 'b');
    Vcf *own = vcf_open(0);
    assert_int_equal(vcf_search(own, board, NULL, &result), SOLVE_NONE);
    assert_true(result.nodes > 1);
    VcfLimits limits = {.nodes = 1};
    vcf_clear(own);
    assert_int_equal(vcf_search(own, board, &limits, &result), SOLVE_UNKNOWN);
    assert_int_equal(result.nodes, 1);
    atomic_bool stop = true;
    limits = (VcfLimits){.stop = &stop};
    assert_int_equal(vcf_search(own, board, &limits, &result), SOLVE_UNKNOWN);
    limits = (VcfLimits){.plies = 3};
    assert_int_equal(vcf_search(own, board, &limits, &result), SOLVE_UNKNOWN);
    limits = (VcfLimits){.plies = 99};
    assert_int_equal(vcf_search(own, board, &limits, &result), SOLVE_NONE);
    board_close(board);

    /* The table is speed only: a tiny one gives the same answer. */
    static VcfResult other;
    board = board_from(&rules, MANY_FOURS, 'b');
    Verdict big = vcf_search(vcf, board, NULL, &result);
    assert_int_equal(vcf_search(own, board, NULL, &other), big);
    board_close(board);
    vcf_close(own);
}

/* --- the suites of ../shared/data ------------------------------------------------------------ */

static void check_suite(const char *path)
{
    static VcfResult result;
    RecordSet set;
    Err err;
    suite_read(path, &set);
    int step = getenv("SUITE_ALL") ? 1 : 4, rows = 0;
    for (int i = 0; i < set.count; i += step, rows++) {
        Board *board = board_of(&set.records[i]);
        bool none = strcmp(record_tag(&set.records[i], "claim"), "no-vcf") == 0;
        Verdict verdict = vcf_search(vcf, board, NULL, &result);
        if (verdict != (none ? SOLVE_NONE : SOLVE_WIN))
            fail_msg("%s: verdict %d", set.records[i].name, verdict);
        if (!none && !proof_line_holds(board, result.line, result.plies, GOAL_VCF, &err))
            fail_msg("%s: %s", set.records[i].name, err.text);
        board_close(board);
    }
    print_message("%s: %d rows\n", path, rows);
    record_set_close(&set);
}

static void test_suite_renju(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/vcf-renju.tsv");
}

static void test_suite_freestyle(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/vcf-freestyle.tsv");
}

static void test_suite_standard(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/vcf-standard.tsv");
}

static void test_suite_none(void **state)
{
    (void)state;
    check_suite("../shared/data/suites/novcf-renju.tsv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),           cmocka_unit_test(test_reference),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_suite_renju),
        cmocka_unit_test(test_suite_freestyle), cmocka_unit_test(test_suite_standard),
        cmocka_unit_test(test_suite_none),
    };
    return cmocka_run_group_tests(tests, open_vcf, close_vcf);
}
