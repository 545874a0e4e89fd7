/* SPDX-License-Identifier: MIT */
#include "app/hub_ask.h"

#include "app/hub_games.h"
#include "app/hub_look.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

enum { SOLVE_MS = 10000, SOLVE_SOON_MS = 1000, HINT_MS = 1500, BALANCE_MS = 3000, PENDING_MAX = 8 };

/* ---- the queue ---- */

void ask_drop(Pending *pending)
{
    board_close(pending->board);
    json_decref(pending->reply);
    mem_free(pending);
}

static void ask_unlink(Pending *pending)
{
    Pending **at = &pending->hub->pendings;
    while (*at && *at != pending) at = &(*at)->next;
    if (*at) *at = pending->next;
}

/* Long work makes room for others and begins again, with what the solver's tables have kept, for
 * the time that is left. */
static bool run(PoolTask *task, PoolSlot *slot)
{
    enum { LEAST_MS = 50 };
    Pending *pending = (Pending *)task;
    int64_t began = os_clock_ms();
    pending->good = pending->work(pending, slot);
    pending->ms -= os_clock_ms() - began;
    if (task->rank == POOL_SOON || !atomic_load(pool_halt(slot)) || pending->ms < LEAST_MS)
        return true;
    json_object_clear(pending->reply);
    return false;
}

static void finished(PoolTask *task)
{
    Pending *pending = (Pending *)task;
    hub_post(pending->hub, &pending->parcel);
}

static void arrives(Hub *hub, Parcel *parcel)
{
    Pending *pending = (Pending *)((char *)parcel - offsetof(Pending, parcel));
    (void)hub;
    ask_unlink(pending);
    if (pending->client) {
        if (pending->after) pending->after(pending);
        if (pending->good) {
            client_reply(pending->client, pending->id, json_incref(pending->reply));
        } else {
            client_refuse(pending->client, pending->id, &pending->no);
        }
    }
    ask_drop(pending);
}

Pending *ask_new(Client *client, Request *request, Board *board,
                 bool (*work)(Pending *pending, PoolSlot *slot))
{
    Pending *pending = mem_zero(sizeof *pending);
    pending->task =
        (PoolTask){.client = client->number, .rank = POOL_SOON, .run = run, .finished = finished};
    pending->parcel.open = arrives;
    pending->hub = client->hub;
    pending->client = client;
    pending->id = request->id;
    pending->board = board;
    pending->work = work;
    pending->reply = json_object();
    return pending;
}

bool ask_is_allowed(const Client *client, Refusal *no)
{
    int count = 0;
    for (const Pending *at = client->hub->pendings; at; at = at->next)
        count += at->client == client;
    return count < PENDING_MAX ||
           refuse(no, "limit", "%d of your questions wait for an answer already.", count);
}

void ask_start(Pending *pending, Request *request)
{
    request->later = true;
    pending->next = pending->hub->pendings;
    pending->hub->pendings = pending;
    pool_add(pending->hub->pool, &pending->task);
    int ahead = pool_ahead(pending->hub->pool, &pending->task);
    if (ahead > 1)
        client_send(pending->client, json_pack("{s:s, s:I, s:i}", "on", "queue", "request",
                                               (json_int_t)pending->id, "ahead", ahead - 1));
}

static void cancel(Pending *pending, bool tell)
{
    Client *client = pending->client;
    pending->client = NULL;
    if (tell) {
        Refusal no = {0};
        refuse(&no, "cancelled", "This was cancelled.");
        client_refuse(client, pending->id, &no);
    }
    if (pool_cancel(pending->hub->pool, &pending->task)) {
        ask_unlink(pending);
        ask_drop(pending);
    }
}

void asks_forget(Client *client)
{
    for (Pending *at = client->hub->pendings, *next; at; at = next) {
        next = at->next;
        if (at->client != client) continue;
        if (client->hub->pool) {
            cancel(at, false);
        } else { /* the pool is gone, and what waited there with it */
            ask_unlink(at);
            ask_drop(at);
        }
    }
}

static bool do_cancel(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)reply;
    int64_t id = 0;
    if (!field_whole(request->body, "request", 1, INT64_MAX, &id, no)) return false;
    for (Pending *at = client->hub->pendings; at; at = at->next) {
        if (at->client != client || at->id != id) continue;
        cancel(at, true);
        return true;
    }
    return true; /* it is answered already */
}

/* ---- hints ---- */

/* The strongest that there is; NULL: it could not be opened. */
static Player *best_player(Pending *pending, PoolSlot *slot)
{
    Buf spec = BUF_EMPTY;
    buf_printf(&spec, "ab:memory=%zu", pending->hub->plan.memory);
    Player *player = pool_player(slot, buf_text(&spec), &pending->no.err);
    buf_free(&spec);
    return player;
}

static bool give_hint(Pending *pending, PoolSlot *slot)
{
    const Rules *rules = &pending->board->rules;
    Thought thought;
    Player *player = best_player(pending, slot);
    Limits limits = {.turn_ms = pending->ms,
                     .blocked = pending->blocked,
                     .blocked_count = pending->blocked_count};
    if (!player || !pool_think(slot, player, pending->ask, pending->board, &limits,
                               (uint64_t)os_clock_ns(), &thought, &pending->no.err))
        return refuse_so(&pending->no, "failed");
    static const char *const decisions[] = {"move", "swap", "stones"};
    json_t *reply = pending->reply;
    json_object_set_new(reply, "decision", json_string(decisions[thought.decision]));
    json_object_set_new(reply, "points",
                        json_points(rules, thought.stones,
                                    thought.decision == DECIDE_SWAP ? 0 : thought.stone_count));
    if (thought.decision != DECIDE_MOVE) return true;
    json_object_set_new(reply, "move", json_point(rules, thought.stones[0]));
    json_object_set_new(reply, "value", thought.has_value ? json_real(thought.value) : json_null());
    json_object_set_new(reply, "mate", look_mate(thought.score));
    json_object_set_new(reply, "depth", json_integer(thought.depth));
    json_object_set_new(reply, "line", json_points(rules, thought.line, thought.line_len));
    return true;
}

static bool do_hint(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)reply;
    const char *id = NULL;
    int64_t ms = HINT_MS;
    if (!field_needs_text(request->body, "game", TOKEN_MAX, &id, no) ||
        !field_whole(request->body, "ms", 10, client->hub->plan.think_ms, &ms, no) ||
        !ask_is_allowed(client, no))
        return false;
    Table *table = games_find(client->hub, id, no);
    if (!table) return false;
    const Game *game = &table->at.game;
    if (game->over) {
        games_release(table);
        return refuse(no, "illegal", "The game is over.");
    }
    Pending *pending = ask_new(client, request, board_clone(game->board), give_hint);
    pending->ask = game->ask;
    pending->ms = ms;
    pending->blocked_count = game->blocked_count;
    memcpy(pending->blocked, game->blocked, (size_t)game->blocked_count * sizeof(Point));
    games_release(table);
    ask_start(pending, request);
    return true;
}

/* ---- stones that make it even ---- */

/* As near to a half as openings are played. */
static const double EVEN_WITHIN = 0.15;

static bool balance(Pending *pending, PoolSlot *slot)
{
    const Rules *rules = &pending->board->rules;
    int stones = (int)pending->number;
    Thought thought = {0};
    Player *player = best_player(pending, slot);
    Limits limits = {.turn_ms = pending->ms,
                     .blocked = pending->blocked,
                     .blocked_count = pending->blocked_count};
    if (!player ||
        !pool_balance(slot, player, pending->board, &limits, stones, &thought, &pending->no.err))
        return refuse_so(&pending->no, "failed");
    json_object_set_new(pending->reply, "points",
                        json_points(rules, thought.stones, thought.stone_count));
    if (thought.has_value) {
        bool even = fabs(thought.value - 0.5) <= EVEN_WITHIN;
        json_object_set_new(pending->reply, "value", json_real(thought.value));
        json_object_set_new(pending->reply, "even", json_boolean(even));
    } else {
        json_object_set_new(pending->reply, "value", json_null());
        json_object_set_new(pending->reply, "even", json_null());
    }
    return true;
}

static bool do_balance(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)reply;
    int64_t ms = BALANCE_MS, stones = 1;
    if (!field_whole(request->body, "stones", 1, 2, &stones, no) ||
        !field_whole(request->body, "ms", 10, client->hub->plan.analysis_ms, &ms, no) ||
        !ask_is_allowed(client, no))
        return false;
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    const Rules *rules = &board->rules;
    if (board_scan_winner(board) != CELL_EMPTY ||
        board->stones + stones > rules->width * rules->height) {
        board_close(board);
        return refuse(no, "illegal", "There is nothing left to make even.");
    }
    Pending *pending = ask_new(client, request, board, balance);
    /* On an empty board players look at nothing but the centre, unless it is not to be had. */
    if (stones == 1 && !board->stones)
        pending->blocked[pending->blocked_count++] =
            rules_point(rules, rules->width / 2, rules->height / 2);
    pending->number = stones;
    pending->ms = ms;
    pending->task.rank = POOL_LATER;
    ask_start(pending, request);
    return true;
}

/* ---- wins by threats, and by any moves ---- */

typedef struct {
    Verdict verdict;
    const Point *line;
    int plies;
    int64_t nodes;
} Solution;

static void prove(Pending *pending, PoolSlot *slot, Goal goal, int64_t deadline, Solution *out)
{
    DfpnLimits limits = {.stop = pool_halt(slot), .deadline = deadline};
    DfpnResult result;
    out->verdict =
        dfpn_search(pool_dfpn(slot), pending->board, goal, pending->board->side, &limits, &result);
    out->nodes += result.nodes;
    out->line = result.line;
    out->plies = out->verdict == SOLVE_WIN ? result.plies : 0;
}

bool ask_solve(Pending *pending, PoolSlot *slot)
{
    static const char *const names[] = {"unknown", "none", "win"};
    Board *board = pending->board;
    Solution s = {.verdict = SOLVE_NONE};
    int64_t began = os_clock_ms(), deadline = began + pending->ms;
    VcfResult fours;
    bool over = board_scan_winner(board) != CELL_EMPTY || board_is_full(board);
    if (!over) {
        VcfLimits limits = {
            .shortest = pending->goal == GOAL_VCF, .stop = pool_halt(slot), .deadline = deadline};
        s.verdict = vcf_search(pool_vcf(slot), board, &limits, &fours);
        s.nodes = fours.nodes;
        s.line = fours.line;
        s.plies = s.verdict == SOLVE_WIN ? fours.plies : 0;
    }
    /* Threats first, within a quarter of the time; then all moves. */
    if (!over && s.verdict != SOLVE_WIN && pending->goal == GOAL_VCT)
        prove(pending, slot, GOAL_VCT, deadline, &s);
    if (!over && s.verdict != SOLVE_WIN && pending->goal == GOAL_WIN) {
        prove(pending, slot, GOAL_VCT, began + pending->ms / 4, &s);
        if (s.verdict != SOLVE_WIN) prove(pending, slot, GOAL_WIN, deadline, &s);
    }
    bool exact = s.plies > 0 && (pending->goal == GOAL_VCF || s.plies <= 3);
    json_object_update_new(pending->reply,
                           json_pack("{s:s, s:o, s:o, s:i, s:b, s:I, s:I}", "result",
                                     names[s.verdict], "by", json_colour(board->side), "line",
                                     json_points(&board->rules, s.line, s.plies), "plies", s.plies,
                                     "exact", (int)exact, "nodes", (json_int_t)s.nodes, "ms",
                                     (json_int_t)(os_clock_ms() - began)));
    return true;
}

static bool read_goal(const json_t *body, Goal *goal, Refusal *no)
{
    static const char *const names[] = {"vcf", "vct", "win"};
    const char *name = "vct";
    if (!field_text(body, "goal", 10, &name, no)) return false;
    for (int i = 0; i < 3; i++) {
        if (strcmp(names[i], name) != 0) continue;
        *goal = (Goal)i;
        return true;
    }
    return refuse(no, "bad", "\"goal\" must be vcf, vct or win.");
}

static bool do_solve(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)reply;
    const char *by = "mover";
    int64_t ms = SOLVE_MS;
    Goal goal = GOAL_VCT;
    if (!read_goal(request->body, &goal, no) || !field_text(request->body, "by", 10, &by, no) ||
        !field_whole(request->body, "ms", 1, client->hub->plan.analysis_ms, &ms, no) ||
        !ask_is_allowed(client, no))
        return false;
    bool opponent = strcmp(by, "opponent") == 0;
    if (!opponent && strcmp(by, "mover") != 0)
        return refuse(no, "bad", "\"by\" must be mover or opponent.");
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    if (opponent) board_pass(board);
    Pending *pending = ask_new(client, request, board, ask_solve);
    pending->goal = goal;
    pending->ms = ms;
    if (ms > SOLVE_SOON_MS) pending->task.rank = POOL_LATER;
    ask_start(pending, request);
    return true;
}

const Verb ask_verbs[] = {{"cancel", do_cancel},
                          {"game.hint", do_hint},
                          {"threat.solve", do_solve},
                          {"position.balance", do_balance},
                          {0}};
