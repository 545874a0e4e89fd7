/* SPDX-License-Identifier: MIT */
/* Points, positions and diagrams: what is written is read back, what is wrong is explained. */
#include "base/rng.h"
#include "game/diagram.h"
#include "game/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Rules rules_of(int width, int height)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, width, height, 5);
    return rules;
}

static void test_rules(void **state)
{
    (void)state;
    Err err;
    RuleKind kind;
    const char *names[] = {"freestyle", "standard", "renju", "caro", "caro6"};
    const char *numbers[] = {"0", "1", "4", "9", "8"};
    for (int i = 0; i < RULE_COUNT; i++) {
        assert_string_equal(rule_name((RuleKind)i), names[i]);
        assert_true(rule_parse(names[i], &kind, &err));
        assert_int_equal(kind, i);
        assert_true(rule_parse(numbers[i], &kind, &err));
        assert_int_equal(kind, i);
    }
    assert_false(rule_parse("5", &kind, &err));
    assert_false(rule_parse("", &kind, &err));
    assert_false(rule_parse("chess", &kind, &err));
    assert_non_null(strstr(err.text, "'chess'"));
    assert_non_null(strstr(err.text, "renju"));

    assert_true(rules_check(1, 100, 10, &err));
    assert_false(rules_check(0, 15, 5, &err));
    assert_false(rules_check(15, 101, 5, &err));
    assert_string_equal(err.text, "a board of 15x101 is not possible (1 to 100 each way)");
    assert_false(rules_check(15, 15, 2, &err));
    assert_string_equal(err.text, "2 in a row is not possible (3 to 10)");

    Rules a = rules_of(15, 15), b = rules_of(15, 15);
    assert_true(rules_equal(&a, &b));
    b.k = 6;
    assert_false(rules_equal(&a, &b));
}

static void test_all_points(void **state)
{
    (void)state;
    static const int SIZES[][2] = {{1, 1}, {15, 15}, {20, 15}, {3, 100}, {100, 3}, {100, 100}};
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
        Rules rules = rules_of(SIZES[s][0], SIZES[s][1]);
        for (int i = 0; i < rules.width * rules.height; i++) {
            char text[POINT_TEXT_MAX];
            const char *at = point_text(&rules, rules_nth(&rules, i), text);
            Point p = POINT_NONE;
            assert_true(point_parse(&rules, &at, &p, NULL));
            assert_int_equal(p, rules_nth(&rules, i));
            assert_int_equal(*at, 0);
        }
    }
}

static Point parse(const Rules *rules, const char *text)
{
    Point p = POINT_NONE;
    Err err;
    assert_true(point_parse(rules, &text, &p, &err));
    return p;
}

static void test_point_places(void **state)
{
    (void)state;
    char text[POINT_TEXT_MAX];
    Rules rules = rules_of(15, 15), wide = rules_of(100, 100);
    assert_int_equal(parse(&rules, "a1"), rules_point(&rules, 0, 14));
    assert_int_equal(parse(&rules, "h8"), rules_point(&rules, 7, 7));
    assert_int_equal(parse(&rules, "O15"), rules_point(&rules, 14, 0));
    assert_int_equal(parse(&wide, "z1"), rules_point(&wide, 25, 99));
    assert_int_equal(parse(&wide, "aa1"), rules_point(&wide, 26, 99));
    assert_int_equal(parse(&wide, "cv100"), rules_point(&wide, 99, 0));
    assert_string_equal(point_text(&rules, POINT_NONE, text), "--");
    assert_string_equal(point_column_text(51, text), "az");
    assert_string_equal(point_column_text(52, text), "ba");
}

static void refused_point(const char *text, const char *why)
{
    Rules rules = rules_of(15, 15);
    Point p = 7;
    Err err;
    const char *at = text;
    assert_false(point_parse(&rules, &at, &p, &err));
    assert_string_equal(err.text, why);
    assert_ptr_equal(at, text);
    assert_int_equal(p, 7);
}

static void test_point_errors(void **state)
{
    (void)state;
    refused_point("", "a point is missing (column letters and row number, like h8)");
    refused_point("h", "'h' is not a point (column letters and row number, like h8)");
    refused_point("8", "'8' is not a point (column letters and row number, like h8)");
    refused_point("--", "'--' is not a point (column letters and row number, like h8)");
    refused_point("\x01\xFFxx", "'??xx' is not a point (column letters and row number, like h8)");
    refused_point("p3", "point p3 is off the 15x15 board (columns a to o, rows 1 to 15)");
    refused_point("a0", "point a0 is off the 15x15 board (columns a to o, rows 1 to 15)");
    refused_point("a16", "point a16 is off the 15x15 board (columns a to o, rows 1 to 15)");
    refused_point("zzzzzzzzzzzzzzz9999999999999",
                  "point zzzzzzzzzzzz is off the 15x15 board (columns a to o, rows 1 to 15)");
}

static void test_positions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char side;
        const char *written;
        int count;
        Colour to_move;
    } CASES[] = {
        {"", 0, "", 0, BLACK},
        {"h8i9g7", 0, "h8i9g7", 3, WHITE},
        {" H8, i9\n g7 h7 ", 0, "h8i9g7h7", 4, BLACK},
        {"h8i9g7", 'w', "h8i9g7", 3, WHITE},
        {"h8i9g7", 'b', "b:h8g7/w:i9", 3, BLACK}, /* no longer the moves of a game */
        {"b:h8g7/w:i9", 0, "b:h8g7/w:i9", 3, WHITE},
        {"w:i9 / b:h8", 0, "b:h8/w:i9", 2, BLACK},
        {"b:h8g7f6", 'w', "b:h8g7f6/w:", 3, WHITE},
        {"b:-/w:-", 0, "b:/w:", 0, BLACK},
        {"b7w1", 0, NULL, 0, BLACK}, /* w is a column here, and off the board */
        {"b7c1", 0, "b7c1", 2, BLACK},
    };
    Rules rules = rules_of(15, 15);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position position;
        Err err;
        bool read = position_parse(&rules, CASES[i].text, CASES[i].side, &position, &err);
        assert_int_equal(read, CASES[i].written != NULL);
        if (!read) continue;
        Buf out = BUF_EMPTY;
        position_write(&rules, &position, &out);
        assert_string_equal(buf_text(&out), CASES[i].written);
        assert_int_equal(position.count, CASES[i].count);
        assert_int_equal(position.side, CASES[i].to_move);
        buf_free(&out);
        position_free(&position);
    }
}

static void test_position_errors(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"h8h8", "two stones on h8"},
        {"b:h8/w:h8", "two stones on h8"},
        {"h8i9x", "'x' is not a point (column letters and row number, like h8)"},
        {"h8/i9", "'/i9' is not a point (column letters and row number, like h8)"},
        {"b:h8/b:i9", "b: stands twice (stones are written like b:h8g7/w:i9)"},
        {"b:h8/i9", "stones are written like b:h8g7/w:i9 (b: or w: is missing)"},
        {"b:h8/w:i9/", "stones are written like b:h8g7/w:i9 (b: or w: is missing)"},
        {"b:-h8", "'-h8' is not a point (column letters and row number, like h8)"},
        {"w:h8", "0 black and 1 white stones do not say whose turn it is (give the side)"},
        {"b:a1a2", "2 black and 0 white stones do not say whose turn it is (give the side)"},
    };
    Rules rules = rules_of(15, 15);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Position position;
        Err err;
        assert_false(position_parse(&rules, CASES[i][0], 0, &position, &err));
        assert_string_equal(err.text, CASES[i][1]);
        assert_null(position.stones);
    }
}

static void test_position_lists(void **state)
{
    (void)state;
    Rules rules = rules_of(15, 15);
    Position position;
    Err err;
    assert_true(position_parse_lists(&rules, "h8g7", "-", 'b', &position, &err));
    assert_int_equal(position.count, 2);
    assert_int_equal(position.side, BLACK);
    assert_false(position.ordered);
    position_free(&position);
    assert_true(position_parse_lists(&rules, "", "", 0, &position, &err));
    assert_int_equal(position.count, 0);
    position_free(&position);
    assert_false(position_parse_lists(&rules, "h8/g7", "", 0, &position, &err));
    assert_false(position_parse_lists(&rules, "h8", "h8", 0, &position, &err));
    assert_string_equal(err.text, "two stones on h8");
}

static void test_diagram_text(void **state)
{
    (void)state;
    Rules rules = rules_of(3, 3);
    uint8_t cells[200], back[200];
    Err err;
    static const char DRAWN[] = "3 . . O\n2 . X .\n1 . . .\n  a b c\n";
    assert_true(diagram_read(&rules, DRAWN, cells, &err));
    assert_int_equal(cells[rules_point(&rules, 1, 1)], CELL_BLACK);
    assert_int_equal(cells[rules_point(&rules, 2, 0)], CELL_WHITE);
    assert_int_equal(cells[0], CELL_WALL);
    Buf out = BUF_EMPTY;
    diagram_write(&rules, cells, &out);
    assert_string_equal(out.data, DRAWN);
    buf_free(&out);
    assert_true(diagram_read(&rules, "\n ..O \n .X.\r\n\n 1 ...", back, &err));
    assert_memory_equal(cells, back, (size_t)rules_area(&rules));

    int width, height;
    assert_true(diagram_size(DRAWN, &width, &height, &err));
    assert_int_equal(width, 3);
    assert_int_equal(height, 3);
    assert_false(diagram_size("", &width, &height, &err));
}

static void test_diagram_errors(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"...\n...\n", "the diagram has 2 rows, the board is 3 high"},
        {"...\n...\n...\n...\n", "the diagram has 4 rows, the board is 3 high"},
        {"...\n..\n...\n", "row 2 has 2 cells, the board is 3 wide"},
        {"...\n...\n....\n", "row 1 has 4 cells, the board is 3 wide"},
        {"3 ...\n1 ...\n2 ...\n", "row 1 stands where row 2 should be"},
        {"..#\n...\n...\n", "row 3: '#' is not a cell ('.', 'X' or 'O')"},
    };
    Rules rules = rules_of(3, 3);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint8_t cells[200];
        Err err;
        assert_false(diagram_read(&rules, CASES[i][0], cells, &err));
        assert_string_equal(err.text, CASES[i][1]);
    }
}

static void test_diagram_random(void **state)
{
    (void)state;
    static uint8_t cells[20000], back[20000];
    Rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 50; round++) {
        Rules rules = rules_of(1 + (int)rng_below(&rng, 100), 1 + (int)rng_below(&rng, 100));
        memset(cells, CELL_WALL, sizeof cells);
        for (int i = 0; i < rules.width * rules.height; i++)
            cells[rules_nth(&rules, i)] = (uint8_t)rng_below(&rng, 3);
        Buf out = BUF_EMPTY;
        Err err;
        diagram_write(&rules, cells, &out);
        assert_true(diagram_read(&rules, out.data, back, &err));
        assert_memory_equal(cells, back, (size_t)rules_area(&rules));
        int width, height;
        assert_true(diagram_size(out.data, &width, &height, &err));
        assert_int_equal(width, rules.width);
        assert_int_equal(height, rules.height);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),          cmocka_unit_test(test_all_points),
        cmocka_unit_test(test_point_places),   cmocka_unit_test(test_point_errors),
        cmocka_unit_test(test_positions),      cmocka_unit_test(test_position_errors),
        cmocka_unit_test(test_position_lists), cmocka_unit_test(test_diagram_text),
        cmocka_unit_test(test_diagram_errors), cmocka_unit_test(test_diagram_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
