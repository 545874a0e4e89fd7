/* SPDX-License-Identifier: MIT */
/* Actors: many games of self-play at once, for a network that judges leaves in large batches.
 *
 * Every game always waits for exactly one judgement, so a batch is always full: `games` positions
 * in planes.h's form. actors_step takes the judgements of the last batch, goes on with every game
 * on all threads of the team, and writes the next batch:
 *
 *     actors_step(actors, NULL, NULL, planes, kinds);
 *     for (;;) { …network… ; actors_step(actors, policy, value, planes, kinds); }
 *
 * With two Actors in turn the cores work on one batch while the accelerator works on the other.
 *
 * A move is a Gumbel search (search/gumbel.h). Before it the position's Outlook is asked for: a
 * known result ends the game, a forced move is played at once. Finished games go to the Replay.
 *
 * If all games began at once, the short ones would be over first, and what is learnt from them
 * would be that no game lasts. So each place first makes warm_moves moves by the policy alone,
 * which costs next to nothing; then its games stand everywhere between beginning and end. Drawn
 * games would take most of the time of some rules: once a quarter of the board is full, even_draw
 * searches in a row that see nothing for either side end a game, but for one in ten, which is
 * played on. 0 does without either.
 *
 * A game depends on the seed, its number and the judgements alone; only when the limits on searches
 * for fours are met does it also matter which thread met them, so one thread is repeatable. */
#pragma once

#include "learn/planes.h"
#include "learn/replay.h"
#include "learn/team.h"

typedef struct {
    int32_t games;
    int32_t frame;            /* of planes.h; boards are at most this large */
    int32_t simulations;      /* per move */
    int32_t many_simulations; /* per move in some games */
    int32_t many_percent;     /* in so many of a hundred */
    int32_t candidates;       /* GumbelOptions */
    float noise, visits_offset, scale;
    int32_t leaf_fours, root_fours; /* attacks tried: see outlook_of */
    int32_t warm_moves; /* of each place, by the policy alone, before anything is kept */
    int32_t even_draw;  /* searches in a row that see nothing for either side make a draw */
    int32_t rule_weight[RULE_COUNT];
    int32_t size_weight[PLANES_FRAME_MAX + 1]; /* by side of the board */
    uint64_t seed;
} ActorsPlan;

/* Counts since actors_open. */
typedef struct {
    int64_t games, black_wins, white_wins;
    int64_t plies;     /* of finished games, start included */
    int64_t searches;  /* moves decided by a search */
    int64_t leaves;    /* judgements taken */
    int64_t discarded; /* starts that were decided before the first search */
    int64_t given_up;  /* as draws, where neither side saw anything any more */
} ActorsStats;

typedef struct Actors Actors;

/* Team and replay outlive the actors. NULL: the plan is unsound. */
Actors *actors_open(const ActorsPlan *plan, Team *team, Replay *replay, Err *err);
void actors_close(Actors *actors); /* NULL is fine; games under way are lost */

/* policy: games × frame² bfloat16 logits; value: games, −1 … 1 for the side to move; both NULL at
 * the first step. planes: games × PLANES_COUNT × frame² bytes; kinds: games. */
void actors_step(Actors *actors, const uint16_t *policy, const float *value, uint8_t *planes,
                 uint8_t *kinds);

void actors_stats(const Actors *actors, ActorsStats *stats);
