/* SPDX-License-Identifier: MIT */
/* What the commands share: the common options, positions from the command line, errors on stderr,
 * JSON lines on stdout. */
#pragma once

#include "base/err.h"
#include "base/opts.h"
#include "game/board.h"
#include "game/notation.h"
#include "game/record.h"
#include "game/rules.h"
#include "play/openings.h"

#include <jansson.h>

/* --rule, into a field of type const char *. */
#define CLI_RULE_OPT(Type, field)                                                                  \
    {                                                                                              \
        .name = "rule", .type = OPT_TEXT, .offset = offsetof(Type, field),                         \
        .standard = "freestyle", .value = "RULE",                                                  \
        .help = "freestyle, standard, renju, caro or caro6"                                        \
    }

/* --rule, --size and --win. A command embeds it in its options and puts CLI_RULES_OPTS(Type, field)
 * among the rows of its table. */
typedef struct {
    const char *rule;
    OptSize size;
    int win;
} CliRules;

#define CLI_RULES_OPTS(Type, field)                                                                \
    CLI_RULE_OPT(Type, field.rule),                                                                \
        {.name = "size",                                                                           \
         .type = OPT_SIZE,                                                                         \
         .offset = offsetof(Type, field.size),                                                     \
         .min = 1,                                                                                 \
         .max = SIZE_MAX_SIDE,                                                                     \
         .standard = "15",                                                                         \
         .value = "N|WxH",                                                                         \
         .help = "the board"},                                                                     \
    {                                                                                              \
        .name = "win", .letter = 'w', .type = OPT_INT, .offset = offsetof(Type, field.win),        \
        .min = WIN_MIN, .max = WIN_MAX, .standard = "5", .value = "K",                             \
        .help = "stones in a row that win"                                                         \
    }

/* What commands that play the engine against itself share. */
typedef struct {
    const char *rule, *sizes;
    int threads;
    int64_t seed;
} CliSelfplay;

#define CLI_SELFPLAY_OPTS(Type, field)                                                             \
    CLI_RULE_OPT(Type, field.rule),                                                                \
        {.name = "sizes",                                                                          \
         .type = OPT_TEXT,                                                                         \
         .offset = offsetof(Type, field.sizes),                                                    \
         .standard = "15",                                                                         \
         .value = "N,N,…",                                                                         \
         .help = "boards to play on, in turn"},                                                    \
        {.name = "threads",                                                                        \
         .type = OPT_INT,                                                                          \
         .offset = offsetof(Type, field.threads),                                                  \
         .min = 1,                                                                                 \
         .max = 256,                                                                               \
         .standard = "1",                                                                          \
         .help = "games played at the same time"},                                                 \
    {                                                                                              \
        .name = "seed", .type = OPT_COUNT, .offset = offsetof(Type, field.seed), .standard = "1",  \
        .help = "the same seed plays the same games"                                               \
    }

/* What commands that run the engine share. Memory is what the table has unless told. */
typedef struct {
    int threads;
    size_t memory;
    const char *eval, *net;
} CliEngine;

#define CLI_ENGINE_OPTS(Type, field, Memory)                                                       \
    {.name = "threads",                                                                            \
     .type = OPT_INT,                                                                              \
     .offset = offsetof(Type, field.threads),                                                      \
     .min = 1,                                                                                     \
     .max = 256,                                                                                   \
     .standard = "1",                                                                              \
     .help = "threads of the search; only one visits the same nodes each time"},                   \
        {.name = "memory",                                                                         \
         .type = OPT_BYTES,                                                                        \
         .offset = offsetof(Type, field.memory),                                                   \
         .min = 1 << 16,                                                                           \
         .max = 1e12,                                                                              \
         .standard = (Memory),                                                                     \
         .help = "bytes of the transposition table"},                                              \
        {.name = "eval",                                                                           \
         .type = OPT_TEXT,                                                                         \
         .offset = offsetof(Type, field.eval),                                                     \
         .standard = "best",                                                                       \
         .help = EVAL_HELP},                                                                       \
    {                                                                                              \
        .name = "net", .type = OPT_TEXT, .offset = offsetof(Type, field.net), .standard = "",      \
        .value = "FILE", .help = NET_HELP                                                          \
    }

/* A network's file is of no use to an evaluation that reads none. */
bool cli_net_fits(const char *eval, const char *net, Err *err);

/* --side b|w, into a field of type const char *. */
#define CLI_SIDE_OPT(Type, field)                                                                  \
    {                                                                                              \
        .name = "side", .type = OPT_TEXT, .offset = offsetof(Type, field), .value = "b|w",         \
        .help = "whose turn it is, when the stones do not say"                                     \
    }

/* Reads argv by the table. False when the command ends here, with *code as its exit code: the help
 * was printed, or the error was. */
bool cli_parse(const OptTable *table, int *argc, char **argv, void *options, int *code);
/* Prints "goren COMMAND: why" on stderr and returns the exit code 2. */
int cli_fail(const OptTable *table, const Err *err);
/* Says on stderr how far an interrupted command came, in `unit`s; `kept`: the same command goes on
 * from there. Returns the exit code 1. */
int cli_interrupted(const OptTable *table, int64_t done, int64_t all, const char *unit, bool kept);

/* A file that the command line names, and by which option. */
typedef struct {
    const char *option; /* NULL ends a list */
    const char *path;   /* NULL: not given */
    bool written;       /* with what the others are not to be mixed up with */
} CliFile;
/* False if one that is written is another of them too. */
bool cli_files_apart(const CliFile *files, Err *err);

bool cli_rules(const CliRules *cli, Rules *rules, Err *err);
/* Reads a file whole, as os_file_read does; "-" is stdin. */
bool cli_file(const char *path, size_t limit, Buf *out, Err *err);
const char *cli_file_name(const char *path); /* for errors: "stdin" for "-" */

/* Reads a POSITION argument; "-" reads it from stdin. side is what --side gave, NULL, or "?" where
 * the turn hardly matters. */
bool cli_position(const Rules *rules, const char *text, const char *side, Position *position,
                  Err *err);
/* A board with the position on it: played move by move if it is ordered, set up if not. */
Board *cli_board(const Rules *rules, const Position *position, Near near);
/* False if the position is a game whose last move renju forbids. */
bool cli_last_is_allowed(const Board *board, const Position *position, Err *err);
/* False, with who has won, if there is nothing to think about. */
bool cli_game_goes_on(const Board *board, Err *err);

/* Reads openings, as openings_read does; "-" is stdin. */
bool cli_openings(const char *path, const Rules *rules, Openings *openings, Err *err);
/* Reads a suite, "-" from stdin; columns it lacks come from rules and side (as for cli_position).
 */
bool cli_suite(const Rules *rules, const char *path, const char *side, RecordSet *set, Err *err);

/* Reads a list of board sizes, "15,20", of at most `most`. */
bool cli_sizes(const char *text, int *sizes, int most, int *count, Err *err);

/* One object as one line on stdout; takes over the caller's reference. */
void cli_json(json_t *object);
