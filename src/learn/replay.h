/* SPDX-License-Identifier: MIT */
/* Replay: the newest games of self-play, and positions drawn from them to learn from.
 *
 * Games are kept as bytes, in memory as in files. A file is "goren replay 1\n" and then games:
 *
 *   game    u32 bytes of the whole game, these four included; bytes: rule kind, width, height, k,
 *           winner (0 none, 1 Black, 2 White, 3 not played to its end), zero; u16 plies; then its
 * plies ply     u16 point played (y·width + x); u8 targets; where there are any: i16 value of the
 *           search for the side to move (−32000 … 32000), then so many times u16 point, u8 share
 *           (of the improved policy, 255 for all of it)
 *
 * All numbers are little-endian. Plies without targets (opening stones, forced moves) are not
 * drawn. A Replay serves one frame of planes.h and takes games of sizes that belong to it. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/rules.h"
#include "learn/team.h"

enum {
    REPLAY_TARGETS_MAX = 16,
    REPLAY_PLIES_MAX = 512,
    REPLAY_VALUE_ONE = 32000,
    REPLAY_NO_OUTCOME = 2,
};

typedef struct {
    uint16_t played; /* y·width + x */
    uint8_t targets;
    int16_t value;
    uint16_t point[REPLAY_TARGETS_MAX]; /* y·width + x */
    uint8_t share[REPLAY_TARGETS_MAX];
} ReplayPly;

typedef struct {
    Rules rules;
    uint8_t winner; /* as in archive.h */
    int plies;
    ReplayPly ply[REPLAY_PLIES_MAX];
} ReplayGame;

void replay_encode(const ReplayGame *game, Buf *out); /* appends */
/* The game at `bytes`; 0 if it is cut off or unsound, else its length. */
size_t replay_decode(const uint8_t *bytes, size_t len, ReplayGame *game);

typedef struct Replay Replay;

/* Takes boards whose longer side is size_min … frame; keeps about `positions` that can be drawn. */
Replay *replay_open(int size_min, int frame, int64_t positions, uint64_t seed);
void replay_close(Replay *replay);
int64_t replay_count(Replay *replay); /* positions that can be drawn */
int64_t replay_taken(Replay *replay); /* positions ever added */

bool replay_add(Replay *replay, const ReplayGame *game); /* from any thread; false: not its size */

/* What a batch is drawn into, by the caller; n of each, frame² points a plane. */
typedef struct {
    uint8_t *planes; /* n × PLANES_COUNT planes */
    uint8_t *kind;   /* n */
    uint8_t *policy; /* n × plane: shares; they need not sum to 255 */
    float *value;    /* n: of the search, −1 … 1 */
    int8_t *outcome; /* n: 1 the side to move won, 0 draw, −1 lost, REPLAY_NO_OUTCOME */
    uint8_t *stray;  /* n: 1 where the position strays from its game; NULL if none is to */
} ReplayBatch;

/* Positions drawn evenly, each under a symmetry drawn evenly. So many percent of them stray from
 * their games by a random move or two, since a search meets more than games show: what is said of
 * policy, value and outcome is not true of those. False: there are none to draw. */
bool replay_sample(Replay *replay, Team *team, int n, int stray_percent, const ReplayBatch *batch);

/* Files: the newest games that make at most `limit` bytes, whole; the number of bytes written to
 * `out`, which has room for `limit`. Without the line that heads a file. */
size_t replay_newest(Replay *replay, uint8_t *out, size_t limit);
/* Adds games from such bytes; returns how many it took. */
int64_t replay_load(Replay *replay, const uint8_t *bytes, size_t len);
/* Adds the games of an Archive (archive.h): the best move as the target, the score as the value.
 * Forced moves have no targets, nor has what follows once the winner makes nothing but fours. Not
 * while positions are drawn. −1: no archive. */
int64_t replay_load_archive(Replay *replay, const char *path);
