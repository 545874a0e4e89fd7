/* SPDX-License-Identifier: MIT */
/* Leash: how far one thinking may go. It knows the limits of the question and the flag by which the
 * player is stopped, counts nodes, and looks at the clock now and then. The players of the
 * documents all run on one; the engine has its own (worker.h), since its threads share it. */
#pragma once

#include "search/limits.h"

#include <stdbool.h>

typedef struct Leash {
    const atomic_bool *stop[2]; /* the player's and the question's; NULL: none */
    int64_t start_ns;
    int64_t deadline_ns; /* INT64_MAX: none */
    int64_t nodes, nodes_max;
    int patience; /* nodes until the clock is looked at again */
    int stride;   /* what patience starts from: fewer where nodes are slow */
    bool over;
    /* Called now and then, soon after the start for the first time; may stop the player. NULL:
     * nobody is told. */
    void (*report)(void *ctx, const struct Leash *leash);
    void *ctx;
    int64_t report_ns; /* not before this */
} Leash;

/* stones: on the board so far. `stop` may be NULL. */
void leash_start(Leash *leash, const Limits *limits, int stones, int stride,
                 const atomic_bool *stop);
bool leash_look(Leash *leash); /* at the clock and the flags, now; true: it is over */
/* The deadline as vcf.h and dfpn.h want it, an instant of os_clock_ms; 0: none. */
int64_t leash_deadline_ms(const Leash *leash);
int64_t leash_ms(const Leash *leash); /* since the start */

/* One more node. True: it is over, and stays so. */
static inline bool leash_node(Leash *leash)
{
    leash->nodes++;
    if (leash->nodes_max && leash->nodes >= leash->nodes_max) leash->over = true;
    if (leash->over || --leash->patience > 0) return leash->over;
    return leash_look(leash);
}
