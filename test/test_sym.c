/* SPDX-License-Identifier: MIT */
/* Symmetries: the group laws, the maps on points, and the smallest form of a position. */
#include "base/rng.h"
#include "game/sym.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int SIZES[][2] = {{1, 1}, {1, 7}, {7, 1}, {2, 2},   {3, 3},   {3, 2},
                               {5, 4}, {4, 5}, {8, 8}, {15, 15}, {20, 15}, {100, 100}};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static Rules rules_of(int width, int height)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, width, height, 5);
    return rules;
}

static void test_group(void **state)
{
    (void)state;
    for (int group = 4; group <= 8; group += 4) {
        for (Sym a = 0; a < group; a++) {
            assert_int_equal(sym_compose(a, SYM_NONE), a);
            assert_int_equal(sym_compose(SYM_NONE, a), a);
            assert_int_equal(sym_compose(a, sym_inverse(a)), SYM_NONE);
            assert_int_equal(sym_compose(sym_inverse(a), a), SYM_NONE);
            for (Sym b = 0; b < group; b++) {
                assert_true(sym_compose(a, b) < group);
                for (Sym c = 0; c < group; c++)
                    assert_int_equal(sym_compose(sym_compose(a, b), c),
                                     sym_compose(a, sym_compose(b, c)));
            }
        }
    }
}

static void test_points(void **state)
{
    (void)state;
    for (int i = 0; i < SIZE_COUNT; i++) {
        Rules rules = rules_of(SIZES[i][0], SIZES[i][1]);
        int count = rules.width * rules.height;
        bool *seen = calloc((size_t)rules_area(&rules), sizeof *seen);
        assert_int_equal(sym_count(&rules), rules.width == rules.height ? 8 : 4);
        for (Sym a = 0; a < sym_count(&rules); a++) {
            memset(seen, 0, (size_t)rules_area(&rules) * sizeof *seen);
            assert_int_equal(sym_point(&rules, a, POINT_NONE), POINT_NONE);
            for (int n = 0; n < count; n++) {
                Point p = rules_nth(&rules, n), q = sym_point(&rules, a, p);
                assert_true(rules_inside(&rules, rules_x(&rules, q), rules_y(&rules, q)));
                assert_false(seen[q]);
                seen[q] = true;
                assert_int_equal(sym_point(&rules, sym_inverse(a), q), p);
                if (a == SYM_NONE) assert_int_equal(q, p);
                for (Sym b = 0; b < sym_count(&rules); b++)
                    assert_int_equal(sym_point(&rules, b, q),
                                     sym_point(&rules, sym_compose(a, b), p));
            }
        }
        free(seen);
    }
}

/* The eight images of one point off every axis are eight points, as drawn. */
static void test_images(void **state)
{
    (void)state;
    Rules rules = rules_of(15, 15);
    static const int IMAGE[8][2] = {{2, 5}, {12, 5}, {2, 9}, {12, 9},
                                    {5, 2}, {5, 12}, {9, 2}, {9, 12}};
    for (Sym a = 0; a < 8; a++)
        assert_int_equal(sym_point(&rules, a, rules_point(&rules, 2, 5)),
                         rules_point(&rules, IMAGE[a][0], IMAGE[a][1]));
}

/* A random position of up to `most` stones; its arrays are the caller's. */
static void position_random(Position *position, const Rules *rules, int most, Rng *rng)
{
    int count = rules->width * rules->height;
    bool *taken = calloc((size_t)rules_area(rules), sizeof *taken);
    position->count = (int)rng_below(rng, (uint32_t)(most < count ? most : count) + 1);
    position->stones = malloc((size_t)(position->count + 1) * sizeof(Point));
    position->colours = malloc((size_t)(position->count + 1));
    position->ordered = true;
    position->side = (Colour)rng_below(rng, 2);
    for (int i = 0; i < position->count;) {
        Point p = rules_nth(rules, (int)rng_below(rng, (uint32_t)count));
        if (taken[p]) continue;
        taken[p] = true;
        position->stones[i] = p;
        position->colours[i++] = (uint8_t)rng_below(rng, 2);
    }
    free(taken);
}

static uint64_t key_of(const Rules *rules, const Position *position)
{
    return sym_key(rules, position->stones, position->colours, position->count, position->side);
}

static void test_canonical(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < SIZE_COUNT; i++) {
        Rules rules = rules_of(SIZES[i][0], SIZES[i][1]);
        for (int round = 0; round < 40; round++) {
            Position a, b;
            position_random(&a, &rules, 60, &rng);
            size_t bytes = (size_t)a.count * sizeof(Point);
            b = a;
            b.stones = malloc(bytes + 1);
            b.colours = malloc((size_t)a.count + 1);
            uint64_t key = key_of(&rules, &a);
            /* The same stones turned, and in another order. */
            Sym sym = (Sym)rng_below(&rng, (uint32_t)sym_count(&rules));
            for (int n = 0; n < a.count; n++) {
                b.stones[n] = sym_point(&rules, sym, a.stones[a.count - 1 - n]);
                b.colours[n] = a.colours[a.count - 1 - n];
            }
            assert_true(key_of(&rules, &b) == key);
            sym_canonicalise(&rules, &a);
            sym_canonicalise(&rules, &b);
            assert_memory_equal(a.stones, b.stones, bytes);
            assert_memory_equal(a.colours, b.colours, (size_t)a.count);
            assert_int_equal(sym_canonical(&rules, a.stones, a.colours, a.count), SYM_NONE);
            assert_true(key_of(&rules, &a) == key);
            b.side = colour_other(b.side);
            assert_true(key_of(&rules, &b) != key);
            free(a.stones), free(a.colours), free(b.stones), free(b.colours);
        }
    }
}

static int key_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Counts the different keys of all 3^cells fillings of a small board. */
static int count_classes(int width, int height)
{
    Rules rules = rules_of(width, height);
    int cells = width * height, total = 1, classes = 0;
    for (int i = 0; i < cells; i++) total *= 3;
    uint64_t *keys = malloc((size_t)total * sizeof *keys);
    for (int number = 0; number < total; number++) {
        Point stones[9];
        uint8_t colours[9];
        int count = 0;
        for (int i = 0, rest = number; i < cells; i++, rest /= 3) {
            if (rest % 3 == 0) continue;
            stones[count] = rules_nth(&rules, i);
            colours[count++] = (uint8_t)(rest % 3 - 1);
        }
        keys[number] = sym_key(&rules, stones, colours, count, BLACK);
    }
    qsort(keys, (size_t)total, sizeof *keys, key_compare);
    for (int i = 0; i < total; i++) classes += i == 0 || keys[i] != keys[i - 1];
    free(keys);
    return classes;
}

/* Burnside's lemma says how many positions are really different. */
static void test_classes(void **state)
{
    (void)state;
    assert_int_equal(count_classes(3, 3), (19683 + 2 * 27 + 243 + 4 * 729) / 8);
    assert_int_equal(count_classes(3, 2), (729 + 81 + 27 + 27) / 4);
    assert_int_equal(count_classes(2, 3), (729 + 81 + 27 + 27) / 4);
    assert_int_equal(count_classes(2, 2), (81 + 2 * 3 + 9 + 2 * 9 + 2 * 27) / 8);
    assert_int_equal(count_classes(1, 4), (81 + 81 + 9 + 9) / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group),   cmocka_unit_test(test_points),
        cmocka_unit_test(test_images),  cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
