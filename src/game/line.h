/* SPDX-License-Identifier: MIT */
/* Line: what one straight line says about a point, and what four of them say together.
 *
 * The question is always "if this colour played here, what would the new stone be part of?".
 * line_shape answers it for one direction by looking at the 2k+1 cells around the point:
 *
 *      k cells   the point   k cells          only rows of k that contain the point count;
 *     . . o o .      *      o . . x .         the outermost cells are there to see overlines
 *                                             and (caro) enclosed rows
 *
 * A shape is named after k = 5 ("four", "three"): for other k read "one missing", "two missing".
 * Open means that one reply in the line does not stop it.
 *
 * LineTable is the memo of that function for every window there is, addressed by a key:
 *
 *     key  = left·halves + right  (+ keys·(1 or 2) when the centre holds a black or white stone)
 *     half = (3^n − 1)/2 + Σ digit(i)·3^(i−1)     n cells of board on that side, at most k;
 *            digit 0 empty, 1 black, 2 white; i = 1 next to the centre
 *
 * so a wall is not a stone, a stone played is one addition per window, and a mirrored window has
 * left and right exchanged. For k = 5 there are 364² = 132,496 windows with an empty centre. */
#pragma once

#include "base/kept.h"
#include "game/rules.h"

typedef enum {
    SHAPE_NONE,
    SHAPE_ONE,             /* can become a two */
    SHAPE_OPEN_ONE,        /* can become an open two */
    SHAPE_TWO,             /* can become a three */
    SHAPE_OPEN_TWO,        /* one or two points make an open three of it */
    SHAPE_OPEN_TWO_WIDE,   /* three points do */
    SHAPE_OPEN_TWO_FULL,   /* four or more do */
    SHAPE_THREE,           /* can become a four */
    SHAPE_OPEN_THREE,      /* one point makes an open four of it */
    SHAPE_OPEN_THREE_TWIN, /* two or more do */
    SHAPE_FOUR,            /* one point makes five */
    SHAPE_DOUBLE_FOUR,     /* two points make five, of two different fours in the line */
    SHAPE_OPEN_FOUR,       /* two points make five, at the two ends of one unbroken four */
    SHAPE_FIVE,            /* wins */
    SHAPE_OVERLINE,        /* too long to win */
    SHAPE_COUNT
} Shape;

/* What the four shapes through a point amount to: the full patterns of Table 2 of "Final Report
 * for Gomoku Project" (Ding and Ge), weakest first, its letter in the comment. Names say the two
 * strongest parts. */
typedef enum {
    CLASS_NONE,
    CLASS_FOUL,                /* renju's Black: looks forbidden; ban.h says whether it is */
    CLASS_TWO,                 /* N */
    CLASS_OPEN_TWO,            /* M */
    CLASS_THREE,               /* L */
    CLASS_THREE_OPEN_TWO,      /* K */
    CLASS_OPEN_THREE,          /* J */
    CLASS_OPEN_THREE_TWO,      /* I */
    CLASS_OPEN_THREE_OPEN_TWO, /* H */
    CLASS_OPEN_THREE_THREE,    /* H */
    CLASS_DOUBLE_OPEN_THREE,   /* G */
    CLASS_FOUR,                /* F */
    CLASS_FOUR_TWO,            /* E */
    CLASS_FOUR_OPEN_TWO,       /* D */
    CLASS_FOUR_THREE,          /* D */
    CLASS_FOUR_OPEN_THREE,     /* C */
    CLASS_DOUBLE_FOUR,         /* B */
    CLASS_OPEN_FOUR,           /* B */
    CLASS_FIVE,                /* A */
    CLASS_COUNT
} Class;

enum {
    LINE_WIN_MAX = 7, /* largest k with a table; beyond it line_shape is called directly */
    CLASS_SLOTS = 32, /* CLASS_COUNT rounded up, so that counts are whole vectors */
};

/* A window of 2k+1 cells; bit i is the cell at distance i − k, the centre is bit k. */
typedef struct {
    uint32_t own, opp, wall;
} Window;

Shape line_shape(const SideRule *rule, int k, Window window);

/* code: four shapes, 4 bits each, direction 0 lowest. `fouls` marks what looks forbidden. */
Class line_class(unsigned code, bool fouls);
char class_letter(Class class); /* 'A' … 'N', '.' for none, '!' for a foul */
const char *shape_name(Shape shape);

typedef struct {
    Kept kept;
    int k;
    SideRule side[COLOUR_COUNT];
    int reach;       /* farthest neighbour whose shape a stone can change: k, or k−1 */
    uint32_t halves; /* (3^(k+1) − 1)/2 */
    uint32_t keys;   /* halves²: windows with an empty centre; 0 without a table */
    uint8_t *shape;  /* keys + 1 entries, black | white << 4; the last stands for an occupied
                        centre and is 0. NULL when k > LINE_WIN_MAX */
    uint32_t weight[COLOUR_COUNT][16]; /* what a stone adds to the keys around it */
    /* Code to Class: the same table for both colours where they are treated alike, since a smaller
     * one stays nearer to the processor. */
    const uint8_t *class_of[COLOUR_COUNT];
    uint8_t classes[COLOUR_COUNT][1 << 16];
    int8_t one[CLASS_SLOTS][CLASS_SLOTS]
        __attribute__((aligned(32))); /* unit vectors, one[0] = 0 */
} LineTable;

/* The table for k and sides of rules: made at the first call, kept to the end, shared by all
 * threads. */
const LineTable *line_table(const Rules *rules);

/* The window behind a key, seen by a colour (the slow way round, for tests and displays). */
Window line_window(const LineTable *table, uint32_t key, Colour colour);
