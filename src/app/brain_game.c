/* SPDX-License-Identifier: MIT */
/* The commands of the Gomocup protocol. */
#include "app/brain_inside.h"

#include <string.h>

/* --- stones ---------------------------------------------------------------------------------- */

void brain_clear(Brain *brain)
{
    brain->count = 0;
    brain->us = BLACK;
    brain->awaits = false;
    memset(brain->cell, 0, sizeof brain->cell);
}

bool brain_put(Brain *brain, int x, int y, Colour colour, Err *err)
{
    if (x < 0 || y < 0 || x >= brain->width || y >= brain->height)
        return err_set(err, "the point is off the %dx%d board", brain->width, brain->height);
    if (brain->cell[y][x] != CELL_EMPTY) return err_set(err, "%d,%d is taken", x, y);
    brain->cell[y][x] = (uint8_t)(colour + 1);
    brain->stones[brain->count++] = (BrainStone){x, y, colour};
    return true;
}

static bool check_entries(const Brain *brain, Err *err)
{
    uint8_t seen[SIZE_MAX_SIDE][SIZE_MAX_SIDE] = {0};
    for (int i = 0; i < brain->entry_count; i++) {
        const BrainEntry *e = &brain->entries[i];
        if (e->field == 0) return err_set(err, "%d,%d: whose stone is it?", e->x, e->y);
        if (seen[e->y][e->x]++) return err_set(err, "%d,%d comes twice", e->x, e->y);
    }
    return true;
}

/* Who has which colour follows from the counts: with as many stones as the opponent we are Black
 * and to move, with fewer we are White. Counts that no game has are taken the same way. */
bool brain_set_entries(Brain *brain, Err *err)
{
    if (!check_entries(brain, err)) return false; /* before anything changes */
    int balance = 0;
    for (int i = 0; i < brain->entry_count; i++)
        balance += (brain->entries[i].field == 1) - (brain->entries[i].field == 2);
    brain_clear(brain);
    brain->us = balance >= 0 ? BLACK : WHITE;
    for (int i = 0; i < brain->entry_count; i++) {
        const BrainEntry *e = &brain->entries[i];
        if (e->field == 3) {
            brain->cell[e->y][e->x] = CELL_WALL;
        } else {
            brain_put(brain, e->x, e->y, e->field == 1 ? brain->us : colour_other(brain->us), err);
        }
    }
    return true;
}

/* --- commands -------------------------------------------------------------------------------- */

/* Nothing is built here: rule and memory come after START, which is to be answered at once. */
static void start(Brain *brain, int64_t width, int64_t height)
{
    if (width < BRAIN_SIDE_MIN || height < BRAIN_SIDE_MIN || width > SIZE_MAX_SIDE ||
        height > SIZE_MAX_SIDE) {
        brain_say(brain, "ERROR boards are from %d to %d points wide and high", BRAIN_SIDE_MIN,
                  SIZE_MAX_SIDE);
        return;
    }
    brain->width = (int)width;
    brain->height = (int)height;
    brain->info.left = LEFT_UNKNOWN;
    memset(brain->blocked, 0, sizeof brain->blocked);
    brain_clear(brain);
    brain_say(brain, "OK"); /* the player keeps its table: what it learnt is still true */
}

static void run_start(Brain *brain, const char *args)
{
    int64_t side;
    const char *rest = args;
    if (brain_parse_int(&rest, &side) && brain_parse_end(rest)) {
        start(brain, side, side);
    } else {
        brain_say(brain, "ERROR START %.100s: write START 20", args);
    }
}

static void run_rectstart(Brain *brain, const char *args)
{
    Err err;
    int width, height;
    if (brain_parse_pair(args, &width, &height, &err)) {
        start(brain, width, height);
    } else {
        brain_say(brain, "ERROR RECTSTART %.100s: write RECTSTART 20,15", args);
    }
}

static void run_restart(Brain *brain, const char *args)
{
    (void)args;
    start(brain, brain->width, brain->height);
}

static void run_begin(Brain *brain, const char *args)
{
    (void)args;
    if (brain->count) {
        brain_say(brain, "ERROR BEGIN: there are stones on the board");
        return;
    }
    brain->us = BLACK;
    brain_answer_move(brain, 1);
}

/* Puts the stone of whoever's turn it is. False: it could not be put, and that was said. */
static bool put_next(Brain *brain, const char *args, Colour *colour)
{
    Err err;
    int x, y;
    *colour = brain_side(brain);
    if (brain_parse_pair(args, &x, &y, &err) && brain_put(brain, x, y, *colour, &err)) return true;
    brain_error(brain, &err);
    return false;
}

static void run_turn(Brain *brain, const char *args)
{
    Colour colour;
    if (!put_next(brain, args, &colour)) return;
    brain->us = colour_other(colour);
    brain_answer_move(brain, 1);
}

static void run_play(Brain *brain, const char *args)
{
    Colour colour;
    if (!put_next(brain, args, &colour)) return;
    brain->us = colour;
    const BrainStone *stone = &brain->stones[brain->count - 1];
    brain_say(brain, "%d,%d", stone->x, stone->y);
}

static void run_takeback(Brain *brain, const char *args)
{
    Err err;
    int x, y;
    if (!brain_parse_pair(args, &x, &y, &err)) {
        brain_error(brain, &err);
        return;
    }
    for (int i = brain->count - 1; i >= 0; i--) {
        BrainStone *stone = &brain->stones[i];
        if (stone->x != x || stone->y != y) continue;
        memmove(stone, stone + 1, (size_t)(brain->count - i - 1) * sizeof *stone);
        brain->count--;
        brain->cell[y][x] = CELL_EMPTY;
        brain_say(brain, "OK");
        return;
    }
    brain_say(brain, "ERROR TAKEBACK %.100s: there is no stone", args);
}

static void done_board(Brain *brain)
{
    Err err;
    if (brain_set_entries(brain, &err)) {
        brain_answer_move(brain, 1);
    } else {
        brain_error(brain, &err);
    }
}

static void run_about(Brain *brain, const char *args)
{
    (void)args;
    brain_say(brain, "name=\"goren\", version=\"" BRAIN_VERSION "\", author=\"the goren authors\", "
                     "country=\"international\"");
}

const BrainCommand brain_game_commands[] = {
    {.name = "START", .run = run_start},
    {.name = "RECTSTART", .run = run_rectstart},
    {.name = "RESTART", .run = run_restart, .needs_board = true},
    {.name = "BEGIN", .run = run_begin, .needs_board = true},
    {.name = "TURN", .run = run_turn, .needs_board = true},
    {.name = "PLAY", .run = run_play, .needs_board = true},
    {.name = "BOARD", .done = done_board, .needs_board = true},
    {.name = "SWAP2BOARD", .done = brain_swap2, .needs_board = true},
    {.name = "TAKEBACK", .run = run_takeback, .needs_board = true},
    {.name = "ABOUT", .run = run_about},
    {0},
};
