/* SPDX-License-Identifier: MIT */
/* Positions are compared as cells in reading order, on the caller's stack: 2 × 10,000 bytes at
 * most, and no memory to own. */
#include "game/sym.h"

#include <assert.h>
#include <string.h>

/* With X and Y for the mirrors and E for the exchange: X E = E Y. Moving E to the left past the
 * mirrors exchanges them, which is all the algebra there is. */
static Sym mirrors_exchanged(Sym sym)
{
    Sym x = sym & SYM_FLIP_X ? SYM_FLIP_Y : 0, y = sym & SYM_FLIP_Y ? SYM_FLIP_X : 0;
    return (Sym)((sym & SYM_EXCHANGE) | x | y);
}

Sym sym_inverse(Sym sym)
{
    return sym & SYM_EXCHANGE ? mirrors_exchanged(sym) : sym;
}

Sym sym_compose(Sym first, Sym then)
{
    return first ^ (first & SYM_EXCHANGE ? mirrors_exchanged(then) : then);
}

Point sym_point(const Rules *rules, Sym sym, Point p)
{
    if (p == POINT_NONE) return p;
    assert(sym < sym_count(rules));
    int x = rules_x(rules, p), y = rules_y(rules, p);
    if (sym & SYM_FLIP_X) x = rules->width - 1 - x;
    if (sym & SYM_FLIP_Y) y = rules->height - 1 - y;
    return sym & SYM_EXCHANGE ? rules_point(rules, y, x) : rules_point(rules, x, y);
}

void sym_points(const Rules *rules, Sym sym, const Point *from, Point *to, int count)
{
    for (int i = 0; i < count; i++) to[i] = sym_point(rules, sym, from[i]);
}

/* A position as cells in reading order. */
typedef struct {
    uint8_t cell[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
} Cells;

static int index_of(const Rules *rules, Point p)
{
    return rules_y(rules, p) * rules->width + rules_x(rules, p);
}

static void cells_fill(Cells *cells, const Rules *rules, Sym sym, const Point *stones,
                       const uint8_t *colours, int count)
{
    memset(cells->cell, CELL_EMPTY, (size_t)(rules->width * rules->height));
    for (int i = 0; i < count; i++)
        cells->cell[index_of(rules, sym_point(rules, sym, stones[i]))] = (uint8_t)(colours[i] + 1);
}

Sym sym_canonical(const Rules *rules, const Point *stones, const uint8_t *colours, int count)
{
    Cells best, other;
    Sym best_sym = SYM_NONE;
    size_t size = (size_t)(rules->width * rules->height);
    cells_fill(&best, rules, SYM_NONE, stones, colours, count);
    for (Sym sym = 1; sym < sym_count(rules); sym++) {
        cells_fill(&other, rules, sym, stones, colours, count);
        if (memcmp(other.cell, best.cell, size) >= 0) continue;
        memcpy(best.cell, other.cell, size);
        best_sym = sym;
    }
    return best_sym;
}

void sym_canonicalise(const Rules *rules, Position *position)
{
    Cells cells;
    Sym sym = sym_canonical(rules, position->stones, position->colours, position->count);
    cells_fill(&cells, rules, sym, position->stones, position->colours, position->count);
    int n = 0;
    for (int colour = BLACK; colour < COLOUR_COUNT; colour++) {
        for (int i = 0; i < rules->width * rules->height; i++) {
            if (cells.cell[i] != colour + 1) continue;
            position->stones[n] = rules_nth(rules, i);
            position->colours[n++] = (uint8_t)colour;
        }
    }
    assert(n == position->count);
    position->ordered = false;
}

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t sym_key(const Rules *rules, const Point *stones, const uint8_t *colours, int count,
                 Colour side)
{
    Sym sym = sym_canonical(rules, stones, colours, count);
    uint64_t key = 0;
    for (int i = 0; i < count; i++) {
        int index = index_of(rules, sym_point(rules, sym, stones[i]));
        key ^= mix((uint64_t)index << 2 | colours[i]);
    }
    /* Bits that no stone's number has, so that size and side cannot pass for a stone. */
    uint64_t frame = (uint64_t)rules->width << 40 | (uint64_t)rules->height << 32 | side;
    return mix(key ^ mix(frame));
}
