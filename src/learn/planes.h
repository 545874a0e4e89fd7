/* SPDX-License-Identifier: MIT */
/* Planes: a position as a network sees it, two bytes a point and one for the whole.
 *
 * For every point of a square frame at least as large as the board:
 *
 *     plane 0   what the point is to the side to move      a Class while it is empty (line.h: five,
 *     plane 1   what it is to the other side               open four, …), else one of the marks
 *
 * The classes are what the lines through the point amount to; with them a small network need not
 * find out by itself what a four is. The board lies in the upper left corner of the frame. The byte
 * for the whole is planes_kind: rule and colour to move. One byte is an index into an embedding;
 * so little crosses to the accelerator, and the rest is unfolded there.
 *
 * Classes do not depend on directions, so a symmetry only moves bytes. */
#pragma once

#include "game/board.h"
#include "game/sym.h"

enum {
    PLANES_BANNED = 24, /* empty, but forbidden to that colour */
    PLANES_OWN = 25,    /* a stone of the side to move, in both planes */
    PLANES_OTHER = 26,  /* a stone of the other side */
    PLANES_OFF = 27,    /* off the board */
    PLANES_VALUES = 32, /* every byte is below this */
    PLANES_COUNT = 2,
    PLANES_KINDS = 2 * RULE_COUNT,
    PLANES_FRAME_MAX = 32,
};

static inline int planes_kind(const Board *board)
{
    return 2 * (int)board->rules.kind + (int)board->side;
}

/* Where a point lies in a frame, mirrored or turned. */
int planes_place(const Rules *rules, Sym sym, int frame, Point p);

/* out: PLANES_COUNT planes of frame·frame bytes. */
void planes_write(const Board *board, Sym sym, int frame, uint8_t *out);

/* Picks the logits of some moves out of a frame·frame plane of bfloat16 (the upper half of a float,
 * as the network leaves it, no symmetry). What is no number counts as hopeless. */
void planes_logits(const Board *board, int frame, const uint16_t *plane, const Point *moves,
                   int count, float *out);
