/* SPDX-License-Identifier: MIT */
/* The search: threats and defences are exactly what they claim to be, forced wins are found, limits
 * hold, and the same question gives the same answer. */
#include "setting.h"

#include "base/os.h"
#include "base/rng.h"
#include "game/ban.h"
#include "game/notation.h"
#include "search/budget.h"
#include "search/moves.h"
#include "search/search.h"
#include "search/tt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE };

/* --- threats and defences -------------------------------------------------------------------- */

static bool listed(const Point *points, int n, Point p)
{
    for (int i = 0; i < n; i++)
        if (points[i] == p) return true;
    return false;
}

/* After our move they are to move: do they still win at once? */
static bool they_win_now(const Board *board, Threat met)
{
    Threat threat = moves_threat(board);
    if (met == THREAT_THEY_FIVE) return threat == THREAT_WE_FIVE;
    return threat == THREAT_WE_FIVE || threat == THREAT_WE_FOUR;
}

/* A move is left out if and only if it loses at once (or, against a four, unless it is a four). */
static void check_defences(Board *board, Threat threat)
{
    static Point list[POINTS_MAX];
    int n = moves_list(board, threat, list);
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!ban_allows(board, p, board->side)) continue;
        board_play(board, p);
        bool loses = they_win_now(board, threat);
        bool four = moves_threat(board) == THREAT_THEY_FIVE;
        board_undo(board);
        /* In renju a stone of White's can lift a foul, and so make a new threat of Black's. */
        if (listed(list, n, p))
            assert_true(!loses || four || board->rules.side[BLACK].fouls);
        else if (!loses && !four)
            fail_msg("a defence is missing");
    }
}

/* One of the listed moves leaves a five whatever they answer. */
static void check_winning_four(Board *board)
{
    static Point list[POINTS_MAX], answers[POINTS_MAX];
    int n = moves_list(board, THREAT_WE_FOUR, list);
    bool wins = false;
    for (int i = 0; i < n && !wins; i++) {
        board_play(board, list[i]);
        int replies = moves_list(board, THREAT_THEY_FIVE, answers);
        wins = moves_threat(board) == THREAT_THEY_FIVE && replies == 0;
        board_undo(board);
    }
    assert_true(wins);
}

static void test_threats_are_exact(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 11);
    int met[THREAT_THEY_FOUR + 1] = {0};
    int games = getenv("QUICK") ? 60 : 400;
    for (int g = 0; g < games; g++) {
        Rules rules;
        rules_init(&rules, (RuleKind)(g % RULE_COUNT), 9 + g % 7, 9 + g % 5, g % 9 ? 5 : 4 + g % 3);
        Board *board = board_open(&rules, NEAR_SQUARE2_LINE3);
        while (!board_is_over(board)) {
            Threat threat = moves_threat(board);
            met[threat]++;
            if (threat == THREAT_THEY_FIVE || threat == THREAT_THEY_FOUR)
                check_defences(board, threat);
            if (threat == THREAT_WE_FOUR) check_winning_four(board);
            static Point points[POINTS_MAX];
            int n = board_candidates(board, points);
            Point p = n ? points[rng_below(&rng, (uint32_t)n)]
                        : rules_nth(&rules, rules.width * rules.height / 2);
            /* Fives are left alone so that the games last. */
            if (board_class(board, p, board->side) == CLASS_FIVE && rng_below(&rng, 4)) {
                if (n == 1) break;
                continue;
            }
            board_play(board, p);
        }
        board_close(board);
    }
    for (int t = 0; t <= THREAT_THEY_FOUR; t++) assert_true(met[t] > 20);
}

/* --- whole searches -------------------------------------------------------------------------- */

static const char *move_text(const Setting *s, Point p)
{
    static char text[POINT_TEXT_MAX];
    return point_text(&s->rules, p, text);
}

static void test_acceptance_positions(void **state)
{
    (void)state;
    static const struct {
        RuleKind rule;
        const char *moves, *answers;
    } cases[] = {
        {RULE_FREESTYLE, "h8h9i8i9j8j9k8k9", "g8 l8"},
        {RULE_STANDARD, "h8h9i8i9j8j9k8k9", "g8 l8"},
        {RULE_RENJU, "h8h9i8i9j8j9k8k9", "g8 l8"},
        {RULE_CARO, "h8h9i8i9j8j9k8k9", "g8 l8"},
        {RULE_CARO6, "h8h9i8i9j8j9k8k9", "g8 l8"},
        {RULE_STANDARD, "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8"},
        {RULE_CARO6, "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Setting s = setting(cases[i].rule, 15, cases[i].moves, 1);
        SearchResult result = setting_think(&s, (Limits){.nodes = 50000});
        if (!strstr(cases[i].answers, move_text(&s, result.move)))
            fail_msg("%s %s: %s, should be one of %s", rule_name(cases[i].rule), cases[i].moves,
                     move_text(&s, result.move), cases[i].answers);
        setting_close(&s);
    }
}

/* Every move of the line can be played; a win is played to its end, in as many moves as it says. */
static void check_line(Setting *s, const SearchLine *line)
{
    assert_int_equal(line->line[0], line->move);
    for (int i = 0; i < line->line_len; i++) {
        if (!line->line[i]) { /* the only block is forbidden */
            board_pass(s->board);
            continue;
        }
        assert_true(ban_allows(s->board, line->line[i], s->board->side));
        board_play(s->board, line->line[i]);
    }
    if (score_is_mate(line->score)) {
        assert_int_equal(line->line_len, SCORE_WIN - abs(line->score));
        assert_true(board_is_over(s->board));
    }
    for (int i = 0; i < line->line_len; i++) board_undo(s->board);
}

static void test_wins_are_shown_to_the_end(void **state)
{
    (void)state;
    static const char *const positions[] = {"h8a1i9a15j8o1i7o15", "h8i9j8g9i7i10", /* won … */
                                            "h8i9j8g9i7i10j7"}; /* … and lost */
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        Setting s = setting(RULE_FREESTYLE, 15, positions[i], 1);
        SearchResult result = setting_think(&s, (Limits){.nodes = 200000});
        assert_true(i < 2 ? result.score >= SCORE_MATE : result.score <= -SCORE_MATE);
        check_line(&s, &result.lines[0]);
        setting_close(&s);
    }
}

/* Likewise where the table has lost the best defence, or the last four is one among many. */
static void test_wins_half_forgotten(void **state)
{
    (void)state;
    static const struct {
        RuleKind rule;
        const char *moves;
        int lines;
    } cases[] = {
        {RULE_RENJU, "j5d7j7i9d6e8h7g9", 1},
        {RULE_RENJU, "f11j12h5e12j8h12k10i8k9g10j10", 1},
        {RULE_RENJU, "g9d8i5h10e6j8d12k10h6", 1},
        {RULE_RENJU, "j5h6d7e6d5k12f9f6f7e12i6g9j7d8k10j6e8k5e5", 60},
        {RULE_CARO, "e6h7g11k8i11k11d7f8g9i10d9h9d12i7e11j9j5i12", 60},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Setting s = setting(cases[i].rule, 15, cases[i].moves, 1);
        SearchResult result = setting_think(&s, (Limits){.nodes = 10000, .lines = cases[i].lines});
        for (int k = 0; k < result.line_count; k++) check_line(&s, &result.lines[k]);
        setting_close(&s);
    }
}

/* White wins in renju by a four whose block is forbidden, which no threat of moves.h foretells: two
 * plies sooner than any other win from there. */
static void test_wins_by_forbidden_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        int score;
    } cases[] = {
        {"e8h12k11f8d6g9j8k6h7f7h8h10", 10 - SCORE_WIN},
        {"f8e9j11j9d5h8g10j7k7h6k8h9", 12 - SCORE_WIN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Setting s = setting(RULE_RENJU, 15, cases[i].moves, 1);
        SearchResult result = setting_think(&s, (Limits){.nodes = 20000});
        assert_int_equal(result.score, cases[i].score);
        check_line(&s, &result.lines[0]);
        setting_close(&s);
    }
}

/* Wherever the search is stopped, its best line goes on for some moves. */
static void test_stopped_lines(void **state)
{
    (void)state;
    Setting s = setting(RULE_RENJU, 15, "h8h9i7i8j9", 1);
    for (int64_t nodes = 4000; nodes < 12000; nodes += 350) {
        SearchResult result = setting_think(&s, (Limits){.nodes = nodes});
        check_line(&s, &result.lines[0]);
        assert_true(result.lines[0].line_len > 2);
    }
    setting_close(&s);
}

/* Likewise several lines are best first. */
static void test_stopped_order(void **state)
{
    (void)state;
    Setting s = setting(RULE_FREESTYLE, 15, "h8f7e9e11h5e10h9", 1);
    for (int64_t nodes = 300; nodes < 9000; nodes += 233) {
        SearchResult result = setting_think(&s, (Limits){.nodes = nodes, .lines = 6});
        assert_int_equal(result.move, result.lines[0].move);
        for (int i = 1; i < result.line_count; i++)
            assert_true(result.lines[i].score <= result.lines[i - 1].score);
    }
    setting_close(&s);
}

/* An only move is played at once, but someone may want to know where it leads. */
static void test_only_move(void **state)
{
    (void)state;
    Setting s = setting(RULE_FREESTYLE, 15, "h8a1i8a3j8a5k8g8", 1);
    board_pass(s.board);
    assert_int_equal(setting_think(&s, (Limits){.nodes = 9000}).depth, 1);
    assert_true(setting_think(&s, (Limits){.nodes = 9000, .forced_too = true}).depth > 3);
    setting_close(&s);
}

/* A position far from every edge is worth the same on boards larger than those of the fit. */
static void test_large_boards(void **state)
{
    (void)state;
    int scores[3];
    for (int i = 0; i < 3; i++) {
        Setting s = setting(RULE_FREESTYLE, i == 0 ? 20 : i == 1 ? 30 : 100, "j10k11i9", 1);
        scores[i] = setting_think(&s, (Limits){.depth = 2}).score;
        setting_close(&s);
    }
    assert_int_equal(scores[0], scores[1]);
    assert_int_equal(scores[0], scores[2]);
}

static void test_same_question_same_answer(void **state)
{
    (void)state;
    int64_t nodes[2];
    Point moves[2];
    int scores[2];
    for (int i = 0; i < 2; i++) {
        Setting s = setting(RULE_RENJU, 15, "h8i9g9h10i8g8j7", 1);
        SearchResult result = setting_think(&s, (Limits){.nodes = 30000});
        nodes[i] = result.nodes, moves[i] = result.move, scores[i] = result.score;
        setting_close(&s);
    }
    assert_int_equal(nodes[0], nodes[1]);
    assert_int_equal(moves[0], moves[1]);
    assert_int_equal(scores[0], scores[1]);
}

static void test_lines(void **state)
{
    (void)state;
    Setting s = setting(RULE_FREESTYLE, 15, "h8i9g9h10", 1);
    SearchResult result = setting_think(&s, (Limits){.depth = 5, .lines = 3});
    assert_int_equal(result.line_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(board_is_empty(s.board, result.lines[i].move));
        if (i) assert_true(result.lines[i].score <= result.lines[i - 1].score);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(result.lines[i].move, result.lines[j].move);
    }
    setting_close(&s);
}

/* The centre, unless it is forbidden, or several lines are wanted. */
static void test_empty_board(void **state)
{
    (void)state;
    Setting s = setting(RULE_FREESTYLE, 15, "", 1);
    assert_int_equal(setting_think(&s, (Limits){.depth = 2}).move, rules_point(&s.rules, 7, 7));
    assert_int_equal(setting_think(&s, (Limits){.depth = 2, .lines = 3}).line_count, 3);
    setting_close(&s);
    Rules rules;
    rules_init(&rules, RULE_RENJU, 5, 5, 3);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    Search *search = search_open(&rules, &(SearchOptions){.threads = 1, .eval = &eval_shape}, NULL);
    SearchResult result;
    assert_false(ban_allows(board, rules_point(&rules, 2, 2), BLACK));
    search_run(search, board, &(Limits){.depth = 2}, NULL, NULL, &result);
    assert_true(ban_allows(board, result.move, BLACK));
    search_close(search);
    board_close(board);
}

/* Two threads look at as many positions as one. */
static void test_nodes_of_threads(void **state)
{
    (void)state;
    enum { NODES = 50000 };
    Setting s = setting(RULE_FREESTYLE, 15, "h8i9g9h10i8g8", 2);
    int64_t nodes = setting_think(&s, (Limits){.nodes = NODES}).nodes;
    assert_in_range(nodes, NODES, NODES + NODES / 10);
    setting_close(&s);
}

/* Whoever can complete a row wins by it, also where several lines are wanted and where one of the
 * points is not to be played. */
static void test_lines_of_fives(void **state)
{
    (void)state;
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        Setting s = setting((RuleKind)kind, 15, "h8h9i8i9j8j9k8k9", 1);
        SearchResult result = setting_think(&s, (Limits){.depth = 3, .lines = 4});
        assert_int_equal(result.line_count, 2);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(result.lines[i].score, score_win_in(1));
            assert_int_equal(result.lines[i].line_len, 1);
        }
        Point first = result.lines[0].move, second = result.lines[1].move;
        result = setting_think(&s, (Limits){.depth = 3, .blocked = &first, .blocked_count = 1});
        assert_int_equal(result.move, second);
        assert_int_equal(result.score, score_win_in(1));
        setting_close(&s);
    }
}

static void test_time_is_kept(void **state)
{
    (void)state;
    static const int turns[] = {1, 20, 100, 300};
    for (int threads = 1; threads <= 2; threads++) {
        Setting s = setting(RULE_FREESTYLE, 20, "h8i9g9h10", threads);
        for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
            int64_t start = os_clock_ms();
            SearchResult result = setting_think(&s, (Limits){.turn_ms = turns[i]});
            assert_true(board_is_empty(s.board, result.move));
            assert_true(os_clock_ms() - start < turns[i] + 600); /* the machine may be busy */
        }
        setting_close(&s);
    }
}

static void stop_soon(void *ctx)
{
    os_sleep_ms(50);
    search_stop(ctx);
}

static void test_stop_from_another_thread(void **state)
{
    (void)state;
    Err err;
    Setting s = setting(RULE_FREESTYLE, 15, "h8i9g9h10", 2);
    Thread *thread = os_thread_start(stop_soon, s.search, &err);
    assert_non_null(thread);
    int64_t start = os_clock_ms();
    SearchResult result = setting_think(&s, (Limits){0});
    assert_true(os_clock_ms() - start < 2000);
    os_thread_join(thread);
    assert_true(board_is_empty(s.board, result.move));
    setting_close(&s);
}

static void test_budget(void **state)
{
    (void)state;
    Budget b = budget_make(&(Limits){.turn_ms = 1000}, 10);
    assert_true(b.maximum_ms > 800 && b.maximum_ms < 1000);
    b = budget_make(&(Limits){.turn_ms = 30000, .left_ms = 100}, 10);
    assert_true(b.maximum_ms >= 0 && b.maximum_ms < 100 && b.optimum_ms <= b.maximum_ms);
    b = budget_make(&(Limits){.turn_ms = 5000, .left_ms = 120000}, 10);
    assert_true(b.optimum_ms > 2000 && b.maximum_ms <= 5000);
    b = budget_make(&(Limits){0}, 10);
    assert_int_equal(b.maximum_ms, -1);
}

/* --- the table ------------------------------------------------------------------------------- */

static void test_table(void **state)
{
    (void)state;
    Tt *tt = tt_open(1 << 16);
    Rng rng;
    rng_seed(&rng, 1);
    TtEntry e;
    assert_false(tt_probe(tt, 12345, &e));
    for (int i = 0; i < 5000; i++) {
        uint64_t key = rng_next(&rng);
        TtEntry in = {.move = (Point)(1 + rng_below(&rng, 10000)),
                      .value = (int16_t)((int)rng_below(&rng, 60001) - 30000),
                      .eval = (int16_t)((int)rng_below(&rng, 16001) - 8000),
                      .depth = (int8_t)rng_below(&rng, 100),
                      .bound = (uint8_t)(1 + rng_below(&rng, 3)),
                      .pv = rng_below(&rng, 2)};
        tt_store(tt, key, in);
        assert_true(tt_probe(tt, key, &e));
        assert_memory_equal(&e.move, &in.move, sizeof e.move);
        assert_int_equal(e.value, in.value);
        assert_int_equal(e.eval, in.eval);
        assert_int_equal(e.depth, in.depth);
        assert_int_equal(e.bound, in.bound);
        assert_int_equal(e.pv, in.pv);
    }
    tt_clear(tt);
    assert_int_equal(tt_permille_used(tt), 0);

    /* Half of the positions are there; one probe in 256 is counted. */
    tt_new_search(tt);
    for (uint64_t key = 256; key <= 256 * 100; key += 256) {
        if (key % 512) tt_store(tt, key << 40 | key, (TtEntry){.move = 1, .bound = BOUND_EXACT});
        assert_int_equal(tt_probe(tt, key << 40 | key, &e), key % 512 != 0);
    }
    assert_int_equal(tt_permille_hits(tt), 500);
    tt_close(tt);
    tt = tt_open(0);
    tt_store(tt, 12345, (TtEntry){.move = 1, .bound = BOUND_EXACT});
    assert_false(tt_probe(tt, 12345, &e));
    assert_int_equal(tt_permille_used(tt), 0);
    tt_close(tt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threats_are_exact),
        cmocka_unit_test(test_acceptance_positions),
        cmocka_unit_test(test_wins_are_shown_to_the_end),
        cmocka_unit_test(test_wins_half_forgotten),
        cmocka_unit_test(test_wins_by_forbidden_blocks),
        cmocka_unit_test(test_stopped_lines),
        cmocka_unit_test(test_stopped_order),
        cmocka_unit_test(test_only_move),
        cmocka_unit_test(test_large_boards),
        cmocka_unit_test(test_same_question_same_answer),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_empty_board),
        cmocka_unit_test(test_nodes_of_threads),
        cmocka_unit_test(test_lines_of_fives),
        cmocka_unit_test(test_time_is_kept),
        cmocka_unit_test(test_stop_from_another_thread),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
