/* SPDX-License-Identifier: MIT */
#include "search/pattern_judge.h"

#include "base/mem.h"
#include "eval/pattern_count.h"
#include "eval/pattern_simple.h"
#include "game/ban.h"

struct PatternJudge {
    PatternCount *count;
    int *rank; /* room for every point */
};

PatternJudge *pattern_judge_open(const Rules *rules, const PatternBook *book)
{
    PatternJudge *judge = mem_zero(sizeof *judge);
    judge->count = pattern_count_open(rules, book);
    judge->rank = mem_alloc((size_t)(rules->width * rules->height) * sizeof *judge->rank);
    return judge;
}

void pattern_judge_close(PatternJudge *judge)
{
    if (!judge) return;
    pattern_count_close(judge->count);
    mem_free(judge->rank);
    mem_free(judge);
}

static void judge_reset(void *ctx, const Board *board)
{
    pattern_count_reset(((PatternJudge *)ctx)->count, board);
}

static void judge_push(void *ctx, const Board *board)
{
    pattern_count_push(((PatternJudge *)ctx)->count, board);
}

static void judge_pop(void *ctx, const Board *board)
{
    pattern_count_pop(((PatternJudge *)ctx)->count, board);
}

static int judge_value(void *ctx, const Board *board)
{
    return pattern_count_value(((PatternJudge *)ctx)->count, board->side);
}

/* What we make comes before what we deny them. */
static int rank_of(const Board *board, Point p)
{
    return pattern_simple(board, p, board->side) * (SIMPLE_FIVE + 1) +
           pattern_simple(board, p, colour_other(board->side));
}

/* Most moves make and deny nothing, so each goes a short way only; equal ones keep their order. */
void pattern_judge_sort(PatternJudge *judge, const Board *board, Point *moves, int count)
{
    int *rank = judge->rank;
    for (int i = 0; i < count; i++) {
        Point p = moves[i];
        int own = rank_of(board, p), at = i;
        for (; at > 0 && rank[at - 1] < own; at--) {
            rank[at] = rank[at - 1];
            moves[at] = moves[at - 1];
        }
        rank[at] = own;
        moves[at] = p;
    }
}

static int judge_list(void *ctx, Board *board, Point *moves)
{
    int found = board_candidates(board, moves), count = 0;
    for (int i = 0; i < found; i++) {
        if (board_class(board, moves[i], board->side) == CLASS_FIVE) { /* nothing is better */
            moves[0] = moves[i];
            return 1;
        }
        if (ban_allows(board, moves[i], board->side)) moves[count++] = moves[i];
    }
    pattern_judge_sort(ctx, board, moves, count);
    return count;
}

const PlainJudge pattern_judge = {PATTERN_WIN, judge_reset, judge_push,
                                  judge_pop,   judge_value, judge_list};
