/* SPDX-License-Identifier: MIT */
/* Diagram: a position drawn in text, and read back. '.' empty, 'X' Black, 'O' White:
 *
 *      3 . . O
 *      2 . X .
 *      1 . . .
 *        a b c
 *
 * The reader passes over blank lines and lines of column letters (they begin with a small
 * letter); row numbers may be left out, but those that stand there must be right. */
#pragma once

#include "base/buf.h"
#include "game/rules.h"

#include <stdint.h>

/* cells holds a Cell for each Point (rules_area entries). */
void diagram_write(const Rules *rules, const uint8_t *cells, Buf *out);

/* Fills all of cells, walls included. The diagram must have the size that rules says. */
bool diagram_read(const Rules *rules, const char *text, uint8_t *cells, Err *err);

/* The size of a diagram before any rules are known: cells of its first row, number of its rows. */
bool diagram_size(const char *text, int *width, int *height, Err *err);
