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
