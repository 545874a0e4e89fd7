/* SPDX-License-Identifier: MIT */
/* Proof: what a solver claims, checked by someone who does not trust it. Only Board and Ban are
 * used here; no line, table or verdict of a search is believed.
 *
 * A certificate is a text file, position by position the move that wins:
 *
 *     goren-proof 1
 *     rule renju
 *     size 15x15
 *     win 5
 *     attacker b
 *     side b
 *     position b:h8g7/w:i9
 *     moves 2
 *     0123456789abcdef h9      key of a position with the attacker to move, and his move
 *     …
 *
 * The key is sym_key, one for all images of a position; the move is that of the image sym_canonical
 * picks. Positions where the attacker completes a row at once are left out. It proves the win if
 * the defender, whatever legal move he tries, never completes a row, never fills the board, and
 * always comes to a position that is in the list or completes a row for the attacker. A defender
 * without a legal move passes. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "game/board.h"

typedef enum { GOAL_VCF, GOAL_VCT, GOAL_WIN } Goal;

/* Replays a line that is said to win for the side to move: every move is legal, the last one
 * completes a row, the defender never passes by a win of his own, POINT_NONE stands only where
 * every block is forbidden to him, and for GOAL_VCF every attack makes a four or more. The board is
 * played on and left as it was. */
bool proof_line_holds(Board *board, const Point *line, int plies, Goal goal, Err *err);

/* The attacker's winning move in the position on the board; POINT_NONE if he knows none. */
typedef Point ProofMove(void *ctx, Board *board);

/* Walks all replies to the moves of `move_of` and appends the certificate to out. False if it knows
 * no move somewhere, or at more than `most` positions. */
bool proof_write(Board *board, Colour attacker, ProofMove *move_of, void *ctx, int64_t most,
                 Buf *out, Err *err);

typedef struct {
    Rules rules;
    Colour attacker;
    int64_t moves;     /* in the list */
    int64_t positions; /* replayed, with the attacker to move */
    bool is_one;       /* it begins as a certificate, of a version that we know */
} ProofSummary;

/* Reads a certificate and replays it whole. Lines may end as on Windows, and a byte order mark may
 * stand before them. */
bool proof_check(const char *text, size_t len, ProofSummary *summary, Err *err);
