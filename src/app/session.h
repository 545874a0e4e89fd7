/* SPDX-License-Identifier: MIT */
/* Session: games on the terminal between people, players and a pupil.
 *
 * Whoever's turn it is gives a move; a person may also give a command. Nothing a person types can
 * lose the game: what is not understood or not allowed is explained, and the question comes again.
 */
#pragma once

#include "app/pupil.h"
#include "app/term.h"
#include "game/board.h"
#include "play/player.h"

typedef enum {
    END_NOT,
    END_ROW,
    END_FULL,
    END_STUCK, /* nothing but forbidden points is left to Black */
    END_FOUL,  /* a player played a forbidden point, or no point at all */
} End;

typedef struct {
    Term term;
    Board *board;
    Player *player[COLOUR_COUNT]; /* NULL: a person, or the pupil */
    bool taught[COLOUR_COUNT];    /* the pupil plays it */
    Pupil pupil;
    const char *spec[COLOUR_COUNT]; /* what they are called */
    Limits limits;
    int delay_us; /* before a player's move */
    bool learnt;  /* the pupil has had this game */
    End end;
    Colour winner; /* for END_ROW and END_FOUL */
    bool quit;
} Session;

/* Plays until a person quits; players alone play one game. What there is before the game's state
 * (learnt, end, winner, quit) is the caller's to fill and to close. */
void session_run(Session *s);
