/* SPDX-License-Identifier: MIT */
/* Requests that move a game on, back or to its end. They go: check, change, write down, tell all
 * who watch, reply. */
#include "app/hub_games.h"

#include "game/ban.h"

#include <string.h>

/* ---- decisions ---- */

static bool check_turn(const Table *table, Refusal *no)
{
    const Game *game = &table->at.game;
    if (game->over) return refuse(no, "illegal", "The game is over.");
    if (!table_is_human(&table->at, game->seat))
        return refuse(no, "illegal", "It is not your turn.");
    if (table->at.paused) return refuse(no, "illegal", "The game is paused.");
    return true;
}

static bool check_point(const Game *game, const Board *board, Point p, Refusal *no)
{
    char text[POINT_TEXT_MAX];
    point_text(&board->rules, p, text);
    if (!board_is_empty(board, p)) return refuse(no, "illegal", "%s is taken.", text);
    for (int i = 0; i < game->blocked_count; i++) {
        if (game->blocked[i] != p) continue;
        no->why = "centre";
        return refuse(no, "forbidden", "%s is too near to the centre for Black's second stone.",
                      text);
    }
    Ban ban = board->side == BLACK ? ban_at(board, p) : BAN_NONE;
    if (ban == BAN_NONE) return true;
    no->why = ban_name(ban);
    return refuse(no, "forbidden", "%s is forbidden to Black: %s %s.", text,
                  ban == BAN_OVERLINE ? "an" : "a", ban_name(ban));
}

/* Checked, played, written, told. */
static bool decide(Table *table, const Thought *thought, json_t *reply, Refusal *no)
{
    int from = table->at.game.move_count, count = table->at.act_count;
    table_act(&table->at, thought, turns_spent(table));
    turns_reset(table);
    turns_start(table);
    bool good = games_changed(table, from, no);
    if (good) {
        json_object_set_new(reply, "version", json_integer(table->at.version));
    } else {
        turns_reset(table);
        table_go_to(&table->at, count);
        table->at.paused = true;
    }
    return good;
}

static bool do_move(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    Thought thought = {0};
    Point p = POINT_NONE;
    const Game *game = &table->at.game;
    bool good = field_point(body, "point", &table->at.rules, &p, no) && check_turn(table, no);
    if (good && game->ask == ASK_THREE)
        good = refuse(no, "illegal", "Three stones are wanted first, Black's first.");
    good = good && check_point(game, game->board, p, no);
    if (good) {
        thought_set_move(&thought, p);
        good = decide(table, &thought, reply, no);
    }
    return good;
}

static bool check_stones(const Game *game, const Thought *thought, Refusal *no)
{
    int wanted = ask_stones(game->ask);
    if (!wanted) return refuse(no, "illegal", "No stones of an opening are wanted now.");
    if (thought->stone_count != wanted)
        return refuse(no, "illegal", "%d stones are wanted, not %d.", wanted, thought->stone_count);
    Board *board = board_clone(game->board);
    bool good = true;
    for (int i = 0; good && i < wanted; i++) {
        good = check_point(game, board, thought->stones[i], no);
        if (good) board_play(board, thought->stones[i]);
    }
    board_close(board);
    return good;
}

static bool do_stones(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    Thought thought = {.decision = DECIDE_STONES};
    bool good = field_points(body, "points", &table->at.rules, thought.stones, THOUGHT_STONES_MAX,
                             &thought.stone_count, no) &&
                check_turn(table, no) && check_stones(&table->at.game, &thought, no) &&
                decide(table, &thought, reply, no);
    return good;
}

static bool do_swap(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    (void)body;
    Thought thought = {.decision = DECIDE_SWAP};
    bool good = check_turn(table, no);
    if (good && !ask_is_colour(table->at.game.ask))
        good = refuse(no, "illegal", "There is no colour to choose now.");
    good = good && decide(table, &thought, reply, no);
    return good;
}

/* ---- back and forth ---- */

/* So that so many decisions stand. Where a player would go on at once and spoil what can be put
 * back, the game is paused. */
static bool go_to(Table *table, int count, json_t *reply, Refusal *no)
{
    TableGame *at = &table->at;
    int before = at->game.move_count;
    turns_reset(table);
    table_go_to(at, count);
    if (at->act_total > at->act_count && !at->game.over && !table_is_human(at, at->game.seat))
        table->at.paused = true;
    int after = at->game.move_count;
    return games_settle(table, before < after ? before : after, reply, no);
}

static bool do_undo(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    const TableGame *at = &table->at;
    int64_t count = 0;
    bool good = field_whole(body, "count", 1, 100000, &count, no);
    if (good && !at->act_count && !at->ending.set)
        good = refuse(no, "illegal", "There is nothing to take back.");
    if (!good) return false;
    int to = at->act_count - (int)count;
    if (!count) {
        to = at->act_count;
        bool human = at->ending.set && table_is_human(at, at->game.seat);
        while (!human && to > 0) human = table_is_human(at, at->acts[--to].seat);
        if (!human) to = at->act_count - 1;
    }
    return go_to(table, to > 0 ? to : 0, reply, no);
}

static bool do_redo(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    const TableGame *at = &table->at;
    int64_t count = 0;
    bool good = field_whole(body, "count", 1, 100000, &count, no);
    if (good && at->act_total == at->act_count)
        good = refuse(no, "illegal", "There is nothing to put back.");
    if (!good) return false;
    int to = at->act_count + (int)count;
    if (!count) { /* one's own move and the answers to it */
        to = at->act_count + 1;
        while (to < at->act_total && !table_is_human(at, at->acts[to].seat)) to++;
    }
    return go_to(table, to < at->act_total ? to : at->act_total, reply, no);
}

static bool do_goto(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    int64_t count = table->at.act_count;
    if (!field_whole(body, "undo", 0, table->at.act_total, &count, no)) return false;
    return go_to(table, (int)count, reply, no);
}

/* ---- endings and pauses ---- */

static bool do_resign(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    TableGame *at = &table->at;
    int64_t seat = at->game.seat;
    if (!table_is_human(at, (int)seat)) seat = 1 - seat;
    bool good = field_whole(body, "seat", 0, SEAT_COUNT - 1, &seat, no);
    if (good && at->game.over) good = refuse(no, "illegal", "The game is over already.");
    if (good && !table_is_human(at, (int)seat))
        good = refuse(no, "illegal", "Nobody can resign for a player that is none.");
    if (!good) return false;
    turns_reset(table);
    table_end(at, (int)seat, REASON_RESIGN, "");
    at->paused = false;
    return games_settle(table, at->game.move_count, reply, no);
}

/* A player agrees if at his last move he saw no more than half for himself. */
static bool player_agrees(const TableGame *at, int seat)
{
    for (int i = at->act_count - 1; i >= 0; i--) {
        const Act *act = &at->acts[i];
        if (act->seat == seat) return act->has_value && act->value <= 0.5F;
    }
    return false;
}

static bool do_draw(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    (void)body;
    TableGame *at = &table->at;
    bool good = !at->game.over || refuse(no, "illegal", "The game is over already.");
    for (int seat = 0; good && seat < SEAT_COUNT; seat++) {
        if (!table_is_human(at, seat) && !player_agrees(at, seat))
            good = refuse(no, "illegal", "The opponent does not want a draw.");
    }
    if (!good) return false;
    turns_reset(table);
    table_end(at, -1, REASON_AGREED, "");
    at->paused = false;
    return games_settle(table, at->game.move_count, reply, no);
}

static bool do_pause(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    bool on = true;
    if (!field_bool(body, "on", &on, no)) return false;
    if (table->at.game.over) return refuse(no, "illegal", "The game is over.");
    if (on) turns_stop(table);
    table->at.paused = on;
    table->at.version++;
    return games_settle(table, table->at.game.move_count, reply, no);
}

static bool do_now(Table *table, const json_t *body, json_t *reply, Refusal *no)
{
    (void)body, (void)reply;
    bool thinking = table->thinking != NULL;
    turns_hurry(table);
    return thinking || refuse(no, "illegal", "Nobody is thinking.");
}

const TableVerb move_verbs[] = {
    {"game.move", do_move},
    {"game.stones", do_stones},
    {"game.swap", do_swap},
    {"game.undo", do_undo},
    {"game.redo", do_redo},
    {"game.goto", do_goto},
    {"game.resign", do_resign},
    {"game.draw", do_draw},
    {"game.pause", do_pause},
    {"game.now", do_now},
    {0},
};
