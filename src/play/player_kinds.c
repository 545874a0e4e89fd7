/* SPDX-License-Identifier: MIT */
/* All the players there are. In a file of its own, since whoever lists a player links it with all
 * it needs: a program that wants a few only (main_brain.c) defines a list of its own, and this one
 * is then left in the library. */
#include "play/player.h"

/* clang-format off */
const PlayerKind *const player_kinds[] = {
    &player_ab,
    &player_puct,
    &player_tss,
    &player_kill,
    &player_minimax,
    &player_point,
    &player_hmcts,
    &player_uct,
    &player_adp,
    &player_adpmcts,
    &player_td,
    &player_table,
    &player_pattern,
    &player_random,
    &player_pipe,
    NULL,
};
/* clang-format on */
