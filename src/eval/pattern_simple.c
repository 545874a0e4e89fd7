/* SPDX-License-Identifier: MIT */
/* Simple patterns: see pattern_simple.h. */
#include "eval/pattern_simple.h"

/* What a row of k cells is; bit i of own is a stone in cell i, the others are empty. */
static int row_score(unsigned own, int k)
{
    unsigned run = (1u << (k - 2)) - 1; /* k − 2 stones side by side */
    int stones = __builtin_popcount(own);
    if (stones == k) return SIMPLE_FIVE;
    if (stones == k - 1) return SIMPLE_FOUR;
    if (own == run << 1) return SIMPLE_OPEN_THREE;
    return own == run || own == run << 2 ? SIMPLE_THREE : 0;
}

static int direction_score(const Board *board, Point p, Colour colour, int dir)
{
    int k = board->rules.k, step = board->grid->step[dir], best = 0;
    unsigned own = 1u << (k - 1), row = (1u << k) - 1; /* cells −(k−1) … k−1 around p */
    int from = k - 1, to = from;                       /* cells that the opponent leaves us */
    for (int way = -1; way <= 1; way += 2) {
        for (int i = 1; i < k; i++) {
            Cell cell = board->cell[p + way * i * step];
            if (cell != CELL_EMPTY && cell != (Cell)(colour + 1)) break;
            if (cell != CELL_EMPTY) own |= 1u << (k - 1 + way * i);
            if (way < 0) {
                from--;
            } else {
                to++;
            }
        }
    }
    for (int s = from; s + k - 1 <= to; s++) {
        int score = row_score(own >> s & row, k);
        if (score > best) best = score;
    }
    return best;
}

int pattern_simple(const Board *board, Point p, Colour colour)
{
    int best = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        /* What is no three can be none of them; the board knows, and most points are not. */
        if (board_shape(board, p, colour, dir) < SHAPE_THREE) continue;
        int score = direction_score(board, p, colour, dir);
        if (score > best) best = score;
    }
    return best;
}
