/* SPDX-License-Identifier: MIT */
/* PatternStore: patterns that were learnt, game by game, in an SQLite file of its own kind.
 *
 *   about    key · value: win (k), conditions (what the games depend on)
 *   game     number (from 1) · black · white (who played) · winner (b, w or NULL) · moves ·
 *            losses · loss_games (the learner's sums after it)
 *   pattern  id · text · born (the game it came with; 0: from an import)
 *   state    pattern · game · score · sightings · wins · losses: a row for each game that changed
 * it
 *
 * A game with all it taught is one transaction, so a process may be killed at any moment. The state
 * after any game can be had: nothing is overwritten. There are no dates in it: the same seed makes
 * the same rows. A PatternStore belongs to one thread. */
#pragma once

#include "base/err.h"
#include "eval/pattern_book.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct PatternStore PatternStore;

enum { PATTERNS_NOW = -1 }; /* as a game: after the last one */

PatternStore *pattern_store_open(const char *path, Err *err);          /* NULL: in memory */
PatternStore *pattern_store_open_existing(const char *path, Err *err); /* it must be there */
void pattern_store_close(PatternStore *store);                         /* NULL is fine */

/* Says for what k and under what conditions (lines of text) games will come. Refused if games are
 * there already that came under others; err says which line differs. */
bool pattern_store_begin(PatternStore *store, int k, const char *conditions, Err *err);
/* Texts are added to the bufs; all may be NULL. k is 0 in an empty store. */
bool pattern_store_about(PatternStore *store, int *k, int *games, Buf *conditions, Err *err);

/* Where learning stands. */
typedef struct {
    int games;
    double losses; /* sum of how wrong it was, over the last … */
    int64_t loss_games;
} PatternStoreHead;
bool pattern_store_head(PatternStore *store, PatternStoreHead *head, Err *err);
/* What was added so far is safe even if the machine fails. */
bool pattern_store_flush(PatternStore *store, Err *err);

/* The patterns as they were after a game, in the order in which they came. */
bool pattern_store_load(PatternStore *store, int game, PatternBook *book, Err *err);

typedef struct {
    int number; /* one more than the games that are there */
    const char *black, *white;
    int winner; /* a Colour; −1: a draw */
    const char *moves;
    double losses; /* of PatternStoreHead, after this game */
    int64_t loss_games;
} PatternGame;

/* Adds a game and what the book says after it; `before` is the book as the store has it. */
bool pattern_store_add(PatternStore *store, const PatternGame *game, const PatternBook *before,
                       const PatternBook *after, Err *err);
/* Fills a store without games; what was in it goes. */
bool pattern_store_import(PatternStore *store, const PatternBook *book, Err *err);

/* The states of a pattern, oldest first. False also if there is no such pattern. */
typedef void PatternStateSeen(void *ctx, int game, const PatternRow *row);
bool pattern_store_history(PatternStore *store, const Pattern *pattern, PatternStateSeen *seen,
                           void *ctx, Err *err);
/* All games, oldest first; the texts are good during the call. */
typedef void PatternGameSeen(void *ctx, const PatternGame *game);
bool pattern_store_games(PatternStore *store, PatternGameSeen *seen, void *ctx, Err *err);

/* The patterns of a file, be it a store or a text. A text has no past: game must be
 * PATTERNS_NOW. */
bool pattern_file_load(const char *path, int game, PatternBook *book, Err *err);
/* Those that are a part of the program. */
bool pattern_builtin_load(PatternBook *book, Err *err);
