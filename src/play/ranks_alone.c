/* SPDX-License-Identifier: MIT */
/* Ranks without MPI: there is but one. See ranks.h. */
#include "play/ranks.h"

#include "base/mem.h"
#include "base/os.h"

#include <stdlib.h>

struct Ranks {
    int count;
};

Ranks *ranks_open(Err *err)
{
    /* Under mpirun every rank would play the whole match, all into one store. */
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    if (size && atoi(size) > 1) {
        err_set(err, "this goren was built without MPI; make MPI=1 builds one with it");
        return NULL;
    }
    Ranks *ranks = mem_zero(sizeof *ranks);
    ranks->count = 1;
    return ranks;
}

void ranks_close(Ranks *ranks, bool lost)
{
    (void)lost;
    mem_free(ranks);
}

int ranks_self(const Ranks *ranks)
{
    (void)ranks;
    return 0;
}

int ranks_count(const Ranks *ranks)
{
    return ranks->count;
}

bool ranks_send(Ranks *ranks, int to, const void *bytes, size_t n)
{
    (void)ranks, (void)to, (void)bytes, (void)n;
    return false;
}

bool ranks_receive(Ranks *ranks, int *from, Buf *bytes, int64_t deadline)
{
    (void)ranks, (void)from, (void)bytes;
    os_sleep_ms(deadline == OS_NEVER ? 1000 : deadline - os_clock_ms());
    return false;
}
