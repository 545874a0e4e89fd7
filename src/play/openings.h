/* SPDX-License-Identifier: MIT */
/* Openings: positions that games start from, read from a file and written to one.
 *
 * One opening per line, Black's stone first, in one of two forms, which may even be mixed:
 *
 *   offset   -1,9, 0,9, -1,8    x,y from the centre (column width/2, row height/2, counted from 0
 *                               at the upper left), as Gomocup and Piskvork keep them
 *   pos      h8i9g7             column letters and row numbers; rows count from the upper edge, as
 *                               the tools that use this form do (elsewhere here they count from
 *                               below; the mirrored position plays the same)
 *
 * Blank lines and lines that begin with '#' are passed over. Every opening is legal and undecided:
 * stones on the board and on points of their own, no forbidden one, no row completed. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/board.h"
#include "game/sym.h"

#include <stdbool.h>
#include <stddef.h>

enum { OPENINGS_BYTES_MAX = 64 << 20 }; /* of a file */

typedef enum { OPENING_POS, OPENING_OFFSET } OpeningForm;

typedef struct {
    Rules rules;
    int count;
    Point *stones;  /* owned; those of all openings, one after the other */
    size_t *end;    /* owned; where opening i ends in stones */
    int longest;    /* stones of the longest one */
    size_t room;    /* of stones */
    int room_count; /* of end */
} Openings;

void openings_init(Openings *openings, const Rules *rules);
void openings_free(Openings *openings);

/* Reads a whole file, which holds at least one opening; errors read "path:line: what is wrong". On
 * failure there is nothing to free. */
bool openings_read(const char *path, const Rules *rules, Openings *openings, Err *err);
bool openings_parse(const char *text, size_t len, const char *name, const Rules *rules,
                    Openings *openings, Err *err);

/* The stones of opening i, 0 ≤ i < count, in order; *count of them. */
const Point *openings_stones(const Openings *openings, int i, int *count);
/* The same turned or mirrored, into `stones`, which has room for openings->longest. */
int openings_turned(const Openings *openings, int i, Sym sym, Point *stones);

/* Adds one that was checked. */
void openings_add(Openings *openings, const Point *stones, int count);
/* May a game begin like this? The board is emptied, and left with the stones on it if so. */
bool opening_check(Board *board, const Point *stones, int count, Err *err);

void openings_write(const Openings *openings, OpeningForm form, Buf *out);
void opening_write(const Rules *rules, const Point *stones, int count, OpeningForm form, Buf *out);
