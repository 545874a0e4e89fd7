/* SPDX-License-Identifier: MIT */
#include "position.h"

#include "game/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

Board *board_from(const Rules *rules, const char *text, char side)
{
    Position position;
    Err err;
    if (!position_parse(rules, text, side, &position, &err)) fail_msg("%s: %s", text, err.text);
    Board *board = board_open(rules, NEAR_SQUARE2);
    for (int i = 0; i < position.count; i++)
        board_put(board, position.stones[i], (Colour)position.colours[i]);
    board_set_side(board, position.side);
    position_free(&position);
    return board;
}
