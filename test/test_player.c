/* SPDX-License-Identifier: MIT */
/* Players: opened by their specs, and never an illegal move. */
#include "game/ban.h"
#include "game/notation.h"
#include "play/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_open(void **state)
{
    (void)state;
    Err err;
    static const struct {
        const char *spec, *says;
    } bad[] = {
        {"", "names no kind"},
        {"randon", "did you mean random?"},
        {"xyz:a=1", "there is no player"},
        {"ab:level=11", "level"},
        {"random:seed=x", "random: seed=x is not a whole number"},
        {"random:see=1", "did you mean seed?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(player_open(bad[i].spec, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].spec, err.text);
    }
    for (const PlayerKind *const *kind = player_kinds; *kind; kind++) {
        assert_non_null((*kind)->open);
        assert_non_null((*kind)->think);
        assert_non_null((*kind)->close);
        assert_non_null((*kind)->options->about);
    }
    player_close(NULL);
}

/* Plays a whole game by itself; returns the hash of the last position. */
static uint64_t play_out(const Rules *rules, const char *spec)
{
    Err err;
    Player *player = player_open(spec, &err);
    assert_non_null(player);
    Board *board = board_open(rules, NEAR_ALL);
    Limits limits = {0};
    Thought thought;
    while (!board_is_over(board)) {
        assert_true(player_think(player, board, &limits, &thought, &err));
        assert_int_equal(thought.decision, DECIDE_MOVE);
        Point p = thought.stones[0];
        if (p == POINT_NONE) break;
        assert_true(ban_allows(board, p, board->side));
        board_play(board, p);
    }
    player_stop(player);
    uint64_t hash = board->hash;
    board_close(board);
    player_close(player);
    return hash;
}

static void test_random(void **state)
{
    (void)state;
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        Rules rules;
        rules_init(&rules, (RuleKind)kind, 9, 8, 5);
        uint64_t first = play_out(&rules, "random:seed=1");
        assert_true(first == play_out(&rules, "random:seed=1"));
        assert_true(first != play_out(&rules, "random:seed=2"));
        play_out(&rules, "random");
    }
    Rules tiny;
    rules_init(&tiny, RULE_FREESTYLE, 1, 1, 5);
    play_out(&tiny, "random");
}

/* On an empty 3x3 board every point comes up about as often. */
static void test_random_is_fair(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 3, 3, 3);
    Board *board = board_open(&rules, NEAR_ALL);
    Player *player = player_open("random:seed=9", NULL);
    Limits limits = {0};
    int seen[9] = {0};
    for (int i = 0; i < 9000; i++) {
        Thought thought;
        assert_true(player_think(player, board, &limits, &thought, NULL));
        Point p = thought.stones[0];
        seen[rules_y(&rules, p) * 3 + rules_x(&rules, p)]++;
    }
    for (int i = 0; i < 9; i++) assert_in_range(seen[i], 850, 1150);
    player_close(player);
    board_close(board);
}

/* Every level plays whole games; the same seed plays the same one. */
static void test_levels(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 9, 9, 5);
    for (int level = 1; level <= 7; level++) {
        char spec[64];
        snprintf(spec, sizeof spec, "ab:level=%d,nodes=1000,seed=5,memory=1M", level);
        assert_int_equal(play_out(&rules, spec), play_out(&rules, spec));
    }
}

/* Weak players overlook much, but not which points may be played. */
static void test_level_blocked(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2);
    Point blocked[25], stone = rules_point(&rules, 7, 7);
    int count = 0;
    for (int y = 5; y <= 9; y++)
        for (int x = 5; x <= 9; x++) blocked[count++] = rules_point(&rules, x, y);
    board_play(board, stone);
    Limits limits = {.nodes = 300, .blocked = blocked, .blocked_count = count};
    Player *player = player_open("ab:level=1,eval=shape,memory=1M", NULL);
    for (int i = 0; i < 40; i++) {
        Thought thought;
        assert_true(player_think(player, board, &limits, &thought, NULL));
        assert_false(limits_block(&limits, thought.stones[0]));
    }
    player_close(player);
    board_close(board);
}

/* Nodes that a player needs for a position after the reply that was expected, pondered or not. */
static int64_t nodes_after(const char *moves, bool ponder)
{
    Rules rules;
    Position position;
    Limits ahead = {.nodes = 100000}, depth = {.depth = 10};
    Thought reply, thought;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    assert_true(position_parse(&rules, moves, 0, &position, NULL));
    Board *board = board_open(&rules, NEAR_ALL);
    for (int i = 0; i < position.count; i++) board_play(board, position.stones[i]);
    /* A network would take minutes under the sanitizers. */
    Player *player = player_open("ab:eval=shape,memory=4M", NULL);
    assert_true(player_think(player, board, &ahead, &reply, NULL));
    player_new_game(player);
    uint64_t hash = board->hash;
    if (ponder) player_ponder(player, board, &ahead);
    assert_true(hash == board->hash);
    board_play(board, reply.stones[0]);
    assert_true(player_think(player, board, &depth, &thought, NULL));
    player_close(player);
    board_close(board);
    position_free(&position);
    return thought.nodes;
}

/* What was pondered about need not be searched again: the same depth takes fewer nodes. */
static void test_ponder(void **state)
{
    (void)state;
    static const char *const positions[] = {"h8i9g9h10", "h8h9i9", "h8j8i10g7", "g7h8i6i8j8"};
    int64_t fresh = 0, pondered = 0;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        fresh += nodes_after(positions[i], false);
        pondered += nodes_after(positions[i], true);
    }
    print_message("%lld nodes, after pondering %lld\n", (long long)fresh, (long long)pondered);
    assert_true(pondered < fresh * 3 / 4);

    Rules rules;
    Limits limits = {.nodes = 1000};
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_open(&rules, NEAR_ALL);
    atomic_bool stop = true; /* before it began */
    Player *player = player_open("ab:memory=1M", NULL);
    player_ponder(player, board, &(Limits){.stop = &stop});
    player_close(player);
    player = player_open("random", NULL); /* which has nothing to ponder about */
    player_ponder(player, board, &limits);
    player_close(player);
    board_close(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),          cmocka_unit_test(test_levels),
        cmocka_unit_test(test_level_blocked), cmocka_unit_test(test_ponder),
        cmocka_unit_test(test_random),        cmocka_unit_test(test_random_is_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
