/* SPDX-License-Identifier: MIT */
/* Pool: a fixed set of engine slots, each a thread with its own players and solvers, and a fair
 * queue before them. A server has many people and few cores; this is where they meet.
 *
 * A task that must be answered soon (a move in a game) goes before one that may take its time (an
 * analysis). Within a rank the client who has least of the slots comes first, then whoever has
 * waited longest. Tasks that may take their time run in slices: when others wait, one is asked to
 * halt and goes to the end of the queue; its engine keeps its table, so little is lost. */
#pragma once

#include "base/err.h"
#include "play/player.h"
#include "search/dfpn.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Pool Pool;
typedef struct PoolSlot PoolSlot;

typedef enum { POOL_SOON, POOL_LATER } PoolRank;

/* The head of every task; it is the caller's, who keeps it until it is finished. */
typedef struct PoolTask {
    uint64_t client; /* whose: slots are shared out fairly among clients */
    PoolRank rank;
    /* On the slot's thread. True: it is done. False: it was halted and wants to go on. */
    bool (*run)(struct PoolTask *task, PoolSlot *slot);
    /* On the slot's thread, after a run that was done or cancelled; the pool has forgotten it. */
    void (*finished)(struct PoolTask *task);
    atomic_bool cancelled; /* nobody wants it any more */

    /* The pool's own. */
    struct PoolTask *next;
    PoolSlot *slot;   /* where it runs; NULL: it waits */
    int64_t began_ms; /* when it began to run or to wait */
} PoolTask;

/* memory: bytes of each slot's solver tables. NULL: a thread was refused. No slots at all: tasks
 * wait for ever, for tests. */
Pool *pool_open(int slots, size_t memory, Err *err);
/* Halts and drops everything; tasks that run are finished, those that wait are not. */
void pool_close(Pool *pool);

void pool_add(Pool *pool, PoolTask *task);
/* Whatever it found is not wanted any more. True: it had not begun and is forgotten at once. False:
 * it runs, is asked to halt and will be finished. */
bool pool_cancel(Pool *pool, PoolTask *task);
/* Halts it, but what it has found is wanted. */
void pool_hurry(Pool *pool, PoolTask *task);
/* How many tasks it has to wait for; 0 when it runs or is just about to. */
int pool_ahead(Pool *pool, const PoolTask *task);
/* Lets others have their turn: to be called several times a second. */
void pool_tick(Pool *pool);

/* ---- for tasks that run ---- */

/* A player of the slot by its spec; opened if it is not there, good until the task ends. */
Player *pool_player(PoolSlot *slot, const char *spec, Err *err);
Vcf *pool_vcf(PoolSlot *slot);
Dfpn *pool_dfpn(PoolSlot *slot);
/* True once the task should end, for solvers and Limits.stop. */
const atomic_bool *pool_halt(const PoolSlot *slot);
/* player_settle that halts when the slot does. */
bool pool_think(PoolSlot *slot, Player *player, Ask ask, const Board *board, const Limits *limits,
                uint64_t seed, Thought *thought, Err *err);
/* balance_find for an even game, likewise. */
bool pool_balance(PoolSlot *slot, Player *player, const Board *board, const Limits *limits,
                  int stones, Thought *thought, Err *err);
