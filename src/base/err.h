/* SPDX-License-Identifier: MIT */
/* Err: why something from outside (a line, a file, a child) was refused, in one sentence.
 *
 * Functions that may refuse return bool and fill an Err; the caller decides what to do with it.
 * A good text says what was wrong, where, and what would be right. */
#pragma once

#include <stdbool.h>

typedef struct {
    char text[400]; /* NUL-terminated, no newline, truncated if need be */
} Err;

/* Writes the sentence and returns false, so that callers can `return err_set(err, …)`.
 * err may be NULL: then the reason is dropped. */
bool err_set(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "format: " before the sentence that is already there (file and line, for instance). */
bool err_prefix(Err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
