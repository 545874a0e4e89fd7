/* SPDX-License-Identifier: MIT */
/* What analysis boards ask for: the Yixin extension of the protocol. */
#include "app/brain_inside.h"

#include "base/mem.h"
#include "game/ban.h"

#include <string.h>

enum { THREADS_MAX = 256, TABLE_MAX_LOG_KIB = 30 };

static void done_yxboard(Brain *brain)
{
    Err err;
    if (!brain_set_entries(brain, &err)) brain_error(brain, &err);
}

static void set_blocked(Brain *brain, bool blocked)
{
    for (int i = 0; i < brain->entry_count; i++) {
        const BrainEntry *e = &brain->entries[i];
        brain->blocked[e->y][e->x] = blocked;
    }
}

static void done_block(Brain *brain)
{
    set_blocked(brain, true);
}

static void done_unblock(Brain *brain)
{
    set_blocked(brain, false);
}

static void run_block_reset(Brain *brain, const char *args)
{
    (void)args;
    memset(brain->blocked, 0, sizeof brain->blocked);
}

/* Black's forbidden points, two digits for each coordinate. */
static void run_showforbid(Brain *brain, const char *args)
{
    (void)args;
    Buf text = BUF_EMPTY;
    Point *points = mem_alloc(BRAIN_STONES_MAX * sizeof *points);
    brain_set_board(brain, brain_side(brain));
    const Rules *rules = &brain->board->rules;
    int count = ban_list(brain->board, points);
    for (int i = 0; i < count; i++)
        buf_printf(&text, "%02d%02d", rules_x(rules, points[i]), rules_y(rules, points[i]));
    brain_say(brain, "FORBID %s.", buf_text(&text));
    mem_free(points);
    buf_free(&text);
}

static void run_showinfo(Brain *brain, const char *args)
{
    (void)args;
    brain_say(brain, "MESSAGE goren " BRAIN_VERSION);
    brain_say(brain, "MESSAGE INFO MAX_THREAD_NUM %d", THREADS_MAX);
    brain_say(brain, "MESSAGE INFO MAX_HASH_SIZE %d", TABLE_MAX_LOG_KIB);
}

static void run_hashclear(Brain *brain, const char *args)
{
    (void)args;
    brain_close_player(brain);
    brain_say(brain, "MESSAGE the table is empty");
}

static bool read_number(Brain *brain, const char *name, const char *args, int64_t *number)
{
    const char *rest = args;
    if (brain_parse_int(&rest, number) && brain_parse_end(rest)) return true;
    brain_say(brain, "ERROR %s %.100s: not a number", name, args);
    return false;
}

static void run_nbest(Brain *brain, const char *args)
{
    int64_t lines;
    if (!read_number(brain, "YXNBEST", args, &lines)) return;
    brain->us = brain_side(brain);
    brain_answer_move(brain, lines < 1                  ? 1
                             : lines > BRAIN_STONES_MAX ? BRAIN_STONES_MAX
                                                        : (int)lines);
}

/* Every move is a defence until it is shown to lose: all of them get a line. */
static void run_searchdefend(Brain *brain, const char *args)
{
    (void)args;
    brain->us = brain_side(brain);
    brain_answer_move(brain, BRAIN_STONES_MAX);
}

static void run_balance_one(Brain *brain, const char *args)
{
    int64_t bias;
    if (read_number(brain, "YXBALANCEONE", args, &bias)) brain_balance(brain, 1, bias);
}

static void run_balance_two(Brain *brain, const char *args)
{
    int64_t bias;
    if (read_number(brain, "YXBALANCETWO", args, &bias)) brain_balance(brain, 2, bias);
}

const BrainCommand brain_yixin_commands[] = {
    {.name = "YXBOARD", .done = done_yxboard, .needs_board = true},
    {.name = "YXBLOCK", .done = done_block, .needs_board = true},
    {.name = "YXBLOCKUNDO", .done = done_unblock, .needs_board = true},
    {.name = "YXBLOCKRESET", .run = run_block_reset, .needs_board = true},
    {.name = "YXSHOWFORBID", .run = run_showforbid, .needs_board = true},
    {.name = "YXSHOWINFO", .run = run_showinfo},
    {.name = "YXHASHCLEAR", .run = run_hashclear},
    {.name = "YXNBEST", .run = run_nbest, .needs_board = true},
    {.name = "YXSEARCHDEFEND", .run = run_searchdefend, .needs_board = true},
    {.name = "YXBALANCEONE", .run = run_balance_one, .needs_board = true},
    {.name = "YXBALANCETWO", .run = run_balance_two, .needs_board = true},
    {0},
};
