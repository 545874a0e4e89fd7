/* SPDX-License-Identifier: MIT */
/* Patterns kept from move to move: see pattern_count.h. */
#include "eval/pattern_count.h"

#include "base/mem.h"

#include <string.h>

/* How far a stone reaches in its line. A row of k that begins at s is outdone by rows that share
 * a point with it, so it depends on cells s − (k−1) … s + 2(k−1). Lines begin at s, or at s − 1. */
#define LINES_BEFORE(k) (2 * (k)-1) /* lines that may change begin this far before the stone … */
#define LINES_AFTER(k)  ((k)-1)     /* … to this far behind it */
#define CELLS_BEFORE(k) (3 * (k)-2) /* cells that these depend on */
#define CELLS_AFTER(k)  (3 * (k)-2)
enum { SPAN_MAX = 6 * WIN_MAX }; /* cells at most; a mask has 64 bits */

enum { SHORT, LONG, LENGTHS }; /* lines of k and of k + 1 cells */

/* A line as patterns have it. */
typedef struct {
    PatternLine line;
    bool turned, symmetric;
} Face;

/* A pattern of the book: one entry of the flat table. */
typedef struct {
    uint32_t key; /* 0: free */
    int score;
    uint16_t count[COLOUR_COUNT]; /* times on the board */
} Slot;

struct PatternCount {
    const Grid *grid;
    int k, area;
    uint8_t *cell;      /* by Point */
    PatternLine *lines; /* see line_at */
    uint32_t *through;  /* see through_at */
    int sum[COLOUR_COUNT];
    Slot *slots;
    uint32_t mask; /* number of slots − 1 */
    Face face[PATTERN_LINES];
};

/* The line of a colour that begins at p; 0: none. */
static PatternLine *line_at(const PatternCount *c, Colour colour, int dir, int length, Point p)
{
    return &c->lines[(((size_t)colour * DIR_COUNT + (size_t)dir) * LENGTHS + (size_t)length) *
                         (size_t)c->area +
                     p];
}

/* Bit i of its low or high half is set if p is cell i of a short or of a long line. */
static uint32_t *through_at(const PatternCount *c, Colour colour, int dir, Point p)
{
    return &c->through[((size_t)colour * DIR_COUNT + (size_t)dir) * (size_t)c->area + p];
}

/* ---- the flat table ---- */

static Slot *slot_of(const PatternCount *c, uint32_t key)
{
    uint32_t i = (key * 0x9e3779b1u >> 7) & c->mask;
    while (c->slots[i].key && c->slots[i].key != key) i = (i + 1) & c->mask;
    return &c->slots[i];
}

static void fill_slots(PatternCount *c, const PatternBook *book)
{
    uint32_t size = 64;
    while (size < 4 * (uint32_t)book->count) size *= 2;
    c->mask = size - 1;
    c->slots = mem_zero(size * sizeof *c->slots);
    for (int i = 0; i < book->count; i++) {
        uint32_t key = pattern_key(&book->rows[i].pattern);
        Slot *slot = slot_of(c, key);
        slot->key = key;
        slot->score = pattern_book_score(book, &book->rows[i].pattern);
    }
}

static void count_pattern(PatternCount *c, Colour colour, uint32_t key, int change)
{
    Slot *slot = slot_of(c, key);
    if (!slot->key) return;
    uint16_t *count = &slot->count[colour];
    if (change < 0) (*count)--;
    if (*count == 0) c->sum[colour] += change * slot->score;
    if (change > 0) (*count)++;
}

/* ---- lines that come and go ---- */

static uint32_t half_key(const PatternCount *c, PatternLine line, int at)
{
    const Face *face = &c->face[line];
    int far = pattern_line_len(line) - 1 - at;
    if (face->turned || (face->symmetric && far < at)) at = far;
    return (uint32_t)face->line << 4 | (uint32_t)at;
}

static void count_crossings(PatternCount *c, Colour colour, uint32_t own, int dir, Point p,
                            int change)
{
    uint32_t bits = *through_at(c, colour, dir, p);
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctz(bits), length = bit >> 4, at = bit & 15;
        Point start = (Point)(p - at * c->grid->step[dir]);
        uint32_t other = half_key(c, *line_at(c, colour, dir, length, start), at);
        count_pattern(c, colour, own > other ? own << 16 | other : other << 16 | own, change);
    }
}

/* Counts a line with all it crosses; change is 1 or −1. */
static void count_line(PatternCount *c, Colour colour, int dir, Point start, PatternLine line,
                       int change)
{
    int len = pattern_line_len(line);
    count_pattern(c, colour, (uint32_t)c->face[line].line << 20, change);
    for (int i = 0; i < len; i++) {
        Point p = (Point)(start + i * c->grid->step[dir]);
        uint32_t own = half_key(c, line, i);
        for (int other = 0; other < DIR_COUNT; other++)
            if (other != dir) count_crossings(c, colour, own, other, p, change);
    }
}

static void set_line(PatternCount *c, Colour colour, int dir, int length, Point start,
                     PatternLine line)
{
    PatternLine *at = line_at(c, colour, dir, length, start);
    if (*at == line) return;
    if (*at) count_line(c, colour, dir, start, *at, -1);
    if (line) count_line(c, colour, dir, start, line, 1);
    if (!*at != !line)
        for (int i = 0; i < c->k + length; i++)
            *through_at(c, colour, dir, (Point)(start + i * c->grid->step[dir])) ^=
                1u << (16 * length + i);
    *at = line;
}

/* ---- one line of the board around a stone ---- */

/* Cells CELLS_BEFORE … CELLS_AFTER of a point; bit CELLS_BEFORE is the point. */
typedef struct {
    int first, end; /* cells that are on the board: first ≤ i < end */
    uint64_t stones[COLOUR_COUNT];
} Span;

static Span span_of(const PatternCount *c, Point p, int step)
{
    int centre = CELLS_BEFORE(c->k), end = centre + CELLS_AFTER(c->k) + 1;
    Span span = {centre, centre, {0}};
    while (span.first > 0 && c->cell[p + (span.first - 1 - centre) * step] != CELL_WALL)
        span.first--;
    while (span.end < end && c->cell[p + (span.end - centre) * step] != CELL_WALL) span.end++;
    for (int i = span.first; i < span.end; i++) {
        uint8_t cell = c->cell[p + (i - centre) * step];
        if (cell != CELL_EMPTY) span.stones[cell - 1] |= 1ull << i;
    }
    return span;
}

/* Stones in each row of k cells by its first cell; 0 where there is none that counts. Returns false
 * if there is none at all. */
static bool count_rows(const PatternCount *c, const Span *span, Colour colour,
                       uint8_t rows[SPAN_MAX])
{
    uint64_t row = (1ull << c->k) - 1, own = span->stones[colour];
    uint64_t opp = span->stones[colour_other(colour)];
    bool any = false;
    memset(rows, 0, SPAN_MAX);
    for (int s = span->first; s + c->k <= span->end; s++) {
        if (opp >> s & row) continue;
        int stones = __builtin_popcountll(own >> s & row);
        if (stones < 2) continue;
        rows[s] = (uint8_t)stones;
        any = true;
    }
    return any;
}

static bool is_outdone(const uint8_t *rows, int s, int k)
{
    int from = s - (k - 1) > 0 ? s - (k - 1) : 0, to = s + k - 1;
    for (int i = from; i <= to && i < SPAN_MAX; i++)
        if (rows[i] > rows[s]) return true;
    return false;
}

static PatternLine cut(uint64_t own, int s, int len)
{
    return pattern_line((unsigned)(own >> s & ((1ull << len) - 1)), len);
}

/* The lines that row s gives, written where they begin. */
static void extend(const PatternCount *c, const Span *span, Colour colour, int s,
                   PatternLine lines[LENGTHS][SPAN_MAX])
{
    int k = c->k;
    uint64_t own = span->stones[colour], taken = own | span->stones[colour_other(colour)];
    bool before = s > span->first && !(taken >> (s - 1) & 1) && !(own >> (s + k - 1) & 1);
    bool after = s + k < span->end && !(taken >> (s + k) & 1) && !(own >> s & 1);
    if (before) lines[LONG][s - 1] = cut(own, s - 1, k + 1);
    if (after) lines[LONG][s] = cut(own, s, k + 1);
    if (!before && !after) lines[SHORT][s] = cut(own, s, k);
}

/* Finds the lines of one direction and colour around p anew. */
static void refresh(PatternCount *c, const Span *span, Colour colour, int dir, Point p)
{
    int k = c->k, centre = CELLS_BEFORE(k), step = c->grid->step[dir];
    int from = centre - LINES_BEFORE(k), to = centre + LINES_AFTER(k);
    uint8_t rows[SPAN_MAX];
    PatternLine lines[LENGTHS][SPAN_MAX];
    memset(lines, 0, sizeof lines);
    if (count_rows(c, span, colour, rows))
        for (int s = from; s <= to + 1; s++)
            if (rows[s] && rows[s] < k && !is_outdone(rows, s, k))
                extend(c, span, colour, s, lines);
    if (from < span->first) from = span->first;
    if (to >= span->end) to = span->end - 1;
    for (int s = from; s <= to; s++)
        for (int length = 0; length < LENGTHS; length++)
            set_line(c, colour, dir, length, (Point)(p + (s - centre) * step), lines[length][s]);
}

/* Can a change of p, by a stone of `mover`, change lines of the colour? A row of it that holds p,
 * or ends next to it, has two stones within k of p, p itself counted. */
static bool is_touched(const PatternCount *c, const Span *span, Colour colour, Colour mover)
{
    int centre = CELLS_BEFORE(c->k);
    uint64_t near = ((1ull << (2 * c->k + 1)) - 1) << (centre - c->k);
    uint64_t others = span->stones[colour] & near & ~(1ull << centre);
    return colour == mover ? others != 0 : (others & (others - 1)) != 0;
}

static void change_cell(PatternCount *c, Point p, uint8_t cell)
{
    Colour mover = (Colour)((cell ? cell : c->cell[p]) - 1);
    c->cell[p] = cell;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        Span span = span_of(c, p, c->grid->step[dir]);
        for (int colour = 0; colour < COLOUR_COUNT; colour++)
            if (is_touched(c, &span, (Colour)colour, mover))
                refresh(c, &span, (Colour)colour, dir, p);
    }
}

/* ---- the whole ---- */

PatternCount *pattern_count_open(const Rules *rules, const PatternBook *book)
{
    PatternCount *c = mem_zero(sizeof *c);
    c->grid = grid_get(rules);
    c->k = rules->k;
    c->area = rules_area(rules);
    size_t area = (size_t)c->area;
    c->cell = mem_zero(area);
    c->lines = mem_zero(COLOUR_COUNT * DIR_COUNT * LENGTHS * area * sizeof *c->lines);
    c->through = mem_zero(COLOUR_COUNT * DIR_COUNT * area * sizeof *c->through);
    for (int line = 1; line < PATTERN_LINES; line++) {
        Face *face = &c->face[line];
        face->line = pattern_line_turn((PatternLine)line, &face->turned);
        face->symmetric = pattern_line_reversed((PatternLine)line) == line;
    }
    fill_slots(c, book);
    return c;
}

void pattern_count_close(PatternCount *c)
{
    if (!c) return;
    mem_free(c->cell);
    mem_free(c->lines);
    mem_free(c->through);
    mem_free(c->slots);
    mem_free(c);
}

void pattern_count_reset(PatternCount *c, const Board *board)
{
    size_t area = (size_t)c->area;
    memset(c->lines, 0, COLOUR_COUNT * DIR_COUNT * LENGTHS * area * sizeof *c->lines);
    memset(c->through, 0, COLOUR_COUNT * DIR_COUNT * area * sizeof *c->through);
    memset(c->sum, 0, sizeof c->sum);
    for (uint32_t i = 0; i <= c->mask; i++) memset(c->slots[i].count, 0, sizeof c->slots[i].count);
    const Rules *rules = &board->rules;
    memset(c->cell, CELL_WALL, area);
    int points = rules->width * rules->height;
    for (int i = 0; i < points; i++) c->cell[rules_nth(rules, i)] = CELL_EMPTY;
    for (int i = 0; i < points; i++) {
        Point p = rules_nth(rules, i);
        if (!board_is_empty(board, p)) change_cell(c, p, board->cell[p]);
    }
}

void pattern_count_push(PatternCount *c, const Board *board)
{
    Point p = board_last_point(board);
    if (p != POINT_NONE) change_cell(c, p, board->cell[p]);
}

void pattern_count_pop(PatternCount *c, const Board *board)
{
    Point p = board_last_point(board);
    if (p != POINT_NONE) change_cell(c, p, CELL_EMPTY);
}

int pattern_count_value(const PatternCount *c, Colour colour)
{
    return c->sum[colour] - c->sum[colour_other(colour)];
}

bool pattern_count_has(const PatternCount *c, const Pattern *pattern, Colour colour)
{
    const Slot *slot = slot_of(c, pattern_key(pattern));
    return slot->key && slot->count[colour] > 0;
}
