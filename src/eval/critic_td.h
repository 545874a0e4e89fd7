/* SPDX-License-Identifier: MIT */
/* The critic of the TD(λ) game: how good a move is, seen from what it does to the rows of k.
 *
 * I(m) is the change of the mover's patterns, I(f) what the same move would have been to the
 * opponent. They are one vector for the network, with some credit to the mover. By form:
 *
 *      added    I(m) + I(f), and the credit is added where I(m) is not 0: what its program does
 *      times    credit · I(m) + I(f): what its text says
 *      apart    I(m) and I(f) side by side, twice the inputs: ours
 *      after    the patterns of mover and opponent on the whole board after the move: ours
 *
 * The first three know what a move does but not what else there is, so a forced block looks like
 * any other and the critic learns that who blocks is losing. With the last one two moves of one
 * position differ by what they do alone, and the value is that of a position.
 *
 * k in a row is no input: a move that completes one is worth the most at once, one that takes it
 * from the opponent comes next (by the network among several, in the last form), and only then the
 * network is asked. */
#pragma once

#include "base/rng.h"
#include "eval/features_td.h"
#include "eval/mlp.h"
#include "eval/params.h"

typedef enum { TD_ADDED, TD_TIMES, TD_APART, TD_AFTER, TD_FORM_COUNT } TdForm;
#define TD_FORM_CHOICES "added|times|apart|after"

#define TD_VALUE_FIVE  2.0f /* beyond every value of the network, 0 … 1 */
#define TD_VALUE_BLOCK 1.5f /* or a little more */

typedef struct {
    int k;
    TdForm form;
    double credit;
    Mlp net;
} TdCritic;

/* hidden 0: a quarter of the inputs. All weights 0. */
void td_critic_open(TdCritic *critic, int k, TdForm form, double credit, int hidden);
void td_critic_close(TdCritic *critic);
int td_critic_inputs(int k, TdForm form);

/* The inputs for a move of `colour` at the empty point p; room for the network's inputs. Returns
 * how many are not 0. */
int td_critic_look(const TdCritic *critic, const TdFeatures *features, Point p, Colour colour,
                   MlpInput *inputs);
/* The legal move of the greatest value, by lot among equals; the middle on an empty board.
 * POINT_NONE if there is none. `blocked` points are not played. */
Point td_critic_choose(const TdCritic *critic, const TdFeatures *features, const Board *board,
                       const Point *blocked, int blocked_count, Rng *rng, float *value);

/* What describes it goes into numbers and floats, and comes from there. */
void td_critic_put(const TdCritic *critic, Params *params);
bool td_critic_get(TdCritic *critic, const Params *params, const char *name, Err *err);
