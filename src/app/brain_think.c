/* SPDX-License-Identifier: MIT */
/* The brain thinks: from stones, clocks and memory to a player's answer, which is looked at before
 * it is given. A legal point comes out whenever there is one, whatever the player does. */
#include "app/brain_inside.h"

#include "base/mem.h"
#include "eval/networks.h"
#include "game/ban.h"
#include "play/level.h"
#include "play/balance.h"
#include "search/budget.h"

#include <stdlib.h>
#include <string.h>

enum {
    MIB = 1 << 20,
    TABLE_SLOW_MIB = 256, /* for turns of four seconds and more */
    TABLE_FAST_MIB = 16,  /* for the shortest turns: the first touch of a table costs time */
    TABLE_MIN_MIB = 1,
    TABLE_LEAST = MIB / 4,   /* less is no table */
    PROGRAM_MIB = 60,        /* of max_memory: everything but the table and … */
    NETWORK_MIB = 52,        /* … a network, … */
    NETWORK_LEAST_MIB = 200, /* … which is not worth so much of less than this, … */
    THREAD_NETWORK_MIB = 6,  /* … and each thread but the first */
    THREAD_SHAPE_MIB = 2,
    THREAD_POINT = 1 << 10, /* and for each point of the board */
    FAST_MS = 30,           /* as fast as possible */
    NEVER_MS = INT32_MAX,   /* a clock that shows this never runs out */
};

/* --- position -------------------------------------------------------------------------------- */

Colour brain_side(const Brain *brain)
{
    int balance = 0; /* black stones less white ones */
    for (int i = 0; i < brain->count; i++) balance += brain->stones[i].colour == BLACK ? 1 : -1;
    return balance == 0 ? BLACK : balance == 1 ? WHITE : colour_other(brain->us);
}

void brain_set_board(Brain *brain, Colour side)
{
    Rules rules;
    rules_init(&rules, brain->info.rule, brain->width, brain->height, 5);
    if (brain->board && !rules_equal(&brain->board->rules, &rules)) {
        board_close(brain->board);
        brain->board = NULL;
    }
    if (!brain->board) brain->board = board_open(&rules, NEAR_SQUARE2);
    board_reset(brain->board);
    for (int i = 0; i < brain->count; i++) {
        const BrainStone *stone = &brain->stones[i];
        board_put(brain->board, rules_point(&rules, stone->x, stone->y), stone->colour);
    }
    board_set_side(brain->board, side);
    brain->avoid_count = 0;
    for (int y = 0; y < brain->height; y++)
        for (int x = 0; x < brain->width; x++)
            if (brain->cell[y][x] == CELL_WALL || brain->blocked[y][x])
                brain->avoid[brain->avoid_count++] = rules_point(&rules, x, y);
}

static bool is_playable(const Brain *brain, Point p)
{
    const Board *board = brain->board;
    const Rules *rules = &board->rules;
    if (p == POINT_NONE || p >= rules_area(rules)) return false;
    int x = rules_x(rules, p), y = rules_y(rules, p);
    if (!rules_inside(rules, x, y) || rules_point(rules, x, y) != p) return false;
    if (brain->cell[y][x] == CELL_WALL || brain->blocked[y][x]) return false;
    return ban_allows(board, p, board->side);
}

/* What to play without a player: the strongest shape of either side, near the centre. */
static Point any_point(const Brain *brain)
{
    const Board *board = brain->board;
    const Rules *rules = &board->rules;
    Point best = POINT_NONE;
    int best_score = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (!is_playable(brain, p)) continue;
        int own = (int)board_class(board, p, board->side);
        int other = (int)board_class(board, p, colour_other(board->side));
        int off = abs(2 * rules_x(rules, p) + 1 - rules->width) +
                  abs(2 * rules_y(rules, p) + 1 - rules->height);
        int score = (own >= other ? 2 * own + 1 : 2 * other) * 1000 - off;
        if (best != POINT_NONE && score <= best_score) continue;
        best = p;
        best_score = score;
    }
    return best;
}

/* --- player ---------------------------------------------------------------------------------- */

void brain_close_player(Brain *brain)
{
    os_mutex_lock(brain->mutex);
    Player *player = brain->player;
    brain->player = NULL;
    os_mutex_unlock(brain->mutex);
    player_close(player);
}

static bool has_network_room(const BrainInfo *info)
{
    return !info->max_memory || info->max_memory >= (int64_t)NETWORK_LEAST_MIB * MIB;
}

static bool has_network(const Brain *brain)
{
    return has_network_room(&brain->info) &&
           networks_find(networks_built_in(), &brain->board->rules);
}

/* What max_memory leaves to threads and table. */
static int64_t memory_room(const Brain *brain)
{
    int64_t others = PROGRAM_MIB + (has_network(brain) ? NETWORK_MIB : 0);
    return brain->info.max_memory - others * MIB;
}

static int64_t thread_bytes(const Brain *brain)
{
    int64_t mib = has_network(brain) ? THREAD_NETWORK_MIB : THREAD_SHAPE_MIB;
    return mib * MIB + (int64_t)brain->width * brain->height * THREAD_POINT;
}

/* As many threads as were asked for, unless they would take more than half of that room. 0: nothing
 * was said. */
static int64_t thread_count(const Brain *brain)
{
    const BrainInfo *info = &brain->info;
    if (!info->max_memory || info->thread_num <= 1) return info->thread_num;
    int64_t room = memory_room(brain) / 2 / thread_bytes(brain);
    int64_t most = room > 0 ? 1 + room : 1;
    return info->thread_num < most ? info->thread_num : most;
}

/* The most that the manager leaves to the table. */
static int64_t table_room(const Brain *brain)
{
    if (!brain->info.max_memory) return INT64_MAX;
    int64_t threads = thread_count(brain), more = threads > 1 ? threads - 1 : 0;
    int64_t room = (memory_room(brain) - more * thread_bytes(brain)) / 10 * 8;
    return room > (int64_t)TABLE_MIN_MIB * MIB ? room : (int64_t)TABLE_MIN_MIB * MIB;
}

/* A table that is there is kept unless it is too large or much too small. */
static int64_t table_bytes(const Brain *brain)
{
    const BrainInfo *info = &brain->info;
    int64_t room = table_room(brain);
    int64_t mib = info->timeout_turn * TABLE_SLOW_MIB / 4000;
    mib = mib < TABLE_FAST_MIB ? TABLE_FAST_MIB : mib > TABLE_SLOW_MIB ? TABLE_SLOW_MIB : mib;
    int64_t bytes = info->hash_size ? info->hash_size << 10 : mib * MIB;
    if (bytes > room) bytes = room;
    if (bytes < TABLE_LEAST) bytes = TABLE_LEAST;
    bool keep =
        brain->player && !info->hash_size && brain->table <= room && bytes / 2 <= brain->table;
    return keep ? brain->table : bytes;
}

/* The engine's keys; NULL: somebody else plays. */
static const char *engine_keys(const Brain *brain)
{
    char kind[SPEC_KIND_MAX] = "";
    const char *keys = "";
    bool good = spec_split(brain->options.player, kind, &keys, NULL);
    return good && strcmp(kind, player_ab.options->name) == 0 ? keys : NULL;
}

static int engine_level(const Brain *brain, const char *keys)
{
    const char *said = strstr(keys, "level=");
    if (said) return atoi(said + strlen("level="));
    int strength = (int)brain->info.strength; /* 0 … 99 to levels 1 … 9 */
    return strength < 100 ? 1 + strength * 9 / 100 : LEVEL_MAX;
}

/* The built-in network that the engine will play by; NULL: it will not. */
static const Net *network_wanted(const Brain *brain)
{
    const char *keys = engine_keys(brain);
    if (!keys || strstr(keys, "eval=") || strstr(keys, "net=") || !has_network_room(&brain->info) ||
        level_eval(engine_level(brain, keys)) == &eval_shape)
        return NULL;
    return networks_find(networks_built_in(), &brain->board->rules);
}

/* The player's spec, and for the engine what INFO said unless the spec says otherwise. */
static void write_spec(const Brain *brain, int64_t memory, Buf *out)
{
    const char *keys = engine_keys(brain);
    buf_clear(out);
    buf_add_text(out, brain->options.player);
    if (!keys) return;
    char mark = *keys ? ',' : ':';
    if (!strstr(keys, "memory=")) {
        buf_printf(out, "%cmemory=%lld", mark, (long long)memory);
        mark = ',';
    }
    if (!strstr(keys, "threads=") && brain->info.thread_num) {
        buf_printf(out, "%cthreads=%lld", mark, (long long)thread_count(brain));
        mark = ',';
    }
    if (!strstr(keys, "eval=") && (!has_network_room(&brain->info) || brain->by_shape)) {
        buf_printf(out, "%ceval=%s", mark, eval_shape.name);
        mark = ',';
    }
    if (!strstr(keys, "level=") && brain->info.strength < 100)
        buf_printf(out, "%clevel=%d", mark, engine_level(brain, keys));
}

static bool player_ready(Brain *brain, int64_t memory, Err *err)
{
    Buf spec = BUF_EMPTY;
    write_spec(brain, memory, &spec);
    bool same = brain->player && strcmp(buf_text(&spec), buf_text(&brain->spec)) == 0;
    if (!same) {
        brain_close_player(brain); /* first: two tables at a time could be too much */
        Player *player = player_open(buf_text(&spec), err);
        os_mutex_lock(brain->mutex);
        brain->player = player;
        os_mutex_unlock(brain->mutex);
        brain->warm = false;
        buf_clear(&brain->spec);
        buf_add_text(&brain->spec, buf_text(&spec));
        brain->table = memory;
    }
    buf_free(&spec);
    return brain->player != NULL;
}

/* --- clocks ---------------------------------------------------------------------------------- */

/* What is left on our clock; NEVER_MS: it does not run. A manager that gives a match time but never
 * says what is left of it is helped out by our own account. */
static int64_t left_ms(const BrainInfo *info)
{
    if (info->left == LEFT_UNKNOWN) return info->timeout_match ? info->timeout_match : NEVER_MS;
    if (info->time_left == 0 && !info->timeout_match) return NEVER_MS;
    return info->time_left < NEVER_MS ? info->time_left : NEVER_MS;
}

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

/* Yixin counts from 0, rash, to 5, the whole board; our neighbourhoods are fewer. */
int brain_reach(const BrainInfo *info)
{
    static const Near nears[] = {NEAR_SQUARE2,       NEAR_SQUARE2_LINE3, NEAR_SQUARE3_LINE4,
                                 NEAR_SQUARE3_LINE4, NEAR_ALL,           NEAR_ALL};
    return info->caution_factor < 0 ? 0 : 1 + (int)nears[info->caution_factor];
}

static void set_limits(const Brain *brain, BrainAsk ask, Limits *limits)
{
    const BrainInfo *info = &brain->info;
    int64_t spent = os_clock_ms() - brain->arrived;
    int64_t turn = info->timeout_turn ? info->timeout_turn : FAST_MS;
    int64_t left = left_ms(info);
    *limits = (Limits){.lines = ask.lines, .increment_ms = info->time_increment};
    limits->turn_ms = at_least(turn - spent, 1);
    if (left < NEVER_MS) limits->left_ms = at_least(left - spent, 1);
    limits->nodes = info->max_node < INT64_MAX ? info->max_node : 0;
    limits->depth = info->max_depth < 100 ? (int)info->max_depth : 0;
    limits->reach = brain_reach(info);
    limits->blocked = brain->avoid;
    limits->blocked_count = brain->avoid_count;
}

static void account(Brain *brain)
{
    BrainInfo *info = &brain->info;
    int64_t left = left_ms(info);
    if (left == NEVER_MS) return;
    info->time_left = left - (os_clock_ms() - brain->arrived) + info->time_increment;
    if (info->left == LEFT_UNKNOWN) info->left = LEFT_COUNTED;
}

/* --- thinking -------------------------------------------------------------------------------- */

/* A player that meets its rules for the first time builds its tables; a trifle of a question makes
 * it do so before the clock is read. */
static bool warm_up(Brain *brain, Err *err)
{
    const Rules *rules = &brain->board->rules;
    Limits trifle = {.depth = 1, .nodes = 1, .turn_ms = 1, .reach = brain_reach(&brain->info)};
    Thought trial;
    if (brain->warm && rules_equal(&brain->warm_rules, rules)) return true;
    brain_report_off(brain);
    brain->warm = player_think(brain->player, brain->board, &trifle, &trial, err);
    brain->warm_rules = *rules;
    if (brain->warm && trial.eval)
        brain_say(brain, "MESSAGE positions are judged by %s", trial.eval);
    return brain->warm;
}

static bool put_question(Brain *brain, BrainAsk ask, Thought *thought, Err *err)
{
    Limits limits;
    set_limits(brain, ask, &limits);
    if (ask.balance)
        return balance_find(brain->player, brain->board, &limits, ask.balance, ask.bias, thought,
                            err);
    return player_settle(brain->player, ask.what, brain->board, &limits, rng_next(&brain->rng),
                         thought, err);
}

static void choose_eval(Brain *brain, BrainAsk ask)
{
    Limits limits;
    const Net *net = network_wanted(brain);
    set_limits(brain, ask, &limits);
    int64_t most = budget_make(&limits, brain->board->stones).maximum_ms;
    brain->by_shape = net && !brain_network_ready(brain, net, os_clock_ms() + most / 2);
}

/* A table that the system refuses is asked for again, smaller. */
static bool ask_player(Brain *brain, BrainAsk ask, Thought *thought, Err *err)
{
    choose_eval(brain, ask);
    for (int64_t memory = table_bytes(brain); memory >= TABLE_LEAST; memory /= 4) {
        if (!player_ready(brain, memory, err) || !warm_up(brain, err)) continue;
        brain_report_on(brain);
        if (put_question(brain, ask, thought, err)) return true;
    }
    return false;
}

/* Any legal point will do where a player fails; stones for an opening are not had by guessing. */
static bool wants_move(BrainAsk ask)
{
    return ask.what != ASK_THREE && !ask.balance;
}

static bool are_playable(const Brain *brain, const Point *points, int count)
{
    for (int i = 0; i < count; i++) {
        if (!is_playable(brain, points[i])) return false;
        for (int k = 0; k < i; k++)
            if (points[k] == points[i]) return false;
    }
    return true;
}

/* Is it an answer to the question, and on points that may be played? */
static bool is_answer(const Brain *brain, BrainAsk ask, const Thought *thought)
{
    if (!ask.balance && !thought_answers(thought, ask.what)) return false;
    if (thought->decision == DECIDE_SWAP) return true;
    return are_playable(brain, thought->stones, thought->stone_count);
}

bool brain_think(Brain *brain, BrainAsk ask, Thought *thought, Err *err)
{
    *thought = (Thought){0};
    if (atomic_load(&brain->quit)) return false;
    Point any = any_point(brain);
    if (any == POINT_NONE) return err_set(err, "there is no point left to play");
    bool over = board_scan_winner(brain->board) != CELL_EMPTY;
    if (over) err_set(err, "the game is over");
    brain_report_begin(brain, ask.quiet);
    bool done = !over && ask_player(brain, ask, thought, err);
    account(brain);
    if (atomic_load(&brain->quit)) return false;
    if (done) brain_report_end(brain, thought);
    if (done && is_answer(brain, ask, thought)) return true;
    if (done) err_set(err, "the player gave no answer that may be played");
    if (!wants_move(ask)) return false;
    brain_say(brain, "MESSAGE any legal point is played: %s", err->text);
    thought_set_move(thought, any);
    return true;
}

void brain_answer_move(Brain *brain, int lines)
{
    Thought thought;
    Err err = {0};
    brain_set_board(brain, brain->us);
    bool done = brain_think(brain, (BrainAsk){.lines = lines}, &thought, &err);
    if (atomic_load(&brain->quit)) return;
    if (!done) {
        brain_error(brain, &err);
        return;
    }
    const Rules *rules = &brain->board->rules;
    Point p = thought.stones[0];
    brain_report_move(brain, p);
    brain_put(brain, rules_x(rules, p), rules_y(rules, p), brain->us, &err);
    brain_say_points(brain, &p, 1);
    brain->awaits = true;
}
