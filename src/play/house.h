/* SPDX-License-Identifier: MIT */
/* House: what the smaller players of this house share. Each has this as its head: a flag to stop it
 * by, and a board of its own that takes over the position it is asked about. */
#pragma once

#include "play/player.h"
#include "search/leash.h"
#include "search/mcts.h"
#include "search/plain.h"

typedef struct {
    Player head;
    atomic_bool stop;
    Board *board;       /* NULL before the first question */
    const Board *asked; /* the question under way */
    Point first;        /* what would be played if there were no time; POINT_NONE: not known yet */
    const Mcts *mcts;   /* what is searching, for reports; NULL: nothing */
    const Plain *plain; /* likewise */
} House;

/* The keys of a spec that has no texts among them. */
bool house_options(const OptTable *table, const char *keys, void *options, Err *err);

/* Starts a think: the flag down, the board at the position, the leash on. Returns false if the
 * board is a new one, for other rules than before: what hangs on them must be made anew. */
bool house_begin(House *house, const Board *board, Near near, const Limits *limits, int stride,
                 Leash *leash);
void house_end(const Leash *leash, Thought *thought); /* nodes and time */
/* What a tree search, and what an alpha-beta search found. */
void house_fill(const MctsResult *result, Thought *thought);
void house_fill_plain(const PlainResult *result, Thought *thought);
void house_close(House *house);  /* the board and the player itself */
void house_stop(Player *player); /* for PlayerKind.stop */

/* The legal moves near stones without those that are blocked, in reading order; if there are none,
 * the whole board; the middle of an empty one. `moves` has room for width·height. 0: no legal move.
 */
int house_moves(const Board *board, const Limits *limits, Point *moves);

/* The player's depth, or less if the question asks for less. */
int house_depth(const Limits *limits, int depth);
/* What the empty point p is worth by its rows with gaps, to play and to deny (gaps.h). */
int house_point(const Board *board, Point p);
/* Best first by worth, only the best `most` of them kept; returns how many. Equal ones stay in
 * their order. */
int house_sort(Point *moves, int *worth, int count, int most);
