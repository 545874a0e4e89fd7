/* SPDX-License-Identifier: MIT */
/* Worker: one thread of a search, with its own board, evaluator and memories. Workers share the
 * transposition table and the stop flag, nothing else. */
#pragma once

#include "eval/eval.h"
#include "game/board.h"
#include "search/params.h"
#include "search/search.h"
#include "search/tt.h"
#include "search/vcf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HISTORY_MAX = 8192,
    ANSWER_BITS = 16,
    CORRECTION_MAX = 1024,
    CORRECTION_BITS = 14,
};

/* What a node knows of the nodes above and below it. */
typedef struct {
    int eval;       /* static, for the side to move there; SCORE_INFINITE: not known */
    Point excluded; /* left out while its singularity is tested */
    Point killer[2];
    Point pv[SEARCH_PLY_MAX];
    int pv_len;
} Frame;

typedef struct {
    Point move;
    int score;  /* of the last finished iteration in which it was searched in full */
    int before; /* its score an iteration earlier */
    Point pv[SEARCH_PLY_MAX];
    int pv_len;
    int depth;
} RootMove;

/* What the workers of one search share. */
typedef struct {
    Tt *tt;
    atomic_bool stop;
    _Atomic int64_t deadline_ns; /* of os_clock_ns; INT64_MAX: none */
    int64_t node_limit;          /* of all workers together; 0: none */
    _Atomic int64_t nodes_told;  /* what all have shown, where there is a limit */
    SearchParams params;
    SearchWatch *watch; /* of the first worker; may be NULL */
    void *watch_ctx;
    SearchLook *look; /* likewise */
    void *look_ctx;
} Shared;

typedef struct Worker {
    Shared *shared;
    int id; /* 0 is the one that decides */
    Board *board;
    Eval *eval;
    Vcf *vcf;
    Point *points; /* room for the move lists of a whole line, used as a stack … */
    int64_t *keys; /* … and what they look like */
    int *scores;   /* room for one list */
    int points_top, points_room;
    int64_t nodes;
    _Atomic int64_t nodes_shown; /* what other threads may read of it, now and then */
    int patience;                /* nodes until the clock is looked at again */
    int fastest;                 /* plies of a win that moves_threat does not see */
    int sel_depth;
    int root_depth;
    int root_plies; /* board->plies at the root */
    RootMove *root;
    int root_count, root_first; /* moves before root_first belong to better lines (multi-PV) */
    int16_t (*history)[COLOUR_COUNT]; /* by Point: how often the move was good */
    Point (*counter)[COLOUR_COUNT];   /* by Point: what answered it well */
    /* By the move before and the move: how often it was a good answer. */
    int16_t answers[1 << ANSWER_BITS][COLOUR_COUNT];
    int16_t correction[1 << CORRECTION_BITS][COLOUR_COUNT]; /* by the last two moves: see ab.c … */
    int16_t (*correction_last)[COLOUR_COUNT];               /* … and by Point, the last alone */
    Frame frames[SEARCH_PLY_MAX + 8];
} Worker;

Worker *worker_open(const Rules *rules, const SearchOptions *options, Shared *shared, int id,
                    Err *err);
void worker_close(Worker *worker);
void worker_set(Worker *worker,
                const Board *board); /* takes over a position, keeps what it learnt */
void worker_forget(Worker *worker);  /* a new game */

void worker_show_nodes(Worker *worker);

void worker_play(Worker *worker, Point p);
void worker_undo(Worker *worker);

/* Searches the moves of worker->root from root_first on, between alpha and beta. Returns the best
 * score and moves that move to root_first. Meaningless once shared->stop is set. */
int ab_root(Worker *worker, int alpha, int beta, int depth);
