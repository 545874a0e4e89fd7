/* SPDX-License-Identifier: MIT */
#include "learn/planes.h"

#include "game/ban.h"

#include <assert.h>
#include <string.h>

int planes_place(const Rules *rules, Sym sym, int frame, Point p)
{
    Point q = sym ? sym_point(rules, sym, p) : p;
    return rules_y(rules, q) * frame + rules_x(rules, q);
}

static uint8_t mark(const Board *board, Point p, Colour colour)
{
    Class class = board_class(board, p, colour);
    if (class != CLASS_FOUL) return (uint8_t) class;
    return ban_at(board, p) == BAN_NONE ? (uint8_t)CLASS_FOUL : PLANES_BANNED;
}

/* Steps through the frame for one step right and one down on the board. */
static void walk_of(const Rules *rules, Sym sym, int frame, int *start, int *right, int *down)
{
    *start = planes_place(rules, sym, frame, rules_point(rules, 0, 0));
    *right =
        rules->width > 1 ? planes_place(rules, sym, frame, rules_point(rules, 1, 0)) - *start : 0;
    *down =
        rules->height > 1 ? planes_place(rules, sym, frame, rules_point(rules, 0, 1)) - *start : 0;
}

void planes_write(const Board *board, Sym sym, int frame, uint8_t *out)
{
    const Rules *rules = &board->rules;
    Colour us = board->side, them = colour_other(us);
    size_t area = (size_t)(frame * frame);
    int start, right, down;
    assert(rules->width <= frame && rules->height <= frame);
    walk_of(rules, sym, frame, &start, &right, &down);
    memset(out, PLANES_OFF, PLANES_COUNT * area);
    for (int y = 0; y < rules->height; y++, start += down) {
        Point p = rules_point(rules, 0, y);
        uint8_t *at = out + start;
        for (int x = 0; x < rules->width; x++, p++, at += right) {
            uint8_t cell = board->cell[p];
            if (cell != CELL_EMPTY) {
                at[0] = at[area] = cell == us + 1 ? PLANES_OWN : PLANES_OTHER;
                continue;
            }
            at[0] = mark(board, p, us);
            at[area] = mark(board, p, them);
        }
    }
}

void planes_logits(const Board *board, int frame, const uint16_t *plane, const Point *moves,
                   int count, float *out)
{
    enum { HOPELESS = -10000 };
    for (int i = 0; i < count; i++) {
        const Site *site = &board->grid->site[moves[i]];
        uint32_t bits = (uint32_t)plane[site->y * frame + site->x] << 16;
        float logit;
        memcpy(&logit, &bits, sizeof logit);
        out[i] = logit > HOPELESS && logit < -HOPELESS ? logit : HOPELESS;
    }
}
