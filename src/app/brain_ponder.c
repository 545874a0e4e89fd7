/* SPDX-License-Identifier: MIT */
/* Thinking on the opponent's time, for managers that ask for it (INFO pondering 1). It is off
 * unless they do: a tournament suspends the process meanwhile. No clock of ours runs, nothing is
 * said, and any line ends it:
 *
 *     handler   no line is left → brain_ponder ─────────── ends → the line
 *     reader                            a line → brain_wake ──┘
 *
 * brain_wake sets `awake` before it looks whether to stop the player, brain_ponder says that it
 * ponders before the search looks at `awake`; so one of them always sees the other. */
#include "app/brain_inside.h"

#include "search/score.h"

void brain_ponder(Brain *brain)
{
    const BrainInfo *info = &brain->info;
    if (!info->pondering || !brain->awaits || !brain->player) return;
    brain_set_board(brain, colour_other(brain->us));
    if (board_is_full(brain->board) || board_scan_winner(brain->board) != CELL_EMPTY) return;
    Limits limits = {.stop = &brain->awake, .reach = brain_reach(info)};
    limits.nodes = info->max_node < INT64_MAX ? info->max_node : 0;
    limits.depth = info->max_depth < 100 ? (int)info->max_depth : 0;
    limits.blocked = brain->avoid;
    limits.blocked_count = brain->avoid_count;
    brain->player->report = NULL;
    brain->player->watch = NULL;
    atomic_store(&brain->pondering, true);
    player_ponder(brain->player, brain->board, &limits);
    atomic_store(&brain->pondering, false);
}

void brain_wake(Brain *brain)
{
    atomic_store(&brain->awake, true);
    if (!atomic_load(&brain->pondering)) return;
    os_mutex_lock(brain->mutex);
    if (brain->player) player_stop(brain->player);
    os_mutex_unlock(brain->mutex);
}
