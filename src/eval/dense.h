/* SPDX-License-Identifier: MIT */
/* Dense: one layer of a network in integers. Inputs are bytes of 0 … 127, four to a step; weights
 * lie as [inputs / 4][outputs][4]. Sizes are constants where it is called, so the compiler unrolls
 * all but the loop over the inputs. */
#pragma once

#include "eval/simd.h"

#include <stdint.h>
#include <string.h>

enum { DENSE_OUTPUTS_MAX = 80, DENSE_ACCS = DENSE_OUTPUTS_MAX / ACC_LANES };

/* out = bias + weights · x. Few outputs are summed up in two chains, since one sum has to wait for
 * the one before it. */
static inline __attribute__((always_inline)) void dense(const int8_t *weights, const int32_t *bias,
                                                        const uint8_t *x, int inputs, int outputs,
                                                        int32_t *out)
{
    int accs = outputs / ACC_LANES, chains = accs <= 2 ? 2 : 1;
    Acc acc[2 * DENSE_ACCS];
    static const int32_t zero[ACC_LANES];
    for (int i = 0; i < accs; i++) acc[i] = acc_load(bias + i * ACC_LANES);
    for (int i = accs; i < chains * accs; i++) acc[i] = acc_load(zero);
    for (int in = 0; in < inputs; in += 4 * chains)
        for (int chain = 0; chain < chains; chain++, weights += 4 * outputs) {
            uint32_t four;
            memcpy(&four, x + in + 4 * chain, sizeof four);
            for (int i = 0; i < accs; i++) {
                Acc *sum = &acc[chain * accs + i];
                *sum = acc_dot(*sum, four, weights + 4 * i * ACC_LANES);
            }
        }
    for (int i = 0; i < accs; i++)
        acc_store(out + i * ACC_LANES, chains > 1 ? acc_add(acc[i], acc[accs + i]) : acc[i]);
}

/* What a sum is to the next layer: shifted down and held to 0 … 127. */
static inline uint8_t dense_clip(int32_t sum, int shift)
{
    int32_t x = sum >> shift;
    return (uint8_t)(x < 0 ? 0 : x > 127 ? 127 : x);
}

static inline void dense_clips(const int32_t *sums, int n, int shift, uint8_t *out)
{
    for (int i = 0; i < n; i++) out[i] = dense_clip(sums[i], shift);
}
