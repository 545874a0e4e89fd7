/* SPDX-License-Identifier: MIT */
/* Intake: the games that an archive still lacks, handed out by their numbers and taken in as they
 * come back, in any order and from any thread. What goes wrong with one ends it for all. */
#pragma once

#include "learn/archive.h"
#include "learn/selfplay.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    int games;         /* the archive is to have: numbers 0 … games − 1 */
    bool again;        /* players may be lost: when all is handed out, so is what is not back */
    atomic_bool *stop; /* from any thread: no more games */
    SelfplayReport *report;
    void *ctx; /* of report */
} IntakePlan;

typedef struct Intake Intake;

Intake *intake_open(Archive *archive, const IntakePlan *plan); /* the archive is not owned */
/* False: not everything went well, and err is the first thing that did not. */
bool intake_close(Intake *intake, Err *err);

int intake_take(Intake *intake); /* a game's number; −1: there are no more */
/* A game that is there already is dropped: game number i is the same whoever played it. */
void intake_give(Intake *intake, const ArchiveGame *game);
void intake_fail(Intake *intake, const Err *why); /* nothing more is handed out */
bool intake_is_over(Intake *intake);              /* all games are there, or no more are wanted */

SelfplayDesk intake_desk(Intake *intake);
