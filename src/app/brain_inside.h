/* SPDX-License-Identifier: MIT */
/* What the files of the brain share; nobody else includes it.
 *
 *     brain.c        lines to commands, blocks of lines, answers
 *     brain_info.c   INFO
 *     brain_game.c   the Gomocup commands
 *     brain_yixin.c  the commands of analysis boards
 *     brain_swap.c   swap2 and balanced moves
 *     brain_think.c  the player, its limits, a legal answer
 *     brain_network.c the tables of its network
 *     brain_report.c what is said while it thinks
 *     brain_ponder.c the opponent's time
 *     brain_loop.c   stdin, stdout and threads
 *
 * The stones are kept as a list, not as a Board: rule and memory may change at any line, so
 * everything that depends on them is made when it is time to think. */
#pragma once

#include "app/brain.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/net.h"
#include "play/player.h"

#define BRAIN_VERSION "0.1"

enum {
    BRAIN_SIDE_MIN = 5,
    BRAIN_STONES_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE,
};

/* Where time_left comes from. */
typedef enum {
    LEFT_UNKNOWN, /* a game begins: the whole match time */
    LEFT_COUNTED, /* by ourselves, as the manager does not tell */
    LEFT_SAID,
} BrainLeft;

/* What INFO said. Milliseconds and bytes. */
typedef struct {
    int64_t timeout_turn;   /* 0: as fast as possible */
    int64_t timeout_match;  /* 0: none */
    int64_t time_left;      /* unless LEFT_UNKNOWN */
    int64_t time_increment; /* after each move */
    int64_t max_memory;     /* of the whole process; 0: no limit */
    int64_t hash_size;      /* of the table, KiB; 0: not said */
    int64_t max_depth, max_node;
    int64_t thread_num;     /* 0: as the player's spec says */
    int64_t show_detail;    /* 1: real-time lines, 2: debug lines, 3: both */
    int64_t strength;       /* 0 … 100 */
    int64_t pondering;      /* 0: no */
    int64_t caution_factor; /* 0 … 5: how far from stones moves are looked for; −1: not said */
    int64_t ignored;        /* keys that are understood and change nothing */
    BrainLeft left;
    RuleKind rule;
} BrainInfo;

typedef struct {
    int x, y;
    Colour colour;
} BrainStone;

/* A line "x,y" or "x,y,f" between a command and DONE. */
typedef struct {
    int x, y;
    int field; /* 0: none was given */
} BrainEntry;

typedef struct BrainCommand {
    const char *name;
    void (*run)(Brain *brain, const char *args);
    void (*done)(Brain *brain); /* of a block: what DONE does; NULL: a command of one line */
    bool needs_board;           /* START must have come */
} BrainCommand;

extern const BrainCommand brain_game_commands[], brain_yixin_commands[]; /* end with a NULL name */

struct Brain {
    BrainOptions options;
    BrainInfo info;
    Rng rng;
    Err problem;      /* of an INFO, to be reported; "" when there is none */
    Err rule_problem; /* likewise, and it stays until a good rule comes */
    int64_t arrived;  /* when the line at hand came */

    /* The game. */
    int width, height; /* 0 before START */
    BrainStone stones[BRAIN_STONES_MAX];
    int count;
    uint8_t cell[SIZE_MAX_SIDE][SIZE_MAX_SIDE];    /* Cell; CELL_WALL: field 3, nobody knows */
    uint8_t blocked[SIZE_MAX_SIDE][SIZE_MAX_SIDE]; /* by YXBLOCK */
    Colour us;
    bool awaits; /* our move was answered: the opponent's turn */

    /* The block being read. */
    const BrainCommand *block; /* NULL: none */
    BrainEntry entries[BRAIN_STONES_MAX];
    int entry_count;
    Err block_problem;

    /* The player: opened when first needed, and again when its spec changes. */
    Player *player;
    Buf spec;      /* of player */
    int64_t table; /* bytes of its table */
    bool warm;     /* it has thought under warm_rules */
    Rules warm_rules;
    Mutex *mutex; /* guards player against a stop from another thread, and loaded */

    /* The tables of the network that it plays by. */
    const Net *network; /* whose are made or were; NULL: none yet */
    Thread *loader;     /* makes them; NULL: nobody does */
    bool loaded;        /* the loader is done */
    Cond *loading;      /* that has changed, or a stop came */
    bool by_shape;      /* they come too late for the question at hand */

    /* The question at hand. */
    Board *board; /* the position being thought about */
    Point *avoid; /* points that are not to be played */
    int avoid_count;
    int64_t asked_at;   /* when the player was asked */
    int64_t message_at; /* when the last MESSAGE was written */
    bool quiet;
    int64_t message_nodes; /* what it said */

    int64_t lines;              /* handled so far, the one at hand included */
    _Atomic int64_t stop_until; /* lines up to this one are to be answered now */
    atomic_bool quit;
    atomic_bool awake;     /* a line has come that was not handled: no time to ponder */
    atomic_bool pondering; /* the player does */
};

/* brain.c */
void brain_say(Brain *brain, const char *format, ...) __attribute__((format(printf, 2, 3)));
void brain_error(Brain *brain, const Err *err);
bool brain_is_stopped(const Brain *brain); /* the line at hand is to be answered now */
bool brain_parse_int(const char **text, int64_t *value); /* a whole number, blanks before it */
bool brain_parse_pair(const char *text, int *x, int *y, Err *err); /* "x,y" and nothing after it */
bool brain_parse_end(const char *text);                            /* nothing but blanks */

/* brain_info.c */
void brain_info_init(BrainInfo *info);
void brain_info(Brain *brain, const char *args);

/* brain_game.c */
void brain_clear(Brain *brain); /* no stones, no blocks */
bool brain_put(Brain *brain, int x, int y, Colour colour, Err *err);
/* Sets the stones of the block that was read, whose colours follow from fields and counts. */
bool brain_set_entries(Brain *brain, Err *err);

/* brain_think.c */
typedef struct {
    Ask what;
    int lines;    /* best lines wanted */
    int balance;  /* instead: so many stones that make the position worth … */
    int64_t bias; /* … this to whoever is to move */
    bool quiet;   /* no messages: one question of many */
} BrainAsk;

Colour brain_side(const Brain *brain); /* whose turn the counts say it is */
/* Sets brain->board up from the stones, `side` to move. */
void brain_set_board(Brain *brain, Colour side);
/* Thinks about brain->board. False: there is no legal point or no such opening (err says so), or
 * nobody wants to know any more (brain->quit). */
bool brain_think(Brain *brain, BrainAsk ask, Thought *thought, Err *err);
/* Thinks for us, puts the stone and answers with it. */
void brain_answer_move(Brain *brain, int lines);
int brain_reach(const BrainInfo *info); /* of Limits */
void brain_close_player(Brain *brain);  /* forgets what was learnt */

/* brain_network.c */
/* Are the tables of `net` there by the deadline? They will be, later, if they are not. */
bool brain_network_ready(Brain *brain, const Net *net, int64_t deadline);
void brain_network_close(Brain *brain); /* waits until nobody makes any */

/* brain_report.c */
void brain_say_points(Brain *brain, const Point *points, int count); /* "x,y x,y" */
void brain_report_begin(Brain *brain, bool quiet);                   /* a question is asked */
void brain_report_on(Brain *brain);                                  /* the player may talk, … */
void brain_report_off(Brain *brain);                                 /* … and may not */
void brain_report_end(Brain *brain, const Thought *thought); /* the last word, if it is new */
void brain_report_move(Brain *brain, Point move);            /* what is played */

/* brain_swap.c */
void brain_swap2(Brain *brain);                             /* DONE of SWAP2BOARD */
void brain_balance(Brain *brain, int stones, int64_t bias); /* one or two */
