/* SPDX-License-Identifier: MIT */
/* Eval: what a position is worth to the side to move, and which moves look good.
 *
 * An evaluator follows one board: its owner calls push after board_play and pop before board_undo.
 * It reads what changed from the board's newest Ply; it may be lazy about it. Scores are integers
 * on a logistic scale: EVAL_SCALE is one unit of log odds. */
#pragma once

#include "base/err.h"
#include "game/board.h"

#include <stdbool.h>
#include <stdint.h>

enum { EVAL_SCALE = 200, EVAL_MAX = 8000 };

typedef struct EvalKind EvalKind;

/* The head of every kind's own struct. */
typedef struct Eval {
    const EvalKind *kind;
    const char *name; /* of who judges: its kind, or its network; lives as long as the program */
} Eval;

struct EvalKind {
    const char *name;
    bool dear; /* a value costs more than to find it in a table */
    /* `file` is where its numbers are, for kinds that read them; NULL or "": as built in. What is
     * opened may be of another kind (best). NULL: refused. */
    Eval *(*open)(const Rules *rules, const char *file, Err *err);
    void (*reset)(Eval *eval, const Board *board); /* start from this position */
    void (*push)(Eval *eval, const Board *board);  /* after a play or pass */
    void (*pop)(Eval *eval);                       /* before the undo of it */
    int (*value)(Eval *eval, const Board *board); /* −EVAL_MAX … EVAL_MAX, for the side to move */
    /* How good each listed move looks to the side to move: higher is better, any scale. */
    void (*policy)(Eval *eval, const Board *board, const Point *moves, int count, int *out);
    void (*close)(Eval *eval);
};

extern const EvalKind eval_best;  /* the best there is for the rules: one of the others */
extern const EvalKind eval_shape; /* hand-made features, weights fitted to games */
extern const EvalKind eval_net;   /* a line network (eval/net.h) */

extern const EvalKind *const eval_kinds[]; /* ends with NULL */
#define EVAL_HELP                                                                                  \
    "how positions are judged: shape, net, or the best: a network where one is built in"
#define NET_HELP "a network, instead of the one that is built in"
const EvalKind *eval_find(const char *name, Err *err);

double eval_win_rate(int value); /* 0 … 1 */
