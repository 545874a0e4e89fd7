/* SPDX-License-Identifier: MIT */
#include "play/game.h"

#include "base/mem.h"
#include "game/ban.h"
#include "game/notation.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWAP_STONES = 3, SWAP2_STONES = 5 };

const char *phase_name(Phase phase)
{
    static const char *const names[PHASE_COUNT] = {"normal", "swap1", "swap2", "pro", "longpro"};
    return names[phase];
}

/* ---- start ---- */

static void put_setup(Board *board, const GamePlan *plan)
{
    for (int i = 0; i < plan->setup_count; i++)
        board_put(board, plan->setup[i].point, (Colour)plan->setup[i].colour);
    if (plan->setup_count) board_set_side(board, plan->first);
}

static bool check_setup(const GamePlan *plan, Err *err)
{
    if (!plan->setup_count) return true;
    if (plan->phase != PHASE_NORMAL || plan->stone_count)
        return err_set(err, "a position that is set up takes no %s",
                       plan->stone_count ? "opening" : phase_name(plan->phase));
    Board *board = board_open(&plan->rules, NEAR_ALL);
    put_setup(board, plan);
    bool won = board_scan_winner(board) != CELL_EMPTY, full = board_is_full(board);
    board_close(board);
    if (won) return err_set(err, "the position is over: somebody has won");
    return !full || err_set(err, "the position is over: the board is full");
}

bool game_check(const GamePlan *plan, Err *err)
{
    const Rules *rules = &plan->rules;
    int n = plan->stone_count;
    if ((plan->phase == PHASE_SWAP1 && n != 0 && n != SWAP_STONES) ||
        (plan->phase == PHASE_SWAP2 && n != 0 && n != SWAP_STONES && n != SWAP2_STONES))
        return err_set(err, "%s begins with an empty board or %s stones, not with %d",
                       phase_name(plan->phase), plan->phase == PHASE_SWAP1 ? "3" : "3 or 5", n);
    bool pro = plan->phase == PHASE_PRO || plan->phase == PHASE_LONG_PRO;
    if (pro && n > 0) return err_set(err, "%s takes no opening", phase_name(plan->phase));
    if (plan->phase != PHASE_NORMAL && (rules->width < 9 || rules->height < 9))
        return err_set(err, "%s needs a board of 9x9 or more", phase_name(plan->phase));
    if (!check_setup(plan, err)) return false;
    Board *board = board_open(rules, NEAR_ALL);
    bool good = true;
    char text[POINT_TEXT_MAX];
    for (int i = 0; good && i < n; i++) {
        if (board_is_over(board)) {
            good = err_set(err, "the opening goes on after the end of the game");
        } else if (!ban_allows(board, plan->stones[i], board->side)) {
            good = err_set(err, "the opening's %s is taken or forbidden",
                           point_text(rules, plan->stones[i], text));
        } else {
            board_play(board, plan->stones[i]);
        }
    }
    if (good && board_is_over(board)) good = err_set(err, "the opening ends the game");
    board_close(board);
    return good;
}

static void game_end(Game *game, int winner, RecordReason reason, const char *detail)
{
    assert(!game->over);
    game->over = true;
    game->winner = winner;
    game->reason = reason;
    snprintf(game->detail, sizeof game->detail, "%s", detail ? detail : "");
}

void game_lose(Game *game, int seat, RecordReason reason, const char *detail)
{
    game_end(game, SEAT_COUNT - 1 - seat, reason, detail);
}

void game_draw(Game *game, RecordReason reason, const char *detail)
{
    game_end(game, -1, reason, detail);
}

static int seat_of(const Game *game, Colour colour)
{
    return game->colour[SEAT_FIRST] == colour ? SEAT_FIRST : SEAT_SECOND;
}

static bool is_stuck(const Board *board)
{
    if (!board->rules.side[board->side].fouls) return false;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        if (ban_allows(board, rules_nth(&board->rules, i), board->side)) return false;
    }
    return true;
}

/* A stone on the board and in the list; the rest of its entry is for note_thought. */
static void put_stone(Game *game, Point p, int seat)
{
    game->moves[game->move_count++] =
        (GameMove){.point = p, .colour = (uint8_t)game->board->side, .seat = (uint8_t)seat};
    board_play(game->board, p);
}

/* Is the game over by what stands on the board? */
static void judge(Game *game)
{
    const Board *board = game->board;
    if (board->won != CELL_EMPTY) {
        game_end(game, seat_of(game, (Colour)(board->won - CELL_BLACK)), REASON_FIVE, NULL);
    } else if (board_is_full(board)) {
        game_draw(game, REASON_FULL, NULL);
    } else if (game->plan.draw_after && board->stones >= game->plan.draw_after) {
        game_draw(game, REASON_FULL, "as many stones as the match allows");
    } else if (is_stuck(board)) {
        game_draw(game, REASON_FULL, "only forbidden points are left");
    }
}

/* Black's third stone of pro may not lie near the centre. */
static void block_centre(Game *game)
{
    const Rules *rules = &game->plan.rules;
    int reach = game->plan.phase == PHASE_PRO ? 2 : 3;
    game->blocked_count = 0;
    if ((game->plan.phase != PHASE_PRO && game->plan.phase != PHASE_LONG_PRO) ||
        game->move_count != 2)
        return;
    for (int y = rules->height / 2 - reach; y <= rules->height / 2 + reach; y++) {
        for (int x = rules->width / 2 - reach; x <= rules->width / 2 + reach; x++)
            game->blocked[game->blocked_count++] = rules_point(rules, x, y);
    }
}

/* Who is asked for what next. */
static void next_ask(Game *game)
{
    int n = game->move_count;
    bool swap2 = game->plan.phase == PHASE_SWAP2;
    if (game->settled) {
        game->ask = ASK_MOVE;
        game->seat = seat_of(game, game->board->side);
        block_centre(game);
    } else if (n == 0) {
        game->ask = ASK_THREE;
        game->seat = SEAT_FIRST;
    } else {
        game->ask = swap2 && n == SWAP_STONES ? ASK_COLOUR_OR_TWO : ASK_COLOUR;
        game->seat = n == SWAP2_STONES ? SEAT_FIRST : SEAT_SECOND;
    }
}

void game_open(Game *game, const GamePlan *plan)
{
    const Rules *rules = &plan->rules;
    size_t points = (size_t)rules->width * (size_t)rules->height;
    *game = (Game){
        .plan = *plan,
        .board = board_open(rules, NEAR_ALL),
        .moves = mem_zero((points + 1) * sizeof(GameMove)), /* one to spare: never an empty block */
        .blocked = mem_zero(points * sizeof(Point)),
        .colour = {BLACK, WHITE},
        .left_ms = {plan->clock.match_ms, plan->clock.match_ms},
        .settled = plan->phase != PHASE_SWAP1 && plan->phase != PHASE_SWAP2,
        .winner = -1,
    };
    put_setup(game->board, plan);
    for (int i = 0; i < plan->stone_count; i++) put_stone(game, plan->stones[i], SEAT_NOBODY);
    if (plan->phase == PHASE_PRO || plan->phase == PHASE_LONG_PRO)
        put_stone(game, rules_point(rules, rules->width / 2, rules->height / 2), SEAT_NOBODY);
    game->plan.stones = NULL;
    game->plan.setup = NULL;
    judge(game);
    next_ask(game);
}

void game_close(Game *game)
{
    board_close(game->board);
    mem_free(game->moves);
    mem_free(game->blocked);
    *game = (Game){0};
}

/* ---- decisions ---- */

void game_limits(const Game *game, Limits *limits)
{
    const ClockPlan *clock = &game->plan.clock;
    *limits = (Limits){
        .turn_ms = clock->turn_ms,
        .increment_ms = clock->match_ms ? clock->increment_ms : 0,
        .blocked = game->blocked,
        .blocked_count = game->blocked_count,
    };
    /* Within the grace a clock may be below zero, and zero means no clock. */
    if (clock->match_ms)
        limits->left_ms = game->left_ms[game->seat] > 1 ? game->left_ms[game->seat] : 1;
}

/* False: too late, the game is over. */
static bool take_time(Game *game, int64_t elapsed_ms)
{
    const ClockPlan *clock = &game->plan.clock;
    int64_t *left = &game->left_ms[game->seat];
    int64_t allowed = INT64_MAX;
    if (clock->turn_ms) allowed = clock->turn_ms;
    if (clock->match_ms && *left < allowed) allowed = *left > 0 ? *left : 0;
    if (clock->match_ms) *left -= elapsed_ms;
    if (allowed < INT64_MAX && elapsed_ms > allowed + clock->grace_ms) {
        char detail[GAME_DETAIL_MAX];
        snprintf(detail, sizeof detail, "took %lld ms and had %lld", (long long)elapsed_ms,
                 (long long)allowed);
        game_lose(game, game->seat, REASON_TIME, detail);
        return false;
    }
    if (clock->match_ms) *left += clock->increment_ms;
    return true;
}

/* What the decision cost, with the first of its stones. */
static void note_thought(Game *game, int first, const Thought *thought, int64_t elapsed_ms)
{
    for (int i = first; i < game->move_count; i++) {
        GameMove *move = &game->moves[i];
        move->clock_ms = game->left_ms[game->seat];
        if (i > first) continue;
        move->elapsed_ms = elapsed_ms > INT32_MAX ? INT32_MAX : (int)elapsed_ms;
        move->has_value = thought->has_value && thought->decision == DECIDE_MOVE;
        move->value = (float)thought->value;
        move->depth = thought->depth;
        move->nodes = thought->nodes;
    }
}

/* Plays a point for the seat that is asked. False: it may not be played, and the game is over. */
static bool play_point(Game *game, Point p)
{
    const Board *board = game->board;
    const Rules *rules = &board->rules;
    char detail[GAME_DETAIL_MAX], text[POINT_TEXT_MAX];
    bool blocked = false;
    for (int i = 0; i < game->blocked_count; i++) blocked |= game->blocked[i] == p;
    if (p == POINT_NONE) {
        game_lose(game, game->seat, REASON_ILLEGAL, "gave no move");
        return false;
    }
    if (!board_is_empty(board, p) || blocked) {
        snprintf(detail, sizeof detail, "played %s, which is %s", point_text(rules, p, text),
                 blocked ? "too near to the centre" : "taken");
        game_lose(game, game->seat, REASON_ILLEGAL, detail);
        return false;
    }
    Ban ban = board->side == BLACK ? ban_at(board, p) : BAN_NONE;
    put_stone(game, p, game->seat);
    if (ban == BAN_NONE) return true;
    snprintf(detail, sizeof detail, "played %s, a %s", point_text(rules, p, text), ban_name(ban));
    game_lose(game, game->seat, REASON_FOUL, detail);
    return false;
}

static void settle_as(Game *game, Colour colour)
{
    game->colour[game->seat] = colour;
    game->colour[1 - game->seat] = colour_other(colour);
    game->settled = true;
}

void game_act(Game *game, const Thought *thought, int64_t elapsed_ms)
{
    assert(!game->over);
    int first = game->move_count;
    if (!take_time(game, elapsed_ms)) return;
    if (!thought_answers(thought, game->ask)) {
        game_lose(game, game->seat, REASON_ILLEGAL, "answered something that was not asked for");
        return;
    }
    bool going = true;
    if (thought->decision == DECIDE_SWAP) {
        settle_as(game, BLACK);
    } else if (thought->decision == DECIDE_MOVE) {
        if (!game->settled) settle_as(game, WHITE);
        going = play_point(game, thought->stones[0]);
    } else {
        for (int i = 0; going && i < thought->stone_count; i++)
            going = play_point(game, thought->stones[i]);
    }
    note_thought(game, first, thought, elapsed_ms);
    if (going) judge(game);
    if (!game->over) next_ask(game);
}
