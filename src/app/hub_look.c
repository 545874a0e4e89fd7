/* SPDX-License-Identifier: MIT */
/* What can be said of a position at once: who has won, what is forbidden, what a stone on each
 * point would make, which moves look likely. */
#include "app/hub_look.h"

#include "app/cli.h"
#include "app/hub_games.h"
#include "eval/eval.h"
#include "game/ban.h"

#include <math.h>
#include <string.h>

enum { POINTS_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE };

Board *request_board(Client *client, const json_t *body, Refusal *no)
{
    const char *id = NULL;
    if (!field_text(body, "game", TOKEN_MAX, &id, no)) return NULL;
    if (!id) {
        Rules rules;
        Position position;
        if (!field_rules(body, &rules, no) || !field_position(body, &rules, &position, no))
            return NULL;
        Board *board = cli_board(&rules, &position, NEAR_SQUARE2);
        position_free(&position);
        return board;
    }
    Table *table = games_find(client->hub, id, no);
    if (!table) return NULL;
    int64_t ply = table->at.game.move_count;
    Board *board = field_whole(body, "ply", 0, ply, &ply, no)
                       ? table_board(&table->at, (int)ply, NEAR_SQUARE2)
                       : NULL;
    games_release(table);
    return board;
}

/* ---- look ---- */

static const char *class_name(Class class)
{
    static const char *const names[CLASS_COUNT] = {
        [CLASS_THREE] = "three",
        [CLASS_THREE_OPEN_TWO] = "three",
        [CLASS_OPEN_THREE] = "open three",
        [CLASS_OPEN_THREE_TWO] = "open three",
        [CLASS_OPEN_THREE_OPEN_TWO] = "open three",
        [CLASS_OPEN_THREE_THREE] = "open three and three",
        [CLASS_DOUBLE_OPEN_THREE] = "double open three",
        [CLASS_FOUR] = "four",
        [CLASS_FOUR_TWO] = "four",
        [CLASS_FOUR_OPEN_TWO] = "four",
        [CLASS_FOUR_THREE] = "four and three",
        [CLASS_FOUR_OPEN_THREE] = "four and open three",
        [CLASS_DOUBLE_FOUR] = "double four",
        [CLASS_OPEN_FOUR] = "open four",
        [CLASS_FIVE] = "five",
    };
    return names[class];
}

static json_t *json_shapes(const Board *board)
{
    json_t *list = json_array();
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        const char *black = class_name(board_class(board, p, BLACK));
        const char *white = class_name(board_class(board, p, WHITE));
        if (!black && !white) continue;
        json_array_append_new(list,
                              json_pack("{s:o, s:s?, s:s?}", "p", json_point(&board->rules, p), "b",
                                        black, "w", white));
    }
    return list;
}

static json_t *json_bans(const Board *board)
{
    Point points[POINTS_MAX];
    json_t *list = json_array();
    int n = ban_list(board, points);
    for (int i = 0; i < n; i++)
        json_array_append_new(list,
                              json_pack("{s:o, s:s}", "p", json_point(&board->rules, points[i]),
                                        "why", ban_name(ban_at(board, points[i]))));
    return list;
}

static json_t *json_row(const Board *board, Cell winner)
{
    Point row[SIZE_MAX_SIDE];
    int n = 0;
    for (int i = 0; !n && i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board->cell[p] == winner) n = board_winning_row(board, p, row);
    }
    return json_points(&board->rules, row, n);
}

static bool do_look(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    Cell winner = board_scan_winner(board);
    bool won = winner != CELL_EMPTY;
    json_object_set_new(reply, "side", json_colour(board->side));
    json_object_set_new(reply, "stones", json_integer(board->stones));
    json_object_set_new(reply, "winner",
                        won ? json_colour(winner == CELL_BLACK ? BLACK : WHITE) : json_null());
    json_object_set_new(reply, "row", won ? json_row(board, winner) : json_array());
    json_object_set_new(reply, "full", json_boolean(board_is_full(board)));
    json_object_set_new(reply, "forbidden", json_bans(board));
    json_object_set_new(reply, "points", json_shapes(board));
    board_close(board);
    return true;
}

/* ---- policy ---- */

/* Moves that can be played, and how likely each looks; returns how many. */
static int judge_moves(const Board *board, Point *moves, double *weights, Err *err)
{
    enum { UNIT = 100 }; /* of the evaluator's scale: one unit of log odds */
    static const double even = 1;
    int scores[POINTS_MAX], most = INT32_MIN, n = 0;
    double sum = 0;
    int all = board_candidates(board, moves);
    for (int i = 0; i < all; i++) {
        if (ban_allows(board, moves[i], board->side)) moves[n++] = moves[i];
    }
    if (!n && !board_is_full(board)) {
        moves[0] = rules_point(&board->rules, board->rules.width / 2, board->rules.height / 2);
        weights[0] = even;
        return ban_allows(board, moves[0], board->side);
    }
    Eval *eval = eval_shape.open(&board->rules, NULL, err);
    if (!eval) return -1;
    eval->kind->reset(eval, board);
    eval->kind->policy(eval, board, moves, n, scores);
    eval->kind->close(eval);
    for (int i = 0; i < n; i++) most = scores[i] > most ? scores[i] : most;
    for (int i = 0; i < n; i++) sum += weights[i] = exp((double)(scores[i] - most) / UNIT);
    for (int i = 0; i < n; i++) weights[i] /= sum;
    return n;
}

json_t *look_policy(const Board *board, Refusal *no)
{
    enum { SHOWN = 40 };
    static const double SMALLEST = 0.002;
    Point moves[POINTS_MAX];
    double weights[POINTS_MAX];
    int n = judge_moves(board, moves, weights, &no->err);
    if (n < 0) return refuse_so(no, "failed"), NULL;
    json_t *list = json_array();
    for (int shown = 0; shown < SHOWN; shown++) {
        int best = -1;
        for (int i = 0; i < n; i++) {
            if (weights[i] >= SMALLEST && (best < 0 || weights[i] > weights[best])) best = i;
        }
        if (best < 0) break;
        json_array_append_new(list,
                              json_pack("{s:o, s:f}", "p", json_point(&board->rules, moves[best]),
                                        "w", weights[best]));
        weights[best] = 0;
    }
    return list;
}

static bool do_policy(Client *client, Request *request, json_t *reply, Refusal *no)
{
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    json_t *moves = look_policy(board, no);
    if (moves) json_object_set_new(reply, "moves", moves);
    board_close(board);
    return moves != NULL;
}

/* ---- lines ---- */

json_t *look_mate(int score)
{
    if (score >= SCORE_MATE) return json_integer(SCORE_WIN - score);
    if (score <= -SCORE_MATE) return json_integer(-SCORE_WIN - score);
    return json_null();
}

double look_value(int score)
{
    return score >= SCORE_MATE ? 1 : score <= -SCORE_MATE ? 0 : eval_win_rate(score);
}

static json_t *json_line(const Rules *rules, const SearchLine *line)
{
    return json_pack("{s:o, s:f, s:o, s:i, s:o}", "move", json_point(rules, line->move), "value",
                     look_value(line->score), "mate", look_mate(line->score), "depth", line->depth,
                     "line", json_points(rules, line->line, line->line_len));
}

/* Trees, critics and the like have a value of their own and no score, or neither. */
static json_t *json_choice(const Rules *rules, const Thought *thought)
{
    bool alone = thought->line_len == 0 || thought->line[0] != thought->stones[0];
    return json_pack("{s:o, s:o, s:o, s:i, s:o}", "move", json_point(rules, thought->stones[0]),
                     "value", thought->has_value ? json_real(thought->value) : json_null(), "mate",
                     thought->has_value ? look_mate(thought->score) : json_null(), "depth",
                     thought->depth, "line",
                     alone ? json_points(rules, thought->stones, 1)
                           : json_points(rules, thought->line, thought->line_len));
}

json_t *look_lines(const Rules *rules, const Thought *thought)
{
    json_t *lines = json_array();
    for (int i = 0; i < thought->best_count; i++)
        json_array_append_new(lines, json_line(rules, &thought->best[i]));
    if (!thought->best_count && thought->decision == DECIDE_MOVE && thought->stones[0])
        json_array_append_new(lines, json_choice(rules, thought));
    return lines;
}

const Verb look_verbs[] = {{"position.look", do_look}, {"position.policy", do_policy}, {0}};
