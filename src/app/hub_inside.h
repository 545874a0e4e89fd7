/* SPDX-License-Identifier: MIT */
/* What the files of the hub share: its state, its clients, and who answers which request. */
#pragma once

#include "app/hub.h"
#include "app/problems.h"
#include "app/request.h"
#include "base/buf.h"
#include "base/os.h"
#include "game/board.h"
#include "play/pool.h"
#include "play/library.h"

enum { TOKEN_MAX = 33, FROM_MAX = 64, TEXT_MAX_NAME = 100, TEXT_MAX_COMMENT = 10000 };

/* Something that another thread hands in; `open` is called on the hub's own. */
typedef struct Parcel {
    struct Parcel *next;
    void (*open)(Hub *hub, struct Parcel *parcel);
} Parcel;

typedef struct Table Table;       /* hub_games.c: a game */
typedef struct Analysis Analysis; /* hub_analysis.c */
typedef struct Review Review;     /* hub_review.c */
typedef struct Run Run;           /* hub_runs.c: a match of the arena, a learner */
typedef struct Pending Pending;   /* hub_ask.c: a request that an engine answers */

enum { TABLE_BUCKETS = 256 };

struct Hub {
    HubPlan plan;
    FileLock *lock; /* of the library's file */
    Library *library;
    Pool *pool;
    Client *clients;
    int client_count;
    uint64_t client_next; /* number of the next one */
    Table *tables[TABLE_BUCKETS];
    Pending *pendings;
    Problems *problems; /* owned */
    Run *runs;
    int64_t runs_told_ms, runs_saved_ms;
    Mutex *mutex; /* guards parcels */
    Parcel *parcels, **parcels_end;
    int64_t now_ms; /* os_clock_ms of the tick or message under way */
};

typedef struct Outgoing {
    struct Outgoing *next;
    size_t len;
    char bytes[]; /* CLIENT_HEAD free ones, then the text */
} Outgoing;

struct Client {
    Hub *hub;
    Client *next, *previous;
    uint64_t number;
    void *socket;
    char from[FROM_MAX];
    char token[TOKEN_MAX]; /* who it is, across connections; "" before hello */
    Outgoing *out, **out_end;
    size_t out_bytes;
    double allowance; /* messages it may send now */
    int64_t allowance_ms, heard_ms;
    int strikes;        /* messages that were none, or too many */
    int games, points;  /* tables it has open, and the size of their boards */
    int closing;        /* close code; 0: none */
    const char *reason; /* of closing; lives for ever */
    Analysis *analysis;
    Review *review;
    Run *run; /* that it watches */
};

/* hub.c */
void hub_post(Hub *hub, Parcel *parcel); /* from any thread */
void hub_new_id(char id[TOKEN_MAX]);     /* 32 hexadecimal digits that nobody can guess */

/* hub_client.c */
void client_send(Client *client, json_t *message); /* takes it over */
void client_send_text(Client *client, const char *text, size_t len);
void client_reply(Client *client, int64_t id, json_t *reply); /* likewise; {"re": id, "ok": true} */
/* What the library says as a sentence for a reader: a capital, a full stop. */
json_t *client_sentence(const char *text);
void client_refuse(Client *client, int64_t id, const Refusal *no);
/* Is there little enough on its way that a stream may go on? */
bool client_keeps_up(const Client *client);
void client_close(Client *client, int code, const char *reason);
bool client_may_send(Client *client, int64_t now_ms); /* takes one from its allowance */
void client_tick(Client *client);

/* Who answers what. A handler fills the reply and returns true, or refuses. */
typedef bool Handler(Client *client, Request *request, json_t *reply, Refusal *no);
typedef struct {
    const char *verb; /* NULL ends a list */
    Handler *handle;
} Verb;

/* The same about the game that a request names, which is at hand meanwhile. */
typedef bool TableHandler(Table *table, const json_t *body, json_t *reply, Refusal *no);
typedef struct {
    const char *verb;
    TableHandler *handle;
} TableVerb;

extern const Verb hello_verbs[], game_verbs[], look_verbs[], ask_verbs[], analysis_verbs[],
    review_verbs[], library_verbs[], file_verbs[], problem_verbs[], run_verbs[], pattern_verbs[],
    tree_verbs[];
extern const TableVerb move_verbs[], change_verbs[];

/* hub_hello.c: may clients name this player here? spec gets what is really opened. */
bool hub_check_player(Hub *hub, const char *player, Buf *spec, Refusal *no);
json_t *json_option(const Opt *opt); /* as hello lists it */

/* hub_tables.c: finds the game of a request, has it handled, and lets go of it. */
bool games_answer(TableHandler *handle, Client *client, const json_t *body, json_t *reply,
                  Refusal *no);

/* hub_look.c: the position that a request is about, by its moves or by a game. */
Board *request_board(Client *client, const json_t *body, Refusal *no);

/* What ends with a connection. */
void games_forget(Client *client);
void asks_forget(Client *client);
void analysis_forget(Client *client);
void review_forget(Client *client);
/* What happens several times a second. */
void games_tick(Hub *hub);
void analysis_tick(Client *client);
void review_tick(Client *client);
void games_close(Hub *hub);
/* hub_runs.c */
void runs_open(Hub *hub);
void runs_tick(Hub *hub);
void runs_stop(Hub *hub);
void runs_close(Hub *hub);
