/* SPDX-License-Identifier: MIT */
#include "play/level.h"

#include "game/ban.h"

#include <math.h>
#include <string.h>

/* Set by matches between neighbours: each level should score 60 to 80 % against the one below. */
typedef struct {
    int64_t nodes;
    int lines;
    double temperature; /* in units of the evaluation */
    double overlooks;   /* per move */
} LevelTraits;

static const LevelTraits levels[LEVEL_MAX + 1] = {
    [1] = {60, 6, 200, 0.62},  [2] = {80, 6, 115, 0.32},  [3] = {140, 5, 65, 0.17},
    [4] = {300, 5, 42, 0.085}, [5] = {600, 4, 30, 0.038}, [6] = {1300, 4, 17, 0.012},
    [7] = {2800, 3, 8, 0.003}, [8] = {3800, 1, 0, 0},     [9] = {15000, 1, 0, 0},
    [10] = {0, 1, 0, 0},
};

int64_t level_nodes(int level)
{
    return levels[level].nodes;
}

int level_lines(int level)
{
    return levels[level].lines;
}

bool level_overlooks(int level, Rng *rng)
{
    return rng_unit(rng) < levels[level].overlooks;
}

/* What a point promises to its own side, in rough steps. */
static int promise(Class class)
{
    if (class == CLASS_FIVE) return 100000;
    if (class >= CLASS_DOUBLE_FOUR) return 900;
    if (class == CLASS_FOUR_OPEN_THREE) return 500;
    if (class >= CLASS_FOUR) return 150;
    if (class >= CLASS_OPEN_THREE) return 300;
    if (class >= CLASS_THREE) return 90;
    return class >= CLASS_OPEN_TWO ? 80 : class == CLASS_TWO ? 20 : 0;
}

Point level_own_plan(const Board *board, int level, Rng *rng)
{
    Point best = POINT_NONE, points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    double most = -1;
    int n = board_candidates(board, points);
    for (int i = 0; i < n; i++) {
        if (!ban_allows(board, points[i], board->side)) continue;
        double looks = promise(board_class(board, points[i], board->side)) +
                       levels[level].temperature * rng_unit(rng);
        if (looks > most) {
            most = looks;
            best = points[i];
        }
    }
    return best;
}

int level_choose(const SearchResult *result, int level, Rng *rng)
{
    double temperature = levels[level].temperature, weight[LEVEL_MAX], sum = 0;
    int n = result->line_count < LEVEL_MAX ? result->line_count : LEVEL_MAX;
    if (temperature <= 0 || n < 2) return 0;
    /* A forced loss is only as bad as a very bad position: weak players fall into it. */
    for (int i = 0; i < n; i++) {
        double gap = result->lines[0].score - result->lines[i].score;
        weight[i] = exp(-(gap < 1500 ? gap : 1500) / temperature);
        sum += weight[i];
    }
    double at = rng_unit(rng) * sum;
    for (int i = 0; i < n; i++)
        if ((at -= weight[i]) < 0) return i;
    return 0;
}
