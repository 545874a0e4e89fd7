/* SPDX-License-Identifier: MIT */
/* Player: whoever can be asked for a decision. Every way to play is a PlayerKind, a const struct of
 * functions; player_kinds lists them all. A player is opened from a spec, "kind:key=value,…".
 *
 * The position is passed whole each time, so there is nothing to fall out of step: one player may
 * be asked about any game in any order. A human is no Player: the terminal and the server wait for
 * people themselves. */
#pragma once

#include "base/err.h"
#include "base/opts.h"
#include "game/board.h"
#include "search/search.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    DECIDE_MOVE,   /* stones[0], or a pass if that is POINT_NONE */
    DECIDE_SWAP,   /* take the other colour */
    DECIDE_STONES, /* the first stones of an opening, Black's first */
} Decision;

enum { THOUGHT_STONES_MAX = 5, THOUGHT_LINE_MAX = 64 };

/* What a player decided, and what it saw. */
typedef struct {
    Decision decision;
    Point stones[THOUGHT_STONES_MAX];
    int stone_count;
    bool has_value;
    double value;                 /* expected score of the side to move, 0 … 1 */
    int score;                    /* the same as search/score.h has it, for players that search */
    Point line[THOUGHT_LINE_MAX]; /* how it expects the game to go on, its own move first */
    int line_len;
    const SearchLine *best; /* best lines, if several were asked for; the player's, good until it
                               is asked again */
    int best_count;
    int depth, sel_depth;
    int64_t nodes, ms;
} Thought;

typedef struct PlayerKind PlayerKind;

/* The head of every kind's own struct. */
typedef struct {
    const PlayerKind *kind;
    /* If set, a player that searches calls it now and then with what it sees so far. */
    void (*report)(void *ctx, const Board *board, const Thought *so_far);
    void *report_ctx;
} Player;

struct PlayerKind {
    const OptTable *options;                     /* its name is the name of the kind */
    Player *(*open)(const char *keys, Err *err); /* NULL: refused; player_open sets kind */
    /* board is a position that is not over. False only for what an outside brain may do: die, be
     * late, talk nonsense. Legality is the caller's to judge. */
    bool (*think)(Player *player, const Board *board, const Limits *limits, Thought *thought,
                  Err *err);
    /* From any thread: the think under way ends soon with what it has. NULL if think is never
     * long. */
    void (*stop)(Player *player);
    void (*new_game)(Player *player); /* forget what was learnt; NULL: nothing is */
    void (*close)(Player *player);
};

extern const PlayerKind *const player_kinds[]; /* ends with NULL */

Player *player_open(const char *spec, Err *err);
bool player_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                  Err *err);
void player_stop(Player *player);
void player_new_game(Player *player);
void player_close(Player *player); /* NULL is fine */

void thought_set_move(Thought *thought, Point p);

extern const PlayerKind player_ab;     /* the flagship: alpha-beta */
extern const PlayerKind player_random; /* any legal point, all equally likely */
