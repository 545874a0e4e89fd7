/* SPDX-License-Identifier: MIT */
/* The one place where the machine's vector instructions are named; everywhere else plain loops are
 * what the compiler makes vectors of. All forms compute the same integers.
 *
 * Acc is sixteen 32-bit sums side by side. acc_dot adds to each sum the product of four bytes, the
 * same four for all, with four weights of its own. Bytes are 0 … 127 and weights −127 … 127, so
 * that the 16-bit sums of pairs, which the older instructions go through, cannot overflow. */
#pragma once

#include <stdint.h>
#include <string.h>

enum { ACC_LANES = 16 };

#if defined __AVX512BW__

#include <immintrin.h>

typedef __m512i Acc;

static inline Acc acc_load(const int32_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline void acc_store(int32_t *to, Acc acc)
{
    _mm512_storeu_si512(to, acc);
}

static inline Acc acc_add(Acc a, Acc b)
{
    return _mm512_add_epi32(a, b);
}

static inline Acc acc_dot(Acc acc, uint32_t four, const int8_t *weights)
{
    __m512i x = _mm512_set1_epi32((int)four), w = _mm512_loadu_si512(weights);
#if defined __AVX512VNNI__
    return _mm512_dpbusd_epi32(acc, x, w);
#else
    __m512i pairs = _mm512_maddubs_epi16(x, w);
    return _mm512_add_epi32(acc, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}

static inline int32_t acc_read(Acc acc, int shift, const int32_t *weights)
{
    __m512i x = _mm512_srai_epi32(acc, (unsigned)shift);
    x = _mm512_min_epi32(_mm512_max_epi32(x, _mm512_setzero_si512()), _mm512_set1_epi32(127));
    /* Pairs of 16 bits: the upper of each is zero in x. */
    return _mm512_reduce_add_epi32(_mm512_madd_epi16(x, _mm512_loadu_si512(weights)));
}

#elif defined __AVX2__

#include <immintrin.h>

typedef struct {
    __m256i low, high;
} Acc;

static inline Acc acc_load(const int32_t *from)
{
    return (Acc){_mm256_loadu_si256((const __m256i *)from),
                 _mm256_loadu_si256((const __m256i *)from + 1)};
}

static inline void acc_store(int32_t *to, Acc acc)
{
    _mm256_storeu_si256((__m256i *)to, acc.low);
    _mm256_storeu_si256((__m256i *)to + 1, acc.high);
}

static inline Acc acc_add(Acc a, Acc b)
{
    return (Acc){_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}

static inline __m256i acc_dot_half(__m256i sums, __m256i x, const int8_t *weights)
{
    __m256i pairs = _mm256_maddubs_epi16(x, _mm256_loadu_si256((const __m256i *)weights));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline Acc acc_dot(Acc acc, uint32_t four, const int8_t *weights)
{
    __m256i x = _mm256_set1_epi32((int)four);
    return (Acc){acc_dot_half(acc.low, x, weights), acc_dot_half(acc.high, x, weights + 32)};
}

static inline __m256i acc_read_half(__m256i sums, int shift, const int32_t *weights)
{
    __m256i x = _mm256_srai_epi32(sums, shift);
    x = _mm256_min_epi32(_mm256_max_epi32(x, _mm256_setzero_si256()), _mm256_set1_epi32(127));
    /* Pairs of 16 bits: the upper of each is zero in x. */
    return _mm256_madd_epi16(x, _mm256_loadu_si256((const __m256i *)weights));
}

static inline int32_t acc_read(Acc acc, int shift, const int32_t *weights)
{
    __m256i eight = _mm256_add_epi32(acc_read_half(acc.low, shift, weights),
                                     acc_read_half(acc.high, shift, weights + 8));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

#elif defined __SSE4_1__

#include <immintrin.h>

typedef struct {
    __m128i of[4];
} Acc;

static inline Acc acc_load(const int32_t *from)
{
    Acc acc;
    for (int i = 0; i < 4; i++) acc.of[i] = _mm_loadu_si128((const __m128i *)from + i);
    return acc;
}

static inline void acc_store(int32_t *to, Acc acc)
{
    for (int i = 0; i < 4; i++) _mm_storeu_si128((__m128i *)to + i, acc.of[i]);
}

static inline Acc acc_add(Acc a, Acc b)
{
    for (int i = 0; i < 4; i++) a.of[i] = _mm_add_epi32(a.of[i], b.of[i]);
    return a;
}

static inline Acc acc_dot(Acc acc, uint32_t four, const int8_t *weights)
{
    __m128i x = _mm_set1_epi32((int)four), one = _mm_set1_epi16(1);
    for (int i = 0; i < 4; i++) {
        __m128i pairs = _mm_maddubs_epi16(x, _mm_loadu_si128((const __m128i *)weights + i));
        acc.of[i] = _mm_add_epi32(acc.of[i], _mm_madd_epi16(pairs, one));
    }
    return acc;
}

static inline int32_t acc_read(Acc acc, int shift, const int32_t *weights)
{
    __m128i sum = _mm_setzero_si128();
    for (int i = 0; i < 4; i++) {
        __m128i x = _mm_srai_epi32(acc.of[i], shift);
        x = _mm_min_epi32(_mm_max_epi32(x, _mm_setzero_si128()), _mm_set1_epi32(127));
        /* Pairs of 16 bits: the upper of each is zero in x. */
        x = _mm_madd_epi16(x, _mm_loadu_si128((const __m128i *)weights + i));
        sum = _mm_add_epi32(sum, x);
    }
    __m128i two = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

#else

typedef struct {
    int32_t of[ACC_LANES];
} Acc;

static inline Acc acc_load(const int32_t *from)
{
    Acc acc;
    memcpy(acc.of, from, sizeof acc.of);
    return acc;
}

static inline void acc_store(int32_t *to, Acc acc)
{
    memcpy(to, acc.of, sizeof acc.of);
}

static inline Acc acc_add(Acc a, Acc b)
{
    for (int i = 0; i < ACC_LANES; i++) a.of[i] += b.of[i];
    return a;
}

static inline Acc acc_dot(Acc acc, uint32_t four, const int8_t *weights)
{
    uint8_t x[4];
    memcpy(x, &four, sizeof x);
    for (int i = 0; i < ACC_LANES; i++, weights += 4)
        acc.of[i] += x[0] * weights[0] + x[1] * weights[1] + x[2] * weights[2] + x[3] * weights[3];
    return acc;
}

static inline int32_t acc_read(Acc acc, int shift, const int32_t *weights)
{
    int32_t sum = 0;
    for (int i = 0; i < ACC_LANES; i++) {
        int32_t x = acc.of[i] >> shift;
        sum += (x < 0 ? 0 : x > 127 ? 127 : x) * weights[i];
    }
    return sum;
}

#endif
