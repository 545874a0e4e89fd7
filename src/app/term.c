/* SPDX-License-Identifier: MIT */
/* Term: see term.h. */
#include "app/term.h"

#include "base/os.h"
#include "game/ban.h"
#include "game/notation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum { MARK_NONE, MARK_LAST, MARK_ROW, MARK_BAN } Mark;

enum { AREA_MAX = (SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX };

void term_init(Term *term, FILE *in, FILE *out)
{
    const char *kind = getenv("TERM");
    bool plain = getenv("NO_COLOR") || (kind && strcmp(kind, "dumb") == 0);
    *term = (Term){
        .in = in,
        .out = out,
        .colour = os_is_terminal(out) && !plain,
        .interactive = os_is_terminal(in),
    };
}

static void find_marks(const Board *board, uint8_t *marks)
{
    memset(marks, MARK_NONE, AREA_MAX);
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    Point last = board_last_point(board);
    if (last) {
        int n = board_winning_row(board, last, points);
        for (int i = 0; i < n; i++) marks[points[i]] = MARK_ROW;
        marks[last] = MARK_LAST;
    }
    if (board->side == BLACK && !board_is_over(board)) {
        int n = ban_list(board, points);
        for (int i = 0; i < n; i++) marks[points[i]] = MARK_BAN;
    }
}

/* What stands before a cell: the mark of this one, or the end of the mark of the one before. */
static char lead(Mark mark, Mark before)
{
    if (mark == MARK_LAST) return '(';
    if (before == MARK_LAST) return ')';
    return mark == MARK_ROW ? '*' : ' ';
}

static void draw_cell(const Term *term, Cell cell, Mark mark)
{
    char glyph = mark == MARK_BAN ? '!' : ".XO#"[cell];
    if (!term->colour) {
        fputc(glyph, term->out);
        return;
    }
    const char *paint = cell == CELL_BLACK   ? "1;31"
                        : cell == CELL_WHITE ? "1;36"
                        : mark == MARK_BAN   ? "33"
                                             : "2";
    const char *extra = mark == MARK_LAST ? ";7" : mark == MARK_ROW ? ";4" : "";
    fprintf(term->out, "\033[%s%sm%c\033[0m", paint, extra, glyph);
}

void term_draw(const Term *term, const Board *board)
{
    const Rules *rules = &board->rules;
    FILE *out = term->out;
    uint8_t marks[AREA_MAX];
    find_marks(board, marks);
    int gap = rules->width > 26 ? 2 : 1; /* room for columns of two letters */
    for (int y = 0; y < rules->height; y++) {
        fprintf(out, "%3d", rules->height - y);
        Mark before = MARK_NONE;
        for (int x = 0; x < rules->width; x++) {
            Point p = rules_point(rules, x, y);
            Mark mark = marks[p];
            if (gap == 2) fputc(before == MARK_LAST ? ')' : ' ', out);
            fputc(lead(mark, gap == 2 ? MARK_NONE : before), out);
            draw_cell(term, board->cell[p], mark);
            before = mark;
        }
        if (before == MARK_LAST) fputc(')', out);
        fputc('\n', out);
    }
    fprintf(out, "   ");
    for (int x = 0; x < rules->width; x++) {
        char name[POINT_TEXT_MAX];
        point_text(rules, rules_point(rules, x, rules->height - 1), name);
        name[strcspn(name, "0123456789")] = '\0';
        fprintf(out, "%*s", gap + 1, name);
    }
    fputc('\n', out);
    fflush(out);
}

bool term_read(const Term *term, const char *prompt, Buf *line)
{
    enum { LINE_LIMIT = 4096 }; /* the rest of a longer line is dropped */
    if (term->interactive) {
        fputs(prompt, term->out);
        fflush(term->out);
    }
    buf_clear(line);
    int c;
    while ((c = fgetc(term->in)) != EOF && c != '\n') {
        if (line->len == 0 && isspace(c)) continue;
        if (c != 0 && line->len < LINE_LIMIT) buf_add_char(line, (char)c);
    }
    while (line->len > 0 && isspace((unsigned char)line->data[line->len - 1])) {
        line->data[--line->len] = '\0';
    }
    return c != EOF || line->len > 0;
}
