/* SPDX-License-Identifier: MIT */
/* PatternCount: the value of pattern_scan kept from move to move, for one board and one book.
 *
 * It remembers every line (pattern_scan's step 3) by its direction and first point, and for every
 * point which lines run through it. A stone changes lines in its four directions and near it only:
 * these are found anew by bit masks, the ones that differ are taken out and put in, and each that
 * comes or goes meets the lines of the other directions through its cells. Every pattern of the
 * book has a count; what comes from 0 to 1 adds its score, since what is written alike counts
 * once. The book is copied into one flat hash table at the start. */
#pragma once

#include "eval/pattern_book.h"
#include "game/board.h"

typedef struct PatternCount PatternCount;

/* The book must be of the rules' k. */
PatternCount *pattern_count_open(const Rules *rules, const PatternBook *book);
void pattern_count_close(PatternCount *count); /* NULL is fine */

void pattern_count_reset(PatternCount *count, const Board *board); /* start from this position */
void pattern_count_push(PatternCount *count, const Board *board);  /* after a play or pass */
void pattern_count_pop(PatternCount *count, const Board *board);   /* before the undo of it */

int pattern_count_value(const PatternCount *count, Colour colour); /* own less the opponent's */
/* Has the colour this pattern of the book on the board, its lines in either order? */
bool pattern_count_has(const PatternCount *count, const Pattern *pattern, Colour colour);
