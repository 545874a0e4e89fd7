/* SPDX-License-Identifier: MIT */
/* Outlook: what can be said of a position without judging it.
 *
 * Fives and open fours on the board, a win by consecutive fours, a threat that cannot be met: then
 * the result is known. A threat that can be met in one way only leaves nothing to think about.
 * Otherwise it is open, and the moves that matter are listed. Tree searches ask this before they
 * ask an evaluator. */
#pragma once

#include "search/vcf.h"

typedef enum {
    OUTLOOK_WON,  /* by the side to move */
    OUTLOOK_LOST, /* likewise */
    OUTLOOK_DRAWN,
    OUTLOOK_FORCED, /* one move is listed; every other loses at once */
    OUTLOOK_OPEN,
} Outlook;

enum { OUTLOOK_MOVES_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE };

/* `fours`: attacks that the search for consecutive fours may try; 0: none is made. `moves` has room
 * for width·height, all legal; the count is 0 where the result is known. An empty board is forced:
 * the middle. */
Outlook outlook_of(Board *board, Vcf *vcf, int64_t fours, Point *moves, int *count);
