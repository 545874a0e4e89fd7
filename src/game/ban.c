/* SPDX-License-Identifier: MIT */
/* The board's classes already say which points look foul (CLASS_FOUL); only double threes can be
 * deceptive. To look into one, black stones are added in thought: each supposed stone changes the
 * key of a window by one addition, so the shapes of a point under suppositions are a few look-ups
 * and the board itself is never touched. */
#include "game/ban.h"

#include <assert.h>
#include <stddef.h>

/* Black stones supposed to be on the board, newest first. */
typedef struct Suppose {
    const struct Suppose *older;
    Point p;
} Suppose;

/* A look into one point. On a large board full of threes, and wherever three in a row win, one
 * suspicion leads to another almost without end: after LOOKS_MAX points whatever looks like a
 * three is one. Games need two dozen at most. */
typedef struct {
    const Board *board;
    int left; /* points that may still be looked into */
} Look;

enum { LOOKS_MAX = 500 };

static bool supposed(const Suppose *stones, Point p)
{
    for (; stones; stones = stones->older)
        if (stones->p == p) return true;
    return false;
}

static bool is_black(const Board *board, const Suppose *stones, Point p)
{
    return board->cell[p] == CELL_BLACK || supposed(stones, p);
}

/* Black's shape at p in a direction, by the table. */
static Shape shape_by_key(const Board *board, const Suppose *stones, Point p, int dir)
{
    int k = board->rules.k, step = board->grid->step[dir];
    uint32_t key = board_key(board, p, dir);
    for (; stones; stones = stones->older) {
        int gap = p - stones->p;
        if (gap % step == 0 && gap / step >= -k && gap / step <= k)
            key += board->line->weight[BLACK][k + gap / step];
    }
    assert(key < board->line->keys);
    return (Shape)(board->line->shape[key] & 15);
}

/* The same by looking at the cells, where there is no table. */
static Shape shape_by_scan(const Board *board, const Suppose *stones, Point p, int dir)
{
    int k = board->rules.k, step = board->grid->step[dir];
    Window w = {0};
    for (int sense = -1; sense <= 1; sense += 2) {
        bool wall = false;
        for (int i = 1; i <= k; i++) {
            uint32_t bit = 1u << (k + sense * i);
            Point q = (Point)(p + sense * i * step);
            wall = wall || board->cell[q] == CELL_WALL;
            if (wall)
                w.wall |= bit;
            else if (is_black(board, stones, q))
                w.own |= bit;
            else if (board->cell[q] == CELL_WHITE)
                w.opp |= bit;
        }
    }
    return line_shape(&board->rules.side[BLACK], k, w);
}

static Shape shape_supposing(const Board *board, const Suppose *stones, Point p, int dir)
{
    if (!stones) return board_shape(board, p, BLACK, dir);
    return board->key ? shape_by_key(board, stones, p, dir) : shape_by_scan(board, stones, p, dir);
}

static Ban ban_supposing(Look *look, const Suppose *stones, Point p);

/* Can Black, after playing p, turn the three in this direction into a straight four at q? */
static bool makes_straight_four(Look *look, const Suppose *stones, Point q, int dir)
{
    const Board *board = look->board;
    if (shape_supposing(board, stones, q, dir) != SHAPE_OPEN_FOUR) return false;
    for (int other = 0; other < DIR_COUNT; other++)
        if (other != dir && shape_supposing(board, stones, q, other) == SHAPE_FIVE) return false;
    return ban_supposing(look, stones, q) == BAN_NONE;
}

/* A straight four is unbroken, so with p in it the fourth stone is next to p's own row: there are
 * two points to try. */
static bool three_is_real(Look *look, const Suppose *stones, Point p, int dir)
{
    const Board *board = look->board;
    Suppose with_p = {stones, p};
    for (int sense = -1; sense <= 1; sense += 2) {
        int step = sense * board->grid->step[dir];
        int q = p + step;
        while (is_black(board, stones, (Point)q)) q += step;
        if (board->cell[q] == CELL_EMPTY && makes_straight_four(look, &with_p, (Point)q, dir))
            return true;
    }
    return false;
}

static Ban ban_supposing(Look *look, const Suppose *stones, Point p)
{
    const Board *board = look->board;
    int fours = 0, threes = 0, overlines = 0;
    bool three_at[DIR_COUNT] = {false};
    look->left--;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        switch (shape_supposing(board, stones, p, dir)) {
        case SHAPE_FIVE:
            return BAN_NONE;
        case SHAPE_OVERLINE:
            overlines++;
            break;
        case SHAPE_DOUBLE_FOUR:
            fours += 2;
            break;
        case SHAPE_FOUR:
        case SHAPE_OPEN_FOUR:
            fours++;
            break;
        case SHAPE_OPEN_THREE:
        case SHAPE_OPEN_THREE_TWIN:
            threes++, three_at[dir] = true;
            break;
        default:
            break;
        }
    }
    if (fours >= 2) return BAN_DOUBLE_FOUR;
    if (threes >= 2) {
        int real = 0;
        for (int dir = 0; dir < DIR_COUNT && real < 2; dir++)
            real += three_at[dir] && (look->left <= 0 || three_is_real(look, stones, p, dir));
        if (real >= 2) return BAN_DOUBLE_THREE;
    }
    return overlines ? BAN_OVERLINE : BAN_NONE;
}

Ban ban_at(const Board *board, Point p)
{
    assert(board_is_empty(board, p));
    if (board_class(board, p, BLACK) != CLASS_FOUL) return BAN_NONE;
    Look look = {board, LOOKS_MAX};
    return ban_supposing(&look, NULL, p);
}

Ban ban_of_last(const Board *board)
{
    const Ply *last = board_last(board);
    if (!last || !last->point || last->colour != BLACK || !board->rules.side[BLACK].fouls)
        return BAN_NONE;
    Board *before = board_clone(board);
    board_undo(before);
    Ban ban = ban_at(before, last->point);
    board_close(before);
    return ban;
}

bool ban_allows(const Board *board, Point p, Colour colour)
{
    return board_is_empty(board, p) && (colour == WHITE || ban_at(board, p) == BAN_NONE);
}

int ban_list(const Board *board, Point *points)
{
    int n = 0;
    if (!board->count[BLACK][CLASS_FOUL]) return 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p) && ban_at(board, p) != BAN_NONE) points[n++] = p;
    }
    return n;
}

const char *ban_name(Ban ban)
{
    static const char *const names[BAN_COUNT] = {"", "double four", "double three", "overline"};
    return names[ban];
}

const char *ban_short(Ban ban)
{
    static const char *const names[BAN_COUNT] = {"", "44", "33", "6"};
    return names[ban];
}
