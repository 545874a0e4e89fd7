/* SPDX-License-Identifier: MIT */
/* Params: what a learner knows, as a file: a kind, some named whole numbers, a block of floats.
 *
 *      goren parameters 1          the format's version
 *      kind td
 *      k 5                         named numbers, a line each
 *      …
 *      floats 52
 *      check 0123456789abcdef      of everything else
 *                                  an empty line, then the floats, little endian
 *
 * A file is read whole and right or not at all. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

enum { PARAMS_NAME_MAX = 16, PARAMS_NUMBERS_MAX = 24, PARAMS_FLOATS_MAX = 1 << 22 };

typedef struct {
    char name[PARAMS_NAME_MAX];
    int64_t value;
} ParamsNumber;

typedef struct {
    char kind[PARAMS_NAME_MAX];
    ParamsNumber numbers[PARAMS_NUMBERS_MAX];
    int number_count;
    float *floats; /* owned */
    size_t float_count;
} Params;

void params_init(Params *params, const char *kind);
void params_free(Params *params); /* a zeroed one is fine */
/* Names are lower-case letters and digits; a number that is there is replaced. */
void params_put(Params *params, const char *name, int64_t value);
void params_add_floats(Params *params, const float *floats, size_t count);

void params_write(const Params *params, Buf *out);
/* `name` is what errors call the file; `kind` what it must be. On failure there is nothing to free.
 */
bool params_parse(const void *bytes, size_t len, const char *name, const char *kind, Params *params,
                  Err *err);
bool params_read(const char *path, const char *kind, Params *params, Err *err);

/* A number within limits; the error names it. */
bool params_get(const Params *params, const char *name, int64_t least, int64_t most, int64_t *value,
                Err *err);
