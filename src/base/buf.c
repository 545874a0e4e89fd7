/* SPDX-License-Identifier: MIT */
/* Buf: see buf.h. Grows by doubling, so that adding byte by byte stays linear. */
#include "base/buf.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUF_FIRST = 64 };

void buf_free(Buf *buf)
{
    mem_free(buf->data);
    *buf = BUF_EMPTY;
}

void buf_clear(Buf *buf)
{
    buf->len = 0;
    if (buf->data) buf->data[0] = '\0';
}

void buf_reserve(Buf *buf, size_t more)
{
    if (more >= SIZE_MAX / 2 - buf->len) abort(); /* no such string can exist: a caller's bug */
    size_t need = buf->len + more + 1;
    if (need <= buf->cap) return;
    size_t cap = buf->cap ? buf->cap : BUF_FIRST;
    while (cap < need) cap *= 2;
    buf->data = mem_grow(buf->data, cap);
    buf->cap = cap;
    buf->data[buf->len] = '\0';
}

void buf_add(Buf *buf, const void *bytes, size_t n)
{
    buf_reserve(buf, n);
    if (n) memcpy(buf->data + buf->len, bytes, n);
    buf->len += n;
    buf->data[buf->len] = '\0';
}

void buf_add_char(Buf *buf, char c)
{
    buf_add(buf, &c, 1);
}

void buf_add_text(Buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_printf(Buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(n >= 0);
    if (n > 0) {
        buf_reserve(buf, (size_t)n);
        vsnprintf(buf->data + buf->len, (size_t)n + 1, format, again);
        buf->len += (size_t)n;
    }
    va_end(again);
}

/* Its bytes but for those that continue a character. */
int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void buf_add_padded(Buf *buf, const char *text, int width)
{
    buf_add_text(buf, text);
    for (int i = text_width(text); i < width; i++) buf_add_char(buf, ' ');
}

const char *buf_text(const Buf *buf)
{
    return buf->data ? buf->data : "";
}
