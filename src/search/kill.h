/* SPDX-License-Identifier: MIT */
/* Kill: the search for a killing move of the project report "gomoku-ai", in its three steps.
 *
 *   1. consecutive fours of our own (vcf.h): a win
 *   2. consecutive fours of the opponent, if it were his turn: then we have no time for a kill
 *   3. the kill itself: the attacker makes open threes and fours, or, where the defender could make
 *      an open four, fours and blocks of that; the defender blocks
 *
 * The naive kill lets the defender do nothing but block; the rigid one lets him also answer an open
 * three with fours of his own. A naive kill need not be one (that is what step 2 is for); a rigid
 * one is, under every rule.
 *
 * What was found is kept in a table, so that once a kill is found every defence is answered at
 * once.
 */
#pragma once

#include "search/leash.h"
#include "search/vcf.h"

typedef enum { KILL_NONE, KILL_BY_FOURS, KILL_BY_THREATS, KILL_REPLAYED } KillKind;

typedef struct {
    int plies;     /* of the longest kill looked at by threats */
    int64_t nodes; /* positions looked at for it; 0: no limit but the leash */
    bool rigid;
} KillOptions;

typedef struct {
    KillKind kind;
    Point move;          /* POINT_NONE without a kill */
    bool opponent_fours; /* step 2 found them: `reply` is where they begin */
    Point reply;
} KillResult;

typedef struct Kill Kill;

Kill *kill_open(size_t table_bytes, Err *err); /* NULL without the memory */
void kill_close(Kill *kill);                   /* NULL is fine */
void kill_forget(Kill *kill);

/* The side to move attacks. The board is played on and left as it was. */
void kill_search(Kill *kill, Board *board, const KillOptions *options, Leash *leash,
                 KillResult *result);
