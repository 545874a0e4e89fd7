/* SPDX-License-Identifier: MIT */
/* Vct: victory by continuous threats. A threat is a four, or a move after which the attacker would
 * win by fours if the defender passed (most are open threes). This file knows what can be done
 * about a threat; dfpn.h searches for the win.
 *
 * A threat comes with a line: the win by fours that the pass would allow. A reply that leaves every
 * step of that line as it was loses to it, so only moves that touch it need be looked at:
 *
 *   - the points of the line itself, both sides', and every point that would complete its rows;
 *   - points where the defender would have a four at some step: a stone there now is a five
 *     threatened then (counter-fours now are the case of step 0);
 *   - where enclosed rows are dead, the ends of those rows;
 *   - renju: what may make an attack of the line foul, or its forbidden block legal. */
#pragma once

#include "search/vcf.h"

/* The defender is to move; `win` is what vcf_search found for the attacker after a pass. Lists his
 * legal moves that are not refuted by that very line: every other legal move loses to it. `moves`
 * has room for width·height. */
int vct_defences(Board *board, const VcfResult *win, Point *moves);

/* Does the line, with the attacker to move, still win step by step, every reply as it was? */
bool vct_line_wins(Board *board, const Point *line, int plies);

/* All legal moves in reading order; `moves` has room for width·height. */
int vct_legal(const Board *board, Point *moves);
/* Best for the mover first, by what a stone there makes and prevents. */
void vct_sort(const Board *board, Point *moves, int n);
/* Does some line of the empty point p become a four or a five? */
bool vct_makes_four(const Board *board, Point p, Colour colour);

/* False if the defender can take a point of every row whatever the attacker does: by the criterion
 * of Erdős and Selfridge (1973), where the rows still open to the attacker, each worth 2^-missing,
 * sum to less than 1 (less than 1/2 if the attacker moves first), or by pairs of points, one pair
 * in every row. True where neither applies. */
bool vct_has_hope(const Board *board, Colour attacker);
