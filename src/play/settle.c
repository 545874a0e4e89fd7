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

/* At least 1, and right for every number that a manager may send. */
static int64_t percent_of(int64_t whole, int percent)
{
    return whole / 100 * percent + whole % 100 * percent / 100 + 1;
}

/* A part of what a question may cost. */
static Limits part_of(const Limits *limits, int percent)
{
    Limits part = *limits;
    if (part.nodes) part.nodes = percent_of(part.nodes, percent);
    if (part.turn_ms) part.turn_ms = percent_of(part.turn_ms, percent);
    if (part.left_ms) part.left_ms = percent_of(part.left_ms, percent);
    return part;
}

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

/* --- balance --------------------------------------------------------------------------------- */

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

/* The searched move whose score is nearest to `bias`. */
static Point nearest(const Thought *thought, int64_t bias)
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

/* The move that is worth as near to `bias` as can be to whoever makes it; of a player that does not
 * say what each move is worth (then thought->best_count is 0) simply its move. */
static bool put_one(Player *player, const Board *board, const Limits *limits, int64_t bias,
                    Thought *thought, Err *err)
{
    Limits all = *limits;
    all.lines = board->rules.width * board->rules.height;
    if (!player_think(player, board, &all, thought, err)) return false;
    thought->stones[0] = nearest(thought, bias);
    return set_stones(thought, 1);
}

/* The given move, and the opponent's that makes it even. */
static bool put_two(Player *player, const Board *board, Point first, const Limits *limits,
                    int64_t bias, Thought *thought, Err *err)
{
    if (!board_is_empty(board, first)) return err_set(err, "the player sees no stone to put first");
    Board *after = board_clone(board);
    board_play(after, first);
    bool good = board_is_over(after) ? err_set(err, "the first of the two stones ends the game")
                                     : put_one(player, after, limits, -bias, thought, err);
    board_close(after);
    thought->stones[1] = thought->stones[0];
    thought->stones[0] = first;
    return good && set_stones(thought, 2);
}

/* What the player thinks best, even where it is one that does not always play that. */
static Point best_move(const Thought *thought)
{
    return thought->line_len ? thought->line[0] : thought->stones[0];
}

bool settle_balance(Player *player, const Board *board, const Limits *limits, int stones,
                    int64_t bias, Thought *thought, Err *err)
{
    Limits part = part_of(limits, 95 / stones);
    if (stones == 1) return put_one(player, board, &part, bias, thought, err);
    return player_think(player, board, &part, thought, err) &&
           put_two(player, board, best_move(thought), &part, bias, thought, err);
}

/* --- colours --------------------------------------------------------------------------------- */

/* Two stones more where neither colour is worth more than the other, and the player can judge which
 * make it even again. */
static bool put_even_two(Player *player, const Board *board, const Limits *limits, Thought *thought)
{
    Thought two = {0};
    Limits rest = part_of(limits, 30);
    if (fabs(thought->value - 0.5) > EVEN ||
        !put_two(player, board, best_move(thought), &rest, 0, &two, NULL) || !two.best_count)
        return false;
    thought->stones[0] = two.stones[0];
    thought->stones[1] = two.stones[1];
    return set_stones(thought, 2);
}

bool settle_by_think(Player *player, Ask ask, const Board *board, const Limits *limits,
                     uint64_t seed, Thought *thought, Err *err)
{
    if (ask == ASK_THREE) return put_three(player, board, limits, seed, thought, err);
    Limits most = ask == ASK_COLOUR_OR_TWO ? part_of(limits, 60) : *limits;
    if (!player_think(player, board, &most, thought, err)) return false;
    if (!thought->has_value) return true;
    if (ask == ASK_COLOUR_OR_TWO && put_even_two(player, board, limits, thought)) return true;
    if (thought->value < 0.5) thought->decision = DECIDE_SWAP;
    return true;
}
