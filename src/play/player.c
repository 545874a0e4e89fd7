/* SPDX-License-Identifier: MIT */
/* Players: see player.h. Opening one by its spec, and what may be asked of any. */
#include "play/player.h"

#include "play/settle.h"

#include <string.h>

static void unknown_kind(const char *kind, Err *err)
{
    const char *nearest = NULL;
    Buf known = BUF_EMPTY;
    for (const PlayerKind *const *k = player_kinds; *k; k++) {
        const char *name = (*k)->options->name;
        buf_printf(&known, "%s%s", known.len ? ", " : "", name);
        if (!nearest || opts_distance(kind, name) < opts_distance(kind, nearest)) nearest = name;
    }
    if (nearest && opts_is_near(kind, nearest)) {
        err_set(err, "there is no player \"%s\"; did you mean %s? There are %s", kind, nearest,
                buf_text(&known));
    } else {
        err_set(err, "there is no player \"%s\"; there are %s", kind, buf_text(&known));
    }
    buf_free(&known);
}

const PlayerKind *player_find(const char *name, Err *err)
{
    for (const PlayerKind *const *k = player_kinds; *k; k++) {
        if (strcmp((*k)->options->name, name) == 0) return *k;
    }
    unknown_kind(name, err);
    return NULL;
}

Player *player_open(const char *spec, Err *err)
{
    char name[SPEC_KIND_MAX];
    const char *keys = "";
    if (!spec_split(spec, name, &keys, err)) return NULL;
    const PlayerKind *kind = player_find(name, err);
    Player *player = kind ? kind->open(keys, err) : NULL;
    if (player) player->kind = kind;
    return player;
}

bool player_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                  Err *err)
{
    *thought = (Thought){0};
    if (player->kind->plays && !player->kind->plays(player, &board->rules, err)) {
        thought->fault = FAULT_NONSENSE;
        return err_prefix(err, "%s", player->kind->options->name);
    }
    return player->kind->think(player, board, limits, thought, err);
}

bool player_settle(Player *player, Ask ask, const Board *board, const Limits *limits, uint64_t seed,
                   Thought *thought, Err *err)
{
    if (ask == ASK_MOVE) return player_think(player, board, limits, thought, err);
    *thought = (Thought){0};
    if (player->kind->settle) return player->kind->settle(player, ask, board, limits, thought, err);
    return settle_by_think(player, ask, board, limits, seed, thought, err);
}

void player_ponder(Player *player, const Board *board, const Limits *limits)
{
    if (player->kind->ponder) player->kind->ponder(player, board, limits);
}

void player_stop(Player *player)
{
    if (player->kind->stop) player->kind->stop(player);
}

void player_new_game(Player *player)
{
    if (player->kind->new_game) player->kind->new_game(player);
}

void player_reseed(Player *player, uint64_t seed)
{
    if (player->kind->reseed) player->kind->reseed(player, seed);
}

bool player_about(Player *player, const Rules *rules, Buf *out, Err *err)
{
    if (player->kind->plays && !player->kind->plays(player, rules, err)) return false;
    if (player->kind->about) return player->kind->about(player, rules, out, err);
    buf_add_text(out, "goren");
    return true;
}

void player_close(Player *player)
{
    if (player) player->kind->close(player);
}

int ask_stones(Ask ask)
{
    return ask == ASK_THREE ? 3 : ask == ASK_COLOUR_OR_TWO ? 2 : 0;
}

bool ask_is_colour(Ask ask)
{
    return ask == ASK_COLOUR || ask == ASK_COLOUR_OR_TWO;
}

bool thought_answers(const Thought *thought, Ask ask)
{
    if (thought->decision == DECIDE_SWAP) return ask_is_colour(ask);
    if (thought->decision == DECIDE_MOVE) return ask != ASK_THREE;
    return ask_stones(ask) && thought->stone_count == ask_stones(ask);
}

void thought_set_move(Thought *thought, Point p)
{
    thought->decision = DECIDE_MOVE;
    thought->stones[0] = p;
    thought->stone_count = 1;
}

void thought_set_score(Thought *thought, int score)
{
    thought->has_value = true;
    thought->score = score;
    thought->value = score >= SCORE_MATE ? 1 : score <= -SCORE_MATE ? 0 : eval_win_rate(score);
}
