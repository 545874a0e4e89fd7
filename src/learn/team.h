/* SPDX-License-Identifier: MIT */
/* Team: threads that share one piece of work at a time, items 0 … count − 1, a few at a time to
 * whoever is free. The caller's thread is one of them. */
#pragma once

#include "base/err.h"

typedef struct Team Team;

/* `member` is 0 … team_size − 1, for what each thread keeps of its own. */
typedef void TeamWork(void *ctx, int member, int from, int to);

Team *team_open(int threads, Err *err); /* NULL: refused */
void team_close(Team *team);            /* NULL is fine */
int team_size(const Team *team);

/* Returns when all is done. One piece of work at a time: a second caller waits. */
void team_run(Team *team, TeamWork *work, void *ctx, int count, int at_once);
