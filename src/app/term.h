/* SPDX-License-Identifier: MIT */
/* Term: a board drawn on a terminal, and lines typed there. Works through pipes as well: then
 * without colours and prompts. */
#pragma once

#include "base/buf.h"
#include "game/board.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *in, *out;
    bool colour;      /* out is a terminal that wants colours */
    bool interactive; /* in is a terminal */
} Term;

void term_init(Term *term, FILE *in, FILE *out);

/* Coordinates, stones, the last move in (), the winning row behind *, Black's forbidden points as !
 * when it is Black's turn:
 *
 *      3 . . O
 *      2 .(X).
 *      1 . . .
 *        a b c                                                                                  */
void term_draw(const Term *term, const Board *board);

/* One line without blanks around it; false at the end of input. */
bool term_read(const Term *term, const char *prompt, Buf *line);
