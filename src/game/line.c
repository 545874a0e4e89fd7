/* SPDX-License-Identifier: MIT */
#include "game/line.h"

#include "base/mem.h"

#include <assert.h>
#include <stddef.h>

/* --- the classifier --------------------------------------------------------------------------
 *
 * There are k rows of k cells that contain the centre. A row is alive when nothing of the other
 * side lies in it and completing it would win. What is missing in the best living rows decides the
 * level; whether it is open is found by playing each point that helps and looking one level up. */

typedef struct {
    const SideRule *rule;
    int k;
    uint32_t blocked; /* walls and the other side's stones */
    uint32_t opp;
} Line;

static inline uint32_t row_cells(const Line *line, int row)
{
    return ((1u << line->k) - 1) << (row + 1);
}

static bool row_lives(const Line *line, uint32_t own, int row)
{
    uint32_t ends = 1u << row | 1u << (row + 1 + line->k);
    if (row_cells(line, row) & line->blocked) return false;
    if (line->rule->overline != OVERLINE_WINS && (own & ends)) return false;
    return !(line->rule->enclosed_dead && (line->opp & ends) == ends);
}

/* The empty cells of all living rows that lack exactly `missing` stones. */
static uint32_t row_gaps(const Line *line, uint32_t own, int missing)
{
    uint32_t gaps = 0;
    for (int row = 0; row < line->k; row++) {
        uint32_t empty = row_cells(line, row) & ~own;
        if (__builtin_popcount(empty) == missing && row_lives(line, own, row)) gaps |= empty;
    }
    return gaps;
}

static int fewest_missing(const Line *line, uint32_t own)
{
    int fewest = 2 * WIN_MAX; /* no living row */
    for (int row = 0; row < line->k; row++) {
        int missing = __builtin_popcount(row_cells(line, row) & ~own);
        if (missing < fewest && row_lives(line, own, row)) fewest = missing;
    }
    return fewest;
}

static int run_length(const Line *line, uint32_t own)
{
    int length = 1;
    for (int i = line->k - 1; i >= 0 && own >> i & 1; i--) length++;
    for (int i = line->k + 1; i <= 2 * line->k && own >> i & 1; i++) length++;
    return length;
}

/* Where enclosed rows are dead, taking one end can kill the five at the other end too. */
static bool survives_a_block(const Line *line, uint32_t own, uint32_t fives)
{
    if (!line->rule->enclosed_dead) return true;
    for (uint32_t rest = fives; rest; rest &= rest - 1) {
        uint32_t block = rest & -rest;
        Line after = *line;
        after.blocked |= block;
        after.opp |= block;
        if (!row_gaps(&after, own, 1)) return false;
    }
    return true;
}

static Shape four_shape(const Line *line, uint32_t own)
{
    uint32_t fives = row_gaps(line, own, 1);
    if (!fives) return SHAPE_NONE;
    if (!(fives & (fives - 1)) || !survives_a_block(line, own, fives)) return SHAPE_FOUR;
    int distance = 31 - __builtin_clz(fives) - __builtin_ctz(fives);
    return distance == line->k ? SHAPE_OPEN_FOUR : SHAPE_DOUBLE_FOUR;
}

static Shape three_shape(const Line *line, uint32_t own)
{
    uint32_t gaps = row_gaps(line, own, 2);
    if (!gaps) return SHAPE_NONE;
    int open = 0;
    for (; gaps; gaps &= gaps - 1) {
        Shape four = four_shape(line, own | (gaps & -gaps));
        open += four == SHAPE_OPEN_FOUR || (four == SHAPE_DOUBLE_FOUR && !line->rule->fouls);
    }
    return open > 1 ? SHAPE_OPEN_THREE_TWIN : open ? SHAPE_OPEN_THREE : SHAPE_THREE;
}

static Shape two_shape(const Line *line, uint32_t own)
{
    uint32_t gaps = row_gaps(line, own, 3);
    if (!gaps) return SHAPE_NONE;
    int open = 0;
    for (; gaps; gaps &= gaps - 1)
        open += three_shape(line, own | (gaps & -gaps)) >= SHAPE_OPEN_THREE;
    if (open >= 4) return SHAPE_OPEN_TWO_FULL;
    if (open == 3) return SHAPE_OPEN_TWO_WIDE;
    return open ? SHAPE_OPEN_TWO : SHAPE_TWO;
}

static Shape one_shape(const Line *line, uint32_t own)
{
    for (uint32_t gaps = row_gaps(line, own, 4); gaps; gaps &= gaps - 1)
        if (two_shape(line, own | (gaps & -gaps)) >= SHAPE_OPEN_TWO) return SHAPE_OPEN_ONE;
    return SHAPE_ONE;
}

Shape line_shape(const SideRule *rule, int k, Window window)
{
    Line line = {rule, k, window.opp | window.wall, window.opp};
    uint32_t own = window.own | 1u << k;
    if (rule->overline != OVERLINE_WINS && run_length(&line, own) > k) return SHAPE_OVERLINE;
    switch (fewest_missing(&line, own)) {
    case 0:
        return SHAPE_FIVE;
    case 1:
        return four_shape(&line, own);
    case 2:
        return three_shape(&line, own);
    case 3:
        return two_shape(&line, own);
    case 4:
        return one_shape(&line, own);
    default:
        return SHAPE_NONE;
    }
}

const char *shape_name(Shape shape)
{
    static const char *const names[SHAPE_COUNT] = {"none",
                                                   "one",
                                                   "open one",
                                                   "two",
                                                   "open two",
                                                   "open two (wide)",
                                                   "open two (full)",
                                                   "three",
                                                   "open three",
                                                   "open three (twin)",
                                                   "four",
                                                   "double four",
                                                   "open four",
                                                   "five",
                                                   "overline"};
    return names[shape];
}

/* --- the combined class ---------------------------------------------------------------------- */

Class line_class(unsigned code, bool fouls)
{
    int n[SHAPE_COUNT + 1] = {0};
    for (int dir = 0; dir < 4; dir++) n[code >> 4 * dir & 15]++;
    int open_fours = n[SHAPE_OPEN_FOUR];
    int fours = n[SHAPE_FOUR] + open_fours + 2 * n[SHAPE_DOUBLE_FOUR];
    int open_threes = n[SHAPE_OPEN_THREE] + n[SHAPE_OPEN_THREE_TWIN];
    int threes = n[SHAPE_THREE];
    int open_twos = n[SHAPE_OPEN_TWO] + n[SHAPE_OPEN_TWO_WIDE] + n[SHAPE_OPEN_TWO_FULL];
    int twos = n[SHAPE_TWO];

    if (n[SHAPE_FIVE]) return CLASS_FIVE;
    if (fouls && (n[SHAPE_OVERLINE] || fours >= 2 || open_threes >= 2)) return CLASS_FOUL;
    if (open_fours) return CLASS_OPEN_FOUR;
    if (fours >= 2) return CLASS_DOUBLE_FOUR;
    if (fours) {
        return open_threes ? CLASS_FOUR_OPEN_THREE
               : threes    ? CLASS_FOUR_THREE
               : open_twos ? CLASS_FOUR_OPEN_TWO
               : twos      ? CLASS_FOUR_TWO
                           : CLASS_FOUR;
    }
    if (open_threes >= 2) return CLASS_DOUBLE_OPEN_THREE;
    if (open_threes) {
        return threes      ? CLASS_OPEN_THREE_THREE
               : open_twos ? CLASS_OPEN_THREE_OPEN_TWO
               : twos      ? CLASS_OPEN_THREE_TWO
                           : CLASS_OPEN_THREE;
    }
    if (threes) return open_twos ? CLASS_THREE_OPEN_TWO : CLASS_THREE;
    return open_twos ? CLASS_OPEN_TWO : twos ? CLASS_TWO : CLASS_NONE;
}

char class_letter(Class class)
{
    static const char letters[] = ".!NMLKJIHHGFEDDCBBA";
    _Static_assert(sizeof letters == CLASS_COUNT + 1, "one letter per class");
    return letters[class];
}

/* --- the table ------------------------------------------------------------------------------- */

enum { MEMO_UNKNOWN = 0xff };

/* One side of a window as one colour sees it: cells up to the first obstacle. Obstacles differ only
 * in being a stone or not; what lies behind them does not matter. That folds 3280 halves (k = 7)
 * into 510 and makes the table cheap to fill. */
typedef struct {
    uint32_t own; /* bit 0 is the cell next to the centre */
    int open;     /* free cells before the obstacle */
    bool stone;   /* the obstacle is a stone */
} Half;

static Half half_decode(uint32_t half, Colour colour)
{
    int cells = 0;
    uint32_t first = 0, count = 1; /* halves with `cells` cells: first … first + count − 1 */
    while (half >= first + count) {
        first += count;
        count *= 3;
        cells++;
    }
    uint32_t digits = half - first;
    Half out = {0};
    for (int i = 0; i < cells; i++, digits /= 3) {
        unsigned digit = digits % 3;
        if (digit && digit != colour + 1u) {
            out.stone = true;
            break;
        }
        out.own |= (uint32_t)(digit != 0) << i;
        out.open++;
    }
    return out;
}

static int half_fold(Half half)
{
    return 2 * ((1 << half.open) - 1 + (int)half.own) + half.stone;
}

static Window window_from_halves(int k, Half left, Half right)
{
    Window w = {0};
    for (int i = 0; i < k; i++) {
        uint32_t l = 1u << (k - 1 - i), r = 1u << (k + 1 + i);
        if (left.own >> i & 1) w.own |= l;
        if (right.own >> i & 1) w.own |= r;
        if (i == left.open && left.stone)
            w.opp |= l;
        else if (i >= left.open)
            w.wall |= l;
        if (i == right.open && right.stone)
            w.opp |= r;
        else if (i >= right.open)
            w.wall |= r;
    }
    return w;
}

static void table_fill(LineTable *table, Colour colour)
{
    int folds = 2 * ((2 << table->k) - 1);
    Half *unfolded = mem_zero(sizeof *unfolded * (size_t)folds);
    uint16_t *fold = mem_alloc(sizeof *fold * table->halves);
    uint8_t *memo = mem_alloc((size_t)folds * (size_t)folds);
    for (int i = 0; i < folds * folds; i++) memo[i] = MEMO_UNKNOWN;
    for (uint32_t h = 0; h < table->halves; h++) {
        Half half = half_decode(h, colour);
        fold[h] = (uint16_t)half_fold(half);
        unfolded[fold[h]] = half;
    }
    uint8_t *shape = table->shape;
    for (uint32_t left = 0; left < table->halves; left++) {
        for (uint32_t right = 0; right < table->halves; right++, shape++) {
            uint8_t *known = &memo[fold[left] * folds + fold[right]];
            if (*known == MEMO_UNKNOWN) {
                Window w =
                    window_from_halves(table->k, unfolded[fold[left]], unfolded[fold[right]]);
                *known = (uint8_t)line_shape(&table->side[colour], table->k, w);
            }
            *shape |= (uint8_t)(*known << 4 * colour);
        }
    }
    mem_free(memo);
    mem_free(fold);
    mem_free(unfolded);
}

static void table_weights(LineTable *table)
{
    for (int c = 0; c < COLOUR_COUNT; c++) {
        uint32_t power = 1;
        for (int i = 1; i <= table->k; i++, power *= 3) {
            /* For a neighbour to the right the new stone lies on its left, and the other way round.
             */
            table->weight[c][table->k + i] = (uint32_t)(c + 1) * power * table->halves;
            table->weight[c][table->k - i] = (uint32_t)(c + 1) * power;
        }
        table->weight[c][table->k] = (uint32_t)(c + 1) * table->keys;
    }
}

static LineTable *table_make(const Rules *rules)
{
    LineTable *table = mem_lines(sizeof *table);
    table->k = rules->k;
    table->reach = rules->k - 1;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        table->side[c] = rules->side[c];
        if (rules->side[c].overline != OVERLINE_WINS || rules->side[c].enclosed_dead)
            table->reach = rules->k;
        /* A class depends on the shapes and on what is a foul, nothing else. */
        int set = rules->side[c].fouls == rules->side[BLACK].fouls ? BLACK : c;
        table->class_of[c] = table->classes[set];
        for (unsigned code = 0; set == c && code < 1u << 16; code++)
            table->classes[c][code] = (uint8_t)line_class(code, rules->side[c].fouls);
    }
    for (int i = 1; i < CLASS_SLOTS; i++) table->one[i][i] = 1;
    if (rules->k > LINE_WIN_MAX) return table;
    uint32_t power = 1;
    for (int i = 0; i <= rules->k; i++, power *= 3) table->halves += power;
    table->keys = table->halves * table->halves;
    table->shape = mem_zero(table->keys + 1);
    for (int c = 0; c < COLOUR_COUNT; c++) table_fill(table, (Colour)c);
    table_weights(table);
    return table;
}

static bool table_fits(const Kept *kept, const void *key)
{
    const LineTable *table = (const LineTable *)kept;
    const Rules *rules = key;
    return table->k == rules->k && rules_same_sides(table->side, rules->side);
}

static Kept *table_make_kept(const void *key)
{
    return &table_make(key)->kept;
}

static void table_drop(Kept *kept)
{
    mem_free(((LineTable *)kept)->shape);
    mem_free(kept);
}

const LineTable *line_table(const Rules *rules)
{
    static KeptKind tables = {table_fits, table_make_kept, table_drop, NULL};
    return (const LineTable *)kept_get(&tables, rules);
}

Window line_window(const LineTable *table, uint32_t key, Colour colour)
{
    uint32_t half[2] = {key / table->halves, key % table->halves};
    Window w = {0};
    for (int right = 0; right < 2; right++) {
        int cells = 0;
        uint32_t first = 0, count = 1;
        for (; half[right] >= first + count; count *= 3, cells++) first += count;
        uint32_t digits = half[right] - first;
        for (int i = 0; i < table->k; i++, digits /= 3) {
            uint32_t bit = right ? 1u << (table->k + 1 + i) : 1u << (table->k - 1 - i);
            if (i >= cells)
                w.wall |= bit;
            else if (digits % 3 == colour + 1u)
                w.own |= bit;
            else if (digits % 3)
                w.opp |= bit;
        }
    }
    return w;
}
