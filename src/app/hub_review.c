/* SPDX-License-Identifier: MIT */
/* Reviews: every position of a game is looked at for a while, from the last to the first, so that
 * what the engine has learnt of the end serves the beginning. A move is judged by what its player
 * could expect before and after it. */
#include "app/hub_look.h"

#include "app/hub_games.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REVIEW_MS = 1000, REVIEW_MAX_MS = 60000 };

typedef enum {
    MARK_NONE,
    MARK_INACCURACY,
    MARK_MISTAKE,
    MARK_BLUNDER,
    MARK_MISSED,
    MARK_COUNT
} Mark;

static const char *const mark_names[MARK_COUNT] = {NULL, "inaccuracy", "mistake", "blunder",
                                                   "missed win"};

/* What is known of the position after so many moves; values are Black's. */
typedef struct {
    bool known;
    double value;
    int score; /* of the side to move */
    Point best;
    Point line[THOUGHT_LINE_MAX];
    int line_len;
} Judgement;

struct Review {
    PoolTask task;
    Parcel parcel;
    Hub *hub;
    Client *client; /* NULL: nobody is interested any more */
    char id[24];
    Board *board; /* as the game stands at `ply` */
    Point *moves; /* all of them, those undone too */
    int plies, ply;
    int64_t ms;
    Judgement *judged; /* of 0 … plies */
    double loss[COLOUR_COUNT];
    int count[COLOUR_COUNT], marks[COLOUR_COUNT][MARK_COUNT];
    bool good;
    Err err;
    Mutex *mutex; /* guards out */
    Buf out;      /* messages not sent yet, each ended by a zero byte */
};

static void review_free(Review *r)
{
    os_mutex_close(r->mutex);
    buf_free(&r->out);
    board_close(r->board);
    mem_free(r->moves);
    mem_free(r->judged);
    mem_free(r);
}

/* ---- on the engine's thread ---- */

static void post(Review *r, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text) return;
    os_mutex_lock(r->mutex);
    buf_add(&r->out, text, strlen(text) + 1);
    os_mutex_unlock(r->mutex);
    free(text);
}

static double of_colour(double value, Colour colour)
{
    return colour == BLACK ? value : 1 - value;
}

static Mark mark_of(double before, double after, bool was_won)
{
    double loss = before - after;
    if (was_won && after < 0.85) return MARK_MISSED;
    return loss >= 0.30   ? MARK_BLUNDER
           : loss >= 0.15 ? MARK_MISTAKE
           : loss >= 0.07 ? MARK_INACCURACY
                          : MARK_NONE;
}

/* The move number `ply` (1 is the first), once the positions before and after it are judged. The
 * board stands before it. */
static void post_move(Review *r, int ply)
{
    const Rules *rules = &r->board->rules;
    const Judgement *before = &r->judged[ply - 1], *after = &r->judged[ply];
    Point move = r->moves[ply - 1];
    Colour colour = r->board->side;
    double could = of_colour(before->value, colour), got = of_colour(after->value, colour);
    bool best = move == before->best;
    double loss = best || could < got ? 0 : could - got;
    Mark mark = best ? MARK_NONE : mark_of(could, got, before->score >= SCORE_MATE);
    r->count[colour]++;
    r->loss[colour] += loss;
    r->marks[colour][mark]++;
    post(r, json_pack("{s:s, s:s, s:i, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:f, s:s?}", "on",
                      "review", "review", r->id, "ply", ply, "move", json_point(rules, move),
                      "colour", json_colour(colour), "before", before->value, "after", after->value,
                      "best", json_point(rules, before->best), "line",
                      json_points(rules, before->line, before->line_len), "mate",
                      look_mate(before->score), "loss", loss, "mark", mark_names[mark]));
}

/* The result, where the game is over. */
static bool judge_end(const Board *board, Judgement *j)
{
    Cell winner = board_scan_winner(board);
    if (winner == CELL_EMPTY && !board_is_full(board)) return false;
    j->value = winner == CELL_BLACK ? 1 : winner == CELL_WHITE ? 0 : 0.5;
    j->known = true;
    return true;
}

/* False: it was halted before it knew. */
static bool judge(Review *r, PoolSlot *slot, Player *player, Judgement *j)
{
    Limits limits = {.turn_ms = r->ms, .forced_too = true};
    Thought thought;
    if (judge_end(r->board, j)) return true;
    r->good = pool_think(slot, player, ASK_MOVE, r->board, &limits, 0, &thought, &r->err);
    if (!r->good || atomic_load(pool_halt(slot))) return false;
    j->known = true;
    j->value = of_colour(thought.value, r->board->side);
    j->score = thought.score;
    j->best = thought.stones[0];
    j->line_len = thought.line_len;
    memcpy(j->line, thought.line, sizeof j->line);
    return true;
}

static bool run(PoolTask *task, PoolSlot *slot)
{
    Review *r = (Review *)task;
    Buf spec = BUF_EMPTY;
    buf_printf(&spec, "ab:memory=%zu", r->hub->plan.memory);
    Player *player = pool_player(slot, buf_text(&spec), &r->err);
    buf_free(&spec);
    r->good = player != NULL;
    while (r->good && r->ply >= 0) {
        if (!judge(r, slot, player, &r->judged[r->ply])) return !r->good;
        if (r->ply < r->plies) post_move(r, r->ply + 1);
        if (r->ply == 0)
            post(r, json_pack("{s:s, s:s, s:i, s:f}", "on", "review", "review", r->id, "ply", 0,
                              "after", r->judged[0].value));
        if (r->ply > 0) board_undo(r->board);
        r->ply--;
    }
    return true;
}

static void finished(PoolTask *task)
{
    Review *r = (Review *)task;
    hub_post(r->hub, &r->parcel);
}

/* ---- on the hub's ---- */

static void send_posted(Review *r)
{
    Buf out;
    os_mutex_lock(r->mutex);
    out = r->out;
    r->out = BUF_EMPTY;
    os_mutex_unlock(r->mutex);
    for (size_t at = 0; at < out.len; at += strlen(out.data + at) + 1)
        client_send_text(r->client, out.data + at, strlen(out.data + at));
    buf_free(&out);
}

static json_t *json_marks(const int *marks)
{
    json_t *out = json_object();
    for (int m = MARK_INACCURACY; m < MARK_COUNT; m++)
        json_object_set_new(out, mark_names[m], json_integer(marks[m]));
    return out;
}

static double accuracy(const Review *r, Colour colour)
{
    return r->count[colour] ? 1 - r->loss[colour] / r->count[colour] : 1;
}

static void detach(Review *r)
{
    r->client->review = NULL;
    r->client = NULL;
}

static void arrives(Hub *hub, Parcel *parcel)
{
    Review *r = (Review *)((char *)parcel - offsetof(Review, parcel));
    (void)hub;
    if (r->client) {
        send_posted(r);
        json_t *end =
            json_pack("{s:s, s:s, s:s, s:s, s:{s:f, s:f}, s:{s:o, s:o}}", "on", "review", "review",
                      r->id, "state", "done", "reason", r->good ? "end" : "failed", "accuracy", "b",
                      accuracy(r, BLACK), "w", accuracy(r, WHITE), "marks", "b",
                      json_marks(r->marks[BLACK]), "w", json_marks(r->marks[WHITE]));
        if (!r->good) json_object_set_new(end, "detail", json_string(r->err.text));
        client_send(r->client, end);
        detach(r);
    }
    review_free(r);
}

static void end(Review *r, bool tell)
{
    if (tell)
        client_send(r->client, json_pack("{s:s, s:s, s:s, s:s}", "on", "review", "review", r->id,
                                         "state", "done", "reason", "stopped"));
    detach(r);
    if (!r->hub->pool || pool_cancel(r->hub->pool, &r->task)) review_free(r);
}

void review_forget(Client *client)
{
    if (client->review) end(client->review, false);
}

void review_tick(Client *client)
{
    if (client->review && client_keeps_up(client)) send_posted(client->review);
}

/* The moves that led to the board, which must have been played one by one. */
static Point *list_moves(Board *board, int *count)
{
    Board *walk = board_clone(board);
    int first = 0;
    Point *moves = mem_zero((size_t)(board->plies + 1) * sizeof *moves);
    for (int i = board->plies; i > 0 && !first; i--) {
        const Ply *ply = board_last(walk);
        /* Stones that were set up leave the turn where it was. */
        bool played = ply->side_before == ply->colour && walk->side != (Colour)ply->colour;
        if (!played) first = i;
        moves[i - 1] = ply->point;
        board_undo(walk);
    }
    board_close(walk);
    *count = board->plies - first;
    memmove(moves, moves + first, (size_t)*count * sizeof *moves);
    return moves;
}

static bool do_start(Client *client, Request *request, json_t *reply, Refusal *no)
{
    int64_t ms = REVIEW_MS;
    int plies = 0;
    if (!field_whole(request->body, "ms", 1, REVIEW_MAX_MS, &ms, no)) return false;
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    Point *moves = list_moves(board, &plies);
    if (!plies) {
        mem_free(moves);
        board_close(board);
        return refuse(no, "illegal", "There are no moves to review.");
    }
    if (client->review) end(client->review, true);
    Review *r = mem_zero(sizeof *r);
    *r = (Review){
        .task = {.client = client->number, .rank = POOL_LATER, .run = run, .finished = finished},
        .parcel = {.open = arrives},
        .hub = client->hub,
        .client = client,
        .board = board,
        .moves = moves,
        .plies = plies,
        .ply = plies,
        .ms = ms,
        .judged = mem_zero((size_t)(plies + 1) * sizeof(Judgement)),
        .mutex = os_mutex_open(),
    };
    snprintf(r->id, sizeof r->id, "r%lld", (long long)request->id);
    client->review = r;
    json_object_set_new(reply, "review", json_string(r->id));
    json_object_set_new(reply, "plies", json_integer(plies));
    client_reply(client, request->id, json_incref(reply)); /* before any of its events */
    request->later = true;
    pool_add(client->hub->pool, &r->task);
    return true;
}

static bool do_stop(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)request, (void)reply, (void)no;
    if (client->review) end(client->review, true);
    return true;
}

const Verb review_verbs[] = {{"review.start", do_start}, {"review.stop", do_stop}, {0}};
