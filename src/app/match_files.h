/* SPDX-License-Identifier: MIT */
/* A match in files: its games as records, its results as PGN for BayesElo, or as a page. */
#pragma once

#include "play/match.h"

/* All games in the store, in the format that the end of the path names. */
bool match_write_games(const Match *match, const char *path, Err *err);
bool match_write_pgn(const Match *match, const char *path, Err *err);
bool match_write_html(const Match *match, const char *path, Err *err);
