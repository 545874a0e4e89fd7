/* SPDX-License-Identifier: MIT */
/* Crew: whoever plays the games of a match. Jobs are given to it and come back as bouts, in any
 * order. There are two: threads of this process, and the ranks of an MPI run (crew_ranks.h). */
#pragma once

#include "play/bout.h"

typedef struct CrewKind CrewKind;
typedef struct {
    const CrewKind *kind;
} Crew;

typedef enum {
    CREW_NOTHING, /* the deadline passed */
    CREW_BOUT,    /* a game is over */
    CREW_LOST,    /* a game will not come back; bout->job says which */
    CREW_GONE,    /* nobody is left to play; err says why */
} CrewTake;

struct CrewKind {
    int (*room)(Crew *crew);               /* jobs that it would take at once */
    void (*give)(Crew *crew, int64_t job); /* room was there */
    CrewTake (*take)(Crew *crew, Bout *bout, int64_t deadline, Err *err);
    void (*stop)(Crew *crew);  /* from any thread: games under way end without a result */
    void (*close)(Crew *crew); /* waits for what runs */
};

/* Threads: so many games at a time. host outlives the crew. NULL: refused. */
Crew *crew_open(const BoutHost *host, int games_at_once, Err *err);

static inline int crew_room(Crew *crew)
{
    return crew->kind->room(crew);
}

static inline void crew_give(Crew *crew, int64_t job)
{
    crew->kind->give(crew, job);
}

/* A bout is the caller's to close. */
static inline CrewTake crew_take(Crew *crew, Bout *bout, int64_t deadline, Err *err)
{
    return crew->kind->take(crew, bout, deadline, err);
}

static inline void crew_stop(Crew *crew)
{
    crew->kind->stop(crew);
}

void crew_close(Crew *crew); /* NULL is fine */
