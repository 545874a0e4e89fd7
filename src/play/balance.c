/* SPDX-License-Identifier: MIT */
#include "play/balance.h"

#include "base/mem.h"

#include <stdlib.h>

/* Percent of what a stone may cost: a look at all moves, then at some of them alone, and longer at
 * the one that still seems most even. */
enum { ALL_SHARE = 30, LOOKS_SHARE = 70, LOOK_SHARE = 10, LONG_LOOK_SHARE = 30, LOOKS_MAX = 2 };

/* A move and what it is worth to whoever makes it, as far as is known. */
typedef struct {
    Point move;
    int score;
    int looks; /* at it alone */
} Choice;

static bool is_stopped(const Limits *limits)
{
    return limits->stop && atomic_load(limits->stop);
}

static Choice *nearest(Choice *choices, int count, int64_t bias, bool sure)
{
    Choice *best = NULL;
    for (int i = 0; i < count; i++) {
        if (sure && !choices[i].looks) continue;
        if (!best || llabs(choices[i].score - bias) < llabs(best->score - bias)) best = &choices[i];
    }
    return best;
}

/* What the move is worth, seen from the position after it; false: the player cannot go on. */
static bool look_again(Player *player, Board *board, const Limits *limits, int share,
                       Choice *choice, Thought *sum, Err *err)
{
    Thought thought = {0};
    Limits look = limits_part(limits, share);
    look.lines = 1;
    look.forced_too = true;
    look.blocked_count = 0; /* those are not to be played now; what comes after is free */
    choice->looks++;
    board_play(board, choice->move);
    bool over = board_is_over(board);
    bool good = over || player_think(player, board, &look, &thought, err);
    board_undo(board);
    if (good && thought.depth && thought.best_count) choice->score = -thought.score;
    sum->nodes += thought.nodes;
    sum->ms += thought.ms;
    return good;
}

/* The most even move that was looked at, or if there was no time for that, that seems so; with
 * `or_best` the best if that is worth no more than `bias`. */
static bool sift(Player *player, const Board *board, const Limits *limits, int64_t bias,
                 bool or_best, Choice *choices, Thought *sum, Choice *found, Err *err)
{
    Board *tried = board_clone(board);
    Choice *choice = or_best && choices->score <= bias ? choices : NULL;
    int count = sum->best_count;
    bool good = true;
    for (int left = LOOKS_SHARE; good && !is_stopped(limits);) {
        if (!choice) choice = nearest(choices, count, bias, false);
        int share = choice->looks ? LONG_LOOK_SHARE : LOOK_SHARE;
        if (choice->looks == LOOKS_MAX || share > left) break;
        left -= share;
        good = look_again(player, tried, limits, share, choice, sum, err);
        if (or_best && choice == choices && choice->score <= bias) break;
        choice = NULL;
    }
    board_close(tried);
    if (!choice || !choice->looks) choice = nearest(choices, count, bias, true);
    if (!choice) choice = nearest(choices, count, bias, false);
    *found = *choice;
    return good;
}

static void set_choice(Thought *thought, Choice choice)
{
    thought->decision = DECIDE_STONES;
    thought->stones[0] = choice.move;
    thought->stone_count = 1;
    thought_set_score(thought, choice.score);
    if (!thought->line_len || thought->line[0] != choice.move) {
        thought->line[0] = choice.move;
        thought->line_len = 1;
    }
}

/* The stone that is worth as near to `bias` as can be to whoever puts it. With `or_best` the best
 * move if it is worth no more than that. */
static bool put_one(Player *player, const Board *board, const Limits *limits, int64_t bias,
                    bool or_best, Thought *thought, Err *err)
{
    Limits all = limits_part(limits, ALL_SHARE);
    Choice found = {0};
    all.lines = board->rules.width * board->rules.height;
    if (!player_think(player, board, &all, thought, err)) return false;
    if (!thought->best_count) {
        thought->decision = DECIDE_STONES;
        return true;
    }
    Choice *choices = mem_alloc((size_t)thought->best_count * sizeof *choices);
    for (int i = 0; i < thought->best_count; i++)
        choices[i] = (Choice){.move = thought->best[i].move, .score = thought->best[i].score};
    bool good = sift(player, board, limits, bias, or_best, choices, thought, &found, err);
    mem_free(choices);
    thought->best = NULL; /* of a question before the last */
    thought->best_count = 0;
    set_choice(thought, found);
    return good;
}

bool balance_after(Player *player, const Board *board, Point first, const Limits *limits,
                   int64_t bias, Thought *thought, Err *err)
{
    if (!board_is_empty(board, first)) return err_set(err, "the player sees no stone to put first");
    Board *after = board_clone(board);
    board_play(after, first);
    bool good = board_is_over(after) ? err_set(err, "the first of the two stones ends the game")
                                     : put_one(player, after, limits, -bias, false, thought, err);
    board_close(after);
    if (!good) return false;
    thought->stones[1] = thought->stones[0];
    thought->stones[0] = first;
    thought->stone_count = 2;
    thought->value = 1 - thought->value;
    thought->score = -thought->score;
    return true;
}

bool balance_find(Player *player, const Board *board, const Limits *limits, int stones,
                  int64_t bias, Thought *thought, Err *err)
{
    enum { SPARE = 5 }; /* percent, for what the searches take longer than they may */
    Limits part = limits_part(limits, (100 - SPARE) / stones);
    Thought one;
    if (!put_one(player, board, &part, bias, stones == 2, thought, err)) return false;
    if (stones == 1) return true;
    one = *thought;
    if (!balance_after(player, board, one.stones[0], &part, bias, thought, err)) return false;
    thought->nodes += one.nodes;
    thought->ms += one.ms;
    return true;
}
