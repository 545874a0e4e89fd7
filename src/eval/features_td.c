/* SPDX-License-Identifier: MIT */
#include "eval/features_td.h"

#include "base/mem.h"

#include <string.h>

/* ---- patterns ---- */

static unsigned mirrored(unsigned window, int k)
{
    unsigned other = 0;
    for (int i = 0; i < k; i++) other |= (window >> i & 1) << (k - 1 - i);
    return other;
}

/* Is this the one of a window and its mirror image that stands for both? */
static bool is_pattern(unsigned window, int k)
{
    return __builtin_popcount(window) >= 2 && window <= mirrored(window, k);
}

int td_patterns_count(int k)
{
    int count = 0;
    for (unsigned w = 0; w < 1u << k; w++) count += is_pattern(w, k);
    return count;
}

void td_patterns_open(TdPatterns *patterns, int k)
{
    *patterns = (TdPatterns){.k = k, .of_window = mem_alloc(sizeof(int16_t) << k)};
    int16_t next = 0;
    for (unsigned w = 0; w < 1u << k; w++) {
        if (__builtin_popcount(w) < 2)
            patterns->of_window[w] = -1;
        else
            patterns->of_window[w] =
                is_pattern(w, k) ? next++ : patterns->of_window[mirrored(w, k)];
    }
    patterns->count = next;
}

void td_patterns_close(TdPatterns *patterns)
{
    mem_free(patterns->of_window);
    *patterns = (TdPatterns){0};
}

void td_patterns_text(const TdPatterns *patterns, int pattern, char *text)
{
    unsigned w = 0;
    while (patterns->of_window[w] != pattern) w++;
    for (int i = 0; i < patterns->k; i++) text[i] = w >> (patterns->k - 1 - i) & 1 ? 'o' : '.';
    text[patterns->k] = '\0';
}

/* ---- counting ---- */

/* The 2k − 1 cells around a point in one direction; bit k − 1 is the point itself. */
typedef struct {
    unsigned of[COLOUR_COUNT]; /* stones */
    unsigned wall;
} Row;

static Row row_of(const Board *board, Point p, int step)
{
    int k = board->rules.k;
    Row row = {{0}, 0};
    const uint8_t *cell = board->cell + p - (k - 1) * step;
    for (int i = 0; i < 2 * k - 1; i++, cell += step) {
        row.of[BLACK] |= (unsigned)(*cell == CELL_BLACK) << i;
        row.of[WHITE] |= (unsigned)(*cell == CELL_WHITE) << i;
        row.wall |= (unsigned)(*cell == CELL_WALL) << i;
    }
    return row;
}

/* Adds what a stone in the middle of the row does, `sign` times, and what is there without it. */
static void count_row(const TdPatterns *patterns, const Row *row, Colour colour, int sign,
                      int8_t *change, int8_t *held)
{
    int k = patterns->k;
    unsigned whole = (1u << k) - 1, centre = 1u << (k - 1);
    unsigned blocked = row->of[colour_other(colour)] | row->wall;
    for (int i = 0; i < k; i++) {
        if (blocked >> i & whole) continue;
        int before = patterns->of_window[row->of[colour] >> i & whole];
        int after = patterns->of_window[(row->of[colour] | centre) >> i & whole];
        if (before >= 0) change[before] = (int8_t)(change[before] - sign);
        if (before >= 0) held[before] = (int8_t)(held[before] + sign);
        if (after >= 0) change[after] = (int8_t)(change[after] + sign);
    }
}

/* Where the numbers of a point and a colour begin, in change and held. */
static size_t place_of(const TdFeatures *f, Point p, int colour)
{
    return (2 * (size_t)p + (size_t)colour) * (size_t)f->patterns.count;
}

static size_t places(const TdFeatures *f)
{
    return 2 * (size_t)rules_area(&f->rules) * (size_t)f->patterns.count;
}

void td_features_open(TdFeatures *features, const Rules *rules)
{
    features->rules = *rules;
    td_patterns_open(&features->patterns, rules->k);
    features->change = mem_zero(places(features));
    features->held = mem_zero(places(features));
    for (int c = BLACK; c <= WHITE; c++)
        features->total[c] = mem_zero((size_t)features->patterns.count * sizeof(int));
}

void td_features_close(TdFeatures *features)
{
    mem_free(features->change);
    mem_free(features->held);
    for (int c = BLACK; c <= WHITE; c++) mem_free(features->total[c]);
    td_patterns_close(&features->patterns);
}

/* The window that begins in the middle of the row. */
static void count_window(TdFeatures *features, const Row *row, Colour colour)
{
    int k = features->patterns.k;
    unsigned whole = (1u << k) - 1, blocked = row->of[colour_other(colour)] | row->wall;
    int pattern = features->patterns.of_window[row->of[colour] >> (k - 1) & whole];
    if (pattern >= 0 && !(blocked >> (k - 1) & whole)) features->total[colour][pattern]++;
}

void td_features_reset(TdFeatures *features, const Board *board)
{
    const Rules *rules = &features->rules;
    memset(features->change, 0, places(features));
    memset(features->held, 0, places(features));
    for (int c = BLACK; c <= WHITE; c++)
        memset(features->total[c], 0, (size_t)features->patterns.count * sizeof(int));
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            Row row = row_of(board, p, board->grid->step[dir]);
            if (!(row.of[BLACK] | row.of[WHITE])) continue;
            for (Colour c = BLACK; c <= WHITE; c++) {
                size_t place = place_of(features, p, c);
                count_window(features, &row, c);
                if (board_is_empty(board, p))
                    count_row(&features->patterns, &row, c, 1, features->change + place,
                              features->held + place);
            }
        }
    }
}

/* One direction of a neighbour of the new stone, as it was and as it is. */
static void recount(TdFeatures *features, const Board *board, Point p, int step, unsigned stone,
                    Colour colour)
{
    Row now = row_of(board, p, step), old = now;
    old.of[colour] &= ~stone;
    for (Colour c = BLACK; c <= WHITE; c++) {
        int8_t *change = features->change + place_of(features, p, c);
        int8_t *held = features->held + place_of(features, p, c);
        count_row(&features->patterns, &old, c, -1, change, held);
        count_row(&features->patterns, &now, c, 1, change, held);
    }
}

void td_features_push(TdFeatures *features, const Board *board)
{
    const Ply *ply = board_last(board);
    int k = features->rules.k;
    if (ply->point == POINT_NONE) return;
    Colour mover = (Colour)ply->colour, other = colour_other(mover);
    const int8_t *more = td_features_at(features, ply->point, mover);
    const int8_t *less = td_features_held(features, ply->point, other);
    for (int i = 0; i < features->patterns.count; i++) {
        features->total[mover][i] += more[i];
        features->total[other][i] -= less[i];
    }
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int step = board->grid->step[dir];
        for (int i = 1 - k; i < k; i++) {
            Point p = (Point)(ply->point + i * step);
            if (i != 0 && board_is_empty(board, p))
                recount(features, board, p, step, 1u << (k - 1 - i), (Colour)ply->colour);
        }
    }
}
