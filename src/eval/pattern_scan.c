/* SPDX-License-Identifier: MIT */
/* Patterns of a board, the plain way: see pattern_scan.h. */
#include "eval/pattern_scan.h"

#include "base/mem.h"

int pattern_row(const Board *board, Colour colour, Point start, int dir)
{
    int step = board->grid->step[dir], stones = 0;
    for (int i = 0; i < board->rules.k; i++) {
        Cell cell = board->cell[start + i * step];
        if (cell != CELL_EMPTY && cell != (Cell)(colour + 1)) return -1;
        stones += cell != CELL_EMPTY;
    }
    return stones;
}

static PatternPlace place_of(const Board *board, Point start, int dir, int len)
{
    unsigned stones = 0;
    for (int i = 0; i < len; i++)
        stones |= (unsigned)(board->cell[start + i * board->grid->step[dir]] != CELL_EMPTY) << i;
    return (PatternPlace){start, dir, pattern_line(stones, len)};
}

int pattern_extend(const Board *board, Point start, int dir, PatternPlace out[2])
{
    int k = board->rules.k, step = board->grid->step[dir], count = 0;
    Point before = (Point)(start - step), after = (Point)(start + k * step);
    Point last = (Point)(after - step);
    if (board_is_empty(board, last) && board_is_empty(board, before))
        out[count++] = place_of(board, before, dir, k + 1);
    if (board_is_empty(board, start) && board_is_empty(board, after))
        out[count++] = place_of(board, start, dir, k + 1);
    if (count == 0) out[count++] = place_of(board, start, dir, k);
    return count;
}

/* Which cell of the line is p? −1: none. */
static int cell_of(const Board *board, const PatternPlace *a, Point p)
{
    for (int i = 0; i < pattern_line_len(a->line); i++)
        if (a->start + i * board->grid->step[a->dir] == p) return i;
    return -1;
}

bool pattern_crossing(const Board *board, const PatternPlace *a, const PatternPlace *b,
                      Pattern *pattern)
{
    for (int i = 0; a->dir != b->dir && i < pattern_line_len(a->line); i++) {
        int j = cell_of(board, b, (Point)(a->start + i * board->grid->step[a->dir]));
        if (j < 0) continue;
        *pattern = pattern_cross(a->line, i, b->line, j);
        return true;
    }
    return false;
}

/* ---- the scan ---- */

typedef struct {
    PatternPlace *items;
    int count, room;
} Places;

static void add_place(Places *places, PatternPlace place)
{
    if (places->count == places->room) {
        places->room = places->room ? 2 * places->room : 64;
        places->items = mem_grow(places->items, (size_t)places->room * sizeof *places->items);
    }
    places->items[places->count++] = place;
}

/* Has another row that shares a point with this one more stones? */
static bool is_outdone(const Board *board, Colour colour, Point start, int dir, int stones)
{
    int k = board->rules.k, step = board->grid->step[dir];
    for (int way = -1; way <= 1; way += 2) {
        for (int i = 1; i < k; i++) {
            Point other = (Point)(start + way * i * step);
            if (board->cell[other] == CELL_WALL) break;
            if (pattern_row(board, colour, other, dir) > stones) return true;
        }
    }
    return false;
}

static void find_lines(const Board *board, Colour colour, Places *places)
{
    const Rules *rules = &board->rules;
    for (int i = 0; i < rules->width * rules->height; i++) {
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            Point start = rules_nth(rules, i);
            int stones = pattern_row(board, colour, start, dir);
            if (stones < 2 || is_outdone(board, colour, start, dir, stones)) continue;
            PatternPlace ways[2];
            int count = pattern_extend(board, start, dir, ways);
            for (int w = 0; w < count; w++) add_place(places, ways[w]);
        }
    }
}

static Pattern fewer_stones_first(Pattern p)
{
    int main = pattern_line_stones(p.main), second = pattern_line_stones(p.second);
    bool after =
        main != second ? main > second : (p.main << 4 | p.main_at) > (p.second << 4 | p.second_at);
    return after ? pattern_swapped(p) : p;
}

/* A row of k and more stones is a win, not a pattern: positions after the end have them. */
static bool is_complete(const PatternPlace *place, int k)
{
    return pattern_line_stones(place->line) >= k;
}

void pattern_scan(const Board *board, Colour colour, PatternBook *found)
{
    Places places = {0};
    bool is_new;
    find_lines(board, colour, &places);
    for (int i = 0; i < places.count; i++) {
        const PatternPlace *a = &places.items[i];
        if (is_complete(a, board->rules.k)) continue;
        Pattern p = pattern_linear(a->line);
        pattern_book_add(found, &p, &is_new);
        for (int j = 0; j < i; j++) {
            const PatternPlace *b = &places.items[j];
            if (is_complete(b, board->rules.k) || !pattern_crossing(board, a, b, &p)) continue;
            p = fewer_stones_first(p);
            pattern_book_add(found, &p, &is_new);
        }
    }
    mem_free(places.items);
}

static int sum_of(const Board *board, const PatternBook *book, Colour colour)
{
    PatternBook found;
    int sum = 0;
    pattern_book_init(&found, board->rules.k);
    pattern_scan(board, colour, &found);
    for (int i = 0; i < found.count; i++) sum += pattern_book_score(book, &found.rows[i].pattern);
    pattern_book_free(&found);
    return sum;
}

int pattern_scan_value(const Board *board, const PatternBook *book, Colour colour)
{
    return sum_of(board, book, colour) - sum_of(board, book, colour_other(colour));
}
