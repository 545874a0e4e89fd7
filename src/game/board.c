/* SPDX-License-Identifier: MIT */
#include "game/board.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* --- layout ---------------------------------------------------------------------------------- */

enum { BLOCK_ALIGN = 64 };

static size_t aligned(size_t bytes)
{
    return (bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
}

static int rows_in_set(const Rules *rules)
{
    return rules->height + 2 * NEAR_REACH;
}

static int saved_rows(const Board *board)
{
    return board->near == NEAR_ALL ? 0 : 2 * NEAR_REACH + 1;
}

/* Points the fields into the block that the board itself heads. Returns the offset of the stack. */
static size_t board_link(Board *board)
{
    size_t area = (size_t)board->grid->area;
    size_t words = (size_t)(rows_in_set(&board->rules) * board->row_words);
    char *base = (char *)board;
    size_t at = aligned(sizeof *board);
    board->code = (uint32_t *)(base + at), at = aligned(at + area * sizeof *board->code);
    board->cell = (uint8_t *)(base + at), at = aligned(at + area);
    board->class = (ClassPair *)(base + at), at = aligned(at + area * sizeof *board->class);
    board->near_bits = (uint64_t *)(base + at), at = aligned(at + words * sizeof(uint64_t));
    board->empty_bits = (uint64_t *)(base + at), at = aligned(at + words * sizeof(uint64_t));
    board->key = NULL;
    if (board->line->shape) {
        board->key = (uint32_t *)(base + at);
        at = aligned(at + (size_t)board->grid->plane * DIR_COUNT * sizeof *board->key);
    }
    return at;
}

static size_t ply_bytes(const Board *board, size_t changes)
{
    size_t saved = (size_t)(saved_rows(board) * board->row_words) * sizeof(uint64_t);
    return sizeof(Ply) + changes * sizeof(Change) + saved;
}

Board *board_open(const Rules *rules, Near near)
{
    Board head = {.rules = *rules, .near = near};
    head.grid = grid_get(rules);
    head.line = line_table(rules);
    head.row_words = (rules->width + 2 * NEAR_REACH + 63) / 64;
    size_t points = (size_t)(rules->width * rules->height);
    size_t most = (size_t)(DIR_COUNT * 2 * head.line->reach + 1);
    if (most > points) most = points;
    /* Room for every stone, and a pass after each. */
    size_t stack = points * (ply_bytes(&head, most) + ply_bytes(&head, 0)) + ply_bytes(&head, most);
    head.size = aligned(board_link(&head) + stack);
    Board *board = mem_lines(head.size);
    *board = head;
    board_link(board);
    board_reset(board);
    return board;
}

void board_close(Board *board)
{
    mem_free(board);
}

void board_copy(Board *to, const Board *from)
{
    assert(to->size == from->size && rules_equal(&to->rules, &from->rules));
    memcpy(to, from, from->end);
    board_link(to);
}

Board *board_clone(const Board *board)
{
    Board *copy = mem_lines(board->size);
    memcpy(copy, board, board->end);
    board_link(copy);
    return copy;
}

/* --- shapes without a table (k > 7) ---------------------------------------------------------- */

static uint8_t shapes_by_scan(const Board *board, Point p, int dir)
{
    int k = board->rules.k, step = board->grid->step[dir];
    uint32_t stones[COLOUR_COUNT] = {0}, wall = 0;
    const Site *site = &board->grid->site[p];
    int dx[DIR_COUNT] = {1, 0, 1, -1}, dy[DIR_COUNT] = {0, 1, 1, 1};
    for (int i = -k; i <= k; i++) {
        uint32_t bit = 1u << (i + k);
        if (!i) continue;
        if (!rules_inside(&board->rules, site->x + i * dx[dir], site->y + i * dy[dir])) {
            wall |= bit;
            continue;
        }
        uint8_t cell = board->cell[p + i * step];
        if (cell != CELL_EMPTY) stones[cell - 1] |= bit;
    }
    uint8_t shapes = 0;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        Window w = {stones[c], stones[c ^ 1], wall};
        shapes |= (uint8_t)(line_shape(&board->rules.side[c], k, w) << 4 * c);
    }
    return shapes;
}

static uint8_t shapes_at(const Board *board, Point p, int dir)
{
    return board->key ? board->line->shape[board_key(board, p, dir)]
                      : shapes_by_scan(board, p, dir);
}

/* Spreads black | white << 4 to the two halves of a code, direction 0. */
static inline uint32_t code_spread(uint32_t shapes)
{
    return (shapes | shapes << 12) & 0x000f000fu;
}

static uint32_t code_at(const Board *board, Point p)
{
    uint32_t code = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++)
        code |= code_spread(shapes_at(board, p, dir)) << 4 * dir;
    return code;
}

/* --- the empty board ------------------------------------------------------------------------- */

static inline uint64_t *row_of(const Board *board, uint64_t *bits, int y)
{
    return bits + (y + NEAR_REACH) * board->row_words;
}

static inline void bit_flip(const Board *board, uint64_t *bits, int x, int y)
{
    int bit = x + NEAR_REACH;
    row_of(board, bits, y)[bit >> 6] ^= 1ull << (bit & 63);
}

static inline bool bit_test(const Board *board, uint64_t *bits, int x, int y)
{
    int bit = x + NEAR_REACH;
    return row_of(board, bits, y)[bit >> 6] >> (bit & 63) & 1;
}

void board_reset(Board *board)
{
    const Grid *grid = board->grid;
    const Rules *rules = &board->rules;
    size_t area = (size_t)grid->area;
    size_t set = (size_t)(rows_in_set(rules) * board->row_words) * sizeof(uint64_t);
    board->top = 0;
    board->end = (uint32_t)board_link(board);
    board->plies = board->stones = 0;
    board->side = BLACK;
    board->won = CELL_EMPTY;
    board->hash = 0;
    memset(board->count, 0, sizeof board->count);
    memset(board->code, 0, area * sizeof *board->code);
    memset(board->cell, CELL_WALL, area);
    memset(board->class, CLASS_NONE, area * sizeof *board->class);
    memset(board->near_bits, 0, set);
    memset(board->empty_bits, 0, set);
    if (board->key) {
        memcpy(board->key, grid->empty_keys, (size_t)grid->plane * DIR_COUNT * sizeof *board->key);
    }
    int points = rules->width * rules->height;
    for (int i = 0; i < points; i++) {
        Point p = rules_nth(rules, i);
        board->cell[p] = CELL_EMPTY;
        bit_flip(board, board->empty_bits, grid->site[p].x, grid->site[p].y);
    }
    if (board->near == NEAR_ALL) memcpy(board->near_bits, board->empty_bits, set);
    for (int i = 0; i < points; i++) {
        Point p = rules_nth(rules, i);
        uint32_t code = board->code[p] = code_at(board, p);
        for (int c = 0; c < COLOUR_COUNT; c++) {
            Class class = board->line->class_of[c][code >> 16 * c & 0xffff];
            board->class[p] |= (ClassPair)(class << 8 * c);
            if (class != CLASS_NONE) board->count[c][class]++;
        }
    }
}

/* --- candidates ------------------------------------------------------------------------------ */

/* Rows −4 … 4 around a stone; bit 4 is its own column. */
static const uint16_t near_rows[NEAR_ALL][2 * NEAR_REACH + 1] = {
    [NEAR_SQUARE2] = {0, 0, 0x07c, 0x07c, 0x07c, 0x07c, 0x07c, 0, 0},
    [NEAR_SQUARE2_LINE3] = {0, 0x092, 0x07c, 0x07c, 0x0fe, 0x07c, 0x07c, 0x092, 0},
    [NEAR_SQUARE3_LINE4] = {0x111, 0x0fe, 0x0fe, 0x0fe, 0x1ff, 0x0fe, 0x0fe, 0x0fe, 0x111},
};

static inline void near_push(Board *board, const Site *site, uint64_t *saved)
{
    const uint16_t *rows = near_rows[board->near];
    if (board->row_words == 1) {
        uint64_t *row = board->near_bits + site->y;
        for (int i = 0; i <= 2 * NEAR_REACH; i++) {
            saved[i] = row[i];
            row[i] |= (uint64_t)rows[i] << site->x;
        }
        return;
    }
    uint64_t *row = row_of(board, board->near_bits, site->y - NEAR_REACH);
    int word = site->x >> 6, shift = site->x & 63;
    memcpy(saved, row, sizeof *row * (size_t)(2 * NEAR_REACH + 1) * (size_t)board->row_words);
    for (int i = 0; i <= 2 * NEAR_REACH; i++, row += board->row_words) {
        row[word] |= (uint64_t)rows[i] << shift;
        /* Past bit 55 the stencil runs into the next word; the row was made wide enough. */
        if (shift > 55) row[word + 1] |= (uint64_t)rows[i] >> (64 - shift);
    }
}

static inline void near_pop(Board *board, const Site *site, const uint64_t *saved)
{
    uint64_t *row = row_of(board, board->near_bits, site->y - NEAR_REACH);
    memcpy(row, saved, sizeof *row * (size_t)(2 * NEAR_REACH + 1) * (size_t)board->row_words);
}

int board_moves(const Board *board, Point *moves)
{
    uint32_t at = board->top;
    for (int i = board->plies - 1; i >= 0; i--) {
        const Ply *ply = (const Ply *)((const char *)board + at);
        moves[i] = ply->point;
        at = ply->before;
    }
    return board->plies;
}

bool board_is_candidate(const Board *board, Point p)
{
    const Site *site = &board->grid->site[p];
    return board_is_empty(board, p) && bit_test(board, board->near_bits, site->x, site->y);
}

int board_candidates(const Board *board, Point *points)
{
    int n = 0;
    int first = rules_point(&board->rules, -NEAR_REACH, 0);
    for (int y = 0; y < board->rules.height; y++, first += rules_stride(&board->rules)) {
        const uint64_t *near = row_of(board, board->near_bits, y);
        const uint64_t *empty = row_of(board, board->empty_bits, y);
        for (int w = 0; w < board->row_words; w++)
            for (uint64_t bits = near[w] & empty[w]; bits; bits &= bits - 1)
                points[n++] = (Point)(first + 64 * w + __builtin_ctzll(bits));
    }
    return n;
}

/* Most points are nothing, so sixteen are looked at together (the walls at the right of a row are
 * CLASS_NONE), and the counts say when the last one is found. */
enum { LANES = 16 };
typedef uint16_t ClassVector __attribute__((vector_size(LANES * sizeof(uint16_t))));
typedef uint64_t QuadVector __attribute__((vector_size(LANES * sizeof(uint16_t))));

int board_find(const Board *board, Colour colour, Class from, Class to, Point *points, int room)
{
    ClassVector base = (ClassVector){0} + (uint16_t)from;
    ClassVector span = (ClassVector){0} + (uint16_t)(to - from);
    int n = 0, all = 0;
    for (int i = (int)from; i <= (int)to; i++) all += board->count[colour][i];
    if (all > room) all = room;
    Point first = rules_point(&board->rules, 0, 0);
    for (; n < all; first = (Point)(first + rules_stride(&board->rules))) {
        for (int x = 0; x < board->rules.width; x += LANES) {
            ClassVector class;
            memcpy(&class, board->class + first + x, sizeof class);
            class = colour == BLACK ? class & 0xff : class >> 8;
            ClassVector hit = (ClassVector)(class - base <= span);
            QuadVector any = (QuadVector)hit;
            if (!(any[0] | any[1] | any[2] | any[3])) continue;
            for (int i = 0; i < LANES && x + i < board->rules.width; i++) {
                if (!hit[i]) continue;
                points[n++] = (Point)(first + x + i);
                if (n == all) return n;
            }
        }
    }
    return n;
}

/* --- play and undo --------------------------------------------------------------------------- */

/* Whole vectors in plain C (a GNU extension that gcc and clang lower to what the machine has). */
typedef int8_t DeltaVector __attribute__((vector_size(CLASS_SLOTS)));
typedef uint32_t KeyVector __attribute__((vector_size(KEY_LANES * sizeof(uint32_t))));

static Ply *ply_push(Board *board, Point p, Colour colour)
{
    Ply *ply = (Ply *)((char *)board + board->end);
    ply->before = board->top;
    ply->point = p;
    ply->colour = (uint8_t)colour;
    ply->won_before = (uint8_t)board->won;
    ply->side_before = (uint8_t)board->side;
    board->top = board->end;
    board->plies++;
    return ply;
}

/* Adds (or takes away) a stone's weights around a place of a direction's plane. */
static inline KeyVector keys_add(uint32_t *key, KeyVector weight)
{
    KeyVector sum;
    memcpy(&sum, key, sizeof sum);
    sum += weight;
    memcpy(key, &sum, sizeof sum);
    return sum;
}

/* Finds the neighbours whose shape in a direction changed: writes them and their codes before to
 * `changes`, their codes after to `after`; returns how many. Without branches: which neighbours
 * change is too irregular to predict. An occupied or absent neighbour reads as the table's last
 * entry, which is no shape, and so never changes. */
static inline int changes_by_key(const Board *board, Point p, int dir, KeyVector keys, int k,
                                 int reach, Change *restrict changes, uint32_t *restrict after)
{
    const uint8_t *shape = board->line->shape;
    const uint32_t *code_of = board->code;
    int n = 0, step = board->grid->step[dir];
    uint32_t at[KEY_LANES] __attribute__((aligned(64)));
    KeyVector last = (KeyVector){0} + board->line->keys;
    KeyVector inside = (KeyVector)(keys < last);
    keys = (keys & inside) | (last & ~inside);
    memcpy(at, &keys, sizeof at);
#pragma GCC unroll 16
    for (int i = -reach; i <= reach; i++) {
        if (i == 0) continue;
        int q = p + i * step;
        uint32_t code = code_of[q], shapes = shape[at[k + i]];
        uint32_t flip = (code >> 4 * dir ^ (shapes | shapes << 12)) & 0x000f000fu;
        changes[n] = (Change){.point = (Point)q, .code = code};
        after[n] = code ^ flip << 4 * dir;
        n += flip != 0;
    }
    return n;
}

static int changes_by_scan(const Board *board, Point p, int dir, Change *changes, uint32_t *after)
{
    const Site *site = &board->grid->site[p];
    int dx[DIR_COUNT] = {1, 0, 1, -1}, dy[DIR_COUNT] = {0, 1, 1, 1};
    int n = 0;
    for (int i = -board->line->reach; i <= board->line->reach; i++) {
        if (i == 0 || !rules_inside(&board->rules, site->x + i * dx[dir], site->y + i * dy[dir]))
            continue;
        Point q = (Point)(p + i * board->grid->step[dir]);
        if (!board_is_empty(board, q)) continue;
        uint32_t code = board->code[q];
        uint32_t now = (code & ~(0x000f000fu << 4 * dir)) |
                       code_spread(shapes_by_scan(board, q, dir)) << 4 * dir;
        if (now == code) continue;
        changes[n] = (Change){.point = q, .code = code};
        after[n++] = now;
    }
    return n;
}

/* Gives the changed points their new codes and classes and the counts their differences. */
static inline void changes_apply(Board *board, Change *restrict changes,
                                 const uint32_t *restrict after, int n,
                                 DeltaVector delta[COLOUR_COUNT])
{
    const uint8_t *black_class = board->line->class_of[BLACK];
    const uint8_t *white_class = board->line->class_of[WHITE];
    const DeltaVector *one = (const DeltaVector *)board->line->one;
    uint32_t *restrict code = board->code;
    ClassPair *restrict class = board->class;
    DeltaVector black = {0}, white = {0};
    for (int i = 0; i < n; i++) {
        Point q = changes[i].point;
        ClassPair before = class[q];
        unsigned black_now = black_class[after[i] & 0xffff];
        unsigned white_now = white_class[after[i] >> 16];
        code[q] = after[i];
        class[q] = (ClassPair)(black_now | white_now << 8);
        changes[i].class = before;
        black += one[black_now] - one[before & 0xff];
        white += one[white_now] - one[before >> 8];
    }
    delta[BLACK] = black;
    delta[WHITE] = white;
}

static inline void counts_add(Board *board, const DeltaVector delta[COLOUR_COUNT], int sign)
{
    for (int c = 0; c < COLOUR_COUNT; c++) {
        const int8_t *d = (const int8_t *)&delta[c];
        for (int i = 0; i < CLASS_SLOTS; i++)
            board->count[c][i] = (uint16_t)(board->count[c][i] + sign * d[i]);
    }
}

/* The stone itself: its point leaves the empty ones. Goes last on the list of changes. */
static inline void change_of_point(Board *board, Point p, Change *change,
                                   DeltaVector delta[COLOUR_COUNT])
{
    const DeltaVector *one = (const DeltaVector *)board->line->one;
    change->point = p;
    change->code = board->code[p];
    board->code[p] = 0;
    change->class = board->class[p];
    for (int c = 0; c < COLOUR_COUNT; c++) delta[c] -= one[change->class >> 8 * c & 0xff];
    board->class[p] = CLASS_NONE;
}

/* k and reach are constants in the common cases, so that the loops unroll. */
static inline __attribute__((always_inline)) void put_stone(Board *board, Point p, Colour colour,
                                                            int k, int reach)
{
    const Site *site = &board->grid->site[p];
    uint32_t after[DIR_COUNT * 2 * WIN_MAX];
    Ply *ply = ply_push(board, p, colour);
    Change *changes = ply->changes;
    int n = 0;
    assert(board->cell[p] == CELL_EMPTY);

    if (board_class(board, p, colour) == CLASS_FIVE && board->won == CELL_EMPTY)
        board->won = (Cell)(colour + 1);
    board->cell[p] = (uint8_t)(colour + 1);
    board->hash ^= site->zobrist[colour];
    board->stones++;
    bit_flip(board, board->empty_bits, site->x, site->y);

    if (k <= LINE_WIN_MAX) {
        KeyVector weight;
        memcpy(&weight, board->line->weight[colour], sizeof weight);
#pragma GCC unroll 4
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            uint32_t *key = board->key + dir * board->grid->plane + site->place[dir] - k;
            KeyVector keys = keys_add(key, weight);
            n += changes_by_key(board, p, dir, keys, k, reach, changes + n, after + n);
        }
    } else {
        for (int dir = 0; dir < DIR_COUNT; dir++)
            n += changes_by_scan(board, p, dir, changes + n, after + n);
    }
    DeltaVector delta[COLOUR_COUNT];
    changes_apply(board, changes, after, n, delta);
    change_of_point(board, p, &changes[n++], delta);
    counts_add(board, delta, 1);
    memcpy(ply->delta, delta, sizeof delta);

    ply->count = (uint32_t)n;
    uint64_t *saved = (uint64_t *)(changes + n);
    if (board->near != NEAR_ALL) near_push(board, site, saved);
    board->end = (uint32_t)((char *)(saved + saved_rows(board) * board->row_words) - (char *)board);
    assert(board->end <= board->size);
}

/* One body, three sets of constants: k = 5 where six wins, k = 5 otherwise, and the rest. */
static void put_any(Board *board, Point p, Colour colour)
{
    int k = board->rules.k, reach = board->line->reach;
    if (k == 5 && reach == 4)
        put_stone(board, p, colour, 5, 4);
    else if (k == 5)
        put_stone(board, p, colour, 5, 5);
    else
        put_stone(board, p, colour, k, reach);
}

void board_play(Board *board, Point p)
{
    put_any(board, p, board->side);
    board->side = colour_other(board->side);
    board->hash ^= ZOBRIST_WHITE_TO_MOVE;
}

void board_put(Board *board, Point p, Colour colour)
{
    put_any(board, p, colour);
    /* What was five in a row may be too long or enclosed by now: the order of a set-up says
     * nothing. */
    if (board->won != CELL_EMPTY) board->won = board_scan_winner(board);
}

void board_set_side(Board *board, Colour side)
{
    if (board->side == side) return;
    board->side = side;
    board->hash ^= ZOBRIST_WHITE_TO_MOVE;
}

void board_follow(Board *to, const Board *from)
{
    board_reset(to);
    for (int i = 0; i < from->rules.width * from->rules.height; i++) {
        Point p = rules_nth(&from->rules, i);
        if (from->cell[p] == CELL_BLACK || from->cell[p] == CELL_WHITE)
            board_put(to, p, (Colour)(from->cell[p] - 1));
    }
    board_set_side(to, from->side);
    to->won = from->won;
}

void board_pass(Board *board)
{
    Ply *ply = ply_push(board, POINT_NONE, board->side);
    memset(ply->delta, 0, sizeof ply->delta);
    ply->count = 0;
    board->end = (uint32_t)((char *)ply->changes - (char *)board);
    assert(board->end <= board->size);
    board_set_side(board, colour_other(board->side));
}

void board_undo(Board *board)
{
    assert(board->top);
    Ply *ply = (Ply *)((char *)board + board->top);
    board->end = board->top;
    board->top = ply->before;
    board->plies--;
    board->won = (Cell)ply->won_before;
    board_set_side(board, (Colour)ply->side_before);
    if (ply->point == POINT_NONE) return;

    Point p = ply->point;
    const Site *site = &board->grid->site[p];
    const Change *changes = ply->changes;
    int n = (int)ply->count;
    uint32_t *restrict code = board->code;
    ClassPair *restrict class = board->class;
    for (int i = 0; i < n; i++) {
        code[changes[i].point] = changes[i].code;
        class[changes[i].point] = changes[i].class;
    }
    if (board->key) {
        KeyVector weight;
        memcpy(&weight, board->line->weight[ply->colour], sizeof weight);
        for (int dir = 0; dir < DIR_COUNT; dir++)
            keys_add(board->key + dir * board->grid->plane + site->place[dir] - board->rules.k,
                     -weight);
    }
    DeltaVector delta[COLOUR_COUNT];
    memcpy(delta, ply->delta, sizeof delta);
    counts_add(board, delta, -1);
    if (board->near != NEAR_ALL) near_pop(board, site, (const uint64_t *)(changes + n));
    board->cell[p] = CELL_EMPTY;
    board->hash ^= site->zobrist[ply->colour];
    board->stones--;
    bit_flip(board, board->empty_bits, site->x, site->y);
}

/* --- wins as they stand ---------------------------------------------------------------------- */

/* Stones of one colour from p on, p excluded, in one direction and sense. */
static int run_from(const Board *board, Point p, int step)
{
    int n = 0;
    while (board->cell[p + (n + 1) * step] == board->cell[p]) n++;
    return n;
}

int board_winning_row(const Board *board, Point p, Point *row)
{
    uint8_t cell = board->cell[p];
    if (cell != CELL_BLACK && cell != CELL_WHITE) return 0;
    const SideRule *rule = &board->rules.side[cell - 1];
    uint8_t other = (uint8_t)(CELL_BLACK + CELL_WHITE - cell);
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int step = board->grid->step[dir];
        int back = run_from(board, p, -step), length = back + 1 + run_from(board, p, step);
        int first = p - back * step;
        bool enclosed =
            board->cell[first - step] == other && board->cell[first + length * step] == other;
        if (length < board->rules.k) continue;
        if (length > board->rules.k && rule->overline != OVERLINE_WINS) continue;
        if (length == board->rules.k && rule->enclosed_dead && enclosed) continue;
        for (int i = 0; i < length; i++) row[i] = (Point)(first + i * step);
        return length;
    }
    return 0;
}

Cell board_scan_winner(const Board *board)
{
    Point row[SIZE_MAX_SIDE];
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_winning_row(board, p, row)) return (Cell)board->cell[p];
    }
    return CELL_EMPTY;
}
