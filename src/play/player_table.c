/* SPDX-License-Identifier: MIT */
/* The player table: the action of the greatest value in a table of all positions of a tiny board.
 * Learnt by goren learn table. */
#include "play/player_table.h"

#include "base/mem.h"
#include "eval/tabular.h"
#include "game/ban.h"

typedef struct {
    Player head;
    Tabular table;
} TablePlayer;

typedef struct {
    const char *params;
} TablePlayerOptions;

static const Opt table_player_opts[] = {
    {.name = "params",
     .type = OPT_TEXT,
     .offset = offsetof(TablePlayerOptions, params),
     .value = "FILE",
     .help = "what goren learn table wrote; it cannot do without",
     .required = true},
    {0},
};

static const OptTable table_player_table = {
    .name = "table",
    .about = "The best move of a tiny board by a table of all positions.",
    .example = "table:params=ttt.params",
    .opts = table_player_opts,
};

Player *player_table_from(const Params *params, Err *err)
{
    TablePlayer *player = mem_zero(sizeof *player);
    player->head.kind = &player_table;
    if (tabular_get(&player->table, params, "parameters", err)) return &player->head;
    mem_free(player);
    return NULL;
}

static Player *table_open(const char *keys, Err *err)
{
    TablePlayerOptions options = {0};
    Arena texts;
    Params params;
    Player *player = NULL;
    arena_open(&texts, 256);
    if (opts_parse_keys(&table_player_table, keys, &options, &texts, err) &&
        params_read(options.params, "table", &params, err)) {
        player = player_table_from(&params, err);
        if (!player) err_prefix(err, "%s", options.params);
        params_free(&params);
    }
    arena_close(&texts);
    return player;
}

static bool table_plays(const Player *player, const Rules *rules, Err *err)
{
    const Rules *known = &((const TablePlayer *)player)->table.rules;
    return rules_equal(known, rules) ||
           err_set(err, "it knows %s %dx%d with %d in a row and nothing else",
                   rule_name(known->kind), known->width, known->height, known->k);
}

static bool table_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                        Err *err)
{
    (void)err;
    const Tabular *table = &((TablePlayer *)player)->table;
    const Rules *rules = &table->rules;
    TabularKey key = tabular_key(table, board);
    int row = tabular_find(table, key.code);
    Point best = POINT_NONE;
    float most = -1;
    for (int i = 0; i < table->points; i++) {
        Point p = rules_nth(rules, i);
        if (!ban_allows(board, p, board->side) || limits_block(limits, p)) continue;
        float v = row < 0 ? 0 : tabular_row(table, row)[tabular_action(table, key, p)].value;
        if (v <= most) continue;
        most = v;
        best = p;
    }
    thought_set_move(thought, best);
    thought->has_value = row >= 0 && best != POINT_NONE;
    thought->value = most;
    return true;
}

static void table_close(Player *player)
{
    tabular_close(&((TablePlayer *)player)->table);
    mem_free(player);
}

const PlayerKind player_table = {
    .options = &table_player_table,
    .open = table_open,
    .plays = table_plays,
    .think = table_think,
    .close = table_close,
};
