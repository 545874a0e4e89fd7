/* SPDX-License-Identifier: MIT */
/* Requests that an engine answers: each waits for a slot of the pool, and its reply comes when it
 * comes. It can be cancelled, and ends with its connection. */
#pragma once

#include "app/hub_inside.h"

struct Pending {
    PoolTask task;
    Parcel parcel;
    Hub *hub;
    Client *client; /* NULL: nobody waits any more */
    Pending *next;
    int64_t id; /* of the request */
    Board *board;
    int64_t ms; /* how long it may take */
    /* On the slot's thread: fills reply, or refuses. */
    bool (*work)(Pending *pending, PoolSlot *slot);
    /* Back on the hub's, before the reply is sent; NULL: nothing to do. */
    void (*after)(Pending *pending);
    json_t *reply;
    Refusal no;
    bool good;

    /* What some kinds of work want to know. */
    Ask ask;
    Goal goal;
    Point blocked[64];
    int blocked_count;
    char suite[TEXT_MAX_NAME];
    int64_t number;
    Colour attacker;
};

/* Has the client few enough of them? */
bool ask_is_allowed(const Client *client, Refusal *no);
/* A new one about a board, which it takes over. */
Pending *ask_new(Client *client, Request *request, Board *board,
                 bool (*work)(Pending *pending, PoolSlot *slot));
void ask_drop(Pending *pending); /* one that was not started */
/* Proves a win of the side to move, of the kind that `goal` says: see threat.solve. */
bool ask_solve(Pending *pending, PoolSlot *slot);
/* Into the queue; the request is answered later. */
void ask_start(Pending *pending, Request *request);
