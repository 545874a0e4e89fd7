/* SPDX-License-Identifier: MIT */
#include "eval/stance.h"

#include "base/mem.h"

#include <assert.h>

void stance_open(Stance *stance, const Rules *rules)
{
    size_t points = (size_t)rules->width * (size_t)rules->height;
    *stance = (Stance){.stack = mem_alloc(points * sizeof *stance->stack)};
}

void stance_close(Stance *stance)
{
    mem_free(stance->stack);
    *stance = (Stance){0};
}

/* Without a table (k > LINE_WIN_MAX); the cell at `without` reads as empty. */
static Shape shape_by_scan(const Board *board, Point p, int dir, Point without)
{
    int k = board->rules.k, step = board->grid->step[dir];
    Colour colour = (Colour)(board->cell[p] - CELL_BLACK);
    Window window = {0};
    for (int sense = -1; sense <= 1; sense += 2) {
        bool outside = false;
        for (int i = 1; i <= k; i++) {
            int at = p + sense * i * step;
            uint32_t bit = 1u << (k + sense * i);
            outside = outside || board->cell[at] == CELL_WALL;
            if (outside)
                window.wall |= bit;
            else if (board->cell[at] == board->cell[p] && at != without)
                window.own |= bit;
            else if (board->cell[at] != CELL_EMPTY && at != without)
                window.opp |= bit;
        }
    }
    return line_shape(&board->rules.side[colour], k, window);
}

static Shape shape_by_key(const Board *board, uint32_t key, Colour colour)
{
    key -= board->line->keys * (colour + 1u);
    return (Shape)(board->line->shape[key] >> 4 * colour & 15);
}

Shape stance_shape(const Board *board, Point p, int dir)
{
    if (!board->key) return shape_by_scan(board, p, dir, POINT_NONE);
    return shape_by_key(board, board_key(board, p, dir), (Colour)(board->cell[p] - CELL_BLACK));
}

void stance_reset(Stance *stance, const Board *board)
{
    const Rules *rules = &board->rules;
    stance->now = (StanceCounts){0};
    stance->depth = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (board_is_empty(board, p)) continue;
        for (int dir = 0; dir < DIR_COUNT; dir++)
            stance->now.count[board->cell[p] - CELL_BLACK][stance_shape(board, p, dir)]++;
    }
}

/* The stone at p, `distance` from the newest one in a direction: out with what it was part of. */
static void renew(Stance *stance, const Board *board, Point p, int dir, int distance, Point newest)
{
    Colour colour = (Colour)(board->cell[p] - CELL_BLACK);
    Shape before;
    if (board->key) {
        const uint32_t *weight = board->line->weight[board->cell[newest] - CELL_BLACK];
        before = shape_by_key(board, board_key(board, p, dir) - weight[board->rules.k + distance],
                              colour);
    } else {
        before = shape_by_scan(board, p, dir, newest);
    }
    stance->now.count[colour][before]--;
    stance->now.count[colour][stance_shape(board, p, dir)]++;
}

void stance_push(Stance *stance, const Board *board)
{
    Point newest = board_last_point(board);
    Colour colour = (Colour)(board->cell[newest] - CELL_BLACK);
    stance->stack[stance->depth++] = stance->now;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int step = board->grid->step[dir];
        stance->now.count[colour][stance_shape(board, newest, dir)]++;
        for (int sense = -1; sense <= 1; sense += 2) {
            for (int i = 1; i <= board->rules.k; i++) {
                Point p = (Point)(newest + sense * i * step);
                if (board->cell[p] == CELL_WALL) break;
                if (board->cell[p] != CELL_EMPTY) renew(stance, board, p, dir, sense * i, newest);
            }
        }
    }
}

void stance_pop(Stance *stance)
{
    assert(stance->depth > 0);
    stance->now = stance->stack[--stance->depth];
}
