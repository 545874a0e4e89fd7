/* SPDX-License-Identifier: MIT */
#include "play/house.h"

#include "base/mem.h"
#include "eval/gaps.h"
#include "game/ban.h"

#include <string.h>

bool house_options(const OptTable *table, const char *keys, void *options, Err *err)
{
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(table, keys, options, &texts, err);
    arena_close(&texts);
    return good;
}

/* Tells whoever wants to know what would be played now. */
static void report(void *ctx, const Leash *leash)
{
    House *house = ctx;
    const PlainResult *plain = house->plain ? plain_so_far(house->plain) : NULL;
    Thought thought = {0};
    MctsResult result;
    if (!house->head.report) return;
    if (house->mcts) {
        mcts_so_far(house->mcts, &result);
        house_fill(&result, &thought);
    } else if (plain) {
        house_fill_plain(plain, &thought);
    } else {
        thought_set_move(&thought, house->first);
        thought.value = 0.5;
        thought.line[thought.line_len++] = house->first;
    }
    house_end(leash, &thought);
    if (thought.stones[0] != POINT_NONE)
        house->head.report(house->head.report_ctx, house->asked, &thought);
}

bool house_begin(House *house, const Board *board, Near near, const Limits *limits, int stride,
                 Leash *leash)
{
    bool same = house->board && rules_equal(&house->board->rules, &board->rules);
    atomic_store(&house->stop, false);
    leash_start(leash, limits, board->stones, stride, &house->stop);
    if (!same) {
        board_close(house->board);
        house->board = board_open(&board->rules, near);
    }
    board_follow(house->board, board);
    leash->report = report;
    leash->ctx = house;
    house->asked = board;
    house->first = POINT_NONE;
    house->mcts = NULL;
    house->plain = NULL;
    return same;
}

void house_end(const Leash *leash, Thought *thought)
{
    thought->nodes = leash->nodes;
    thought->ms = leash_ms(leash);
}

void house_fill(const MctsResult *result, Thought *thought)
{
    thought_set_move(thought, result->move);
    thought->has_value = true;
    thought->value = result->value;
    thought->depth = thought->sel_depth = result->depth;
    thought->line_len = result->line_len;
    memcpy(thought->line, result->line, (size_t)result->line_len * sizeof *result->line);
}

void house_fill_plain(const PlainResult *result, Thought *thought)
{
    thought_set_move(thought, result->move);
    thought_set_score(thought, result->score);
    thought->depth = thought->sel_depth = result->depth;
    thought->line_len = result->line_len;
    memcpy(thought->line, result->line, (size_t)result->line_len * sizeof *result->line);
}

void house_close(House *house)
{
    board_close(house->board);
    mem_free(house);
}

void house_stop(Player *player)
{
    atomic_store(&((House *)player)->stop, true);
}

static int keep_allowed(const Board *board, const Limits *limits, Point *moves, int count)
{
    int left = 0;
    for (int i = 0; i < count; i++)
        if (ban_allows(board, moves[i], board->side) && !limits_block(limits, moves[i]))
            moves[left++] = moves[i];
    return left;
}

int house_moves(const Board *board, const Limits *limits, Point *moves)
{
    const Rules *rules = &board->rules;
    if (!board->stones) {
        moves[0] = rules_point(rules, rules->width / 2, rules->height / 2);
        if (keep_allowed(board, limits, moves, 1)) return 1;
    }
    int n = keep_allowed(board, limits, moves, board_candidates(board, moves));
    if (n) return n;
    for (int i = 0; i < rules->width * rules->height; i++) moves[n++] = rules_nth(rules, i);
    return keep_allowed(board, limits, moves, n);
}

int house_depth(const Limits *limits, int depth)
{
    return limits->depth > 0 && limits->depth < depth ? limits->depth : depth;
}

int house_point(const Board *board, Point p)
{
    int own = gap_point(board, p, board->side);
    return own + own / 8 + gap_point(board, p, colour_other(board->side));
}

int house_sort(Point *moves, int *worth, int count, int most)
{
    if (most > count) most = count;
    for (int i = 0; i < most; i++) {
        int best = i;
        for (int j = i + 1; j < count; j++)
            if (worth[j] > worth[best]) best = j;
        Point p = moves[best];
        int w = worth[best];
        memmove(moves + i + 1, moves + i, (size_t)(best - i) * sizeof *moves);
        memmove(worth + i + 1, worth + i, (size_t)(best - i) * sizeof *worth);
        moves[i] = p;
        worth[i] = w;
    }
    return most;
}
