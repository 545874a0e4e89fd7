/* SPDX-License-Identifier: MIT */
/* What a caller may ask of a search besides a move: to be told what happens to each move of the
 * root, to look further from the stones, to end before it has begun. */
#include "setting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_stop_before_it_begins(void **state)
{
    (void)state;
    atomic_bool stop = true;
    Setting s = setting(RULE_FREESTYLE, 15, "h8i9g9h10", 2);
    SearchResult result = setting_think(&s, (Limits){.stop = &stop});
    assert_true(board_is_empty(s.board, result.move));
    assert_int_equal(result.depth, 0);
    setting_close(&s);
}

/* What was told, move by move. */
typedef struct {
    Point taken; /* up and not yet done */
    Point best, lost;
    int count;
} Told;

static void note_event(void *ctx, Point move, SearchEvent event)
{
    Told *told = ctx;
    told->count++;
    if (event == ROOT_TAKEN_UP) {
        assert_int_equal(told->taken, POINT_NONE);
        told->taken = move;
        return;
    }
    if (event == ROOT_BEST) {
        told->best = move;
        return;
    }
    assert_int_equal(told->taken, move);
    told->taken = POINT_NONE;
    if (event == ROOT_LOST) told->lost = move;
}

static void test_watch(void **state)
{
    (void)state;
    Told told = {0};
    Setting s = setting(RULE_FREESTYLE, 15, "h8a1i8a15j8o1h9o15h10", 2);
    search_watch(s.search, note_event, &told);
    SearchResult result = setting_think(&s, (Limits){.depth = 6});
    assert_int_equal(told.best, result.move);
    assert_int_equal(told.taken, POINT_NONE);
    assert_int_not_equal(told.lost, POINT_NONE); /* two open threes */
    int count = told.count;
    search_watch(s.search, NULL, NULL);
    setting_think(&s, (Limits){.depth = 4});
    assert_int_equal(told.count, count);
    setting_close(&s);
}

/* The wider the neighbourhood, the more moves are taken up. */
static void test_near(void **state)
{
    (void)state;
    int before = 0;
    Setting s = setting(RULE_FREESTYLE, 15, "h8i9", 1);
    for (int near = 0; near < NEAR_COUNT; near++) {
        Told told = {0};
        search_watch(s.search, note_event, &told);
        setting_think(&s, (Limits){.depth = 1, .reach = near + 1});
        assert_true(told.count > before);
        before = told.count;
    }
    setting_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_before_it_begins),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
