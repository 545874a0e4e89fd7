/* SPDX-License-Identifier: MIT */
#include "position.h"

#include "base/buf.h"
#include "base/os.h"
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

Board *board_of(const Record *record)
{
    Board *board = board_open(&record->rules, NEAR_SQUARE2);
    for (int i = 0; i < record->setup_count; i++)
        board_put(board, record->setup[i].point, (Colour)record->setup[i].colour);
    board_set_side(board, record->first);
    return board;
}

void suite_read(const char *path, RecordSet *set)
{
    Buf bytes = BUF_EMPTY;
    Err err;
    if (!os_file_read(path, 1 << 24, &bytes, &err)) {
        print_message("%s is not here: skipped\n", path);
        skip();
    }
    if (!record_read(FORMAT_TSV, bytes.data, bytes.len, path, NULL, set, &err))
        fail_msg("%s", err.text);
    buf_free(&bytes);
}
