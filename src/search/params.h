/* SPDX-License-Identifier: MIT */
/* Params: the numbers of the alpha-beta search, named, so that `goren tune` can turn them and a
 * spec can set them (ab:params="reverse=60 razor=40"). Margins are in units of the evaluation
 * (EVAL_SCALE to one of log odds), depths in plies, shares of a ply in sixteenths.
 *
 * All but the depths were turned together by goren tune: 5,000 pairs of games, freestyle on 15x15
 * and 20x20 in turn, 8k nodes a move, rate 0.06. Against the values set by hand: +31 ± 33 Elo on
 * 15x15, +23 ± 33 on 20x20 (150 pairs each, 10k nodes). The network's began as those of shape and
 * went on from there: 2,624 pairs at 4k nodes, +10 ± 17 (250 pairs, 8k nodes). "correct" came later
 * and is not tuned by it; another 5,820 pairs with later networks brought nothing (−10 ± 23, 300
 * pairs). For a network "answers" takes the place of "counter"; with "correct_last" and
 * "singular_far" that is +24 ± 16 in freestyle and +6 ± 32 in renju (750 and 200 pairs, 10k nodes).
 * With shape "answers" costs 17 ± 22 beside "counter", 35 ± 25 in its place (300 pairs each).
 * "leaf_fours" of a network and "reduce_idle" were set by hand when idle fours (vcf.h) were left
 * out of leaves: 20 nodes instead of 9 +21 ± 27, 20 sixteenths +40 ± 27 (240 pairs each at 0.06 s).
 * "threatened" was too: 100 for one margin and then 67 for the other were +10 ± 28 and +35 ± 26.
 */
#pragma once

#include "base/err.h"
#include "eval/eval.h"

#include <stdbool.h>

/* name, value for shape, value for a network, least, most, step of the tuner, meaning */
#define SEARCH_PARAMS(X)                                                                           \
    X(leaf_fours, 5, 20, 1, 1000, 3, "nodes of the fours search at a leaf")                        \
    X(correct, 0, 128, 0, 512, 16, "what searches correct the evaluation by, at most …")           \
    X(correct_last, 0, 64, 0, 512, 16, "… and by the last move alone")                             \
    X(reverse, 60, 62, 10, 200, 6, "reverse futility: margin per ply")                             \
    X(reverse_depth, 14, 14, 2, 30, 1, "reverse futility: up to this depth")                       \
    X(razor, 38, 33, 0, 300, 8, "razoring: margin")                                                \
    X(razor_slope, 29, 25, 0, 200, 6, "razoring: margin per squared ply")                          \
    X(razor_depth, 2, 2, 0, 6, 1, "razoring: up to this depth")                                    \
    X(threatened, 80, 80, 0, 400, 10, "both margins: this much wider against an open three")       \
    X(futility, 68, 83, 0, 400, 12, "futility: margin")                                            \
    X(futility_slope, 42, 30, 5, 200, 6, "futility: margin per ply")                               \
    X(futility_depth, 7, 7, 0, 16, 1, "futility: up to this depth")                                \
    X(late, 85, 72, 20, 400, 8, "late move pruning: per cent of 3 + depth^1.43")                   \
    X(late_worse, 46, 38, 10, 100, 5, "… per cent of that where the position gets worse")          \
    X(late_pv, 191, 191, 50, 600, 20, "… per cent of that on the principal variation")             \
    X(policy_prune, 418, 371, 100, 2000, 30,                                                       \
      "moves that look this much worse are not tried at all …")                                    \
    X(policy_prune_slope, 61, 47, 0, 400, 12, "… plus this per ply")                               \
    X(reduce, 91, 87, 20, 200, 6, "late move reduction: per cent of ln(depth)·ln(number)")         \
    X(reduce_policy_free, 92, 88, 0, 500, 15, "looking worse by this much costs nothing …")        \
    X(reduce_policy, 15, 16, 2, 100, 2, "… then a sixteenth of a ply for each of these")           \
    X(reduce_policy_most, 29, 31, 0, 100, 4, "… but not more")                                     \
    X(reduce_pv, 13, 16, 0, 64, 3, "reduced less on the principal variation")                      \
    X(reduce_cut, 29, 31, 0, 80, 4, "reduced more at expected cut nodes")                          \
    X(reduce_worse, 12, 15, 0, 64, 3, "reduced more where the position gets worse")                \
    X(reduce_attack, 16, 13, -16, 64, 3, "reduced less for threats made or broken")                \
    X(reduce_idle, 20, 20, 0, 80, 4, "reduced more for fours that begin nothing else")             \
    X(reduce_killer, 4, 5, 0, 64, 3, "reduced less for killers")                                   \
    X(reduce_defence, 17, 20, -16, 64, 3, "reduced less against an open three")                    \
    X(reduce_history, 103, 125, 40, 2000, 25, "history that is worth a sixteenth of a ply")        \
    X(singular_depth, 7, 6, 4, 20, 1, "singular extension: from this depth")                       \
    X(singular, 3, 3, 1, 20, 1, "singular extension: margin per ply")                              \
    X(singular_more, 18, 11, 0, 48, 3, "singular extension: sixteenths")                           \
    X(singular_far, 20, 20, 0, 200, 4, "… and where the others are worse by this much …")          \
    X(singular_far_more, 0, 10, 0, 48, 3, "… so many more")                                        \
    X(singular_less, 14, 10, 0, 48, 3, "taken off the hash move where others are good too")        \
    X(forced, 14, 12, 0, 32, 3, "extension of the only reply to a four")                           \
    X(hash_more, 3, 6, 0, 16, 2, "extension of the hash move")                                     \
    X(internal_depth, 4, 5, 2, 12, 1, "internal reduction: from this depth")                       \
    X(internal, 16, 14, 0, 48, 3, "internal reduction without a hash move")                        \
    X(stale, 4, 5, 1, 16, 1, "a stale principal variation loses its age divided by this")          \
    X(likely_high, 4, 11, 0, 60, 3, "cut nodes this much per ply above beta …")                    \
    X(likely_high_less, 15, 10, 0, 48, 3, "… are reduced")                                         \
    X(found_less, 17, 16, 0, 48, 3, "after an improvement the rest is reduced")                    \
    X(again_deeper, 69, 63, 10, 400, 12, "a re-search this much above alpha goes deeper")          \
    X(killer, 120, 127, 0, 600, 20, "ordering: a killer")                                          \
    X(counter, 121, 0, 0, 600, 20, "ordering: the known answer")                                   \
    X(history, 37, 39, 4, 200, 4, "ordering: history that is worth one")                           \
    X(answers, 0, 23, 0, 200, 4, "ordering: history as an answer, times this / 1024")

typedef struct {
#define X(name, shape, net, least, most, step, help) int name;
    SEARCH_PARAMS(X)
#undef X
} SearchParams;

typedef struct {
    const char *name, *help;
    int least, most, step;
} SearchParam;

enum {
#define X(name, shape, net, least, most, step, help) PARAM_##name,
    SEARCH_PARAMS(X)
#undef X
        SEARCH_PARAM_COUNT
};

extern const SearchParam search_params[SEARCH_PARAM_COUNT]; /* in the order of SearchParams */
/* Those that go with an evaluation: the scales of values and policies differ. */
const SearchParams *search_params_for(const EvalKind *eval);

/* Reads "name=value name=value …" over what is there. */
bool search_params_set(SearchParams *params, const char *text, Err *err);
int search_params_get(const SearchParams *params, int which);
void search_params_put(SearchParams *params, int which, int value);
