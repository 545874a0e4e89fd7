/* SPDX-License-Identifier: MIT */
/* Sym: the turns and mirrors of a board, eight on a square and four on a rectangle.
 *
 * A Sym is three bits, done in this order: mirror left and right, mirror up and down, exchange
 * columns and rows. The four without the exchange come first, so the symmetries of any board are
 * 0 … sym_count − 1. Every rule is blind to them, and so is every result. */
#pragma once

#include "game/notation.h"
#include "game/rules.h"

typedef uint8_t Sym;
enum { SYM_NONE = 0, SYM_FLIP_X = 1, SYM_FLIP_Y = 2, SYM_EXCHANGE = 4, SYM_MAX = 8 };

static inline int sym_count(const Rules *rules)
{
    return rules->width == rules->height ? SYM_MAX : SYM_EXCHANGE;
}

Sym sym_inverse(Sym sym);
Sym sym_compose(Sym first, Sym then);

/* POINT_NONE stays POINT_NONE. */
Point sym_point(const Rules *rules, Sym sym, Point p);
/* from and to may be the same array. */
void sym_points(const Rules *rules, Sym sym, const Point *from, Point *to, int count);

/* The symmetry that makes a position smallest, the board read from the upper left with empty <
 * black < white. Positions that are the same but for a symmetry become the same. colours holds the
 * Colour of each stone. */
Sym sym_canonical(const Rules *rules, const Point *stones, const uint8_t *colours, int count);

/* The smallest form itself: stones in reading order, Black's first. Its order as a game, if it had
 * one, is lost. */
void sym_canonicalise(const Rules *rules, Position *position);

/* One number for all images of a position with a side to move. It depends on the width and height
 * of the board and on nothing else in rules, and is the same on every machine: fit for files. */
uint64_t sym_key(const Rules *rules, const Point *stones, const uint8_t *colours, int count,
                 Colour side);
