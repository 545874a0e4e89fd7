/* SPDX-License-Identifier: MIT */
#include "play/level.h"

#include "game/ban.h"

#include <math.h>
#include <string.h>

/* Set by matches between neighbours: each level should score 60 to 80 % against the one below. The
 * upper ones play by a network; where there is none, so many more positions by shape take its
 * place. */
typedef struct {
    int64_t shape_nodes, net_nodes; /* of the latter 0: by shape everywhere */
    int lines;
    double temperature; /* in units of the evaluation */
    double overlooks;   /* per move */
} LevelTraits;

static const LevelTraits levels[LEVEL_MAX + 1] = {
    [1] = {70, 0, 6, 170, 0.52},   [2] = {180, 0, 5, 65, 0.165}, [3] = {600, 0, 4, 29, 0.042},
    [4] = {1900, 0, 4, 12, 0.006}, [5] = {3000, 0, 2, 5, 0.002}, [6] = {8000, 0, 2, 2, 0},
    [7] = {18000, 0, 1, 0, 0},     [8] = {60000, 5600, 1, 0, 0}, [9] = {200000, 16000, 1, 0, 0},
    [10] = {0, 0, 1, 0, 0},
};

const EvalKind *level_eval(int level)
{
    return levels[level].net_nodes || level == LEVEL_MAX ? &eval_best : &eval_shape;
}

int64_t level_nodes(int level, bool shape)
{
    const LevelTraits *traits = &levels[level];
    return shape || !traits->net_nodes ? traits->shape_nodes : traits->net_nodes;
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

Point level_own_plan(const Board *board, const Limits *limits, int level, Rng *rng)
{
    Point best = POINT_NONE, points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    double most = -1;
    int n = board_candidates(board, points);
    for (int i = 0; i < n; i++) {
        if (!ban_allows(board, points[i], board->side) || limits_block(limits, points[i])) continue;
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
