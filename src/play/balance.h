/* SPDX-License-Identifier: MIT */
/* Balance: stones after which a position is even, for openings that are fair to both sides.
 *
 * One look at all moves says which are near to even; but what it says of each is shallow, and where
 * it was cut off some are seen deeper than others. So the one that seems most even is looked at
 * again by itself, until that is one which was. */
#pragma once

#include "play/player.h"

/* One or two stones after which the position is worth as near to `bias` (search/score.h) as can be
 * to whoever is to move now. Of two the first is the best move, or where that is worth more than
 * `bias` one that is not; the second is the opponent's. A player that does not say what each move
 * is worth just moves. thought->value is what the side to move can then expect. */
bool balance_find(Player *player, const Board *board, const Limits *limits, int stones,
                  int64_t bias, Thought *thought, Err *err);

/* Two of which the first is given; it does not end the game. */
bool balance_after(Player *player, const Board *board, Point first, const Limits *limits,
                   int64_t bias, Thought *thought, Err *err);
