/* SPDX-License-Identifier: MIT */
/* UTF-8: texts of files that should be in it, and often are not. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the mark at the beginning of text that some editors put before UTF-8 (the byte order
 * mark): 3, or 0 where there is none. No reader takes it for a part of the text. */
size_t utf8_mark(const char *text, size_t len);

/* Length of the character at text, which is NUL-terminated; 0 if there is none. */
int utf8_length(const char *text);
bool utf8_is_valid(const char *text, size_t len); /* needs no NUL behind it */
/* Appends text; bytes that are no UTF-8 are taken for Latin-1. */
void utf8_add(Buf *out, const char *text);
/* The same with its first character alone; returns what is behind it. */
const char *utf8_add_next(Buf *out, const char *text);
