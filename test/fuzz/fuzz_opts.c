/* SPDX-License-Identifier: MIT */
/* Any text as a spec and as a command line: refused with a reason or read, and every value read is
 * in the range its row states. */
#include "base/opts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    int depth;
    int64_t nodes;
    size_t hash;
    double rate;
    bool ponder;
    const char *cmd;
    OptSize size;
    int eval;
} Target;

#define ROW(field, kind, ...)                                                                      \
    {                                                                                              \
        .name = #field, .type = kind, .offset = offsetof(Target, field), __VA_ARGS__               \
    }

static const Opt rows[] = {
    ROW(depth, OPT_INT, .letter = 'd', .min = 1, .max = 99, .standard = "8", .help = "h"),
    ROW(nodes, OPT_COUNT, .help = "h"),
    ROW(hash, OPT_BYTES, .standard = "16M", .help = "h"),
    ROW(rate, OPT_FLOAT, .min = 0, .max = 1, .standard = "0.5", .help = "h"),
    ROW(ponder, OPT_BOOL, .letter = 'p', .help = "h"),
    ROW(cmd, OPT_TEXT, .help = "h"),
    ROW(size, OPT_SIZE, .letter = 'D', .min = 1, .max = 100, .standard = "15", .help = "h"),
    ROW(eval, OPT_CHOICE, .choices = "shape|net|mlp", .standard = "net", .help = "h"),
    {0},
};

static const OptTable table = {
    .name = "ab", .args = "ARG…", .args_max = 3, .about = "A player.", .opts = rows};

static void check(const Target *target)
{
    bool good = target->depth >= 1 && target->depth <= 99 && target->rate >= 0 &&
                target->rate <= 1 && target->size.width >= 1 && target->size.height <= 100 &&
                target->eval >= 0 && target->eval <= 2;
    if (!good) abort();
    if (target->cmd && strlen(target->cmd) > (size_t)1 << 20) abort();
}

static void as_spec(const char *text)
{
    Arena arena;
    arena_open(&arena, 512);
    char kind[SPEC_KIND_MAX];
    const char *keys;
    Err err = {0};
    Target target = {0};
    bool read =
        spec_split(text, kind, &keys, &err) && opts_parse_keys(&table, keys, &target, &arena, &err);
    if (read) check(&target);
    if (!read && !err.text[0]) abort();
    arena_close(&arena);
}

/* Every line of the text is one word. */
static void as_args(char *text)
{
    char *argv[18] = {"ab"};
    int argc = 1;
    for (char *word = strtok(text, "\n"); word && argc < 17; word = strtok(NULL, "\n")) {
        argv[argc++] = word;
    }
    Err err = {0};
    Target target = {0};
    OptsResult result = opts_parse_args(&table, &argc, argv, &target, &err);
    if (result == OPTS_OK) {
        check(&target);
        if (argc > 3) abort();
    }
    if (result == OPTS_BAD && !err.text[0]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_alloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    as_spec(text);
    as_args(text);
    mem_free(text);
    return 0;
}
