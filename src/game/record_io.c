/* SPDX-License-Identifier: MIT */
/* Sources, cursors and other things that the record formats share; see record_io.h. */
#include "game/record_io.h"

#include "base/utf8.h"
#include "game/notation.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool source_blame(Source *source)
{
    if (source->line == 0) return err_prefix(source->err, "%.120s", source->name);
    return err_prefix(source->err, "%.120s:%d", source->name, source->line);
}

bool source_fail(Source *source, const char *format, ...)
{
    char text[sizeof source->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    err_set(source->err, "%s", text);
    return source_blame(source);
}

bool source_line(Source *source)
{
    if (source->at == source->end) return false;
    if (source->line == 0) source->at += utf8_mark(source->at, (size_t)(source->end - source->at));
    size_t left = (size_t)(source->end - source->at);
    const char *newline = left ? memchr(source->at, '\n', left) : NULL;
    const char *end = newline ? newline : source->end;
    source->line++;
    buf_clear(&source->text);
    size_t len = (size_t)(end - source->at);
    if (len && end[-1] == '\r') len--;
    buf_add(&source->text, source->at, len);
    source->at = newline ? newline + 1 : end;
    return true;
}

const char *source_show(const char *text, char shown[RECORD_SHOWN + 1])
{
    int n = 0;
    for (; n < RECORD_SHOWN && text[n]; n++)
        shown[n] = iscntrl((unsigned char)text[n]) ? ' ' : text[n];
    shown[n] = '\0';
    return shown;
}

bool source_rules(Source *source, RuleKind kind, int width, int height, Rules *rules)
{
    const RecordHints *hints = source->hints;
    int k = hints->k_given ? hints->k : 5;
    if (hints->kind_given) kind = hints->kind;
    if (!rules_check(width, height, k, source->err)) return source_blame(source);
    rules_init(rules, kind, width, height, k);
    return true;
}

Record *source_record(Source *source, const Rules *rules)
{
    if (source->set->count < RECORD_COUNT_MAX) return record_set_add(source->set, rules);
    source_fail(source, "more than %d games in one file", RECORD_COUNT_MAX);
    return NULL;
}

bool number_scan(const char **text, int64_t *value)
{
    const int64_t limit = INT64_MAX / 100;
    const char *at = *text;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if (!isdigit((unsigned char)*at)) return false;
    int64_t number = 0;
    for (; isdigit((unsigned char)*at); at++)
        if (number < limit) number = number * 10 + (*at - '0');
    *value = negative ? -number : number;
    *text = at;
    return true;
}

const char *blanks_skip(const char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

void cursor_begin(Cursor *cursor, RecordSet *set, Record *record)
{
    cursor->set = set;
    cursor->record = record;
    cursor->node = 0;
    cursor->depth = 0;
    cursor->side = record->first;
    memset(cursor->cells, CELL_EMPTY, (size_t)rules_area(&record->rules));
}

static bool cursor_put(Cursor *cursor, Point p, Colour colour, Err *err)
{
    if (cursor->cells[p] != CELL_EMPTY) {
        char text[POINT_TEXT_MAX];
        return err_set(err, "two stones on %s", point_text(&cursor->record->rules, p, text));
    }
    cursor->cells[p] = (uint8_t)(colour + 1);
    return true;
}

bool cursor_setup(Cursor *cursor, Point p, Colour colour, Err *err)
{
    assert(cursor->record->node_count == 1);
    if (!cursor_put(cursor, p, colour, err)) return false;
    record_add_setup(cursor->record, p, colour);
    return true;
}

void cursor_set_side(Cursor *cursor, Colour side)
{
    assert(cursor->node == 0);
    cursor->side = cursor->record->first = side;
}

/* The same move twice among the variations is one variation, which bounds their number. */
static int cursor_child(const Cursor *cursor, Point p)
{
    const RecordNode *nodes = cursor->record->nodes;
    int child = nodes[cursor->node].first_child;
    while (child >= 0 && nodes[child].point != p) child = nodes[child].next_sibling;
    return child;
}

bool cursor_play(Cursor *cursor, Point p, Colour colour, Err *err)
{
    if (colour != cursor->side)
        return err_set(err, "%s moves, but it is %s's turn", colour == BLACK ? "Black" : "White",
                       colour == BLACK ? "White" : "Black");
    if (cursor->depth == RECORD_DEPTH_MAX)
        return err_set(err, "more than %d moves in one line", RECORD_DEPTH_MAX);
    if (cursor->set->node_total >= RECORD_NODES_MAX)
        return err_set(err, "more than %d moves in one file", RECORD_NODES_MAX);
    if (p != POINT_NONE && !cursor_put(cursor, p, colour, err)) return false;
    int child = cursor_child(cursor, p);
    if (child < 0) child = record_add_move(cursor->set, cursor->record, cursor->node, p, colour);
    cursor->node = child;
    cursor->depth++;
    cursor->side = colour_other(colour);
    return true;
}

void cursor_back(Cursor *cursor, int node)
{
    while (cursor->node != node) {
        const RecordNode *left = &cursor->record->nodes[cursor->node];
        if (left->point != POINT_NONE) cursor->cells[left->point] = CELL_EMPTY;
        cursor->side = (Colour)left->colour;
        cursor->depth--;
        cursor->node = left->parent;
    }
}

/* Comments get room in powers of two, so that adding to one does not copy it every time. */
static size_t comment_room(size_t len)
{
    size_t room = 32;
    while (room <= len) room *= 2;
    return room;
}

bool cursor_comment(Cursor *cursor, const char *text, size_t len, Err *err)
{
    RecordNode *node = &cursor->record->nodes[cursor->node];
    size_t old = strlen(node->comment), start = old ? old + 1 : 0;
    if (!len) return true;
    if (old && start + len > RECORD_COMMENT_MAX)
        return err_set(err, "the comments on one move are too long (%d bytes at most)",
                       RECORD_COMMENT_MAX);
    char *comment = (char *)node->comment; /* "" or written here before */
    if (!old || comment_room(start + len) != comment_room(old)) {
        comment = arena_alloc(&cursor->set->texts, comment_room(start + len));
        memcpy(comment, node->comment, old);
    }
    if (old) comment[old] = '\n';
    memcpy(comment + start, text, len);
    comment[start + len] = '\0';
    node->comment = comment;
    return true;
}

/* Stones like the one at p, from p in direction step; *end is what stops them. */
static int cells_run(const uint8_t *cells, const Rules *rules, Point p, int dx, int dy, Cell *end)
{
    int x = rules_x(rules, p), y = rules_y(rules, p), run = 0;
    for (;;) {
        x += dx;
        y += dy;
        *end = rules_inside(rules, x, y) ? (Cell)cells[rules_point(rules, x, y)] : CELL_WALL;
        if (*end != (Cell)cells[p]) return run;
        run++;
    }
}

bool cells_win(const Rules *rules, const uint8_t *cells, Point p)
{
    static const int STEPS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    Colour colour = (Colour)(cells[p] - 1);
    Cell opponent = (Cell)(colour_other(colour) + 1);
    const SideRule *side = &rules->side[colour];
    for (int d = 0; d < 4; d++) {
        Cell ends[2];
        int dx = STEPS[d][0], dy = STEPS[d][1];
        int row = 1 + cells_run(cells, rules, p, dx, dy, &ends[0]) +
                  cells_run(cells, rules, p, -dx, -dy, &ends[1]);
        bool enclosed = ends[0] == opponent && ends[1] == opponent;
        if (row == rules->k && !(enclosed && side->enclosed_dead)) return true;
        if (row > rules->k && side->overline == OVERLINE_WINS) return true;
    }
    return false;
}

/* Setup stones as moves: Black, White, Black, … each colour in its own order. */
static void flatten_setup(const Record *record, FlatMove *moves)
{
    int next[COLOUR_COUNT] = {BLACK, WHITE};
    for (int i = 0; i < record->setup_count; i++) {
        const RecordStone *stone = &record->setup[i];
        moves[next[stone->colour]] = (FlatMove){.point = stone->point, .elapsed_ms = -1};
        next[stone->colour] += 2;
    }
}

static bool check_setup(const Record *record, Err *err)
{
    int stones[COLOUR_COUNT] = {0, 0};
    for (int i = 0; i < record->setup_count; i++) stones[record->setup[i].colour]++;
    int lead = record->first == WHITE;
    if (stones[BLACK] - stones[WHITE] == lead) return true;
    return err_set(err,
                   "%d black and %d white stones set up with %s to move cannot be written as moves",
                   stones[BLACK], stones[WHITE], record->first == BLACK ? "Black" : "White");
}

bool record_check_turns(const Record *record, Err *err)
{
    Colour side = record->first;
    int move = 1;
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child, move++) {
        if (record->nodes[n].colour != side)
            return err_set(err, "move %d is out of turn, which this format cannot hold", move);
        side = colour_other(side);
    }
    return true;
}

bool record_flatten(const Record *record, bool passes, FlatMove **moves, int *count, Err *err)
{
    if (!check_setup(record, err) || !record_check_turns(record, err)) return false;
    *count = record->setup_count + record_length(record);
    *moves = mem_alloc((size_t)*count * sizeof **moves);
    flatten_setup(record, *moves);
    int at = record->setup_count;
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child) {
        const RecordNode *node = &record->nodes[n];
        if (node->point == POINT_NONE && !passes) {
            mem_free(*moves);
            return err_set(err, "move %d is a pass, which this format cannot hold", at + 1);
        }
        (*moves)[at++] = (FlatMove){.point = node->point, .elapsed_ms = node->elapsed_ms};
    }
    return true;
}

bool tag_is_key(const char *key, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!islower((unsigned char)key[i]) && !isdigit((unsigned char)key[i]) && key[i] != '-')
            return false;
    return len > 0 && len <= RECORD_KEY_MAX;
}

void text_add_line(Buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        buf_add_char(out, iscntrl((unsigned char)text[i]) ? ' ' : text[i]);
}
