/* SPDX-License-Identifier: MIT */
/* A match on the screen: a live table while it runs, the result as a table or as JSON. */
#pragma once

#include "app/cli.h"
#include "play/match.h"

typedef struct {
    FILE *out;
    int lines; /* of the live table that stands above the cursor */
} MatchShow;

/* Draws the table over the one before. */
void match_show_live(MatchShow *show, const Match *match);
/* Takes the live table away. */
void match_show_clear(MatchShow *show);
void match_show_result(const Match *match, FILE *out);

json_t *match_json_game(const MatchPlan *plan, const Bout *bout);
json_t *match_json_pair(const Match *match, int pair);
