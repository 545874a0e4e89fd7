/* SPDX-License-Identifier: MIT */
/* The players of the documents: whole legal games on all kinds of boards, the same again with the
 * same seed, an answer however little time there is, an end when they are told to stop. */
#include "base/os.h"
#include "game/ban.h"
#include "play/player.h"
#include "position.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const specs[] = {
    "puct",
    "puct:rounds=50,memory=64K,fours=0",
    "tss",
    "tss:depth=3,width=5,memory=64K,threats=50",
    "kill",
    "kill:rigid,depth=3,memory=4K",
    "point:seed=3",
    "minimax",
    "minimax:depth=3,memory=64K",
    "uct:rounds=60,seed=3",
    "hmcts:rounds=60,seed=3",
    "uct:rounds=40,seed=3,moves=near,memory=64K",
};
enum { SPECS = sizeof specs / sizeof *specs };

static const struct {
    RuleKind rule;
    int width, height, k;
} boards[] = {
    {RULE_FREESTYLE, 15, 15, 5}, {RULE_STANDARD, 9, 11, 5}, {RULE_RENJU, 12, 12, 5},
    {RULE_CARO, 10, 8, 5},       {RULE_CARO6, 9, 9, 5},     {RULE_FREESTYLE, 3, 3, 3},
    {RULE_FREESTYLE, 1, 1, 3},   {RULE_STANDARD, 8, 8, 6},  {RULE_FREESTYLE, 16, 5, 9},
    {RULE_FREESTYLE, 2, 7, 10},
};
enum { BOARDS = sizeof boards / sizeof *boards };

static Player *open_player(const char *spec)
{
    Err err;
    Player *player = player_open(spec, &err);
    if (!player) fail_msg("%s: %s", spec, err.text);
    return player;
}

/* Plays a whole game by itself; returns the hash of the last position. */
static uint64_t play_out(const Rules *rules, Player *player, const Limits *limits)
{
    Err err;
    Thought thought;
    Board *board = board_open(rules, NEAR_ALL);
    player_new_game(player);
    player_reseed(player, 8);
    while (!board_is_over(board)) {
        if (!player_think(player, board, limits, &thought, &err)) fail_msg("%s", err.text);
        assert_int_equal(thought.decision, DECIDE_MOVE);
        Point p = thought.stones[0];
        if (p == POINT_NONE) { /* only if nothing is allowed */
            for (int i = 0; i < rules->width * rules->height; i++)
                assert_false(ban_allows(board, rules_nth(rules, i), board->side));
            break;
        }
        assert_true(ban_allows(board, p, board->side));
        if (thought.has_value) assert_true(thought.value >= 0 && thought.value <= 1);
        board_play(board, p);
    }
    uint64_t hash = board->hash;
    board_close(board);
    return hash;
}

/* One player goes from board to board, as in a server. */
static void test_games(void **state)
{
    (void)state;
    Limits limits = {.nodes = 400};
    for (int s = 0; s < SPECS; s++) {
        Player *player = open_player(specs[s]), *other = open_player(specs[s]);
        for (int b = 0; b < BOARDS; b++) {
            Rules rules;
            rules_init(&rules, boards[b].rule, boards[b].width, boards[b].height, boards[b].k);
            uint64_t first = play_out(&rules, player, &limits);
            if (first != play_out(&rules, other, &limits))
                fail_msg("%s plays another game the second time", specs[s]);
        }
        player_close(player);
        player_close(other);
    }
}

/* However little it may think, it answers, and what it may not play it does not play. */
static void test_tiny_limits(void **state)
{
    (void)state;
    atomic_bool stopped = true;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_from(&rules, "h8i9g9h10i8g8h7", 0);
    const Limits tiny[] = {{.nodes = 1}, {.turn_ms = 1}, {.left_ms = 1}, {.stop = &stopped}};
    for (int s = 0; s < SPECS; s++) {
        Player *player = open_player(specs[s]);
        Thought thought;
        for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
            assert_true(player_think(player, board, &tiny[i], &thought, NULL));
            Point played = thought.stones[0];
            assert_true(ban_allows(board, played, board->side));
            Limits without = tiny[i];
            without.blocked = &played;
            without.blocked_count = 1;
            assert_true(player_think(player, board, &without, &thought, NULL));
            assert_int_not_equal(thought.stones[0], played);
        }
        player_close(player);
    }
    board_close(board);
}

typedef struct {
    Player *player;
    atomic_bool *stop;
} Stopper;

static void stop_soon(void *ctx)
{
    Stopper *stopper = ctx;
    os_sleep_ms(20);
    atomic_store(stopper->stop, true);
    player_stop(stopper->player);
}

static void test_stop(void **state)
{
    (void)state;
    static const char *const endless[] = {"uct:rounds=0,seed=1",       "hmcts:rounds=0,seed=1",
                                          "minimax:depth=8",           "puct",
                                          "kill:depth=30,children=30", "tss:depth=30",
                                          "adpmcts:rounds=1000000",    "pattern:depth=30"};
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_from(&rules, "h8i9g9h10", 0);
    for (size_t s = 0; s < sizeof endless / sizeof *endless; s++) {
        Player *player = open_player(endless[s]);
        atomic_bool stop = false;
        Stopper stopper = {player, &stop};
        Limits limits = {.stop = &stop};
        Thought thought;
        Thread *thread = os_thread_start(stop_soon, &stopper, NULL);
        assert_true(player_think(player, board, &limits, &thought, NULL));
        os_thread_join(thread);
        assert_true(ban_allows(board, thought.stones[0], board->side));
        player_close(player);
    }
    board_close(board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_tiny_limits),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
