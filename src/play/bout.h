/* SPDX-License-Identifier: MIT */
/* Bout: one game of a match, played from its job to its result. Both players are opened for it and
 * closed after it, so that it depends on nothing but its job. */
#pragma once

#include "base/os.h"
#include "play/schedule.h"

#include <stdatomic.h>

typedef struct {
    int64_t job;
    int player[SEAT_COUNT]; /* numbers of the entrants */
    Colour colour[SEAT_COUNT];
    int winner; /* a seat; −1: a draw */
    RecordReason reason;
    char detail[GAME_DETAIL_MAX];
    GameMove *moves; /* owned */
    int move_count;
    int64_t late_ms[SEAT_COUNT]; /* the most that a decision took over its time; 0: never */
    int64_t ms;                  /* that it all took */
    bool dropped;                /* stopped from outside: no result */
} Bout;

void bout_close(Bout *bout);

/* Whoever has bouts played. */
typedef struct {
    const MatchPlan *plan;
    atomic_bool *stop; /* ends the game under way, without a result */
    /* Lines of outside brains, see PlayerHost; NULL: nobody listens. From any thread. */
    void (*line)(void *ctx, int64_t job, const char *name, char mark, const char *text);
    void *line_ctx;
    /* After each decision; NULL: nobody watches. From any thread; the game is good during the call.
     */
    void (*moved)(void *ctx, const Job *job, const Game *game);
    void *moved_ctx;
    const char *stderr_file; /* of outside brains; NULL: thrown away */
} BoutHost;

/* How others may stop a game at once: host->stop first, then the player that thinks, if any. */
typedef struct {
    Mutex *mutex; /* guards asked */
    Player *asked;
} BoutStop;

/* Plays it to the end, whatever the players do. */
void bout_play(const BoutHost *host, const Job *job, BoutStop *stop, Bout *bout);

/* What half a point is worth: 0 a loss, 1 a draw, 2 a win, for the entrant. */
int bout_half_points(const Bout *bout, int player);

/* The moves and what is known of each, as lists of text: for files and messages. */
typedef enum {
    BOUT_MOVES,  /* h8i9g7 */
    BOUT_SEATS,  /* 1 or 2 for each, - for the opening */
    BOUT_TIMES,  /* ms; from here on with a blank between, and - where it is not known */
    BOUT_CLOCKS, /* ms */
    BOUT_VALUES, /* expected scores of the mover */
    BOUT_DEPTHS,
    BOUT_NODES,
    BOUT_LISTS
} BoutList;

void bout_list_write(const Rules *rules, const Bout *bout, BoutList list, Buf *out);
/* BOUT_MOVES comes first and makes room; the others fill in. */
bool bout_list_read(const Rules *rules, Bout *bout, BoutList list, const char *text, Err *err);

/* A whole one as lines of text, and back; what bout_read fills is the caller's to close, also when
 * it fails. */
void bout_write(const Rules *rules, const Bout *bout, Buf *out);
bool bout_read(const Rules *rules, const char *text, Bout *bout, Err *err);
