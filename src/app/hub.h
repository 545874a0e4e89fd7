/* SPDX-License-Identifier: MIT */
/* Hub: what goren serve knows and does, without the sockets. Clients connect, messages come in as
 * text and go out as text; games, analyses, the library and the rest live behind them.
 *
 * Everything here belongs to one thread, that of the sockets. Engines think on threads of their own
 * (play/pool.h) and hand in what they found with a call of `wake`, after which the thread of the
 * sockets calls hub_drain. So no game is ever locked. */
#pragma once

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Hub Hub;
typedef struct Client Client;

typedef struct {
    const char *store;    /* file of the games; NULL: kept in memory only */
    const char *problems; /* a folder of suites besides those built in; NULL: none */
    int slots;            /* engines that think at the same time */
    int threads;          /* that one analysis may have at most */
    size_t memory;        /* of each engine's table, bytes */
    bool trusted;         /* clients may name commands and files of this machine */
    bool one_user;        /* everybody may see everything: nobody else can connect */
    int64_t think_ms;     /* longest a player may think about a move */
    int64_t analysis_ms;  /* longest an analysis may run */
    int64_t idle_ms;      /* after so long without a word an analysis ends */
    int64_t games;        /* a client may have open */
    int runs;             /* matches and learners at the same time */
    int64_t rate;         /* messages a second; for a while twice as many */
    FILE *log;            /* one JSON object a line; NULL: none */
    /* From any thread: hub_drain is wanted. */
    void (*wake)(void *ctx);
    /* The client has something to send, or is to be closed. */
    void (*ready)(void *ctx, void *socket);
    void *ctx;
} HubPlan;

enum { HUB_MESSAGE_MAX = 1 << 20 }; /* bytes of a message from a page */

Hub *hub_open(const HubPlan *plan, Err *err);
/* Where the hub is to be found, for those who would open another one for the same store. */
void hub_say_address(const Hub *hub, const char *address);
/* Ends all thinking; from then on `wake` is not called any more. hub_close does it, too. */
void hub_stop(Hub *hub);
void hub_close(Hub *hub);
void hub_drain(Hub *hub);
/* Clocks, delays, streams: to be called about every HUB_TICK_MS. */
enum { HUB_TICK_MS = 50 };
void hub_tick(Hub *hub);
int hub_clients(const Hub *hub);

Client *hub_connect(Hub *hub, void *socket, const char *from);
void hub_disconnect(Client *client);
void hub_receive(Client *client, const char *text, size_t len);
/* How long a message it may send: little before it has said hello. */
size_t hub_message_room(const Client *client);

/* The next message to send, with CLIENT_HEAD writable bytes before it; NULL: nothing. It stays the
 * client's until hub_sent. */
enum { CLIENT_HEAD = 64 };
char *hub_outgoing(Client *client, size_t *len);
void hub_sent(Client *client);
/* Is it to be cut off? A WebSocket close code then, with the reason; 0: no. */
int hub_closing(const Client *client, const char **reason);
/* Cuts everybody off, kindly. */
void hub_dismiss(Hub *hub, const char *reason);

/* A line of the log; takes over the fields, which may be NULL. */
void hub_log(Hub *hub, const char *event, json_t *fields);
