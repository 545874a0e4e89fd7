/* SPDX-License-Identifier: MIT */
#include "search/moves.h"

#include "game/ban.h"

#include <assert.h>

/* The weakest class that surely wins against anything but a five. Where enclosed rows are dead, a
 * block of one four can enclose the other: there two fours prove nothing. */
static Class winning_four(const Board *board)
{
    return board->rules.side[BLACK].enclosed_dead ? CLASS_OPEN_FOUR : CLASS_DOUBLE_FOUR;
}

static bool has_winning_four(const Board *board, Colour colour)
{
    const uint16_t *count = board->count[colour];
    return count[CLASS_OPEN_FOUR] || count[winning_four(board)];
}

Threat moves_threat(const Board *board)
{
    Colour us = board->side, them = colour_other(us);
    if (board->count[us][CLASS_FIVE]) return THREAT_WE_FIVE;
    if (board->count[them][CLASS_FIVE]) return THREAT_THEY_FIVE;
    if (has_winning_four(board, us)) return THREAT_WE_FOUR;
    return has_winning_four(board, them) ? THREAT_THEY_FOUR : THREAT_NONE;
}

/* The direction and distance from `from` to `to` if they lie on one line within reach. */
static bool on_line(const Board *board, Point from, Point to, int *dir, int *distance)
{
    const Site *a = &board->grid->site[from], *b = &board->grid->site[to];
    int dx = b->x - a->x, dy = b->y - a->y;
    if (dy == 0)
        *dir = 0, *distance = dx;
    else if (dx == 0)
        *dir = 1, *distance = dy;
    else if (dx == dy)
        *dir = 2, *distance = dy;
    else if (dx == -dy)
        *dir = 3, *distance = dy;
    else
        return false;
    return *distance >= -board->rules.k && *distance <= board->rules.k;
}

Class moves_class_after(const Board *board, Point point, Colour colour, Point stone)
{
    int dir, distance, k = board->rules.k;
    if (!on_line(board, point, stone, &dir, &distance)) return board_class(board, point, colour);
    if (!board->key) return CLASS_NONE; /* no table to ask: count it as a defence */
    /* The stone lies at +distance from the point: the weight of a neighbour at −distance. */
    uint32_t key =
        board_key(board, point, dir) + board->line->weight[colour_other(colour)][k - distance];
    unsigned shape = board->line->shape[key] >> 4 * colour & 15;
    unsigned code = board->code[point] >> 16 * colour & 0xffff;
    code = (code & ~(15u << 4 * dir)) | shape << 4 * dir;
    return (Class)board->line->class_of[colour][code];
}

/* Does our stone at p leave them none of these points as strong as `level`? */
static bool takes_away(const Board *board, Point p, Colour them, const Point *points, int count,
                       Class level)
{
    for (int i = 0; i < count; i++)
        if (points[i] != p && moves_class_after(board, points[i], them, p) >= level) return false;
    return true;
}

static int add_legal(const Board *board, Point p, Point *points, int n)
{
    for (int i = 0; i < n; i++)
        if (points[i] == p) return n;
    if (!ban_allows(board, p, board->side)) return n;
    points[n] = p;
    return n + 1;
}

enum { WINNERS_MAX = 64 }; /* more points than this cannot all be met: a few show it */

/* Every legal move that takes away all points where they would reach `level`. */
static int list_defences(const Board *board, Class level, Class most, Point *points)
{
    Colour them = colour_other(board->side);
    Point winners[WINNERS_MAX];
    int count = board_find(board, them, level, most, winners, WINNERS_MAX), n = 0;
    if (!count) return 0;
    /* Whatever defends must touch the first of them. */
    Point first = winners[0];
    if (takes_away(board, first, them, winners, count, level))
        n = add_legal(board, first, points, n);
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        if (board_shape(board, first, them, dir) < SHAPE_FOUR) continue;
        for (int sense = -1; sense <= 1; sense += 2) {
            int step = sense * board->grid->step[dir];
            for (int i = 1; i <= board->line->reach; i++) {
                Point p = (Point)(first + i * step);
                if (board->cell[p] == CELL_WALL) break;
                if (board->cell[p] == CELL_EMPTY &&
                    takes_away(board, p, them, winners, count, level))
                    n = add_legal(board, p, points, n);
            }
        }
    }
    return n;
}

/* What looks foul but is not, and would be at least `from`. */
static bool is_hidden(const Board *board, Point p, Class from)
{
    unsigned code = board->code[p] & 0xffff;
    return line_class(code, false) >= from && ban_at(board, p) == BAN_NONE;
}

/* Our legal moves of at least a class. */
static int list_legal(const Board *board, Class from, Point *points)
{
    int room = board->rules.width * board->rules.height;
    if (from == CLASS_NONE) {
        int all = board_candidates(board, points), n = 0;
        if (!board->count[BLACK][CLASS_FOUL] || board->side == WHITE) return all;
        for (int i = 0; i < all; i++)
            if (ban_allows(board, points[i], board->side)) points[n++] = points[i];
        return n;
    }
    int n = board_find(board, board->side, from, CLASS_FIVE, points, room);
    if (!board->count[board->side][CLASS_FOUL]) return n;
    int suspects = board_find(board, board->side, CLASS_FOUL, CLASS_FOUL, points + n, room - n);
    for (int i = 0, first = n; i < suspects; i++)
        if (is_hidden(board, points[first + i], from)) points[n++] = points[first + i];
    return n;
}

static int list_fours_and_defences(const Board *board, Point *points)
{
    Point defences[4 * 2 * WIN_MAX + 1];
    int n = list_legal(board, CLASS_FOUR, points);
    int count = list_defences(board, winning_four(board), CLASS_OPEN_FOUR, defences);
    for (int i = 0; i < count; i++) n = add_legal(board, defences[i], points, n);
    return n;
}

int moves_list(const Board *board, Threat threat, Point *points)
{
    switch (threat) {
    case THREAT_WE_FIVE:
        return list_legal(board, CLASS_FIVE, points);
    case THREAT_THEY_FIVE:
        return list_defences(board, CLASS_FIVE, CLASS_FIVE, points);
    case THREAT_WE_FOUR:
        return list_legal(board, winning_four(board), points);
    case THREAT_THEY_FOUR:
        return list_fours_and_defences(board, points);
    default:
        return list_legal(board, CLASS_NONE, points);
    }
}
