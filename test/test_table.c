/* SPDX-License-Identifier: MIT */
/* Tables on tiny boards: perfect play on 3x3, and the exact value of a fixed policy. */
#include "eval/tabular.h"
#include "game/ban.h"
#include "lessons.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Every reply that there is against the player: the worst that can happen to him, in half points.
 */
static int worst(Player *player, Board *board, Colour colour)
{
    if (board->won != CELL_EMPTY) return board->won == (Cell)colour + CELL_BLACK ? 2 : 0;
    if (board_is_full(board)) return 1;
    Limits limits = {0};
    Thought thought;
    Err err;
    int least = 2;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board->side == colour) {
            assert_true(player_think(player, board, &limits, &thought, &err));
            p = thought.stones[0];
        }
        if (!ban_allows(board, p, board->side)) continue;
        bool own = board->side == colour;
        board_play(board, p);
        int points = worst(player, board, colour);
        board_undo(board);
        if (points < least) least = points;
        if (own) break;
    }
    return least;
}

/* Never loses to anybody, hence not to exhaustive minimax, with either colour. */
static void check_perfect(const char *keys, int64_t games)
{
    Err err;
    double loss;
    Learner *learner = lessons_open(&learner_table, keys, NULL, 3, 3, &err);
    assert_non_null(learner);
    while (learner->games < games) assert_true(learner_step(learner, &loss, &err));
    Player *player = learner_player(learner, &err);
    assert_non_null(player);
    Board *board = board_open(&learner->rules, NEAR_ALL);
    for (Colour c = BLACK; c <= WHITE; c++)
        if (worst(player, board, c) != 1) fail_msg("%s: loses", keys);
    board_close(board);
    player_close(player);
    learner_close(learner);
}

static void test_perfect(void **state)
{
    (void)state;
    check_perfect("method=q", 30000);
    check_perfect("method=mc", 60000);
    check_perfect("method=adp,improve", 12000);
}

/* What is known of the game between two who play anywhere: the first wins 58.49 %, 12.70 % are
 * drawn. */
static void test_policy_value(void **state)
{
    (void)state;
    Err err;
    double loss, value = 0;
    Params params;
    Tabular table;
    lessons_loss(&learner_table, "method=adp", "policy.params", 3, 3, 990);
    Learner *learner = lessons_open(&learner_table, "method=adp", "policy.params", 3, 3, &err);
    assert_non_null(learner);
    learner->path = NULL;
    while (learner->games < 12000) assert_true(learner_step(learner, &loss, &err));
    learner->path = "policy.params";
    assert_true(learner_save(learner, true, &err));
    learner_close(learner);
    assert_true(params_read("policy.params", "table", &params, &err));
    assert_true(tabular_get(&table, &params, "policy.params", &err));
    int row = tabular_find(&table, 0);
    for (int a = 0; a < 9; a++) value += (double)tabular_row(&table, row)[a].value / 9;
    if (fabs(value - 0.648412698) > 1e-5) fail_msg("value %.9f", value);
    tabular_close(&table);
    params_free(&params);
}

static void test_resume(void **state)
{
    (void)state;
    static const char *const keys[] = {"method=mc", "method=q", "method=adp,improve"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        lessons_check_resume(&learner_table, keys[i], 3, 3, 40);
}

static void test_refuse(void **state)
{
    (void)state;
    Err err;
    assert_null(lessons_open(&learner_table, "", NULL, 15, 5, &err));
    assert_non_null(strstr(err.text, "at most 12 points"));
    lessons_loss(&learner_table, "method=mc", "mc.params", 3, 3, 5);
    assert_null(lessons_open(&learner_table, "method=q", "mc.params", 3, 3, &err));
    assert_non_null(strstr(err.text, "another method"));
    assert_null(lessons_open(&learner_td, "", "mc.params", 15, 5, &err));
    assert_non_null(strstr(err.text, "holds parameters of table, not of td"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perfect),
        cmocka_unit_test(test_policy_value),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_refuse),
    };
    return cmocka_run_group_tests(tests, lessons_make_folder, lessons_drop_folder);
}
