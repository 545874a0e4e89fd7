/* SPDX-License-Identifier: MIT */
#include "eval/params.h"

#include "base/mem.h"
#include "base/os.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, HEAD_MAX = 4096 };

static const char magic[] = "goren parameters ";

void params_init(Params *params, const char *kind)
{
    *params = (Params){0};
    snprintf(params->kind, sizeof params->kind, "%s", kind);
}

void params_free(Params *params)
{
    mem_free(params->floats);
    *params = (Params){0};
}

static const ParamsNumber *find(const Params *params, const char *name)
{
    for (int i = 0; i < params->number_count; i++)
        if (strcmp(params->numbers[i].name, name) == 0) return &params->numbers[i];
    return NULL;
}

void params_put(Params *params, const char *name, int64_t value)
{
    ParamsNumber *number = (ParamsNumber *)find(params, name);
    if (!number && params->number_count < PARAMS_NUMBERS_MAX)
        number = &params->numbers[params->number_count++];
    if (!number) return;
    snprintf(number->name, sizeof number->name, "%s", name);
    number->value = value;
}

void params_add_floats(Params *params, const float *floats, size_t count)
{
    size_t all = params->float_count + count;
    params->floats = mem_grow(params->floats, (all + 1) * sizeof *floats);
    memcpy(params->floats + params->float_count, floats, count * sizeof *floats);
    params->float_count = all;
}

/* Not against malice: against a file that was cut, or touched by an editor. */
static uint64_t check_of(const char *head, size_t head_len, const void *body, size_t body_len)
{
    uint64_t hash = 0x9e3779b97f4a7c15ull, word;
    const char *part[] = {head, body};
    size_t len[] = {head_len, body_len};
    for (int i = 0; i < 2; i++) {
        for (size_t at = 0; at < len[i]; at += sizeof word) {
            size_t n = len[i] - at < sizeof word ? len[i] - at : sizeof word;
            word = 0;
            memcpy(&word, part[i] + at, n);
            hash = (hash ^ word) * 0xff51afd7ed558ccdull;
            hash ^= hash >> 32;
        }
        hash += len[i];
    }
    return hash;
}

void params_write(const Params *params, Buf *out)
{
    size_t start = out->len;
    buf_printf(out, "%s%d\nkind %s\n", magic, VERSION, params->kind);
    for (int i = 0; i < params->number_count; i++)
        buf_printf(out, "%s %" PRId64 "\n", params->numbers[i].name, params->numbers[i].value);
    buf_printf(out, "floats %zu\n", params->float_count);
    size_t bytes = params->float_count * sizeof(float);
    uint64_t check = check_of(out->data + start, out->len - start, params->floats, bytes);
    buf_printf(out, "check %016" PRIx64 "\n\n", check);
    if (bytes) buf_add(out, params->floats, bytes);
}

/* ---- reading ---- */

typedef struct {
    const char *name;
    const char *at, *end; /* what is left of the header */
    int line;
    Err *err;
} Reader;

static bool refuse(const Reader *r, const char *why)
{
    return err_set(r->err, "%s:%d: %s", r->name, r->line, why);
}

/* Cuts the next line into its two words. */
static bool next_line(Reader *r, char *word, size_t word_room, char *value, size_t value_room)
{
    const char *eol = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line++;
    if (!eol) return refuse(r, "the header ends too early");
    const char *blank = memchr(r->at, ' ', (size_t)(eol - r->at));
    if (!blank) return refuse(r, "a line of the header is \"NAME VALUE\"");
    size_t word_len = (size_t)(blank - r->at), value_len = (size_t)(eol - blank - 1);
    if (!word_len || word_len >= word_room || !value_len || value_len >= value_room)
        return refuse(r, "a name or value of the header is too long, or empty");
    memcpy(word, r->at, word_len);
    word[word_len] = '\0';
    memcpy(value, blank + 1, value_len);
    value[value_len] = '\0';
    for (const char *c = word; *c; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c))
            return refuse(r, "a name of the header has other signs than a … z and 0 … 9");
    r->at = eol + 1;
    return true;
}

static bool read_number(const Reader *r, const char *text, int64_t *value)
{
    char *end;
    *value = strtoll(text, &end, 10);
    char again[32];
    snprintf(again, sizeof again, "%" PRId64, *value);
    return strcmp(again, text) == 0 || refuse(r, "a value of the header is no whole number");
}

static bool read_first_line(Reader *r, size_t len)
{
    size_t n = sizeof magic - 1;
    r->line = 1;
    if (len < n + 2 || memcmp(r->at, magic, n) != 0)
        return err_set(r->err, "%s: is no file of parameters; goren learn makes them", r->name);
    char *end;
    char text[16] = "";
    memcpy(text, r->at + n, len - n < sizeof text - 1 ? len - n : sizeof text - 1);
    long version = strtol(text, &end, 10);
    if (text[0] < '1' || text[0] > '9' || *end != '\n')
        return refuse(r, "the version is no number");
    if (version != VERSION)
        return err_set(r->err, "%s: has version %ld of the format; this program reads version %d",
                       r->name, version, VERSION);
    r->at += n + (size_t)(end - text) + 1;
    return true;
}

static bool read_head(Reader *r, const char *kind, Params *params, size_t *floats, uint64_t *check,
                      const char **checked)
{
    char word[PARAMS_NAME_MAX], value[32];
    int64_t number;
    if (!next_line(r, word, sizeof word, value, sizeof value)) return false;
    if (strcmp(word, "kind") != 0) return refuse(r, "the second line is \"kind NAME\"");
    if (strcmp(value, kind) != 0)
        return err_set(r->err, "%s: holds parameters of %s, not of %s", r->name, value, kind);
    params_init(params, kind);
    for (;;) {
        if (!next_line(r, word, sizeof word, value, sizeof value)) return false;
        if (!read_number(r, value, &number)) return false;
        if (strcmp(word, "floats") == 0) break;
        if (find(params, word)) return refuse(r, "a number stands twice in the header");
        if (params->number_count == PARAMS_NUMBERS_MAX) return refuse(r, "too many numbers");
        params_put(params, word, number);
    }
    if (number < 0 || number > PARAMS_FLOATS_MAX) return refuse(r, "so many floats cannot be");
    *floats = (size_t)number;
    *checked = r->at;
    if (!next_line(r, word, sizeof word, value, sizeof value)) return false;
    char *end;
    *check = strtoull(value, &end, 16);
    char again[32];
    snprintf(again, sizeof again, "%016" PRIx64, *check);
    if (strcmp(word, "check") != 0 || *end || strcmp(again, value) != 0)
        return refuse(r, "here must stand \"check\" and 16 hexadecimal digits");
    r->line++;
    if (r->at == r->end || *r->at++ != '\n') return refuse(r, "here must be an empty line");
    return true;
}

bool params_parse(const void *bytes, size_t len, const char *name, const char *kind, Params *params,
                  Err *err)
{
    const char *text = bytes, *checked = text;
    Reader r = {name, text, text + len, 0, err};
    size_t floats = 0;
    uint64_t check = 0;
    if (len > HEAD_MAX) r.end = text + HEAD_MAX;
    *params = (Params){0};
    if (!read_first_line(&r, len) || !read_head(&r, kind, params, &floats, &check, &checked))
        return false;
    size_t head = (size_t)(r.at - text), want = floats * sizeof(float);
    if (len - head != want)
        return err_set(err, "%s: has %zu bytes after its header where %zu belong", name, len - head,
                       want);
    if (check_of(text, (size_t)(checked - text), r.at, want) != check)
        return err_set(err, "%s: is damaged: its check sum does not fit", name);
    params->floats = mem_alloc(want + sizeof(float));
    memcpy(params->floats, r.at, want);
    params->float_count = floats;
    for (size_t i = 0; i < floats; i++) {
        float x = params->floats[i];
        if (x >= -1e9f && x <= 1e9f) continue;
        params_free(params);
        return err_set(err, "%s: float %zu is no sensible number", name, i);
    }
    return true;
}

bool params_read(const char *path, const char *kind, Params *params, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good = os_file_read(path, HEAD_MAX + PARAMS_FLOATS_MAX * sizeof(float), &bytes, err) &&
                params_parse(buf_text(&bytes), bytes.len, path, kind, params, err);
    buf_free(&bytes);
    return good;
}

bool params_get(const Params *params, const char *name, int64_t least, int64_t most, int64_t *value,
                Err *err)
{
    const ParamsNumber *number = find(params, name);
    *value = number ? number->value : least;
    if (!number) return err_set(err, "the header lacks the number %s", name);
    if (*value >= least && *value <= most) return true;
    return err_set(err, "%s is %" PRId64 " in the header, not %" PRId64 " to %" PRId64, name,
                   *value, least, most);
}
