/* SPDX-License-Identifier: MIT */
/* The points that complete a row or an open four always lie at an end of the row through some stone
 * of theirs. So when a stone is played, the two ends of its row in each direction are looked at
 * and, if they are such points, noted. Stones of the opponent only ever spoil a note: that is seen
 * when it is used, and then it is dropped. Nothing is allocated, nothing scanned. */
#include "search/rollout.h"

enum { NOTES_MAX = 48, STEP_COUNT = 4 };

/* Points that were worth something when they were noted, newest last. */
typedef struct {
    Point points[NOTES_MAX];
    int count;
} Notes;

typedef struct {
    int steps[STEP_COUNT];
    Notes fours[COLOUR_COUNT], threes[COLOUR_COUNT];
} Eye;

static void eye_open(Eye *eye, const Rules *rules)
{
    int stride = rules_stride(rules);
    const int steps[STEP_COUNT] = {1, stride, stride + 1, stride - 1};
    for (int i = 0; i < STEP_COUNT; i++) eye->steps[i] = steps[i];
    for (int c = 0; c < COLOUR_COUNT; c++) eye->fours[c].count = eye->threes[c].count = 0;
}

/* The first point from p along a step that is no stone of the colour. */
static inline int run_end(const uint64_t *own, int p, int step)
{
    for (p += step; own[p >> 6] >> (p & 63) & 1; p += step) continue;
    return p;
}

/* Points of the margin hold no stone but are not empty either: they have no place. */
static inline bool is_empty(const Stones *s, int p)
{
    int place = s->place[p];
    return place < s->empty_count && s->points[place] == p;
}

/* Would a stone at the empty point p be part of an open four, exactly one short and free at both
 * ends? */
static bool makes_open_four(const Stones *s, const Eye *eye, Colour colour, int p)
{
    const uint64_t *own = s->bits[colour];
    for (int i = 0; i < STEP_COUNT; i++) {
        int step = eye->steps[i], after = run_end(own, p, step), before = run_end(own, p, -step);
        if ((after - before) / step == s->rules.k && is_empty(s, after) && is_empty(s, before))
            return true;
    }
    return false;
}

static inline void note(Notes *notes, Point p)
{
    if (notes->count < NOTES_MAX) notes->points[notes->count++] = p;
}

/* What the stone at p has made. */
static void eye_see(Eye *eye, const Stones *s, Colour colour, Point p)
{
    const uint64_t *own = s->bits[colour];
    int three = s->rules.k - 2;
    for (int i = 0; i < STEP_COUNT; i++) {
        for (int sense = -1; sense <= 1; sense += 2) {
            int step = sense * eye->steps[i], end = run_end(own, p, step);
            if (!is_empty(s, end)) continue;
            /* Most stones stand alone: the row that a stone at the end would make says enough. */
            int row = (run_end(own, end, step) - run_end(own, end, -step)) / step - 2;
            if (row < three) continue;
            if (row > three && stones_wins_at(s, colour, (Point)end))
                note(&eye->fours[colour], (Point)end);
            else if (makes_open_four(s, eye, colour, end))
                note(&eye->threes[colour], (Point)end);
        }
    }
}

/* The newest four of the colour that still is one. */
static Point find_four(const Stones *s, Notes *notes, Colour colour)
{
    for (; notes->count > 0; notes->count--) {
        Point p = notes->points[notes->count - 1];
        if (is_empty(s, p) && stones_wins_at(s, colour, p)) return p;
    }
    return POINT_NONE;
}

static Point find_three(const Stones *s, const Eye *eye, Notes *notes, Colour colour)
{
    for (; notes->count > 0; notes->count--) {
        Point p = notes->points[notes->count - 1];
        if (is_empty(s, p) && makes_open_four(s, eye, colour, p)) return p;
    }
    return POINT_NONE;
}

/* POINT_NONE: nothing to be seen. */
static Point eye_move(Eye *eye, const Stones *s, Colour side)
{
    Colour other = colour_other(side);
    Point p = find_four(s, &eye->fours[side], side);
    if (!p) p = find_four(s, &eye->fours[other], other);
    if (!p) p = find_three(s, eye, &eye->threes[side], side);
    if (!p) p = find_three(s, eye, &eye->threes[other], other);
    return p;
}

static void eye_see_all(Eye *eye, const Stones *s)
{
    for (int i = s->point_count - 1; i >= s->empty_count; i--) {
        Point p = s->points[i];
        eye_see(eye, s, stones_has(s, BLACK, p) ? BLACK : WHITE, p);
    }
}

Colour rollout_heuristic(Stones *stones, Colour side, Rng *rng)
{
    Eye eye;
    eye_open(&eye, &stones->rules);
    eye_see_all(&eye, stones);
    for (; stones->empty_count > 0; side = colour_other(side)) {
        Point p = eye_move(&eye, stones, side);
        if (!p) p = stones_pick(stones, rng);
        stones_play(stones, side, p);
        if (stones_wins_at(stones, side, p)) return side;
        eye_see(&eye, stones, side, p);
    }
    return COLOUR_COUNT;
}

Point rollout_move(const Stones *stones, Colour side)
{
    Eye eye;
    eye_open(&eye, &stones->rules);
    eye_see_all(&eye, stones);
    return eye_move(&eye, stones, side);
}
