/* SPDX-License-Identifier: MIT */
/* The ADP critics: Table 1, the 20 patterns and 100 shapes, counts kept and counted anew, the value
 * of a move as a change and as a whole position. */
#include "base/mem.h"
#include "eval/critic_adp.h"
#include "game/notation.h"
#include "lessons.h"
#include "position.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What the same games have always taught, whatever the compiler. */
static const double signature[ADP_FORM_COUNT] = {0.0099547253260215025, 0.007860842856647508};

/* The five inputs of a pattern that stands n times, as `zhao` gives them. */
static void inputs_of(int n, float five[5])
{
    AdpCritic critic;
    AdpCounts counts;
    MlpInput inputs[ADP_INPUTS_MAX];
    adp_critic_open(&critic, ADP_ZHAO, 4);
    adp_counts_open(&counts, ADP_ZHAO);
    counts.count[BLACK][0] = (int16_t)n;
    int count = adp_critic_look(&critic, &counts, BLACK, WHITE, inputs);
    memset(five, 0, 5 * sizeof *five);
    for (int i = 0; i < count; i++)
        if (inputs[i].index < 5) five[inputs[i].index] = inputs[i].value;
    adp_critic_close(&critic);
}

static void test_table_1(void **state)
{
    (void)state;
    static const float want[][5] = {{0, 0, 0, 0, 0},   {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0},
                                    {1, 1, 1, 0, 0},   {1, 1, 1, 1, 0}, {1, 1, 1, 1, 0.5f},
                                    {1, 1, 1, 1, 1.0f}};
    for (int n = 0; n < 7; n++) {
        float got[5];
        inputs_of(n, got);
        for (int i = 0; i < 5; i++) assert_true(got[i] == want[n][i]);
    }
}

/* Which patterns Black has on a 15x15 board. */
static void check_patterns(const char *stones, const char *const *want)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    Board *board = board_from(&rules, stones, '?');
    AdpCounts counts;
    adp_counts_open(&counts, ADP_ZHAO);
    adp_counts_reset(&counts, board);
    for (int i = 0; i < ADP_PATTERNS; i++) {
        int expected = 0;
        for (const char *const *w = want; *w; w++) expected += strcmp(*w, adp_patterns[i]) == 0;
        if (counts.count[BLACK][i] != expected)
            fail_msg("%s: %s stands %d times, not %d", stones, adp_patterns[i],
                     counts.count[BLACK][i], expected);
    }
    board_close(board);
}

static void test_patterns(void **state)
{
    (void)state;
    check_patterns("b:e8f8g8h8/w:", (const char *[]){".oooo.", NULL});
    check_patterns("b:e8f8g8h8/w:d8", (const char *[]){"xoooo.", NULL});
    check_patterns("b:a8b8c8d8/w:", (const char *[]){"xoooo.", NULL}); /* the edge blocks too */
    check_patterns("b:e8f8g8i8/w:", (const char *[]){"ooo.o", ".ooo..", NULL});
    check_patterns("b:e8f8h8i8/w:", (const char *[]){"oo.oo", NULL});
    check_patterns("b:e8f8g8h8i8/w:", (const char *[]){"ooooo", NULL});
    /* An open three with room on both sides stands twice: ..ooo. and .ooo.. */
    check_patterns("b:e8f8g8/w:", (const char *[]){".ooo..", ".ooo..", NULL});
    check_patterns("b:e8f8g8/w:c8i8", (const char *[]){"x.ooo.x", NULL});
    check_patterns("b:e8g8/w:", (const char *[]){"..o.o.", "..o.o.", NULL});
    check_patterns("b:e8/w:", (const char *[]){NULL});
}

static void test_shapes(void **state)
{
    (void)state;
    bool seen[ADP_SHAPES] = {false};
    for (unsigned code = 0; code < 1 << 16; code++) {
        bool real = true;
        for (int dir = 0; dir < DIR_COUNT; dir++) real &= (code >> 4 * dir & 15) < SHAPE_COUNT;
        if (!real) continue;
        int shape = adp_shape_of(code);
        assert_true(shape >= -1 && shape < ADP_SHAPES);
        if (shape >= 0) seen[shape] = true;
        /* Whatever the directions. */
        unsigned turned = (code >> 4 | code << 12) & 0xffff;
        assert_int_equal(shape, adp_shape_of(turned));
    }
    for (int i = 0; i < ADP_SHAPES; i++) assert_true(seen[i]);
}

/* Random games: counts kept = counts anew, and the value of a move = the value of the position that
 * it leads to. */
static void test_incremental(void **state)
{
    (void)state;
    static const int sizes[][2] = {{15, 15}, {7, 6}, {20, 9}};
    for (int form = 0; form < ADP_FORM_COUNT; form++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            Rules rules;
            Rng rng;
            rules_init(&rules, RULE_FREESTYLE, sizes[s][0], sizes[s][1], 5);
            rng_seed(&rng, s + 7);
            Board *board = board_open(&rules, NEAR_SQUARE2);
            AdpCritic critic;
            AdpCounts kept, anew;
            adp_critic_open(&critic, (AdpForm)form, 16);
            mlp_shuffle(&critic.net, 0.3, &rng);
            adp_counts_open(&kept, (AdpForm)form);
            adp_counts_open(&anew, (AdpForm)form);
            adp_counts_reset(&kept, board);
            for (int ply = 0; ply < 40; ply++) {
                static AdpMove moves[400];
                int count = adp_critic_moves(&critic, &kept, board, moves, 400);
                if (!count) break;
                AdpMove move = moves[rng_below(&rng, (uint32_t)count)];
                Colour mover = board->side;
                board_play(board, move.point);
                adp_counts_push(&kept, board);
                adp_counts_reset(&anew, board);
                assert_memory_equal(kept.count, anew.count, sizeof kept.count);
                if (move.value > 1) break;
                MlpInput inputs[ADP_INPUTS_MAX];
                float sums[MLP_HIDDEN_MAX];
                int n = adp_critic_look(&critic, &kept, mover, board->side, inputs);
                for (int i = 0; i < n; i++)
                    assert_true(inputs[i].index >= 0 && inputs[i].index < critic.net.inputs);
                mlp_sums(&critic.net, inputs, n, sums);
                float whole = mlp_value(&critic.net, sums, sums);
                assert_true(fabs((double)whole - (double)move.value) < 1e-4);
            }
            adp_critic_close(&critic);
            board_close(board);
        }
    }
}

static void test_refuse(void **state)
{
    (void)state;
    Rules rules;
    Err err;
    rules_init(&rules, RULE_FREESTYLE, 9, 9, 4);
    assert_false(adp_counts_check(ADP_ZHAO, &rules, &err));
    assert_non_null(strstr(err.text, "form=fudan"));
    assert_true(adp_counts_check(ADP_FUDAN, &rules, &err));
}

static void test_resume(void **state)
{
    (void)state;
    lessons_check_resume(&learner_adp, "form=zhao,hidden=12", 9, 5, 12);
    lessons_check_resume(&learner_adp, "form=fudan,hidden=9,average,mixed,cut,lambda=0.7", 9, 5,
                         12);
}

static void test_signature(void **state)
{
    (void)state;
    double zhao = lessons_loss(&learner_adp, "form=zhao,hidden=16", NULL, 9, 5, 30);
    double fudan = lessons_loss(&learner_adp, "form=fudan,hidden=16", NULL, 9, 5, 30);
    if (fabs(zhao - signature[0]) > 1e-12 || fabs(fudan - signature[1]) > 1e-12)
        fail_msg("losses %.17g and %.17g", zhao, fudan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_1),   cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_incremental),
        cmocka_unit_test(test_refuse),    cmocka_unit_test(test_resume),
        cmocka_unit_test(test_signature),
    };
    return cmocka_run_group_tests(tests, lessons_make_folder, lessons_drop_folder);
}
