/* SPDX-License-Identifier: MIT */
/* A match in files: its games as records, its results as PGN for BayesElo, or as a page. */
#pragma once

#include "game/record.h"
#include "play/match.h"

/* One of its games, when it ended, as the next record of the set. */
void match_add_record(RecordSet *set, const MatchPlan *plan, const Bout *bout, const char *ended);
/* Could match_write_games put the games of this plan there? Nothing is written. */
bool match_check_games(const MatchPlan *plan, const char *path, Err *err);
/* All games in the store, in the format that the end of the path names. */
bool match_write_games(const Match *match, const char *path, Err *err);
bool match_write_pgn(const Match *match, const char *path, Err *err);
bool match_write_html(const Match *match, const char *path, Err *err);
