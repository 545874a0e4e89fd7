/* SPDX-License-Identifier: MIT */
/* NetFile: the file of a network of random numbers, which tests may spoil. */
#pragma once

#include "eval/net.h"

enum { NET_FILE_RECIPE = 16 };

typedef struct {
    char magic[8];
    uint32_t version, recipe_len;
    char recipe[NET_FILE_RECIPE];
    uint32_t rule_kinds, size_min, size_max, zero;
    NetWeights weights;
    uint64_t hash;
} NetFile;

#define NET_FILE_LEN (offsetof(NetFile, hash) + sizeof(uint64_t))

/* Plays everything on boards from 5x5 to 30x30; `alike`: both colours the same way. To be freed by
 * mem_free. */
NetFile *net_file_random(uint64_t seed, bool alike);
void net_file_sign(NetFile *file); /* its hash is right again */
