/* SPDX-License-Identifier: MIT */
/* What goren match can be told, and the plan that follows from it. */
#pragma once

#include "app/cli.h"
#include "play/schedule.h"

typedef struct {
    CliRules rules;
    int games, concurrency, phase, depth, draw_after, random_stones;
    int64_t nodes, seed;
    size_t memory;
    double grace_s, silence_s;
    bool gauntlet, shuffle, symmetries, suspend, json;
    int preset_number;
    const char *openings, *time, *sprt, *resign, *draw;
    const char *preset; /* its name; NULL: none */
    const char *store, *name, *log, *pgn, *html, *games_out;
} MatchOptions;

extern const OptTable match_table;

/* The plan with all it points at. */
typedef struct {
    MatchPlan plan;
    Entrant *entrants;
    char **texts; /* names, one for each entrant */
    Openings openings;
    bool has_openings;
} MatchSetup;

/* Reads the command line, with the words of a preset before the user's own. False: *code is the
 * exit code, and what there is to say was said. argv becomes a new block, with the player specs at
 * its head; mem_free it either way. */
bool match_options_read(int *argc, char ***argv, MatchOptions *options, int *code);
bool match_setup_open(MatchSetup *setup, const MatchOptions *options, int count, char **specs,
                      Err *err);
void match_setup_close(MatchSetup *setup);
