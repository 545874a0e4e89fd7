/* SPDX-License-Identifier: MIT */
#include "app/hub_runs.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 1000, TELL_MS = 250, SAVE_MS = 30000, FILE_MAX = 256 << 20 };

static const char *const state_names[] = {"running", "done", "stopped", "failed"};
static const RunKind *const kinds[] = {&arena_kind, &learn_kind};

/* ---- what a run says ---- */

void run_say(Run *run, json_t *news, int64_t done, int64_t games)
{
    char *text = json_dumps(news, JSON_COMPACT);
    json_decref(news);
    os_mutex_lock(run->mutex);
    char *before = run->news;
    run->news = text;
    run->said++;
    run->done = done;
    run->games = games;
    os_mutex_unlock(run->mutex);
    free(before);
}

/* The event, or the reply to a watch. */
static json_t *run_json(Run *run)
{
    os_mutex_lock(run->mutex);
    json_t *out = run->news ? json_loads(run->news, 0, NULL) : NULL;
    os_mutex_unlock(run->mutex);
    if (!out) out = json_object();
    const char *name = json_string_value(json_object_get(run->request, "name"));
    json_object_set_new(out, run->kind->noun, json_string(run->id));
    json_object_set_new(out, "name", json_string(name ? name : ""));
    json_object_set_new(out, "state", json_string(state_names[run->state]));
    json_object_set_new(out, "began", json_string(run->began));
    json_object_set_new(out, "error",
                        run->state == RUN_FAILED ? client_sentence(run->err.text) : json_null());
    return out;
}

static void tell_watchers(Run *run)
{
    json_t *event = NULL;
    for (Client *client = run->hub->clients; client; client = client->next) {
        if (client->run != run || !client_keeps_up(client)) continue;
        if (!event) {
            event = run_json(run);
            json_object_set_new(event, "on", json_string(run->kind->noun));
        }
        client_send(client, json_incref(event));
    }
    json_decref(event);
}

/* ---- the file ---- */

void runs_path(const Hub *hub, const char *name, Buf *path)
{
    const char *store = hub->plan.store, *slash = store ? strrchr(store, '/') : NULL;
    if (!store) return;
    if (slash) buf_add(path, store, (size_t)(slash - store) + 1);
    /* Stores beside each other do not share their runs. */
    const char *base = slash ? slash + 1 : store;
    buf_printf(path, "%s.%s", base, name);
}

static void save_runs(Hub *hub)
{
    Buf path = BUF_EMPTY;
    Err err;
    json_t *list = json_array();
    runs_path(hub, "runs.json", &path);
    for (Run *run = hub->runs; run; run = run->next) {
        os_mutex_lock(run->mutex);
        json_t *row = json_pack("{s:s, s:s, s:s, s:O, s:s, s:s, s:s, s:I, s:I}", "kind",
                                run->kind->noun, "id", run->id, "owner", run->owner, "request",
                                run->request, "began", run->began, "state", state_names[run->state],
                                "news", run->news ? run->news : "", "done", (json_int_t)run->done,
                                "games", (json_int_t)run->games);
        run->saved = run->said;
        os_mutex_unlock(run->mutex);
        json_array_append_new(list, row);
    }
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    if (path.len && text && !os_file_replace(path.data, text, strlen(text), &err))
        hub_log(hub, "error", json_pack("{s:s}", "error", err.text));
    free(text);
    buf_free(&path);
}

static Run *run_new(Hub *hub, const RunKind *kind)
{
    Run *run = mem_zero(sizeof *run);
    run->hub = hub;
    run->kind = kind;
    run->mutex = os_mutex_open();
    run->state = RUN_STOPPED;
    return run;
}

static void run_free(Run *run)
{
    os_mutex_close(run->mutex);
    json_decref(run->request);
    free(run->news);
    mem_free(run);
}

static void load_run(Hub *hub, const json_t *row)
{
    const char *noun = NULL, *id = NULL, *owner = "", *began = "", *state = "", *news = "";
    json_t *request = NULL;
    json_int_t done = 0, games = 0;
    if (json_unpack((json_t *)row, "{s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:I, s:I}", "kind", &noun,
                    "id", &id, "owner", &owner, "request", &request, "began", &began, "state",
                    &state, "news", &news, "done", &done, "games", &games) != 0)
        return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k]->noun, noun) != 0) continue;
        Run *run = run_new(hub, kinds[k]);
        snprintf(run->id, sizeof run->id, "%s", id);
        snprintf(run->owner, sizeof run->owner, "%s", owner);
        snprintf(run->began, sizeof run->began, "%s", began);
        run->request = json_incref(request);
        run->news = *news ? strdup(news) : NULL;
        run->done = done;
        run->games = games;
        if (strcmp(state, "done") == 0) run->state = RUN_DONE;
        if (strcmp(state, "running") == 0 && run->kind->recall) run->kind->recall(run);
        Run **end = &hub->runs;
        while (*end) end = &(*end)->next;
        *end = run;
    }
}

void runs_open(Hub *hub)
{
    Buf path = BUF_EMPTY, text = BUF_EMPTY;
    runs_path(hub, "runs.json", &path);
    if (path.len && os_file_read(path.data, FILE_MAX, &text, NULL)) {
        json_t *list = json_loads(buf_text(&text), 0, NULL);
        for (size_t i = 0; i < json_array_size(list); i++) load_run(hub, json_array_get(list, i));
        json_decref(list);
    }
    buf_free(&path);
    buf_free(&text);
}

/* ---- starting and ending ---- */

static void run_body(void *ctx)
{
    Run *run = ctx;
    run->good = run->kind->body(run, &run->err);
    hub_post(run->hub, &run->parcel);
}

static void run_ended(Run *run)
{
    os_thread_join(run->thread);
    run->thread = NULL;
    run->state = !run->good ? RUN_FAILED : atomic_load(&run->stop) ? RUN_STOPPED : RUN_DONE;
    run->kind->unprepare(run);
    hub_log(run->hub, run->kind->noun,
            json_pack("{s:s, s:s, s:s}", "id", run->id, "state", state_names[run->state], "error",
                      run->good ? "" : run->err.text));
}

static void run_arrives(Hub *hub, Parcel *parcel)
{
    Run *run = (Run *)((char *)parcel - offsetof(Run, parcel));
    if (!run->thread) return;
    run_ended(run);
    save_runs(hub);
    tell_watchers(run);
}

static bool run_start(Run *run, Refusal *no)
{
    int running = 0;
    for (Run *other = run->hub->runs; other; other = other->next) running += other->thread != NULL;
    if (running >= run->hub->plan.runs)
        return refuse(no, "limit", "%d matches or learners run already; please stop one first.",
                      running);
    if (!run->kind->prepare(run, no)) return false;
    atomic_store(&run->stop, false);
    run->state = RUN_RUNNING;
    run->parcel.open = run_arrives;
    run->thread = os_thread_start(run_body, run, &no->err);
    if (run->thread) return true;
    run->kind->unprepare(run);
    run->state = RUN_STOPPED;
    return refuse_so(no, "failed");
}

static void run_stop(Run *run)
{
    atomic_store(&run->stop, true);
}

/* All of them, before the hub goes. */
void runs_stop(Hub *hub)
{
    bool any = false;
    for (Run *run = hub->runs; run; run = run->next) {
        if (run->thread) run_stop(run);
    }
    for (Run *run = hub->runs; run; run = run->next) {
        any |= run->thread != NULL;
        if (run->thread) run_ended(run);
    }
    if (any) save_runs(hub);
}

void runs_close(Hub *hub)
{
    while (hub->runs) {
        Run *run = hub->runs;
        hub->runs = run->next;
        run_free(run);
    }
}

void runs_tick(Hub *hub)
{
    bool unsaved = false;
    if (hub->now_ms < hub->runs_told_ms + TELL_MS) return;
    hub->runs_told_ms = hub->now_ms;
    for (Run *run = hub->runs; run; run = run->next) {
        os_mutex_lock(run->mutex);
        bool fresh = run->said != run->told;
        run->told = run->said;
        unsaved |= run->said != run->saved;
        os_mutex_unlock(run->mutex);
        if (fresh) tell_watchers(run);
    }
    if (unsaved && hub->now_ms >= hub->runs_saved_ms + SAVE_MS) {
        hub->runs_saved_ms = hub->now_ms;
        save_runs(hub);
    }
}

/* ---- requests ---- */

static bool do_start(Client *client, const RunKind *kind, Request *request, json_t *reply,
                     Refusal *no)
{
    Hub *hub = client->hub;
    char random[TOKEN_MAX];
    int count = 0;
    const char *name = "";
    for (Run *run = hub->runs; run; run = run->next) count++;
    if (count >= RUNS_MAX)
        return refuse(no, "limit", "There are %d runs; please delete some.", count);
    if (!field_text(request->body, "name", TEXT_MAX_NAME, &name, no)) return false;
    Run *run = run_new(hub, kind);
    hub_new_id(random);
    snprintf(run->id, sizeof run->id, "%c%.12s", kind->letter, random);
    memcpy(run->owner, client->token, TOKEN_MAX);
    os_date_text(run->began);
    run->request = json_deep_copy(request->body);
    json_object_del(run->request, "id");
    json_object_del(run->request, "do");
    if (!run_start(run, no)) {
        run_free(run);
        return false;
    }
    run->next = hub->runs;
    hub->runs = run;
    save_runs(hub);
    json_object_set_new(reply, kind->noun, json_string(run->id));
    return true;
}

static Run *asked_run(Client *client, const RunKind *kind, const json_t *body, Refusal *no)
{
    const char *id = NULL;
    if (!field_needs_text(body, kind->noun, 24, &id, no)) return NULL;
    for (Run *run = client->hub->runs; run; run = run->next) {
        if (run->kind == kind && strcmp(run->id, id) == 0) return run;
    }
    refuse(no, "missing", "There is no such run any more.");
    return NULL;
}

/* Whoever started it, or anybody where there is but one user. */
static Run *own_run(Client *client, const RunKind *kind, const json_t *body, Refusal *no)
{
    Run *run = asked_run(client, kind, body, no);
    if (!run || client->hub->plan.one_user || strcmp(run->owner, client->token) == 0) return run;
    refuse(no, "denied", "Somebody else has started this.");
    return NULL;
}

static json_t *list_runs(Hub *hub, const RunKind *kind)
{
    json_t *list = json_array();
    for (Run *run = hub->runs; run; run = run->next) {
        if (run->kind != kind) continue;
        json_t *row = run_json(run);
        static const char *const heavy[] = {"boards", "finished", "standings", "pairs", "points"};
        for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++) json_object_del(row, heavy[i]);
        json_object_set_new(row, "done", json_integer(run->done));
        json_object_set_new(row, "games", json_integer(run->games));
        json_array_append_new(list, row);
    }
    return list;
}

static bool do_watch(Client *client, const RunKind *kind, Request *request, json_t *reply,
                     Refusal *no)
{
    Run *run = asked_run(client, kind, request->body, no);
    if (!run) return false;
    client->run = run;
    json_object_update_new(reply, run_json(run));
    return true;
}

static bool do_stop(Client *client, const RunKind *kind, Request *request, Refusal *no)
{
    Run *run = own_run(client, kind, request->body, no);
    if (!run) return false;
    if (run->thread) run_stop(run);
    return true;
}

static bool do_resume(Client *client, const RunKind *kind, Request *request, Refusal *no)
{
    Run *run = own_run(client, kind, request->body, no);
    if (!run) return false;
    if (run->thread) return refuse(no, "illegal", "It is running.");
    if (!run_start(run, no)) return false;
    save_runs(client->hub);
    tell_watchers(run);
    return true;
}

static bool do_delete(Client *client, const RunKind *kind, Request *request, Refusal *no)
{
    Hub *hub = client->hub;
    Run *run = own_run(client, kind, request->body, no);
    if (!run) return false;
    if (run->thread) return refuse(no, "illegal", "Please stop it first.");
    for (Client *other = hub->clients; other; other = other->next) {
        if (other->run == run) other->run = NULL;
    }
    Run **at = &hub->runs;
    while (*at != run) at = &(*at)->next;
    *at = run->next;
    if (kind->forget) kind->forget(run);
    run_free(run);
    save_runs(hub);
    return true;
}

/* One handler a noun and verb, since a handler knows only its request. */
#define RUN_HANDLERS(noun)                                                                         \
    static bool noun##_start(Client *client, Request *request, json_t *reply, Refusal *no)         \
    {                                                                                              \
        return do_start(client, &noun##_kind, request, reply, no);                                 \
    }                                                                                              \
    static bool noun##_watch(Client *client, Request *request, json_t *reply, Refusal *no)         \
    {                                                                                              \
        return do_watch(client, &noun##_kind, request, reply, no);                                 \
    }                                                                                              \
    static bool noun##_stop(Client *client, Request *request, json_t *reply, Refusal *no)          \
    {                                                                                              \
        (void)reply;                                                                               \
        return do_stop(client, &noun##_kind, request, no);                                         \
    }                                                                                              \
    static bool noun##_resume(Client *client, Request *request, json_t *reply, Refusal *no)        \
    {                                                                                              \
        (void)reply;                                                                               \
        return do_resume(client, &noun##_kind, request, no);                                       \
    }                                                                                              \
    static bool noun##_delete(Client *client, Request *request, json_t *reply, Refusal *no)        \
    {                                                                                              \
        (void)reply;                                                                               \
        return do_delete(client, &noun##_kind, request, no);                                       \
    }

RUN_HANDLERS(arena)
RUN_HANDLERS(learn)

static bool arena_list(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)request, (void)no;
    json_object_set_new(reply, "arenas", list_runs(client->hub, &arena_kind));
    return true;
}

static bool arena_out(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Run *run = asked_run(client, &arena_kind, request->body, no);
    return run && arena_export(run, request->body, reply, no);
}

static bool learn_list(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)request, (void)no;
    json_object_set_new(reply, "runs", list_runs(client->hub, &learn_kind));
    return true;
}

static bool do_unwatch(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)request, (void)reply, (void)no;
    client->run = NULL;
    return true;
}

const Verb run_verbs[] = {
    {"arena.start", arena_start},   {"arena.list", arena_list},
    {"arena.watch", arena_watch},   {"arena.unwatch", do_unwatch},
    {"arena.stop", arena_stop},     {"arena.resume", arena_resume},
    {"arena.delete", arena_delete}, {"arena.export", arena_out},
    {"learn.start", learn_start},   {"learn.list", learn_list},
    {"learn.watch", learn_watch},   {"learn.unwatch", do_unwatch},
    {"learn.stop", learn_stop},     {"learn.resume", learn_resume},
    {"learn.delete", learn_delete}, {0},
};
