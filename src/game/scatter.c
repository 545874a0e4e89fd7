/* SPDX-License-Identifier: MIT */
#include "game/scatter.h"

#include "game/ban.h"

enum { TRIES = 100 }; /* for each stone */

Area scatter_area(const Rules *rules, int side, bool middle, Rng *rng)
{
    Area area = {0, 0, side, side};
    if (area.width > rules->width) area.width = rules->width;
    if (area.height > rules->height) area.height = rules->height;
    int free_x = rules->width - area.width, free_y = rules->height - area.height;
    area.x = middle ? free_x / 2 : (int)rng_below(rng, (uint32_t)free_x + 1);
    area.y = middle ? free_y / 2 : (int)rng_below(rng, (uint32_t)free_y + 1);
    return area;
}

static bool put_one(Board *board, Area area, Rng *rng)
{
    for (int tries = 0; tries < TRIES; tries++) {
        int x = area.x + (int)rng_below(rng, (uint32_t)area.width);
        int y = area.y + (int)rng_below(rng, (uint32_t)area.height);
        Point p = rules_point(&board->rules, x, y);
        if (!ban_allows(board, p, board->side)) continue;
        board_play(board, p);
        if (!board_is_over(board)) return true;
        board_undo(board);
    }
    return false;
}

int scatter_stones(Board *board, Area area, int count, Rng *rng, Point *stones)
{
    int put = 0;
    while (board->stones < count && put_one(board, area, rng)) {
        if (stones) stones[put] = board_last_point(board);
        put++;
    }
    return put;
}
