/* SPDX-License-Identifier: MIT */
/* Duel: a network's Gumbel search against the alpha-beta engine, many games at once.
 *
 * As in actors.h every game waits for one judgement and a step goes on with all of them; where it
 * is the engine's turn it thinks within the step. Each opening, balanced by the engine, is played
 * twice with colours exchanged. A game ends on the board or when the network's side sees it
 * decided by Outlook, which is exact. */
#pragma once

#include "learn/planes.h"
#include "learn/team.h"

typedef struct {
    int32_t games; /* to be played in all; made even */
    int32_t slots; /* at a time: positions in a batch */
    int32_t rule;  /* RuleKind */
    int32_t size;  /* of the board, and the frame */
    int32_t simulations, candidates;
    float visits_offset, scale;
    int32_t leaf_fours, root_fours;
    int64_t engine_nodes; /* a move */
    uint64_t seed;
} DuelPlan;

/* As the network's side sees it. */
typedef struct {
    int64_t games, wins, draws, losses;
    int64_t wins_black, losses_black; /* those in which it had Black */
    int64_t plies, engine_moves, leaves;
    int64_t pairs[5]; /* openings by what both games brought: 0, ½, 1, 1½, 2 points */
} DuelStats;

typedef struct Duel Duel;

Duel *duel_open(const DuelPlan *plan, Team *team, Err *err); /* NULL: the plan is unsound */
void duel_close(Duel *duel);                                 /* NULL is fine */

/* As actors_step, `slots` positions. False: all games are over. Positions of slots that have
 * nothing left to play are whatever they were. */
bool duel_step(Duel *duel, const uint16_t *policy, const float *value, uint8_t *planes,
               uint8_t *kinds);

void duel_stats(const Duel *duel, DuelStats *stats);
