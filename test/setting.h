/* SPDX-License-Identifier: MIT */
/* What tests of the search share: a position with a search for it. */
#pragma once

#include "search/search.h"

typedef struct {
    Rules rules;
    Board *board;
    Search *search;
} Setting;

/* Fails the test if the position cannot be read. */
Setting setting(RuleKind kind, int size, const char *moves, int threads);
void setting_close(Setting *s);
SearchResult setting_think(Setting *s, Limits limits);
