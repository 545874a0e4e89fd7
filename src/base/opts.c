/* SPDX-License-Identifier: MIT */
/* Options: see opts.h. Reading a value is the same for both forms; only finding it differs. */
#include "base/opts.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static bool in_range(const Opt *opt, double value)
{
    return opt->min == opt->max || (value >= opt->min && value <= opt->max);
}

static bool range_error(const Opt *opt, const char *text, Err *err)
{
    return err_set(err, "%s=%s is out of range: from %.15g to %.15g", opt->name, text, opt->min,
                   opt->max);
}

/* Digits, a sign perhaps; *end is what follows them. strtoll alone would pass over blanks. */
static bool read_integer(const char *text, long long *value, const char **end)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digits)) return false;
    char *after;
    errno = 0;
    *value = strtoll(text, &after, 10);
    *end = after;
    return errno == 0;
}

/* A whole number, times 1, base, base² or base³ after the letters none, k, m, g. */
static bool read_scaled(const char *text, long long base, long long *value)
{
    const char *end;
    if (!read_integer(text, value, &end)) return false;
    if (!*end) return true;
    const char *letters = "kmg";
    const char *letter = strchr(letters, tolower((unsigned char)*end));
    if (base == 1 || !letter || end[1]) return false;
    for (const char *c = letters; c <= letter; c++) {
        if (__builtin_mul_overflow(*value, base, value)) return false;
    }
    return true;
}

static bool set_integer(const Opt *opt, const char *text, void *field, Err *err)
{
    long long base = opt->type == OPT_INT ? 1 : opt->type == OPT_COUNT ? 1000 : 1024;
    long long value;
    if (!read_scaled(text, base, &value)) {
        return err_set(err, "%s=%s is not a whole number%s", opt->name, text,
                       base == 1      ? ""
                       : base == 1000 ? " (k, M and G may follow it)"
                                      : " of bytes (K, M and G may follow it)");
    }
    if (!in_range(opt, (double)value)) return range_error(opt, text, err);
    bool fits = opt->type == OPT_INT     ? value >= INT32_MIN && value <= INT32_MAX
                : opt->type == OPT_BYTES ? value >= 0
                                         : true;
    if (!fits) return err_set(err, "%s=%s is too large or too small", opt->name, text);
    if (opt->type == OPT_INT) *(int *)field = (int)value;
    if (opt->type == OPT_COUNT) *(int64_t *)field = value;
    if (opt->type == OPT_BYTES) *(size_t *)field = (size_t)value;
    return true;
}

static bool set_float(const Opt *opt, const char *text, void *field, Err *err)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text) || !isfinite(value)) {
        return err_set(err, "%s=%s is not a number", opt->name, text);
    }
    if (!in_range(opt, value)) return range_error(opt, text, err);
    *(double *)field = value;
    return true;
}

static bool set_bool(const Opt *opt, const char *text, void *field, Err *err)
{
    static const char *const words[][2] = {
        {"no", "yes"}, {"false", "true"}, {"off", "on"}, {"0", "1"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (int yes = 0; yes < 2; yes++) {
            if (strcmp(text, words[i][yes]) != 0) continue;
            *(bool *)field = yes;
            return true;
        }
    }
    return err_set(err, "%s=%s is neither yes nor no", opt->name, text);
}

static bool set_size(const Opt *opt, const char *text, void *field, Err *err)
{
    long long width = 0, height;
    const char *end;
    bool good = read_integer(text, &width, &end);
    height = width;
    if (good && *end) {
        good = strchr("xX,", *end) && read_integer(end + 1, &height, &end) && !*end;
    }
    if (!good) return err_set(err, "%s=%s is not a size like 15 or 20x15", opt->name, text);
    bool fits = width >= INT32_MIN && width <= INT32_MAX && height >= INT32_MIN &&
                height <= INT32_MAX && in_range(opt, (double)width) &&
                in_range(opt, (double)height);
    if (!fits) return range_error(opt, text, err);
    *(OptSize *)field = (OptSize){(int)width, (int)height};
    return true;
}

static bool set_choice(const Opt *opt, const char *text, void *field, Err *err)
{
    size_t len = strlen(text);
    const char *word = opt->choices;
    for (int i = 0;; i++) {
        size_t word_len = strcspn(word, "|");
        if (len == word_len && memcmp(word, text, len) == 0) {
            *(int *)field = i;
            return true;
        }
        if (!word[word_len]) break;
        word += word_len + 1;
    }
    return err_set(err, "%s=%s: choose one of %s", opt->name, text, opt->choices);
}

static bool set_value(const Opt *opt, const char *text, void *out, Err *err)
{
    void *field = (char *)out + opt->offset;
    switch (opt->type) {
    case OPT_INT:
    case OPT_COUNT:
    case OPT_BYTES:
        return set_integer(opt, text, field, err);
    case OPT_FLOAT:
        return set_float(opt, text, field, err);
    case OPT_BOOL:
        return set_bool(opt, text, field, err);
    case OPT_SIZE:
        return set_size(opt, text, field, err);
    case OPT_CHOICE:
        return set_choice(opt, text, field, err);
    case OPT_TEXT:
        *(const char **)field = text;
        return true;
    }
    return false;
}

void opts_defaults(const OptTable *table, void *out)
{
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (!opt->standard) continue;
        Err err;
        bool good = set_value(opt, opt->standard, out, &err);
        assert(good && "a default its own row refuses");
        (void)good;
    }
}

/* ---- names ---- */

enum { NAME_MAX_LEN = 40 };

int opts_distance(const char *a, const char *b)
{
    int n = (int)strnlen(a, NAME_MAX_LEN), m = (int)strnlen(b, NAME_MAX_LEN);
    int d[NAME_MAX_LEN + 1][NAME_MAX_LEN + 1];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

bool opts_is_near(const char *word, const char *name)
{
    return opts_distance(word, name) <= 1 + (int)strlen(name) / 4;
}

/* "did you mean", and the list of what there is. dashes is what stood before word: "", - or --. */
static bool unknown_name(const OptTable *table, const char *word, const char *dashes, Err *err)
{
    const Opt *nearest = NULL;
    const char *before = *dashes ? "--" : "";
    Buf known = BUF_EMPTY, text = BUF_EMPTY;
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (!opt->help) continue;
        buf_printf(&known, "%s%s%s", known.len ? ", " : "", before, opt->name);
        if (!nearest || opts_distance(word, opt->name) < opts_distance(word, nearest->name)) {
            nearest = opt;
        }
    }
    if (*dashes) {
        buf_printf(&text, "there is no option %s%s", dashes, word);
    } else {
        buf_printf(&text, "%s has no key \"%s\"", table->name, word);
    }
    if (nearest && opts_is_near(word, nearest->name)) {
        buf_printf(&text, "; did you mean %s%s? There are", before, nearest->name);
    } else {
        buf_add_text(&text, "; there are");
    }
    buf_add_text(&text, known.len ? " " : " none");
    buf_add_text(&text, buf_text(&known));
    /* What should have been one value was cut at its comma. */
    if (!*dashes && !isalpha((unsigned char)*word))
        buf_add_text(&text, "; a value with a comma goes in quotes, \"1,2\"");
    err_set(err, "%s", text.data);
    buf_free(&known);
    buf_free(&text);
    return false;
}

static const Opt *find_name(const OptTable *table, const char *name, size_t len)
{
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (strlen(opt->name) == len && memcmp(opt->name, name, len) == 0) return opt;
    }
    return NULL;
}

static const Opt *find_letter(const OptTable *table, char letter)
{
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (opt->letter && opt->letter == letter) return opt;
    }
    return NULL;
}

/* One bit per row, for the required ones. */
typedef struct {
    uint64_t bits;
} Given;

static void given_note(Given *given, const OptTable *table, const Opt *opt)
{
    ptrdiff_t row = opt - table->opts;
    assert(row < 64);
    given->bits |= UINT64_C(1) << row;
}

static bool is_given(const Given *given, const OptTable *table, const Opt *opt)
{
    return given->bits >> (opt - table->opts) & 1;
}

/* Two names of one field, which would hold what came last. */
static bool names_check(const Given *given, const OptTable *table, const char *dashes, Err *err)
{
    for (const Opt *a = table->opts; a && a->name; a++)
        for (const Opt *b = table->opts; b < a; b++)
            if (a->offset == b->offset && is_given(given, table, a) && is_given(given, table, b))
                return err_set(err, "%s%s and %s%s are the same: give one of them", dashes, b->name,
                               dashes, a->name);
    return true;
}

/* Given, and not as a switch that is off. */
static bool is_used(const Given *given, const OptTable *table, const Opt *opt, const void *out)
{
    return is_given(given, table, opt) &&
           (opt->type != OPT_BOOL || *(const bool *)((const char *)out + opt->offset));
}

/* The first option of "one|two" that is used; NULL: none. */
static const Opt *first_used(const Given *given, const OptTable *table, const char *names,
                             const void *out)
{
    for (const char *at = names; at && *at;) {
        size_t len = strcspn(at, "|");
        const Opt *opt = find_name(table, at, len);
        assert(opt && "a name that is not in the table");
        if (is_used(given, table, opt, out)) return opt;
        at += len + (at[len] == '|');
    }
    return NULL;
}

static bool needs_error(const Opt *opt, const char *dashes, Err *err)
{
    Buf names = BUF_EMPTY;
    for (const char *at = opt->needs; *at;) {
        size_t len = strcspn(at, "|");
        buf_printf(&names, "%s%s%.*s", names.len ? " or " : "", dashes, (int)len, at);
        at += len + (at[len] == '|');
    }
    err_set(err, "%s%s does nothing without %s: add that, or leave out %s%s", dashes, opt->name,
            names.data, dashes, opt->name);
    buf_free(&names);
    return false;
}

/* What would do nothing is a slip, and whoever made it waits for something else. */
static bool effects_check(const Given *given, const OptTable *table, const void *out,
                          const char *dashes, Err *err)
{
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (!is_used(given, table, opt, out)) continue;
        const Opt *barred = first_used(given, table, opt->bars, out);
        if (barred)
            return err_set(err, "%s%s does nothing beside %s%s: leave out one of them", dashes,
                           barred->name, dashes, opt->name);
        if (opt->needs && !first_used(given, table, opt->needs, out))
            return needs_error(opt, dashes, err);
    }
    return true;
}

static bool given_check(const Given *given, const OptTable *table, const void *out,
                        const char *dashes, Err *err)
{
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (opt->required && !is_given(given, table, opt)) {
            return err_set(err, "%s needs %s%s (%s)", *dashes ? "this" : table->name, dashes,
                           opt->name, opt->help ? opt->help : "");
        }
    }
    return names_check(given, table, dashes, err) && effects_check(given, table, out, dashes, err);
}

/* ---- specs ---- */

bool spec_split(const char *spec, char kind[SPEC_KIND_MAX], const char **keys, Err *err)
{
    size_t len = strcspn(spec, ":");
    if (len == 0) return err_set(err, "\"%s\" names no kind; write kind:key=value,…", spec);
    if (len >= SPEC_KIND_MAX) return err_set(err, "\"%.40s…\" is too long for a kind", spec);
    memcpy(kind, spec, len);
    kind[len] = '\0';
    *keys = spec[len] ? spec + len + 1 : spec + len;
    return true;
}

/* Reads the value at *in (plain up to a comma, or quoted), NUL-terminates it in place and moves *in
 * past the comma. Inside quotes \" and \\ stand for " and \; any other \ for itself. */
static char *take_value(char **in, Err *err)
{
    char *value = *in;
    if (*value != '"') {
        char *end = value + strcspn(value, ",");
        *in = *end ? end + 1 : end;
        *end = '\0';
        return value;
    }
    char *from = value + 1, *to = value;
    while (*from && *from != '"') {
        if (*from == '\\' && (from[1] == '"' || from[1] == '\\')) from++;
        *to++ = *from++;
    }
    if (!*from) return err_set(err, "a \" that is never closed"), NULL;
    from++;
    if (*from && *from != ',') {
        return err_set(err, "after a closing \" comes a comma or nothing, not \"%s\"", from), NULL;
    }
    *in = *from ? from + 1 : from;
    *to = '\0';
    return value;
}

bool opts_each_key(const OptTable *table, const char *text, Arena *arena, OptsVisit *visit,
                   void *ctx, Err *err)
{
    char *in = arena_text(arena, text ? text : "", text ? strlen(text) : 0);
    while (*in) {
        char *key = in;
        in += strcspn(in, "=,");
        char mark = *in;
        if (mark) *in++ = '\0';
        const Opt *opt = find_name(table, key, strlen(key));
        if (!opt) return unknown_name(table, key, "", err);
        const char *value = "yes";
        if (mark == '=') {
            value = take_value(&in, err);
            if (!value) return err_prefix(err, "%s: %s", table->name, key);
        } else if (opt->type != OPT_BOOL) {
            return err_set(err, "%s: %s needs a value: %s=…", table->name, key, key);
        }
        if (!visit(ctx, opt, value, err)) return false;
    }
    return true;
}

typedef struct {
    const OptTable *table;
    void *out;
    Given given;
} KeyReader;

static bool read_key(void *ctx, const Opt *opt, const char *value, Err *err)
{
    KeyReader *reader = ctx;
    if (!set_value(opt, value, reader->out, err)) return err_prefix(err, "%s", reader->table->name);
    given_note(&reader->given, reader->table, opt);
    return true;
}

bool opts_parse_keys(const OptTable *table, const char *text, void *out, Arena *arena, Err *err)
{
    KeyReader reader = {.table = table, .out = out};
    opts_defaults(table, out);
    return opts_each_key(table, text, arena, read_key, &reader, err) &&
           given_check(&reader.given, table, out, "", err);
}

/* ---- command lines ---- */

/* Finds the row of the option argv[*i] and its value, which may be the next word. */
static const Opt *take_option(const OptTable *table, int argc, char **argv, int *i,
                              const char **value, Err *err)
{
    char *word = argv[*i];
    bool is_long = word[1] == '-';
    size_t len = is_long ? strcspn(word + 2, "=") : 1;
    char *rest = is_long ? word + 2 + len : word + 2;
    const Opt *opt = is_long ? find_name(table, word + 2, len) : find_letter(table, word[1]);
    if (!opt) {
        char name[NAME_MAX_LEN + 1] = {word[1]};
        if (is_long) {
            snprintf(name, sizeof name, "%.*s", (int)(len < NAME_MAX_LEN ? len : NAME_MAX_LEN),
                     word + 2);
        }
        unknown_name(table, name, is_long ? "--" : "-", err);
        return NULL;
    }
    if (*rest) {
        *value = rest + (is_long || *rest == '=');
    } else if (opt->type == OPT_BOOL) {
        *value = "yes";
    } else if (*i + 1 < argc) {
        *value = argv[++*i];
    } else {
        return err_set(err, "%s needs a value", word), NULL;
    }
    return opt;
}

static bool check_count(const OptTable *table, int count, char **args, Err *err)
{
    if (count < table->args_min) {
        return err_set(err, "too few arguments; it takes %s", table->args);
    }
    if (table->args_max >= 0 && count > table->args_max) {
        return err_set(err, "one argument too many: %s", args[table->args_max]);
    }
    return true;
}

OptsResult opts_parse_args(const OptTable *table, int *argc, char **argv, void *out, Err *err)
{
    opts_defaults(table, out);
    Given given = {0};
    int count = 0;
    bool only_args = false;
    for (int i = 1; i < *argc; i++) {
        char *word = argv[i];
        if (only_args || word[0] != '-' || !word[1]) {
            argv[count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_args = true;
        } else if (strcmp(word, "--help") == 0) {
            return OPTS_HELP;
        } else {
            const char *value;
            const Opt *opt = take_option(table, *argc, argv, &i, &value, err);
            if (!opt) return OPTS_BAD;
            if (!set_value(opt, value, out, err)) return OPTS_BAD;
            given_note(&given, table, opt);
        }
    }
    *argc = count;
    bool good = check_count(table, count, argv, err) && given_check(&given, table, out, "--", err);
    return good ? OPTS_OK : OPTS_BAD;
}
