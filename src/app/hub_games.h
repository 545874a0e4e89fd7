/* SPDX-License-Identifier: MIT */
/* Games of the hub: tables that pages have open, and what goes on at them. hub_games.c and
 * hub_moves.c answer requests, hub_turns.c has the clocks and the players that think. */
#pragma once

#include "app/hub_inside.h"
#include "app/table.h"
#include "game/record.h"

typedef struct Thinking Thinking;

/* A table that at least one page has open, or somebody thinks at. */
struct Table {
    Hub *hub;
    Table *next; /* in its bucket */
    TableGame at;
    Client **watchers; /* owned */
    int watcher_count, watcher_room;
    int shown_moves;    /* number of moves that pages have been told of */
    Thinking *thinking; /* whoever is asked now; NULL: nobody */
    bool running;       /* the clock of the seat that is asked runs */
    int64_t began_ms;   /* since when it does */
    int64_t moved_ms;   /* when the last decision was shown */
};

/* hub_tables.c */
Table *games_new_table(Hub *hub);
void games_enter(Table *table);                           /* from now on it is found by its id */
void games_release(Table *table);                         /* closes it if nobody needs it */
void games_drop(Table *table);                            /* one that was never entered */
Table *games_find(Hub *hub, const char *id, Refusal *no); /* loads it if need be */
/* The game that a request names; games_release it. */
Table *games_asked(Client *client, const json_t *body, Refusal *no);
bool games_is_watched(const Table *table, const Client *client);
bool games_watch(Table *table, Client *client, Refusal *no);
void games_unwatch(Table *table, Client *client);
/* "sides": a list of two; those that are not there are human. */
bool games_read_sides(Hub *hub, TableSide sides[SEAT_COUNT], const json_t *body, Refusal *no);
/* A player that cannot be opened any more (its file is gone, the server trusts less) gives its seat
 * to a human. */
void games_find_specs(Table *table);
/* Writes it down and tells all who watch. False: it could not be written. */
bool games_changed(Table *table, int from, Refusal *no);
/* After a change that is no decision: the turn goes on, pages are told, the reply is the game. */
bool games_settle(Table *table, int from, json_t *reply, Refusal *no);
json_t *games_json(const Table *table, int from);
void games_gone(Hub *hub, const char *id); /* it was deleted */

/* hub_files.c: the file that a request brings ("name", "text" or "base64", "format", "rules"), and
 * one that a reply takes out ("format"). */
bool files_read(const json_t *body, RecordSet *set, Refusal *no);
bool files_write(const json_t *body, const RecordSet *set, json_t *reply, Refusal *no);
void files_setup_text(const Record *record, Buf *text); /* set-up stones as a position */

/* hub_turns.c */
void turns_start(Table *table); /* clocks run and players think, if they are to */
void turns_stop(Table *table);  /* neither any more; time spent so far is kept */
void turns_reset(Table *table); /* a new decision is wanted */
int64_t turns_spent(const Table *table);
void turns_tick(Table *table);
void turns_hurry(Table *table);
/* *ahead: how many it waits for, which is what pages are told now. */
bool turns_are_thinking(const Table *table, int *ahead);
