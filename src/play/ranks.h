/* SPDX-License-Identifier: MIT */
/* Ranks: the processes of an MPI run, as mailboxes for short messages. A build without MPI
 * (ranks_alone.c) knows itself only; make MPI=1 takes ranks_mpi.c. One thread talks. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Ranks Ranks;

Ranks *ranks_open(Err *err); /* NULL: refused */
/* lost: some rank has died, so that nobody can wait for all of them. */
void ranks_close(Ranks *ranks, bool lost); /* NULL is fine */

int ranks_self(const Ranks *ranks); /* 0 … count − 1 */
int ranks_count(const Ranks *ranks);

/* False: it cannot be reached. */
bool ranks_send(Ranks *ranks, int to, const void *bytes, size_t n);
/* A message replaces what `bytes` held; false when the deadline (of os_clock_ms) passed. */
bool ranks_receive(Ranks *ranks, int *from, Buf *bytes, int64_t deadline);
