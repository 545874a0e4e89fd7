/* SPDX-License-Identifier: MIT */
#include "game/grid.h"

#include "base/mem.h"
#include "base/rng.h"
#include "game/line.h"

#include <stddef.h>

const uint64_t ZOBRIST_WHITE_TO_MOVE = 0x9e3779b97f4a7c15u;

static int min2(int a, int b)
{
    return a < b ? a : b;
}

static void site_places(Grid *g, Site *site, int x, int y)
{
    int modulus = g->width + g->k, length = g->height + g->k;
    int down = ((x - y) % modulus + modulus) % modulus, up = (x + y) % modulus;
    site->place[0] = (uint16_t)(g->k + y * modulus + x);
    site->place[1] = (uint16_t)(g->k + x * length + y);
    site->place[2] = (uint16_t)(g->k + down * length + y);
    site->place[3] = (uint16_t)(g->k + up * length + y);
}

/* Cells of board before and after a point in a direction, at most k. */
static void site_room(const Grid *g, int x, int y, int dir, int *before, int *after)
{
    int left = x, right = g->width - 1 - x, above = y, below = g->height - 1 - y;
    switch (dir) {
    case 0:
        *before = left, *after = right;
        break;
    case 1:
        *before = above, *after = below;
        break;
    case 2:
        *before = min2(left, above), *after = min2(right, below);
        break;
    default:
        *before = min2(right, above), *after = min2(left, below);
        break;
    }
    *before = min2(*before, g->k);
    *after = min2(*after, g->k);
}

static void grid_empty_keys(Grid *g, const LineTable *table)
{
    uint32_t first_of[WIN_MAX + 2] = {0}; /* the half of n empty cells */
    uint32_t power = 1;
    for (int n = 1; n <= g->k; n++, power *= 3) first_of[n] = first_of[n - 1] + power;
    size_t keys = (size_t)g->plane * DIR_COUNT;
    g->empty_keys = mem_lines(keys * sizeof *g->empty_keys);
    for (size_t i = 0; i < keys; i++) g->empty_keys[i] = table->keys;
    for (int y = 0; y < g->height; y++) {
        for (int x = 0; x < g->width; x++) {
            const Site *site = &g->site[(y + g->k) * (g->width + g->k) + g->k + x];
            for (int dir = 0; dir < DIR_COUNT; dir++) {
                int before, after;
                site_room(g, x, y, dir, &before, &after);
                g->empty_keys[dir * g->plane + site->place[dir]] =
                    first_of[before] * table->halves + first_of[after];
            }
        }
    }
}

static Grid *grid_make(const Rules *rules)
{
    Grid *g = mem_zero(sizeof *g);
    g->width = rules->width;
    g->height = rules->height;
    g->k = rules->k;
    g->area = rules_area(rules);
    int stride = rules_stride(rules);
    int steps[DIR_COUNT] = {1, stride, stride + 1, stride - 1};
    for (int dir = 0; dir < DIR_COUNT; dir++) g->step[dir] = steps[dir];
    int keys = (g->width + g->k) * (g->height + g->k) + g->k + KEY_LANES;
    g->plane = (keys + KEY_LANES - 1) / KEY_LANES * KEY_LANES;
    g->site = mem_lines(sizeof *g->site * (size_t)g->area);
    Rng rng;
    for (int y = 0; y < g->height; y++) {
        for (int x = 0; x < g->width; x++) {
            Site *site = &g->site[rules_point(rules, x, y)];
            site->x = (uint8_t)x;
            site->y = (uint8_t)y;
            /* Seeded by the coordinates: the same position has the same hash on every board. */
            rng_seed(&rng, (uint64_t)(y * SIZE_MAX_SIDE + x));
            site->zobrist[BLACK] = rng_next(&rng);
            site->zobrist[WHITE] = rng_next(&rng);
            site_places(g, site, x, y);
        }
    }
    if (g->k <= LINE_WIN_MAX) grid_empty_keys(g, line_table(rules));
    return g;
}

static bool grid_fits(const Kept *kept, const void *key)
{
    const Grid *g = (const Grid *)kept;
    const Rules *rules = key;
    return g->width == rules->width && g->height == rules->height && g->k == rules->k;
}

static Kept *grid_make_kept(const void *key)
{
    return &grid_make(key)->kept;
}

static void grid_drop(Kept *kept)
{
    mem_free(((Grid *)kept)->empty_keys);
    mem_free(((Grid *)kept)->site);
    mem_free(kept);
}

const Grid *grid_get(const Rules *rules)
{
    static KeptKind grids = {grid_fits, grid_make_kept, grid_drop, NULL};
    return (const Grid *)kept_get(&grids, rules);
}
