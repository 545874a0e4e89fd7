/* SPDX-License-Identifier: MIT */
/* Learner: whoever plays games with himself and gets better by them. Every way to learn is a
 * LearnerKind, a const struct of functions; learner_kinds lists them all.
 *
 * A learner is kept in a file (or database) and goes on from there: open reads it if it exists.
 * Everything that the future depends on is in it, the state of chance too, so that a learner that
 * was killed and opened again does what it would have done. It prints nothing; training.h runs
 * it and reports. */
#pragma once

#include "base/err.h"
#include "base/opts.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/params.h"
#include "game/board.h"
#include "play/player.h"

#include <stdbool.h>
#include <stdint.h>

/* A game to learn from: moves from the empty board on, Black's first. */
typedef struct {
    const Point *moves;
    int count;
    int first;          /* moves before this one were set up and say nothing about anybody */
    Cell won;           /* CELL_EMPTY: a draw */
    const bool *by_lot; /* by move: it was not chosen but tried; NULL: none was */
    const char *rival[COLOUR_COUNT]; /* who played that colour; NULL: the learner */
} LearnerGame;

typedef struct {
    Rules rules;
    const char *path;    /* where it is kept; the caller's, good until close. NULL: nowhere */
    uint64_t seed;       /* of a new one */
    const void *options; /* the kind's own struct, filled by its table of options */
} LearnerPlan;

typedef struct LearnerKind LearnerKind;

/* The head of every kind's own struct. */
typedef struct {
    const LearnerKind *kind;
    Rules rules;
    const char *path;
    int64_t games; /* learnt from so far, in all its lives */
    Rng rng;
    FileLock *lock;     /* of path */
    double losses;      /* sum since the last regular place of its curve, of … */
    int64_t loss_games; /* … so many games */
} Learner;

struct LearnerKind {
    const OptTable *options; /* its name is the name of the kind; rows for a struct of … */
    size_t options_size;     /* … this size */
    const char *file;        /* where it is kept unless it is told otherwise */
    /* New, or from plan->path if that exists; learner_open fills the head before. NULL: refused,
     * and nothing was touched. */
    Learner *(*open)(const LearnerPlan *plan, Err *err);
    /* Plays one game with itself, with what chance it needs for exploring. `moves` and `by_lot`
     * have room for all points (by_lot is all false); game points at them. */
    bool (*play)(Learner *learner, Point *moves, bool *by_lot, LearnerGame *game, Err *err);
    /* Learns from a game, its own or another's; *loss is how wrong it was, squared mean error. */
    bool (*observe)(Learner *learner, const LearnerGame *game, double *loss, Err *err);
    /* Puts everything into path. `safe`: even against a crash of the machine, and with a backup
     * copy; otherwise against the death of the process only, but fast enough for every game. */
    bool (*save)(Learner *learner, bool safe, Err *err);
    /* A player with what is known now; it does not learn. The caller closes it. */
    Player *(*player)(Learner *learner, Err *err);
    void (*close)(Learner *learner);
};

extern const LearnerKind *const learner_kinds[]; /* ends with NULL */
const LearnerKind *learner_find(const char *name, Err *err);

/* NULL also while another learner has the same file open. */
Learner *learner_open(const LearnerKind *kind, const LearnerPlan *plan, Err *err);
/* One game more: played, learnt from and saved. */
bool learner_step(Learner *learner, double *loss, Err *err);
bool learner_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err);
bool learner_save(Learner *learner, bool safe, Err *err);
Player *learner_player(Learner *learner, Err *err);
void learner_close(Learner *learner); /* NULL is fine */

/* For kinds that are kept in one parameter file: writes it as save asks, with PATH.bak beside it.
 */
bool learner_write(const Learner *learner, void (*write)(const Learner *, Params *), bool safe,
                   Err *err);

/* Rule, games, chance and losses of the head, as numbers of that file. */
void learner_put_head(const Learner *learner, Params *params);
bool learner_get_head(Learner *learner, const Params *params, Err *err);
/* Was it learnt by the plan's rule? A file from before they said so is taken as it is. */
bool learner_check_rule(const Params *params, const LearnerPlan *plan, Err *err);

extern const LearnerKind learner_td;       /* TD(λ) on changes of patterns */
extern const LearnerKind learner_adp;      /* adaptive dynamic programming */
extern const LearnerKind learner_table;    /* tables, on tiny boards */
extern const LearnerKind learner_patterns; /* composite patterns that led to wins */
