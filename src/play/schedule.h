/* SPDX-License-Identifier: MIT */
/* Schedule: which games a match consists of. Job i is a function of the plan and i alone: who meets
 * whom, who begins, from which opening, with which seed. So games may be played in any order, by
 * anybody, again, and the match stays the same.
 *
 *      round 0: opening 0     pair 0: a–b, b–a     pair 1: a–c, c–a   …
 *      round 1: opening 1     pair 0: a–b, b–a     …
 *
 * Jobs are numbered along these lines, two to a pair and round. A longer match begins with the
 * games of a shorter one. */
#pragma once

#include "base/buf.h"
#include "play/game.h"
#include "play/openings.h"
#include "play/tally.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *name; /* in tables and records; no two are the same */
    const char *spec;
} Entrant;

/* Off where moves is 0. Values are expected scores, 0 … 1. */
typedef struct {
    int resign_moves;    /* so many moves in a row of a side that … */
    double resign_value; /* … sees at most this, the other side at least 1 − this: it loses */
    int draw_moves;      /* so many moves in a row of both sides, all … */
    double draw_within;  /* … within this of ½, are a draw … */
    int draw_from;       /* … with so many stones on the board */
} Adjudication;

typedef struct {
    const Entrant *players;
    int player_count;         /* at least 2 */
    bool gauntlet;            /* the first against each other one, not all against all */
    int games;                /* of each pair of players */
    GamePlan game;            /* without stones */
    const Openings *openings; /* NULL: the empty board */
    bool shuffle;             /* openings in an order by lot */
    bool symmetries;          /* each opening turned or mirrored by lot */
    int random_stones;        /* put by lot after the opening */
    int64_t nodes;            /* for each decision; 0: no limit */
    int depth;                /* the same */
    size_t memory;            /* of an outside brain, bytes; 0: no limit */
    bool suspend;             /* outside brains are stopped off their turn */
    Adjudication adjudication;
    bool has_sprt; /* two players only; games is then the most there will be */
    Sprt sprt;
    uint64_t seed;
} MatchPlan;

typedef struct {
    int number, pair, round;
    int leg;                /* 0 or 1: which of the two games from one opening */
    int player[SEAT_COUNT]; /* number of the entrant in each seat */
    uint64_t seed;          /* of this round and pair: both legs have the same */
} Job;

/* Errors name the option. */
bool schedule_check(const MatchPlan *plan, Err *err);
int schedule_pairs(const MatchPlan *plan);
void schedule_pair(const MatchPlan *plan, int pair, int players[2]);
/* Numbers run from 0 to this. */
int64_t schedule_jobs(const MatchPlan *plan);
/* False: there is no such game (the second one of an odd last round). */
bool schedule_job(const MatchPlan *plan, int64_t number, Job *job);
/* The stones that the game begins with; room for all points. Returns how many. */
int schedule_stones(const MatchPlan *plan, const Job *job, Point *stones);

/* Everything that the games depend on, a line "key value" each. How many there are is not among it,
 * nor how they are played (how many at a time, on which machines). */
void schedule_conditions(const MatchPlan *plan, Buf *out);
