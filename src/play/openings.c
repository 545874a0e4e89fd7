/* SPDX-License-Identifier: MIT */
/* Reading and writing openings; see openings.h. */
#include "play/openings.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/utf8.h"
#include "game/ban.h"
#include "game/notation.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSET_LIMIT = 1000, SHOWN_MAX = 12 };

void openings_init(Openings *openings, const Rules *rules)
{
    *openings = (Openings){.rules = *rules};
}

void openings_free(Openings *openings)
{
    mem_free(openings->stones);
    mem_free(openings->end);
    *openings = (Openings){0};
}

const Point *openings_stones(const Openings *openings, int i, int *count)
{
    assert(i >= 0 && i < openings->count);
    size_t begin = i ? openings->end[i - 1] : 0;
    *count = (int)(openings->end[i] - begin);
    return openings->stones + begin;
}

int openings_turned(const Openings *openings, int i, Sym sym, Point *stones)
{
    int count;
    const Point *from = openings_stones(openings, i, &count);
    sym_points(&openings->rules, sym, from, stones, count);
    return count;
}

void openings_add(Openings *openings, const Point *stones, int count)
{
    size_t used = openings->count ? openings->end[openings->count - 1] : 0;
    size_t need = used + (size_t)count;
    if (need > openings->room) {
        openings->room = 2 * need + 64;
        openings->stones = mem_grow(openings->stones, openings->room * sizeof *openings->stones);
    }
    if (openings->count == openings->room_count) {
        openings->room_count = 2 * openings->room_count + 64;
        openings->end =
            mem_grow(openings->end, (size_t)openings->room_count * sizeof *openings->end);
    }
    memcpy(openings->stones + used, stones, (size_t)count * sizeof *stones);
    openings->end[openings->count++] = need;
    if (count > openings->longest) openings->longest = count;
}

bool opening_check(Board *board, const Point *stones, int count, Err *err)
{
    char text[POINT_TEXT_MAX];
    board_reset(board);
    for (int i = 0; i < count; i++) {
        Point p = stones[i];
        if (!board_is_empty(board, p))
            return err_set(err, "stone %d: there is one on that point already", i + 1);
        if (!ban_allows(board, p, board->side))
            return err_set(err, "stone %d (%s, rows from below): forbidden to Black, %s", i + 1,
                           point_text(&board->rules, p, text), ban_name(ban_at(board, p)));
        board_play(board, p);
        if (board_is_over(board)) return err_set(err, "stone %d ends the game: no opening", i + 1);
    }
    return true;
}

/* --- reading --------------------------------------------------------------------------------- */

/* One line at a time, the stones of which grow in `stones`. */
typedef struct {
    const Rules *rules;
    Board *board;
    Point *stones; /* room for every point of the board */
    int count;
} Reading;

static bool add_stone(Reading *reading, Point p, Err *err)
{
    if (reading->count == reading->rules->width * reading->rules->height)
        return err_set(err, "more stones than the board has points");
    reading->stones[reading->count++] = p;
    return true;
}

static const char *skip_separators(const char *text)
{
    while (*text == ',' || *text == ';' || isspace((unsigned char)*text)) text++;
    return text;
}

static bool scan_offset(const char **text, long *value, Err *err)
{
    char *end;
    *value = strtol(*text, &end, 10);
    if (end == *text && !**text)
        return err_set(err, "an odd number of offsets: they are pairs, x,y from the centre");
    if (end == *text)
        return err_set(err, "'%.*s' is no offset: pairs of numbers x,y from the centre", SHOWN_MAX,
                       *text);
    if (labs(*value) > OFFSET_LIMIT)
        return err_set(err, "offset %.*s is farther than any board goes", SHOWN_MAX, *text);
    *text = skip_separators(end);
    return true;
}

static bool read_offsets(Reading *reading, const char *text, Err *err)
{
    const Rules *r = reading->rules;
    while (*text) {
        long dx, dy;
        if (!scan_offset(&text, &dx, err) || !scan_offset(&text, &dy, err)) return false;
        int x = r->width / 2 + (int)dx, y = r->height / 2 + (int)dy;
        if (!rules_inside(r, x, y))
            return err_set(err, "offset %ld,%ld is off the %dx%d board (%d to %d, %d to %d)", dx,
                           dy, r->width, r->height, -(r->width / 2), (r->width - 1) / 2,
                           -(r->height / 2), (r->height - 1) / 2);
        if (!add_stone(reading, rules_point(r, x, y), err)) return false;
    }
    return true;
}

static bool read_points(Reading *reading, const char *text, Err *err)
{
    const Rules *r = reading->rules;
    while (*text) {
        Point p;
        if (!point_parse(r, &text, &p, err)) return false;
        Point mirrored = rules_point(r, rules_x(r, p), r->height - 1 - rules_y(r, p));
        if (!add_stone(reading, mirrored, err)) return false;
        text = skip_separators(text);
    }
    return true;
}

static bool read_line(Reading *reading, const char *line, Openings *openings, Err *err)
{
    const char *text = skip_separators(line);
    if (!*text || *text == '#') return true;
    reading->count = 0;
    bool points = isalpha((unsigned char)*text);
    bool good = points ? read_points(reading, text, err) : read_offsets(reading, text, err);
    if (!good || !opening_check(reading->board, reading->stones, reading->count, err)) return false;
    openings_add(openings, reading->stones, reading->count);
    return true;
}

bool openings_parse(const char *text, size_t len, const char *name, const Rules *rules,
                    Openings *openings, Err *err)
{
    Reading reading = {.rules = rules, .board = board_open(rules, NEAR_ALL)};
    reading.stones = mem_alloc((size_t)(rules->width * rules->height) * sizeof *reading.stones);
    openings_init(openings, rules);
    Buf line = BUF_EMPTY;
    bool good = true;
    const char *end = text + len;
    text += utf8_mark(text, len);
    for (int number = 1; good && text < end; number++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        buf_clear(&line);
        buf_add(&line, text, (size_t)(stop - text));
        good = memchr(text, '\0', (size_t)(stop - text)) == NULL || err_set(err, "a zero byte");
        good = good && read_line(&reading, buf_text(&line), openings, err);
        if (!good) err_prefix(err, "%s:%d", name, number);
        text = stop + 1;
    }
    if (good && openings->count == 0) good = err_set(err, "%s: holds no opening", name);
    buf_free(&line);
    board_close(reading.board);
    mem_free(reading.stones);
    if (!good) openings_free(openings);
    return good;
}

bool openings_read(const char *path, const Rules *rules, Openings *openings, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good = os_file_read(path, OPENINGS_BYTES_MAX, &bytes, err) &&
                openings_parse(buf_text(&bytes), bytes.len, path, rules, openings, err);
    buf_free(&bytes);
    return good;
}

/* --- writing --------------------------------------------------------------------------------- */

void opening_write(const Rules *rules, const Point *stones, int count, OpeningForm form, Buf *out)
{
    char column[POINT_TEXT_MAX];
    for (int i = 0; i < count; i++) {
        int x = rules_x(rules, stones[i]), y = rules_y(rules, stones[i]);
        if (form == OPENING_POS)
            buf_printf(out, "%s%d", point_column_text(x, column), y + 1);
        else
            buf_printf(out, "%s%d,%d", i ? ", " : "", x - rules->width / 2, y - rules->height / 2);
    }
    buf_add_char(out, '\n');
}

void openings_write(const Openings *openings, OpeningForm form, Buf *out)
{
    for (int i = 0; i < openings->count; i++) {
        int count;
        const Point *stones = openings_stones(openings, i, &count);
        opening_write(&openings->rules, stones, count, form, out);
    }
}
