/* SPDX-License-Identifier: MIT */
/* Ranks by MPI: the only file that knows it. See ranks.h.
 *
 * Messages are looked for, never waited for inside MPI, which would use a whole core for it. */
#include "play/ranks.h"

#include "base/mem.h"
#include "base/os.h"

#include <mpi.h>
#include <stdlib.h>

enum { NAP_MS = 1, TAG = 5 };

struct Ranks {
    int self, count;
    bool started; /* by mpirun: MPI is up */
};

Ranks *ranks_open(Err *err)
{
    Ranks *ranks = mem_zero(sizeof *ranks);
    ranks->count = 1;
    if (!getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMIX_RANK") && !getenv("PMI_RANK"))
        return ranks;
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        err_set(err, "MPI does not start");
        mem_free(ranks);
        return NULL;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->self);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    ranks->started = true;
    return ranks;
}

void ranks_close(Ranks *ranks, bool lost)
{
    if (!ranks) return;
    /* Finalize waits for all; with one gone that would be for ever. */
    if (ranks->started && !lost) MPI_Finalize();
    mem_free(ranks);
}

int ranks_self(const Ranks *ranks)
{
    return ranks->self;
}

int ranks_count(const Ranks *ranks)
{
    return ranks->count;
}

bool ranks_send(Ranks *ranks, int to, const void *bytes, size_t n)
{
    return ranks->started && n <= INT32_MAX &&
           MPI_Send(bytes, (int)n, MPI_CHAR, to, TAG, MPI_COMM_WORLD) == MPI_SUCCESS;
}

bool ranks_receive(Ranks *ranks, int *from, Buf *bytes, int64_t deadline)
{
    for (;;) {
        MPI_Status status;
        int there = 0, n = 0;
        bool good = ranks->started &&
                    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status) == MPI_SUCCESS;
        if (good && there) {
            MPI_Get_count(&status, MPI_CHAR, &n);
            buf_clear(bytes);
            buf_reserve(bytes, (size_t)n + 1);
            *from = status.MPI_SOURCE;
            if (MPI_Recv(bytes->data, n, MPI_CHAR, *from, TAG, MPI_COMM_WORLD, &status) ==
                MPI_SUCCESS) {
                bytes->len = (size_t)n;
                bytes->data[n] = '\0';
                return true;
            }
        }
        if (os_clock_ms() >= deadline) return false;
        os_sleep_ms(NAP_MS);
    }
}
