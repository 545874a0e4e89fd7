/* SPDX-License-Identifier: MIT */
/* Requests about games as a whole: begun, opened, branched off, named, commented on. */
#include "app/hub_games.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum {
    THINK_MS = 3000,
    DELAY_MAX_MS = 60000,
    CLOCK_MAX_MS = 100 * 3600 * 1000,
    TAGS_MAX = 20,
    NOTES_MAX = 200000
};

static bool read_clock(const json_t *body, ClockPlan *clock, Refusal *no)
{
    json_t *given = NULL;
    if (!field_object(body, "clock", &given, no) ||
        !field_whole(given, "match_ms", 0, CLOCK_MAX_MS, &clock->match_ms, no) ||
        !field_whole(given, "turn_ms", 0, CLOCK_MAX_MS, &clock->turn_ms, no) ||
        !field_whole(given, "increment_ms", 0, CLOCK_MAX_MS, &clock->increment_ms, no))
        return false;
    if (clock->increment_ms && !clock->match_ms)
        return refuse(no, "bad", "A gain for each move needs time for the game, too.");
    return true;
}

static bool read_phase(const json_t *body, Phase *phase, Refusal *no)
{
    const char *name = "normal";
    if (!field_text(body, "phase", 20, &name, no)) return false;
    for (int i = 0; i < PHASE_COUNT; i++) {
        if (strcmp(phase_name((Phase)i), name) != 0) continue;
        *phase = (Phase)i;
        return true;
    }
    return refuse(no, "bad", "There is no opening phase \"%s\"; there are %s.", name,
                  PHASE_CHOICES);
}

static bool read_tags(const json_t *body, char **tags, Refusal *no)
{
    json_t *list = NULL;
    if (!field_array(body, "tags", TAGS_MAX, &list, no)) return false;
    if (!list) return true;
    Buf out = BUF_EMPTY;
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        good = tag && *tag && strlen(tag) <= TEXT_MAX_NAME && !strchr(tag, '\n');
        if (good) buf_printf(&out, "\n%s\n", tag);
    }
    if (good) table_set_text(tags, buf_text(&out));
    buf_free(&out);
    return good || refuse(no, "bad", "\"tags\" must be short words.");
}

/* Moves in order are played; stones without an order are set up. */
static bool begin_with(TableGame *at, Position *start, Refusal *no)
{
    bool moves = start->count && start->ordered;
    if (!moves) {
        at->setup = *start;
        *start = (Position){0};
    } else if (at->phase != PHASE_NORMAL) {
        return refuse(no, "bad", "A game from a position has no opening phase.");
    }
    if (!table_open(at, &no->err)) return refuse_so(no, "bad");
    for (int i = 0; moves && i < start->count; i++) {
        Thought thought = {0};
        char text[POINT_TEXT_MAX];
        if (at->game.over) return refuse(no, "illegal", "The moves go on after the game's end.");
        thought_set_move(&thought, start->stones[i]);
        table_act(at, &thought, 0);
        if (at->game.over && at->game.reason == REASON_FOUL)
            return refuse(no, "forbidden", "%s is forbidden to Black.",
                          point_text(&at->rules, start->stones[i], text));
    }
    return true;
}

static bool read_new(Client *client, TableGame *at, const json_t *body, Refusal *no)
{
    Hub *hub = client->hub;
    json_t *setup = NULL;
    const char *name = "";
    Position start = {0};
    hub_new_id(at->id);
    memcpy(at->owner, client->token, TOKEN_MAX);
    at->think_ms = THINK_MS < hub->plan.think_ms ? THINK_MS : hub->plan.think_ms;
    bool good = field_rules(body, &at->rules, no) && read_phase(body, &at->phase, no) &&
                games_read_sides(hub, at->sides, body, no) && read_clock(body, &at->clock, no) &&
                field_whole(body, "think_ms", 10, hub->plan.think_ms, &at->think_ms, no) &&
                field_whole(body, "delay_ms", 0, DELAY_MAX_MS, &at->delay_ms, no) &&
                field_text(body, "name", TEXT_MAX_NAME, &name, no) &&
                read_tags(body, &at->tags, no) && field_object(body, "setup", &setup, no) &&
                (!setup || field_position(setup, &at->rules, &start, no));
    if (good) {
        table_set_text(&at->name, name);
        table_set_text(&at->source, "board");
        good = begin_with(at, &start, no);
    }
    position_free(&start);
    return good;
}

/* A table that is ready to be shown for the first time. */
static bool put_on_show(Table *table, Client *client, json_t *reply, Refusal *no)
{
    games_enter(table);
    bool good = table_save(&table->at, table->hub->library, &no->err) || refuse_so(no, "failed");
    good = good && games_watch(table, client, no);
    if (good) json_object_set_new(reply, "game", games_json(table, 0));
    games_release(table);
    return good;
}

static bool do_new(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Table *table = games_new_table(client->hub);
    if (!field_bool(request->body, "paused", &table->at.paused, no) ||
        !read_new(client, &table->at, request->body, no)) {
        games_drop(table);
        return false;
    }
    return put_on_show(table, client, reply, no);
}

static bool do_open(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Table *table = games_asked(client, request->body, no);
    if (!table) return false;
    bool good = games_watch(table, client, no);
    if (good) json_object_set_new(reply, "game", games_json(table, 0));
    games_release(table);
    return good;
}

static bool do_close(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)reply;
    Table *table = games_asked(client, request->body, no);
    if (!table) return false;
    if (games_is_watched(table, client)) {
        games_unwatch(table, client);
    } else {
        games_release(table);
    }
    return true;
}

static bool do_branch(Client *client, Request *request, json_t *reply, Refusal *no)
{
    int64_t ply = 0;
    Table *from = games_asked(client, request->body, no);
    if (!from) return false;
    ply = from->at.game.move_count;
    bool good = field_whole(request->body, "ply", 0, ply, &ply, no);
    Table *table = good ? games_new_table(client->hub) : NULL;
    if (good) {
        TableGame *at = &table->at;
        bool found = false;
        good = table_load(at, from->at.id, client->hub->library, &found, &no->err) ||
               refuse_so(no, "failed");
        good = good && (found || refuse(no, "missing", "There is no such game any more."));
        int count = 0;
        for (int moves = 0; good && count < at->act_count; count++) {
            moves += at->acts[count].decision == DECIDE_SWAP ? 0 : at->acts[count].stone_count;
            if (moves > ply) break;
        }
        if (good) {
            table_go_to(at, count);
            at->act_total = at->act_count;
            at->key_count = 0;
            at->version = 1;
            hub_new_id(at->id);
            memcpy(at->owner, client->token, TOKEN_MAX);
            os_date_text(at->created);
            games_find_specs(table);
            at->paused = !table_is_human(at, at->game.seat);
            at->spent_ms = 0;
        }
    }
    games_release(from);
    if (good) return put_on_show(table, client, reply, no);
    if (table) games_drop(table);
    return false;
}

static bool do_set(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    TableGame *at = &table->at;
    const char *name = at->name, *comment = at->comment;
    bool good = field_text(body, "name", TEXT_MAX_NAME, &name, no) &&
                field_text(body, "comment", TEXT_MAX_COMMENT, &comment, no) &&
                field_whole(body, "think_ms", 10, table->hub->plan.think_ms, &at->think_ms, no) &&
                field_whole(body, "delay_ms", 0, DELAY_MAX_MS, &at->delay_ms, no) &&
                read_tags(body, &at->tags, no);
    if (good && json_object_get(body, "sides")) {
        turns_stop(table);
        good = games_read_sides(table->hub, at->sides, body, no);
    }
    if (!good) return false;
    if (name != at->name) table_set_text(&at->name, name);
    if (comment != at->comment) table_set_text(&at->comment, comment);
    at->version++;
    return games_settle(table, at->game.move_count, reply, no);
}

/* They are written down with every change of the game. */
static size_t notes_bytes(json_t *notes)
{
    const char *key;
    json_t *note;
    size_t bytes = 0;
    json_object_foreach(notes, key, note) bytes += json_string_length(note);
    return bytes;
}

static bool do_comment(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    const char *text = NULL;
    int64_t ply = 0;
    char key[16];
    TableGame *at = &table->at;
    bool good = field_needs_text(body, "text", TEXT_MAX_COMMENT, &text, no) &&
                field_whole(body, "ply", 1, SIZE_MAX_SIDE * SIZE_MAX_SIDE, &ply, no);
    if (good && (ply < 1 || ply > at->game.move_count))
        good = refuse(no, "missing", "There is no move of that number.");
    if (good && notes_bytes(at->notes) + strlen(text) > NOTES_MAX && *text)
        good = refuse(no, "limit", "The comments of one game may have %d bytes in all.", NOTES_MAX);
    if (!good) return false;
    snprintf(key, sizeof key, "%d", (int)ply);
    if (*text) {
        json_object_set_new(at->notes, key, json_string(text));
    } else {
        json_object_del(at->notes, key);
    }
    at->version++;
    return games_settle(table, (int)ply - 1, reply, no);
}

const Verb game_verbs[] = {
    {"game.new", do_new},
    {"game.open", do_open},
    {"game.close", do_close},
    {"game.branch", do_branch},
    {0},
};

const TableVerb change_verbs[] = {{"game.set", do_set}, {"game.comment", do_comment}, {0}};
