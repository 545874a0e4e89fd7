/* SPDX-License-Identifier: MIT */
/* The crew of an MPI run. Rank 0 has the match and the store and plays nothing; the others have
 * threads and play. Every rank reads the same command line and files and so has the same plan;
 * whether that is so is compared. A rank that is not heard of for a while is lost: its games are
 * given to others, and what it may still send is not listened to.
 *
 *   to a rank       J number (play this)   P (I am here)   S (leave)   L (leave, one is lost)
 *   from a rank     R room conditions      B bout   H (I am here)   X why (I cannot play) */
#pragma once

#include "play/crew.h"
#include "play/ranks.h"

/* Rank 0. `silence_ms`: how long a rank may say nothing. Nobody may be there in the end: then all
 * takes are CREW_GONE. */
Crew *crew_ranks_open(Ranks *ranks, const MatchPlan *plan, int64_t silence_ms);
bool crew_ranks_lost(const Crew *crew); /* has any been lost? */

/* Tells every rank to leave; for rank 0 when there will be no crew. */
void crew_ranks_dismiss(Ranks *ranks);
/* Tells rank 0 that this one cannot play. */
void crew_ranks_refuse(Ranks *ranks, const char *why);
/* The other ranks: plays what comes until rank 0 says to leave, or says nothing for that long.
 * *lost becomes true if any rank has died. */
bool crew_ranks_serve(Ranks *ranks, const BoutHost *host, int games_at_once, int64_t silence_ms,
                      bool *lost, Err *err);
