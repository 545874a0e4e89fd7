/* SPDX-License-Identifier: MIT */
/* The ADP critics: how a position looks to whoever has just moved, as the chance that he wins.
 *
 * Inputs, "own" being his who has just moved:
 *
 *   zhao    for each colour (own first) and each of 19 patterns five inputs by Table 1: 1 for each
 *           one up to the fourth, then (n − 4)/2; one input for five in a row: 2 · (19 · 5 + 1);
 *           for each pattern of each colour that is there whose turn it is: its owner's or the
 *           other's: 2 · 20 · 2; who began: 2.                                        274 in all
 *   fudan   for each of 100 shapes the points of both colours, as logarithms: 2; and whose turn it
 *           is, own or the other's, if either colour has the shape: 2; who began: 2.  402 in all
 *
 * A move is judged by what it leads to; what it changes in the counts changes a few inputs, and the
 * sums of the hidden units are kept for the rest. */
#pragma once

#include "base/rng.h"
#include "eval/features_adp.h"
#include "eval/mlp.h"
#include "eval/params.h"

enum { ADP_ZHAO_INPUTS = 274, ADP_FUDAN_INPUTS = 402, ADP_INPUTS_MAX = ADP_FUDAN_INPUTS };

typedef struct {
    AdpForm form;
    Mlp net;
} AdpCritic;

void adp_critic_open(AdpCritic *critic, AdpForm form, int hidden); /* all weights 0 */
void adp_critic_close(AdpCritic *critic);

/* The inputs of the position as `own` sees it when it is `turn`'s turn; room for ADP_INPUTS_MAX.
 * Returns how many are not 0. */
int adp_critic_look(const AdpCritic *critic, const AdpCounts *counts, Colour own, Colour turn,
                    MlpInput *inputs);

typedef struct {
    Point point;
    float value; /* for the mover; 2 completes a row */
} AdpMove;

/* The legal moves near stones with their values, in reading order, at most `room`; the middle of an
 * empty board. `board` is played on and left as it was. */
int adp_critic_moves(const AdpCritic *critic, const AdpCounts *counts, Board *board, AdpMove *moves,
                     int room);
/* The best of them; the last one found where several are alike. POINT_NONE: there is none. */
Point adp_critic_choose(const AdpCritic *critic, const AdpCounts *counts, Board *board,
                        const Point *blocked, int blocked_count, float *value);

void adp_critic_put(const AdpCritic *critic, Params *params);
bool adp_critic_get(AdpCritic *critic, const Params *params, const char *name, Err *err);
