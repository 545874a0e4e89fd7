/* SPDX-License-Identifier: MIT */
/* Whose turn it is at a table: clocks that run, players that think. A player's decision is made in
 * a slot of the pool, on a copy of the board, and comes back as a parcel; if the table has changed
 * meanwhile, nobody wants it any more. */
#include "app/hub_games.h"

#include "base/mem.h"

#include <string.h>

struct Thinking {
    PoolTask task;
    Parcel parcel;
    Hub *hub;
    Table *table; /* NULL: nobody wants the answer */
    char *spec;
    Ask ask;
    Board *board;
    Limits limits;
    Point *blocked;
    uint64_t seed;
    Thought thought;
    Err err;
    bool good, arrived; /* arrived: it waits to be shown */
    int told_ahead;     /* how many pages were last told that it waits for */
    int64_t elapsed_ms;
};

/* ---- thinking ---- */

static void thinking_free(Thinking *thinking)
{
    board_close(thinking->board);
    mem_free(thinking->blocked);
    mem_free(thinking->spec);
    mem_free(thinking);
}

static bool think(PoolTask *task, PoolSlot *slot)
{
    Thinking *t = (Thinking *)task;
    int64_t began = os_clock_ms();
    Player *player = pool_player(slot, t->spec, &t->err);
    t->good = player &&
              pool_think(slot, player, t->ask, t->board, &t->limits, t->seed, &t->thought, &t->err);
    t->thought.best = NULL; /* the player's, and he may go */
    t->elapsed_ms = os_clock_ms() - began;
    return true;
}

static void thought_done(PoolTask *task)
{
    Thinking *t = (Thinking *)task;
    hub_post(t->hub, &t->parcel);
}

/* A busy machine may have taken longer than the player's time; that is not his fault. */
static int64_t fair_time(const Thinking *t)
{
    int64_t most = INT64_MAX;
    if (t->limits.turn_ms) most = t->limits.turn_ms;
    if (t->limits.left_ms && t->limits.left_ms < most) most = t->limits.left_ms;
    return t->elapsed_ms < most ? t->elapsed_ms : most;
}

/* The decision is made known. */
static void show(Table *table)
{
    Thinking *t = table->thinking;
    int from = table->at.game.move_count;
    Refusal no;
    table->thinking = NULL;
    if (t->good) {
        table_act(&table->at, &t->thought, fair_time(t));
    } else {
        table_end(&table->at, table->at.game.seat, REASON_CRASH, t->err.text);
    }
    thinking_free(t);
    turns_reset(table);
    turns_start(table);
    if (!games_changed(table, from, &no)) {
        table->at.paused = true; /* the disk is full, say: no use in going on */
        turns_stop(table);
        for (int i = 0; i < table->watcher_count; i++) client_refuse(table->watchers[i], 0, &no);
    }
}

static void thought_arrives(Hub *hub, Parcel *parcel)
{
    Thinking *t = (Thinking *)((char *)parcel - offsetof(Thinking, parcel));
    Table *table = t->table;
    if (!table) {
        thinking_free(t);
        return;
    }
    t->arrived = true;
    if (hub->now_ms >= table->moved_ms + table->at.delay_ms) show(table);
}

static void ask_player(Table *table)
{
    const Game *game = &table->at.game;
    const TableSide *side = &table->at.sides[game->seat];
    Thinking *t = mem_zero(sizeof *t);
    int64_t most = table->hub->plan.think_ms;
    *t = (Thinking){
        .task = {.rank = POOL_SOON, .run = think, .finished = thought_done},
        .parcel = {.open = thought_arrives},
        .hub = table->hub,
        .table = table,
        .spec = mem_text(side->spec),
        .ask = game->ask,
        .board = board_clone(game->board),
        .seed = (uint64_t)os_clock_ns(),
    };
    t->task.client = table->watcher_count ? table->watchers[0]->number : 0;
    game_limits(game, &t->limits);
    t->blocked = mem_copy(game->blocked, (size_t)(game->blocked_count + 1) * sizeof *t->blocked);
    t->limits.blocked = t->blocked;
    if (!t->limits.turn_ms && !t->limits.left_ms) t->limits.turn_ms = table->at.think_ms;
    if (!t->limits.turn_ms || t->limits.turn_ms > most) t->limits.turn_ms = most;
    table->thinking = t;
    pool_add(table->hub->pool, &t->task);
}

static void drop_thinking(Table *table)
{
    Thinking *t = table->thinking;
    if (!t) return;
    table->thinking = NULL;
    t->table = NULL;
    bool idle = t->arrived || !table->hub->pool || pool_cancel(table->hub->pool, &t->task);
    if (idle) thinking_free(t);
}

/* ---- turns ---- */

void turns_start(Table *table)
{
    const Game *game = &table->at.game;
    if (game->over || table->at.paused || !table->watcher_count || !table->hub->pool) return;
    bool human = table_is_human(&table->at, game->seat);
    if (human && !table->running) {
        table->running = true;
        table->began_ms = table->hub->now_ms;
    }
    if (!human && !table->thinking) ask_player(table);
}

void turns_stop(Table *table)
{
    if (table->running) table->at.spent_ms += table->hub->now_ms - table->began_ms;
    table->running = false;
    drop_thinking(table);
}

void turns_reset(Table *table)
{
    drop_thinking(table);
    table->running = false;
    table->at.spent_ms = 0;
    table->moved_ms = table->hub->now_ms;
}

int64_t turns_spent(const Table *table)
{
    return table->at.spent_ms + (table->running ? table->hub->now_ms - table->began_ms : 0);
}

bool turns_are_thinking(const Table *table, int *ahead)
{
    *ahead = table->thinking && !table->thinking->arrived
                 ? pool_ahead(table->hub->pool, &table->thinking->task)
                 : 0;
    if (table->thinking) table->thinking->told_ahead = *ahead;
    return table->thinking != NULL;
}

void turns_hurry(Table *table)
{
    if (!table->thinking) return;
    table->moved_ms = table->hub->now_ms - table->at.delay_ms;
    if (table->thinking->arrived) {
        show(table);
    } else {
        pool_hurry(table->hub->pool, &table->thinking->task);
    }
}

/* Has the human who is to move run out of time? */
static bool is_late(const Table *table)
{
    const Game *game = &table->at.game;
    const ClockPlan *clock = &game->plan.clock;
    int64_t allowed = INT64_MAX, spent = turns_spent(table);
    if (!table->running) return false;
    if (clock->turn_ms) allowed = clock->turn_ms;
    if (clock->match_ms && game->left_ms[game->seat] < allowed) allowed = game->left_ms[game->seat];
    return allowed < INT64_MAX && spent > allowed + clock->grace_ms;
}

/* Who waits for an engine sees how the line grows shorter. */
static void tell_line(Table *table)
{
    const Thinking *t = table->thinking;
    Refusal no;
    if (!t || !t->told_ahead || t->arrived) return;
    if (pool_ahead(table->hub->pool, &t->task) == t->told_ahead) return;
    table->at.version++;
    games_changed(table, table->at.game.move_count, &no);
}

void turns_tick(Table *table)
{
    Game *game = &table->at.game;
    Refusal no;
    tell_line(table);
    if (table->thinking && table->thinking->arrived &&
        table->hub->now_ms >= table->moved_ms + table->at.delay_ms) {
        show(table);
    } else if (!game->over && is_late(table)) {
        table_end(&table->at, game->seat, REASON_TIME, "the time is up");
        turns_reset(table);
        games_changed(table, game->move_count, &no);
    }
}
