/* SPDX-License-Identifier: MIT */
/* Brain: the engine behind the Gomocup protocol and its Yixin extension. Lines in, lines out.
 *
 * brain_handle reads one line and thinks inside the call; brain_stop and brain_quit come from any
 * other thread. Who reads the lines and where the answers go is the caller's business: brain_run
 * does it for stdin and stdout, tests and fuzzers do it for themselves. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Brain Brain;

typedef struct {
    const char *player;                         /* spec of the player that thinks; outlives it */
    void (*write)(void *ctx, const char *line); /* one line without its end */
    void *ctx;
    uint64_t seed; /* for openings; 0: another one each time */
} BrainOptions;

Brain *brain_open(const BrainOptions *options, Err *err); /* NULL: no such player */
void brain_close(Brain *brain);

/* Does what one line says. `arrived` is the os_clock_ms at which it came: clocks run from there.
 * False: it was END. */
bool brain_handle(Brain *brain, const char *line, int64_t arrived);
/* What was asked by the first `lines` lines is answered as soon as possible, with what is known. */
void brain_stop(Brain *brain, int64_t lines);
/* What is still being thought about is not answered at all. */
void brain_quit(Brain *brain);

/* For when there is no line to handle: thinks on the opponent's time, if that was asked for and it
 * is his turn, until brain_wake. That comes from any thread, before the next line is handed to
 * brain_handle, and may come before brain_ponder too. */
void brain_ponder(Brain *brain);
void brain_wake(Brain *brain);

/* Is the line one that must not wait for a thought to end? */
bool brain_line_is_stop(const char *line);
bool brain_line_is_end(const char *line);

/* The whole program: stdin and stdout until END or the end of input. Returns the exit code. */
int brain_run(const char *player);
