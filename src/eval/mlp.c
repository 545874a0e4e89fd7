/* SPDX-License-Identifier: MIT */
#include "eval/mlp.h"

#include "base/mem.h"

#include <stdint.h>
#include <string.h>

size_t mlp_count(int inputs, int hidden)
{
    return (size_t)inputs * (size_t)hidden + 2 * (size_t)hidden + 1;
}

void mlp_open(Mlp *mlp, int inputs, int hidden)
{
    mlp->inputs = inputs;
    mlp->hidden = hidden;
    mlp->weights = mem_lines(mlp_count(inputs, hidden) * sizeof *mlp->weights);
}

void mlp_close(Mlp *mlp)
{
    mem_free(mlp->weights);
    *mlp = (Mlp){0};
}

void mlp_copy(Mlp *to, const Mlp *from)
{
    memcpy(to->weights, from->weights, mlp_count(from->inputs, from->hidden) * sizeof(float));
}

void mlp_shuffle(Mlp *mlp, double spread, Rng *rng)
{
    float *bias = mlp_bias(mlp), *out = bias + mlp->hidden;
    memset(bias, 0, (2 * (size_t)mlp->hidden + 1) * sizeof *bias);
    for (float *w = mlp->weights; w < bias; w++) *w = (float)(spread * (2 * rng_unit(rng) - 1));
    for (int h = 0; h < mlp->hidden; h++) out[h] = (float)(spread * (2 * rng_unit(rng) - 1));
}

/* ---- forward ---- */

/* 1 / (1 + e^−x), to the last bits of a float: e^x = 2^n · e^r with |r| ≤ ln 2 / 2. Written so that
 * a loop over it becomes vectors. */
static inline float sigmoid(float x)
{
    const float most = 30.0f, to_bits = 12582912.0f; /* 1.5 · 2^23: adding it rounds */
    union {
        int32_t bits;
        float value;
    } power;
    x = x > most ? most : x < -most ? -most : x;
    float n = (-x * 1.44269504f + to_bits) - to_bits;
    float r = (-x - n * 0.693145752f) - n * 1.42860677e-6f;
    float e = 1.0f / 720;
    e = e * r + 1.0f / 120;
    e = e * r + 1.0f / 24;
    e = e * r + 1.0f / 6;
    e = e * r + 0.5f;
    e = e * r + 1.0f;
    e = e * r + 1.0f;
    power.bits = ((int32_t)n + 127) << 23;
    return 1.0f / (1.0f + e * power.value);
}

void mlp_sums(const Mlp *mlp, const MlpInput *inputs, int count, float *sums)
{
    memcpy(sums, mlp_bias(mlp), (size_t)mlp->hidden * sizeof *sums);
    for (int i = 0; i < count; i++) mlp_change(mlp, inputs[i].index, inputs[i].value, sums);
}

void mlp_change(const Mlp *mlp, int input, float x, float *sums)
{
    const float *restrict row = mlp_row(mlp, input);
    for (int h = 0; h < mlp->hidden; h++) sums[h] += x * row[h];
}

/* Eight sums side by side, then their sum: an order that vectors can keep. */
static float dot(const float *a, const float *b, int n)
{
    float lanes[8] = {0}, sum = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) lanes[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 8; k++) sum += lanes[k];
    for (; i < n; i++) sum += a[i] * b[i];
    return sum;
}

float mlp_value(const Mlp *mlp, const float *sums, float *active)
{
    const float *out = mlp_bias(mlp) + mlp->hidden;
    for (int h = 0; h < mlp->hidden; h++) active[h] = sigmoid(sums[h]);
    return sigmoid(out[mlp->hidden] + dot(out, active, mlp->hidden));
}

/* ---- backward ---- */

/* ∂value/∂sums of the hidden units, times scale. */
static void back(const Mlp *mlp, const float *active, float scale, float *delta)
{
    const float *out = mlp_bias(mlp) + mlp->hidden;
    for (int h = 0; h < mlp->hidden; h++) delta[h] = scale * out[h] * active[h] * (1 - active[h]);
}

/* to += scale · ∂value: the one place that knows the gradient. */
static void add_gradient(const Mlp *mlp, const MlpInput *inputs, int count, const float *active,
                         float value, float scale, float *to)
{
    float delta[MLP_HIDDEN_MAX], outer = scale * value * (1 - value);
    size_t hidden = (size_t)mlp->hidden;
    float *bias = to + (size_t)mlp->inputs * hidden, *out = bias + hidden;
    back(mlp, active, outer, delta);
    for (int i = 0; i < count; i++) {
        float *restrict row = to + (size_t)inputs[i].index * hidden;
        for (size_t h = 0; h < hidden; h++) row[h] += inputs[i].value * delta[h];
    }
    for (size_t h = 0; h < hidden; h++) bias[h] += delta[h];
    for (size_t h = 0; h < hidden; h++) out[h] += outer * active[h];
    out[hidden] += outer;
}

void mlp_learn(Mlp *mlp, const MlpInput *inputs, int count, const float *active, float value,
               float step)
{
    add_gradient(mlp, inputs, count, active, value, step, mlp->weights);
}

void mlp_trace(const Mlp *mlp, const MlpInput *inputs, int count, const float *active, float value,
               float decay, float *gradient)
{
    size_t all = mlp_count(mlp->inputs, mlp->hidden);
    for (size_t i = 0; i < all; i++) gradient[i] *= decay;
    add_gradient(mlp, inputs, count, active, value, 1, gradient);
}
