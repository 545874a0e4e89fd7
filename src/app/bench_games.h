/* SPDX-License-Identifier: MIT */
/* Whole games of our own making, for measuring the board. */
#pragma once

#include "game/rules.h"

typedef struct {
    RuleKind rule;
    int size;
    const char *moves;
} BenchGame;

extern const BenchGame bench_games[]; /* ends with moves NULL */
