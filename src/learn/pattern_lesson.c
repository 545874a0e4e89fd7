/* SPDX-License-Identifier: MIT */
/* What patterns learn from a game: see pattern_lesson.h. */
#include "learn/pattern_lesson.h"

#include "base/mem.h"
#include "eval/pattern_count.h"
#include "search/pattern_judge.h"

#include <math.h>
#include <stdlib.h>

/* Composites come beside their lines, many at a time and each seldom: what the lines can explain is
 * theirs first. */
static const double composite_share = 0.3;

typedef struct {
    const PatternLesson *lesson;
    const PatternBook *book;
    PatternCount *count;
    PatternJudge *judge;
    Plain *plain;
    int *twin;     /* by row: the first row of the same lines, in either order; often itself */
    double *score; /* by row, as it is learnt; twins have one */
    int8_t *has;   /* by row: 1 the side to move has it, −1 the opponent, 0 none or both */
} Desk;

static int twin_of(const PatternBook *book, int i)
{
    if (!book->rows[i].pattern.second) return i;
    Pattern swapped = pattern_swapped(book->rows[i].pattern);
    const PatternRow *row = pattern_book_find(book, &swapped);
    return row && row - book->rows < i ? (int)(row - book->rows) : i;
}

static void desk_open(Desk *desk, const Rules *rules)
{
    const PatternBook *book = desk->book;
    size_t rows = (size_t)book->count + 1;
    desk->count = pattern_count_open(rules, book);
    desk->judge = pattern_judge_open(rules, book);
    desk->plain = plain_open(rules, &pattern_judge, desk->judge, 0, NULL);
    desk->twin = mem_alloc(rows * sizeof *desk->twin);
    desk->score = mem_alloc(rows * sizeof *desk->score);
    desk->has = mem_alloc(rows * sizeof *desk->has);
    for (int i = 0; i < book->count; i++) {
        desk->twin[i] = twin_of(book, i);
        desk->score[i] = book->rows[i].score;
    }
}

static void desk_close(Desk *desk)
{
    pattern_count_close(desk->count);
    plain_close(desk->plain);
    pattern_judge_close(desk->judge);
    mem_free(desk->twin);
    mem_free(desk->score);
    mem_free(desk->has);
}

/* How likely the side to move wins. */
static double chance(double score)
{
    return 1 / (1 + exp(-score / PATTERN_LOGIT));
}

/* By a search; false: there is no move to search. */
static bool look_ahead(Desk *desk, Board *board, double *value)
{
    enum { STRIDE = 64 };
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    PlainResult found;
    Leash leash;
    int count = pattern_judge.list(desk->judge, board, moves);
    if (!count) return false;
    leash_start(&leash, &(Limits){0}, board->stones, STRIDE, NULL);
    plain_run(desk->plain, board, moves, count, 1, 1, desk->lesson->depth, &leash, &found);
    *value = chance(found.score); /* a win is so much that this is 1 */
    return true;
}

static double share_of(const Desk *desk, int row)
{
    return desk->book->rows[row].pattern.second ? composite_share : 1;
}

/* Finds the patterns on the board; *weight is how many they are, each by its share. */
static double look_at(Desk *desk, Colour side, double *weight)
{
    double sum = 0;
    *weight = 0;
    for (int i = 0; i < desk->book->count; i++) {
        const Pattern *pattern = &desk->book->rows[i].pattern;
        desk->has[i] = 0;
        if (desk->twin[i] != i) continue;
        desk->has[i] = (int8_t)(pattern_count_has(desk->count, pattern, side) -
                                pattern_count_has(desk->count, pattern, colour_other(side)));
        sum += desk->has[i] * desk->score[i];
        *weight += abs(desk->has[i]) * share_of(desk, i);
    }
    return chance(sum);
}

/* One step of logistic regression, normalised: however many patterns there are, together they put
 * the same part of the error right (the slope of the log odds is 1/4 at most). */
static void study(Desk *desk, Colour side, double right)
{
    double weight, error = right - look_at(desk, side, &weight);
    double step = 4 * PATTERN_LOGIT * desk->lesson->rate * error / (1 + weight);
    for (int i = 0; i < desk->book->count; i++)
        desk->score[i] += step * share_of(desk, i) * desk->has[i];
}

void pattern_lesson_learn(const PatternLesson *lesson, const PatternBook *book, Board *board,
                          const LearnerGame *game, double *change)
{
    Desk desk = {.lesson = lesson, .book = book};
    desk_open(&desk, &board->rules);
    board_reset(board);
    for (int t = 0; t < game->first; t++) board_play(board, game->moves[t]);
    pattern_count_reset(desk.count, board);
    for (int t = game->first; t < game->count; t++) {
        double ahead;
        if (look_ahead(&desk, board, &ahead)) study(&desk, board->side, ahead);
        board_play(board, game->moves[t]);
        pattern_count_push(desk.count, board);
    }
    for (int i = 0; i < book->count; i++)
        change[i] = desk.score[desk.twin[i]] - book->rows[i].score;
    desk_close(&desk);
}
