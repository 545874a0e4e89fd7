/* SPDX-License-Identifier: MIT */
/* Line shapes: the table equals the classifier on every key; the classifier equals a reference that
 * knows nothing of its short cuts and tries every stone and every reply; Table 2 of the document.
 */
#include "base/mem.h"
#include "game/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- table = classifier ---------------------------------------------------------------------- */

static void check_table(int k)
{
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        Rules rules;
        rules_init(&rules, (RuleKind)kind, 15, 15, k);
        const LineTable *table = line_table(&rules);
        assert_int_equal(table->shape[table->keys], 0);
        for (uint32_t key = 0; key < table->keys; key++) {
            int shapes = 0;
            for (int c = 0; c < COLOUR_COUNT; c++)
                shapes |= (int)line_shape(&rules.side[c], k, line_window(table, key, (Colour)c))
                          << 4 * c;
            if (table->shape[key] != shapes)
                fail_msg("%s k=%d key %u: table %02x, classifier %02x", rule_name(rules.kind), k,
                         key, table->shape[key], (unsigned)shapes);
        }
    }
}

static void test_table_small(void **state)
{
    (void)state;
    for (int k = 3; k <= 5; k++) check_table(k);
}

static void test_table_6(void **state)
{
    (void)state;
    check_table(6);
}

static void test_table_7(void **state)
{
    (void)state;
    if (getenv("QUICK")) skip(); /* 10,758,400 keys for each of five rules */
    check_table(7);
}

/* --- classifier = reference ------------------------------------------------------------------ */

/* The reference works on a text such as "#..OO*.X..." ('*' and 'O' own, 'X' other, '#' wall). */
typedef struct {
    const SideRule *rule;
    int k;
    uint8_t *memo; /* by the text read as digits to base 4; 0 = unknown, else shape + 1 */
} Reference;

static bool is_own(char c)
{
    return c == 'O' || c == '*';
}

/* Is the centre part of a row that wins, with `also` in it? */
static bool ref_wins(const Reference *ref, const char *text, int also)
{
    int k = ref->k, first = k, last = k;
    while (first > 0 && is_own(text[first - 1])) first--;
    while (last < 2 * k && is_own(text[last + 1])) last++;
    int length = last - first + 1;
    if (also < first || also > last || length < k) return false;
    if (length > k) return ref->rule->overline == OVERLINE_WINS;
    return !(ref->rule->enclosed_dead && first > 0 && last < 2 * k && text[first - 1] == 'X' &&
             text[last + 1] == 'X');
}

static int ref_five_points(const Reference *ref, char *text, int points[])
{
    int n = 0;
    for (int i = 0; i <= 2 * ref->k; i++) {
        if (text[i] != '.') continue;
        text[i] = 'O';
        if (ref_wins(ref, text, i)) points[n++] = i;
        text[i] = '.';
    }
    return n;
}

/* Open: no single reply in the line takes all five-points away. */
static bool ref_is_open(const Reference *ref, char *text)
{
    int points[32];
    for (int i = 0; i <= 2 * ref->k; i++) {
        if (text[i] != '.') continue;
        text[i] = 'X';
        int left = ref_five_points(ref, text, points);
        text[i] = '.';
        if (!left) return false;
    }
    return true;
}

static Shape ref_shape(const Reference *ref, char *text);

/* The best and the count of open shapes one more stone can make. */
static int ref_best_next(const Reference *ref, char *text, int count[SHAPE_COUNT])
{
    int best = SHAPE_NONE;
    for (int i = 0; i <= 2 * ref->k; i++) {
        if (text[i] != '.') continue;
        text[i] = 'O';
        Shape next = ref_shape(ref, text);
        text[i] = '.';
        count[next]++;
        if (next != SHAPE_OVERLINE && (int)next > best) best = (int)next;
    }
    return best;
}

static Shape ref_compute(const Reference *ref, char *text)
{
    int k = ref->k, points[32], run = 1;
    for (int i = k - 1; i >= 0 && is_own(text[i]); i--) run++;
    for (int i = k + 1; i <= 2 * k && is_own(text[i]); i++) run++;
    if (ref_wins(ref, text, k)) return SHAPE_FIVE;
    if (run > k) return SHAPE_OVERLINE;
    int fives = ref_five_points(ref, text, points);
    if (fives == 1) return SHAPE_FOUR;
    if (fives >= 2) {
        if (!ref_is_open(ref, text)) return SHAPE_FOUR;
        return points[1] - points[0] == k && run == k - 1 ? SHAPE_OPEN_FOUR : SHAPE_DOUBLE_FOUR;
    }
    int count[SHAPE_COUNT] = {0};
    int best = ref_best_next(ref, text, count);
    if (best >= SHAPE_FOUR) {
        int open = count[SHAPE_OPEN_FOUR] + (ref->rule->fouls ? 0 : count[SHAPE_DOUBLE_FOUR]);
        return open > 1 ? SHAPE_OPEN_THREE_TWIN : open ? SHAPE_OPEN_THREE : SHAPE_THREE;
    }
    if (best >= SHAPE_THREE) {
        int open = count[SHAPE_OPEN_THREE] + count[SHAPE_OPEN_THREE_TWIN];
        return open > 3    ? SHAPE_OPEN_TWO_FULL
               : open == 3 ? SHAPE_OPEN_TWO_WIDE
               : open      ? SHAPE_OPEN_TWO
                           : SHAPE_TWO;
    }
    if (best >= SHAPE_OPEN_TWO) return SHAPE_OPEN_ONE;
    return best == SHAPE_TWO ? SHAPE_ONE : SHAPE_NONE;
}

static Shape ref_shape(const Reference *ref, char *text)
{
    size_t at = 0;
    for (int i = 0; i <= 2 * ref->k; i++) {
        char c = text[i];
        at = at * 4 + (c == '.' ? 0u : is_own(c) ? 1u : c == 'X' ? 2u : 3u);
    }
    if (!ref->memo[at]) ref->memo[at] = (uint8_t)(ref_compute(ref, text) + 1);
    return (Shape)(ref->memo[at] - 1);
}

static void check_reference(int k)
{
    size_t size = (size_t)1 << 2 * (2 * k + 1);
    Reference ref = {.k = k, .memo = mem_alloc(size)};
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        Rules rules;
        rules_init(&rules, (RuleKind)kind, 15, 15, k);
        const LineTable *table = line_table(&rules);
        for (int c = 0; c < COLOUR_COUNT; c++) {
            ref.rule = &rules.side[c];
            memset(ref.memo, 0, size);
            for (uint32_t key = 0; key < table->keys; key++) {
                Window w = line_window(table, key, (Colour)c);
                char text[32] = {0};
                for (int i = 0; i <= 2 * k; i++)
                    text[i] = i == k            ? '*'
                              : w.own >> i & 1  ? 'O'
                              : w.opp >> i & 1  ? 'X'
                              : w.wall >> i & 1 ? '#'
                                                : '.';
                Shape should = ref_shape(&ref, text), is = line_shape(ref.rule, k, w);
                if (is != should)
                    fail_msg("%s colour %d k=%d %s: %s, should be %s", rule_name(rules.kind), c, k,
                             text, shape_name(is), shape_name(should));
            }
        }
    }
    mem_free(ref.memo);
}

static void test_reference(void **state)
{
    (void)state;
    for (int k = 3; k <= 5; k++) check_reference(k);
}

/* --- examples -------------------------------------------------------------------------------- */

static Shape shape_of(RuleKind kind, Colour colour, const char *text)
{
    Rules rules;
    rules_init(&rules, kind, 15, 15, 5);
    Window w = {0};
    for (int i = 0; text[i]; i++) {
        uint32_t bit = 1u << i;
        if (text[i] == 'O') w.own |= bit;
        if (text[i] == 'X') w.opp |= bit;
        if (text[i] == '#') w.wall |= bit;
    }
    return line_shape(&rules.side[colour], 5, w);
}

static void test_examples(void **state)
{
    (void)state;
    static const struct {
        RuleKind rule;
        Colour colour;
        const char *text;
        Shape shape;
    } cases[] = {
        {RULE_FREESTYLE, BLACK, ".....*.....", SHAPE_OPEN_ONE},
        {RULE_FREESTYLE, BLACK, ".OOOO*.....", SHAPE_FIVE},
        {RULE_FREESTYLE, BLACK, "OOOOO*.....", SHAPE_FIVE},
        {RULE_STANDARD, BLACK, "OOOOO*.....", SHAPE_OVERLINE},
        {RULE_RENJU, BLACK, "OOOOO*.....", SHAPE_OVERLINE},
        {RULE_RENJU, WHITE, "OOOOO*.....", SHAPE_FIVE},
        {RULE_FREESTYLE, BLACK, "..OOO*.....", SHAPE_OPEN_FOUR},
        {RULE_FREESTYLE, BLACK, ".XOOO*.....", SHAPE_FOUR},
        {RULE_FREESTYLE, BLACK, ".XOOO*X....", SHAPE_NONE},
        {RULE_STANDARD, BLACK, ".O.OO*O....", SHAPE_FOUR}, /* one end makes six */
        {RULE_FREESTYLE, BLACK, "...OO*.....", SHAPE_OPEN_THREE_TWIN},
        {RULE_FREESTYLE, BLACK, "..XOO*.....", SHAPE_THREE},
        {RULE_FREESTYLE, BLACK, ".X.OO*.X...", SHAPE_THREE}, /* five cells: no open four */
        {RULE_FREESTYLE, BLACK, ".X.OO*..X..", SHAPE_OPEN_THREE},
        {RULE_FREESTYLE, BLACK, "O.OO.*.....", SHAPE_OPEN_THREE},
        {RULE_STANDARD, BLACK, "O.OO.*.....", SHAPE_THREE}, /* one end would make six */
        {RULE_FREESTYLE, BLACK, ".OOO.*.OOO.", SHAPE_DOUBLE_FOUR},
        {RULE_FREESTYLE, BLACK, "....O*.....", SHAPE_OPEN_TWO_FULL},
        {RULE_FREESTYLE, BLACK, "...XO*.....", SHAPE_TWO},
        {RULE_FREESTYLE, BLACK, "#####*.....", SHAPE_ONE},
        {RULE_CARO, BLACK, ".OOOO*.....", SHAPE_FIVE},
        {RULE_CARO, BLACK, "XOOOO*X....", SHAPE_NONE}, /* enclosed */
        {RULE_CARO, BLACK, "XOOOO*#####", SHAPE_FIVE}, /* the edge does not enclose */
        {RULE_CARO, BLACK, "X.OOO*.X...", SHAPE_FOUR}, /* one block encloses the other end */
        {RULE_CARO6, BLACK, "XOOOO*X....", SHAPE_NONE},
        {RULE_CARO6, BLACK, "OOOOO*X....", SHAPE_FIVE},
        {RULE_CARO, BLACK, "OOOOO*X....", SHAPE_OVERLINE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Shape is = shape_of(cases[i].rule, cases[i].colour, cases[i].text);
        if (is != cases[i].shape)
            fail_msg("%s %s: %s, should be %s", rule_name(cases[i].rule), cases[i].text,
                     shape_name(is), shape_name(cases[i].shape));
    }
}

/* Table 2: seventeen rows, each from the shapes its name says, whatever the directions. */
static void test_table_2(void **state)
{
    (void)state;
    static const struct {
        Shape a, b;
        Class class;
        char letter;
    } rows[] = {
        {SHAPE_FIVE, SHAPE_NONE, CLASS_FIVE, 'A'},
        {SHAPE_OPEN_FOUR, SHAPE_NONE, CLASS_OPEN_FOUR, 'B'},
        {SHAPE_FOUR, SHAPE_FOUR, CLASS_DOUBLE_FOUR, 'B'},
        {SHAPE_DOUBLE_FOUR, SHAPE_NONE, CLASS_DOUBLE_FOUR, 'B'},
        {SHAPE_FOUR, SHAPE_OPEN_THREE, CLASS_FOUR_OPEN_THREE, 'C'},
        {SHAPE_FOUR, SHAPE_THREE, CLASS_FOUR_THREE, 'D'},
        {SHAPE_FOUR, SHAPE_OPEN_TWO_WIDE, CLASS_FOUR_OPEN_TWO, 'D'},
        {SHAPE_FOUR, SHAPE_TWO, CLASS_FOUR_TWO, 'E'},
        {SHAPE_FOUR, SHAPE_OPEN_ONE, CLASS_FOUR, 'F'},
        {SHAPE_OPEN_THREE, SHAPE_OPEN_THREE_TWIN, CLASS_DOUBLE_OPEN_THREE, 'G'},
        {SHAPE_OPEN_THREE_TWIN, SHAPE_THREE, CLASS_OPEN_THREE_THREE, 'H'},
        {SHAPE_OPEN_THREE, SHAPE_OPEN_TWO_FULL, CLASS_OPEN_THREE_OPEN_TWO, 'H'},
        {SHAPE_OPEN_THREE, SHAPE_TWO, CLASS_OPEN_THREE_TWO, 'I'},
        {SHAPE_OPEN_THREE, SHAPE_NONE, CLASS_OPEN_THREE, 'J'},
        {SHAPE_THREE, SHAPE_OPEN_TWO, CLASS_THREE_OPEN_TWO, 'K'},
        {SHAPE_THREE, SHAPE_ONE, CLASS_THREE, 'L'},
        {SHAPE_OPEN_TWO, SHAPE_TWO, CLASS_OPEN_TWO, 'M'},
        {SHAPE_TWO, SHAPE_NONE, CLASS_TWO, 'N'},
        {SHAPE_NONE, SHAPE_OPEN_ONE, CLASS_NONE, '.'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int da = 0; da < 4; da++)
            for (int db = 0; db < 4; db++) {
                if (da == db) continue;
                unsigned code = (unsigned)rows[i].a << 4 * da | (unsigned)rows[i].b << 4 * db;
                assert_int_equal(line_class(code, false), rows[i].class);
                assert_int_equal(class_letter(rows[i].class), rows[i].letter);
                bool foul =
                    rows[i].class == CLASS_DOUBLE_FOUR || rows[i].class == CLASS_DOUBLE_OPEN_THREE;
                assert_int_equal(line_class(code, true), foul ? CLASS_FOUL : rows[i].class);
            }
    assert_int_equal(line_class(SHAPE_OVERLINE, true), CLASS_FOUL);
    assert_int_equal(line_class(SHAPE_OVERLINE | SHAPE_FIVE << 4, true), CLASS_FIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_small), cmocka_unit_test(test_table_6),
        cmocka_unit_test(test_table_7),     cmocka_unit_test(test_reference),
        cmocka_unit_test(test_examples),    cmocka_unit_test(test_table_2),
    };
    return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
