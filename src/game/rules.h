/* SPDX-License-Identifier: MIT */
/* Rules: the game as data. Which board, how many in a row, what an overline is worth to whom.
 *
 * Everything below game/ is written against these few fields; no other place asks for the name of
 * a rule. A Point is an index into the padded board that Rules describes:
 *
 *        margin (k rows of wall)            stride = width + k: the right margin of a row
 *      . . . . . . . . . . . . .            is the left margin of the next one
 *      . . . . . 0 1 2 … w-1                y grows downwards from the upper edge
 *      . . . . . 0 1 2 … w-1                x grows rightwards
 *        margin (k rows of wall)
 *
 * so that p + d·step for |d| ≤ k never leaves the block and never meets another row's stones
 * unseen. Point 0 is always wall and stands for "no point". */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIZE_MAX_SIDE = 100, WIN_MIN = 3, WIN_MAX = 10 };

typedef enum { BLACK, WHITE, COLOUR_COUNT } Colour;

/* What a point holds. A stone's cell is its colour + 1. */
typedef enum { CELL_EMPTY, CELL_BLACK, CELL_WHITE, CELL_WALL } Cell;

typedef enum {
    OVERLINE_WINS,    /* k or more in a row win */
    OVERLINE_NOTHING, /* exactly k win, more is nothing */
    OVERLINE_FOUL,    /* exactly k win, more is forbidden (renju's Black) */
} Overline;

/* What a row of stones is worth to one colour. */
typedef struct {
    Overline overline;
    bool enclosed_dead; /* exactly k with an opponent's stone at both ends does not win (caro) */
    bool fouls;         /* double three, double four and overline are forbidden (renju's Black) */
} SideRule;

typedef enum {
    RULE_FREESTYLE,
    RULE_STANDARD,
    RULE_RENJU,
    RULE_CARO,
    RULE_CARO6,
    RULE_COUNT
} RuleKind;

typedef struct {
    RuleKind kind;     /* for names and files only */
    int width, height; /* 1 … 100 */
    int k;             /* in a row to win, 3 … 10 */
    SideRule side[COLOUR_COUNT];
} Rules;

typedef uint16_t Point;
#define POINT_NONE ((Point)0)

/* Fills rules from a preset; width, height and k must be in range (rules_check says so). */
void rules_init(Rules *rules, RuleKind kind, int width, int height, int k);
bool rules_check(int width, int height, int k, Err *err);
bool rules_equal(const Rules *a, const Rules *b);
bool rules_same_sides(const SideRule a[COLOUR_COUNT], const SideRule b[COLOUR_COUNT]);

const char *rule_name(RuleKind kind);                        /* "freestyle" … */
bool rule_parse(const char *name, RuleKind *kind, Err *err); /* a name or a Gomocup number */
int rule_gomocup_number(RuleKind kind);                      /* 0, 1, 4, 9, 8 */

static inline Colour colour_other(Colour c)
{
    return (Colour)(c ^ 1);
}

static inline int rules_stride(const Rules *r)
{
    return r->width + r->k;
}

/* Number of entries of an array indexed by Point (walls included). */
static inline int rules_area(const Rules *r)
{
    return rules_stride(r) * (r->height + 2 * r->k) + r->k;
}

static inline Point rules_point(const Rules *r, int x, int y)
{
    return (Point)((y + r->k) * rules_stride(r) + r->k + x);
}

static inline bool rules_inside(const Rules *r, int x, int y)
{
    return x >= 0 && y >= 0 && x < r->width && y < r->height;
}

static inline int rules_x(const Rules *r, Point p)
{
    return (p - r->k) % rules_stride(r);
}

static inline int rules_y(const Rules *r, Point p)
{
    return (p - r->k) / rules_stride(r) - r->k;
}

/* The i-th point of the board in reading order, 0 ≤ i < width·height. */
static inline Point rules_nth(const Rules *r, int i)
{
    return rules_point(r, i % r->width, i / r->width);
}
