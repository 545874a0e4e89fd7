/* SPDX-License-Identifier: MIT */
/* Child: a process that is spoken to line by line, with deadlines (instants of os_clock_ms).
 *
 * It runs in a process group of its own and ends with everything it started. Should we be killed,
 * it is killed too, with its group. A Child belongs to one thread at a time. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Child Child;

typedef struct {
    const char *command;     /* words as a shell would split them ("…", '…', \), but no shell */
    const char *folder;      /* where it runs; NULL: here. A relative program counts from there */
    bool own_folder;         /* folder is that of the program, if it is written with one */
    const char *stderr_file; /* appended to; NULL: thrown away. Counts from here */
} ChildPlan;

typedef enum {
    CHILD_LINE, /* a line was read */
    CHILD_LATE, /* the deadline passed; what came so far is kept for the next call */
    CHILD_GONE, /* no more will come: it closed its output or died */
} ChildRead;

enum { CHILD_LINE_MAX = 1 << 16 }; /* bytes of a line; the rest of a longer one is dropped */

Child *child_start(const ChildPlan *plan, Err *err); /* NULL: not started */
/* One line without its end (LF or CRLF) replaces what line held. */
ChildRead child_read_line(Child *child, Buf *line, int64_t deadline);
/* False when the child does not take it all before the deadline, or is gone. */
bool child_write(Child *child, const char *bytes, size_t n, int64_t deadline, Err *err);
bool child_is_alive(Child *child);
/* Stops it with its children, and lets them go on. */
void child_suspend(Child *child);
void child_resume(Child *child);
/* Bytes that it and its descendants have to themselves (unique set size); −1: not known. */
int64_t child_memory(const Child *child);
/* Ends its input, waits until the deadline for it to leave, kills it and all its children, frees.
 * Returns its exit status, or 128 + the number of the signal that ended it. */
int child_close(Child *child, int64_t deadline);
