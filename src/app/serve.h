/* SPDX-License-Identifier: MIT */
/* Serve: the hub behind HTTP and WebSocket, by libwebsockets. One thread serves all sockets. */
#pragma once

#include "app/hub.h"

#include <stdatomic.h>

typedef struct {
    HubPlan hub;
    const char *host;       /* address to listen on */
    int port;               /* 0: any that is free */
    int clients;            /* at most */
    const char *cert, *key; /* files of a certificate; NULL: no TLS */
} ServePlan;

/* Serves until *stop. `ready` is told the address of the page once somebody may connect. */
bool serve_run(const ServePlan *plan, void (*ready)(void *ctx, const char *address), void *ctx,
               const atomic_bool *stop, Err *err);
