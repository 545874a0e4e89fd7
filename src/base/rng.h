/* SPDX-License-Identifier: MIT */
/* Rng: xoshiro256** (Blackman and Vigna), seeded by splitmix64. Always passed in, never global, so
 * that the same seed gives the same game on every machine. */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t s[4];
} Rng;

void rng_seed(Rng *rng, uint64_t seed);
uint64_t rng_next(Rng *rng);
uint32_t rng_below(Rng *rng, uint32_t n); /* 0 … n−1 without bias; n ≥ 1 */
double rng_unit(Rng *rng);                /* [0, 1), 53 bits */
