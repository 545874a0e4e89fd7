/* SPDX-License-Identifier: MIT */
/* Openings: both forms, their errors, and the published files where they are at hand. */
#include "base/mem.h"
#include "play/openings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SHARED "../shared/data/openings/"

static Rules rules_of(RuleKind kind, int width, int height)
{
    Rules rules;
    rules_init(&rules, kind, width, height, 5);
    return rules;
}

static bool parse(const char *text, const Rules *rules, Openings *openings, Err *err)
{
    return openings_parse(text, strlen(text), "f", rules, openings, err);
}

static void test_forms(void **state)
{
    (void)state;
    Rules rules = rules_of(RULE_FREESTYLE, 20, 20);
    Openings openings;
    Err err;
    const char *text = "# both forms\n-1,9, 0,9, -1,8\r\n\n  j20k20j19  \n-10,-10\na1";
    assert_true(parse(text, &rules, &openings, &err));
    assert_int_equal(openings.count, 4);
    assert_int_equal(openings.longest, 3);
    for (int i = 0; i < 2; i++) {
        int count;
        const Point *stones = openings_stones(&openings, i, &count);
        assert_int_equal(count, 3);
        assert_int_equal(stones[0], rules_point(&rules, 9, 19));
        assert_int_equal(stones[1], rules_point(&rules, 10, 19));
        assert_int_equal(stones[2], rules_point(&rules, 9, 18));
    }
    for (int i = 2; i < 4; i++) {
        int count;
        const Point *stones = openings_stones(&openings, i, &count);
        assert_int_equal(count, 1);
        assert_int_equal(stones[0], rules_point(&rules, 0, 0));
    }
    Point turned[3];
    assert_int_equal(openings_turned(&openings, 0, SYM_FLIP_X, turned), 3);
    assert_int_equal(turned[1], rules_point(&rules, 9, 19));
    assert_int_equal(openings_turned(&openings, 0, SYM_EXCHANGE, turned), 3);
    assert_int_equal(turned[1], rules_point(&rules, 19, 10));
    openings_free(&openings);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
        RuleKind kind;
    } bad[] = {
        {"", "f: holds no opening", RULE_FREESTYLE},
        {"# nothing\n\n", "f: holds no opening", RULE_FREESTYLE},
        {"h8\n1,2,3\n", "f:2: an odd number of offsets", RULE_FREESTYLE},
        {"1,x", "f:1: 'x' is no offset", RULE_FREESTYLE},
        {"1,8", "f:1: offset 1,8 is off the 15x15 board (-7 to 7, -7 to 7)", RULE_FREESTYLE},
        {"99999999999999999999,0", "farther than any board", RULE_FREESTYLE},
        {"h8p8", "f:1: point p8 is off the 15x15 board", RULE_FREESTYLE},
        {"h8i9\nh8h8", "f:2: stone 2: there is one", RULE_FREESTYLE},
        {"h8,?", "f:1: '?' is not a point", RULE_FREESTYLE},
        {"a1a15b1b15c1c15d1d15e1", "f:1: stone 9 ends the game", RULE_FREESTYLE},
        {"h8a1h9a3i10a5j10a7h10", "f:1: stone 9 (h6, rows from below): forbidden to Black",
         RULE_RENJU},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Rules rules = rules_of(bad[i].kind, 15, 15);
        Openings openings;
        Err err;
        assert_false(parse(bad[i].text, &rules, &openings, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, err.text);
    }
    Rules rules = rules_of(RULE_FREESTYLE, 15, 15);
    Openings openings;
    Err err;
    assert_false(openings_parse("h8\0i9", 5, "f", &rules, &openings, &err));
    assert_string_equal(err.text, "f:1: a zero byte");
    assert_false(openings_read("no/such/file", &rules, &openings, &err));
    assert_non_null(strstr(err.text, "no/such/file"));
}

/* What is written is read as the same, in both forms, also on odd boards. */
static void test_round_trip(void **state)
{
    (void)state;
    static const int sizes[][2] = {{15, 15}, {20, 20}, {30, 7}, {100, 100}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Rules rules = rules_of(RULE_STANDARD, sizes[i][0], sizes[i][1]);
        Openings openings, again;
        openings_init(&openings, &rules);
        for (int k = 1; k <= 5; k++) {
            Point stones[5];
            for (int n = 0; n < k; n++)
                stones[n] =
                    rules_point(&rules, rules.width - 1 - 2 * n, (3 * n + k) % rules.height);
            openings_add(&openings, stones, k);
        }
        for (OpeningForm form = OPENING_POS; form <= OPENING_OFFSET; form++) {
            Buf text = BUF_EMPTY;
            Err err;
            openings_write(&openings, form, &text);
            if (!parse(buf_text(&text), &rules, &again, &err)) fail_msg("%s", err.text);
            assert_int_equal(again.count, openings.count);
            assert_memory_equal(again.end, openings.end, 5 * sizeof *again.end);
            assert_memory_equal(again.stones, openings.stones, 15 * sizeof *again.stones);
            openings_free(&again);
            buf_free(&text);
        }
        openings_free(&openings);
    }
}

static void test_files(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        RuleKind kind;
        int side, count;
    } files[] = {
        {SHARED "gomocup-freestyle20.offset.txt", RULE_FREESTYLE, 20, 108},
        {SHARED "gomocup-freestyle20.pos", RULE_FREESTYLE, 20, 108},
        {SHARED "mixed-15.pos", RULE_STANDARD, 15, 96},
        {SHARED "piskvork-15.pos", RULE_FREESTYLE, 15, 40},
        {SHARED "renju-26.pos", RULE_RENJU, 15, 26},
    };
    FILE *there = fopen(files[0].path, "r");
    if (!there) skip();
    fclose(there);
    Openings sets[5];
    Err err;
    for (int i = 0; i < 5; i++) {
        Rules rules = rules_of(files[i].kind, files[i].side, files[i].side);
        if (!openings_read(files[i].path, &rules, &sets[i], &err)) fail_msg("%s", err.text);
        assert_int_equal(sets[i].count, files[i].count);
    }
    /* The first two hold the same openings. */
    assert_memory_equal(sets[0].end, sets[1].end, 108 * sizeof *sets[0].end);
    assert_memory_equal(sets[0].stones, sets[1].stones, sets[0].end[107] * sizeof(Point));
    for (int i = 0; i < 5; i++) openings_free(&sets[i]);
    Rules small = rules_of(RULE_FREESTYLE, 15, 15);
    assert_false(openings_read(files[0].path, &small, &sets[0], &err));
    assert_non_null(strstr(err.text, "offset.txt:1: offset -1,9 is off the 15x15 board"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
