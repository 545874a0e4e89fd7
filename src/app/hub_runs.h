/* SPDX-License-Identifier: MIT */
/* Runs: work of minutes to days that pages start, watch and stop: matches of the arena, learners.
 * Each has a thread of its own and says now and then how it stands; pages that watch it get the
 * latest word only. What runs there are is kept in a file beside the games, so that one that a
 * restart cut off can go on. */
#pragma once

#include "app/hub_inside.h"
#include "learn/learner.h"

typedef struct RunKind RunKind;
enum { RUN_RUNNING, RUN_DONE, RUN_STOPPED, RUN_FAILED };

struct Run {
    Run *next;
    Hub *hub;
    const RunKind *kind;
    char id[24];
    char owner[TOKEN_MAX];
    json_t *request; /* owned: what it was started with */
    char began[OS_DATE_MAX];
    int state;
    Err err;
    void *plan; /* the kind's own, while it runs */
    Thread *thread;
    atomic_bool stop;
    Parcel parcel;
    bool good;           /* how it ended; written by its thread */
    Mutex *mutex;        /* guards what follows */
    char *news;          /* how it stands, a JSON object as text; owned; NULL: nothing yet */
    int64_t said;        /* how often */
    int64_t saved, told; /* of that, in the file and to pages */
    int64_t done, games;
};

struct RunKind {
    const char *noun; /* "arena", "learn" */
    char letter;      /* of its ids */
    /* Reads run->request into run->plan; everything that can be refused is refused here. */
    bool (*prepare)(Run *run, Refusal *no);
    /* On its own thread, to the end or until run->stop. */
    bool (*body)(Run *run, Err *err);
    void (*unprepare)(Run *run);
    void (*recall)(Run *run); /* it was cut off: says how it stands on the disk; NULL: nothing */
    void (*forget)(Run *run); /* it is deleted: what it left on the disk goes; NULL: nothing */
};

extern const RunKind arena_kind, learn_kind;

/* hub_arena.c: games of a match as a file, "format", "from". */
bool arena_export(Run *run, const json_t *body, json_t *reply, Refusal *no);

/* hub_learn.c: where a learner is kept; `ending` for files beside it. */
void learn_path(const Run *run, const char *ending, Buf *path);
/* What a page may set for a learner of this kind. */
json_t *learn_options(const LearnerKind *kind);

/* From its thread: how it stands. Takes over the object. */
void run_say(Run *run, json_t *news, int64_t done, int64_t games);
/* A path beside the games, for files of runs; empty when games are kept in memory. */
void runs_path(const Hub *hub, const char *name, Buf *path);
