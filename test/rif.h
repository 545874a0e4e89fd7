/* SPDX-License-Identifier: MIT */
/* Renju's forbidden points straight from the text of the RIF rules: slow, plain, and sharing
 * nothing with src/, so that the library's fast check has an independent judge.
 *
 *   five           exactly five black stones in a row, nothing more at either end
 *   overline       six or more
 *   four           four black stones in a line that one more stone makes a five
 *   straight four  four in an unbroken row that a stone at either end makes a five
 *   three          three black stones that one more stone makes a straight four, without a five
 *                  being made at the same time, on a point where Black may play
 *
 * Whether Black may play there is the same question again, one stone later: hence the recursion. */
#pragma once

enum { RIF_SIZE_MAX = 22 };

typedef struct {
    int width, height;                     /* 1 … RIF_SIZE_MAX */
    char cell[RIF_SIZE_MAX][RIF_SIZE_MAX]; /* [y][x]: '.', 'X' (Black) or 'O' (White) */
} RifBoard;

typedef enum {
    RIF_LEGAL,
    RIF_FIVE, /* legal too: a five outranks every foul */
    RIF_DOUBLE_FOUR,
    RIF_DOUBLE_THREE,
    RIF_OVERLINE,
} RifVerdict;

/* How hard the answer was. */
typedef struct {
    int depth;           /* stones put down to look ahead, 0: the board alone decided */
    int apparent_threes; /* lines with a three if every straight-four point were legal */
    int real_threes;     /* those that are threes; counted only when two or more are apparent */
    int overline;        /* six or more in a row are made, whatever the verdict */
} RifTrace;

/* Black's move at the empty point (x, y), in the judge's order: five, double four, double three,
 * overline. trace may be NULL. */
RifVerdict rif_forbidden(const RifBoard *board, int x, int y, RifTrace *trace);

/* Would a rule that looks at no legality of straight-four points forbid a move that is allowed? */
int rif_is_fake(RifVerdict verdict, const RifTrace *trace);

const char *rif_name(RifVerdict verdict); /* "ok", "five", "44", "33", "6" */
