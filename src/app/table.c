/* SPDX-License-Identifier: MIT */
#include "app/table.h"

#include "app/request.h"
#include "base/os.h"
#include "game/ban.h"
#include "game/sym.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRACE_MS = 1000 }; /* over its time; what a network and a busy machine may take */

void table_set_text(char **field, const char *text)
{
    char *copy = mem_text(text);
    mem_free(*field);
    *field = copy;
}

bool table_is_human(const TableGame *table, int seat)
{
    return strcmp(table->sides[seat].player, "human") == 0;
}

/* ---- the game that follows from the decisions ---- */

/* stones has room for the setup and is the caller's, as long as the plan is used. */
static GamePlan plan_of(const TableGame *table, RecordStone *stones)
{
    for (int i = 0; i < table->setup.count; i++)
        stones[i] = (RecordStone){table->setup.stones[i], table->setup.colours[i]};
    GamePlan plan = {.rules = table->rules,
                     .phase = table->phase,
                     .clock = table->clock,
                     .setup = stones,
                     .setup_count = table->setup.count,
                     .first = table->setup.side};
    plan.clock.grace_ms = GRACE_MS;
    return plan;
}

static void game_begin(TableGame *table)
{
    RecordStone *stones = mem_zero((size_t)(table->setup.count + 1) * sizeof *stones);
    GamePlan plan = plan_of(table, stones);
    game_open(&table->game, &plan);
    mem_free(stones);
}

static bool check_plan(const TableGame *table, Err *err)
{
    RecordStone *stones = mem_zero((size_t)(table->setup.count + 1) * sizeof *stones);
    GamePlan plan = plan_of(table, stones);
    bool good = game_check(&plan, err);
    mem_free(stones);
    return good;
}

static void thought_of(const Act *act, Thought *thought)
{
    *thought = (Thought){.decision = act->decision,
                         .stone_count = act->stone_count,
                         .has_value = act->has_value,
                         .value = (double)act->value,
                         .depth = act->depth,
                         .nodes = act->nodes};
    memcpy(thought->stones, act->stones, sizeof act->stones);
}

/* Keys of positions that are not known yet. */
static void renew_keys(TableGame *table, int from)
{
    const Game *game = &table->game;
    int n = table->setup.count + game->move_count;
    Point *stones = mem_zero((size_t)(n + 1) * sizeof *stones);
    uint8_t *colours = mem_zero((size_t)n + 1);
    for (int i = 0; i < table->setup.count; i++) {
        stones[i] = table->setup.stones[i];
        colours[i] = table->setup.colours[i];
    }
    for (int i = 0; i < game->move_count; i++) {
        stones[table->setup.count + i] = game->moves[i].point;
        colours[table->setup.count + i] = game->moves[i].colour;
    }
    for (int ply = from; ply <= game->move_count; ply++) {
        Colour side = ply < game->move_count ? (Colour)game->moves[ply].colour : game->board->side;
        table->keys[ply] = sym_key(&table->rules, stones, colours, table->setup.count + ply, side);
    }
    mem_free(stones);
    mem_free(colours);
}

bool table_open(TableGame *table, Err *err)
{
    if (!check_plan(table, err)) return false;
    size_t points = (size_t)(table->rules.width * table->rules.height);
    char **const texts[] = {&table->source, &table->name, &table->comment, &table->tags};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!*texts[i]) *texts[i] = mem_text("");
    }
    if (!table->notes) table->notes = json_object();
    if (!table->created[0]) os_date_text(table->created);
    if (!table->changed[0]) os_date_text(table->changed);
    table->keys = mem_zero((points + 2) * sizeof *table->keys);
    table->version = 1;
    game_begin(table);
    renew_keys(table, 0);
    return true;
}

void table_side_free(TableSide *side)
{
    mem_free(side->player);
    mem_free(side->name);
    mem_free(side->spec);
}

void table_close(TableGame *table)
{
    if (table->game.board) game_close(&table->game);
    for (int seat = 0; seat < SEAT_COUNT; seat++) table_side_free(&table->sides[seat]);
    position_free(&table->setup);
    json_decref(table->notes);
    mem_free(table->source);
    mem_free(table->name);
    mem_free(table->comment);
    mem_free(table->tags);
    mem_free(table->acts);
    mem_free(table->keys);
    *table = (TableGame){0};
}

void table_act(TableGame *table, const Thought *thought, int64_t elapsed_ms)
{
    Game *game = &table->game;
    int before = game->move_count, seat = game->seat;
    game_act(game, thought, elapsed_ms);
    table->version++;
    renew_keys(table, before);
    if (game->over && game->move_count == before) { /* too late, or not what was asked for */
        TableEnding *ending = &table->ending;
        *ending = (TableEnding){true, 1 - game->winner, game->reason, ""};
        memcpy(ending->detail, game->detail, sizeof ending->detail);
        return;
    }
    if (table->act_count == table->act_room) {
        table->act_room = 2 * table->act_room + 16;
        table->acts = mem_grow(table->acts, (size_t)table->act_room * sizeof *table->acts);
    }
    Act *act = &table->acts[table->act_count++];
    *act = (Act){.decision = thought->decision,
                 .stone_count = thought->stone_count,
                 .seat = seat,
                 .elapsed_ms = elapsed_ms,
                 .has_value = thought->has_value && thought->decision == DECIDE_MOVE,
                 .value = (float)thought->value,
                 .depth = thought->depth,
                 .nodes = thought->nodes};
    memcpy(act->stones, thought->stones, sizeof act->stones);
    table->act_total = table->act_count;
}

void table_end(TableGame *table, int loser, RecordReason reason, const char *detail)
{
    TableEnding *ending = &table->ending;
    *ending = (TableEnding){true, loser, reason, ""};
    snprintf(ending->detail, sizeof ending->detail, "%s", detail);
    if (loser < 0) {
        game_draw(&table->game, reason, ending->detail);
    } else {
        game_lose(&table->game, loser, reason, ending->detail);
    }
    table->version++;
}

void table_go_to(TableGame *table, int count)
{
    Game *game = &table->game;
    int before = game->move_count;
    assert(count >= 0 && count <= table->act_total);
    game_close(game);
    game_begin(table);
    table->ending.set = false;
    table->act_count = 0;
    while (table->act_count < count && !game->over) {
        Thought thought;
        const Act *act = &table->acts[table->act_count++];
        thought_of(act, &thought);
        game_act(game, &thought, act->elapsed_ms);
    }
    table->version++;
    int same = before < game->move_count ? before : game->move_count;
    renew_keys(table, 0);
    if (table->key_count > same + 1) table->key_count = same + 1;
}

Board *table_board(const TableGame *table, int ply, Near near)
{
    Board *board = board_open(&table->rules, near);
    for (int i = 0; i < table->setup.count; i++)
        board_put(board, table->setup.stones[i], (Colour)table->setup.colours[i]);
    if (table->setup.count) board_set_side(board, table->setup.side);
    for (int i = 0; i < ply && i < table->game.move_count; i++)
        board_play(board, table->game.moves[i].point);
    return board;
}

/* ---- as the protocol has it ---- */

static json_t *json_move(const TableGame *table, int number)
{
    const GameMove *move = &table->game.moves[number];
    char key[16];
    json_t *out = json_object();
    json_object_set_new(out, "p", json_point(&table->rules, move->point));
    json_object_set_new(out, "c", json_colour((Colour)move->colour));
    json_object_set_new(out, "seat",
                        move->seat == SEAT_NOBODY ? json_null() : json_integer(move->seat));
    if (move->seat != SEAT_NOBODY) json_object_set_new(out, "ms", json_integer(move->elapsed_ms));
    if (table->clock.match_ms) json_object_set_new(out, "left_ms", json_integer(move->clock_ms));
    if (move->has_value) json_object_set_new(out, "value", json_real((double)move->value));
    if (move->depth) json_object_set_new(out, "depth", json_integer(move->depth));
    if (move->nodes) json_object_set_new(out, "nodes", json_integer(move->nodes));
    snprintf(key, sizeof key, "%d", number + 1);
    json_t *note = json_object_get(table->notes, key);
    if (note) json_object_set(out, "comment", note);
    return out;
}

json_t *table_json_tags(const char *tags)
{
    json_t *list = json_array();
    for (const char *at = tags; *at;) {
        size_t len = strcspn(at, "\n");
        if (len) json_array_append_new(list, json_stringn(at, len));
        at += len + (at[len] != '\0');
    }
    return list;
}

static json_t *json_over(const Game *game)
{
    if (!game->over) return json_null();
    json_t *out = json_object();
    bool won = game->winner >= 0;
    json_object_set_new(out, "winner", won ? json_integer(game->winner) : json_null());
    json_object_set_new(out, "colour", won ? json_colour(game->colour[game->winner]) : json_null());
    json_object_set_new(out, "reason", json_string(record_reason_name(game->reason)));
    json_object_set_new(out, "detail", json_string(game->detail));
    return out;
}

static json_t *json_row(const TableGame *table)
{
    Point row[SIZE_MAX_SIDE];
    const Board *board = table->game.board;
    int n = board->won != CELL_EMPTY ? board_winning_row(board, board_last_point(board), row) : 0;
    return json_points(&table->rules, row, n);
}

static json_t *json_forbidden(const TableGame *table)
{
    const Game *game = &table->game;
    const Board *board = game->board;
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    if (game->over) return json_array();
    int n = board->rules.side[board->side].fouls ? ban_list(board, points) : 0;
    json_t *list = json_points(&table->rules, points, n);
    for (int i = 0; i < game->blocked_count; i++) {
        if (board_is_empty(board, game->blocked[i]))
            json_array_append_new(list, json_point(&table->rules, game->blocked[i]));
    }
    return list;
}

static json_t *json_setup(const TableGame *table)
{
    Buf text = BUF_EMPTY;
    if (!table->setup.count) return json_null();
    position_write(&table->rules, &table->setup, &text);
    json_t *out = json_pack("{s:s, s:o}", "position", buf_text(&text), "side",
                            json_colour(table->setup.side));
    buf_free(&text);
    return out;
}

static json_t *json_side(const TableSide *side)
{
    return json_pack("{s:s, s:s}", "player", side->player, "name", side->name);
}

json_t *table_json(const TableGame *table, int from)
{
    const Game *game = &table->game;
    json_t *moves = json_array();
    for (int i = from; i < game->move_count; i++) json_array_append_new(moves, json_move(table, i));
    json_t *out = json_pack(
        "{s:s, s:I, s:s, s:s, s:o, s:s, s:s, s:o, s:s, s:o, s:[o, o], s:[o, o], s:{s:I, s:I, s:I},"
        " s:I, s:I, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o}",
        "game", table->id, "version", (json_int_t)table->version, "name", table->name, "comment",
        table->comment, "tags", table_json_tags(table->tags), "created", table->created, "changed",
        table->changed, "rules", json_rules(&table->rules), "phase", phase_name(table->phase),
        "setup", json_setup(table), "sides", json_side(&table->sides[0]),
        json_side(&table->sides[1]), "colours", json_colour(game->colour[0]),
        json_colour(game->colour[1]), "clock", "match_ms", (json_int_t)table->clock.match_ms,
        "turn_ms", (json_int_t)table->clock.turn_ms, "increment_ms",
        (json_int_t)table->clock.increment_ms, "think_ms", (json_int_t)table->think_ms, "delay_ms",
        (json_int_t)table->delay_ms, "from", from, "moves", moves, "plies", game->move_count,
        "undo", table->act_count, "redo", table->act_total - table->act_count, "row",
        json_row(table), "forbidden", json_forbidden(table), "over", json_over(game));
    json_object_set_new(out, "source", json_string(table->source));
    if (table->clock.match_ms) {
        json_object_set_new(
            out, "left_ms",
            json_pack("[I, I]", (json_int_t)game->left_ms[0], (json_int_t)game->left_ms[1]));
    }
    return out;
}
