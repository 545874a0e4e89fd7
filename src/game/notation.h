/* SPDX-License-Identifier: MIT */
/* Notation: points, moves and positions as people write them.
 *
 * Columns are letters from the left (a … z, aa, ab, … cv), rows numbers from the bottom: a1 is the
 * lower left corner. A position is either moves in order, "h8i9g7", or stones without an order,
 * "b:h8g7/w:i9". */
#pragma once

#include "base/buf.h"
#include "game/rules.h"

#include <stddef.h>

enum { POINT_TEXT_MAX = 8 };

/* "h8" and so on; POINT_NONE gives "--". Returns text. */
const char *point_text(const Rules *rules, Point p, char text[POINT_TEXT_MAX]);

/* The letters of column x alone. Returns text. */
const char *point_column_text(int x, char text[POINT_TEXT_MAX]);

/* Reads one point at *text and moves *text past it. Case does not matter. */
bool point_parse(const Rules *rules, const char **text, Point *p, Err *err);

/* Stones of a position. In an ordered position stone i belongs to Black if i is even. */
typedef struct {
    Point *stones;    /* owned */
    uint8_t *colours; /* owned, Colour of each stone */
    int count;
    bool ordered; /* the stones are a game's moves, and side follows from them */
    Colour side;  /* whose turn it is */
} Position;

/* Reads either form; blanks, commas and newlines between points are passed over. `side` is 'b',
 * 'w' or 0 (let the stones say: the side with fewer stones moves, Black if equal; counts that
 * cannot come from a game are an error unless side is given, or '?': whoever has fewer stones; a
 * side against the count of ordered moves makes them unordered stones). Two stones on a point,
 * points off the board: error, and the position is empty. */
bool position_parse(const Rules *rules, const char *text, char side, Position *position, Err *err);
/* The same from two lists of points, as the columns black and white of a suite. "-" is empty. */
bool position_parse_lists(const Rules *rules, const char *black, const char *white, char side,
                          Position *position, Err *err);
void position_write(const Rules *rules, const Position *position, Buf *out);
void position_free(Position *position);
