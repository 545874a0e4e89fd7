/* SPDX-License-Identifier: MIT */
/* What the documents themselves say: the table of rows with a gap, the threats of the kill search
 * and its three steps, the cases of the searches for fours and threes, what the threat-space player
 * does at its root. And what is kept move by move equals what is counted anew. */
#include "eval/gaps.h"
#include "eval/stance.h"
#include "game/ban.h"
#include "game/notation.h"
#include "play/player.h"
#include "position.h"
#include "search/dfpn.h"
#include "search/kill.h"
#include "search/rollout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Rules fifteen(void)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    return rules;
}

static void assert_point(const Board *board, Point p, const char *text)
{
    char is[POINT_TEXT_MAX];
    assert_string_equal(point_text(&board->rules, p, is), text);
}

/* ---- rows with gaps ---- */

/* A row as it stands in a line: o own, x a barrier, _ blank. The edge is far away. Read from every
 * own stone, forwards and backwards, it must be the same Gap, unless it has two gaps. */
static const struct {
    const char *row;
    Gap gap;
} rows[] = {
    /* no gap */
    {"_ooooo_", GAP_FIVE},
    {"xooooox", GAP_FIVE},
    {"_oooo_", GAP_FOUR},
    {"_ooo__", GAP_THREE},
    {"__oo__", GAP_TWO},
    {"__o__", GAP_ONE},
    {"xoooo_", GAP_DEAD_FOUR},
    {"_ooox", GAP_DEAD_THREE},
    {"xoo__", GAP_DEAD_TWO},
    {"__ox", GAP_DEAD_ONE},
    {"xoooox", GAP_DEAD},
    {"xox", GAP_DEAD},
    /* one stone on one side of the gap */
    {"_o_ooooo_", GAP_FIVE},
    {"_o_oooo_", GAP_FOUR},
    {"_o_ooo_", GAP_JUMP_FOUR},
    {"_o_oo_", GAP_JUMP_THREE},
    {"_o_o_", GAP_JUMP_TWO},
    {"_o_oooox", GAP_DEAD_FOUR},
    {"xo_oooo_", GAP_FOUR},
    {"_o_ooox", GAP_DEAD_JUMP_FOUR},
    {"xo_ooo_", GAP_THREE},
    {"_o_oox", GAP_DEAD_JUMP_THREE},
    {"xo_oo_", GAP_TWO},
    {"xo_o_", GAP_DEAD_JUMP_TWO},
    {"xo_oooox", GAP_DEAD_FOUR},
    {"xo_ooox", GAP_DEAD_FOUR},
    {"xo_oox", GAP_DEAD},
    {"xo_ox", GAP_DEAD},
    /* two stones */
    {"_oo_ooooo_", GAP_FIVE},
    {"_oo_oooo_", GAP_FOUR},
    {"_oo_ooo_", GAP_JUMP_FOUR},
    {"_oo_oo_", GAP_JUMP_THREE},
    {"_oo_oooox", GAP_DEAD_FOUR},
    {"xoo_oooo_", GAP_FOUR},
    {"_oo_ooox", GAP_DEAD_FOUR},
    {"xoo_ooo_", GAP_JUMP_FOUR},
    {"xoo_oo_", GAP_DEAD_JUMP_FOUR2},
    {"xoo_oooox", GAP_DEAD_FOUR},
    {"xoo_ooox", GAP_DEAD_JUMP_FOUR},
    {"xoo_oox", GAP_DEAD_JUMP_FOUR},
    /* three, and four */
    {"_ooo_oooo_", GAP_FOUR},
    {"_ooo_ooo_", GAP_JUMP_FOUR},
    {"_ooo_oooox", GAP_JUMP_FOUR},
    {"xooo_oooo_", GAP_FOUR},
    {"xooo_ooo_", GAP_JUMP_FOUR},
    {"xooo_oooox", GAP_DEAD_FOUR},
    {"xooo_ooox", GAP_DEAD_FOUR},
    {"_oooo_oooo_", GAP_FOUR},
    {"_oooo_oooox", GAP_FOUR},
    {"xoooo_oooox", GAP_DEAD_FOUR},
};

static void test_gap_table(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 21, 21, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int len = (int)strlen(rows[i].row);
        for (int turned = 0; turned < 2; turned++) {
            for (int dir = 0; dir < DIR_COUNT; dir++) {
                int step = board->grid->step[dir] * (turned ? -1 : 1);
                int start = rules_point(&rules, 10, 10) - step * (len / 2);
                board_reset(board);
                for (int at = 0; at < len; at++)
                    if (rows[i].row[at] != '_')
                        board_put(board, (Point)(start + at * step),
                                  rows[i].row[at] == 'o' ? BLACK : WHITE);
                for (int at = 0; at < len; at++) {
                    Point p = (Point)(start + at * step);
                    if (rows[i].row[at] == 'o' && gap_at(board, p, dir, BLACK) != rows[i].gap)
                        fail_msg("%s, stone %d, direction %d: %d, not %d", rows[i].row, at, dir,
                                 gap_at(board, p, dir, BLACK), rows[i].gap);
                }
            }
        }
    }
    board_close(board);
    /* As the table is called, with the gap counted from either end. */
    assert_int_equal(gap_of(5, 0, 1, false), gap_of(5, 0, 4, false));
    assert_int_equal(gap_of(4, 1, 0, false), GAP_DEAD_FOUR);
    assert_int_equal(gap_of(6, 1, 2, true), GAP_DEAD_FOUR);
    assert_int_equal(gap_of(6, 1, 4, false), GAP_FOUR);
}

/* Other lengths, edges, overlines. */
static void test_gap_rules(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 9, 9, 3);
    Board *board = board_from(&rules, "b:d5e5/w:a1a2", 'b');
    Point d5 = rules_point(&rules, 3, 4), a1 = rules_point(&rules, 0, 8);
    assert_int_equal(gap_at(board, d5, 0, BLACK), GAP_FOUR); /* one is missing */
    assert_int_equal(gap_at(board, a1, 1, WHITE), GAP_DEAD_FOUR);
    board_close(board);
    rules_init(&rules, RULE_STANDARD, 15, 15, 5);
    board = board_from(&rules, "b:c5d5e5f5g5h5/w:a1a2", 'b');
    assert_int_equal(gap_at(board, rules_point(&rules, 3, 10), 0, BLACK), GAP_DEAD);
    board_close(board);
}

/* ---- incremental equals recomputed ---- */

static const struct {
    RuleKind rule;
    int width, height, k;
} boards[] = {
    {RULE_FREESTYLE, 15, 15, 5}, {RULE_STANDARD, 9, 13, 5},  {RULE_RENJU, 15, 15, 5},
    {RULE_CARO, 10, 10, 5},      {RULE_CARO6, 12, 7, 5},     {RULE_FREESTYLE, 6, 6, 3},
    {RULE_STANDARD, 12, 12, 7},  {RULE_FREESTYLE, 14, 9, 9},
};

static void check_equal(const Board *board, const Gaps *gaps, Gaps *fresh, const Stance *stance,
                        Stance *anew)
{
    gaps_reset(fresh, board);
    stance_reset(anew, board);
    for (int c = 0; c < COLOUR_COUNT; c++) {
        int sum = 0;
        for (int i = 0; i < board->rules.width * board->rules.height; i++) {
            Point p = rules_nth(&board->rules, i);
            if (board->cell[p] == CELL_BLACK + c) sum += gap_point(board, p, (Colour)c);
        }
        assert_int_equal(gaps_sum(gaps, (Colour)c), sum);
        assert_int_equal(gaps_sum(fresh, (Colour)c), sum);
    }
    assert_memory_equal(&stance->now, &anew->now, sizeof anew->now);
}

static void test_incremental(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 4);
    for (size_t b = 0; b < sizeof boards / sizeof *boards; b++) {
        Rules rules;
        rules_init(&rules, boards[b].rule, boards[b].width, boards[b].height, boards[b].k);
        Board *board = board_open(&rules, NEAR_SQUARE2);
        Gaps *gaps = gaps_open(&rules), *fresh = gaps_open(&rules);
        Stance stance, anew;
        stance_open(&stance, &rules);
        stance_open(&anew, &rules);
        gaps_reset(gaps, board);
        stance_reset(&stance, board);
        for (int ply = 0; ply < 150 && !board_is_full(board); ply++) {
            if (ply % 7 == 6) {
                gaps_pop(gaps, board);
                stance_pop(&stance);
                board_undo(board);
            } else {
                Point p;
                do
                    p = rules_nth(&rules,
                                  (int)rng_below(&rng, (uint32_t)(rules.width * rules.height)));
                while (!board_is_empty(board, p));
                board_play(board, p);
                gaps_push(gaps, board);
                stance_push(&stance, board);
            }
            check_equal(board, gaps, fresh, &stance, &anew);
        }
        stance_close(&stance);
        stance_close(&anew);
        gaps_close(gaps);
        gaps_close(fresh);
        board_close(board);
    }
}

/* A stone's shape is what an empty point there would have promised. */
static void test_stance(void **state)
{
    (void)state;
    Rules rules = fifteen();
    Board *board = board_from(&rules, "b:e8f8g8/w:a1c1", 'b');
    Stance stance;
    stance_open(&stance, &rules);
    stance_reset(&stance, board);
    const int16_t *n = stance.now.count[BLACK];
    assert_int_equal(n[SHAPE_OPEN_THREE] + n[SHAPE_OPEN_THREE_TWIN], 3);
    assert_int_equal(n[SHAPE_FOUR], 0);
    board_play(board, rules_point(&rules, 7, 7)); /* h8 */
    stance_push(&stance, board);
    assert_int_equal(n[SHAPE_OPEN_FOUR], 4);
    board_play(board, rules_point(&rules, 3, 7)); /* d8 */
    stance_push(&stance, board);
    assert_int_equal(n[SHAPE_OPEN_FOUR], 0);
    assert_int_equal(n[SHAPE_FOUR], 4);
    stance_close(&stance);
    board_close(board);
}

/* ---- the kill search ---- */

typedef struct {
    Board *board;
    Kill *kill;
    KillOptions options;
} Hunt;

static Hunt hunt(const char *position)
{
    Rules rules = fifteen();
    return (Hunt){board_from(&rules, position, 'b'), kill_open(1 << 20, NULL), {.plies = 17}};
}

static KillResult hunt_run(Hunt *h)
{
    KillResult result;
    Leash leash;
    uint64_t hash = h->board->hash;
    leash_start(&leash, &(Limits){0}, h->board->stones, 16, NULL);
    kill_search(h->kill, h->board, &h->options, &leash, &result);
    assert_true(h->board->hash == hash);
    return result;
}

static void hunt_close(Hunt *h)
{
    board_close(h->board);
    kill_close(h->kill);
}

/* Step 1: fours of our own. */
static void test_kill_by_fours(void **state)
{
    (void)state;
    Hunt h = hunt("b:e8f8g8h9h10/w:d8c3d12l4m6");
    KillResult result = hunt_run(&h);
    assert_int_equal(result.kind, KILL_BY_FOURS);
    assert_point(h.board, result.move, "h8");
    hunt_close(&h);
}

/* Step 3: two open threes at once; then every defence has its answer in the table. */
static void test_kill_and_replay(void **state)
{
    (void)state;
    Hunt h = hunt("b:f8g8h9h10/w:b2m3b13m13");
    KillResult result = hunt_run(&h);
    assert_int_equal(result.kind, KILL_BY_THREATS);
    assert_false(result.opponent_fours);
    int replayed = 0;
    board_play(h.board, result.move);
    Point replies[225];
    int count = board_candidates(h.board, replies);
    for (int i = 0; i < count; i++) {
        board_play(h.board, replies[i]);
        KillResult next = hunt_run(&h);
        assert_int_not_equal(next.kind, KILL_NONE); /* whatever he does */
        replayed += next.kind == KILL_REPLAYED;
        board_undo(h.board);
    }
    assert_true(replayed > 0);
    board_undo(h.board);
    assert_int_equal(hunt_run(&h).kind, KILL_REPLAYED);
    kill_forget(h.kill);
    assert_int_equal(hunt_run(&h).kind, KILL_BY_THREATS);
    hunt_close(&h);
}

/* Step 2: the opponent's fours come first, so there is no time for threes. */
static void test_kill_opponent_fours(void **state)
{
    (void)state;
    Hunt h = hunt("b:f8g8h9h10a2/w:b2c2d2e4e5l13");
    KillResult result = hunt_run(&h);
    assert_true(result.opponent_fours);
    assert_int_equal(result.kind, KILL_NONE);
    assert_point(h.board, result.reply, "e2");
    hunt_close(&h);
}

/* On random positions: a rigid kill is a win by threats, a naive one not always a rigid one, since
 * the defender has fours that it does not look at. */
static void test_kill_naive_and_rigid(void **state)
{
    (void)state;
    Rules rules = fifteen();
    Rng rng;
    rng_seed(&rng, 11);
    int naive_only = 0, both = 0, proved = 0;
    for (int game = 0; game < 400; game++) {
        Board *board = board_open(&rules, NEAR_SQUARE2);
        for (int i = 0; i < 22 && !board_is_over(board); i++) {
            Point points[225];
            int n = board_candidates(board, points);
            Point p = n ? points[rng_below(&rng, (uint32_t)n)] : rules_point(&rules, 7, 7);
            board_play(board, p);
        }
        if (!board_is_over(board)) {
            Kill *naive = kill_open(1 << 18, NULL), *rigid = kill_open(1 << 18, NULL);
            Dfpn *dfpn = dfpn_open(1 << 22);
            KillResult a, b;
            Leash leash;
            leash_start(&leash, &(Limits){0}, board->stones, 16, NULL);
            kill_search(naive, board, &(KillOptions){.plies = 9, .nodes = 3000}, &leash, &a);
            kill_search(rigid, board, &(KillOptions){.plies = 9, .nodes = 3000, .rigid = true},
                        &leash, &b);
            if (b.kind == KILL_BY_THREATS) {
                /* Every rigid kill is a win by threats; the other search may not find it in time.
                 */
                DfpnResult proof;
                Verdict verdict = dfpn_search(dfpn, board, GOAL_VCT, board->side,
                                              &(DfpnLimits){.nodes = 20000}, &proof);
                assert_int_not_equal(verdict, SOLVE_NONE);
                proved += verdict == SOLVE_WIN;
                both++;
            }
            naive_only += a.kind == KILL_BY_THREATS && b.kind == KILL_NONE;
            kill_close(naive);
            kill_close(rigid);
            dfpn_close(dfpn);
        }
        board_close(board);
    }
    assert_true(both > 5 && proved > both / 2);
    assert_true(naive_only > 0);
}

/* ---- the cases of the searches for fours and for threes ---- */

typedef struct {
    const char *name, *position;
    bool fours, threats; /* Black, to move, wins by fours; by threes and fours */
    const char *move;    /* NULL: any */
    int plies;           /* of the win by fours; 0: any */
} Case;

static const Case cases[] = {
    {"win5: a point A", "b:e8f8g8h8/w:d8a1c1e1", true, true, "i8", 1},
    {"lose5: two points A against us", "b:a1c1e1g1/w:e8f8g8h8", false, false, NULL, 0},
    {"block 5: the block is a four", "b:d8i9i10i11/w:e8f8g8h8", true, true, "i8", 0},
    {"block 5: the block is nothing", "b:d8a1c1/w:e8f8g8h8", false, false, NULL, 0},
    {"win4: a point B", "b:f8g8h8/w:a1c1e1", true, true, NULL, 3},
    {"C: a four and an open three", "b:e8f8g8h9h10/w:d8c3d12l4m6", true, true, "h8", 5},
    {"fours that lead nowhere", "b:e8f8g8/w:d8m3m5", false, false, NULL, 0},
    {"G: a double open three", "b:f8g8h9h10/w:b2m3b13m13", false, true, NULL, 0},
    {"G, but he makes an open four first", "b:f8g8h9h10/w:c3d3e3a9", false, false, NULL, 0},
    {"nothing", "b:h8/w:i9", false, false, NULL, 0},
};

static void test_threat_cases(void **state)
{
    (void)state;
    Rules rules = fifteen();
    Vcf *vcf = vcf_open(1 << 20);
    Dfpn *dfpn = dfpn_open(1 << 24);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Board *board = board_from(&rules, cases[i].position, 'b');
        VcfResult fours;
        DfpnResult threats;
        VcfLimits limits = {.shortest = true};
        bool by_fours = vcf_search(vcf, board, &limits, &fours) == SOLVE_WIN;
        bool by_threats = dfpn_search(dfpn, board, GOAL_VCT, BLACK, &(DfpnLimits){.nodes = 400000},
                                      &threats) == SOLVE_WIN;
        if (by_fours != cases[i].fours || by_threats != cases[i].threats)
            fail_msg("%s: fours %d, threats %d", cases[i].name, by_fours, by_threats);
        if (cases[i].move && by_fours) assert_point(board, fours.move, cases[i].move);
        if (cases[i].plies) assert_int_equal(fours.plies, cases[i].plies);
        board_close(board);
    }
    vcf_close(vcf);
    dfpn_close(dfpn);
}

/* ---- the root of the threat-space player ---- */

static Thought ask_within(const char *spec, const char *position, char side, const Limits *limits)
{
    Rules rules = fifteen();
    Board *board = board_from(&rules, position, side);
    Player *player = player_open(spec, NULL);
    Thought thought;
    assert_true(player_think(player, board, limits, &thought, NULL));
    assert_true(ban_allows(board, thought.stones[0], board->side));
    player_close(player);
    board_close(board);
    return thought;
}

static Thought ask(const char *spec, const char *position, char side)
{
    return ask_within(spec, position, side, &(Limits){0});
}

static void assert_plays(const Thought *thought, const char *text)
{
    Rules rules = fifteen();
    char is[POINT_TEXT_MAX];
    assert_string_equal(point_text(&rules, thought->stones[0], is), text);
}

static void test_tss_root(void **state)
{
    (void)state;
    /* A single candidate: the block. Nothing is searched. */
    Thought thought = ask("tss", "b:d8a1c1/w:e8f8g8h8", 'b');
    assert_plays(&thought, "i8");
    assert_int_equal(thought.nodes, 0);
    /* An own win by fours, though the opponent could make an open four. */
    thought = ask("tss", "b:e8f8g8h9h10/w:d8c3d3e3l4", 'b');
    assert_plays(&thought, "h8");
    /* An own win by threes: alpha-beta is not even begun. */
    thought = ask("tss:depth=1", "b:f8g8h9h10/w:b2m3b13m13", 'b');
    assert_int_equal(thought.depth, 0);
    /* Lost whatever he plays: he still plays, and stops what he can. */
    thought = ask("tss", "b:e8f8g8h8/w:a1c1e1", 'w');
    assert_true(thought.stones[0] != POINT_NONE);
}

static bool loses_to_threats(const Rules *rules, const char *position, Point move)
{
    Board *board = board_from(rules, position, 'w');
    Dfpn *dfpn = dfpn_open(1 << 24);
    DfpnResult threats;
    board_play(board, move);
    bool lost = dfpn_search(dfpn, board, GOAL_VCT, BLACK, &(DfpnLimits){.nodes = 20000},
                            &threats) == SOLVE_WIN;
    dfpn_close(dfpn);
    board_close(board);
    return lost;
}

/* Black threatens to win by threats, far beyond the two moves that alpha-beta looks ahead here. */
static void test_tss_drops_what_loses(void **state)
{
    (void)state;
    static const char *const positions[] = {
        "b:f8g8h9h10/w:e8h11f6",
        "b:f8g8h9h10/w:e8h11i7",
    };
    Rules rules = fifteen();
    Point aside = rules_point(&rules, 0, 14);
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        assert_true(loses_to_threats(&rules, positions[i], aside));
        Thought thought = ask("tss:depth=2,threats=80k", positions[i], 'w');
        assert_false(loses_to_threats(&rules, positions[i], thought.stones[0]));
    }
}

/* Quiet positions to a fixed depth: nodes of alpha-beta alone, with deepening, with the table, with
 * both. The authors gave both up; in C they pay. */
static void test_deepening_and_hashing_pay(void **state)
{
    (void)state;
    static const char *const positions[] = {"h8i9g9h10", "h8i8g10h6"};
    static const char *const specs[] = {
        "tss:depth=8,threats=1,deepen=no,table=no",
        "tss:depth=8,threats=1,deepen=yes,table=no",
        "tss:depth=8,threats=1,deepen=no,table=yes",
        "tss:depth=8,threats=1,deepen=yes,table=yes",
    };
    long long nodes[4] = {0};
    for (int s = 0; s < 4; s++)
        for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
            nodes[s] += ask(specs[s], positions[i], 0).nodes;
    print_message("nodes to depth 8: %lld alone, %lld deepening, %lld with a table, %lld both\n",
                  nodes[0], nodes[1], nodes[2], nodes[3]);
    assert_true(nodes[3] < nodes[1] && nodes[3] < nodes[0] / 2);
}

/* The report's players stop a four and complete their own, all of them. */
static void test_first_things_first(void **state)
{
    (void)state;
    static const char *const specs[] = {"point:seed=1", "minimax",      "kill",
                                        "tss",          "hmcts:seed=1", "puct:rounds=200"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        Thought thought = ask(specs[i], "b:e8f8g8h8/w:d8e10f10g10h10", 'b');
        assert_plays(&thought, "i8");
        thought = ask(specs[i], "b:e8f8g8h8/w:d8e10f10g12", 'w');
        assert_plays(&thought, "i8");
    }
}

/* Nor is that a question of time: with hardly a node they do it too, whatever else looks good. */
static void test_first_things_in_no_time(void **state)
{
    (void)state;
    static const char *const specs[] = {"point:seed=1", "minimax", "minimax:depth=4", "kill",
                                        "tss",          "pattern", "hmcts:seed=1"};
    static const struct {
        const char *position, *move;
    } urgent[] = {
        {"b:d8e10f10g10h10/w:e8f8g8h8d10", "i10"},       /* both have a four */
        {"b:d8e10f10g10m3/w:e8f8g8h8", "i8"},            /* against an own open three */
        {"b:d8e10f10g10d5e5f5m3/w:e8f8g8h8", "i8"},      /* against two */
        {"b:d8d5e5f5e11f11g11m3/w:e8f8g8h8c5h11", "i8"}, /* against two stopped ones */
        {"b:d8d10e10f11g12m3/w:e8f8h8i8", "g8"},         /* with a gap */
    };
    Rules rules = fifteen();
    atomic_bool stop = true;
    const Limits limits[] = {{.nodes = 1}, {.nodes = 50}, {.stop = &stop}};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        for (size_t c = 0; c < sizeof urgent / sizeof *urgent; c++)
            for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
                Thought thought = ask_within(specs[i], urgent[c].position, 'b', &limits[l]);
                char is[POINT_TEXT_MAX];
                point_text(&rules, thought.stones[0], is);
                if (strcmp(is, urgent[c].move) != 0)
                    fail_msg("%s plays %s at %s", specs[i], is, urgent[c].position);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_table),
        cmocka_unit_test(test_gap_rules),
        cmocka_unit_test(test_incremental),
        cmocka_unit_test(test_stance),
        cmocka_unit_test(test_kill_by_fours),
        cmocka_unit_test(test_kill_and_replay),
        cmocka_unit_test(test_kill_opponent_fours),
        cmocka_unit_test(test_kill_naive_and_rigid),
        cmocka_unit_test(test_threat_cases),
        cmocka_unit_test(test_tss_root),
        cmocka_unit_test(test_tss_drops_what_loses),
        cmocka_unit_test(test_deepening_and_hashing_pay),
        cmocka_unit_test(test_first_things_first),
        cmocka_unit_test(test_first_things_in_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
