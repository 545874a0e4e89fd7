/* SPDX-License-Identifier: MIT */
/* Mlp: a network of three layers with one output, all sigmoids: the critic of the learners.
 *
 *      inputs  →  hidden  →  1            value = σ(b2 + Σ w2[h] · σ(b1[h] + Σ w1[i][h] · x[i]))
 *
 * All parameters are one flat block, w1 by input first, so that a changed input is one vector
 * addition to the sums of the hidden units. Inputs are given as a list of those that are not 0.
 * Plain float arithmetic in a fixed order: the same result whatever the compiler. */
#pragma once

#include "base/rng.h"

#include <stddef.h>

typedef struct {
    int index;
    float value;
} MlpInput;

typedef struct {
    int inputs, hidden;
    float *weights; /* owned: w1[inputs][hidden], b1[hidden], w2[hidden], b2 */
} Mlp;

enum { MLP_HIDDEN_MAX = 256 };

size_t mlp_count(int inputs, int hidden);            /* of parameters */
void mlp_open(Mlp *mlp, int inputs, int hidden);     /* all 0 */
void mlp_close(Mlp *mlp);                            /* a zeroed one is fine */
void mlp_copy(Mlp *to, const Mlp *from);             /* both of the same size */
void mlp_shuffle(Mlp *mlp, double spread, Rng *rng); /* weights within ± spread, biases 0 */

static inline float *mlp_row(const Mlp *m, int input)
{
    return m->weights + (size_t)input * (size_t)m->hidden;
}

static inline float *mlp_bias(const Mlp *m) /* b1; w2 and b2 follow */
{
    return mlp_row(m, m->inputs);
}

/* The sums that go into the hidden units. */
void mlp_sums(const Mlp *mlp, const MlpInput *inputs, int count, float *sums);
/* Changes one input by x. */
void mlp_change(const Mlp *mlp, int input, float x, float *sums);
/* The output; `active` gets what the hidden units say, and may be `sums`. */
float mlp_value(const Mlp *mlp, const float *sums, float *active);

/* One step of gradient descent on ½ error², with error = target − value: every parameter moves by
 * step · ∂value, step = rate · error. inputs, active and value are those of the forward pass. */
void mlp_learn(Mlp *mlp, const MlpInput *inputs, int count, const float *active, float value,
               float step);
/* gradient ← decay · gradient + ∂value, over all parameters: the trace of TD(λ). */
void mlp_trace(const Mlp *mlp, const MlpInput *inputs, int count, const float *active, float value,
               float decay, float *gradient);
