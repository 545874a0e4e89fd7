/* SPDX-License-Identifier: MIT */
#include "learn/starts.h"

#include "game/ban.h"
#include "game/scatter.h"

enum {
    EMPTY_PERCENT = 3,
    MIDDLE_PERCENT = 15,
    BALANCED_PERCENT = 60, /* the rest is START_RANDOM */
    MIDDLE_AFTER = 4,      /* stones that an earlier game keeps at least */
    MIDDLE_BEFORE = 5,     /* and plies that it loses: its end was decided */
};

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
    int side = 3 + (int)rng_below(rng, 5), count = 1 + (int)rng_below(rng, STARTS_STONES_MAX);
    Area area = scatter_area(&board->rules, side, rng_below(rng, 3) > 0, rng);
    scatter_stones(board, area, count, rng, NULL);
    return draw < MIDDLE_PERCENT + BALANCED_PERCENT ? START_BALANCED : START_RANDOM;
}
