/* SPDX-License-Identifier: MIT */
/* Tabular: a row for every position of a tiny board that was ever seen, for learners without
 * networks. Positions are written down as the side to move sees them, and those that are the same
 * but for a symmetry share a row. An action is a point of the turned board, in reading order. */
#pragma once

#include "eval/params.h"
#include "game/board.h"

enum { TABULAR_POINTS_MAX = 12 };

/* Where an action leads: TABULAR_UNKNOWN, the end of the game, or the code of a position + 1. */
enum { TABULAR_UNKNOWN = 0, TABULAR_WON = -1, TABULAR_DRAWN = -2 };

typedef struct {
    float value; /* for the side to move: 0 loses, ½ draws, 1 wins */
    float count; /* how often it was taken */
    float next;
} TabularCell;

typedef struct {
    Rules rules;
    int points;         /* of the board */
    int count, room;    /* rows */
    int32_t *codes;     /* owned; of each row: digits of three, 1 own and 2 the other's stones */
    TabularCell *cells; /* owned; `points` for each row */
    int32_t *row_of;    /* owned; by code, row + 1 or 0 */
    uint8_t turn[8][TABULAR_POINTS_MAX]; /* where a point goes under each symmetry */
} Tabular;

bool tabular_check(const Rules *rules, Err *err); /* is the board tiny enough? */
void tabular_open(Tabular *table, const Rules *rules);
void tabular_close(Tabular *table); /* a zeroed one is fine */

typedef struct {
    int32_t code;
    int sym; /* that turns the board into the one of the row */
} TabularKey;

TabularKey tabular_key(const Tabular *table, const Board *board);
int tabular_find(const Tabular *table, int32_t code); /* a row, or −1 */
int tabular_add(Tabular *table, int32_t code);        /* the same, made if need be */
/* The action that a point is in that row, and back. */
int tabular_action(const Tabular *table, TabularKey key, Point p);
Point tabular_point(const Tabular *table, TabularKey key, int action);
bool tabular_is_free(int32_t code, int action); /* is the point empty there? */
int tabular_stones(int32_t code);

static inline TabularCell *tabular_row(const Tabular *t, int row)
{
    return t->cells + (size_t)row * (size_t)t->points;
}

void tabular_put(const Tabular *table, Params *params);
bool tabular_get(Tabular *table, const Params *params, const char *name, Err *err);
