/* SPDX-License-Identifier: MIT */
/* PatternJudge: what the pattern player tells the search of the documents' players (plain.h). The
 * leaves are judged by the patterns of a book (eval/pattern_count), moves are points at most two
 * away from a stone, in the order of the simple patterns that they make or deny. */
#pragma once

#include "eval/pattern_book.h"
#include "search/plain.h"

enum { PATTERN_WIN = 1 << 30 };

typedef struct PatternJudge PatternJudge;

/* The book must be of the rules' k; it is copied. */
PatternJudge *pattern_judge_open(const Rules *rules, const PatternBook *book);
void pattern_judge_close(PatternJudge *judge); /* NULL is fine */
/* Best first. */
void pattern_judge_sort(PatternJudge *judge, const Board *board, Point *moves, int count);

extern const PlainJudge pattern_judge; /* its ctx is a PatternJudge */
