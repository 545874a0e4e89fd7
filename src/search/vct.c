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

/* How many points of the row of k from p on are empty; −1 if the colour cannot have it. */
static int row_missing(const Board *board, Point p, int dir, Colour colour)
{
    int missing = 0, step = board->grid->step[dir];
    for (int i = 0; i < board->rules.k; i++) {
        int cell = board->cell[p + i * step];
        if (cell != CELL_EMPTY && cell != (int)colour + 1) return -1;
        missing += cell == CELL_EMPTY;
    }
    return missing;
}

/* What the rows of k points from p on are worth to a colour: 2^-missing each, in units of ONE. */
enum { ONE = 1 << 20 };
static int rows_worth(const Board *board, Point p, Colour colour)
{
    int worth = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int missing = row_missing(board, p, dir, colour);
        if (missing >= 0) worth += ONE >> missing;
    }
    return worth;
}

/* A row of k points, from `first` on, that holds no stone of the defender. */
typedef struct {
    Point first;
    uint8_t dir, missing;
} Row;

enum {
    ROWS_MAX = 256, /* more are not looked at */
    AREA_MAX = (SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX,
};

/* The rows open to a colour, those that miss least first; −1: too many, or one that misses less
 * than two. More rows than empty points are too many: they would hardly all have a pair. */
static int rows_list(const Board *board, Colour colour, Row *rows)
{
    Row found[ROWS_MAX];
    int k = board->rules.k, all = board->rules.width * board->rules.height, n = 0, sorted = 0;
    int most = all - board->stones < ROWS_MAX ? all - board->stones : ROWS_MAX;
    for (int p = 0; p < all; p++) {
        Point first = rules_nth(&board->rules, p);
        if (board->cell[first] == colour_other(colour) + 1) continue;
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            int missing = row_missing(board, first, dir, colour);
            if (missing < 0) continue;
            if (missing < 2 || n == most) return -1;
            found[n++] = (Row){first, (uint8_t)dir, (uint8_t)missing};
        }
    }
    for (int missing = 2; missing <= k; missing++)
        for (int i = 0; i < n; i++)
            if (found[i].missing == missing) rows[sorted++] = found[i];
    return n;
}

/* Gives the row two empty points that no other pair has, as near to each other as there are, since
 * other rows go through both then. True as well if it has a pair already. */
static bool row_pair(const Board *board, Row row, Point *partner)
{
    int k = board->rules.k, step = board->grid->step[row.dir], nearest = k, before = -1, a = 0;
    for (int i = 0; i < k; i++) {
        Point p = (Point)(row.first + i * step);
        if (board->cell[p] != CELL_EMPTY) continue;
        if (partner[p]) {
            int gap = partner[p] - p;
            if (gap > 0 && gap % step == 0 && gap / step < k - i) return true;
            continue;
        }
        if (before >= 0 && i - before < nearest) {
            nearest = i - before;
            a = before;
        }
        before = i;
    }
    if (nearest == k) return false;
    Point p = (Point)(row.first + a * step), q = (Point)(p + nearest * step);
    partner[p] = q;
    partner[q] = p;
    return true;
}

/* Has each row open to the attacker a pair of empty points, all different? Then whenever he takes
 * one of them the defender takes the other (Hales and Jewett 1963). */
static bool rows_are_paired(const Board *board, Colour attacker)
{
    Row rows[ROWS_MAX];
    Point partner[AREA_MAX];
    int n = rows_list(board, attacker, rows);
    if (n < 0) return false;
    memset(partner, 0, (size_t)board->grid->area * sizeof *partner);
    for (int i = 0; i < n; i++)
        if (!row_pair(board, rows[i], partner)) return false;
    return true;
}

bool vct_has_hope(const Board *board, Colour attacker)
{
    int worth = 0, limit = board->side == attacker ? ONE / 2 : ONE;
    if (board->rules.side[colour_other(attacker)].fouls) return true;
    for (int i = 0; i < board->rules.width * board->rules.height && worth < limit; i++)
        worth += rows_worth(board, rules_nth(&board->rules, i), attacker);
    return worth >= limit && !rows_are_paired(board, attacker);
}

/* --- what touches a line --------------------------------------------------------------------- */

enum { SEEN_WORDS = AREA_MAX / 64 + 1 };

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
