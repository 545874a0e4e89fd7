/* SPDX-License-Identifier: MIT */
/* Audit: recomputes everything a board keeps from its stones alone, the slow and plain way, and
 * says what differs. */
#pragma once

#include "game/board.h"

typedef struct Audit Audit;

Audit *audit_open(const Rules *rules, Near near);
void audit_close(Audit *audit);

/* NULL if the board's state is what its stones imply, else a sentence (valid until the next call).
 */
const char *audit_check(Audit *audit, const Board *board);

/* The same for the points that a move at p could have changed: cheap on large boards. */
const char *audit_check_near(Audit *audit, const Board *board, Point p);
