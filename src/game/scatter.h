/* SPDX-License-Identifier: MIT */
/* Scatter: stones at random, as openings for whoever plays many games. */
#pragma once

#include "base/rng.h"
#include "game/board.h"

/* A part of the board. */
typedef struct {
    int x, y, width, height;
} Area;

/* A square with this side, or less where the board is smaller, in the middle or anywhere. */
Area scatter_area(const Rules *rules, int side, bool middle, Rng *rng);

/* Plays random points of the area, the colours in turn, until so many stones are on the board. Only
 * what is allowed, and nothing that ends the game. The points go to `stones` too, unless that is
 * NULL. Returns how many were put: fewer if the area is too full for them. */
int scatter_stones(Board *board, Area area, int count, Rng *rng, Point *stones);
