/* SPDX-License-Identifier: MIT */
/* .sgf: its points, read and written.
 *
 *     hh       column and row from the upper left: a … z, then A … Z
 *     aa:cb    a rectangle: its upper left and its lower right corner
 *
 * Board notation (h8) and, on boards up to 19x19, "tt" for a pass are understood too. */
#include "game/record_io.h"

#include "game/notation.h"

#include <ctype.h>
#include <string.h>

enum { SIDE_LETTERS = 26, PASS_SIDE = 19 };

const char *const sgf_signs[SIGN_COUNT] = {
    [SIGN_LABEL] = "LB",  [SIGN_TRIANGLE] = "TR", [SIGN_SQUARE] = "SQ",
    [SIGN_CIRCLE] = "CR", [SIGN_CROSS] = "MA",
};

static int letter_place(int letter, bool small)
{
    if (islower(letter)) return letter - 'a';
    return letter - 'A' + (small ? 0 : SIDE_LETTERS);
}

bool sgf_point(const Rules *rules, const char *value, size_t length, Point *p, Err *err)
{
    bool small = rules->width <= SIDE_LETTERS && rules->height <= SIDE_LETTERS;
    char text[RECORD_SHOWN + 1];
    int len = 0;
    for (const char *end = value + length; value < end && len < RECORD_SHOWN; value++)
        if (!isspace((unsigned char)*value)) text[len++] = *value;
    text[len] = '\0';
    *p = POINT_NONE;
    if (len == 0) return true;
    if (len != 2 || !isalpha((unsigned char)text[0]) || !isalpha((unsigned char)text[1])) {
        const char *at = text;
        if (!point_parse(rules, &at, p, err)) return false;
        return !*at || err_set(err, "[%s] is not a point (like hh or h8)", text);
    }
    int x = letter_place((unsigned char)text[0], small);
    int y = letter_place((unsigned char)text[1], small);
    bool may_pass = rules->width <= PASS_SIDE && rules->height <= PASS_SIDE;
    if (may_pass && x == PASS_SIDE && y == PASS_SIDE) return true;
    if (!rules_inside(rules, x, y))
        return err_set(err, "point [%s] is off the %dx%d board", text, rules->width, rules->height);
    *p = rules_point(rules, x, y);
    return true;
}

static void sort(int *low, int *high)
{
    if (*low <= *high) return;
    int other = *low;
    *low = *high;
    *high = other;
}

bool sgf_area(const Rules *rules, const char *value, Point *from, Point *to, Err *err)
{
    const char *colon = strchr(value, ':');
    size_t len = colon ? (size_t)(colon - value) : strlen(value);
    if (!sgf_point(rules, value, len, from, err)) return false;
    *to = *from;
    if (!colon) return true;
    if (!sgf_point(rules, colon + 1, strlen(colon + 1), to, err)) return false;
    if (*from == POINT_NONE || *to == POINT_NONE) {
        *from = *to = POINT_NONE;
        return true;
    }
    int left = rules_x(rules, *from), right = rules_x(rules, *to);
    int top = rules_y(rules, *from), bottom = rules_y(rules, *to);
    sort(&left, &right); /* some programs name the other two corners, or begin below */
    sort(&top, &bottom);
    *from = rules_point(rules, left, top);
    *to = rules_point(rules, right, bottom);
    return true;
}

static char letter(int place)
{
    return (char)(place < SIDE_LETTERS ? 'a' + place : 'A' + place - SIDE_LETTERS);
}

void sgf_add_point(Buf *out, const Rules *rules, Point p)
{
    if (p == POINT_NONE) return;
    buf_add_char(out, letter(rules_x(rules, p)));
    buf_add_char(out, letter(rules_y(rules, p)));
}
