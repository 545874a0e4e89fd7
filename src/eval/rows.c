/* SPDX-License-Identifier: MIT */
/* A window is a left half, a centre and a right half. A window and its mirror image have the same
 * row by construction and are made together. */
#include "eval/rows.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/generator.h"

#include <string.h>

enum {
    HALVES = GENERATOR_HALVES,
    CENTRES = GENERATOR_CENTRES,
    KEYS = HALVES * HALVES,
    ROWS = CENTRES * KEYS,
    ROWS_BYTES = 2 * ROWS * (int)sizeof(Row),
};

typedef struct {
    const NetGenerator *generator;
    const GeneratorShares *shares;
    Row *rows;
    int colour;
    int first, step; /* left halves that this job makes: first, first + step, … */
} Job;

static void run_job(void *ctx)
{
    const Job *job = ctx;
    size_t half = (size_t)job->colour * NET_HALF;
    for (int left = job->first; left < HALVES; left += job->step)
        for (int right = left; right < HALVES; right++)
            for (int centre = 0; centre < CENTRES; centre++) {
                Row *rows = job->rows + centre * KEYS;
                int8_t row[NET_HALF];
                generator_row(job->generator, job->shares, left, centre, right, row);
                memcpy(rows[left * HALVES + right].of + half, row, sizeof row);
                memcpy(rows[right * HALVES + left].of + half, row, sizeof row);
            }
}

static void make_half(Row *rows, const NetGenerator *generator, int colour, int threads)
{
    enum { THREADS_MAX = 64 };
    Job job[THREADS_MAX];
    Thread *thread[THREADS_MAX] = {0};
    GeneratorShares *shares = mem_alloc(sizeof *shares);
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    generator_shares(generator, colour, shares);
    for (int i = threads - 1; i >= 0; i--) {
        job[i] = (Job){generator, shares, rows, colour, i, threads};
        if (i) thread[i] = os_thread_start(run_job, &job[i], NULL);
        if (!thread[i]) run_job(&job[i]);
    }
    for (int i = 1; i < threads; i++)
        if (thread[i]) os_thread_join(thread[i]);
    mem_free(shares);
}

static int swapped_half(int half)
{
    int first = 0, out = 0, power = 1;
    for (int count = 1; half >= first + count; count *= 3) first += count;
    for (int digits = half - first; digits; digits /= 3, power *= 3)
        out += (digits % 3 ? 3 - digits % 3 : 0) * power;
    return first + out;
}

/* With one generator for both colours White's half is Black's of the board with colours changed. */
static void copy_half(Row *rows)
{
    int swap[HALVES];
    for (int half = 0; half < HALVES; half++) swap[half] = swapped_half(half);
    for (int centre = 0; centre < CENTRES; centre++)
        for (int left = 0; left < HALVES; left++)
            for (int right = 0; right < HALVES; right++)
                memcpy(
                    rows[centre * KEYS + left * HALVES + right].of + NET_HALF,
                    rows[(centre ? 3 - centre : 0) * KEYS + swap[left] * HALVES + swap[right]].of,
                    NET_HALF);
}

static void make_rows(Row *rows, const NetGenerator generator[COLOUR_COUNT], int threads)
{
    make_half(rows, &generator[BLACK], BLACK, threads);
    if (memcmp(&generator[BLACK], &generator[WHITE], sizeof *generator) == 0)
        copy_half(rows);
    else
        make_half(rows, &generator[WHITE], WHITE, threads);
}

bool rows_open(Rows *rows, const NetWeights *weights, int threads)
{
    rows->straight = mem_try_pages(ROWS_BYTES);
    if (!rows->straight) return false;
    rows->diagonal = rows->straight + ROWS;
    make_rows(rows->straight, weights->straight, threads);
    make_rows(rows->diagonal, weights->diagonal, threads);
    return true;
}

void rows_close(Rows *rows)
{
    mem_free_pages(rows->straight, ROWS_BYTES);
    *rows = (Rows){0};
}
