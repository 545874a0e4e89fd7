/* SPDX-License-Identifier: MIT */
/* The pattern database as a page draws it: each pattern as stones on a small board, with its score
 * and how it came to it. */
#include "app/hub_runs.h"

#include "base/mem.h"
#include "play/store_patterns.h"

#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 200, HISTORY_MAX = 400 };

static void add_stone(json_t *stones, int x, int y)
{
    char column[POINT_TEXT_MAX];
    json_array_append_new(stones, json_sprintf("%s%d", point_column_text(x, column), y + 1));
}

/* The main line lies, the second one stands and crosses it. */
static void draw(const Pattern *pattern, json_t *out)
{
    bool cross = pattern->second != 0;
    int width = pattern_line_len(pattern->main);
    int height = cross ? pattern_line_len(pattern->second) : 1;
    int row = cross ? pattern->second_at : 0;
    json_t *stones = json_array();
    for (int x = 0; x < width; x++) {
        if (pattern->main >> x & 1) add_stone(stones, x, row);
    }
    for (int y = 0; cross && y < height; y++) {
        if (y != row && (pattern->second >> y & 1)) add_stone(stones, pattern->main_at, y);
    }
    json_object_set_new(out, "stones", stones);
    json_object_set_new(out, "width", json_integer(width));
    json_object_set_new(out, "height", json_integer(height));
}

static void see_state(void *ctx, int game, const PatternRow *row)
{
    json_t *history = ctx;
    if (json_array_size(history) < HISTORY_MAX)
        json_array_append_new(history, json_pack("[i, i]", game, row->score));
}

static json_t *json_pattern(PatternStore *store, const PatternRow *row)
{
    char text[PATTERN_TEXT_MAX];
    json_t *history = json_array();
    if (store) pattern_store_history(store, &row->pattern, see_state, history, NULL);
    json_t *out =
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:o}", "pattern", pattern_text(&row->pattern, text),
                  "value", row->score, "count", row->sightings, "wins", row->wins, "losses",
                  row->losses, "history", history);
    draw(&row->pattern, out);
    return out;
}

static int by_sightings(const void *a, const void *b)
{
    const PatternRow *x = *(const PatternRow *const *)a, *y = *(const PatternRow *const *)b;
    if (x->sightings != y->sightings) return x->sightings < y->sightings ? 1 : -1;
    return x < y ? -1 : 1;
}

static bool order_rows(const PatternBook *book, const char *order, const PatternRow **rows,
                       Refusal *no)
{
    pattern_book_order(book, rows);
    if (strcmp(order, "value") == 0) return true;
    for (int i = 0; i < book->count; i++) rows[i] = &book->rows[book->count - 1 - i];
    if (strcmp(order, "recent") == 0) return true;
    qsort(rows, (size_t)book->count, sizeof *rows, by_sightings);
    return strcmp(order, "count") == 0 ||
           refuse(no, "bad", "\"order\" must be value, count or recent.");
}

/* Whose patterns: of a learner of this server, or those built in. *path "": built in. */
static bool asked_book(Client *client, const json_t *body, Buf *path, PatternBook *book,
                       Refusal *no)
{
    const char *id = NULL;
    if (!field_text(body, "learn", 24, &id, no)) return false;
    if (!id) return pattern_builtin_load(book, &no->err) || refuse_so(no, "missing");
    const Run *run = client->hub->runs;
    while (run && strcmp(run->id, id) != 0) run = run->next;
    if (!run) return refuse(no, "missing", "There is no such learner any more.");
    learn_path(run, "", path);
    return pattern_file_load(buf_text(path), PATTERNS_NOW, book, &no->err) ||
           refuse(no, "missing", "This learner has no patterns (yet).");
}

static bool do_list(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const char *order = "value";
    int64_t offset = 0, limit = 24;
    PatternBook book;
    Buf path = BUF_EMPTY;
    if (!field_text(request->body, "order", 10, &order, no) ||
        !field_whole(request->body, "offset", 0, 1 << 30, &offset, no) ||
        !field_whole(request->body, "limit", 0, LIST_MAX, &limit, no))
        return false;
    if (!asked_book(client, request->body, &path, &book, no)) {
        buf_free(&path);
        return false;
    }
    const PatternRow **rows = mem_zero((size_t)(book.count + 1) * sizeof(PatternRow *));
    bool good = order_rows(&book, order, rows, no);
    PatternStore *store =
        good && path.len ? pattern_store_open_existing(buf_text(&path), NULL) : NULL;
    json_t *list = json_array();
    for (int64_t i = offset; good && i < book.count && i < offset + limit; i++)
        json_array_append_new(list, json_pattern(store, rows[i]));
    json_object_set_new(reply, "total", json_integer(book.count));
    json_object_set_new(reply, "patterns", list);
    pattern_store_close(store);
    mem_free(rows);
    pattern_book_free(&book);
    buf_free(&path);
    return good;
}

const Verb pattern_verbs[] = {{"pattern.list", do_list}, {0}};
