/* SPDX-License-Identifier: MIT */
/* Opening maker: the same for any number of threads, legal, even, and no two alike. */
#include "base/mem.h"
#include "play/opening_maker.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static MakerPlan small_plan(void)
{
    return (MakerPlan){.count = 6,
                       .stones_min = 3,
                       .stones_max = 6,
                       .width = 7,
                       .height = 7,
                       .window = 0.1,
                       .eval = &eval_shape,
                       .nodes = 3000,
                       .tries = 2000,
                       .threads = 1,
                       .table_bytes = 1 << 18,
                       .seed = 1};
}

static void make(const Rules *rules, const MakerPlan *plan, Openings *openings)
{
    Err err;
    if (!maker_run(rules, plan, NULL, NULL, NULL, openings, &err)) fail_msg("%s", err.text);
    assert_int_equal(openings->count, plan->count);
}

static void assert_same(const Openings *a, const Openings *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->end, b->end, (size_t)a->count * sizeof *a->end);
    assert_memory_equal(a->stones, b->stones, a->end[a->count - 1] * sizeof *a->stones);
}

static void test_threads(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    MakerPlan plan = small_plan();
    Openings one, three, other;
    make(&rules, &plan, &one);
    plan.threads = 3;
    make(&rules, &plan, &three);
    assert_same(&one, &three);
    plan.seed = 2;
    make(&rules, &plan, &other);
    assert_true(memcmp(one.stones, other.stones, 3 * sizeof *one.stones) != 0);
    openings_free(&one);
    openings_free(&three);
    openings_free(&other);
}

static void test_legal(void **state)
{
    (void)state;
    static const int kinds[] = {RULE_STANDARD, RULE_RENJU, RULE_CARO};
    for (int k = 0; k < 3; k++) {
        Rules rules;
        rules_init(&rules, (RuleKind)kinds[k], 13, 11, 5);
        MakerPlan plan = small_plan();
        Openings openings;
        plan.threads = 2;
        make(&rules, &plan, &openings);
        Board *board = board_open(&rules, NEAR_ALL);
        uint64_t keys[6];
        for (int i = 0; i < openings.count; i++) {
            int count;
            const Point *stones = openings_stones(&openings, i, &count);
            uint8_t colours[6] = {0, 1, 0, 1, 0, 1};
            assert_in_range(count, plan.stones_min, plan.stones_max);
            assert_true(opening_check(board, stones, count, NULL));
            for (int n = 0; n < count; n++) {
                assert_in_range(rules_x(&rules, stones[n]), 3, 9);
                assert_in_range(rules_y(&rules, stones[n]), 2, 8);
            }
            keys[i] = sym_key(&rules, stones, colours, count, (Colour)(count & 1));
            for (int n = 0; n < i; n++) assert_true(keys[n] != keys[i]);
        }
        board_close(board);
        openings_free(&openings);
    }
}

/* The search that found them even finds them so again; the report counts. */
static void on_report(void *ctx, const MakerProgress *progress)
{
    *(MakerProgress *)ctx = *progress;
}

static void test_judge(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    MakerPlan plan = small_plan();
    MakerProgress progress = {0};
    Openings openings, uneven;
    Err err;
    double values[6];
    assert_true(maker_run(&rules, &plan, NULL, on_report, &progress, &openings, &err));
    assert_int_equal(progress.made, 6);
    assert_true(progress.tried >= 6);
    plan.threads = 2;
    assert_true(maker_judge(&openings, &plan, NULL, on_report, &progress, values, &err));
    for (int i = 0; i < 6; i++) assert_true(fabs(values[i] - 0.5) <= 2 * plan.window);
    assert_int_equal(progress.tried, 6);
    /* Three in a row and to move, and three in a row with the other to move. */
    const char *text = "h8a1i8a15j8o1\nh8a1i8o15j8o1k8\n";
    assert_true(openings_parse(text, strlen(text), "f", &rules, &uneven, &err));
    assert_true(maker_judge(&uneven, &plan, NULL, NULL, NULL, values, &err));
    assert_true(values[0] == 1 && values[1] == 0);
    openings_free(&openings);
    openings_free(&uneven);
}

static void test_refused(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 9, 9, 5);
    MakerPlan plan = small_plan();
    Openings openings;
    Err err;
    atomic_bool stop = true;
    assert_false(maker_run(&rules, &plan, &stop, NULL, NULL, &openings, &err));
    assert_string_equal(err.text, "interrupted after 0 openings");
    plan.tries = 3;
    plan.count = 100;
    assert_false(maker_run(&rules, &plan, NULL, NULL, NULL, &openings, &err));
    assert_non_null(strstr(err.text, "of 3 candidates were even, not the 100 wanted"));
    openings_free(&openings);
    static const struct {
        int width, min, max;
        const char *says;
    } bad[] = {
        {10, 3, 5, "the area, 10x7, is larger than the board, 9x9"},
        {7, 0, 5, "0 to 5 stones"},
        {7, 6, 5, "6 to 5 stones"},
        {1, 3, 7, "7 stones do not fit"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        plan.width = bad[i].width;
        plan.stones_min = bad[i].min;
        plan.stones_max = bad[i].max;
        assert_false(maker_check(&rules, &plan, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("%s", err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_legal),
        cmocka_unit_test(test_judge),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
