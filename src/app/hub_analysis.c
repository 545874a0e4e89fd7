/* SPDX-License-Identifier: MIT */
/* Analyses: a player looks at a position for as long as its page wants, in slices when others wait.
 * What it sees goes into a box that holds the latest state only; the hub empties it several times a
 * second, and not at all while the page is behind with reading. */
#include "app/hub_look.h"

#include "base/mem.h"
#include "game/ban.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 20, UPDATE_MS = 100, ROOT_MAX = 400, BLOCKED_MAX = 400 };

/* What the engine's thread and the hub's share. */
typedef struct {
    Mutex *mutex;
    bool fresh, running;
    char *lines; /* owned, as JSON: objects are not shared between threads; NULL: nothing yet */
    int depth, sel_depth;
    int64_t nodes, ms;
    Point now; /* move of the root that is looked at */
    Point done[ROOT_MAX], lost[ROOT_MAX];
    int done_count, lost_count;
} Box;

struct Analysis {
    PoolTask task;
    Parcel parcel;
    Hub *hub;
    Client *client; /* NULL: nobody is interested any more */
    char id[24];
    Board *board;
    char *spec;
    Limits limits;
    Point blocked[BLOCKED_MAX]; /* in limits */
    int64_t spent_ms, nodes;    /* in slices before this one */
    json_t *heat;               /* to be sent with the first update; NULL: not wanted, or sent */
    bool watch, good, solved;
    Err err;
    int64_t sent_ms;
    Box box;
};

static void analysis_free(Analysis *a)
{
    os_mutex_close(a->box.mutex);
    free(a->box.lines);
    json_decref(a->heat);
    board_close(a->board);
    mem_free(a->spec);
    mem_free(a);
}

/* ---- on the engine's thread ---- */

static void on_report(void *ctx, const Board *board, const Thought *so_far)
{
    Analysis *a = ctx;
    Box *box = &a->box;
    json_t *lines = look_lines(&board->rules, so_far);
    char *text = json_dumps(lines, JSON_COMPACT);
    json_decref(lines);
    os_mutex_lock(box->mutex);
    char *before = box->lines;
    box->lines = text;
    box->depth = so_far->depth;
    box->sel_depth = so_far->sel_depth;
    box->nodes = a->nodes + so_far->nodes;
    box->ms = a->spent_ms + so_far->ms;
    box->done_count = 0;
    box->fresh = true;
    os_mutex_unlock(box->mutex);
    free(before);
}

static void add_root(Point *list, int *count, Point move)
{
    for (int i = 0; i < *count; i++) {
        if (list[i] == move) return;
    }
    if (*count < ROOT_MAX) list[(*count)++] = move;
}

static void on_watch(void *ctx, const Board *board, Point move, SearchEvent event)
{
    Analysis *a = ctx;
    Box *box = &a->box;
    (void)board;
    os_mutex_lock(box->mutex);
    if (event == ROOT_TAKEN_UP) box->now = move;
    if (event == ROOT_DONE) add_root(box->done, &box->done_count, move);
    if (event == ROOT_LOST) add_root(box->lost, &box->lost_count, move);
    box->fresh |= box->lines != NULL;
    os_mutex_unlock(box->mutex);
}

static void set_running(Analysis *a, bool running)
{
    os_mutex_lock(a->box.mutex);
    a->box.running = running;
    a->box.fresh = true;
    os_mutex_unlock(a->box.mutex);
}

static bool run(PoolTask *task, PoolSlot *slot)
{
    Analysis *a = (Analysis *)task;
    Thought thought = {0};
    Player *player = pool_player(slot, a->spec, &a->err);
    if (!player) return true;
    Limits limits = a->limits;
    limits.turn_ms = a->limits.turn_ms - a->spent_ms;
    if (limits.nodes) limits.nodes -= a->nodes;
    set_running(a, true);
    player->report = on_report;
    player->watch = a->watch ? on_watch : NULL;
    player->report_ctx = a;
    int64_t began = os_clock_ms();
    a->good = pool_think(slot, player, ASK_MOVE, a->board, &limits, 0, &thought, &a->err);
    player->report = NULL;
    player->watch = NULL;
    if (a->good) on_report(a, a->board, &thought); /* the last word: many report nothing before */
    a->spent_ms += os_clock_ms() - began;
    a->nodes += thought.nodes;
    a->solved = thought.has_value && score_is_mate(thought.score);
    bool enough =
        a->spent_ms >= a->limits.turn_ms || (a->limits.nodes && a->nodes >= a->limits.nodes);
    if (!a->good || enough || !atomic_load(pool_halt(slot))) return true;
    set_running(a, false);
    return false;
}

static void finished(PoolTask *task)
{
    Analysis *a = (Analysis *)task;
    hub_post(a->hub, &a->parcel);
}

/* ---- on the hub's ---- */

/* Takes what is in the box. */
static json_t *take_update(Analysis *a)
{
    const Rules *rules = &a->board->rules;
    Box *box = &a->box;
    json_t *out = json_object();
    os_mutex_lock(box->mutex);
    int64_t ms = box->ms > 0 ? box->ms : 1;
    json_object_update_new(
        out, json_pack("{s:s, s:s, s:s, s:o, s:i, s:i, s:I, s:I, s:I}", "on", "analysis",
                       "analysis", a->id, "state", box->running ? "running" : "queued", "side",
                       json_colour(a->board->side), "depth", box->depth, "sel_depth",
                       box->sel_depth, "nodes", (json_int_t)box->nodes, "nps",
                       (json_int_t)(box->nodes * 1000 / ms), "ms", (json_int_t)box->ms));
    json_object_set_new(out, "lines", box->lines ? json_loads(box->lines, 0, NULL) : json_array());
    if (a->watch)
        json_object_set_new(out, "root",
                            json_pack("{s:o, s:o, s:o}", "now",
                                      box->now ? json_point(rules, box->now) : json_null(), "lost",
                                      json_points(rules, box->lost, box->lost_count), "done",
                                      json_points(rules, box->done, box->done_count)));
    box->fresh = false;
    os_mutex_unlock(box->mutex);
    if (a->heat) json_object_set_new(out, "heat", a->heat);
    a->heat = NULL;
    return out;
}

static void send_end(Analysis *a, const char *reason, const char *detail)
{
    json_t *out = take_update(a);
    json_object_set_new(out, "state", json_string("done"));
    json_object_set_new(out, "reason", json_string(reason));
    if (detail) json_object_set_new(out, "detail", json_string(detail));
    client_send(a->client, out);
    a->client->analysis = NULL;
    a->client = NULL;
}

static void arrives(Hub *hub, Parcel *parcel)
{
    Analysis *a = (Analysis *)((char *)parcel - offsetof(Analysis, parcel));
    (void)hub;
    if (a->client) {
        const char *reason = !a->good ? "failed" : a->solved ? "solved" : "limit";
        send_end(a, reason, a->good ? NULL : a->err.text);
    }
    analysis_free(a);
}

/* Ends it; reason NULL: there is nobody to tell. */
static void end(Analysis *a, const char *reason)
{
    if (reason) {
        send_end(a, reason, NULL);
    } else {
        a->client->analysis = NULL;
        a->client = NULL;
    }
    if (!a->hub->pool || pool_cancel(a->hub->pool, &a->task)) analysis_free(a);
}

void analysis_forget(Client *client)
{
    if (client->analysis) end(client->analysis, NULL);
}

void analysis_tick(Client *client)
{
    Analysis *a = client->analysis;
    int64_t now = client->hub->now_ms;
    if (!a) return;
    if (now - client->heard_ms > client->hub->plan.idle_ms) {
        end(a, "idle");
        return;
    }
    if (now - a->sent_ms < UPDATE_MS || !client_keeps_up(client)) return;
    os_mutex_lock(a->box.mutex);
    bool fresh = a->box.fresh;
    os_mutex_unlock(a->box.mutex);
    if (!fresh) return;
    a->sent_ms = now;
    client_send(client, take_update(a));
}

/* ---- requests ---- */

static bool read_plan(Client *client, Analysis *a, const json_t *body, Refusal *no)
{
    const HubPlan *plan = &client->hub->plan;
    const char *player = NULL;
    int64_t lines = 1, ms = plan->analysis_ms, depth = 0, nodes = 0, threads = 1;
    bool heat = false;
    if (!field_whole(body, "lines", 1, LINES_MAX, &lines, no) ||
        !field_whole(body, "ms", 1, plan->analysis_ms, &ms, no) ||
        !field_whole(body, "depth", 1, 100, &depth, no) ||
        !field_whole(body, "nodes", 1, INT64_C(1) << 50, &nodes, no) ||
        !field_whole(body, "threads", 1, plan->threads, &threads, no) ||
        !field_bool(body, "heat", &heat, no) || !field_bool(body, "watch", &a->watch, no) ||
        !field_text(body, "player", 1000, &player, no))
        return false;
    Buf spec = BUF_EMPTY;
    if (!player)
        buf_printf(&spec, "ab:threads=%d,memory=%zu", (int)threads, plan->memory);
    else if (!hub_check_player(client->hub, player, &spec, no)) {
        buf_free(&spec);
        return false;
    }
    a->spec = mem_text(buf_text(&spec));
    buf_free(&spec);
    a->limits = (Limits){.turn_ms = ms,
                         .nodes = nodes,
                         .depth = (int)depth,
                         .lines = (int)lines,
                         .forced_too = true};
    a->board = request_board(client, body, no);
    if (!a->board) return false;
    a->limits.blocked = a->blocked;
    if (!field_points(body, "blocked", &a->board->rules, a->blocked, BLOCKED_MAX,
                      &a->limits.blocked_count, no))
        return false;
    if (heat) a->heat = look_policy(a->board, no);
    return !heat || a->heat;
}

static bool all_blocked(const Board *board, const Limits *limits)
{
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p) && ban_allows(board, p, board->side) &&
            !limits_block(limits, p))
            return false;
    }
    return true;
}

/* Why there is nothing to look at; NULL: there is. */
static const char *over_because(const Board *board)
{
    Cell winner = board_scan_winner(board);
    if (winner == CELL_BLACK) return "Black has won.";
    if (winner == CELL_WHITE) return "White has won.";
    return board_is_full(board) ? "The board is full." : NULL;
}

static bool do_start(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Analysis *a = mem_zero(sizeof *a);
    a->hub = client->hub;
    a->box.mutex = os_mutex_open();
    if (!read_plan(client, a, request->body, no)) {
        analysis_free(a);
        return false;
    }
    if (client->analysis) end(client->analysis, "stopped");
    a->task =
        (PoolTask){.client = client->number, .rank = POOL_LATER, .run = run, .finished = finished};
    a->parcel.open = arrives;
    a->client = client;
    client->analysis = a;
    snprintf(a->id, sizeof a->id, "a%lld", (long long)request->id);
    json_object_set_new(reply, "analysis", json_string(a->id));
    client_reply(client, request->id, json_incref(reply)); /* before any of its events */
    request->later = true;
    const char *over = over_because(a->board);
    if (over || (a->limits.blocked_count && all_blocked(a->board, &a->limits))) {
        send_end(a, over ? "over" : "blocked", over);
        analysis_free(a);
        return true;
    }
    a->box.fresh = true;
    pool_add(client->hub->pool, &a->task);
    return true;
}

static bool do_stop(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const char *id = NULL;
    (void)reply;
    if (!field_text(request->body, "analysis", 24, &id, no)) return false;
    if (client->analysis && (!id || strcmp(id, client->analysis->id) == 0))
        end(client->analysis, "stopped");
    return true;
}

const Verb analysis_verbs[] = {{"analysis.start", do_start}, {"analysis.stop", do_stop}, {0}};
