/* SPDX-License-Identifier: MIT */
/* Match: the games of a schedule, played by a crew, kept in a store, counted in order.
 *
 * Games end in any order and go into the store at once; they are counted and reported by the
 * number of their job, each when all before it are there. So every figure, and the moment at which
 * an SPRT is decided, is the same however many games are played at a time and however often the
 * match was interrupted. What was played beyond the end of an SPRT is dropped. */
#pragma once

#include "play/crew.h"
#include "play/store.h"

typedef struct {
    int players[2];
    Tally tally;    /* of the first of them */
    int first_half; /* half points from the first game of the round that is not over; −1: none */
    SprtState sprt;
} MatchPair;

typedef struct {
    int64_t games;
    int64_t lost[REASON_COUNT]; /* by reason */
    int64_t late_ms;            /* the most it ever took over its time */
} MatchPlayer;

/* Read it; only match.c writes. */
typedef struct {
    const MatchPlan *plan;
    Store *store;
    int64_t id;
    int64_t jobs, games;  /* numbers of jobs run to `jobs`; that many games there are */
    int64_t counted;      /* games counted so far */
    int64_t done;         /* games in the store, those not counted yet among them */
    int64_t found;        /* of them in the store when this run began */
    int64_t frontier;     /* all jobs before this one are counted */
    int64_t next;         /* no job before this one is still to be given */
    uint8_t *state;       /* owned; by job */
    Bout **ahead;         /* owned; by job: over, but not counted yet */
    MatchPair *pairs;     /* owned */
    MatchPlayer *players; /* owned */
    int64_t began_ms;     /* os_clock_ms */
    bool decided;         /* the SPRT has an answer */
} Match;

/* Any may be NULL. All come from the thread of match_open and match_run. */
typedef struct {
    void (*game)(void *ctx, const Match *match, const Bout *bout); /* counted: in order */
    void (*tick)(void *ctx, const Match *match);                   /* a few times a second */
    void *ctx;
} MatchEvents;

/* Counts what the store has of it. NULL: err says why. */
Match *match_open(const MatchPlan *plan, Store *store, int64_t id, const MatchEvents *events,
                  Err *err);
void match_close(Match *match); /* NULL is fine */

bool match_is_over(const Match *match);
/* Plays what is missing. Ends early, and well, when *stop becomes true. False: the store failed, or
 * nobody is left to play. */
bool match_run(Match *match, Crew *crew, const MatchEvents *events, atomic_bool *stop, Err *err);
