/* SPDX-License-Identifier: MIT */
/* Relabel: positions judged by a search each, for an evaluation to learn from.
 *
 * Games show few of the positions that alpha-beta asks its evaluation about. So most are taken
 * where a short search from a position of a game stopped looking; positions that are won by fours
 * alone are left out, since a search sees that by itself. Each becomes an ArchiveGame that is not
 * played to its end: its stones without scores, then one move with one. Position number i is the
 * same whenever and wherever it is judged. */
#pragma once

#include "base/err.h"
#include "base/rng.h"
#include "game/rules.h"
#include "learn/archive.h"
#include "search/search.h"

typedef struct Relabel Relabel;

/* Takes the games of this rule on square boards from archives, their names with commas between.
 * NULL: refused. Many threads may draw from it. */
Relabel *relabel_open(const char *paths, RuleKind rule, Err *err);
void relabel_close(Relabel *relabel); /* NULL is fine */

/* The beginning of one of the games, by lot: at least one stone, and not over. game->number is
 * left as it is. */
void relabel_draw(const Relabel *relabel, Rng *rng, ArchiveGame *game);
/* Makes what was drawn the position that is judged, with so many nodes. */
void relabel_judge(Search *search, int64_t nodes, Rng *rng, ArchiveGame *game);
