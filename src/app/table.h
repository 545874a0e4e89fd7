/* SPDX-License-Identifier: MIT */
/* Table: a game on the server, with all that can be taken back, said about it and kept.
 *
 * The game itself (play/game.h) only goes forwards. A table keeps the decisions and plays them
 * again up to where it stands, so that undo, redo, a reload and a restart of the server are one
 * thing. A decision is an Act; how the clock stood follows from how long each took. */
#pragma once

#include "base/mem.h"
#include "base/os.h"
#include "game/notation.h"
#include "play/game.h"
#include "play/library.h"

#include <jansson.h>

enum { TABLE_ID_MAX = 33 };

typedef struct {
    Decision decision;
    Point stones[THOUGHT_STONES_MAX];
    int stone_count;
    int seat; /* whose it was */
    int64_t elapsed_ms;
    bool has_value;
    float value;
    int depth;
    int64_t nodes;
} Act;

typedef struct {
    char *player; /* "human" or a spec, as the page gave it; owned */
    char *name;   /* owned */
    char *spec;   /* what is really opened; owned; NULL for a human */
} TableSide;

/* How a game ended that no decision ended. */
typedef struct {
    bool set;
    int loser; /* a seat; −1: a draw */
    RecordReason reason;
    char detail[GAME_DETAIL_MAX];
} TableEnding;

typedef struct TableGame {
    char id[TABLE_ID_MAX], owner[TABLE_ID_MAX];
    char *source, *name, *comment, *tags; /* owned; tags as library.h has them */
    json_t *notes;                        /* owned: {"17": "…"}, on moves */
    char created[OS_DATE_MAX], changed[OS_DATE_MAX];
    Rules rules;
    Phase phase;
    Position setup; /* stones before the first move; count 0: none */
    TableSide sides[SEAT_COUNT];
    ClockPlan clock;
    int64_t think_ms, delay_ms;
    Act *acts;                          /* owned */
    int act_count, act_total, act_room; /* standing, and those that can be put back too */
    TableEnding ending;
    bool paused;
    int64_t spent_ms; /* on the decision that is asked, before the clock began to run last */
    Game game;        /* what follows from all that */
    uint64_t *keys;   /* owned; of the position after so many moves */
    int key_count;    /* of them known to the store: 0 … key_count − 1 */
    int64_t version;
} TableGame;

/* Fills what is not there yet and sets up the game: rules, phase, setup, clock and sides are given.
 * False: a game cannot begin like this. */
bool table_open(TableGame *table, Err *err);
void table_close(TableGame *table);
bool table_is_human(const TableGame *table, int seat);
void table_set_text(char **field, const char *text);
void table_side_free(TableSide *side);

/* A decision of the seat that is asked. What was taken back before is gone for good. */
void table_act(TableGame *table, const Thought *thought, int64_t elapsed_ms);
void table_end(TableGame *table, int loser, RecordReason reason, const char *detail);
/* Plays the decisions again so that `count` of them stand. */
void table_go_to(TableGame *table, int count);

/* Into the store, as it is now. */
bool table_save(TableGame *table, Library *library, Err *err);
/* From the store. *found: was it there? The specs of the sides are the caller's to find. */
bool table_load(TableGame *table, const char *id, Library *library, bool *found, Err *err);
bool table_from_library(TableGame *table, const LibraryGame *row, Err *err);

/* The object `game` of the protocol, moves from number `from` on. */
json_t *table_json(const TableGame *table, int from);
json_t *table_json_tags(const char *tags);
/* Moves on the board from setup to here, and the board after `ply` of them. */
Board *table_board(const TableGame *table, int ply, Near near);
