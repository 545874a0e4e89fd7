/* SPDX-License-Identifier: MIT */
/* Moves: which moves can matter in a position.
 *
 * What the two sides could make next decides it, strongest first:
 *   we can make five                       we have won
 *   they can make five                     only moves that stop it
 *   we can make an open or double four     we have won, they cannot keep up
 *   they can make an open or double four   our own fours, and every move that takes it away
 *   otherwise                              all candidates
 * The defences are complete: each candidate is tried by look-up against every point that would win
 * for them, so a move that is not listed loses at once or is itself a four of ours. */
#pragma once

#include "game/board.h"

typedef enum {
    THREAT_NONE,      /* a quiet position */
    THREAT_WE_FIVE,   /* we complete a row now */
    THREAT_THEY_FIVE, /* they would complete a row next */
    THREAT_WE_FOUR,   /* we make an open or double four now */
    THREAT_THEY_FOUR, /* they would make one next */
} Threat;

Threat moves_threat(const Board *board);

/* All legal moves worth considering under the threat, in reading order. `points` has room for
 * width·height. Forbidden points are left out. Zero moves under a threat mean that it cannot be
 * met. */
int moves_list(const Board *board, Threat threat, Point *points);

/* What `point` would be to `colour` if there were a stone of the other colour at `stone`. */
Class moves_class_after(const Board *board, Point point, Colour colour, Point stone);
