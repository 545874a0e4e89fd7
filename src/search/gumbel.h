/* SPDX-License-Identifier: MIT */
/* Gumbel: a tree search that improves a policy even with a handful of simulations (Danihelka, Guez,
 * Schrittwieser and Silver, "Policy improvement by planning with Gumbel", 2022).
 *
 * At the root, Gumbel noise added to the logits draws a few candidates without replacement, and
 * sequential halving shares the simulations among them. Below the root the visits follow the
 * improved policy, softmax(logits + σ(completed q)). That policy at the root is also what a network
 * is to learn.
 *
 * The search never judges a position itself. It goes down to a leaf and stops there; the owner
 * brings value and logits whenever he has them, so thousands of trees can wait for one batch:
 *
 *     gumbel_start(tree, &options);
 *     while (gumbel_descend(tree, board, vcf, &rng))    the board stands at a leaf
 *         gumbel_judge(tree, board, logits, value);     and now again at the root
 *     gumbel_result(tree, board, &result);
 *
 * Positions whose Outlook is known never become leaves. A tree belongs to one thread at a time and
 * allocates nothing after gumbel_open. */
#pragma once

#include "base/rng.h"
#include "search/outlook.h"

enum { GUMBEL_BEST = 16, GUMBEL_CANDIDATES_MAX = 64 };

typedef struct {
    int simulations; /* 1 … what gumbel_open was told */
    int candidates;  /* of the root that are visited at all, 1 … GUMBEL_CANDIDATES_MAX */
    float noise;     /* 1: candidates are drawn as the paper does; 0: the best ones, always */
    float visits_offset; /* σ(q) = (visits_offset + most visits) · scale · q, q in 0 … 1: how far */
    float scale;         /* values outweigh the prior */
    int64_t leaf_fours; /* attacks tried at a leaf, see outlook_of */
} GumbelOptions;

typedef struct {
    Point move;               /* to play */
    float value;              /* of the improved policy, −1 … 1 for the side to move */
    int visits;               /* of all moves of the root */
    int count;                /* of the moves below, at most GUMBEL_BEST */
    Point best[GUMBEL_BEST];  /* the improved policy, its largest part first */
    float share[GUMBEL_BEST]; /* sums to at most 1 */
} GumbelResult;

typedef struct Gumbel Gumbel;

/* points: of the largest board. */
Gumbel *gumbel_open(int simulations_max, int points);
void gumbel_close(Gumbel *tree); /* NULL is fine */

/* A new root: the board that the next gumbel_descend is given. Its outlook is OUTLOOK_OPEN. */
void gumbel_start(Gumbel *tree, const GumbelOptions *options);

/* True: the board was played on to a leaf and waits for gumbel_judge. False: all simulations are
 * done and the board is as it was. The first leaf is the root itself. */
bool gumbel_descend(Gumbel *tree, Board *board, Vcf *vcf, Rng *rng);

/* The moves of the leaf that waits: logits are asked for these, in this order. */
int gumbel_moves(const Gumbel *tree, const Point **moves);

/* value: −1 … 1 for the side to move at the leaf. The board goes back to the root. */
void gumbel_judge(Gumbel *tree, Board *board, const float *logits, float value);

/* After gumbel_descend said false. */
void gumbel_result(const Gumbel *tree, GumbelResult *result);
