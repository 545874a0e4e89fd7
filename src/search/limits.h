/* SPDX-License-Identifier: MIT */
/* Limits: how much thinking one decision may cost. Zero in any field means no limit of that kind;
 * the first limit reached ends the search. */
#pragma once

#include "game/rules.h"

#include <stdint.h>

typedef struct {
    int64_t turn_ms;      /* for this decision */
    int64_t left_ms;      /* left on the mover's clock, this decision included */
    int64_t increment_ms; /* what the clock gains after the move */
    int64_t nodes;
    int depth;            /* plies */
    int lines;            /* best lines wanted; 0 and 1 are the same */
    const Point *blocked; /* points that are not to be played now, blocked_count of them */
    int blocked_count;
} Limits;
