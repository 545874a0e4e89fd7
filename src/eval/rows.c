/* SPDX-License-Identifier: MIT */
/* A window is a left half, a centre and a right half, and the first layer of a generator is a sum
 * over cells: so each half is summed once, 364 of them, and a window costs three additions. A
 * window and its mirror image have the same row by construction and are made together. */
#include "eval/rows.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/dense.h"

#include <string.h>

enum {
    HALVES = 364,
    CENTRES = 3,
    KEYS = HALVES * HALVES,
    ROWS = CENTRES * KEYS,
    ROWS_BYTES = 2 * ROWS * (int)sizeof(Row),
};

/* A half window's share of the first layer, on either side of the point. */
typedef struct {
    int16_t left[HALVES][NET_HIDDEN], right[HALVES][NET_HIDDEN], centre[CENTRES][NET_HIDDEN];
} Shares;

typedef struct {
    const NetGenerator *generator;
    const Shares *shares;
    Row *rows;
    int colour;
    int first, step; /* left halves that this job makes: first, first + step, … */
} Job;

static int state_of(int digit, int colour)
{
    return digit == 0 ? 0 : digit == colour + 1 ? 1 : 2;
}

static void shares_fill(Shares *shares, const NetGenerator *g, int colour)
{
    for (int half = 0; half < HALVES; half++) {
        int cells = 0, first = 0;
        for (int count = 1; half >= first + count; count *= 3, cells++) first += count;
        memset(shares->left[half], 0, sizeof shares->left[half]);
        memset(shares->right[half], 0, sizeof shares->right[half]);
        int digits = half - first;
        for (int i = 0; i < NET_REACH; i++, digits /= 3) {
            int state = i >= cells ? 3 : state_of(digits % 3, colour);
            const int16_t *left = g->cell[NET_REACH - 1 - i][state];
            const int16_t *right = g->cell[NET_REACH + 1 + i][state];
            for (int h = 0; h < NET_HIDDEN; h++) {
                shares->left[half][h] = (int16_t)(shares->left[half][h] + left[h]);
                shares->right[half][h] = (int16_t)(shares->right[half][h] + right[h]);
            }
        }
    }
    for (int c = 0; c < CENTRES; c++)
        memcpy(shares->centre[c], g->cell[NET_REACH][state_of(c, colour)],
               sizeof shares->centre[c]);
}

static void first_layer(const Shares *s, int left, int centre, int right, uint8_t *out)
{
    int32_t sums[NET_HIDDEN];
    for (int h = 0; h < NET_HIDDEN; h++)
        sums[h] = s->left[left][h] + s->centre[centre][h] + s->right[right][h];
    dense_clips(sums, NET_HIDDEN, 0, out);
}

static void make_row(const NetGenerator *g, const Shares *s, int left, int centre, int right,
                     int8_t *row)
{
    uint8_t there[NET_HIDDEN], back[NET_HIDDEN], hidden[NET_HIDDEN];
    int32_t sums[NET_HIDDEN];
    first_layer(s, left, centre, right, there);
    first_layer(s, right, centre, left, back);
    for (int h = 0; h < NET_HIDDEN; h++) there[h] = (uint8_t)((there[h] + back[h]) >> 1);
    dense((const int8_t *)g->mix2, g->bias2, there, NET_HIDDEN, NET_HIDDEN, sums);
    dense_clips(sums, NET_HIDDEN, 6, hidden);
    dense((const int8_t *)g->mix3, g->bias3, hidden, NET_HIDDEN, NET_HALF, sums);
    for (int c = 0; c < NET_HALF; c++) {
        int32_t x = sums[c] >> 8;
        row[c] = (int8_t)(x < -NET_ROW_MOST ? -NET_ROW_MOST : x > NET_ROW_MOST ? NET_ROW_MOST : x);
    }
}

static void run_job(void *ctx)
{
    const Job *job = ctx;
    size_t half = (size_t)job->colour * NET_HALF;
    for (int left = job->first; left < HALVES; left += job->step)
        for (int right = left; right < HALVES; right++)
            for (int centre = 0; centre < CENTRES; centre++) {
                int8_t *row = job->rows[centre * KEYS + left * HALVES + right].of + half;
                make_row(job->generator, job->shares, left, centre, right, row);
                if (left != right)
                    memcpy(job->rows[centre * KEYS + right * HALVES + left].of + half, row,
                           NET_HALF);
            }
}

static void make_half(Row *rows, const NetGenerator *generator, int colour, int threads)
{
    enum { THREADS_MAX = 64 };
    Job job[THREADS_MAX];
    Thread *thread[THREADS_MAX] = {0};
    Shares *shares = mem_alloc(sizeof *shares);
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    shares_fill(shares, generator, colour);
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
}
