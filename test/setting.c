/* SPDX-License-Identifier: MIT */
#include "setting.h"

#include "game/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

Setting setting(RuleKind kind, int size, const char *moves, int threads)
{
    Setting s;
    Err err;
    Position position;
    rules_init(&s.rules, kind, size, size, 5);
    if (!position_parse(&s.rules, moves, 0, &position, &err)) fail_msg("%s: %s", moves, err.text);
    s.board = board_open(&s.rules, NEAR_SQUARE2);
    for (int i = 0; i < position.count; i++) board_play(s.board, position.stones[i]);
    position_free(&position);
    SearchOptions options = {.threads = threads, .table_bytes = 4 << 20, .eval = &eval_shape};
    s.search = search_open(&s.rules, &options, &err);
    assert_non_null(s.search);
    return s;
}

void setting_close(Setting *s)
{
    search_close(s->search);
    board_close(s->board);
}

SearchResult setting_think(Setting *s, Limits limits)
{
    SearchResult result;
    search_run(s->search, s->board, &limits, NULL, NULL, &result);
    return result;
}
