/* SPDX-License-Identifier: MIT */
/* Proof: what a solver claims, checked by someone who does not trust it. Only Board and Ban are
 * used here; no line, table or verdict of a search is believed. */
#pragma once

#include "base/err.h"
#include "game/board.h"

typedef enum { GOAL_VCF, GOAL_VCT, GOAL_WIN } Goal;

/* Replays a line that is said to win for the side to move: every move is legal, the last one
 * completes a row, the defender never passes by a win of his own, POINT_NONE stands only where
 * every block is forbidden to him, and for GOAL_VCF every attack makes a four or more. The board is
 * played on and left as it was. */
bool proof_line_holds(Board *board, const Point *line, int plies, Goal goal, Err *err);
