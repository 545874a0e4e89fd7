/* SPDX-License-Identifier: MIT */
#include "learn/starts.h"

#include "game/ban.h"

enum {
    EMPTY_PERCENT = 3,
    MIDDLE_PERCENT = 15,
    BALANCED_PERCENT = 60, /* the rest is START_RANDOM */
    MIDDLE_AFTER = 4,      /* stones that an earlier game keeps at least */
    MIDDLE_BEFORE = 5,     /* and plies that it loses: its end was decided */
};

/* A few stones in a small square, more often than not in the middle. */
static void random_stones(Board *board, int count, Rng *rng)
{
    const Rules *r = &board->rules;
    int side = 3 + (int)rng_below(rng, 5);
    if (side > r->width) side = r->width;
    if (side > r->height) side = r->height;
    int left = (r->width - side) / 2, upper = (r->height - side) / 2;
    if (rng_below(rng, 3) == 0) {
        left = (int)rng_below(rng, (uint32_t)(r->width - side + 1));
        upper = (int)rng_below(rng, (uint32_t)(r->height - side + 1));
    }
    for (int tries = 0; board->stones < count && tries < 100; tries++) {
        int x = left + (int)rng_below(rng, (uint32_t)side);
        int y = upper + (int)rng_below(rng, (uint32_t)side);
        Point p = rules_point(r, x, y);
        if (ban_allows(board, p, board->side)) board_play(board, p);
    }
}

int starts_moves(const Board *board, Rng *rng, Point *moves)
{
    Point all[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int count = board_candidates(board, all), n = 0;
    while (count && n < STARTS_MOVES_MAX) {
        int i = (int)rng_below(rng, (uint32_t)count);
        if (ban_allows(board, all[i], board->side)) moves[n++] = all[i];
        all[i] = all[--count];
    }
    return n;
}

static void middle_of(Board *board, const Point *earlier, int count, Rng *rng)
{
    Point other[STARTS_MOVES_MAX];
    int keep = MIDDLE_AFTER + (int)rng_below(rng, (uint32_t)(count - MIDDLE_AFTER - MIDDLE_BEFORE));
    for (int i = 0; i < keep; i++) board_play(board, earlier[i]);
    if (starts_moves(board, rng, other)) board_play(board, other[0]);
}

Start starts_set(Board *board, const Point *earlier, int earlier_count, Rng *rng)
{
    int draw = (int)rng_below(rng, 100);
    board_reset(board);
    if (draw < EMPTY_PERCENT) return START_EMPTY;
    draw -= EMPTY_PERCENT;
    if (draw < MIDDLE_PERCENT && earlier_count > MIDDLE_AFTER + MIDDLE_BEFORE) {
        middle_of(board, earlier, earlier_count, rng);
        return START_MIDDLE;
    }
    random_stones(board, 1 + (int)rng_below(rng, STARTS_STONES_MAX), rng);
    return draw < MIDDLE_PERCENT + BALANCED_PERCENT ? START_BALANCED : START_RANDOM;
}
