/* SPDX-License-Identifier: MIT */
/* Points and positions as text; see notation.h.
 *
 * Columns count in letters without a zero (a … z, aa … az, ba …), so a column's letters are its
 * number in base 26 with the digits 1 … 26. Letters and digits alternate, which is why "h8i9g7"
 * needs no separators. */
#include "game/notation.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum {
    COLUMN_LETTERS = 26,
    NUMBER_LIMIT = 100000, /* far beyond any board, far from overflow */
    SNIPPET_MAX = 12,
    AREA_MAX = (SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX,
};

static char *column_text(int column, char *at)
{
    if (column >= COLUMN_LETTERS) at = column_text(column / COLUMN_LETTERS - 1, at);
    *at++ = (char)('a' + column % COLUMN_LETTERS);
    return at;
}

static char *number_text(int number, char *at)
{
    if (number >= 10) at = number_text(number / 10, at);
    *at++ = (char)('0' + number % 10);
    return at;
}

const char *point_text(const Rules *rules, Point p, char text[POINT_TEXT_MAX])
{
    if (p == POINT_NONE) return strcpy(text, "--");
    assert(rules_inside(rules, rules_x(rules, p), rules_y(rules, p)));
    char *at = column_text(rules_x(rules, p), text);
    at = number_text(rules->height - rules_y(rules, p), at);
    *at = '\0';
    return text;
}

const char *point_column_text(int x, char text[POINT_TEXT_MAX])
{
    *column_text(x, text) = '\0';
    return text;
}

/* The beginning of what stands at text, for an error message. */
static const char *snippet(const char *text, char out[SNIPPET_MAX + 1])
{
    int n = 0;
    for (; n < SNIPPET_MAX && text[n] && text[n] != '\n' && text[n] != '\r'; n++)
        out[n] = isprint((unsigned char)text[n]) ? text[n] : '?';
    out[n] = '\0';
    return out;
}

static bool refuse_point(const char *text, Err *err)
{
    char found[SNIPPET_MAX + 1];
    if (!*text) return err_set(err, "a point is missing (column letters and row number, like h8)");
    return err_set(err, "'%s' is not a point (column letters and row number, like h8)",
                   snippet(text, found));
}

bool point_parse(const Rules *rules, const char **text, Point *p, Err *err)
{
    const char *at = *text;
    int column = 0, row = 0;
    for (; isalpha((unsigned char)*at); at++)
        if (column < NUMBER_LIMIT)
            column = column * COLUMN_LETTERS + (tolower((unsigned char)*at) - 'a' + 1);
    const char *digits = at;
    for (; isdigit((unsigned char)*at); at++)
        if (row < NUMBER_LIMIT) row = row * 10 + (*at - '0');
    if (digits == *text || at == digits) return refuse_point(*text, err);

    int x = column - 1, y = rules->height - row;
    if (!rules_inside(rules, x, y)) {
        char last[POINT_TEXT_MAX];
        int shown = at - *text > SNIPPET_MAX ? SNIPPET_MAX : (int)(at - *text);
        return err_set(err, "point %.*s is off the %dx%d board (columns a to %s, rows 1 to %d)",
                       shown, *text, rules->width, rules->height,
                       point_column_text(rules->width - 1, last), rules->height);
    }
    *p = rules_point(rules, x, y);
    *text = at;
    return true;
}

/* A position while it is read: which points are taken, and room for one stone more. */
typedef struct {
    const Rules *rules;
    Position *position;
    int cap;
    uint8_t taken[AREA_MAX];
} Reading;

static void reading_begin(Reading *reading, const Rules *rules, Position *position)
{
    reading->rules = rules;
    reading->position = position;
    reading->cap = 0;
    memset(reading->taken, 0, (size_t)rules_area(rules));
    *position = (Position){.ordered = true, .side = BLACK};
}

static bool reading_add(Reading *reading, Point p, Colour colour, Err *err)
{
    Position *position = reading->position;
    if (reading->taken[p]) {
        char text[POINT_TEXT_MAX];
        return err_set(err, "two stones on %s", point_text(reading->rules, p, text));
    }
    reading->taken[p] = 1;
    if (position->count == reading->cap) {
        reading->cap = reading->cap ? 2 * reading->cap : 64;
        size_t cap = (size_t)reading->cap;
        position->stones = mem_grow(position->stones, cap * sizeof *position->stones);
        position->colours = mem_grow(position->colours, cap * sizeof *position->colours);
    }
    position->stones[position->count] = p;
    position->colours[position->count] = (uint8_t)colour;
    position->count++;
    return true;
}

static const char *skip_separators(const char *text)
{
    while (*text == ',' || isspace((unsigned char)*text)) text++;
    return text;
}

/* Stones of one colour up to the end or a '/'; "-" alone is an empty list. */
static bool reading_list(Reading *reading, const char **text, Colour colour, Err *err)
{
    const char *at = skip_separators(*text);
    const char *after = *at == '-' ? skip_separators(at + 1) : at;
    if (!*after || *after == '/') at = after;
    while (*at && *at != '/') {
        Point p;
        if (!point_parse(reading->rules, &at, &p, err) || !reading_add(reading, p, colour, err))
            return false;
        at = skip_separators(at);
    }
    *text = at;
    return true;
}

static bool reading_moves(Reading *reading, const char *text, Err *err)
{
    for (text = skip_separators(text); *text; text = skip_separators(text)) {
        Point p;
        Colour colour = (Colour)(reading->position->count & 1);
        if (!point_parse(reading->rules, &text, &p, err) || !reading_add(reading, p, colour, err))
            return false;
    }
    return true;
}

/* The colour that a list "b:" or "w:" names; COLOUR_COUNT if none begins here. */
static Colour list_colour(const char *text)
{
    int letter = tolower((unsigned char)text[0]);
    if (!letter || text[1] != ':') return COLOUR_COUNT;
    return letter == 'b' ? BLACK : letter == 'w' ? WHITE : COLOUR_COUNT;
}

static bool reading_stones(Reading *reading, const char *text, Err *err)
{
    bool seen[COLOUR_COUNT] = {false, false};
    reading->position->ordered = false;
    for (;;) {
        text = skip_separators(text);
        Colour colour = list_colour(text);
        if (colour == COLOUR_COUNT)
            return err_set(err, "stones are written like b:h8g7/w:i9 (b: or w: is missing)");
        if (seen[colour])
            return err_set(err, "%c: stands twice (stones are written like b:h8g7/w:i9)",
                           colour == BLACK ? 'b' : 'w');
        seen[colour] = true;
        text += 2;
        if (!reading_list(reading, &text, colour, err)) return false;
        if (!*text) return true;
        text++; /* the '/' */
    }
}

/* Whose turn it is: as the caller says, else as the stones say. */
static bool reading_side(Reading *reading, char side, Err *err)
{
    Position *position = reading->position;
    int stones[COLOUR_COUNT] = {0, 0};
    for (int i = 0; i < position->count; i++) stones[position->colours[i]]++;
    Colour fewer = stones[BLACK] > stones[WHITE] ? WHITE : BLACK;
    if (side == 'b' || side == 'w') {
        position->side = side == 'b' ? BLACK : WHITE;
        if (position->side != fewer) position->ordered = false;
        return true;
    }
    int lead = stones[BLACK] - stones[WHITE];
    if (lead != 0 && lead != 1 && side != '?')
        return err_set(err,
                       "%d black and %d white stones do not say whose turn it is (give the side)",
                       stones[BLACK], stones[WHITE]);
    position->side = fewer;
    return true;
}

static bool reading_end(Reading *reading, bool read, char side, Err *err)
{
    if (read && reading_side(reading, side, err)) return true;
    position_free(reading->position);
    return false;
}

bool position_parse(const Rules *rules, const char *text, char side, Position *position, Err *err)
{
    Reading reading;
    reading_begin(&reading, rules, position);
    bool lists = list_colour(skip_separators(text)) != COLOUR_COUNT;
    bool read = lists ? reading_stones(&reading, text, err) : reading_moves(&reading, text, err);
    return reading_end(&reading, read, side, err);
}

static bool reading_column(Reading *reading, const char *text, Colour colour, Err *err)
{
    if (!reading_list(reading, &text, colour, err)) return false;
    return !*text || refuse_point(text, err);
}

bool position_parse_lists(const Rules *rules, const char *black, const char *white, char side,
                          Position *position, Err *err)
{
    Reading reading;
    reading_begin(&reading, rules, position);
    position->ordered = false;
    bool read =
        reading_column(&reading, black, BLACK, err) && reading_column(&reading, white, WHITE, err);
    return reading_end(&reading, read, side, err);
}

static void write_colour(const Rules *rules, const Position *position, Colour colour, Buf *out)
{
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < position->count; i++)
        if (position->colours[i] == colour)
            buf_add_text(out, point_text(rules, position->stones[i], text));
}

void position_write(const Rules *rules, const Position *position, Buf *out)
{
    if (!position->ordered) {
        buf_add_text(out, "b:");
        write_colour(rules, position, BLACK, out);
        buf_add_text(out, "/w:");
        write_colour(rules, position, WHITE, out);
        return;
    }
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < position->count; i++)
        buf_add_text(out, point_text(rules, position->stones[i], text));
}

void position_free(Position *position)
{
    mem_free(position->stones);
    mem_free(position->colours);
    *position = (Position){0};
}
