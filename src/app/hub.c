/* SPDX-License-Identifier: MIT */
/* The hub itself: opening and closing, messages to whoever answers them, parcels of other threads.
 */
#include "app/hub_inside.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static const Verb *const verbs[] = {
    hello_verbs,   game_verbs, look_verbs,    ask_verbs, analysis_verbs, review_verbs,
    library_verbs, file_verbs, problem_verbs, run_verbs, pattern_verbs,  tree_verbs,
};
static const TableVerb *const table_verbs[] = {move_verbs, change_verbs};

Hub *hub_open(const HubPlan *plan, Err *err)
{
    Hub *hub = mem_zero(sizeof *hub);
    hub->plan = *plan;
    hub->mutex = os_mutex_open();
    hub->parcels_end = &hub->parcels;
    hub->now_ms = os_clock_ms();
    hub->problems = mem_zero(sizeof *hub->problems);
    /* Tables are kept in memory and written whole, so two hubs would undo each other's moves. Files
     * that somebody named must be right; those built in are read when they are wanted. */
    hub->lock = plan->store ? os_file_lock(plan->store, err) : NULL;
    if (plan->store && !hub->lock && os_file_is_locked(plan->store, NULL))
        err_prefix(err, "no second board for the same games");
    if ((hub->lock || !plan->store) &&
        (!plan->problems || problems_open(hub->problems, plan->problems, err)))
        hub->library = library_open(plan->store, err);
    hub->pool = hub->library ? pool_open(plan->slots, plan->memory, err) : NULL;
    if (hub->pool) {
        runs_open(hub);
        return hub;
    }
    hub_close(hub);
    return NULL;
}

void hub_say_address(const Hub *hub, const char *address)
{
    if (hub->lock) os_file_lock_say(hub->lock, address);
}

void hub_stop(Hub *hub)
{
    runs_stop(hub);
    pool_close(hub->pool);
    hub->pool = NULL;
    hub_drain(hub);
}

void hub_close(Hub *hub)
{
    hub_stop(hub);
    while (hub->clients) hub_disconnect(hub->clients);
    games_close(hub);
    runs_close(hub);
    library_close(hub->library);
    os_file_unlock(hub->lock);
    problems_close(hub->problems);
    mem_free(hub->problems);
    os_mutex_close(hub->mutex);
    mem_free(hub);
}

int hub_clients(const Hub *hub)
{
    return hub->client_count;
}

void hub_new_id(char id[TOKEN_MAX])
{
    unsigned char bytes[(TOKEN_MAX - 1) / 2];
    os_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(id + 2 * i, 3, "%02x", bytes[i]);
}

void hub_log(Hub *hub, const char *event, json_t *fields)
{
    if (hub->plan.log) {
        char date[OS_DATE_MAX];
        json_t *line = json_pack("{s:s, s:s}", "time", os_date_text(date), "event", event);
        if (fields) json_object_update(line, fields);
        json_dumpf(line, hub->plan.log, JSON_COMPACT);
        fputc('\n', hub->plan.log);
        fflush(hub->plan.log);
        json_decref(line);
    }
    json_decref(fields);
}

/* ---- parcels ---- */

void hub_post(Hub *hub, Parcel *parcel)
{
    parcel->next = NULL;
    os_mutex_lock(hub->mutex);
    *hub->parcels_end = parcel;
    hub->parcels_end = &parcel->next;
    os_mutex_unlock(hub->mutex);
    if (hub->plan.wake) hub->plan.wake(hub->plan.ctx);
}

void hub_drain(Hub *hub)
{
    hub->now_ms = os_clock_ms();
    os_mutex_lock(hub->mutex);
    Parcel *parcel = hub->parcels;
    hub->parcels = NULL;
    hub->parcels_end = &hub->parcels;
    os_mutex_unlock(hub->mutex);
    while (parcel) {
        Parcel *next = parcel->next; /* opening it may free it */
        parcel->open(hub, parcel);
        parcel = next;
    }
}

void hub_tick(Hub *hub)
{
    hub->now_ms = os_clock_ms();
    if (hub->pool) pool_tick(hub->pool);
    games_tick(hub);
    runs_tick(hub);
    for (Client *client = hub->clients; client; client = client->next) {
        client_tick(client);
        analysis_tick(client);
        review_tick(client);
    }
}

/* ---- messages ---- */

static Handler *find_handler(const char *verb)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        for (const Verb *v = verbs[i]; v->verb; v++) {
            if (strcmp(v->verb, verb) == 0) return v->handle;
        }
    }
    return NULL;
}

static TableHandler *find_table_handler(const char *verb)
{
    for (size_t i = 0; i < sizeof table_verbs / sizeof *table_verbs; i++) {
        for (const TableVerb *v = table_verbs[i]; v->verb; v++) {
            if (strcmp(v->verb, verb) == 0) return v->handle;
        }
    }
    return NULL;
}

static bool answer(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Handler *handle = find_handler(request->verb);
    TableHandler *handle_table = find_table_handler(request->verb);
    if (!handle && !handle_table)
        return refuse(no, "bad", "There is no request \"%s\": docs/protocol.md lists them.",
                      request->verb);
    if (!*client->token && strcmp(request->verb, "hello") != 0)
        return refuse(no, "bad", "The first message must be \"hello\".");
    return handle ? handle(client, request, reply, no)
                  : games_answer(handle_table, client, request->body, reply, no);
}

static void log_refusal(const Client *client, const Request *request, const Refusal *no)
{
    if (!client->hub->plan.log) return;
    hub_log(client->hub, "refused",
            json_pack("{s:I, s:s, s:s, s:s}", "client", (json_int_t)client->number, "do",
                      request->verb, "code", no->code, "error", no->err.text));
}

void hub_receive(Client *client, const char *text, size_t len)
{
    enum { STRIKES_MAX = 100 };
    Hub *hub = client->hub;
    Refusal no = {0};
    Request request = {.verb = ""};
    hub->now_ms = os_clock_ms();
    if (client->closing) return;
    bool allowed = client_may_send(client, hub->now_ms);
    bool good = request_read(text, len, &request, &no);
    /* A stranger has half a minute in all; a ping says that a page is there, not that anybody
     * looks. */
    if (*client->token && !(good && strcmp(request.verb, "ping") == 0))
        client->heard_ms = hub->now_ms;
    if (!good || !allowed) {
        if (good)
            refuse(&no, "limit", "Too many messages: %lld a second are allowed.",
                   (long long)hub->plan.rate);
        if (++client->strikes >= STRIKES_MAX)
            client_close(client, 1008, allowed ? "too much nonsense" : "too many messages");
        log_refusal(client, &request, &no);
        client_refuse(client, request.id, &no);
        request_free(&request);
        return;
    }
    json_t *reply = json_object();
    if (answer(client, &request, reply, &no)) {
        if (!request.later) client_reply(client, request.id, json_incref(reply));
    } else {
        log_refusal(client, &request, &no);
        client_refuse(client, request.id, &no);
    }
    json_decref(reply);
    request_free(&request);
}

void hub_dismiss(Hub *hub, const char *reason)
{
    for (Client *client = hub->clients; client; client = client->next)
        client_close(client, 1001, reason);
}
