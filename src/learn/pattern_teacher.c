/* SPDX-License-Identifier: MIT */
/* The teacher of patterns: see pattern_teacher.h. */
#include "learn/pattern_teacher.h"

typedef struct {
    Point start;
    int dir;
} Row;

/* The k points, through the last move, of the row that won. */
static Row winning_row(const Board *board)
{
    Point points[SIZE_MAX_SIDE], last = board_last_point(board);
    int k = board->rules.k, place = 0;
    Row row = {.dir = 0};
    board_winning_row(board, last, points);
    while (points[place] != last) place++;
    while (board->grid->step[row.dir] != points[1] - points[0]) row.dir++;
    row.start = points[place - (k - 1) > 0 ? place - (k - 1) : 0];
    return row;
}

/* The best row through one of the winning row's points; false: none is good enough. */
static bool find_crossing(const Board *board, Colour colour, Row winning, int stones, Row *crossing)
{
    int k = board->rules.k, best = stones > 2 ? stones - 1 : 1;
    bool found = false;
    for (int i = 0; i < k; i++) {
        Point p = (Point)(winning.start + i * board->grid->step[winning.dir]);
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            int step = board->grid->step[dir];
            for (int j = k - 1; j >= 0 && dir != winning.dir; j--) {
                Point start = (Point)(p - j * step);
                int count = pattern_row(board, colour, start, dir);
                if (count <= best || count >= k) continue; /* an overline may be nothing */
                best = count;
                *crossing = (Row){start, dir};
                found = true;
            }
        }
    }
    return found;
}

static void teach_step(const Board *board, Row winning, const Row *crossing, PatternTaught *taught,
                       void *ctx)
{
    PatternPlace main[2], second[2];
    Pattern said[4];
    int count = 0, main_count = pattern_extend(board, winning.start, winning.dir, main);
    int second_count = crossing ? pattern_extend(board, crossing->start, crossing->dir, second) : 0;
    for (int i = 0; i < main_count; i++) {
        if (!crossing) said[count++] = pattern_linear(main[i].line);
        for (int j = 0; j < second_count; j++)
            if (pattern_crossing(board, &main[i], &second[j], &said[count])) count++;
    }
    for (int i = 0; i < count; i++) {
        bool twice = false;
        for (int j = 0; j < i; j++) twice |= pattern_equal(&said[i], &said[j]);
        if (!twice) taught(ctx, &said[i]);
    }
}

void pattern_teach(Board *board, PatternTaught *taught, void *ctx)
{
    Colour winner = colour_other(board->side);
    Row winning = winning_row(board), crossing = {0};
    bool crossed = false;
    while (board->plies >= 2) {
        board_undo(board);
        board_undo(board);
        int stones = pattern_row(board, winner, winning.start, winning.dir);
        if (stones < 2) break;
        if (crossed) crossed = pattern_row(board, winner, crossing.start, crossing.dir) >= 2;
        if (!crossed) crossed = find_crossing(board, winner, winning, stones, &crossing);
        teach_step(board, winning, crossed ? &crossing : NULL, taught, ctx);
    }
}
