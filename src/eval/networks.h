/* SPDX-License-Identifier: MIT */
/* Networks: several of them one after the other, and which of them plays under given rules. Those
 * of data/ are a part of the program: a file that is put there is built in, a network that plays
 * the same rules and sizes as another is refused. */
#pragma once

#include "eval/net.h"

enum { NETWORKS_MAX = 32 };

typedef struct {
    int count;
    Net net[NETWORKS_MAX];
} Networks;

/* Takes apart the bytes of network files, which must stay; they are aligned to 8. False, with all
 * before the first that is wrong. */
bool networks_read(Networks *networks, const void *bytes, size_t n, Err *err);
/* NULL: none of them plays under these rules. */
const Net *networks_find(const Networks *networks, const Rules *rules);

const Networks *networks_built_in(void);
