/* SPDX-License-Identifier: MIT */
#include "eval/gaps.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* A row of three counts three times over, once for each of its stones. */
const int gap_score[GAP_COUNT] = {
    [GAP_NOTHING] = 0,           [GAP_DEAD] = 0,
    [GAP_DEAD_ONE] = 2,          [GAP_ONE] = 6,
    [GAP_DEAD_JUMP_TWO] = 6,     [GAP_DEAD_TWO] = 8,
    [GAP_JUMP_TWO] = 30,         [GAP_TWO] = 36,
    [GAP_DEAD_JUMP_THREE] = 40,  [GAP_DEAD_THREE] = 48,
    [GAP_JUMP_THREE] = 240,      [GAP_THREE] = 270,
    [GAP_DEAD_JUMP_FOUR2] = 300, [GAP_DEAD_JUMP_FOUR] = 320,
    [GAP_DEAD_FOUR] = 340,       [GAP_JUMP_FOUR] = 360,
    [GAP_FOUR] = 1800,           [GAP_FIVE] = 20000,
};

static Gap unbroken(int count, int barriers)
{
    static const Gap open[] = {GAP_NOTHING, GAP_ONE, GAP_TWO, GAP_THREE, GAP_FOUR};
    static const Gap dead[] = {GAP_NOTHING, GAP_DEAD_ONE, GAP_DEAD_TWO, GAP_DEAD_THREE,
                               GAP_DEAD_FOUR};
    if (count >= 5) return GAP_FIVE;
    return barriers == 0 ? open[count] : barriers == 1 ? dead[count] : GAP_DEAD;
}

/* 0_0000 */
static Gap broken_at_one(int count, int barriers, bool good)
{
    if (count >= 6) return GAP_FIVE;
    if (barriers == 2) return count >= 4 ? GAP_DEAD_FOUR : GAP_DEAD;
    switch (count) {
    case 5:
        return barriers && good ? GAP_DEAD_FOUR : GAP_FOUR;
    case 4:
        return !barriers ? GAP_JUMP_FOUR : good ? GAP_DEAD_JUMP_FOUR : GAP_THREE;
    case 3:
        return !barriers ? GAP_JUMP_THREE : good ? GAP_DEAD_JUMP_THREE : GAP_TWO;
    default:
        return !barriers ? GAP_JUMP_TWO : GAP_DEAD_JUMP_TWO;
    }
}

/* 00_0000 */
static Gap broken_at_two(int count, int barriers, bool good)
{
    if (count >= 7) return GAP_FIVE;
    if (barriers == 2) return count == 6 ? GAP_DEAD_FOUR : GAP_DEAD_JUMP_FOUR;
    switch (count) {
    case 6:
        return barriers && good ? GAP_DEAD_FOUR : GAP_FOUR;
    case 5:
        return barriers && good ? GAP_DEAD_FOUR : GAP_JUMP_FOUR;
    default:
        return !barriers ? GAP_JUMP_THREE : GAP_DEAD_JUMP_FOUR2;
    }
}

/* 000_0000 */
static Gap broken_at_three(int count, int barriers, bool good)
{
    if (count >= 8) return GAP_FIVE;
    if (barriers == 2) return GAP_DEAD_FOUR;
    if (count == 6) return GAP_JUMP_FOUR;
    return barriers && good ? GAP_JUMP_FOUR : GAP_FOUR;
}

Gap gap_of(int count, int barriers, int gap, bool good_barrier)
{
    int shorter = gap < count - gap ? gap : count - gap;
    switch (gap <= 0 ? 0 : shorter) {
    case 0:
        return unbroken(count, barriers);
    case 1:
        return broken_at_one(count, barriers, good_barrier);
    case 2:
        return broken_at_two(count, barriers, good_barrier);
    case 3:
        return broken_at_three(count, barriers, good_barrier);
    case 4:
        return count >= 9 ? GAP_FIVE : barriers == 2 ? GAP_DEAD_FOUR : GAP_FOUR;
    default:
        return GAP_NOTHING;
    }
}

/* One way along a line from a stone. */
typedef struct {
    int near, far; /* stones before and behind the gap */
    bool barrier;
} Arm;

static Arm follow(const uint8_t *cell, int p, int step, Cell own, bool may_jump)
{
    Arm arm = {0};
    for (;;) {
        p += step;
        if (cell[p] == own) {
            arm.near++;
        } else if (cell[p] != CELL_EMPTY) {
            arm.barrier = true;
            return arm;
        } else if (!may_jump || cell[p + step] != own) {
            return arm;
        } else {
            break;
        }
    }
    Arm behind = follow(cell, p, step, own, false);
    arm.far = behind.near;
    arm.barrier = behind.barrier;
    return arm;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

Gap gap_at(const Board *board, Point p, int dir, Colour colour)
{
    Cell own = (Cell)(colour + CELL_BLACK);
    int step = board->grid->step[dir], k = board->rules.k;
    Arm ahead = follow(board->cell, p, step, own, true);
    Arm behind = follow(board->cell, p, -step, own, !ahead.far);
    /* Two parts, the second behind the gap; the barrier that counts is that of the longer one. */
    int far = ahead.far + behind.far, near = 1 + ahead.near + behind.near;
    int barriers = ahead.barrier + behind.barrier;
    bool far_barrier = ahead.far ? ahead.barrier : behind.barrier;
    bool near_barrier = ahead.far ? behind.barrier : ahead.barrier;
    bool good = far > near ? far_barrier : near_barrier;
    if (larger(near, far) > k && board->rules.side[colour].overline != OVERLINE_WINS)
        return GAP_DEAD;
    int *longer = far > near ? &far : &near;
    *longer = larger(*longer + 5 - k, 1);
    if (near + far > 9) return near >= 5 || far >= 5 ? GAP_FIVE : GAP_NOTHING;
    return gap_of(near + far, barriers, far, good);
}

int gap_point(const Board *board, Point p, Colour colour)
{
    int sum = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++) sum += gap_score[gap_at(board, p, dir, colour)];
    return sum;
}

/* ---- the sums ---- */

typedef struct {
    int32_t of[COLOUR_COUNT];
} Sum;

typedef struct {
    Sum line[DIR_COUNT];
} Before; /* of the four lines that a stone changed */

struct Gaps {
    int lines; /* of a direction, at most */
    Sum total;
    Sum *line[DIR_COUNT];
    Before *stack; /* one for each stone there is room for */
    int depth;
};

Gaps *gaps_open(const Rules *rules)
{
    Gaps *gaps = mem_zero(sizeof *gaps);
    gaps->lines = rules->width + rules->height;
    for (int dir = 0; dir < DIR_COUNT; dir++)
        gaps->line[dir] = mem_zero((size_t)gaps->lines * sizeof(Sum));
    gaps->stack = mem_alloc((size_t)(rules->width * rules->height) * sizeof *gaps->stack);
    return gaps;
}

void gaps_close(Gaps *gaps)
{
    if (!gaps) return;
    for (int dir = 0; dir < DIR_COUNT; dir++) mem_free(gaps->line[dir]);
    mem_free(gaps->stack);
    mem_free(gaps);
}

static int line_of(const Board *board, Point p, int dir)
{
    const Site *site = &board->grid->site[p];
    const int line[DIR_COUNT] = {site->y, site->x, site->x - site->y + board->rules.height - 1,
                                 site->x + site->y};
    return line[dir];
}

/* Over the whole line that p lies on. */
static Sum line_sum(const Board *board, Point p, int dir)
{
    int step = board->grid->step[dir], at = p;
    Sum sum = {{0, 0}};
    while (board->cell[at - step] != CELL_WALL) at -= step;
    for (; board->cell[at] != CELL_WALL; at += step) {
        if (board->cell[at] == CELL_EMPTY) continue;
        Colour colour = (Colour)(board->cell[at] - CELL_BLACK);
        sum.of[colour] += gap_score[gap_at(board, (Point)at, dir, colour)];
    }
    return sum;
}

static void change(Gaps *gaps, int dir, int line, Sum sum)
{
    for (int c = 0; c < COLOUR_COUNT; c++)
        gaps->total.of[c] += sum.of[c] - gaps->line[dir][line].of[c];
    gaps->line[dir][line] = sum;
}

void gaps_reset(Gaps *gaps, const Board *board)
{
    const Rules *rules = &board->rules;
    gaps->depth = 0;
    gaps->total = (Sum){{0, 0}};
    for (int dir = 0; dir < DIR_COUNT; dir++)
        memset(gaps->line[dir], 0, (size_t)gaps->lines * sizeof(Sum));
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (board_is_empty(board, p)) continue;
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            Colour colour = (Colour)(board->cell[p] - CELL_BLACK);
            int score = gap_score[gap_at(board, p, dir, colour)];
            gaps->line[dir][line_of(board, p, dir)].of[colour] += score;
            gaps->total.of[colour] += score;
        }
    }
}

void gaps_push(Gaps *gaps, const Board *board)
{
    Point p = board_last_point(board);
    Before *before = &gaps->stack[gaps->depth++];
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int line = line_of(board, p, dir);
        before->line[dir] = gaps->line[dir][line];
        change(gaps, dir, line, line_sum(board, p, dir));
    }
}

void gaps_pop(Gaps *gaps, const Board *board)
{
    assert(gaps->depth > 0);
    const Before *before = &gaps->stack[--gaps->depth];
    for (int dir = 0; dir < DIR_COUNT; dir++)
        change(gaps, dir, line_of(board, board_last_point(board), dir), before->line[dir]);
}

int gaps_sum(const Gaps *gaps, Colour colour)
{
    return gaps->total.of[colour];
}
