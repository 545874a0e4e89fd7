/* SPDX-License-Identifier: MIT */
/* Results: who scored what against whom, summed over any number of games and files.
 *
 *   tsv   a header with player1 player2 wins draws losses (in any order, others are passed over;
 *         draws may be missing), then one row per pairing, as often as one likes; tabs between
 *   pgn   the tags White, Black and Result of every game; the moves do not matter. White is the
 *         player who moves first
 *
 * Which of the two a file is, it says itself: a PGN file begins with '['. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Games in which one player was first and another one second, from the first one's side. */
typedef struct {
    int first, second;
    int64_t wins, draws, losses;
} ResultRow;

/* One game, for those who want to know the order. */
typedef struct {
    int first, second;
    int half_points; /* of the first: 0, 1 or 2 */
} ResultGame;

typedef struct {
    const char **names; /* of player 0 … player_count − 1, as they came up */
    int player_count, name_room;
    ResultRow *rows; /* one for each pair and order */
    int row_count, row_room;
    ResultGame *games; /* those that came one by one, in that order */
    int game_count, game_room;
    Arena texts;
    struct ResultIndex {
        int *slots; /* into names or rows, −1: free; a power of two of them */
        int slot_count;
    } name_index, row_index;
} Results;

void results_open(Results *results);
void results_close(Results *results);

int results_player(Results *results, const char *name,
                   size_t len);                             /* its number, a new one if need be */
int results_find(const Results *results, const char *name); /* −1: there is none */
void results_add(Results *results, int first, int second, int64_t wins, int64_t draws,
                 int64_t losses);
void results_add_game(Results *results, int first, int second, int half_points);
int64_t results_games(const Results *results);

/* Adds what a file holds. Errors read "path:line: what is wrong"; what came before stays. */
bool results_read(Results *results, const char *path, Err *err);
bool results_parse(Results *results, const char *text, size_t len, const char *name, Err *err);

void results_write_tsv(const Results *results, Buf *out);
/* The tags of a PGN game, as results_parse reads them again. result: "1-0", "1/2-1/2" or "0-1". */
void results_write_tags(const char *first, const char *second, const char *result, Buf *out);
/* One game without moves per result, for programs that read only PGN. */
void results_write_pgn(const Results *results, Buf *out);
