/* SPDX-License-Identifier: MIT */
/* Library: games that people play, study and keep, in an SQLite file of their own. A game is one
 * row, written whole with every change before anybody is told of it, and found again by what is
 * written about it or by any position that comes up in it, turned or mirrored.
 *
 *   kept    one row a game, see LibraryGame
 *   place   which positions come up where, and how it went on: see store_places.h
 *   solved  owner · suite · number: problems that somebody has solved */
#pragma once

#include "base/mem.h"
#include "play/game.h"

typedef struct Library Library;

Library *library_open(const char *path, Err *err); /* path NULL: in memory, for this run alone */
void library_close(Library *library);              /* NULL is fine */

typedef enum { LIBRARY_OPEN, LIBRARY_BLACK, LIBRARY_WHITE, LIBRARY_DRAW } LibraryResult;

/* Texts are never NULL. What acts, times, thoughts and notes hold is the writer's affair. */
typedef struct {
    const char *id;     /* unique */
    const char *owner;  /* whoever made it */
    const char *source; /* "board", "import", … */
    Rules rules;
    Phase phase;
    const char *setup;      /* stones before the first move, as position_write has them */
    const char *setup_side; /* "b", "w" or "" */
    const char *player[SEAT_COUNT], *player_name[SEAT_COUNT];
    bool swapped; /* the first seat has White */
    ClockPlan clock;
    int64_t think_ms, delay_ms;
    const char *acts, *times, *thoughts; /* decisions, how long each took, what was thought */
    int standing;                        /* decisions not taken back */
    const char *ending;                  /* how it ended if no move ended it */
    LibraryResult result;
    const char *reason;
    const char *name, *comment, *notes;
    const char *tags;  /* each with a line end before and after it */
    const char *moves; /* the stones put by players, in order */
    int plies;
    const char *created, *changed;
} LibraryGame;

/* Writes it, new or changed. keys[i] is the sym_key of the position after i moves; those from
 * `from` on, up to plies, have changed. */
bool library_put(Library *library, const LibraryGame *game, const uint64_t *keys, int from,
                 Err *err);
/* Between these, what is put is on the disk as a whole or not at all. library_end: good, or nothing
 * of it stays. */
bool library_begin(Library *library, Err *err);
bool library_end(Library *library, bool good, Err *err);
/* Reads one; its texts go into the arena. *found says whether it is there. */
bool library_get(Library *library, const char *id, Arena *texts, LibraryGame *game, bool *found,
                 Err *err);
/* owner NULL: whoever's it is. *deleted: was it there? */
bool library_delete(Library *library, const char *id, const char *owner, bool *deleted, Err *err);

typedef enum {
    LIBRARY_BY_CHANGE,
    LIBRARY_BY_CREATION,
    LIBRARY_BY_PLIES,
    LIBRARY_BY_NAME
} LibraryOrder;

/* Which games; NULL and −1 are no condition. */
typedef struct {
    const char *owner, *text, *player, *tag, *from, *to; /* from, to: first and last date */
    const char *specs; /* players without a name that the text stands for as well; each with a line
                          end before and after it */
    int rule, result;  /* RuleKind, LibraryResult */
    bool has_key;
    uint64_t key;
    LibraryOrder order;
    int64_t offset, limit;
} LibraryQuery;

/* The game is good during the call; ply is where the position comes up first (0 without one).
 * Stops early when the callback returns false. */
typedef bool LibraryVisit(void *ctx, const LibraryGame *game, int ply);
/* *total: how many there are, whatever the limit. */
bool library_list(Library *library, const LibraryQuery *query, LibraryVisit *visit, void *ctx,
                  int64_t *total, Err *err);
/* Each game of a position (sym_key) that goes on from it: the position one move later, and how the
 * game ended. owner NULL: everybody's. */
typedef void LibraryNext(void *ctx, uint64_t next, LibraryResult result);
bool library_next(Library *library, uint64_t key, const char *owner, LibraryNext *next, void *ctx,
                  Err *err);
/* Every tag list there is, with how many games have exactly that one. */
typedef void LibraryTags(void *ctx, const char *tags, int64_t games);
bool library_tags(Library *library, const char *owner, LibraryTags *tags, void *ctx, Err *err);

bool library_set_solved(Library *library, const char *owner, const char *suite, int64_t number,
                        Err *err);
/* Which numbers of a suite somebody has solved. */
typedef void LibrarySolved(void *ctx, int64_t number);
bool library_solved(Library *library, const char *owner, const char *suite, LibrarySolved *solved,
                    void *ctx, Err *err);
