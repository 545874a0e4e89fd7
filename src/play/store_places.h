/* SPDX-License-Identifier: MIT */
/* Places: which positions come up in which games of the library, and how each went on. A row has
 * all that is counted (the next position, the result), so that what was played from a position is
 * one walk along an index, however many games there are. */
#pragma once

#include "play/library.h"
#include "play/store_db.h"

/* key (sym_key of the position) · game (its number) · ply · next (the key one move later; NULL: the
 * last position) · result of the game. */
#define PLACES_TABLE                                                                               \
    "(key INTEGER NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL, next INTEGER,"            \
    " result INTEGER NOT NULL, PRIMARY KEY(key, game, ply)) WITHOUT ROWID;"
#define PLACES_INDEX "CREATE INDEX place_game ON place(game, ply);"

/* keys[i] is the position after i moves, `plies` in all; those from `from` on have changed. */
bool places_put(Db *db, int64_t game, const uint64_t *keys, int from, int plies,
                LibraryResult result, Err *err);
bool places_drop(Db *db, int64_t game, int from, Err *err);
/* How every game with this position went on; owner NULL: everybody's. */
bool places_next(Db *db, uint64_t key, const char *owner, LibraryNext *next, void *ctx, Err *err);
