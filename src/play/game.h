/* SPDX-License-Identifier: MIT */
/* Game: one game between two seats as a passive state machine: rules, opening phase, moves, clocks,
 * result. It asks nobody and waits for nothing; whoever drives it (a match, a terminal, a server)
 * reads what is wanted of whom, and hands in what came:
 *
 *      while (!game.over) {
 *          seat = game.seat; ask = game.ask; game_limits(&game, &limits);
 *          … think …
 *          game_act(&game, &thought, elapsed_ms);
 *      }
 *
 * Seats stay, colours may change: the first seat begins as Black, and a swap gives whoever chose
 * it Black. Anything against the rules or the clock ends the game, with the reason. */
#pragma once

#include "game/board.h"
#include "game/record.h"
#include "play/player.h"

typedef enum {
    PHASE_NORMAL,
    PHASE_SWAP1,    /* the first puts three stones, the second chooses a colour */
    PHASE_SWAP2,    /* … or puts two more, and the first chooses */
    PHASE_PRO,      /* Black's first stone in the centre, his second outside the central 5x5 */
    PHASE_LONG_PRO, /* … 7x7 */
    PHASE_COUNT
} Phase;

const char *phase_name(Phase phase); /* "normal", "swap1", "swap2", "pro", "longpro" */
#define PHASE_CHOICES "normal|swap1|swap2|pro|longpro"

typedef struct {
    int64_t match_ms;     /* on each clock at the start; 0: no clock */
    int64_t turn_ms;      /* for one decision; 0: no limit */
    int64_t increment_ms; /* the clock gains after each decision */
    int64_t grace_ms;     /* so much over the time is forgiven, though it is on the clock */
} ClockPlan;

typedef struct {
    Rules rules;
    Phase phase;
    const Point *stones; /* put before the game begins, Black's first; the caller's */
    int stone_count;
    const RecordStone *setup; /* or any position, without an opening phase; the caller's */
    int setup_count;
    Colour first; /* who is to move then */
    ClockPlan clock;
    int draw_after; /* so many stones on the board are a draw; 0: a full board */
} GamePlan;

enum { SEAT_FIRST, SEAT_SECOND, SEAT_COUNT, SEAT_NOBODY = SEAT_COUNT };

typedef struct {
    Point point;
    uint8_t colour;   /* Colour */
    uint8_t seat;     /* who put it; SEAT_NOBODY: the opening */
    bool has_value;   /* of what follows: */
    float value;      /* expected score of the mover, 0 … 1 */
    int depth;        /* 0: not said */
    int64_t nodes;    /* 0: not said */
    int elapsed_ms;   /* for the decision; stones put together share the first's, then 0 */
    int64_t clock_ms; /* left after it; 0 without a clock */
} GameMove;

enum { GAME_DETAIL_MAX = 160 };

typedef struct {
    GamePlan plan;
    Board *board;
    GameMove *moves; /* owned; room for all points */
    int move_count;
    Colour colour[SEAT_COUNT];
    int64_t left_ms[SEAT_COUNT]; /* below 0 within the grace */
    bool settled;                /* colours are final */
    Point *blocked;              /* owned; for this move only: what pro forbids */
    int blocked_count;

    bool over;
    int seat; /* whose decision is wanted, while not over */
    Ask ask;

    int winner; /* a seat; −1: a draw */
    RecordReason reason;
    char detail[GAME_DETAIL_MAX]; /* what went wrong, in a sentence; or "" */
} Game;

/* Can a game start like this? */
bool game_check(const GamePlan *plan, Err *err);
void game_open(Game *game, const GamePlan *plan); /* a plan that game_check let pass */
void game_close(Game *game);

/* The clocks of whoever is asked; points that must not be played. Good until the next act. */
void game_limits(const Game *game, Limits *limits);
/* What seat decided, and how long that took. */
void game_act(Game *game, const Thought *thought, int64_t elapsed_ms);

/* Ends it from outside: the seat loses, or nobody does. */
void game_lose(Game *game, int seat, RecordReason reason, const char *detail);
void game_draw(Game *game, RecordReason reason, const char *detail);
