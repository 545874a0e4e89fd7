/* SPDX-License-Identifier: MIT */
/* Games, schedules, lines of brains, bouts as text, the store. */
#include "base/mem.h"
#include "base/rng.h"
#include "game/notation.h"
#include "play/brain_line.h"
#include "play/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static Point at(const Rules *rules, const char *text)
{
    Point p;
    assert_true(point_parse(rules, &text, &p, NULL));
    return p;
}

static GamePlan plan_of(RuleKind kind, Phase phase)
{
    GamePlan plan = {.phase = phase};
    rules_init(&plan.rules, kind, 15, 15, 5);
    return plan;
}

/* ---- game ---- */

/* Plays "h8i9…" one by one, each in so many ms. */
static void play(Game *game, const char *moves, int64_t ms)
{
    while (*moves && !game->over) {
        Thought thought = {0};
        Point p;
        assert_true(point_parse(&game->plan.rules, &moves, &p, NULL));
        thought_set_move(&thought, p);
        game_act(game, &thought, ms);
    }
}

static void stones(Game *game, const char *moves)
{
    Thought thought = {.decision = DECIDE_STONES};
    while (*moves) {
        assert_true(
            point_parse(&game->plan.rules, &moves, &thought.stones[thought.stone_count++], NULL));
    }
    game_act(game, &thought, 0);
}

static void test_game_ends(void **state)
{
    (void)state;
    static const struct {
        RuleKind kind;
        const char *moves;
        int winner;
        RecordReason reason;
    } cases[] = {
        {RULE_FREESTYLE, "a1a2b1b2c1c2d1d2e1", SEAT_FIRST, REASON_FIVE},
        {RULE_FREESTYLE, "o9a2b1b2c1c2d1d2o1e2", SEAT_SECOND, REASON_FIVE},
        {RULE_FREESTYLE, "a1a2a2", SEAT_SECOND, REASON_ILLEGAL},
        {RULE_RENJU, "f8a1g8a3h6a5h7a7h8", SEAT_SECOND, REASON_FOUL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GamePlan plan = plan_of(cases[i].kind, PHASE_NORMAL);
        Game game;
        game_open(&game, &plan);
        assert_int_equal(game.seat, SEAT_FIRST);
        play(&game, cases[i].moves, 0);
        assert_true(game.over);
        assert_int_equal(game.winner, cases[i].winner);
        assert_int_equal(game.reason, cases[i].reason);
        game_close(&game);
    }
    GamePlan plan = plan_of(RULE_FREESTYLE, PHASE_NORMAL);
    plan.draw_after = 4;
    Game game;
    game_open(&game, &plan);
    play(&game, "a1b1c1d1", 0);
    assert_true(game.over && game.winner == -1 && game.reason == REASON_FULL);
    game_close(&game);
    game_open(&game, &plan);
    game_act(&game, &(Thought){.decision = DECIDE_SWAP}, 0);
    assert_true(game.over && game.winner == SEAT_SECOND && game.reason == REASON_ILLEGAL);
    game_close(&game);
    game_open(&game, &plan);
    game_act(&game, &(Thought){.decision = DECIDE_MOVE, .stones = {POINT_NONE}}, 0);
    assert_true(game.over && game.reason == REASON_ILLEGAL);
    game_close(&game);
}

static void test_game_clocks(void **state)
{
    (void)state;
    GamePlan plan = plan_of(RULE_FREESTYLE, PHASE_NORMAL);
    plan.clock = (ClockPlan){.match_ms = 1000, .turn_ms = 500, .increment_ms = 10, .grace_ms = 100};
    Game game;
    Limits limits;
    game_open(&game, &plan);
    game_limits(&game, &limits);
    assert_int_equal(limits.left_ms, 1000);
    assert_int_equal(limits.turn_ms, 500);
    play(&game, "a1b1", 400);
    game_limits(&game, &limits);
    assert_int_equal(limits.left_ms, 610);
    play(&game, "c1d1", 600); /* within the grace */
    game_limits(&game, &limits);
    assert_int_equal(limits.left_ms, 20);
    play(&game, "e1", 110); /* below zero, but within the grace */
    assert_false(game.over);
    assert_int_equal(game.left_ms[SEAT_FIRST], -80);
    play(&game, "f1", 121);
    assert_true(game.over && game.reason == REASON_TIME && game.winner == SEAT_FIRST);
    assert_non_null(strstr(game.detail, "121 ms"));
    assert_int_equal(game.moves[0].elapsed_ms, 400);
    assert_int_equal(game.moves[0].clock_ms, 610);
    assert_int_equal(game.move_count, 5); /* too late is not played */
    game_close(&game);
}

static void test_swap2(void **state)
{
    (void)state;
    GamePlan plan = plan_of(RULE_FREESTYLE, PHASE_SWAP2);
    Game game;
    Thought swap = {.decision = DECIDE_SWAP};
    /* Three stones, the second swaps: he is Black, the first moves as White. */
    game_open(&game, &plan);
    assert_true(game.ask == ASK_THREE && game.seat == SEAT_FIRST);
    stones(&game, "h8i9h10");
    assert_true(game.ask == ASK_COLOUR_OR_TWO && game.seat == SEAT_SECOND);
    game_act(&game, &swap, 0);
    assert_true(game.ask == ASK_MOVE && game.seat == SEAT_FIRST);
    assert_int_equal(game.colour[SEAT_SECOND], BLACK);
    play(&game, "a1", 0);
    assert_int_equal(game.seat, SEAT_SECOND);
    assert_int_equal(game.moves[3].colour, WHITE);
    game_close(&game);
    /* He stays White by moving. */
    game_open(&game, &plan);
    stones(&game, "h8i9h10");
    play(&game, "a1", 0);
    assert_true(game.ask == ASK_MOVE && game.seat == SEAT_FIRST);
    assert_int_equal(game.colour[SEAT_FIRST], BLACK);
    game_close(&game);
    /* Two more stones: now the first chooses, and takes White by moving. */
    game_open(&game, &plan);
    stones(&game, "h8i9h10");
    stones(&game, "a1b1");
    assert_true(game.ask == ASK_COLOUR && game.seat == SEAT_FIRST);
    play(&game, "c1", 0);
    assert_int_equal(game.colour[SEAT_FIRST], WHITE);
    assert_int_equal(game.seat, SEAT_SECOND);
    game_close(&game);
    /* … or Black by a swap; a third pair of stones is against the rules. */
    game_open(&game, &plan);
    stones(&game, "h8i9h10");
    stones(&game, "a1b1");
    game_act(&game, &swap, 0);
    assert_true(game.colour[SEAT_FIRST] == BLACK && game.seat == SEAT_SECOND);
    game_close(&game);
    game_open(&game, &plan);
    stones(&game, "h8i9h10");
    stones(&game, "a1b1");
    stones(&game, "c1d1");
    assert_true(game.over && game.winner == SEAT_SECOND && game.reason == REASON_ILLEGAL);
    game_close(&game);
    /* Stones given: who chooses depends on how many. */
    Point given[5];
    for (int i = 0; i < 5; i++) given[i] = rules_point(&plan.rules, i, 2 * (i % 2));
    plan.stones = given;
    Err err;
    for (plan.stone_count = 0; plan.stone_count < 6; plan.stone_count++) {
        bool good = game_check(&plan, &err);
        assert_int_equal(good,
                         plan.stone_count == 0 || plan.stone_count == 3 || plan.stone_count == 5);
        if (!good) continue;
        game_open(&game, &plan);
        assert_int_equal(game.seat, plan.stone_count == 3 ? SEAT_SECOND : SEAT_FIRST);
        game_close(&game);
    }
}

/* Openings that are as even as three stones can be: some are answered with two more, and those lie
 * on empty points. */
static void test_swap2_two_more(void **state)
{
    (void)state;
    Rules rules;
    Err err;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Player *player = player_open("ab:eval=shape,memory=1M,nodes=400", &err);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    Limits limits = {.nodes = 3200};
    int chosen[3] = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        Thought thought = {0};
        board_reset(board);
        assert_true(player_settle(player, ASK_THREE, board, &limits, seed, &thought, &err));
        for (int i = 0; i < 3; i++) board_play(board, thought.stones[i]);
        assert_true(player_settle(player, ASK_COLOUR_OR_TWO, board, &limits, seed, &thought, &err));
        chosen[thought.decision]++;
        if (thought.decision != DECIDE_STONES) continue;
        assert_int_equal(thought.stone_count, 2);
        for (int i = 0; i < 2; i++) {
            assert_true(board_is_empty(board, thought.stones[i]));
            board_play(board, thought.stones[i]);
        }
    }
    assert_in_range(chosen[DECIDE_STONES], 1, 11);
    board_close(board);
    player_close(player);
}

static void test_pro(void **state)
{
    (void)state;
    static const struct {
        Phase phase;
        const char *third;
        bool good;
    } cases[] = {{PHASE_PRO, "j9", false},      {PHASE_PRO, "k9", true},
                 {PHASE_LONG_PRO, "k9", false}, {PHASE_LONG_PRO, "l9", true},
                 {PHASE_PRO, "h5", true},       {PHASE_LONG_PRO, "e11", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GamePlan plan = plan_of(RULE_FREESTYLE, cases[i].phase);
        Game game;
        Limits limits;
        game_open(&game, &plan);
        assert_int_equal(game.moves[0].point, at(&plan.rules, "h8"));
        assert_int_equal(game.seat, SEAT_SECOND);
        play(&game, "a1", 0);
        game_limits(&game, &limits);
        assert_int_equal(limits.blocked_count, cases[i].phase == PHASE_PRO ? 25 : 49);
        play(&game, cases[i].third, 0);
        assert_int_equal(!game.over, cases[i].good);
        if (!game.over) {
            game_limits(&game, &limits);
            assert_int_equal(limits.blocked_count, 0);
        }
        game_close(&game);
    }
}

/* ---- schedule ---- */

static void test_schedule(void **state)
{
    (void)state;
    static const Entrant players[] = {
        {"a", "random"}, {"b", "random"}, {"c", "random"}, {"d", "random"}};
    for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
        MatchPlan plan = {.players = players,
                          .player_count = 4,
                          .gauntlet = gauntlet,
                          .games = 5,
                          .game = plan_of(RULE_FREESTYLE, PHASE_NORMAL),
                          .random_stones = 5,
                          .seed = 3};
        int met[4][4] = {0}, games = 0;
        for (int64_t i = 0; i < schedule_jobs(&plan); i++) {
            Job job, again;
            bool there = schedule_job(&plan, i, &job);
            schedule_job(&plan, i, &again);
            assert_memory_equal(&job, &again, sizeof job);
            if (!there) continue;
            games++;
            met[job.player[0]][job.player[1]]++;
            Point one[225], two[225];
            int n = schedule_stones(&plan, &job, one);
            assert_int_equal(n, 5);
            Job other;
            if (schedule_job(&plan, i ^ 1, &other)) { /* the other game from this opening */
                assert_int_equal(schedule_stones(&plan, &other, two), n);
                assert_memory_equal(one, two, (size_t)n * sizeof *one);
                assert_int_equal(job.player[0], other.player[1]);
            }
            MatchPlan longer = plan;
            longer.games = 50;
            schedule_job(&longer, i, &again);
            assert_memory_equal(&job, &again, sizeof job);
        }
        assert_int_equal(games, 5 * schedule_pairs(&plan));
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b < a; b++) {
                bool meet = !gauntlet || b == 0;
                assert_int_equal(met[a][b] + met[b][a], meet ? 5 : 0);
                assert_true(met[a][b] - met[b][a] <= 1 && met[b][a] - met[a][b] <= 1);
            }
        }
    }
}

static void test_openings_by_lot(void **state)
{
    (void)state;
    static const Entrant players[] = {{"a", "random"}, {"b", "random"}};
    MatchPlan plan = {.players = players,
                      .player_count = 2,
                      .games = 40,
                      .game = plan_of(RULE_FREESTYLE, PHASE_NORMAL),
                      .shuffle = true,
                      .seed = 3};
    Openings openings;
    static const char text[] = "a1\nb1\nc1\nd1\ne1\n";
    assert_true(openings_parse(text, strlen(text), "x", &plan.game.rules, &openings, NULL));
    plan.openings = &openings;
    /* Five rounds see every opening once, in an order of their own. */
    int order[4][5];
    for (int round = 0; round < 20; round++) {
        Job job;
        Point stones_now[225];
        schedule_job(&plan, 2 * round, &job);
        assert_int_equal(schedule_stones(&plan, &job, stones_now), 1);
        order[round / 5][round % 5] = rules_x(&plan.game.rules, stones_now[0]);
    }
    int same = 0;
    for (int pass = 0; pass < 4; pass++) {
        int seen = 0;
        for (int i = 0; i < 5; i++) seen |= 1 << order[pass][i];
        assert_int_equal(seen, 31);
        same += memcmp(order[pass], order[0], sizeof order[0]) == 0;
    }
    assert_true(same < 4);
    openings_free(&openings);
}

/* ---- lines of brains ---- */

static void test_brain_lines(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    static const struct {
        const char *line;
        LineKind kind;
    } cases[] = {
        {"7,8", LINE_DECISION},
        {" 7 , 8 ", LINE_DECISION},
        {"1,2 3,4", LINE_DECISION},
        {"SWAP", LINE_DECISION},
        {"1,2 3,4 5,6", LINE_DECISION},
        {"15,3", LINE_NONSENSE},
        {"-1,3", LINE_NONSENSE},
        {"7", LINE_NONSENSE},
        {"7,", LINE_NONSENSE},
        {"7,8,1", LINE_NONSENSE},
        {"1,2 3,4 5,6 7,8", LINE_NONSENSE},
        {"hello", LINE_NONSENSE},
        {"swap me", LINE_NONSENSE},
        {"MESSAGE 7,8", LINE_MESSAGE},
        {"DEBUG x", LINE_MESSAGE},
        {"OK", LINE_OK},
        {"ok - fine", LINE_OK},
        {"ERROR no", LINE_ERROR},
        {"UNKNOWN x", LINE_UNKNOWN},
        {"SUGGEST 1,2", LINE_SUGGEST},
        {"SUGGEST x", LINE_NONSENSE},
        {"name=\"x\"", LINE_ABOUT},
        {"99999999999999999999,1", LINE_NONSENSE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Thought thought = {0};
        LineKind kind = brain_line_read(&rules, cases[i].line, &thought);
        if (kind != cases[i].kind) fail_msg("%s: %d", cases[i].line, (int)kind);
    }
    Thought thought = {0};
    brain_line_read(&rules, "7,8", &thought);
    assert_int_equal(thought.stones[0], rules_point(&rules, 7, 8));
    brain_line_message("MESSAGE depth 12-23 ev -34 n 322k n/ms 665 tm 485 pv Xg6", &thought);
    assert_true(thought.has_value && thought.depth == 12 && thought.value < 0.5);
    brain_line_message("MESSAGE Speed 281K | Depth 14-21 | Eval +M5 | Node 75K", &thought);
    assert_true(thought.value == 1 && thought.depth == 14);
    brain_line_message("MESSAGE value 25.2% nodes 1", &thought);
    assert_true(thought.value > 0.2519 && thought.value < 0.2521);
    brain_line_message("MESSAGE Nodes=26188, depth=5-9, Evaluation=0", &thought);
    assert_true(thought.value == 0.5 && thought.depth == 5);
    brain_line_message("MESSAGE winrate 0.97 depth 9", &thought);
    assert_true(thought.value == 0.97);
    brain_line_message("MESSAGE winrate 97", &thought);
    assert_true(thought.value == 0.97);
    brain_line_message("MESSAGE depth 3-9 value win in 9 nodes 1", &thought);
    assert_true(thought.value == 1);
    brain_line_message("MESSAGE depth 3-9 value loss in 8 nodes 1", &thought);
    assert_true(thought.value == 0);
    brain_line_message("MESSAGE value 50.0% nodes 1", &thought);
    brain_line_message("MESSAGE best move is evident", &thought);
    assert_true(thought.value == 0.5);
}

/* ---- bouts and the store ---- */

static void make_bout(const Rules *rules, Rng *rng, int64_t job, Bout *bout)
{
    *bout = (Bout){.job = job,
                   .player = {(int)(job % 2), 1 - (int)(job % 2)},
                   .colour = {WHITE, BLACK},
                   .winner = (int)rng_below(rng, 3) - 1,
                   .reason = REASON_TIME,
                   .detail = "it was late",
                   .late_ms = {3, 0},
                   .ms = 77};
    bout->move_count = 20;
    bout->moves = mem_zero(21 * sizeof *bout->moves);
    for (int i = 0; i < 20; i++) {
        bout->moves[i] = (GameMove){
            .point = rules_nth(rules, i * 7),
            .colour = (uint8_t)(i % 2),
            .seat = (uint8_t)(i < 3 ? SEAT_NOBODY : 1 - i % 2),
        };
        if (i < 3) continue;
        bout->moves[i].elapsed_ms = (int)rng_below(rng, 1000);
        bout->moves[i].clock_ms = (int64_t)rng_below(rng, 1000) - 100;
        bout->moves[i].has_value = i % 3 == 0;
        if (i % 3 == 0) bout->moves[i].value = 0.25f;
        bout->moves[i].depth = i % 4;
        bout->moves[i].nodes = i % 5;
    }
}

static void assert_same(const Bout *a, const Bout *b)
{
    assert_int_equal(a->job, b->job);
    assert_memory_equal(a->player, b->player, sizeof a->player);
    assert_memory_equal(a->colour, b->colour, sizeof a->colour);
    assert_int_equal(a->winner, b->winner);
    assert_int_equal(a->reason, b->reason);
    assert_string_equal(a->detail, b->detail);
    assert_int_equal(a->ms, b->ms);
    assert_int_equal(a->late_ms[0], b->late_ms[0]);
    assert_int_equal(a->move_count, b->move_count);
    for (int i = 0; i < a->move_count; i++)
        assert_memory_equal(&a->moves[i], &b->moves[i], sizeof a->moves[i]);
}

static void test_bout_text(void **state)
{
    (void)state;
    Rules rules;
    Rng rng;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    rng_seed(&rng, 5);
    for (int i = 0; i < 20; i++) {
        Bout bout, back;
        Buf text = BUF_EMPTY;
        Err err;
        make_bout(&rules, &rng, i, &bout);
        bout_write(&rules, &bout, &text);
        assert_true(bout_read(&rules, buf_text(&text), &back, &err));
        assert_same(&bout, &back);
        bout_close(&back);
        /* Cut anywhere it is refused, and nothing is lost. */
        for (size_t len = 0; len < text.len; len++) {
            char *cut = mem_text(buf_text(&text));
            cut[len] = '\0';
            assert_false(bout_read(&rules, cut, &back, &err));
            bout_close(&back);
            mem_free(cut);
        }
        buf_free(&text);
        bout_close(&bout);
    }
}

typedef struct {
    Bout *bouts;
    int count;
} Stored;

static bool compare_game(void *ctx, const Bout *bout, const char *ended)
{
    Stored *kept = ctx;
    assert_int_equal(strlen(ended), 20);
    assert_same(&kept->bouts[kept->count++], bout);
    return true;
}

static void count_result(void *ctx, const char *first, const char *second, int half_points)
{
    assert_true(first[0] != second[0]);
    assert_in_range(half_points, 0, 2);
    ++*(int *)ctx;
}

static void test_store(void **state)
{
    (void)state;
    static const Entrant players[] = {{"a", "random"}, {"b", "random"}};
    MatchPlan plan = {.players = players,
                      .player_count = 2,
                      .games = 10,
                      .game = plan_of(RULE_FREESTYLE, PHASE_NORMAL)};
    Err err;
    Rng rng;
    Bout bouts[10];
    int64_t id, games, other;
    Store *store = store_open(NULL, &err);
    assert_non_null(store);
    assert_true(store_match(store, "x", &plan, &id, &games, &err));
    assert_int_equal(games, 0);
    assert_true(store_run(store, id, "test", "players", &err));
    rng_seed(&rng, 1);
    for (int i = 0; i < 10; i++) make_bout(&plan.game.rules, &rng, i, &bouts[i]);
    for (int i = 9; i >= 0; i--)
        assert_true(store_add(store, id, &plan.game.rules, &bouts[i], &err));
    assert_false(store_add(store, id, &plan.game.rules, &bouts[4], &err));
    assert_non_null(strstr(err.text, "game 4 is there already"));
    Stored kept = {bouts, 0};
    assert_true(store_games(store, id, &plan.game.rules, compare_game, &kept, &err));
    assert_int_equal(kept.count, 10);
    int results = 0;
    assert_true(store_results(store, NULL, count_result, &results, &err));
    assert_int_equal(results, 10);
    /* The same conditions are the same match, others another one, or refused. */
    assert_true(store_match(store, NULL, &plan, &other, &games, &err));
    assert_int_equal(other, id);
    assert_int_equal(games, 10);
    plan.nodes = 5;
    assert_false(store_match(store, "x", &plan, &other, &games, &err));
    assert_non_null(strstr(err.text, "\"nodes 0\" there, \"nodes 5\" here"));
    assert_true(store_match(store, NULL, &plan, &other, &games, &err));
    assert_true(other != id && games == 0);
    assert_true(store_cut(store, id, 6, &err));
    kept.count = 0;
    assert_true(store_games(store, id, &plan.game.rules, compare_game, &kept, &err));
    assert_int_equal(kept.count, 7);
    store_close(store);
    for (int i = 0; i < 10; i++) bout_close(&bouts[i]);
    assert_null(store_open("/no/such/folder/x.db", &err));
}

/* ---- a match in this process ---- */

static void on_game(void *ctx, const Match *match, const Bout *bout)
{
    int64_t *last = ctx;
    assert_true(bout->job > *last);
    *last = bout->job;
    assert_true(match->counted <= match->done);
}

static void test_match_run(void **state)
{
    (void)state;
    static const Entrant players[] = {{"a", "random"}, {"b", "random"}, {"c", "nobody"}};
    MatchPlan plan = {.players = players,
                      .player_count = 3, /* one of whom cannot even be opened: it loses */
                      .games = 7,
                      .game = plan_of(RULE_FREESTYLE, PHASE_NORMAL)};
    atomic_bool dropped = false, stop = false;
    BoutHost host = {.plan = &plan, .stop = &dropped};
    int64_t id, games, last = -1;
    MatchEvents events = {.game = on_game, .ctx = &last};
    Err err;
    Store *store = store_open(NULL, &err);
    assert_true(store_match(store, NULL, &plan, &id, &games, &err));
    assert_true(store_run(store, id, "", "", &err));
    Match *match = match_open(&plan, store, id, &events, &err);
    Crew *crew = crew_open(&host, 3, &err);
    assert_true(match_run(match, crew, &events, &stop, &err));
    assert_true(match_is_over(match));
    assert_int_equal(match->counted, 21);
    assert_int_equal(match->players[2].lost[REASON_CRASH], 14);
    assert_int_equal(tally_games(&match->pairs[0].tally), 7);
    assert_int_equal(tally_pairs(&match->pairs[0].tally), 3);
    crew_close(crew);
    match_close(match);
    /* Again from the store: nothing is played. */
    last = -1;
    match = match_open(&plan, store, id, &events, &err);
    assert_true(match_is_over(match) && match->found == 21);
    match_close(match);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game_ends),
        cmocka_unit_test(test_game_clocks),
        cmocka_unit_test(test_swap2),
        cmocka_unit_test(test_swap2_two_more),
        cmocka_unit_test(test_pro),
        cmocka_unit_test(test_schedule),
        cmocka_unit_test(test_openings_by_lot),
        cmocka_unit_test(test_brain_lines),
        cmocka_unit_test(test_bout_text),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_match_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
