/* SPDX-License-Identifier: MIT */
/* Numbers as bytes, little-endian whatever the machine, and the check sums of files: FNV-1a
 * (Fowler, Noll, Vo), good enough against accidents. */
#pragma once

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

static inline uint16_t bytes_get16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t bytes_get32(const uint8_t *p)
{
    return bytes_get16(p) | (uint32_t)bytes_get16(p + 2) << 16;
}

static inline uint64_t bytes_get64(const uint8_t *p)
{
    return bytes_get32(p) | (uint64_t)bytes_get32(p + 4) << 32;
}

static inline void bytes_put16(Buf *out, uint16_t x)
{
    buf_add(out, (uint8_t[]){(uint8_t)x, (uint8_t)(x >> 8)}, 2);
}

static inline void bytes_put32(Buf *out, uint32_t x)
{
    bytes_put16(out, (uint16_t)x);
    bytes_put16(out, (uint16_t)(x >> 16));
}

static inline uint32_t bytes_sum32(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < n; i++) sum = (sum ^ p[i]) * 16777619u;
    return sum;
}

/* `sum` is BYTES_SUM64, or the sum of what comes before. */
#define BYTES_SUM64 UINT64_C(14695981039346656037)
static inline uint64_t bytes_sum64(uint64_t sum, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) sum = (sum ^ p[i]) * UINT64_C(1099511628211);
    return sum;
}
