/* SPDX-License-Identifier: MIT */
#include "eval/features_adp.h"

#include "base/kept.h"
#include "base/mem.h"

#include <string.h>

enum {
    SPAN = 7, /* cells of the longest pattern */
    CODES = 1 << (2 * SPAN),
    REACH = SPAN - 1,
};

const char *const adp_patterns[ADP_PATTERNS] = {
    ".oooo.", "xoooo.", "ooo.o",  "oo.oo",  ".ooo..",  ".oo.o.", "xooo..",
    "xoo.o.", "xo.oo.", "oo..o",  "o.o.o",  "x.ooo.x", "..oo..", "..o.o.",
    ".o..o.", "xoo...", "xo.o..", "xo..o.", "o...o",   "ooooo",
};

/* Cells as 2 bits each, as board.h has them: so many codes of SPAN cells. */
struct AdpTables {
    Kept kept;
    uint64_t begins[CODES]; /* patterns that begin at the first cell: Black's in the low bits,
                               White's from ADP_PATTERNS on */
    int8_t shape[1 << 16];  /* adp_shape_of */
};

/* ---- tables ---- */

static bool fits(const char *pattern, int len, bool turned, Colour colour, unsigned code)
{
    for (int i = 0; i < len; i++) {
        char want = pattern[turned ? len - 1 - i : i];
        Cell cell = (Cell)(code >> 2 * i & 3);
        bool own = cell == (Cell)colour + CELL_BLACK;
        if (want == 'o' ? !own : want == '.' ? cell != CELL_EMPTY : own || cell == CELL_EMPTY)
            return false;
    }
    return true;
}

static uint64_t patterns_at(unsigned code)
{
    uint64_t found = 0;
    for (int c = BLACK; c <= WHITE; c++) {
        for (int i = 0; i < ADP_PATTERNS; i++) {
            int len = (int)strlen(adp_patterns[i]);
            if (fits(adp_patterns[i], len, false, (Colour)c, code) ||
                fits(adp_patterns[i], len, true, (Colour)c, code))
                found |= 1ull << (c * ADP_PATTERNS + i);
        }
    }
    return found;
}

int adp_shape_of(unsigned code)
{
    int best[4] = {0};
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        int shape = (int)(code >> 4 * dir & 15), at = dir;
        if (shape == SHAPE_OVERLINE) shape = SHAPE_NONE;
        for (; at > 0 && best[at - 1] < shape; at--) best[at] = best[at - 1];
        best[at] = shape;
    }
    if (best[0] == SHAPE_NONE) return -1;
    if (best[0] == SHAPE_FIVE) return ADP_SHAPES - 1;
    if (best[0] == best[2] && best[0] >= SHAPE_OPEN_ONE && best[0] <= SHAPE_FOUR)
        return 90 + best[0] - SHAPE_OPEN_ONE;
    return (best[0] - 1) * (best[0] + 2) / 2 + best[1];
}

static bool tables_fit(const Kept *kept, const void *key)
{
    (void)kept;
    (void)key;
    return true;
}

static Kept *tables_make(const void *key)
{
    (void)key;
    AdpTables *tables = mem_zero(sizeof *tables);
    for (unsigned code = 0; code < CODES; code++) tables->begins[code] = patterns_at(code);
    for (unsigned code = 0; code < 1 << 16; code++)
        tables->shape[code] = (int8_t)adp_shape_of(code);
    return &tables->kept;
}

static void tables_drop(Kept *kept)
{
    mem_free(kept);
}

bool adp_counts_check(AdpForm form, const Rules *rules, Err *err)
{
    if (form == ADP_FUDAN || rules->k == 5) return true;
    return err_set(err, "the patterns of form=zhao are for five in a row, not %d; use form=fudan",
                   rules->k);
}

void adp_counts_open(AdpCounts *counts, AdpForm form)
{
    static KeptKind kind = {tables_fit, tables_make, tables_drop, NULL};
    *counts = (AdpCounts){.form = form, .kinds = form == ADP_ZHAO ? ADP_PATTERNS : ADP_SHAPES};
    counts->tables = (const AdpTables *)kept_get(&kind, "");
}

/* ---- changes ---- */

typedef struct {
    int16_t of[COLOUR_COUNT][ADP_KINDS_MAX];
} Sums;

static void take_sums(const Sums *sums, int kinds, AdpChange *change)
{
    change->count = 0;
    for (int c = BLACK; c <= WHITE; c++) {
        for (int i = 0; i < kinds; i++) {
            if (!sums->of[c][i]) continue;
            change->of[change->count].colour = (uint8_t)c;
            change->of[change->count].kind = (uint8_t)i;
            change->of[change->count++].change = sums->of[c][i];
        }
    }
}

/* The cells within REACH of a point along a line; beyond the edge all is wall. The point itself is
 * left out. */
static uint32_t cells_around(const Board *board, Point p, int step)
{
    uint32_t cells = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        Cell cell = CELL_EMPTY;
        for (int i = 1; i <= REACH; i++) {
            if (cell != CELL_WALL) cell = (Cell)board->cell[p + sign * i * step];
            cells |= (uint32_t)cell << 2 * (REACH + sign * i);
        }
    }
    return cells;
}

static void add_patterns(uint64_t found, int by, Sums *sums)
{
    for (; found; found &= found - 1) {
        int i = __builtin_ctzll(found);
        int c = i >= ADP_PATTERNS;
        sums->of[c][i - c * ADP_PATTERNS] = (int16_t)(sums->of[c][i - c * ADP_PATTERNS] + by);
    }
}

/* What a stone at p does to the patterns, whether it is there or not. */
static void pattern_sums(const AdpTables *tables, const Board *board, Point p, Colour colour,
                         Sums *sums)
{
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        uint32_t before = cells_around(board, p, board->grid->step[dir]);
        uint32_t after = before | (uint32_t)(colour + CELL_BLACK) << 2 * REACH;
        for (int i = 0; i <= REACH; i++) {
            uint64_t old = tables->begins[before >> 2 * i & (CODES - 1)];
            uint64_t new = tables->begins[after >> 2 * i & (CODES - 1)];
            add_patterns(old & ~new, -1, sums);
            add_patterns(new & ~old, 1, sums);
        }
    }
}

static void add_shape(const AdpTables *tables, unsigned code, Colour colour, int by, Sums *sums)
{
    int shape = tables->shape[code];
    if (shape >= 0) sums->of[colour][shape] = (int16_t)(sums->of[colour][shape] + by);
}

/* What the newest move of the board did to the shapes of empty points. */
static void shape_sums(const AdpTables *tables, const Board *board, Sums *sums)
{
    const Ply *ply = board_last(board);
    for (uint32_t i = 0; i < ply->count; i++) {
        const Change *was = &ply->changes[i];
        uint32_t now = board->code[was->point];
        for (Colour c = BLACK; c <= WHITE; c++) {
            unsigned old_code = was->code >> 16 * c & 0xffff, new_code = now >> 16 * c & 0xffff;
            if (old_code == new_code) continue;
            add_shape(tables, old_code, c, -1, sums);
            add_shape(tables, new_code, c, 1, sums);
        }
    }
}

void adp_counts_change(const AdpCounts *counts, const Board *board, AdpChange *change)
{
    const Ply *ply = board_last(board);
    Sums sums = {0};
    if (counts->form == ADP_FUDAN)
        shape_sums(counts->tables, board, &sums);
    else if (ply->point != POINT_NONE)
        pattern_sums(counts->tables, board, ply->point, (Colour)ply->colour, &sums);
    take_sums(&sums, counts->kinds, change);
}

void adp_counts_try(const AdpCounts *counts, Board *board, Point p, AdpChange *change)
{
    if (counts->form == ADP_FUDAN) {
        board_play(board, p);
        adp_counts_change(counts, board, change);
        board_undo(board);
        return;
    }
    Sums sums = {0};
    pattern_sums(counts->tables, board, p, board->side, &sums);
    take_sums(&sums, counts->kinds, change);
}

void adp_counts_push(AdpCounts *counts, const Board *board)
{
    AdpChange change;
    adp_counts_change(counts, board, &change);
    for (int i = 0; i < change.count; i++) {
        int16_t *n = &counts->count[change.of[i].colour][change.of[i].kind];
        *n = (int16_t)(*n + change.of[i].change);
    }
}

/* ---- from nothing ---- */

static void count_patterns(const AdpTables *tables, const Board *board, Sums *sums)
{
    const Rules *rules = &board->rules;
    /* A pattern may begin at the edge, which is one cell outside the board. */
    static const int dx[] = {1, 0, 1, -1}, dy[] = {0, 1, 1, 1};
    for (int y = -1; y <= rules->height; y++) {
        for (int x = -1; x <= rules->width; x++) {
            for (int dir = 0; dir < DIR_COUNT; dir++) {
                unsigned code = 0;
                for (int i = 0; i < SPAN; i++) {
                    int cx = x + i * dx[dir], cy = y + i * dy[dir];
                    Cell cell = rules_inside(rules, cx, cy)
                                    ? (Cell)board->cell[rules_point(rules, cx, cy)]
                                    : CELL_WALL;
                    code |= (unsigned)cell << 2 * i;
                }
                add_patterns(tables->begins[code], 1, sums);
            }
        }
    }
}

void adp_counts_reset(AdpCounts *counts, const Board *board)
{
    const Rules *rules = &board->rules;
    Sums sums = {0};
    if (counts->form == ADP_ZHAO) count_patterns(counts->tables, board, &sums);
    for (int i = 0; counts->form == ADP_FUDAN && i < rules->width * rules->height; i++) {
        uint32_t code = board->code[rules_nth(rules, i)];
        add_shape(counts->tables, code & 0xffff, BLACK, 1, &sums);
        add_shape(counts->tables, code >> 16, WHITE, 1, &sums);
    }
    memcpy(counts->count, sums.of, sizeof counts->count);
}
