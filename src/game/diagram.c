/* SPDX-License-Identifier: MIT */
/* Positions drawn in text; see diagram.h. */
#include "game/diagram.h"

#include "game/notation.h"

#include <ctype.h>
#include <string.h>

static const char CELL_LETTERS[] = {[CELL_EMPTY] = '.', [CELL_BLACK] = 'X', [CELL_WHITE] = 'O'};

static int digits(int number)
{
    return number >= 100 ? 3 : number >= 10 ? 2 : 1;
}

void diagram_write(const Rules *rules, const uint8_t *cells, Buf *out)
{
    char column[POINT_TEXT_MAX];
    int label = digits(rules->height);
    int pitch = 1 + (int)strlen(point_column_text(rules->width - 1, column));
    for (int y = 0; y < rules->height; y++) {
        buf_printf(out, "%*d", label, rules->height - y);
        for (int x = 0; x < rules->width; x++)
            buf_printf(out, "%*c", pitch, CELL_LETTERS[cells[rules_point(rules, x, y)]]);
        buf_add_char(out, '\n');
    }
    buf_printf(out, "%*s", label, "");
    for (int x = 0; x < rules->width; x++)
        buf_printf(out, "%*s", pitch, point_column_text(x, column));
    buf_add_char(out, '\n');
}

/* One row of the board, taken apart: its number (0 if not there) and where its cells begin. */
typedef struct {
    int number;
    const char *cells;
    const char *end; /* end of the line */
} Row;

/* Finds the next line that is a row of the board; false at the end of the text. */
static bool row_next(const char **text, Row *row)
{
    while (**text) {
        const char *at = *text, *end = at + strcspn(at, "\n");
        *text = *end ? end + 1 : end;
        while (at < end && isspace((unsigned char)*at)) at++;
        if (at == end || islower((unsigned char)*at)) continue;
        row->number = 0;
        for (; at < end && isdigit((unsigned char)*at); at++)
            if (row->number <= SIZE_MAX_SIDE) row->number = row->number * 10 + (*at - '0');
        row->cells = at;
        row->end = end;
        return true;
    }
    return false;
}

/* The next cell of a row: 1 found, 0 the row is over, −1 not a cell. */
static int row_cell(Row *row, Cell *cell)
{
    while (row->cells < row->end && isspace((unsigned char)*row->cells)) row->cells++;
    if (row->cells == row->end) return 0;
    for (int c = CELL_EMPTY; c < CELL_WALL; c++)
        if (*row->cells == CELL_LETTERS[c]) {
            *cell = (Cell)c;
            row->cells++;
            return 1;
        }
    return -1;
}

static bool read_row(const Rules *rules, Row row, int y, uint8_t *cells, Err *err)
{
    int name = rules->height - y;
    if (row.number && row.number != name)
        return err_set(err, "row %d stands where row %d should be", row.number, name);
    int x = 0, found;
    for (Cell cell; (found = row_cell(&row, &cell)) > 0; x++)
        if (x < rules->width) cells[rules_point(rules, x, y)] = (uint8_t)cell;
    if (found < 0)
        return err_set(err, "row %d: '%c' is not a cell ('.', 'X' or 'O')", name,
                       isprint((unsigned char)*row.cells) ? *row.cells : '?');
    if (x != rules->width)
        return err_set(err, "row %d has %d cells, the board is %d wide", name, x, rules->width);
    return true;
}

bool diagram_read(const Rules *rules, const char *text, uint8_t *cells, Err *err)
{
    memset(cells, CELL_WALL, (size_t)rules_area(rules));
    Row row;
    int y = 0;
    for (; row_next(&text, &row); y++)
        if (y < rules->height && !read_row(rules, row, y, cells, err)) return false;
    if (y != rules->height)
        return err_set(err, "the diagram has %d rows, the board is %d high", y, rules->height);
    return true;
}

bool diagram_size(const char *text, int *width, int *height, Err *err)
{
    Row row;
    *width = *height = 0;
    for (; row_next(&text, &row); ++*height) {
        Cell cell;
        while (*height == 0 && row_cell(&row, &cell) > 0) ++*width;
    }
    return rules_check(*width, *height, WIN_MIN, err);
}
