/* SPDX-License-Identifier: MIT */
/* Ban: which points renju forbids Black, exactly as the judge of Gomocup and the rules of the Renju
 * International Federation say.
 *
 * Five outranks every foul. Otherwise a move is forbidden if it makes two fours, two threes or an
 * overline. A three counts only if the point that would make a straight four of it is itself
 * allowed to Black and does not make a five at the same time: hence the recursion. It ends after
 * 500 points, which only boards of hundreds of threes and games of three in a row come to. */
#pragma once

#include "game/board.h"

typedef enum { BAN_NONE, BAN_DOUBLE_FOUR, BAN_DOUBLE_THREE, BAN_OVERLINE, BAN_COUNT } Ban;

/* What is wrong with Black's move at the empty point p; BAN_NONE under rules without fouls. */
Ban ban_at(const Board *board, Point p);

/* What was wrong with the move that was played last (not with a stone that was put). */
Ban ban_of_last(const Board *board);

/* May the colour play here? On the board, empty, not forbidden. */
bool ban_allows(const Board *board, Point p, Colour colour);

/* All forbidden points in reading order; `points` has room for width·height. */
int ban_list(const Board *board, Point *points);

const char *ban_name(Ban ban);  /* "double three" … */
const char *ban_short(Ban ban); /* "33", "44", "6", "" */
