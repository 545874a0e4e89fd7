/* SPDX-License-Identifier: MIT */
/* Plain: minimax with alpha-beta and a transposition table, and nothing else: the search that the
 * documents' players have in common. What they differ in, the moves looked at and what a leaf is
 * worth, is a PlainJudge. For the search of the house see ab.c. */
#pragma once

#include "game/board.h"
#include "search/leash.h"
#include "search/score.h"

#include <stddef.h>

enum { PLAIN_DEPTH_MAX = 32, PLAIN_VALUE_MAX = SCORE_WIN / 3 * 2 };

/* All with the board of the search and the ctx of plain_open. */
typedef struct {
    int win; /* what a win now is worth, in n plies n less; with a table no more than SCORE_WIN */
    void (*reset)(void *ctx, const Board *board);
    void (*push)(void *ctx, const Board *board); /* after a play */
    void (*pop)(void *ctx, const Board *board);  /* before its undo */
    /* For the side to move; cut to two thirds of a win. */
    int (*value)(void *ctx, const Board *board);
    /* Legal moves worth a look, best first; room for width·height. None: the threat on the board
     * cannot be met, or there is no legal move. */
    int (*list)(void *ctx, Board *board, Point *moves);
} PlainJudge;

typedef struct {
    Point move;
    int score; /* for the side to move: a value, or a win as the judge counts it */
    int depth; /* of the last iteration that was finished */
    int line_len;
    Point line[PLAIN_DEPTH_MAX];
} PlainResult;

typedef struct Plain Plain;

/* table_bytes 0: without a table. */
Plain *plain_open(const Rules *rules, const PlainJudge *judge, void *ctx, size_t table_bytes,
                  Err *err);
void plain_close(Plain *plain);  /* NULL is fine */
void plain_forget(Plain *plain); /* the table */

/* Searches the moves (at least one, best first; they are put into the order found) to depth `from`,
 * from + step, … up to `to`, or until the leash is over. There is always an answer: the first move
 * if nothing was finished, else the best that was. The board is played on and left as it was. */
void plain_run(Plain *plain, Board *board, Point *moves, int count, int from, int step, int to,
               Leash *leash, PlainResult *result);
/* While a run is under way (from a report of its leash): what it would answer now; else NULL. */
const PlainResult *plain_so_far(const Plain *plain);
