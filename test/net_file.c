/* SPDX-License-Identifier: MIT */
#include "net_file.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/rng.h"

#include <string.h>

void net_file_sign(NetFile *file)
{
    file->hash = bytes_sum64(BYTES_SUM64, file, offsetof(NetFile, hash));
}

static void random16(int16_t *x, size_t n, int most, Rng *rng)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int16_t)((int)rng_below(rng, (uint32_t)(2 * most + 1)) - most);
}

static void random32(int32_t *x, size_t n, int most, Rng *rng)
{
    for (size_t i = 0; i < n; i++) x[i] = (int32_t)rng_below(rng, (uint32_t)(2 * most + 1)) - most;
}

static void random8(int8_t *x, size_t n, int most, Rng *rng)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int8_t)((int)rng_below(rng, (uint32_t)(2 * most + 1)) - most);
}

#define RANDOM8(array, most)  random8((int8_t *)(array), sizeof(array), most, rng)
#define RANDOM16(array, most) random16((int16_t *)(array), sizeof(array) / 2, most, rng)
#define RANDOM32(array, most) random32((int32_t *)(array), sizeof(array) / 4, most, rng)

static void random_generator(NetGenerator *g, Rng *rng)
{
    RANDOM16(g->cell, 40);
    RANDOM32(g->bias2, 2000);
    RANDOM8(g->mix2, 60);
    RANDOM32(g->bias3, 8000);
    RANDOM8(g->mix3, 80);
}

static void random_heads(NetHeads *h, Rng *rng)
{
    RANDOM32(h->value_bias1, 2000);
    RANDOM8(h->value1, 60);
    RANDOM32(h->value_bias2, 2000);
    RANDOM8(h->value2, 100);
    RANDOM16(h->value3, 127);
    RANDOM32(h->context_bias, 1000);
    RANDOM8(h->context, 127);
    RANDOM8(h->policy1, 127);
    RANDOM16(h->policy2, 127);
}

NetFile *net_file_random(uint64_t seed, bool alike)
{
    NetFile *file = mem_zero(sizeof *file);
    Rng generator, *rng = &generator;
    rng_seed(rng, seed);
    memcpy(file->magic, "gorennet", 8);
    file->version = NET_VERSION;
    file->recipe_len = NET_FILE_RECIPE;
    memcpy(file->recipe, "random numbers\n\n", NET_FILE_RECIPE);
    file->rule_kinds = 31;
    file->size_min = 5;
    file->size_max = 30;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        random_generator(&file->weights.straight[c], rng);
        random_generator(&file->weights.diagonal[c], rng);
        random_heads(&file->weights.heads[c], rng);
    }
    if (alike) {
        file->weights.straight[WHITE] = file->weights.straight[BLACK];
        file->weights.diagonal[WHITE] = file->weights.diagonal[BLACK];
        file->weights.heads[WHITE] = file->weights.heads[BLACK];
    }
    net_file_sign(file);
    return file;
}
