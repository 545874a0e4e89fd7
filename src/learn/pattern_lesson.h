/* SPDX-License-Identifier: MIT */
/* PatternLesson: what one game says about the scores of patterns.
 *
 * Every position of the game is judged twice: by the patterns that stand on it, and by a search a
 * few moves ahead whose leaves are judged by the same patterns. The search knows better, since it
 * sees wins and what a pattern can become, so the scores of the patterns on the board are moved
 * until their sum says what the search said: first what is a move or two from the five gets its
 * score, then what leads there, as the teacher goes back from the win (RootStrap of "Bootstrapping
 * from Game Tree Search", Veness, Silver, Uther and Blair, 2009). The result of the game counts
 * where the search sees it, near the end. Further back it is too little to go by: there are more
 * patterns than games, and most of what stands on a board has no part in who wins.
 *
 * Scores are log odds for the side that has the pattern, in units of PATTERN_LOGIT. */
#pragma once

#include "eval/pattern_book.h"
#include "learn/learner.h"

typedef struct {
    int depth;   /* moves that the search looks ahead */
    double rate; /* how much of an error each position puts right, 0 … 1 */
} PatternLesson;

/* change: by row of the book, how much its score should change. The board, of candidates at most
 * two points from a stone, is left at the end of the game. */
void pattern_lesson_learn(const PatternLesson *lesson, const PatternBook *book, Board *board,
                          const LearnerGame *game, double *change);
