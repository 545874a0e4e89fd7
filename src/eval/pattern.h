/* SPDX-License-Identifier: MIT */
/* Pattern: stones of one colour in a line, or in two lines that cross, written as a short text.
 *
 *     -xxx--            linear: k or k+1 cells, x a stone, - an empty point
 *     -xxx--12xxx--     composite: the main line, the place of the crossing in it and in the
 *                       second line (from 0), the second line
 *
 * after "Self-teaching Gomoku player using composite patterns with adaptive scores" (Kulikov,
 * 2014). Directions and colours are not in it, so one text stands for all the ways a pattern can
 * lie. For that every line is turned: most stones to the left; if both halves have as many, the way
 * that sorts first; and if a line reads the same both ways, so that its crossing is to the left.
 *
 * Which line of a composite is the main one is in the text, since the score depends on it, but not
 * in the key: on the board nobody knows yet in which line the five will be. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/rules.h"

#include <stdbool.h>
#include <stdint.h>

/* The cells of a line: bit i is set for a stone in cell i; the bit above the last cell ends it. */
typedef uint16_t PatternLine;

enum {
    PATTERN_LINE_MAX = WIN_MAX + 1,                  /* cells */
    PATTERN_TEXT_MAX = 2 * PATTERN_LINE_MAX + 2 + 1, /* with the NUL; 14 letters for k = 5 */
    PATTERN_LINES = 1 << (PATTERN_LINE_MAX + 1),     /* PatternLine is less than this */
    PATTERN_VICTORY = 100000,                        /* what a won game would score */
    PATTERN_LEEWAY = 100,                            /* how far a score may leave its default */
    PATTERN_LOGIT = 1000,                            /* a sum that is one unit of log odds */
};

typedef struct {
    PatternLine main, second;   /* second 0: linear */
    uint8_t main_at, second_at; /* of the crossing; 0 in a linear pattern */
} Pattern;

PatternLine pattern_line(unsigned stones, int len);
int pattern_line_len(PatternLine line);
int pattern_line_stones(PatternLine line);
PatternLine pattern_line_reversed(PatternLine line);
/* The line turned as patterns have it; *turned: it was the other way round. */
PatternLine pattern_line_turn(PatternLine line, bool *turned);

Pattern pattern_linear(PatternLine line); /* turned */
/* Lines as they lie, and the cells of each in which they cross; turned. */
Pattern pattern_cross(PatternLine main, int main_at, PatternLine second, int second_at);

Pattern pattern_swapped(Pattern pattern); /* a composite with its lines in the other order */

/* The same for equal patterns only, but for which line is the main one. Never 0. */
uint32_t pattern_key(const Pattern *pattern);
bool pattern_equal(const Pattern *a, const Pattern *b);

/* Reads len letters, in any of the ways a pattern may be turned. The lines of the published tables
 * have k − 1 cells now and then, so these are understood too. */
bool pattern_parse(const char *text, size_t len, int k, Pattern *pattern, Err *err);
const char *pattern_text(const Pattern *pattern, char text[PATTERN_TEXT_MAX]); /* returns text */

/* Where its score begins: 100, 1000 or 10000 by the stones of the main line, ten times as much for
 * a composite, never more than 10000. For other k what counts is how many stones are missing. */
int pattern_standard(const Pattern *pattern, int k);
/* A score brought back to within PATTERN_LEEWAY of that. */
int pattern_within(const Pattern *pattern, int k, int score);
