/* SPDX-License-Identifier: MIT */
/* Swap2 and balanced moves.
 *
 * Whoever may choose a colour takes the better one, so the choice itself is one search. Whoever
 * lets the other choose wants a position as even as can be: each move gets a value of its own (as
 * many lines as there are moves), and the one nearest to even is played. */
#include "app/brain_inside.h"

#include "play/settle.h"
#include "search/score.h"

#include <math.h>

enum {
    OPENINGS_TRIED = 12,
    OPENING_REACH = 3, /* stones of an opening lie in a square of 2·reach + 1 */
    ALL_LINES = BRAIN_STONES_MAX,
};
static const double EVEN_ENOUGH = 0.05; /* for an opening of our own */

/* --- values ---------------------------------------------------------------------------------- */

/* One question of several: `share` of the turn may be over when the answer is there. */
static bool think_quietly(Brain *brain, double share, int lines, Thought *thought, Err *err)
{
    brain_set_board(brain, brain_side(brain));
    const Rules *rules = &brain->board->rules;
    /* On an empty board players look at nothing but the centre, unless it is not to be had. */
    if (lines > 1 && !brain->count)
        brain->avoid[brain->avoid_count++] =
            rules_point(rules, rules->width / 2, rules->height / 2);
    return brain_think(brain, (BrainAsk){.lines = lines, .share = share, .quiet = true}, thought,
                       err);
}

static double value_of(const Thought *thought)
{
    return thought->has_value ? thought->value : 0.5;
}

static bool put_point(Brain *brain, Point p, Err *err)
{
    const Rules *rules = &brain->board->rules;
    return brain_put(brain, rules_x(rules, p), rules_y(rules, p), brain->board->side, err);
}

/* The stones are put. Two stones: the first is the best move, the second makes it even. */
static bool find_balance(Brain *brain, int stones, int64_t bias, double from, Point *points,
                         Err *err)
{
    Thought thought;
    if (bias > SCORE_MATE) bias = SCORE_MATE;
    if (bias < -SCORE_MATE) bias = -SCORE_MATE;
    for (int i = 0; i < stones; i++) {
        bool last = i == stones - 1;
        double share = from + (0.95 - from) * (i + 1) / stones;
        if (!think_quietly(brain, share, last ? ALL_LINES : 1, &thought, err)) return false;
        /* Scores are the mover's: after the second of two stones we are to move, not he. */
        points[i] = last ? settle_nearest(&thought, i ? -bias : bias) : thought.stones[0];
        if (!put_point(brain, points[i], err)) return false;
    }
    return true;
}

void brain_balance(Brain *brain, int stones, int64_t bias)
{
    Point points[2];
    Err err = {0};
    brain->us = brain_side(brain);
    int count = brain->count;
    bool found = find_balance(brain, stones, bias, 0, points, &err);
    if (atomic_load(&brain->quit)) return;
    if (found) {
        brain_say_points(brain, points, stones);
        return;
    }
    while (brain->count > count) {
        const BrainStone *stone = &brain->stones[--brain->count];
        brain->cell[stone->y][stone->x] = CELL_EMPTY;
    }
    brain_error(brain, &err);
}

/* --- openings -------------------------------------------------------------------------------- */

static int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static int near(Brain *brain, int centre, int side)
{
    int off = (int)rng_below(&brain->rng, 2 * OPENING_REACH + 1) - OPENING_REACH;
    return clamp(centre + off, side - 1);
}

/* Three stones somewhere on the board, close to each other. */
static void random_opening(Brain *brain)
{
    int x = (int)rng_below(&brain->rng, (uint32_t)brain->width);
    int y = (int)rng_below(&brain->rng, (uint32_t)brain->height);
    brain_clear(brain);
    while (brain->count < 3) {
        Colour colour = brain->count == 1 ? WHITE : BLACK;
        brain_put(brain, near(brain, x, brain->width), near(brain, y, brain->height), colour, NULL);
    }
}

static void propose(Brain *brain)
{
    BrainStone best[3] = {0};
    double best_off = 2;
    Err err;
    for (int i = 0; i < OPENINGS_TRIED && best_off > EVEN_ENOUGH; i++) {
        Thought thought;
        random_opening(brain);
        bool known = think_quietly(brain, 0.9 * (i + 1) / OPENINGS_TRIED, 1, &thought, &err);
        if (atomic_load(&brain->quit)) return;
        double off = known ? fabs(value_of(&thought) - 0.5) : 1;
        if (off < best_off) {
            best_off = off;
            for (int k = 0; k < 3; k++) best[k] = brain->stones[k];
        }
        if (brain_is_stopped(brain)) break;
    }
    brain_clear(brain);
    for (int k = 0; k < 3; k++) brain_put(brain, best[k].x, best[k].y, best[k].colour, &err);
    brain_say(brain, "%d,%d %d,%d %d,%d", best[0].x, best[0].y, best[1].x, best[1].y, best[2].x,
              best[2].y);
}

/* White is to move: we may stay White and move, or swap; with three stones also put two more. */
static void choose(Brain *brain)
{
    Thought thought;
    Point points[2];
    Err err = {0};
    bool three = brain->count == 3;
    bool done = think_quietly(brain, three ? 0.4 : 0.95, 1, &thought, &err);
    if (atomic_load(&brain->quit)) return;
    double value = value_of(&thought);
    if (!done) {
        brain_error(brain, &err);
    } else if (three && settle_is_even(value) && find_balance(brain, 2, 0, 0.4, points, &err)) {
        brain_say_points(brain, points, 2);
    } else if (atomic_load(&brain->quit)) {
        return;
    } else if (value < 0.5) {
        brain->us = BLACK;
        brain_say(brain, "SWAP");
    } else {
        brain->us = WHITE;
        put_point(brain, thought.stones[0], &err);
        brain_say_points(brain, thought.stones, 1);
    }
}

/* The stones come in the order in which they were put; the fields say nothing that counts. */
void brain_swap2(Brain *brain)
{
    int count = brain->entry_count;
    Err err;
    if (count != 0 && count != 3 && count != 5) {
        brain_say(brain, "ERROR swap2 has no, three or five stones, not %d", count);
        return;
    }
    for (int i = 0; i < count; i++) brain->entries[i].field = i % 2 ? 2 : 1;
    if (!brain_set_entries(brain, &err)) {
        brain_error(brain, &err);
    } else if (count) {
        choose(brain);
    } else {
        propose(brain);
    }
}
