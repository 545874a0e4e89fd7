/* SPDX-License-Identifier: MIT */
/* BrainLine: what one line from an outside Gomocup brain says. Pure reading, no process. */
#pragma once

#include "play/player.h"

typedef enum {
    LINE_MESSAGE,  /* MESSAGE and DEBUG: for people */
    LINE_OK,       /* OK */
    LINE_ERROR,    /* ERROR … */
    LINE_UNKNOWN,  /* UNKNOWN …: a command it does not know */
    LINE_ABOUT,    /* name="…", … */
    LINE_SUGGEST,  /* SUGGEST x,y: wants to be told PLAY x,y */
    LINE_DECISION, /* x,y · two or three of them · SWAP */
    LINE_NONSENSE,
} LineKind;

/* A decision is filled into thought. Points off the board are nonsense. */
LineKind brain_line_read(const Rules *rules, const char *line, Thought *thought);

/* Reads what brains commonly write in messages ("depth 12-20 ev 34", "Eval +M5", "value 53.1%")
 * into thought: depth and value. Leaves alone what the message does not say. */
void brain_line_message(const char *line, Thought *thought);
