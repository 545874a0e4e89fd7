/* SPDX-License-Identifier: MIT */
/* PatternBook: the patterns that someone knows, with what they are worth and how they fared. The
 * order in which they came is kept. As a text it is one pattern a line,
 *
 *     goren-patterns 1 win 5                      may be missing: then k = 5
 *     -xxxx-  10006  12 9 3                       sightings, wins and losses may be missing
 *     152 -xxx-12--x-x- 9996                      a number in front is passed over
 *
 * and # begins a remark. */
#pragma once

#include "eval/pattern.h"

#include <stddef.h>

typedef struct {
    Pattern pattern;
    int score;
    int sightings;    /* how often it was found in a row that won */
    int wins, losses; /* games in which the winner, or the loser, had it on the board */
} PatternRow;

typedef struct {
    int k; /* in a row to win */
    PatternRow *rows;
    int count, room;
    uint32_t *slots; /* place of a row + 1 by hash, 0: free; `mask` + 1 of them */
    uint32_t mask;
} PatternBook;

/* Sizes and scores beyond these are no sensible text. */
enum { PATTERN_BOOK_MAX = 1 << 20, PATTERN_TEXT_BYTES = 64 << 20 };

void pattern_book_init(PatternBook *book, int k);
void pattern_book_free(PatternBook *book);
void pattern_book_copy(PatternBook *to, const PatternBook *from); /* to is not initialised */

PatternRow *pattern_book_find(const PatternBook *book,
                              const Pattern *pattern); /* NULL: not there */
/* The row of a pattern, a new one with its standard score if it was not there; *is_new says so.
 * Rows move when one is added. */
PatternRow *pattern_book_add(PatternBook *book, const Pattern *pattern, bool *is_new);

/* Reads a text over an empty book that it initialises. Two ways of writing one pattern are one row
 * with the higher score. `name` is what errors call the text. */
bool pattern_book_parse(const char *text, size_t len, const char *name, PatternBook *book,
                        Err *err);
/* Best score first; equal ones in the order in which they came. */
void pattern_book_write(const PatternBook *book, Buf *out);
/* The rows in that order; room for count of them. */
void pattern_book_order(const PatternBook *book, const PatternRow **order);

/* What a pattern on the board is worth: the score of its row, 0 if it is not known. If both orders
 * of its lines are known, the better one. */
int pattern_book_score(const PatternBook *book, const Pattern *pattern);
