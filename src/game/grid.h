/* SPDX-License-Identifier: MIT */
/* Grid: the geometry of a board of one size, immutable and shared by all boards of that size.
 *
 * Window keys are kept line by line, so that the 2k+1 keys that a stone changes in one direction
 * lie side by side and are updated with one vector addition:
 *
 *     direction 0  →   line y,              place x
 *     direction 1  ↓   line x,              place y
 *     direction 2  ↘   line (x − y) mod M,  place y          M = width + k
 *     direction 3  ↙   line (x + y) mod M,  place y
 *
 * Two diagonals that share a line through the modulus are at least k places apart, as are the end
 * of a line and the start of the next one, so a stone never reaches a foreign window. */
#pragma once

#include "base/kept.h"
#include "game/rules.h"

enum { DIR_COUNT = 4, KEY_LANES = 16 };

typedef struct {
    uint64_t zobrist[COLOUR_COUNT];
    uint16_t place[DIR_COUNT]; /* where the point's key lies in each direction's plane */
    uint8_t x, y;
} Site;

typedef struct {
    Kept kept;
    int width, height, k;
    int area;             /* entries of an array indexed by Point */
    int plane;            /* keys in a direction's plane, a multiple of KEY_LANES */
    int step[DIR_COUNT];  /* from a point to its neighbour in each direction */
    Site *site;           /* by Point */
    uint32_t *empty_keys; /* DIR_COUNT planes: the keys of the empty board; places off the board
                             read as an occupied centre. NULL when k > LINE_WIN_MAX */
} Grid;

extern const uint64_t ZOBRIST_WHITE_TO_MOVE;

/* The grid for the size and k of rules: made at the first call, kept to the end, shared. */
const Grid *grid_get(const Rules *rules);
