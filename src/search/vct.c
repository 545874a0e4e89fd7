/* SPDX-License-Identifier: MIT */
#include "search/vct.h"

#include "game/ban.h"

#include <string.h>

/* --- moves ----------------------------------------------------------------------------------- */

int vct_legal(const Board *board, Point *moves)
{
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (ban_allows(board, p, board->side)) moves[n++] = p;
    }
    return n;
}

void vct_sort(const Board *board, Point *moves, int n)
{
    Colour own = board->side, other = colour_other(own);
    for (int i = 1; i < n; i++) {
        Point p = moves[i];
        unsigned value = 3u * board_class(board, p, own) + 2u * board_class(board, p, other);
        int at = i;
        for (; at > 0; at--) {
            Point q = moves[at - 1];
            if (3u * board_class(board, q, own) + 2u * board_class(board, q, other) >= value) break;
            moves[at] = q;
        }
        moves[at] = p;
    }
}

bool vct_makes_four(const Board *board, Point p, Colour colour)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        Shape shape = board_shape(board, p, colour, dir);
        if (shape >= SHAPE_FOUR && shape <= SHAPE_FIVE) return true;
    }
    return false;
}

/* What the rows of k points from p on are worth to a colour: 2^-missing each, in units of ONE. */
enum { ONE = 1 << 20 };
static int rows_worth(const Board *board, Point p, Colour colour)
{
    int worth = 0, k = board->rules.k;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int missing = 0, i = 0;
        for (; i < k; i++) {
            int cell = board->cell[p + i * board->grid->step[dir]];
            if (cell != CELL_EMPTY && cell != (int)colour + 1) break;
            missing += cell == CELL_EMPTY;
        }
        if (i == k) worth += ONE >> missing;
    }
    return worth;
}

bool vct_has_hope(const Board *board, Colour attacker)
{
    int worth = 0, limit = board->side == attacker ? ONE / 2 : ONE;
    if (board->rules.side[colour_other(attacker)].fouls) return true;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        worth += rows_worth(board, rules_nth(&board->rules, i), attacker);
        if (worth >= limit) return true;
    }
    return false;
}

/* --- what touches a line --------------------------------------------------------------------- */

enum {
    SEEN_WORDS = ((SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX) / 64 + 1
};

/* Points that touch a line, each once. */
typedef struct {
    const Board *board;
    bool all; /* the line depends on too much to say: every move may touch it */
    int count;
    Point *points;
    uint64_t seen[SEEN_WORDS];
} Touch;

static void touch_add(Touch *touch, Point p)
{
    uint64_t bit = 1ull << (p & 63);
    if (touch->board->cell[p] != CELL_EMPTY || (touch->seen[p >> 6] & bit)) return;
    touch->seen[p >> 6] |= bit;
    touch->points[touch->count++] = p;
}

static bool is_enclosing(const Board *board)
{
    return board->rules.side[BLACK].enclosed_dead || board->rules.side[WHITE].enclosed_dead;
}

static void touch_fours(Touch *touch, Colour defender)
{
    Point found[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    const Board *board = touch->board;
    bool fouls = board->rules.side[defender].fouls;
    int room = SIZE_MAX_SIDE * SIZE_MAX_SIDE;
    int n = board_find(board, defender, CLASS_FOUR, CLASS_FIVE, found, room);
    if (fouls) n += board_find(board, defender, CLASS_FOUL, CLASS_FOUL, found + n, room - n);
    for (int i = 0; i < n; i++)
        if (board_class(board, found[i], defender) != CLASS_FOUL ||
            vct_makes_four(board, found[i], defender))
            touch_add(touch, found[i]);
}

/* The points that complete a row now and, where it matters, the ends of those rows. */
static void touch_fives(Touch *touch, Colour attacker)
{
    const Board *board = touch->board;
    Point fives[4 * DIR_COUNT];
    int n = board_find(board, attacker, CLASS_FIVE, CLASS_FIVE, fives, 4 * DIR_COUNT);
    for (int i = 0; i < n; i++) {
        touch_add(touch, fives[i]);
        if (!board->rules.side[attacker].enclosed_dead) continue;
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            if (board_shape(board, fives[i], attacker, dir) != SHAPE_FIVE) continue;
            for (int sense = -1; sense <= 1; sense += 2) {
                int step = sense * board->grid->step[dir], q = fives[i] + step;
                while (board->cell[q] == attacker + 1) q += step;
                touch_add(touch, (Point)q);
            }
        }
    }
}

/* Black may not block at p. What is on its four lines decides fours and overlines; a double three
 * can depend on much more. */
static void touch_forbidden(Touch *touch, Point p)
{
    const Board *board = touch->board;
    if (ban_at(board, p) == BAN_DOUBLE_THREE) {
        touch->all = true;
        return;
    }
    for (int dir = 0; dir < DIR_COUNT; dir++)
        for (int sense = -1; sense <= 1; sense += 2)
            for (int i = 1; i <= board->rules.k; i++) {
                Point q = (Point)(p + sense * i * board->grid->step[dir]);
                if (board->cell[q] == CELL_WALL) break;
                touch_add(touch, q);
            }
}

/* Walks the line on the board (the attacker is to move) and notes what touches it. */
static void touch_line(Touch *touch, Board *board, const Point *line, int plies)
{
    Colour attacker = board->side, defender = colour_other(attacker);
    int played = 0;
    touch_fours(touch, defender);
    for (int i = 0; i + 2 < plies && !touch->all; i += 2) {
        Point replies[VCF_REPLIES_MAX];
        /* A foul that is none: what makes it none can be far away. */
        if (board_class(board, line[i], attacker) == CLASS_FOUL) touch->all = true;
        touch_add(touch, line[i]);
        board_play(board, line[i]);
        played++;
        touch_fives(touch, attacker);
        /* The line shows one of several replies; the win against the others is not known here. */
        if (is_enclosing(board) && vcf_replies(board, replies) > 1) touch->all = true;
        if (line[i + 1] == POINT_NONE) {
            touch_forbidden(touch, line[i + 2]);
            break;
        }
        touch_add(touch, line[i + 1]);
        if (i + 3 >= plies) break;
        board_play(board, line[i + 1]);
        played++;
        touch_fours(touch, defender);
    }
    touch_add(touch, line[plies - 1]);
    while (played--) board_undo(board);
}

bool vct_line_wins(Board *board, const Point *line, int plies)
{
    Colour attacker = board->side, defender = colour_other(attacker);
    int played = 0;
    bool wins = false;
    for (int i = 0; i < plies; i += 2) {
        Point replies[VCF_REPLIES_MAX];
        if (board->count[attacker][CLASS_FIVE]) {
            wins = true;
            break;
        }
        if (i + 2 >= plies || !ban_allows(board, line[i], attacker)) break;
        board_play(board, line[i]);
        played++;
        if (board->count[defender][CLASS_FIVE] || !board->count[attacker][CLASS_FIVE]) break;
        int n = vcf_replies(board, replies);
        if (!n) {
            wins = true;
            break;
        }
        if (n > 1 || replies[0] != line[i + 1]) break;
        board_play(board, line[i + 1]);
        played++;
    }
    while (played--) board_undo(board);
    return wins;
}

int vct_defences(Board *board, const VcfResult *win, Point *moves)
{
    Colour defender = board->side;
    Touch touch;
    touch.board = board;
    touch.all = false;
    touch.count = 0;
    touch.points = moves;
    memset(touch.seen, 0, (size_t)(board->grid->area / 64 + 1) * sizeof *touch.seen);
    board_pass(board);
    touch_line(&touch, board, win->line, win->plies);
    board_undo(board);
    if (touch.all)
        for (int i = 0; i < board->rules.width * board->rules.height; i++)
            touch_add(&touch, rules_nth(&board->rules, i));
    int kept = 0;
    for (int i = 0; i < touch.count; i++) {
        Point p = moves[i];
        if (!ban_allows(board, p, defender)) continue;
        board_play(board, p);
        bool loses = vct_line_wins(board, win->line, win->plies);
        board_undo(board);
        if (!loses) moves[kept++] = p;
    }
    return kept;
}
