/* SPDX-License-Identifier: MIT */
#include "search/proof.h"

#include "game/ban.h"
#include "game/notation.h"

/* --- lines ----------------------------------------------------------------------------------- */

static bool has_five(const Board *board, Colour colour)
{
    return board->count[colour][CLASS_FIVE] > 0;
}

/* Is every point where the other side completes a row forbidden to the side to move? */
static bool blocks_are_forbidden(const Board *board)
{
    Colour other = colour_other(board->side);
    if (!has_five(board, other)) return false;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p) && board_class(board, p, other) == CLASS_FIVE &&
            ban_allows(board, p, board->side))
            return false;
    }
    return true;
}

static bool step_holds(Board *board, Point p, bool attacks, bool last, Goal goal, Err *err)
{
    char text[POINT_TEXT_MAX];
    Colour mover = board->side;
    point_text(&board->rules, p, text);
    if (board->won != CELL_EMPTY) return err_set(err, "the line goes on after a win");
    if (!attacks && has_five(board, mover))
        return err_set(err, "before %s the defender wins", text);
    if (p == POINT_NONE) {
        if (attacks || !blocks_are_forbidden(board))
            return err_set(err, "a pass where there are moves");
        board_pass(board);
        return true;
    }
    if (!ban_allows(board, p, mover)) return err_set(err, "%s is not legal", text);
    board_play(board, p);
    Point row[2 * SIZE_MAX_SIDE];
    if (last && !board_winning_row(board, p, row)) return err_set(err, "%s does not win", text);
    if (!last && attacks && goal == GOAL_VCF && !has_five(board, mover))
        return err_set(err, "%s makes no four", text);
    return true;
}

bool proof_line_holds(Board *board, const Point *line, int plies, Goal goal, Err *err)
{
    if (plies < 1 || plies % 2 == 0) return err_set(err, "a line of %d plies", plies);
    int before = board->plies;
    bool good = true;
    for (int i = 0; i < plies && good; i++)
        good = step_holds(board, line[i], i % 2 == 0, i == plies - 1, goal, err);
    while (board->plies > before) board_undo(board);
    return good;
}
