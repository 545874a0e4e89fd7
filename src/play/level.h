/* SPDX-License-Identifier: MIT */
/* Level: how a strong player plays like a weaker person. Not at random: a beginner follows a plan
 * of his own and overlooks what the opponent is up to, looks at few moves, and among good moves
 * does not always find the best. Each level has a chance of overlooking, a number of positions it
 * looks at, and a temperature at which it chooses. Level 10 is the player itself. */
#pragma once

#include "base/rng.h"
#include "search/search.h"

enum { LEVEL_MIN = 1, LEVEL_MAX = 10 };

const EvalKind *level_eval(int level);
int64_t level_nodes(int level, bool shape); /* to look at, judged by shape or not; 0: no limit */
int level_lines(int level);                 /* to choose among */

/* Does it overlook the opponent this time? Then level_own_plan is its move. */
bool level_overlooks(int level, Rng *rng);
/* The move that looks best for itself alone, with some noise; a five is never missed. */
Point level_own_plan(const Board *board, const Limits *limits, int level, Rng *rng);
/* One of the lines that the search found. */
int level_choose(const SearchResult *result, int level, Rng *rng);
