/* SPDX-License-Identifier: MIT */
/* Clients: one connection each. What it is to be sent waits in a list until its socket takes it; a
 * client that does not read is cut off before the list grows large. */
#include "app/hub_inside.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES_MAX = 4 << 20, OUT_BYTES_STREAM = 64 << 10 };

Client *hub_connect(Hub *hub, void *socket, const char *from)
{
    Client *client = mem_zero(sizeof *client);
    hub->now_ms = os_clock_ms();
    *client = (Client){
        .hub = hub,
        .next = hub->clients,
        .number = ++hub->client_next,
        .socket = socket,
        .allowance = 2 * (double)hub->plan.rate,
        .allowance_ms = hub->now_ms,
        .heard_ms = hub->now_ms,
    };
    client->out_end = &client->out;
    snprintf(client->from, sizeof client->from, "%s", from);
    if (client->next) client->next->previous = client;
    hub->clients = client;
    hub->client_count++;
    hub_log(hub, "connect",
            json_pack("{s:I, s:s, s:i}", "client", (json_int_t)client->number, "from", from,
                      "clients", hub->client_count));
    return client;
}

void hub_disconnect(Client *client)
{
    Hub *hub = client->hub;
    client->socket = NULL;
    analysis_forget(client);
    review_forget(client);
    asks_forget(client);
    games_forget(client);
    if (client->previous) {
        client->previous->next = client->next;
    } else {
        hub->clients = client->next;
    }
    if (client->next) client->next->previous = client->previous;
    hub->client_count--;
    while (client->out) hub_sent(client);
    hub_log(hub, "disconnect",
            json_pack("{s:I, s:i, s:s}", "client", (json_int_t)client->number, "clients",
                      hub->client_count, "reason", client->reason ? client->reason : ""));
    mem_free(client);
}

size_t hub_message_room(const Client *client)
{
    enum { STRANGER_MAX = 4096 };
    return *client->token ? HUB_MESSAGE_MAX : STRANGER_MAX;
}

void client_tick(Client *client)
{
    enum { HELLO_MS = 30000 };
    if (!*client->token && client->hub->now_ms - client->heard_ms > HELLO_MS)
        client_close(client, 1008, "said no hello");
}

bool client_may_send(Client *client, int64_t now_ms)
{
    double rate = (double)client->hub->plan.rate;
    client->allowance += (double)(now_ms - client->allowance_ms) * rate / 1000;
    client->allowance_ms = now_ms;
    if (client->allowance > 2 * rate) client->allowance = 2 * rate;
    if (client->allowance < 1) return false;
    client->allowance--;
    return true;
}

/* ---- what it is sent ---- */

void client_send_text(Client *client, const char *text, size_t len)
{
    if (!client->socket || client->closing) return;
    Outgoing *message = mem_alloc(sizeof *message + CLIENT_HEAD + len);
    message->next = NULL;
    message->len = len;
    memcpy(message->bytes + CLIENT_HEAD, text, len);
    *client->out_end = message;
    client->out_end = &message->next;
    client->out_bytes += len;
    if (client->out_bytes > OUT_BYTES_MAX) client_close(client, 1008, "reads too slowly");
    client->hub->plan.ready(client->hub->plan.ctx, client->socket);
}

void client_send(Client *client, json_t *message)
{
    char *text = client->socket ? json_dumps(message, JSON_COMPACT) : NULL;
    if (text) client_send_text(client, text, strlen(text));
    free(text);
    json_decref(message);
}

void client_reply(Client *client, int64_t id, json_t *reply)
{
    json_object_set_new(reply, "re", json_integer(id));
    json_object_set_new(reply, "ok", json_true());
    client_send(client, reply);
}

json_t *client_sentence(const char *text)
{
    Buf out = BUF_EMPTY;
    size_t word = strcspn(text, " :,");
    bool plain = word > 1 || strncmp(text, "a ", 2) == 0;
    for (size_t i = 0; i < word; i++) plain &= isalpha((unsigned char)text[i]) != 0;
    buf_add_text(&out, text);
    if (plain) out.data[0] = (char)toupper((unsigned char)out.data[0]);
    if (out.len && !strchr(".?!", out.data[out.len - 1])) buf_add_char(&out, '.');
    /* One that was cut in the middle of a letter is no UTF-8. */
    json_t *whole = json_string(buf_text(&out));
    buf_free(&out);
    return whole ? whole : json_string("This cannot be done.");
}

void client_refuse(Client *client, int64_t id, const Refusal *no)
{
    json_t *reply = json_object();
    json_object_set_new(reply, "re", id ? json_integer(id) : json_null());
    json_object_set_new(reply, "ok", json_false());
    json_object_set_new(reply, "code", json_string(no->code));
    json_object_set_new(reply, "error", client_sentence(no->err.text));
    if (no->why) json_object_set_new(reply, "why", json_string(no->why));
    client_send(client, reply);
}

bool client_keeps_up(const Client *client)
{
    return client->out_bytes < OUT_BYTES_STREAM;
}

void client_close(Client *client, int code, const char *reason)
{
    if (client->closing) return;
    client->closing = code;
    client->reason = reason;
    if (client->socket) client->hub->plan.ready(client->hub->plan.ctx, client->socket);
}

/* ---- for the sockets ---- */

char *hub_outgoing(Client *client, size_t *len)
{
    if (!client->out) return NULL;
    *len = client->out->len;
    return client->out->bytes + CLIENT_HEAD;
}

void hub_sent(Client *client)
{
    Outgoing *message = client->out;
    client->out_bytes -= message->len;
    client->out = message->next;
    if (!client->out) client->out_end = &client->out;
    mem_free(message);
}

int hub_closing(const Client *client, const char **reason)
{
    *reason = client->reason;
    return client->closing;
}
