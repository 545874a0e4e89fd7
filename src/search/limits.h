/* SPDX-License-Identifier: MIT */
/* Limits: how much thinking one decision may cost. Zero in any field means no limit of that kind;
 * the first limit reached ends the search. */
#pragma once

#include "game/rules.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define REACH_CHOICES "best|square2|square2+line3|square3+line4|all" /* of Limits.reach */

typedef struct {
    int64_t turn_ms;      /* for this decision */
    int64_t left_ms;      /* left on the mover's clock, this decision included */
    int64_t increment_ms; /* what the clock gains after the move */
    int64_t nodes;
    int depth;            /* plies */
    int lines;            /* best lines wanted; 0 and 1 are the same */
    bool forced_too;      /* an only move is thought about as well: someone wants its value */
    int reach;            /* which points near stones are looked at: 0 what plays best, else a
                             Near + 1 */
    const Point *blocked; /* points that are not to be played now, blocked_count of them */
    int blocked_count;
    /* search_stop has no effect before a search has begun; what is true here then stands for it.
     * Set it before search_stop and the one or the other is seen. NULL: not looked at. */
    const atomic_bool *stop;
} Limits;

static inline bool limits_block(const Limits *limits, Point p)
{
    for (int i = 0; i < limits->blocked_count; i++)
        if (limits->blocked[i] == p) return true;
    return false;
}

/* At least 1, and right for every number that a manager may send. */
static inline int64_t limits_percent(int64_t whole, int percent)
{
    return whole / 100 * percent + whole % 100 * percent / 100 + 1;
}

/* A part of what a question may cost. */
static inline Limits limits_part(const Limits *limits, int percent)
{
    Limits part = *limits;
    if (part.nodes) part.nodes = limits_percent(part.nodes, percent);
    if (part.turn_ms) part.turn_ms = limits_percent(part.turn_ms, percent);
    if (part.left_ms) part.left_ms = limits_percent(part.left_ms, percent);
    return part;
}

/* Not more than this; zeros change nothing. */
static inline void limits_cap(Limits *limits, double turn_s, int64_t nodes, int depth)
{
    int64_t turn_ms = (int64_t)(turn_s * 1000);
    if (turn_s > 0 && turn_ms < 1) turn_ms = 1;
    if (turn_ms && (!limits->turn_ms || limits->turn_ms > turn_ms)) limits->turn_ms = turn_ms;
    if (nodes && (!limits->nodes || limits->nodes > nodes)) limits->nodes = nodes;
    if (depth && (!limits->depth || limits->depth > depth)) limits->depth = depth;
}
