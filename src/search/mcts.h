/* SPDX-License-Identifier: MIT */
/* Mcts: Monte Carlo tree search, the part that all its players share.
 *
 * A round goes down from the root by the visits so far, judges the position that it reaches, and
 * carries the judgement back up. What it is to be judged by is a MctsJudge: random games for `uct`,
 * better ones for `hmcts`, an evaluator for `puct`. Two ways to go down:
 *
 *   MCTS_UCB1   every move once, in random order; then the largest mean + explore·√(ln N / n)
 *               (Kocsis and Szepesvári 2006)
 *   MCTS_PUCT   the largest mean + explore·prior·√N / (1 + n), as in AlphaZero; a move never
 *               visited counts a little less than its parent does
 *
 * Moves of a position are listed at its second visit. Nothing is allocated after mcts_open; when
 * the tree is full, rounds end where it ends. One thread, one seed, so many rounds: one result. */
#pragma once

#include "base/rng.h"
#include "game/board.h"
#include "search/leash.h"

#include <stddef.h>

/* All with the board of the tree and MctsOptions.ctx. Values are expected scores, 0 … 1. */
typedef struct {
    void (*reset)(void *ctx, const Board *board); /* a new root */
    void (*push)(void *ctx, const Board *board);  /* after a play */
    void (*pop)(void *ctx, const Board *board);   /* before its undo */
    /* What it is worth to the side to move. *settled: that is the result, nothing to look into. */
    double (*value)(void *ctx, Board *board, bool *settled);
    /* Lists the legal moves to be considered, room for width·height; priors (which sum to 1) are
     * for MCTS_PUCT, best first. At least one, unless the position is settled. */
    int (*list)(void *ctx, Board *board, Point *moves, float *priors);
} MctsJudge;

typedef enum { MCTS_UCB1, MCTS_PUCT } MctsRule;

typedef struct {
    const MctsJudge *judge;
    void *ctx;
    MctsRule rule;
    double explore;
    bool reuse; /* the part of the last tree that still applies is kept */
    Near near;  /* of the board of the tree */
    size_t memory;
    uint64_t seed;
} MctsOptions;

typedef struct {
    Point move;
    uint32_t visits;
    double value; /* for the side to move at the root, 0 … 1 */
} MctsMove;

enum { MCTS_LINE_MAX = 32 };

typedef struct {
    Point move;   /* most visits; POINT_NONE if there is no legal move */
    double value; /* of that move, for the side to move */
    int64_t rounds;
    int line_len, depth; /* depth: the deepest round */
    Point line[MCTS_LINE_MAX];
} MctsResult;

typedef struct Mcts Mcts;

Mcts *mcts_open(const Rules *rules, const MctsOptions *options, Err *err);
void mcts_close(Mcts *mcts); /* NULL is fine */
void mcts_reseed(Mcts *mcts, uint64_t seed);
void mcts_forget(Mcts *mcts); /* the tree */

/* rounds: at most so many; 0: until the leash is over. A round is a node of the leash. */
void mcts_run(Mcts *mcts, const Board *board, const Limits *limits, int64_t rounds, Leash *leash,
              MctsResult *result);
/* While a run is under way (from a report of its leash): what it would answer now. */
void mcts_so_far(const Mcts *mcts, MctsResult *result);
/* After a run: the moves of the root as they were listed. */
int mcts_moves(const Mcts *mcts, MctsMove *moves, int room);
