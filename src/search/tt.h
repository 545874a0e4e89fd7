/* SPDX-License-Identifier: MIT */
/* Tt: the transposition table, shared by all workers of an engine without locks.
 *
 * A bucket is a cache line of four entries. An entry is two 64-bit words, the data and the key
 * xor-ed with the data, each read and written as a relaxed atomic: a torn entry does not match its
 * key (Hyatt's trick). */
#pragma once

#include "game/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

typedef struct {
    Point move; /* POINT_NONE: none known */
    int16_t value;
    int16_t eval;
    int8_t depth;
    uint8_t bound; /* Bound */
    bool pv;
} TtEntry;

typedef struct Tt Tt;

/* At least one bucket; 0 bytes: a table that forgets everything. NULL when the system refuses. */
Tt *tt_open(size_t bytes);
void tt_close(Tt *tt);
void tt_clear(Tt *tt);
void tt_new_search(Tt *tt); /* entries of earlier searches are replaced first */

bool tt_probe(const Tt *tt, uint64_t key, TtEntry *entry);
void tt_store(Tt *tt, uint64_t key, TtEntry entry);
void tt_prefetch(const Tt *tt, uint64_t key);
int tt_permille_used(const Tt *tt); /* by the current search, sampled */
int tt_permille_hits(const Tt *tt); /* of its probes that found their position, sampled */
