/* SPDX-License-Identifier: MIT */
/* Parts of a position that several answers show. */
#pragma once

#include "app/hub_inside.h"

/* How likely the evaluator thinks each move, best first; NULL: refused. */
json_t *look_policy(const Board *board, Refusal *no);

/* The lines a player holds best; of one that keeps no lines the move it would play. */
json_t *look_lines(const Rules *rules, const Thought *thought);
/* Plies to a forced win, negative for a loss; null for neither. */
json_t *look_mate(int score);
double look_value(int score);
