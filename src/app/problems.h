/* SPDX-License-Identifier: MIT */
/* Problems: suites of positions in which the side to move wins, for the trainer. Two are built in
 * (data/problems-*.tsv); others come from files named when the server starts. */
#pragma once

#include "base/err.h"
#include "game/board.h"
#include "game/record.h"
#include "search/proof.h"

#include <stdbool.h>

typedef struct {
    char name[64]; /* what requests call it */
    const char *about;
    RecordSet set; /* one record a problem */
} Suite;

typedef struct {
    Suite *suites; /* owned */
    int count;
} Problems;

/* `files`: paths with commas between; NULL: only the built-in ones. */
bool problems_open(Problems *problems, const char *files, Err *err);
void problems_close(Problems *problems);
const Suite *problems_find(const Problems *problems, const char *name); /* NULL: there is none */

/* What is to be found: the claim of the suite, else a win of any kind. */
Goal problem_goal(const Record *record);
