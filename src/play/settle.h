/* SPDX-License-Identifier: MIT */
/* Settle: the decisions of an opening phase, for players that can only judge a position.
 *
 * Whoever may choose a colour takes the better one: one look at the position tells. Whoever puts
 * the first three stones wants them even, since the opponent chooses: a few openings are drawn by
 * lot, and the one judged nearest to even is put. Three stones that leave nothing to choose are
 * answered with two more, the second of which makes it even again. */
#pragma once

#include "play/player.h"

/* As player_settle; ask is not ASK_MOVE. */
bool settle_by_think(Player *player, Ask ask, const Board *board, const Limits *limits,
                     uint64_t seed, Thought *thought, Err *err);

/* One or two stones after which the position is worth as near to `bias` (search/score.h) as can be
 * to whoever is to move now. Of two the first is the best move, the second, the opponent's, makes
 * it even; a player that does not say what each move is worth just moves. */
bool settle_balance(Player *player, const Board *board, const Limits *limits, int stones,
                    int64_t bias, Thought *thought, Err *err);
