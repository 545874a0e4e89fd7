/* SPDX-License-Identifier: MIT */
/* Kept: things that are made once for each key, never change and are kept to the end: tables. The
 * only state that outlives its user here. Any thread may ask; nobody waits: if two make the same
 * thing at once, the slower one's is dropped. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/* The head of every kept thing. */
typedef struct Kept {
    struct Kept *next;
} Kept;

typedef struct {
    bool (*fits)(const Kept *kept, const void *key);
    Kept *(*make)(const void *key); /* NULL: cannot be made, and then kept_get gives NULL */
    void (*drop)(Kept *kept);
    _Atomic(Kept *) first; /* the list of all made so far; it only grows */
} KeptKind;

const Kept *kept_get(KeptKind *kind, const void *key);
