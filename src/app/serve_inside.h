/* SPDX-License-Identifier: MIT */
/* What the two faces of the server share: pages over HTTP, messages over WebSocket. */
#pragma once

#include "app/page.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* What libwebsockets keeps for each connection. */
typedef struct {
    const PageFile *file; /* being sent; NULL: none */
    size_t sent;
    struct Client *client; /* of a WebSocket, once it is open */
    Buf incoming;          /* a message as far as it has come */
} Connection;

struct lws;
/* serve_page.c: begins the answer to a request for a path. As callbacks do, returns −1 to close. */
int page_answer(struct lws *socket, Connection *connection, const char *path);
int page_go_on(struct lws *socket, Connection *connection);
/* Is the header Host one that this server may be called by? On this machine alone: only names of
 * this machine, so that no other page can have its name point here. */
bool page_host_is_ours(struct lws *socket, bool local_only);
