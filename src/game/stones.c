/* SPDX-License-Identifier: MIT */
/* A row is followed outwards from a stone, bit by bit: on a random board it ends after a step or
 * two, so eight such walks cost less than any table. Only the questions about the whole board use
 * shifts of whole words. Nothing here allocates after stones_open. */
#include "game/stones.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void stones_open(Stones *stones, const Rules *rules)
{
    int area = rules_area(rules), count = rules->width * rules->height;
    *stones = (Stones){.rules = *rules, .point_count = count};
    /* Two words more than the area needs: a row test reads whole words from any bit of it. */
    stones->words = area / 64 + 3;
    size_t bits_size = (size_t)stones->words * sizeof(uint64_t);
    stones->block_size =
        COLOUR_COUNT * bits_size + (size_t)count * sizeof(Point) + (size_t)area * sizeof(uint16_t);
    stones->block = mem_lines(stones->block_size);
    stones->bits[BLACK] = stones->block;
    stones->bits[WHITE] = stones->bits[BLACK] + stones->words;
    stones->points = (Point *)(stones->bits[WHITE] + stones->words);
    stones->place = stones->points + count;
    stones_clear(stones);
}

void stones_close(Stones *stones)
{
    mem_free(stones->block);
    *stones = (Stones){0};
}

void stones_clear(Stones *stones)
{
    memset(stones->block, 0, stones->block_size);
    stones->empty_count = stones->point_count;
    for (int i = 0; i < stones->point_count; i++) {
        Point p = rules_nth(&stones->rules, i);
        stones->points[i] = p;
        stones->place[p] = (uint16_t)i;
    }
}

void stones_copy(Stones *to, const Stones *from)
{
    assert(to->rules.width == from->rules.width && to->rules.height == from->rules.height &&
           to->rules.k == from->rules.k);
    memcpy(to->block, from->block, from->block_size);
    to->rules = from->rules;
    to->empty_count = from->empty_count;
}

static void points_swap(Stones *s, int i, int j)
{
    Point p = s->points[i], q = s->points[j];
    s->points[i] = q;
    s->points[j] = p;
    s->place[q] = (uint16_t)i;
    s->place[p] = (uint16_t)j;
}

/* Plays the i-th empty point. */
static void play_nth(Stones *s, Colour colour, int i)
{
    Point p = s->points[i];
    points_swap(s, i, --s->empty_count);
    s->bits[colour][p >> 6] |= 1ull << (p & 63);
}

void stones_play(Stones *stones, Colour colour, Point p)
{
    assert(stones_cell(stones, p) == CELL_EMPTY);
    assert(stones->points[stones->place[p]] == p);
    play_nth(stones, colour, stones->place[p]);
}

void stones_remove(Stones *stones, Point p)
{
    assert(stones_cell(stones, p) != CELL_EMPTY);
    points_swap(stones, stones->place[p], stones->empty_count++);
    stones->bits[BLACK][p >> 6] &= ~(1ull << (p & 63));
    stones->bits[WHITE][p >> 6] &= ~(1ull << (p & 63));
}

/* Stones of the row from p on, p not counted, along a step. Rows end in the margin at the latest.
 */
static inline int run_length(const uint64_t *bits, int p, int step)
{
    int n = 0;
    for (p += step; bits[p >> 6] >> (p & 63) & 1; p += step) n++;
    return n;
}

bool stones_wins_at(const Stones *stones, Colour colour, Point p)
{
    const uint64_t *own = stones->bits[colour];
    const SideRule *rule = &stones->rules.side[colour];
    int k = stones->rules.k, stride = rules_stride(&stones->rules);
    const int steps[] = {1, stride, stride + 1, stride - 1};
    for (int i = 0; i < 4; i++) {
        int after = run_length(own, p, steps[i]), before = run_length(own, p, -steps[i]);
        int length = before + 1 + after;
        if (length < k) continue;
        if (length > k) {
            if (rule->overline == OVERLINE_WINS) return true;
            continue;
        }
        Colour other = colour_other(colour);
        if (rule->enclosed_dead && stones_has(stones, other, (Point)(p + (after + 1) * steps[i])) &&
            stones_has(stones, other, (Point)(p - (before + 1) * steps[i])))
            continue;
        return true;
    }
    return false;
}

/* 64 bits from any bit on. */
static inline uint64_t bits_from(const uint64_t *bits, int at)
{
    const uint64_t *word = bits + (at >> 6);
    int shift = at & 63;
    return shift ? word[0] >> shift | word[1] << (64 - shift) : word[0];
}

/* Of the 64 points from bit `at` on, those where a row of n begins (goes on, if it is longer). */
static uint64_t row_starts(const uint64_t *bits, int at, int step, int n)
{
    uint64_t starts = bits_from(bits, at);
    for (int i = 1; i < n && starts; i++) starts &= bits_from(bits, at + i * step);
    return starts;
}

/* Shift-and finds the rows of n; which of them win, if that is asked, the point test says. */
static bool row_exists(const Stones *s, Colour colour, int n, bool must_win)
{
    const uint64_t *bits = s->bits[colour];
    int stride = rules_stride(&s->rules);
    const int steps[] = {1, stride, stride + 1, stride - 1};
    int first = rules_point(&s->rules, 0, 0) & ~63;
    int last = rules_point(&s->rules, s->rules.width - 1, s->rules.height - 1);
    for (int at = first; at <= last; at += 64) {
        for (int i = 0; i < 4; i++) {
            uint64_t starts = row_starts(bits, at, steps[i], n);
            if (!must_win && starts) return true;
            for (; starts; starts &= starts - 1)
                if (stones_wins_at(s, colour, (Point)(at + __builtin_ctzll(starts)))) return true;
        }
    }
    return false;
}

bool stones_has_row(const Stones *stones, Colour colour, int n)
{
    assert(n >= 1 && n <= stones->rules.k);
    return row_exists(stones, colour, n, false);
}

bool stones_has_won(const Stones *stones, Colour colour)
{
    return row_exists(stones, colour, stones->rules.k, true);
}

Point stones_pick(const Stones *stones, Rng *rng)
{
    assert(stones->empty_count > 0);
    return stones->points[rng_below(rng, (uint32_t)stones->empty_count)];
}

Colour stones_rollout(Stones *stones, Colour side, Rng *rng)
{
    for (; stones->empty_count > 0; side = colour_other(side)) {
        int i = (int)rng_below(rng, (uint32_t)stones->empty_count);
        Point p = stones->points[i];
        play_nth(stones, side, i);
        if (stones_wins_at(stones, side, p)) return side;
    }
    return COLOUR_COUNT;
}
