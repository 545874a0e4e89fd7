/* SPDX-License-Identifier: MIT */
/* Selfplay: the engine plays itself at a fixed number of nodes a move and keeps every game in an
 * Archive, for whoever wants to learn from it. Game number i is the same whenever and wherever it
 * is played: its opening, size and the engine's memory depend on the seed and i alone. */
#pragma once

#include "base/rng.h"
#include "eval/eval.h"
#include "game/board.h"
#include "learn/archive.h"
#include "learn/relabel.h"
#include "search/search.h"

#include <stdatomic.h>

enum { SELFPLAY_SIZES_MAX = 32, SELFPLAY_OPENING_MAX = 7 };

typedef struct {
    RuleKind rule;
    int size[SELFPLAY_SIZES_MAX]; /* boards to play on, in turn; a size may stand there twice */
    int size_count;
    int64_t nodes; /* per move */
    int games;
    int threads;
    uint64_t seed;
    const EvalKind *eval;
    const char *net;        /* file of the network, for eval_net; NULL: as built in */
    const Relabel *relabel; /* judge so many of its positions instead of playing; NULL: play */
} SelfplayPlan;

typedef void SelfplayReport(void *ctx, int games_done, int64_t positions);

/* Plays what the archive does not have yet. *stop may be set from any thread: it ends after the
 * games under way. False only if something could not be opened or written. */
bool selfplay_run(const SelfplayPlan *plan, Archive *archive, atomic_bool *stop,
                  SelfplayReport *report, void *ctx, Err *err);

/* Where games come from and go to, when it is not an archive at hand. Both are called from many
 * threads. */
typedef struct {
    int (*take)(void *ctx); /* number of the next game; −1: there are no more */
    void (*give)(void *ctx, const ArchiveGame *game);
    void *ctx;
} SelfplayDesk;

/* Plays, with plan->threads threads, until the desk has no more. */
bool selfplay_work(const SelfplayPlan *plan, const SelfplayDesk *desk, Err *err);

/* Puts up to SELFPLAY_OPENING_MAX stones at random on an empty board, and others as long as the
 * search calls the position decided: games that are over before they begin teach little. */
void selfplay_opening(Board *board, Search *search, int64_t nodes, Rng *rng,
                      Point stones[SELFPLAY_OPENING_MAX]);
