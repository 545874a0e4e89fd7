/* SPDX-License-Identifier: MIT */
/* Pupil: the `ai` of goren play that has a file of its own. It is a learner (learn/learner.h): it
 * plays with what it knows, and when a game is over it learns from it and is saved, as the programs
 * of the documents do. */
#pragma once

#include "learn/learner.h"

typedef struct {
    Learner *learner;  /* NULL: there is no pupil */
    Player *player;    /* with what was known when the game began */
    char *path, *spec; /* of the learner: td, patterns:depth=2 … */
} Pupil;

/* Opens the file, or begins a new one if there is none. */
bool pupil_open(Pupil *pupil, const char *spec, const char *path, const Rules *rules, Err *err);
/* Learns from a game that is over; rival[c] played colour c, NULL: the pupil itself. */
bool pupil_learn(Pupil *pupil, const Board *board, const char *const rival[COLOUR_COUNT], Err *err);
void pupil_close(Pupil *pupil); /* a zeroed one is fine */
