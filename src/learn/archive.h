/* SPDX-License-Identifier: MIT */
/* Archive: a file of games as self-play leaves them, with what the search thought at every move.
 * It grows by whole games; a game that was cut off by a crash is dropped when the file is opened
 * again, so a run that was killed goes on where it was.
 *
 *   file    "goren games 1\n", then games one after another
 *   game    bytes: rule kind, width, height, k, stones of the opening, winner (0 none, 1 Black,
 *           2 White, 3 not played to its end), two zeros; u32 number of the game in its run; u16
 *           plies, u16 zero; plies times a ply; u32 check sum (FNV-1a of all the bytes before it)
 *           (opening: 255 if there are more)
 *   ply     u16 point played, u16 best point found (both y·width + x), i16 score of the search
 *           for the side to move (search/score.h; ARCHIVE_NO_SCORE where there was none)
 *
 * All numbers are little-endian. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum { ARCHIVE_NO_SCORE = 32767, ARCHIVE_PLIES_MAX = 1024, ARCHIVE_UNFINISHED = CELL_WHITE + 1 };

typedef struct {
    uint16_t played, best; /* y·width + x */
    int16_t score;
} ArchivePly;

typedef struct {
    Rules rules;
    int opening;    /* so many of the plies were given */
    uint8_t winner; /* a Cell, CELL_EMPTY: a draw; or ARCHIVE_UNFINISHED */
    uint32_t number;
    int plies;
    ArchivePly ply[ARCHIVE_PLIES_MAX];
} ArchiveGame;

/* Writing. */
typedef struct Archive Archive;
/* Opens for appending, makes the file if there is none. NULL: refused, for instance because it is
 * something else, or another process writes to it. */
Archive *archive_open(const char *path, Err *err);
bool archive_has(const Archive *archive, uint32_t number); /* is that game there already? */
int archive_count(const Archive *archive);
/* Are all its games of this rule? Who learns from a file takes one rule at a time. */
bool archive_check_rule(const Archive *archive, RuleKind rule, Err *err);
/* On disk, or at least with the system, when it returns. */
bool archive_add(Archive *archive, const ArchiveGame *game, Err *err);
void archive_close(Archive *archive);

/* Reading: the whole file, if it is one, goes to `bytes`; *at goes from game to game, beginning
 * with 0. False at the end, or at a game that is cut off or damaged; then *whole says which. */
bool archive_read(const char *path, Buf *bytes, Err *err);
bool archive_next(const Buf *bytes, size_t *at, ArchiveGame *game, bool *whole);
void archive_encode(const ArchiveGame *game, Buf *out); /* appends one game */
