/* SPDX-License-Identifier: MIT */
/* Store: matches and their games in an SQLite file. A game is one transaction with the number of
 * its job as its key, so a process may be killed at any moment: what is there is whole, and the
 * same match goes on with the jobs that are missing. One file holds any number of matches.
 *
 *   match    id · name · conditions (as schedule_conditions writes them) · began
 *   entrant  match · number (from 0) · name · spec
 *   run      id · match · began · version of goren · what each player says of itself
 *   game     match · job · run · first, second (entrants by seat) · black (the entrant) ·
 *            winner (entrant, NULL: a draw) · reason · detail · ended · ms ·
 *            moves · seats · times · clocks · evals · depths · nodes (lists, see bout.h)
 *
 * A Store belongs to one thread. */
#pragma once

#include "play/bout.h"

typedef struct Store Store;

Store *store_open(const char *path, Err *err); /* path NULL: in memory, for this run alone */
/* One that must be there, to read. */
Store *store_open_existing(const char *path, Err *err);
bool store_is_one(const char *path); /* or another file of SQLite; opening it says which */
void store_close(Store *store);      /* NULL is fine */

/* Finds or makes the match of these conditions. name NULL: whichever has them, or a new one called
 * after its number. With a name: refused if a match of that name has other conditions; err then
 * says which. *games: how many of its games are there. */
bool store_match(Store *store, const char *name, const MatchPlan *plan, int64_t *match,
                 int64_t *games, Err *err);
/* From now on games belong to this run. */
bool store_run(Store *store, int64_t match, const char *version, const char *players, Err *err);
/* On the disk as a whole, or not at all. Refused if the job is there already. */
bool store_add(Store *store, int64_t match, const Rules *rules, const Bout *bout, Err *err);
/* Drops games whose job is higher than this: played ahead, but the match ended before them. */
bool store_cut(Store *store, int64_t match, int64_t last_job, Err *err);

/* The match of this name with all its games goes, if it is there. */
bool store_forget(Store *store, const char *name, Err *err);

/* All games of a match in the order of their jobs; the bout is good during the call. Stops early
 * when the callback returns false. */
typedef bool StoreGame(void *ctx, const Bout *bout, const char *ended);
bool store_games(Store *store, int64_t match, const Rules *rules, StoreGame *game, void *ctx,
                 Err *err);
/* The same from a job on. */
bool store_games_from(Store *store, int64_t match, int64_t job, const Rules *rules, StoreGame *game,
                      void *ctx, Err *err);
/* The match of this name; 0: there is none. */
bool store_find(Store *store, const char *name, int64_t *match, Err *err);

/* For ratings: each game of a match, or with NULL of all, by the names of its entrants, first one's
 * half points. Refused where one name stands for two players. */
typedef void StoreResult(void *ctx, const char *first, const char *second, int half_points);
bool store_results(Store *store, const char *match, StoreResult *result, void *ctx, Err *err);
