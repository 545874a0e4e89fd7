/* SPDX-License-Identifier: MIT */
/* The line network: what it keeps from move to move equals what is computed anew, files are
 * refused for what is wrong with them, the rows have the symmetries they promise. */
#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/network.h"
#include "net_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char path[] = "/tmp/goren-net-XXXXXX";

/* One network of each kind serves all tests: spreading its rows is what takes time. */
static const Network *random_network(bool alike)
{
    NetFile *file = net_file_random(10, alike);
    Err err;
    assert_true(os_file_replace(path, file, NET_FILE_LEN, &err));
    const Network *network = network_load(path, &err);
    assert_non_null(network);
    mem_free(file);
    return network;
}

static int make_file(void **state)
{
    (void)state;
    return mkstemp(path) < 0 ? -1 : 0;
}

static int drop_file(void **state)
{
    (void)state;
    return remove(path);
}

static void check_equal(const Network *network, Eval *eval, Board *board)
{
    static Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    static int fast[SIZE_MAX_SIDE * SIZE_MAX_SIDE], plain[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    assert_int_equal(eval->kind->value(eval, board), network_value_plain(network, board));
    int n = board_candidates(board, moves);
    if (!n) return;
    eval->kind->policy(eval, board, moves, n, fast);
    network_policy_plain(network, board, moves, n, plain);
    assert_memory_equal(fast, plain, (size_t)n * sizeof *fast);
}

/* Random walks up and down the tree, asking now and then, so that several moves wait at times. */
static void walk(const Network *network, RuleKind kind, int width, int height, Rng *rng, int steps)
{
    Rules rules;
    Err err;
    rules_init(&rules, kind, width, height, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2_LINE3);
    Eval *eval = eval_net.open(&rules, path, &err);
    assert_non_null(eval);
    eval->kind->reset(eval, board);
    for (int i = 0; i < steps; i++) {
        uint32_t dice = rng_below(rng, 10);
        if (board->plies && (dice < 4 || board_is_over(board))) {
            eval->kind->pop(eval);
            board_undo(board);
        } else if (dice == 4) {
            board_pass(board);
            eval->kind->push(eval, board);
        } else {
            Point p = rules_nth(&rules, (int)rng_below(rng, (uint32_t)(width * height)));
            if (!board_is_empty(board, p)) continue;
            board_play(board, p);
            eval->kind->push(eval, board);
        }
        if (rng_below(rng, 3) == 0) check_equal(network, eval, board);
    }
    eval->kind->close(eval);
    board_close(board);
}

static void test_kept_equals_computed(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 5);
    bool quick = getenv("QUICK") != NULL;
    const char *wanted = getenv("NET_STEPS");
    int steps = wanted ? atoi(wanted) : quick ? 100 : 500;
    for (int alike = quick; alike < 2; alike++) {
        const Network *network = random_network(alike);
        walk(network, RULE_FREESTYLE, 15, 15, &rng, steps);
        walk(network, RULE_RENJU, 15, 15, &rng, steps);
        walk(network, RULE_CARO, 20, 20, &rng, steps);
        walk(network, RULE_STANDARD, 10, 22, &rng, steps);
        walk(network, RULE_FREESTYLE, 5, 7, &rng, steps);
    }
}

/* Turned by a quarter and with the colours changed, the rows of a point are the same. */
static void test_symmetries(void **state)
{
    (void)state;
    const Network *network = random_network(true);
    Rng rng;
    rng_seed(&rng, 6);
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *one = board_open(&rules, NEAR_SQUARE2), *other = board_open(&rules, NEAR_SQUARE2);
    for (int i = 0; i < 60; i++) {
        int x = (int)rng_below(&rng, 15), y = (int)rng_below(&rng, 15);
        Colour colour = (Colour)rng_below(&rng, 2);
        if (!board_is_empty(one, rules_point(&rules, x, y))) continue;
        board_put(one, rules_point(&rules, x, y), colour);
        board_put(other, rules_point(&rules, y, 14 - x), colour_other(colour));
        board_set_side(one, BLACK);
        board_set_side(other, WHITE);
        /* Regions turn with the board, so the heads may differ; rows must not. */
        for (int j = 0; j < 225; j++) {
            Point p = rules_point(&rules, j % 15, j / 15);
            Point q = rules_point(&rules, j / 15, 14 - j % 15);
            for (int diagonal = 0; diagonal < 2; diagonal++) {
                const Row *rows = diagonal ? network->rows.diagonal : network->rows.straight;
                for (int c = 0; c < NET_WIDTH; c++) {
                    int a = 0, b = 0;
                    for (int d = 2 * diagonal; d < 2 * diagonal + 2; d++) {
                        a += rows[board_key(one, p, d)].of[c];
                        b += rows[board_key(other, q, d)].of[(c + NET_HALF) % NET_WIDTH];
                    }
                    assert_int_equal(a, b);
                }
            }
        }
    }
    board_close(one);
    board_close(other);
}

static void refuse(NetFile *file, size_t n, bool sign, const char *why)
{
    Net net;
    Err err;
    if (sign) net_file_sign(file);
    assert_false(net_read(&net, file, n, "x.net", &err));
    assert_non_null(strstr(err.text, why));
    assert_non_null(strstr(err.text, "x.net"));
}

static void test_bad_files(void **state)
{
    (void)state;
    size_t whole = NET_FILE_LEN;
    NetFile *file = net_file_random(30, true);
    Net net;
    Err err;
    assert_true(net_read(&net, file, whole, "x.net", &err));
    refuse(file, 7, false, "not a network");
    refuse(file, whole - 1, false, "cut off");
    file->weights.heads[0].value3[3] ^= 1;
    refuse(file, whole, false, "damaged");
    file->size_max = 500;
    refuse(file, whole, true, "sizes");
    file->recipe_len = 0xfffffff8;
    refuse(file, whole, true, "cut off");
    file->version = 99;
    refuse(file, whole, true, "version 99");
    mem_free(file);
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 31, 31, 5);
    random_network(true);
    assert_null(eval_net.open(&rules, path, &err));
    assert_non_null(strstr(err.text, "31x31"));
    assert_null(eval_net.open(&rules, "/nonexistent.net", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_equals_computed),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, make_file, drop_file);
}
