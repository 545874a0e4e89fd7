/* SPDX-License-Identifier: MIT */
/* Stones are tried on the board itself and taken back; a Ray is a point with a line through it, and
 * every offset counts from that point. Clear before fast: the only short cuts are lines with too
 * few black stones near, and single threes, which forbid nothing. */
#include "rif.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

enum { DIRECTIONS = 4 };
static const int STEP[DIRECTIONS][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

/* A point seen from another along one line. */
typedef struct {
    int x, y, dir;
} Ray;

/* What stands d steps along; '#' off the board. */
static char cell_at(const RifBoard *b, Ray r, int d)
{
    int x = r.x + d * STEP[r.dir][0], y = r.y + d * STEP[r.dir][1];
    if (x < 0 || y < 0 || x >= b->width || y >= b->height) return '#';
    return b->cell[y][x];
}

static void cell_set(RifBoard *b, Ray r, int d, char c)
{
    b->cell[r.y + d * STEP[r.dir][1]][r.x + d * STEP[r.dir][0]] = c;
}

/* The unbroken black row through the stone d steps along, as first and last offset. */
typedef struct {
    int first, last;
} Row;

static Row row_through(const RifBoard *b, Ray r, int d)
{
    Row row = {d, d};
    while (cell_at(b, r, row.first - 1) == 'X') row.first--;
    while (cell_at(b, r, row.last + 1) == 'X') row.last++;
    return row;
}

static int row_length(Row row)
{
    return row.last - row.first + 1;
}

/* The row of stones that a black stone d steps along makes; the point must be empty. */
static Row row_if_added(RifBoard *b, Ray r, int d)
{
    cell_set(b, r, d, 'X');
    Row row = row_through(b, r, d);
    cell_set(b, r, d, '.');
    return row;
}

static bool makes_five(RifBoard *b, Ray r, int d)
{
    return cell_at(b, r, d) == '.' && row_length(row_if_added(b, r, d)) == 5;
}

/* Black stones within four steps of r: a line with too few can hold neither four nor three. */
static int stones_near(const RifBoard *b, Ray r)
{
    int n = 0;
    for (int d = -4; d <= 4; d++) n += cell_at(b, r, d) == 'X';
    return n;
}

/* Distinct fours of one line that hold the stone at r. Two completing points belong to one four
 * exactly when they complete the same four stones (a straight four). A four is named by its five
 * squares less the completing point, as a set of offsets −4 … 4. */
static int count_fours(RifBoard *b, Ray r)
{
    unsigned seen[9];
    int n = 0;
    if (stones_near(b, r) < 4) return 0;
    for (int d = -4; d <= 4; d++) {
        if (cell_at(b, r, d) != '.') continue;
        Row row = row_if_added(b, r, d);
        if (row_length(row) != 5 || row.first > 0 || row.last < 0) continue;
        unsigned four = 0;
        for (int i = row.first; i <= row.last; i++)
            if (i != d) four |= 1u << (i + 4);
        bool known = false;
        for (int i = 0; i < n; i++) known |= seen[i] == four;
        if (!known) seen[n++] = four;
    }
    return n;
}

/* Does a stone d steps along make a straight four with the stone at r in it? Geometry alone. */
static bool makes_straight_four(RifBoard *b, Ray r, int d)
{
    if (cell_at(b, r, d) != '.') return false;
    cell_set(b, r, d, 'X');
    Row row = row_through(b, r, d);
    bool straight = row_length(row) == 4 && row.first <= 0 && row.last >= 0 &&
                    makes_five(b, r, row.first - 1) && makes_five(b, r, row.last + 1);
    cell_set(b, r, d, '.');
    return straight;
}

static RifVerdict judge(RifBoard *b, int x, int y, RifTrace *trace);

static bool is_apparent_three(RifBoard *b, Ray r)
{
    if (stones_near(b, r) < 3) return false;
    for (int d = -3; d <= 3; d++)
        if (makes_straight_four(b, r, d)) return true;
    return false;
}

/* One line never holds two threes of the same stone: the four squares of the second would have to
 * begin inside the first, and then an end of one straight four touches a stone of the other. */
static bool is_three(RifBoard *b, Ray r, int *depth)
{
    bool three = false;
    for (int d = -3; d <= 3; d++) {
        if (!makes_straight_four(b, r, d)) continue;
        RifTrace deeper;
        /* RIF_FIVE is refused as well: "without at the same time a five in a row is made". */
        if (judge(b, r.x + d * STEP[r.dir][0], r.y + d * STEP[r.dir][1], &deeper) == RIF_LEGAL)
            three = true;
        if (deeper.depth + 1 > *depth) *depth = deeper.depth + 1;
        if (three) break;
    }
    return three;
}

static RifVerdict judge_placed(RifBoard *b, int x, int y, RifTrace *trace)
{
    bool five = false;
    int fours = 0;
    for (int dir = 0; dir < DIRECTIONS; dir++) {
        Ray r = {x, y, dir};
        int length = row_length(row_through(b, r, 0));
        if (length > 5) trace->overline = 1;
        five |= length == 5;
    }
    if (five) return RIF_FIVE;
    for (int dir = 0; dir < DIRECTIONS; dir++) fours += count_fours(b, (Ray){x, y, dir});
    if (fours >= 2) return RIF_DOUBLE_FOUR;

    bool apparent[DIRECTIONS];
    for (int dir = 0; dir < DIRECTIONS; dir++) {
        apparent[dir] = is_apparent_three(b, (Ray){x, y, dir});
        trace->apparent_threes += apparent[dir];
    }
    /* A single three harms nobody, so its point need not be judged. */
    if (trace->apparent_threes >= 2) {
        for (int dir = 0; dir < DIRECTIONS; dir++)
            if (apparent[dir]) trace->real_threes += is_three(b, (Ray){x, y, dir}, &trace->depth);
        if (trace->real_threes >= 2) return RIF_DOUBLE_THREE;
    }
    return trace->overline ? RIF_OVERLINE : RIF_LEGAL;
}

static RifVerdict judge(RifBoard *b, int x, int y, RifTrace *trace)
{
    assert(b->cell[y][x] == '.');
    *trace = (RifTrace){0};
    b->cell[y][x] = 'X';
    RifVerdict verdict = judge_placed(b, x, y, trace);
    b->cell[y][x] = '.';
    return verdict;
}

RifVerdict rif_forbidden(const RifBoard *board, int x, int y, RifTrace *trace)
{
    RifBoard scratch = *board;
    RifTrace own;
    return judge(&scratch, x, y, trace ? trace : &own);
}

int rif_is_fake(RifVerdict verdict, const RifTrace *trace)
{
    return verdict == RIF_LEGAL && trace->apparent_threes >= 2;
}

const char *rif_name(RifVerdict verdict)
{
    static const char *const NAMES[] = {"ok", "five", "44", "33", "6"};
    return NAMES[verdict];
}
