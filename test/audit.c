/* SPDX-License-Identifier: MIT */
#include "audit.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shapes of windows seen before: line_shape is called once per distinct window. Direct-mapped;
 * a window is packed two bits a cell, so up to 42 bits. */
enum { MEMO_SIZE = 1 << 20 };

struct Audit {
    Rules rules;
    Near near;
    uint64_t *memo_key; /* packed window + 1 */
    uint8_t *memo_shapes;
    uint8_t *near_mark;
    char text[200];
};

static const int DX[4] = {1, 0, 1, -1}, DY[4] = {0, 1, 1, 1};

Audit *audit_open(const Rules *rules, Near near)
{
    Audit *audit = mem_zero(sizeof *audit);
    audit->rules = *rules;
    audit->near = near;
    audit->memo_key = mem_zero(MEMO_SIZE * sizeof *audit->memo_key);
    audit->memo_shapes = mem_zero(MEMO_SIZE);
    audit->near_mark = mem_zero((size_t)rules_area(rules));
    return audit;
}

void audit_close(Audit *audit)
{
    mem_free(audit->memo_key);
    mem_free(audit->memo_shapes);
    mem_free(audit->near_mark);
    mem_free(audit);
}

static const char *say(Audit *audit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(audit->text, sizeof audit->text, format, args);
    va_end(args);
    return audit->text;
}

static int cell_at(const Board *board, int x, int y)
{
    if (!rules_inside(&board->rules, x, y)) return CELL_WALL;
    return board->cell[rules_point(&board->rules, x, y)];
}

static int shapes_of(Audit *audit, const Board *board, int x, int y, int dir)
{
    int k = audit->rules.k;
    uint64_t packed = 1;
    uint32_t black = 0, white = 0, wall = 0;
    for (int i = -k; i <= k; i++) {
        int cell = i ? cell_at(board, x + i * DX[dir], y + i * DY[dir]) : CELL_EMPTY;
        packed = packed << 2 | (uint64_t)cell;
        black |= (uint32_t)(cell == CELL_BLACK) << (i + k);
        white |= (uint32_t)(cell == CELL_WHITE) << (i + k);
        wall |= (uint32_t)(cell == CELL_WALL) << (i + k);
    }
    size_t slot = (size_t)(packed * 0x9e3779b97f4a7c15u >> 44);
    if (audit->memo_key[slot] != packed) {
        Window for_black = {black, white, wall}, for_white = {white, black, wall};
        audit->memo_key[slot] = packed;
        audit->memo_shapes[slot] =
            (uint8_t)(line_shape(&audit->rules.side[BLACK], k, for_black) |
                      line_shape(&audit->rules.side[WHITE], k, for_white) << 4);
    }
    return audit->memo_shapes[slot];
}

static uint32_t half_of(const Board *board, int x, int y, int dx, int dy)
{
    uint32_t first = 0, digits = 0, power = 1;
    for (int i = 1; i <= board->rules.k; i++, power *= 3) {
        int cell = cell_at(board, x + i * dx, y + i * dy);
        if (cell == CELL_WALL) break;
        first += power;
        digits += (uint32_t)cell * power;
    }
    return first + digits;
}

static const char *check_keys(Audit *audit, const Board *board, int x, int y)
{
    Point p = rules_point(&board->rules, x, y);
    for (int dir = 0; board->key && dir < DIR_COUNT; dir++) {
        uint32_t key = half_of(board, x, y, -DX[dir], -DY[dir]) * board->line->halves +
                       half_of(board, x, y, DX[dir], DY[dir]) + board->cell[p] * board->line->keys;
        if (board_key(board, p, dir) != key)
            return say(audit, "key of %d,%d direction %d: %u, should be %u", x, y, dir,
                       board_key(board, p, dir), key);
    }
    return NULL;
}

static bool is_near(Near near, int dx, int dy)
{
    int ax = abs(dx), ay = abs(dy), far = ax > ay ? ax : ay;
    bool on_line = !dx || !dy || ax == ay;
    switch (near) {
    case NEAR_SQUARE2:
        return far <= 2;
    case NEAR_SQUARE2_LINE3:
        return far <= 2 || (far <= 3 && on_line);
    case NEAR_SQUARE3_LINE4:
        return far <= 3 || (far <= 4 && on_line);
    default:
        return true;
    }
}

static void mark_near(Audit *audit, const Board *board)
{
    const Rules *r = &board->rules;
    memset(audit->near_mark, audit->near == NEAR_ALL, (size_t)rules_area(r));
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            int cell = cell_at(board, x, y);
            if (cell != CELL_BLACK && cell != CELL_WHITE) continue;
            for (int dy = -4; dy <= 4; dy++)
                for (int dx = -4; dx <= 4; dx++)
                    if (rules_inside(r, x + dx, y + dy) && is_near(audit->near, dx, dy))
                        audit->near_mark[rules_point(r, x + dx, y + dy)] = 1;
        }
}

static const char *check_point(Audit *audit, const Board *board, int x, int y,
                               int count[COLOUR_COUNT][CLASS_COUNT])
{
    Point p = rules_point(&board->rules, x, y);
    bool empty = board->cell[p] == CELL_EMPTY;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        unsigned code = 0;
        for (int dir = 0; empty && dir < DIR_COUNT; dir++) {
            unsigned shape = (unsigned)shapes_of(audit, board, x, y, dir) >> 4 * c & 15;
            if (board_shape(board, p, (Colour)c, dir) != shape)
                return say(audit, "shape of %d,%d colour %d direction %d: %u, should be %u", x, y,
                           c, dir, board_shape(board, p, (Colour)c, dir), shape);
            code |= shape << 4 * dir;
        }
        Class class = empty ? line_class(code, board->rules.side[c].fouls) : CLASS_NONE;
        if (board_class(board, p, (Colour)c) != class)
            return say(audit, "class of %d,%d colour %d: %u, should be %u", x, y, c,
                       board_class(board, p, (Colour)c), class);
        if (class != CLASS_NONE) count[c][class]++;
    }
    if (!empty && board->code[p]) return say(audit, "a stone at %d,%d with a code", x, y);
    if (board_is_candidate(board, p) != (empty && audit->near_mark[p]))
        return say(audit, "candidate %d,%d wrong", x, y);
    return NULL;
}

static const char *check_sums(Audit *audit, const Board *board, int stones, uint64_t hash,
                              int count[COLOUR_COUNT][CLASS_COUNT])
{
    if (board->stones != stones) return say(audit, "%d stones, %d kept", stones, board->stones);
    if (board->hash != hash) return say(audit, "hash differs");
    for (int c = 0; c < COLOUR_COUNT; c++)
        for (int i = 0; i < CLASS_SLOTS; i++) {
            int should = i < CLASS_COUNT ? count[c][i] : 0;
            if (board->count[c][i] != should)
                return say(audit, "count of class %d colour %d: %d, should be %d", i, c,
                           board->count[c][i], should);
        }
    return NULL;
}

const char *audit_check(Audit *audit, const Board *board)
{
    int count[COLOUR_COUNT][CLASS_COUNT] = {{0}};
    int stones = 0, candidates = 0;
    uint64_t hash = board->side == WHITE ? ZOBRIST_WHITE_TO_MOVE : 0;
    mark_near(audit, board);
    for (int y = 0; y < board->rules.height; y++)
        for (int x = 0; x < board->rules.width; x++) {
            const char *wrong = check_keys(audit, board, x, y);
            if (!wrong) wrong = check_point(audit, board, x, y, count);
            if (wrong) return wrong;
            Point p = rules_point(&board->rules, x, y);
            candidates += board_is_candidate(board, p);
            if (board->cell[p] == CELL_EMPTY) continue;
            stones++;
            hash ^= board->grid->site[p].zobrist[board->cell[p] - 1];
        }
    static Point list[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    if (board_candidates(board, list) != candidates) return say(audit, "candidate list differs");
    return check_sums(audit, board, stones, hash, count);
}

static bool near_by_search(const Audit *audit, const Board *board, int x, int y)
{
    if (audit->near == NEAR_ALL) return true;
    for (int dy = -4; dy <= 4; dy++)
        for (int dx = -4; dx <= 4; dx++) {
            int cell = cell_at(board, x + dx, y + dy);
            if ((cell == CELL_BLACK || cell == CELL_WHITE) && is_near(audit->near, dx, dy))
                return true;
        }
    return false;
}

const char *audit_check_near(Audit *audit, const Board *board, Point p)
{
    int count[COLOUR_COUNT][CLASS_COUNT] = {{0}};
    int px = rules_x(&board->rules, p), py = rules_y(&board->rules, p), reach = board->rules.k;
    for (int y = py - reach; y <= py + reach; y++)
        for (int x = px - reach; x <= px + reach; x++) {
            if (!rules_inside(&board->rules, x, y)) continue;
            audit->near_mark[rules_point(&board->rules, x, y)] = near_by_search(audit, board, x, y);
            const char *wrong = check_keys(audit, board, x, y);
            if (!wrong) wrong = check_point(audit, board, x, y, count);
            if (wrong) return wrong;
        }
    return NULL;
}
