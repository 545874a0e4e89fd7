/* SPDX-License-Identifier: MIT */
#include "play/house.h"

#include "base/mem.h"
#include "game/ban.h"

#include <string.h>

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
