/* SPDX-License-Identifier: MIT */
/* Rng: see rng.h. xoshiro256** 1.0 and splitmix64 as published by Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators" (2018). */
#include "base/rng.h"

#include <assert.h>

static uint64_t rotate_left(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void rng_seed(Rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) rng->s[i] = splitmix64(&seed);
}

uint64_t rng_next(Rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Lemire, "Fast random integer generation in an interval" (2019): the high word of a product is
 * uniform once the few low words that would be one too many are thrown away. */
uint32_t rng_below(Rng *rng, uint32_t n)
{
    assert(n >= 1);
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t surplus = -n % n;
        while ((uint32_t)product < surplus) product = (rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

double rng_unit(Rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1.0p-53;
}
