/* SPDX-License-Identifier: MIT */
/* Err: see err.h. Control characters become spaces, so that a message is always one line even when
 * it quotes hostile input. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void one_line(char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f) *text = ' ';
    }
}

bool err_set(Err *err, const char *format, ...)
{
    if (!err) return false;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    one_line(err->text);
    return false;
}

bool err_prefix(Err *err, const char *format, ...)
{
    if (!err) return false;
    Err old = *err;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t len = strlen(err->text);
    snprintf(err->text + len, sizeof err->text - len, ": %s", old.text);
    one_line(err->text);
    return false;
}
