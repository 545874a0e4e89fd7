/* SPDX-License-Identifier: MIT */
/* Tables that pages have open: found or loaded, watched, written down with every change. */
#include "app/hub_games.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static Table **bucket_of(Hub *hub, const char *id)
{
    unsigned hash = 0;
    for (const char *c = id; *c; c++) hash = hash * 31 + (unsigned char)*c;
    return &hub->tables[hash % TABLE_BUCKETS];
}

Table *games_new_table(Hub *hub)
{
    Table *table = mem_zero(sizeof *table);
    table->hub = hub;
    table->moved_ms = hub->now_ms;
    return table;
}

void games_enter(Table *table)
{
    Table **bucket = bucket_of(table->hub, table->at.id);
    table->next = *bucket;
    *bucket = table;
}

void games_drop(Table *table)
{
    turns_stop(table);
    table_close(&table->at);
    mem_free(table->watchers);
    mem_free(table);
}

void games_release(Table *table)
{
    if (table->watcher_count) return;
    Table **at = bucket_of(table->hub, table->at.id);
    while (*at && *at != table) at = &(*at)->next;
    if (*at) *at = table->next;
    games_drop(table);
}

void games_close(Hub *hub)
{
    for (int i = 0; i < TABLE_BUCKETS; i++) {
        while (hub->tables[i]) {
            Table *table = hub->tables[i];
            hub->tables[i] = table->next;
            games_drop(table);
        }
    }
}

void games_tick(Hub *hub)
{
    for (int i = 0; i < TABLE_BUCKETS; i++) {
        for (Table *table = hub->tables[i], *next; table; table = next) {
            next = table->next;
            turns_tick(table);
        }
    }
}

/* ---- sides ---- */

static bool set_side(Hub *hub, TableSide *side, const char *player, const char *name, Refusal *no)
{
    Buf spec = BUF_EMPTY;
    bool human = strcmp(player, "human") == 0;
    bool good = human || hub_check_player(hub, player, &spec, no);
    if (good) {
        table_set_text(&side->player, player);
        table_set_text(&side->name, name);
        mem_free(side->spec);
        side->spec = human ? NULL : mem_text(buf_text(&spec));
    }
    buf_free(&spec);
    return good;
}

bool games_read_sides(Hub *hub, TableSide sides[SEAT_COUNT], const json_t *body, Refusal *no)
{
    json_t *list = NULL;
    if (!field_array(body, "sides", SEAT_COUNT, &list, no)) return false;
    TableSide fresh[SEAT_COUNT] = {0};
    bool good = true;
    for (int seat = 0; good && seat < SEAT_COUNT; seat++) {
        const json_t *entry = list ? json_array_get(list, (size_t)seat) : NULL;
        const char *player = "human", *name = "";
        if (entry && !json_is_object(entry))
            good = refuse(no, "bad", "\"sides\" must be a list of two objects.");
        good = good && field_text(entry, "player", 1000, &player, no) &&
               field_text(entry, "name", TEXT_MAX_NAME, &name, no) &&
               set_side(hub, &fresh[seat], player, name, no);
    }
    for (int seat = 0; seat < SEAT_COUNT; seat++) {
        TableSide before = sides[seat];
        if (good) sides[seat] = fresh[seat];
        table_side_free(good ? &before : &fresh[seat]);
    }
    return good;
}

void games_find_specs(Table *table)
{
    for (int seat = 0; seat < SEAT_COUNT; seat++) {
        TableSide *side = &table->at.sides[seat];
        Refusal no;
        if (table_is_human(&table->at, seat)) continue;
        char *player = mem_text(side->player), *name = mem_text(side->name);
        if (!set_side(table->hub, side, player, name, &no))
            set_side(table->hub, side, "human", name, &no);
        mem_free(player);
        mem_free(name);
    }
}

Table *games_find(Hub *hub, const char *id, Refusal *no)
{
    for (Table *table = *bucket_of(hub, id); table; table = table->next) {
        if (strcmp(table->at.id, id) == 0) return table;
    }
    Table *table = games_new_table(hub);
    bool found = false;
    if (!table_load(&table->at, id, hub->library, &found, &no->err)) {
        mem_free(table);
        refuse_so(no, "failed");
        return NULL;
    }
    if (!found) {
        mem_free(table);
        refuse(no, "missing", "There is no such game any more.");
        return NULL;
    }
    games_find_specs(table);
    games_enter(table);
    return table;
}

/* ---- who watches ---- */

bool games_is_watched(const Table *table, const Client *client)
{
    for (int i = 0; i < table->watcher_count; i++) {
        if (table->watchers[i] == client) return true;
    }
    return false;
}

/* A table takes room by the size of its board: some megabytes at 100x100. */
enum { OPEN_POINTS_MAX = 200000 };

static int points_of(const Table *table)
{
    return table->at.rules.width * table->at.rules.height;
}

bool games_watch(Table *table, Client *client, Refusal *no)
{
    if (games_is_watched(table, client)) return true;
    if (client->games >= client->hub->plan.games)
        return refuse(no, "limit", "You have %d games open; please close one first.",
                      client->games);
    if (client->points + points_of(table) > OPEN_POINTS_MAX)
        return refuse(no, "limit", "You have large boards open; please close one first.");
    if (table->watcher_count == table->watcher_room) {
        table->watcher_room = 2 * table->watcher_room + 2;
        table->watchers =
            mem_grow(table->watchers, (size_t)table->watcher_room * sizeof *table->watchers);
    }
    table->watchers[table->watcher_count++] = client;
    client->games++;
    client->points += points_of(table);
    turns_start(table);
    return true;
}

/* Without anybody left the game waits. */
void games_unwatch(Table *table, Client *client)
{
    for (int i = 0; i < table->watcher_count; i++) {
        if (table->watchers[i] != client) continue;
        table->watchers[i] = table->watchers[--table->watcher_count];
        client->games--;
        client->points -= points_of(table);
        if (!table->watcher_count) turns_stop(table);
        games_release(table);
        return;
    }
}

void games_forget(Client *client)
{
    for (int i = 0; client->games && i < TABLE_BUCKETS; i++) {
        for (Table *table = client->hub->tables[i], *next; table; table = next) {
            next = table->next;
            games_unwatch(table, client);
        }
    }
}

json_t *games_json(const Table *table, int from)
{
    static const char *const asks[] = {"move", "three", "colour", "colour_or_two"};
    const Game *game = &table->at.game;
    json_t *out = table_json(&table->at, from), *turn = json_null();
    int ahead = 0;
    if (!game->over) {
        bool thinking = turns_are_thinking(table, &ahead);
        turn = json_pack("{s:i, s:o, s:s, s:b, s:i, s:I}", "seat", game->seat, "colour",
                         json_colour(game->settled ? game->colour[game->seat] : game->board->side),
                         "ask", asks[game->ask], "thinking", (int)thinking, "queued", ahead,
                         "spent_ms", (json_int_t)turns_spent(table));
    }
    json_object_set_new(out, "turn", turn);
    json_object_set_new(out, "paused", json_boolean(table->at.paused));
    return out;
}

static void tell_all(Table *table, int from)
{
    if (!table->watcher_count) return;
    json_t *event = games_json(table, from);
    json_object_set_new(event, "on", json_string("game"));
    char *text = json_dumps(event, JSON_COMPACT);
    for (int i = 0; text && i < table->watcher_count; i++)
        client_send_text(table->watchers[i], text, strlen(text));
    free(text);
    json_decref(event);
}

bool games_changed(Table *table, int from, Refusal *no)
{
    if (!table_save(&table->at, table->hub->library, &no->err)) {
        hub_log(table->hub, "error", json_pack("{s:s}", "error", no->err.text));
        return refuse_so(no, "failed");
    }
    tell_all(table, from);
    return true;
}

void games_gone(Hub *hub, const char *id)
{
    Table *table = *bucket_of(hub, id);
    while (table && strcmp(table->at.id, id) != 0) table = table->next;
    if (!table) return;
    for (int i = 0; i < table->watcher_count; i++) {
        Client *client = table->watchers[i];
        client->games--;
        client->points -= points_of(table);
        client_send(client, json_pack("{s:s, s:s}", "on", "game.gone", "game", id));
    }
    table->watcher_count = 0;
    games_release(table);
}

/* ---- what requests have in common ---- */

Table *games_asked(Client *client, const json_t *body, Refusal *no)
{
    const char *id = NULL;
    int64_t version = 0;
    if (!field_needs_text(body, "game", TOKEN_MAX, &id, no) ||
        !field_whole(body, "version", 1, INT64_MAX, &version, no))
        return NULL;
    Table *table = games_find(client->hub, id, no);
    if (!table) return NULL;
    if (version && version != table->at.version) {
        refuse(no, "stale", "The game has changed meanwhile.");
        games_release(table);
        return NULL;
    }
    return table;
}

bool games_settle(Table *table, int from, json_t *reply, Refusal *no)
{
    turns_start(table);
    bool good = games_changed(table, from, no);
    if (good) json_object_set_new(reply, "game", games_json(table, 0));
    return good;
}

bool games_answer(TableHandler *handle, Client *client, const json_t *body, json_t *reply,
                  Refusal *no)
{
    Table *table = games_asked(client, body, no);
    if (!table) return false;
    bool good = handle(table, body, reply, no);
    games_release(table);
    return good;
}
