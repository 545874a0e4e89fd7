/* SPDX-License-Identifier: MIT */
#include "play/settle.h"

#include "base/rng.h"
#include "game/ban.h"

#include <math.h>

enum {
    OPENINGS_TRIED = 8,
    OPENING_STONES = 3,
    OPENING_REACH = 3, /* the stones lie in a square of 2·reach + 1 */
};
static const double EVEN_ENOUGH = 0.05; /* the first opening this near to even is taken */

static int near(Rng *rng, int centre, int side)
{
    int at = centre + (int)rng_below(rng, 2 * OPENING_REACH + 1) - OPENING_REACH;
    return at < 0 ? 0 : at >= side ? side - 1 : at;
}

/* Three stones close to each other, anywhere; false if that did not come out this time. */
static bool draw_opening(Rng *rng, Board *board)
{
    const Rules *rules = &board->rules;
    int x = (int)rng_below(rng, (uint32_t)rules->width);
    int y = (int)rng_below(rng, (uint32_t)rules->height);
    board_reset(board);
    for (int tries = 0; board->stones < OPENING_STONES && tries < 100; tries++) {
        Point p = rules_point(rules, near(rng, x, rules->width), near(rng, y, rules->height));
        if (ban_allows(board, p, board->side)) board_play(board, p);
    }
    return board->stones == OPENING_STONES && !board_is_over(board);
}

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
        bool drawn = draw_opening(&rng, tried);
        for (int tries = 0; !drawn && tries < 100; tries++) drawn = draw_opening(&rng, tried);
        if (!drawn) break;
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

bool settle_by_think(Player *player, Ask ask, const Board *board, const Limits *limits,
                     uint64_t seed, Thought *thought, Err *err)
{
    if (ask == ASK_THREE) return put_three(player, board, limits, seed, thought, err);
    if (!player_think(player, board, limits, thought, err)) return false;
    if (thought->has_value && thought->value < 0.5) thought->decision = DECIDE_SWAP;
    return true;
}
