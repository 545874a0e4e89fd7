/* SPDX-License-Identifier: MIT */
/* Options as a table: one row per key says its name, type, range, default and help, and where in
 * the caller's struct it goes. The same table type reads
 *
 *   a spec       kind:key=value,key="a text, with a comma",flag
 *   a command    --name VALUE  --name=VALUE  -x VALUE  --flag  and positional arguments
 *
 * and writes the help. What would do nothing beside the others is refused. Texts are not copied out
 * of argv; those of a spec live in the arena given.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    OPT_INT,    /* int */
    OPT_COUNT,  /* int64_t; k, M and G multiply by 1000 */
    OPT_BYTES,  /* size_t; K, M and G multiply by 1024 */
    OPT_FLOAT,  /* double */
    OPT_BOOL,   /* bool; yes/no, true/false, on/off, 1/0; the bare name means yes */
    OPT_TEXT,   /* const char * */
    OPT_SIZE,   /* OptSize; 15, 20x15 or 20,15 */
    OPT_CHOICE, /* int, the place in choices */
} OptType;

typedef struct {
    int width, height;
} OptSize;

typedef struct {
    const char *name; /* NULL ends a table */
    char letter;      /* the short form on a command line; 0: none */
    OptType type;
    size_t offset;        /* of the field in the caller's struct */
    double min, max;      /* of a number or of both sides of a size; no limits when equal */
    const char *standard; /* the default as one would write it; NULL: the field is left alone */
    const char *choices;  /* "one|two|three" for OPT_CHOICE */
    const char *value;    /* how help calls the value; NULL: by type */
    const char *help;     /* NULL: an alias, understood but not listed */
    bool required;
    const char *needs; /* "one|two": without one of these beside it, it does nothing */
    const char *bars;  /* "one|two": beside it these do nothing */
} Opt;

typedef struct {
    const char *name;       /* "goren play", or the kind of a player */
    const char *args;       /* positional arguments as help shows them; NULL: none */
    int args_min, args_max; /* how many; max -1: any number */
    const char *about;      /* what it does */
    const char *example;    /* one line that works; NULL: none */
    const Opt *opts;        /* rows; NULL: none */
} OptTable;

/* Every field that has a default gets it. */
void opts_defaults(const OptTable *table, void *out);

/* Reads "key=value,…" over the defaults. text NULL or "" leaves just those. */
bool opts_parse_keys(const OptTable *table, const char *text, void *out, Arena *arena, Err *err);

/* Visits the keys one by one, each with its value as text, until a visit returns false. */
typedef bool OptsVisit(void *ctx, const Opt *opt, const char *value, Err *err);
bool opts_each_key(const OptTable *table, const char *text, Arena *arena, OptsVisit *visit,
                   void *ctx, Err *err);

enum { SPEC_KIND_MAX = 32 };
/* Cuts a spec into its kind and its keys, which *keys then points at ("" when there are none). */
bool spec_split(const char *spec, char kind[SPEC_KIND_MAX], const char **keys, Err *err);

typedef enum { OPTS_OK, OPTS_HELP, OPTS_BAD } OptsResult;
/* Reads argv[1…] over the defaults and leaves the positional arguments, *argc of them, in argv[0…].
 * OPTS_HELP: --help was among them. After "--" everything is positional. */
OptsResult opts_parse_args(const OptTable *table, int *argc, char **argv, void *out, Err *err);

void opts_help(const OptTable *table, Buf *out);
void spec_help(const OptTable *table, Buf *out); /* the same for the keys of a spec */

/* How many letters must be typed, dropped, changed or swapped with their neighbour to make a into
 * b (Damerau and Levenshtein); for "did you mean". */
int opts_distance(const char *a, const char *b);
/* Is `word` likely to be a slip for `name`? */
bool opts_is_near(const char *word, const char *name);
