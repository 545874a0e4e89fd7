/* SPDX-License-Identifier: MIT */
#include "learn/probe.h"

#include "eval/eval.h"

static void probe_one(Eval *eval, Board *board, Colour mover, const uint8_t *cells, int32_t *value,
                      int32_t *policy)
{
    const Rules *rules = &board->rules;
    int area = rules->width * rules->height;
    board_reset(board);
    for (int i = 0; i < area; i++)
        if (cells[i])
            board_put(board, rules_nth(rules, i), cells[i] == 1 ? mover : colour_other(mover));
    board_set_side(board, mover);
    eval->kind->reset(eval, board);
    *value = eval->kind->value(eval, board);
    for (int i = 0; i < area; i++) {
        Point p = rules_nth(rules, i);
        int score = 0;
        if (!cells[i]) eval->kind->policy(eval, board, &p, 1, &score);
        policy[i] = score;
    }
}

bool probe_network(const char *path, int rule_kind, int side, int mover, const uint8_t *cells,
                   int n, int32_t *values, int32_t *policies, Err *err)
{
    Rules rules;
    if (!rules_check(side, side, 5, err)) return false;
    rules_init(&rules, (RuleKind)rule_kind, side, side, 5);
    Eval *eval = eval_net.open(&rules, path, err);
    if (!eval) return false;
    Board *board = board_open(&rules, NEAR_SQUARE2);
    for (int i = 0; i < n; i++)
        probe_one(eval, board, (Colour)mover, cells + i * side * side, &values[i],
                  policies + i * side * side);
    board_close(board);
    eval->kind->close(eval);
    return true;
}
