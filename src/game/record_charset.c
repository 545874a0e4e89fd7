/* SPDX-License-Identifier: MIT */
/* Charsets of .sgf: what CA[…] names, as UTF-8.
 *
 * Only those that games are written in are known: each of them writes ASCII as ASCII, so that
 * points, numbers and brackets need no conversion. Names that mean less than people write under
 * them stand for the larger set, as in browsers. In some, the second byte of a character may be
 * the code of a bracket or a backslash; programs that write them put no backslash before it. */
#include "game/record_io.h"

#include "base/utf8.h"

#include <ctype.h>
#include <iconv.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_BYTES = 24, CHUNK = 256 };

struct Charset {
    iconv_t from;
    int pairs; /* an index into PAIRS */
    char name[NAME_MAX_BYTES];
};

/* Where the first byte of a pair lies. */
enum { PAIRS_NONE, PAIRS_CHINESE, PAIRS_JAPANESE };
static const struct {
    int first, last, more_first, more_last;
} PAIRS[] = {{1, 0, 1, 0}, {0x81, 0xFE, 1, 0}, {0x81, 0x9F, 0xE0, 0xFC}};

static const struct {
    const char *name; /* or, before a number, its beginning */
    const char *system_name;
    bool number; /* a number follows */
    int pairs;
} KNOWN[] = {
    {"GB18030", "GB18030", false, PAIRS_CHINESE},  {"GBK", "GB18030", false, PAIRS_CHINESE},
    {"GB2312", "GB18030", false, PAIRS_CHINESE},   {"Big5", "BIG5", false, PAIRS_CHINESE},
    {"Shift_JIS", "CP932", false, PAIRS_JAPANESE}, {"Shift-JIS", "CP932", false, PAIRS_JAPANESE},
    {"SJIS", "CP932", false, PAIRS_JAPANESE},      {"EUC-JP", "EUC-JP", false, PAIRS_NONE},
    {"EUC-KR", "CP949", false, PAIRS_NONE},        {"KOI8-R", "KOI8-R", false, PAIRS_NONE},
    {"KOI8-U", "KOI8-U", false, PAIRS_NONE},       {"ISO-8859-", "ISO-8859-", true, PAIRS_NONE},
    {"Windows-125", "CP125", true, PAIRS_NONE},    {"CP125", "CP125", true, PAIRS_NONE},
};

/* The number behind the name, of one or two digits; NULL if it is not this name. */
static const char *name_rest(const char *name, int i)
{
    size_t len = strlen(KNOWN[i].name);
    if (strncasecmp(name, KNOWN[i].name, len) != 0) return NULL;
    const char *rest = name + len;
    size_t digits = strspn(rest, "0123456789");
    bool fits = KNOWN[i].number ? digits == 1 || digits == 2 : digits == 0;
    return fits && !rest[digits] ? rest : NULL;
}

static Charset *charset_open(const char *name)
{
    enum { COUNT = sizeof KNOWN / sizeof *KNOWN };
    const char *rest = NULL;
    int i = 0;
    while (i < COUNT && !(rest = name_rest(name, i))) i++;
    if (!rest) return NULL;
    Buf system_name = BUF_EMPTY;
    buf_printf(&system_name, "%s%s", KNOWN[i].system_name, rest);
    iconv_t from = iconv_open("UTF-8", buf_text(&system_name));
    buf_free(&system_name);
    if (from == (iconv_t)-1) return NULL;
    Charset *charset = mem_zero(sizeof *charset);
    charset->from = from;
    charset->pairs = KNOWN[i].pairs;
    memcpy(charset->name, name, strlen(name) + 1); /* it fits: find_name made it */
    return charset;
}

void charset_close(Charset *charset)
{
    if (!charset) return;
    iconv_close(charset->from);
    mem_free(charset);
}

/* Behind the value that begins at text. */
static const char *skip_value(const char *text, const char *end)
{
    for (; text < end && *text != ']'; text++)
        if (*text == '\\' && text + 1 < end) text++;
    return text < end ? text + 1 : end;
}

/* What CA says, wherever it stands in the root: it holds for what stands before it, too. */
static void find_name(const char *game, const char *end, char name[NAME_MAX_BYTES])
{
    int nodes = 0;
    name[0] = '\0';
    for (const char *at = game; at < end && *at != ')'; at++) {
        nodes += *at == ';' || *at == '(';
        if (nodes > 2) return; /* "(;" begins the root */
        if (*at != '[') continue;
        const char *value = at + 1, *behind = skip_value(value, end);
        size_t len = (size_t)(behind - value);
        bool names = value - game > 3 && memcmp(value - 3, "CA[", 3) == 0 &&
                     !isupper((unsigned char)value[-4]);
        if (names && len > 1 && len <= NAME_MAX_BYTES) {
            memcpy(name, value, len - 1);
            name[len - 1] = '\0';
        }
        at = behind - 1;
    }
}

Charset *charset_for(Charset *charset, const char *game, const char *end)
{
    char name[NAME_MAX_BYTES];
    find_name(game, end, name);
    if (charset && strcmp(charset->name, name) == 0) return charset;
    charset_close(charset);
    return charset_open(name);
}

bool charset_pairs(const Charset *charset, int c)
{
    if (!charset) return false;
    int i = charset->pairs;
    return (c >= PAIRS[i].first && c <= PAIRS[i].last) ||
           (c >= PAIRS[i].more_first && c <= PAIRS[i].more_last);
}

/* False if text is not in this charset; out is then as it was. */
static bool converts(Charset *charset, const char *text, size_t left, Buf *out)
{
    size_t before = out->len;
    char *from = (char *)text; /* iconv writes nothing there */
    iconv(charset->from, NULL, NULL, NULL, NULL);
    while (left > 0) {
        char chunk[CHUNK], *to = chunk;
        size_t room = sizeof chunk;
        size_t done = iconv(charset->from, &from, &left, &to, &room);
        bool stuck = done == (size_t)-1 && to == chunk;
        if (stuck || memchr(chunk, '\0', (size_t)(to - chunk))) {
            out->len = before;
            return false;
        }
        buf_add(out, chunk, (size_t)(to - chunk));
    }
    return true;
}

void charset_add(Charset *charset, const char *text, size_t len, Buf *out)
{
    if (!charset || !converts(charset, text, len, out)) utf8_add(out, text);
}
