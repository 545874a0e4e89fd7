/* SPDX-License-Identifier: MIT */
/* Buf: a growable byte string. data is NUL-terminated whenever it is not NULL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char *data; /* owned; NULL until something was added */
    size_t len; /* bytes in use, without the NUL */
    size_t cap;
} Buf;

#define BUF_EMPTY ((Buf){0})

void buf_free(Buf *buf);  /* back to BUF_EMPTY */
void buf_clear(Buf *buf); /* len = 0, keeps the memory */
void buf_reserve(Buf *buf, size_t more);
void buf_add(Buf *buf, const void *bytes, size_t n);
void buf_add_char(Buf *buf, char c);
void buf_add_text(Buf *buf, const char *text);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
int text_width(const char *text); /* its characters of UTF-8 */
/* With blanks up to so many columns, which are characters of UTF-8 and not bytes. */
void buf_add_padded(Buf *buf, const char *text, int width);
const char *buf_text(const Buf *buf); /* never NULL */
