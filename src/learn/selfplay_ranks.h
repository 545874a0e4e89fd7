/* SPDX-License-Identifier: MIT */
/* Self-play over the processes of an MPI run (play/ranks.h). Rank 0 has the archive, hands out the
 * numbers of games and plays too; the others play and send their games in. Since game number i is
 * the same wherever it is played, it does not matter who does, nor that one is played twice: when
 * all have been handed out, those that are not back are handed out again, so a rank that died is
 * not missed. */
#pragma once

#include "learn/selfplay.h"
#include "play/ranks.h"

/* *lost: a rank did not say goodbye, and nobody must wait for all of them. */
bool selfplay_ranks_lead(const SelfplayPlan *plan, Archive *archive, Ranks *ranks,
                         atomic_bool *stop, SelfplayReport *report, void *ctx, bool *lost,
                         Err *err);
void selfplay_ranks_dismiss(Ranks *ranks); /* there is nothing to play: the others may go */
/* What every other rank does. */
bool selfplay_ranks_serve(const SelfplayPlan *plan, Ranks *ranks, bool *lost, Err *err);
