/* SPDX-License-Identifier: MIT */
/* Books of patterns: see pattern_book.h. */
#include "eval/pattern_book.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS_FIRST = 64, FORMAT = 1 };

void pattern_book_init(PatternBook *book, int k)
{
    *book = (PatternBook){.k = k, .mask = SLOTS_FIRST - 1};
    book->slots = mem_zero(SLOTS_FIRST * sizeof *book->slots);
}

void pattern_book_free(PatternBook *book)
{
    mem_free(book->rows);
    mem_free(book->slots);
    *book = (PatternBook){0};
}

void pattern_book_copy(PatternBook *to, const PatternBook *from)
{
    *to = *from;
    to->rows = mem_copy(from->rows, (size_t)from->room * sizeof *to->rows);
    to->slots = mem_copy(from->slots, (from->mask + 1) * sizeof *to->slots);
}

/* The slot that holds the pattern, or the free one where it belongs. */
static uint32_t *slot_of(const PatternBook *book, const Pattern *pattern)
{
    uint32_t i = (pattern_key(pattern) * 0x9e3779b1u >> 7) & book->mask;
    while (book->slots[i] && !pattern_equal(&book->rows[book->slots[i] - 1].pattern, pattern))
        i = (i + 1) & book->mask;
    return &book->slots[i];
}

PatternRow *pattern_book_find(const PatternBook *book, const Pattern *pattern)
{
    uint32_t place = *slot_of(book, pattern);
    return place ? &book->rows[place - 1] : NULL;
}

static void grow(PatternBook *book)
{
    book->room = book->room ? 2 * book->room : SLOTS_FIRST / 2;
    book->rows = mem_grow(book->rows, (size_t)book->room * sizeof *book->rows);
    mem_free(book->slots);
    book->mask = (uint32_t)(2 * book->room - 1);
    book->slots = mem_zero((book->mask + 1) * sizeof *book->slots);
    for (int i = 0; i < book->count; i++) *slot_of(book, &book->rows[i].pattern) = (uint32_t)i + 1;
}

PatternRow *pattern_book_add(PatternBook *book, const Pattern *pattern, bool *is_new)
{
    PatternRow *row = pattern_book_find(book, pattern);
    *is_new = !row;
    if (row) return row;
    if (book->count == book->room) grow(book);
    row = &book->rows[book->count++];
    *row = (PatternRow){.pattern = *pattern, .score = pattern_standard(pattern, book->k)};
    *slot_of(book, pattern) = (uint32_t)book->count;
    return row;
}

/* ---- text ---- */

typedef struct {
    const char *at, *end; /* what is left of the line */
} Fields;

/* The next word of the line; 0: there is none. */
static size_t next_field(Fields *f, const char **word)
{
    while (f->at < f->end && isspace((unsigned char)*f->at)) f->at++;
    *word = f->at;
    while (f->at < f->end && !isspace((unsigned char)*f->at)) f->at++;
    return (size_t)(f->at - *word);
}

static bool whole_number(const char *word, size_t len, int *value)
{
    enum { DIGITS_MAX = 9 };
    bool minus = len > 0 && *word == '-';
    if (minus) word++, len--;
    if (len == 0 || len > DIGITS_MAX) return false;
    *value = 0;
    for (size_t i = 0; i < len; i++) {
        if (!isdigit((unsigned char)word[i])) return false;
        *value = 10 * *value + (word[i] - '0');
    }
    if (minus) *value = -*value;
    return true;
}

static bool parse_score(const char *word, size_t len, int *score, Err *err)
{
    if (len == 0) return err_set(err, "there is no score after the pattern");
    if (!whole_number(word, len, score) || *score > PATTERN_VICTORY || *score < -PATTERN_VICTORY)
        return err_set(err, "the score \"%.*s\" is no whole number from -%d to %d",
                       len < 20 ? (int)len : 20, word, PATTERN_VICTORY, PATTERN_VICTORY);
    return true;
}

static bool parse_counts(Fields *f, PatternRow *row, Err *err)
{
    int *counts[] = {&row->sightings, &row->wins, &row->losses};
    const char *word;
    size_t len;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        len = next_field(f, &word);
        if (len == 0) return true;
        if (!whole_number(word, len, counts[i]) || *counts[i] < 0)
            return err_set(err, "\"%.*s\" is no count of sightings, wins or losses",
                           len < 20 ? (int)len : 20, word);
    }
    if (next_field(f, &word))
        return err_set(err, "there is more than a pattern, a score and three counts");
    return true;
}

static bool parse_row(Fields *f, PatternBook *book, Err *err)
{
    const char *word;
    PatternRow read = {0};
    int number;
    bool is_new;
    size_t len = next_field(f, &word);
    if (whole_number(word, len, &number)) len = next_field(f, &word);
    if (len == 0) return err_set(err, "there is no pattern after the number");
    if (!pattern_parse(word, len, book->k, &read.pattern, err)) return false;
    len = next_field(f, &word);
    if (!parse_score(word, len, &read.score, err) || !parse_counts(f, &read, err)) return false;
    if (book->count == PATTERN_BOOK_MAX)
        return err_set(err, "there are more than %d patterns", PATTERN_BOOK_MAX);
    PatternRow *row = pattern_book_add(book, &read.pattern, &is_new);
    if (is_new || read.score > row->score) *row = read;
    return true;
}

/* "goren-patterns 1 win 5" */
static bool parse_head(Fields *f, PatternBook *book, Err *err)
{
    const char *word;
    int version, k = 0;
    size_t len = next_field(f, &word);
    if (!whole_number(word, len, &version))
        return err_set(err, "goren-patterns must be followed by its version, %d", FORMAT);
    if (version != FORMAT)
        return err_set(err, "it was written by another version of goren (patterns %d, not %d)",
                       version, FORMAT);
    len = next_field(f, &word);
    if (len == 0) return true;
    bool win = len == 3 && memcmp(word, "win", len) == 0;
    len = next_field(f, &word);
    if (!win || !whole_number(word, len, &k) || k < WIN_MIN || k > WIN_MAX)
        return err_set(err, "after the version there may be \"win\" and a number from %d to %d",
                       WIN_MIN, WIN_MAX);
    if (book->count && k != book->k) return err_set(err, "the first line must say this");
    book->k = k;
    return true;
}

static bool parse_text_line(const char *line, size_t len, PatternBook *book, Err *err)
{
    static const char head[] = "goren-patterns";
    const char *remark = memchr(line, '#', len), *word;
    Fields fields = {line, remark ? remark : line + len};
    Fields first = fields;
    len = next_field(&first, &word);
    if (len == 0) return true;
    if (len == sizeof head - 1 && memcmp(word, head, len) == 0)
        return parse_head(&first, book, err);
    return parse_row(&fields, book, err);
}

bool pattern_book_parse(const char *text, size_t len, const char *name, PatternBook *book, Err *err)
{
    enum { K_OF_THE_TABLES = 5 };
    const char *end = text + len;
    pattern_book_init(book, K_OF_THE_TABLES);
    for (int line = 1; text < end; line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        if (!parse_text_line(text, (size_t)(stop - text), book, err)) {
            pattern_book_free(book);
            return err_prefix(err, "%s, line %d", name, line);
        }
        text = stop < end ? stop + 1 : end;
    }
    return true;
}

static int by_score(const void *a, const void *b)
{
    const PatternRow *x = *(const PatternRow *const *)a, *y = *(const PatternRow *const *)b;
    if (x->score != y->score) return x->score < y->score ? 1 : -1;
    return x < y ? -1 : x > y;
}

void pattern_book_order(const PatternBook *book, const PatternRow **order)
{
    for (int i = 0; i < book->count; i++) order[i] = &book->rows[i];
    if (book->count) qsort(order, (size_t)book->count, sizeof *order, by_score);
}

int pattern_book_score(const PatternBook *book, const Pattern *pattern)
{
    Pattern other = pattern_swapped(*pattern);
    const PatternRow *a = pattern_book_find(book, pattern);
    const PatternRow *b = pattern->second ? pattern_book_find(book, &other) : NULL;
    if (a && b) return a->score > b->score ? a->score : b->score;
    return a ? a->score : b ? b->score : 0;
}

void pattern_book_write(const PatternBook *book, Buf *out)
{
    char text[PATTERN_TEXT_MAX];
    const PatternRow **order = mem_alloc((size_t)(book->count + 1) * sizeof *order);
    pattern_book_order(book, order);
    buf_printf(out, "goren-patterns %d win %d\n# pattern  score  sightings wins losses\n", FORMAT,
               book->k);
    for (int i = 0; i < book->count; i++) {
        const PatternRow *row = order[i];
        buf_printf(out, "%-14s %6d %5d %5d %5d\n", pattern_text(&row->pattern, text), row->score,
                   row->sightings, row->wins, row->losses);
    }
    mem_free(order);
}
