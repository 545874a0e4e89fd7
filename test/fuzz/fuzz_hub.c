/* SPDX-License-Identifier: MIT */
/* Any lines at all to the hub of goren serve, from two clients in turn, without engines: every line
 * gets one reply at most, every reply and event is a JSON object, and nothing breaks. */
#include "app/hub.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES_MAX = 200, CLIENTS = 2 };

static void nothing(void *ctx, void *socket)
{
    (void)ctx, (void)socket;
}

/* Reads what the client is sent; returns how many replies were among it. */
static int read_all(Client *client)
{
    char *text;
    size_t len;
    int replies = 0;
    while ((text = hub_outgoing(client, &len))) {
        json_t *message = json_loadb(text, len, 0, NULL);
        if (!json_is_object(message)) abort();
        bool reply = json_object_get(message, "re") != NULL;
        bool event = json_object_get(message, "on") != NULL;
        if (reply == event) abort();
        replies += reply;
        json_decref(message);
        hub_sent(client);
    }
    return replies;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char hello[] = "{\"id\":1,\"do\":\"hello\",\"protocol\":1}";
    HubPlan plan = {.threads = 2,
                    .memory = 1 << 20,
                    .one_user = true,
                    .think_ms = 1000,
                    .analysis_ms = 1000,
                    .idle_ms = 1000,
                    .games = 4,
                    .rate = 1000000,
                    .ready = nothing};
    Hub *hub = hub_open(&plan, NULL);
    if (!hub) abort();
    Client *clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = hub_connect(hub, &clients[i], "fuzz");
        hub_receive(clients[i], hello, sizeof hello - 1);
        if (read_all(clients[i]) != 1) abort();
    }
    const char *at = (const char *)data, *end = at + size;
    for (int line = 0; at < end && line < LINES_MAX; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        Client *client = clients[line % CLIENTS];
        hub_receive(client, at, len);
        if (read_all(client) > 2) abort(); /* a cancelled request is answered, too */
        read_all(clients[(line + 1) % CLIENTS]);
        hub_tick(hub);
        at += len + 1;
    }
    hub_disconnect(clients[0]);
    hub_close(hub);
    return 0;
}
