/* SPDX-License-Identifier: MIT */
#include "play/settle.h"

#include "game/scatter.h"
#include "play/balance.h"

#include <math.h>

enum {
    OPENINGS_TRIED = 8,
    OPENING_STONES = 3,
    OPENING_SIDE = 7, /* of the square in which the stones lie */
};
static const double EVEN = 0.02;        /* as near to even as makes no difference */
static const double EVEN_ENOUGH = 0.05; /* the first opening this near to even is taken */

/* True, so that it can end whatever found them. */
static bool set_stones(Thought *thought, int count)
{
    thought->decision = DECIDE_STONES;
    thought->stone_count = count;
    return true;
}

/* --- three stones ---------------------------------------------------------------------------- */

static void take_stones(Board *board, Thought *thought)
{
    set_stones(thought, OPENING_STONES);
    for (int i = OPENING_STONES - 1; i >= 0; i--) {
        thought->stones[i] = board_last_point(board);
        board_undo(board);
    }
}

/* What one look may cost: of the turn, or of a quarter of the clock where that is less. */
static Limits share_of(const Limits *limits)
{
    Limits share = *limits;
    int64_t quarter = share.left_ms / 4;
    if (quarter && (!share.turn_ms || quarter < share.turn_ms)) share.turn_ms = quarter;
    if (share.turn_ms) share.turn_ms = share.turn_ms / OPENINGS_TRIED + 1;
    if (share.nodes) share.nodes = share.nodes / OPENINGS_TRIED + 1;
    return share;
}

static bool put_three(Player *player, const Board *board, const Limits *limits, uint64_t seed,
                      Thought *thought, Err *err)
{
    Rng rng;
    rng_seed(&rng, seed);
    Limits share = share_of(limits);
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

/* --- colours --------------------------------------------------------------------------------- */

/* Two stones more where neither colour is worth more than the other, and the player can judge which
 * make it even again. */
static bool put_even_two(Player *player, const Board *board, const Limits *limits, Thought *thought)
{
    Thought two = {0};
    Limits rest = limits_part(limits, 30);
    /* What the player thinks best, even where it is one that does not always play that. */
    Point best = thought->line_len ? thought->line[0] : thought->stones[0];
    if (fabs(thought->value - 0.5) > EVEN ||
        !balance_after(player, board, best, &rest, 0, &two, NULL) || !two.has_value)
        return false;
    thought->stones[0] = two.stones[0];
    thought->stones[1] = two.stones[1];
    return set_stones(thought, 2);
}

bool settle_by_think(Player *player, Ask ask, const Board *board, const Limits *limits,
                     uint64_t seed, Thought *thought, Err *err)
{
    if (ask == ASK_THREE) return put_three(player, board, limits, seed, thought, err);
    Limits most = ask == ASK_COLOUR_OR_TWO ? limits_part(limits, 60) : *limits;
    if (!player_think(player, board, &most, thought, err)) return false;
    if (!thought->has_value) return true;
    if (ask == ASK_COLOUR_OR_TWO && put_even_two(player, board, limits, thought)) return true;
    if (thought->value < 0.5) thought->decision = DECIDE_SWAP;
    return true;
}
