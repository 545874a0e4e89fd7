/* SPDX-License-Identifier: MIT */
/* Player: whoever can be asked for a decision. Every way to play is a PlayerKind, a const struct of
 * functions; player_kinds lists them all. A player is opened from a spec, "kind:key=value,…".
 *
 * The position is passed whole each time, so there is nothing to fall out of step: one player may
 * be asked about any game in any order. A human is no Player: the terminal and the server wait for
 * people themselves. */
#pragma once

#include "base/err.h"
#include "base/opts.h"
#include "game/board.h"
#include "search/search.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    DECIDE_MOVE,   /* stones[0], or a pass if that is POINT_NONE */
    DECIDE_SWAP,   /* take the other colour */
    DECIDE_STONES, /* the first stones of an opening, Black's first */
} Decision;

/* What a player is asked for. All but the first belong to the opening phases of game.h. */
typedef enum {
    ASK_MOVE,
    ASK_THREE,         /* three stones, Black's first; the opponent then chooses */
    ASK_COLOUR,        /* a swap (to be Black), or White's move */
    ASK_COLOUR_OR_TWO, /* the same, or a white and a black stone more: then the other chooses */
} Ask;

int ask_stones(Ask ask);     /* how many make an answer; 0: they do not */
bool ask_is_colour(Ask ask); /* may it be answered with a swap? */

/* Why an outside brain gave no answer. */
typedef enum { FAULT_NONE, FAULT_CRASH, FAULT_TIME, FAULT_MEMORY, FAULT_NONSENSE } Fault;

enum { THOUGHT_STONES_MAX = 5, THOUGHT_LINE_MAX = 64 };

/* What a player decided, and what it saw. */
typedef struct {
    Decision decision;
    Point stones[THOUGHT_STONES_MAX];
    int stone_count;
    bool has_value;
    double value;                 /* expected score of the side to move, 0 … 1 */
    int score;                    /* the same as search/score.h has it, for players that search */
    Point line[THOUGHT_LINE_MAX]; /* how it expects the game to go on, its own move first */
    int line_len;
    const SearchLine *best; /* best lines, if several were asked for; the player's, good until it
                               is asked again */
    int best_count;
    int depth, sel_depth;
    int64_t nodes, ms;
    const char *eval;  /* the evaluation that judged, for players that have one; a constant */
    int64_t waited_ns; /* of the time the question took: not the player's to answer for */
    Fault fault;       /* of a think that failed */
} Thought;

typedef struct PlayerKind PlayerKind;

/* What whoever runs an outside brain wants of it. Zero and NULL: nothing. */
typedef struct {
    /* Each line to ('<') and from ('>') the brain, and remarks of ours ('#'). */
    void (*line)(void *ctx, char mark, const char *text);
    void *ctx;
    const char *stderr_file; /* gets what the brain writes there */
    size_t memory;           /* bytes it may use; more is a fault */
    int64_t grace_ms;        /* how much later than its time an answer is still waited for */
    bool suspend;            /* stopped while it is not its turn */
} PlayerHost;

/* The head of every kind's own struct. */
typedef struct {
    const PlayerKind *kind;
    const PlayerHost *host; /* NULL: nobody's; lives longer than the player */
    /* If set, a player that searches calls it now and then with what it sees so far. */
    void (*report)(void *ctx, const Board *board, const Thought *so_far);
    /* Likewise with what happens to each move that it may play. */
    void (*watch)(void *ctx, const Board *board, Point move, SearchEvent event);
    void *report_ctx; /* of both */
} Player;

struct PlayerKind {
    const OptTable *options;                     /* its name is the name of the kind */
    Player *(*open)(const char *keys, Err *err); /* NULL: refused; player_open sets kind */
    bool (*plays)(const Player *player, const Rules *rules, Err *err); /* NULL: any rules */
    /* board is a position that is not over. False only for what an outside brain may do: die, be
     * late, talk nonsense. Legality is the caller's to judge. */
    bool (*think)(Player *player, const Board *board, const Limits *limits, Thought *thought,
                  Err *err);
    /* It is the opponent's turn: thinks ahead, on what he will probably play, until the limits or
     * both limits->stop and stop. All that comes of it is that the next think knows more. NULL:
     * there is nothing to know. */
    void (*ponder)(Player *player, const Board *board, const Limits *limits);
    /* From any thread: the think or ponder under way ends soon with what it has. NULL if think is
     * never long. */
    void (*stop)(Player *player);
    void (*new_game)(Player *player); /* forget what was learnt; NULL: nothing is */
    /* The opening phases; NULL: settle.c answers with the help of think. */
    bool (*settle)(Player *player, Ask ask, const Board *board, const Limits *limits,
                   Thought *thought, Err *err);
    void (*reseed)(Player *player, uint64_t seed); /* chance starts anew; NULL: it has no part */
    /* Adds who it is, "name, version", to out; NULL: one of the house. */
    bool (*about)(Player *player, const Rules *rules, Buf *out, Err *err);
    void (*close)(Player *player);
};

/* What player_open knows; ends with NULL. One list to a program: player_kinds.c has them all. */
extern const PlayerKind *const player_kinds[];

const PlayerKind *player_find(const char *name, Err *err); /* NULL: there is no such kind */
Player *player_open(const char *spec, Err *err);
bool player_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                  Err *err);
/* The same for any ask. Where chance is needed (stones of an opening), seed gives it. */
bool player_settle(Player *player, Ask ask, const Board *board, const Limits *limits, uint64_t seed,
                   Thought *thought, Err *err);
void player_ponder(Player *player, const Board *board, const Limits *limits);
void player_stop(Player *player);
void player_new_game(Player *player);
void player_reseed(Player *player, uint64_t seed);
/* False only if it does not play by these rules, or is a brain that does not even start. */
bool player_about(Player *player, const Rules *rules, Buf *out, Err *err);
void player_close(Player *player); /* NULL is fine */

/* Is it of the kind that was asked for? Where stones lie is not looked at. */
bool thought_answers(const Thought *thought, Ask ask);
void thought_set_move(Thought *thought, Point p);
void thought_set_score(Thought *thought, int score); /* of a search, and its value */

extern const PlayerKind player_ab;      /* the flagship: alpha-beta */
extern const PlayerKind player_random;  /* any legal point, all equally likely */
extern const PlayerKind player_tss;     /* alpha-beta with threat-space search */
extern const PlayerKind player_kill;    /* minimax with kill search */
extern const PlayerKind player_minimax; /* two moves ahead, rows with gaps */
extern const PlayerKind player_point;   /* one look at every point */
extern const PlayerKind player_puct;    /* tree search by an evaluator */
extern const PlayerKind player_uct;     /* tree search by random games */
extern const PlayerKind player_hmcts;   /* the same by better games */
extern const PlayerKind player_td;      /* a critic trained by temporal differences */
extern const PlayerKind player_adp;     /* one trained by adaptive dynamic programming */
extern const PlayerKind player_adpmcts; /* the same, judged by hmcts */
extern const PlayerKind player_table;   /* values of all positions of a tiny board */
extern const PlayerKind player_pipe;    /* an outside brain */
extern const PlayerKind player_pattern; /* minimax with learnt patterns */
