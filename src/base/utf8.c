/* SPDX-License-Identifier: MIT */
/* Characters of UTF-8; see utf8.h. */
#include "base/utf8.h"

#include <string.h>

size_t utf8_mark(const char *text, size_t len)
{
    static const char MARK[] = {'\xEF', '\xBB', '\xBF'};
    return len >= sizeof MARK && memcmp(text, MARK, sizeof MARK) == 0 ? sizeof MARK : 0;
}

int utf8_length(const char *from)
{
    static const struct {
        unsigned char first, last; /* range of the first byte */
        unsigned char low, high;   /* range of the second one, which rules out what is too long */
        int length;
    } FORMS[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    const unsigned char *text = (const unsigned char *)from;
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (text[0] < FORMS[i].first || text[0] > FORMS[i].last) continue;
        if (FORMS[i].length > 1 && (text[1] < FORMS[i].low || text[1] > FORMS[i].high)) return 0;
        for (int j = 2; j < FORMS[i].length; j++)
            if (text[j] < 0x80 || text[j] > 0xBF) return 0;
        return FORMS[i].length;
    }
    return 0;
}

bool utf8_is_valid(const char *text, size_t len)
{
    enum { LONGEST = 4 };
    for (size_t at = 0; at < len;) {
        char last[LONGEST + 1] = "";
        size_t left = len - at;
        if (left < LONGEST) memcpy(last, text + at, left);
        size_t length = (size_t)utf8_length(left < LONGEST ? last : text + at);
        if (!length || length > left) return false;
        at += length;
    }
    return true;
}

const char *utf8_add_next(Buf *out, const char *text)
{
    int length = utf8_length(text);
    unsigned char c = (unsigned char)*text;
    if (length) {
        buf_add(out, text, (size_t)length);
        return text + length;
    }
    buf_add_char(out, (char)(0xC0 | c >> 6));
    buf_add_char(out, (char)(0x80 | (c & 0x3F)));
    return text + 1;
}

void utf8_add(Buf *out, const char *text)
{
    while (*text) text = utf8_add_next(out, text);
}
