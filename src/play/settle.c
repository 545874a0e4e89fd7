/* SPDX-License-Identifier: MIT */
#include "play/settle.h"

#include "game/scatter.h"

#include <math.h>
#include <stdlib.h>

enum {
    OPENINGS_TRIED = 8,
    OPENING_STONES = 3,
    OPENING_SIDE = 7, /* of the square in which the stones lie */
};
static const double EVEN = 0.02;        /* as near to even as makes no difference */
static const double EVEN_ENOUGH = 0.05; /* the first opening this near to even is taken */

/* --- three stones ---------------------------------------------------------------------------- */

static void take_stones(Board *board, Thought *thought)
{
    thought->decision = DECIDE_STONES;
    thought->stone_count = OPENING_STONES;
    for (int i = OPENING_STONES - 1; i >= 0; i--) {
        thought->stones[i] = board_last_point(board);
        board_undo(board);
    }
}

static bool put_three(Player *player, const Board *board, const Limits *limits, uint64_t seed,
                      Thought *thought, Err *err)
{
    Rng rng;
    rng_seed(&rng, seed);
    Limits share = *limits;
    share.turn_ms = (share.turn_ms ? share.turn_ms : share.left_ms / 4) / OPENINGS_TRIED;
    if (share.nodes) share.nodes = share.nodes / OPENINGS_TRIED + 1;
    Board *tried = board_clone(board);
    double best = 2;
    bool good = true;
    for (int i = 0; good && i < OPENINGS_TRIED && best > EVEN_ENOUGH; i++) {
        Thought look;
        board_reset(tried);
        Area area = scatter_area(&tried->rules, OPENING_SIDE, false, &rng);
        if (scatter_stones(tried, area, OPENING_STONES, &rng, NULL) < OPENING_STONES) break;
        good = player_think(player, tried, &share, &look, err);
        double off = good && look.has_value ? fabs(look.value - 0.5) : 1;
        if (!good || off >= best) continue;
        best = off;
        take_stones(tried, thought);
    }
    board_close(tried);
    if (good && best > 1) return err_set(err, "the board is too small for an opening");
    return good;
}

/* --- balance --------------------------------------------------------------------------------- */

bool settle_is_even(double value)
{
    return fabs(value - 0.5) <= EVEN;
}

/* Values rise and fall with the depth, so only lines of one depth are compared: the one that most
 * of them have reached. */
static int common_depth(const Thought *thought)
{
    int common = 0, most = 0;
    for (int i = 0; i < thought->best_count; i++) {
        int depth = thought->best[i].depth, n = 0;
        if (depth == common) continue;
        for (int k = 0; k < thought->best_count; k++) n += thought->best[k].depth == depth;
        if (n <= most) continue;
        common = depth;
        most = n;
    }
    return common;
}

Point settle_nearest(const Thought *thought, int64_t bias)
{
    int depth = common_depth(thought);
    Point best = thought->stones[0];
    int64_t best_off = INT64_MAX;
    for (int i = 0; i < thought->best_count; i++) {
        const SearchLine *line = &thought->best[i];
        int64_t off = llabs(line->score - bias);
        if (line->depth != depth || off >= best_off) continue;
        best = line->move;
        best_off = off;
    }
    return best;
}

/* A part of what a question may cost. */
static Limits part_of(const Limits *limits, int percent)
{
    Limits part = *limits;
    if (part.nodes) part.nodes = part.nodes * percent / 100 + 1;
    if (part.turn_ms) part.turn_ms = part.turn_ms * percent / 100 + 1;
    if (part.left_ms) part.left_ms = part.left_ms * percent / 100 + 1;
    return part;
}

/* The best move for White, then the one for Black after which neither colour is worth more. False:
 * the player does not say what its moves are worth. */
static bool put_two(Player *player, const Board *board, const Limits *limits, Thought *thought)
{
    Thought look = {0};
    Limits part = part_of(limits, 30);
    Board *after = board_clone(board);
    Point first = thought->line_len ? thought->line[0] : thought->stones[0];
    board_play(after, first);
    part.lines = board->rules.width * board->rules.height;
    bool good = !board_is_over(after) && player_think(player, after, &part, &look, NULL) &&
                look.best_count > 1;
    if (good) {
        thought->decision = DECIDE_STONES;
        thought->stones[0] = first;
        thought->stones[1] = settle_nearest(&look, 0);
        thought->stone_count = 2;
    }
    board_close(after);
    return good;
}

bool settle_by_think(Player *player, Ask ask, const Board *board, const Limits *limits,
                     uint64_t seed, Thought *thought, Err *err)
{
    if (ask == ASK_THREE) return put_three(player, board, limits, seed, thought, err);
    Limits part = ask == ASK_COLOUR_OR_TWO ? part_of(limits, 60) : *limits;
    if (!player_think(player, board, &part, thought, err)) return false;
    if (!thought->has_value) return true;
    if (ask == ASK_COLOUR_OR_TWO && settle_is_even(thought->value) &&
        put_two(player, board, limits, thought))
        return true;
    if (thought->value < 0.5) thought->decision = DECIDE_SWAP;
    return true;
}
