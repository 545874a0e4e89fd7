/* SPDX-License-Identifier: MIT */
/* Board: stones, and everything a player wants to know about every point, kept move by move.
 *
 * A stone changes at most 4 directions × 2·reach windows. board_play updates their keys (four
 * vector additions), looks each shape up, and for the points whose shape really changed renews the
 * code (8 shapes: 4 directions × 2 colours), the class of both colours and the counts per class.
 * What it changed goes on the board's own stack as a Ply: undo puts it back, and evaluators read
 * it as the delta of the move.
 *
 * A board is one block of memory: a copy is one memcpy and a few pointers. It knows no evaluator,
 * no search, and no globals but the immutable tables of line.h and grid.h.
 *
 * board_play does not judge: it plays forbidden points and goes on after a win. ban.h and
 * board_is_over tell. */
#pragma once

#include "game/grid.h"
#include "game/line.h"
#include "game/rules.h"

#include <stddef.h>

/* Which empty points are candidates: those near a stone. */
typedef enum {
    NEAR_SQUARE2,       /* the 5x5 square around a stone */
    NEAR_SQUARE2_LINE3, /* and the lines of length 3 */
    NEAR_SQUARE3_LINE4, /* the 7x7 square and the lines of length 4 */
    NEAR_ALL,           /* every empty point */
    NEAR_COUNT
} Near;

enum { NEAR_REACH = 4 }; /* the farthest candidate of any Near but NEAR_ALL */

/* What a point is to each colour: black's Class in the low byte, white's in the high byte. */
typedef uint16_t ClassPair;

/* A point whose shapes changed, as it was before. */
typedef struct {
    Point point;
    ClassPair class;
    uint32_t code;
} Change;

/* What one move did: the header of a stack entry. changes[count − 1] is the played point itself.
 * The candidate rows as they were follow after the changes. */
typedef struct {
    uint32_t before; /* offset of the previous Ply on the stack */
    Point point;     /* POINT_NONE for a pass */
    uint8_t colour;
    uint8_t won_before;                      /* board->won before this move */
    uint8_t side_before;                     /* whose turn it was */
    uint32_t count;                          /* of changes */
    int8_t delta[COLOUR_COUNT][CLASS_SLOTS]; /* how the counts changed */
    Change changes[];
} Ply;

typedef struct Board {
    Rules rules;
    const Grid *grid;
    const LineTable *line;
    size_t size;  /* of the whole block, bytes */
    uint32_t top; /* offset of the newest Ply; 0 when there is none */
    uint32_t end; /* first free byte of the block */
    int plies;    /* moves on the stack, passes included */
    int stones;
    Colour side; /* whose turn it is */
    Cell won;    /* CELL_BLACK or CELL_WHITE once a row was completed, else CELL_EMPTY */
    Near near;
    int row_words;                             /* 64-bit words in a row of the bit sets below */
    uint64_t hash;                             /* stones and side to move */
    uint16_t count[COLOUR_COUNT][CLASS_SLOTS]; /* empty points per class (not of CLASS_NONE) */

    /* Into the block; by Point unless said otherwise. */
    uint32_t *code; /* shapes of an empty point: black in the low half, white in the high half,
                       4 bits per direction; 0 where there is no empty point */
    uint8_t *cell;
    ClassPair *class;     /* of an empty point, CLASS_NONE elsewhere */
    uint32_t *key;        /* window keys: DIR_COUNT planes in the order of grid.h; NULL if k > 7 */
    uint64_t *near_bits;  /* rows from −NEAR_REACH; bit x + NEAR_REACH: near a stone */
    uint64_t *empty_bits; /* same layout: an empty point of the board */
} Board;

Board *board_open(const Rules *rules, Near near); /* an empty board, Black to move */
Board *board_clone(const Board *board);
void board_copy(Board *to, const Board *from); /* both opened with the same rules and near */
/* The position alone, move order forgotten: for boards that keep other candidates. */
void board_follow(Board *to, const Board *from);
void board_reset(Board *board);
void board_close(Board *board);

void board_play(Board *board, Point p); /* p is empty; the side to move plays it */
void board_pass(Board *board);
void board_undo(Board *board);                        /* the last play or pass */
void board_put(Board *board, Point p, Colour colour); /* sets up a stone; the turn stays */
void board_set_side(Board *board, Colour side);       /* only on top of board_put */

static inline const Ply *board_last(const Board *b) /* NULL before the first move */
{
    return b->top ? (const Ply *)((const char *)b + b->top) : NULL;
}

static inline Point board_last_point(const Board *b)
{
    return b->top ? board_last(b)->point : POINT_NONE;
}

static inline Point board_last_but_one(const Board *b)
{
    uint32_t before = b->top ? board_last(b)->before : 0;
    return before ? ((const Ply *)((const char *)b + before))->point : POINT_NONE;
}

/* What the hash will be once the side to move has played p. */
static inline uint64_t board_hash_after(const Board *b, Point p)
{
    return b->hash ^ b->grid->site[p].zobrist[b->side] ^ ZOBRIST_WHITE_TO_MOVE;
}

/* The points played so far, first one first, passes as POINT_NONE; room for board->plies. Returns
 * how many. */
int board_moves(const Board *board, Point *moves);

static inline bool board_is_empty(const Board *b, Point p)
{
    return b->cell[p] == CELL_EMPTY;
}

static inline bool board_is_full(const Board *b)
{
    return b->stones == b->rules.width * b->rules.height;
}

static inline bool board_is_over(const Board *b)
{
    return b->won != CELL_EMPTY || board_is_full(b);
}

static inline Shape board_shape(const Board *b, Point p, Colour c, int dir)
{
    return (Shape)(b->code[p] >> (16 * c + 4 * dir) & 15);
}

static inline Class board_class(const Board *b, Point p, Colour c)
{
    return (Class)(b->class[p] >> 8 * c & 0xff);
}

static inline uint32_t board_key(const Board *b, Point p, int dir)
{
    return b->key[dir * b->grid->plane + b->grid->site[p].place[dir]];
}

bool board_is_candidate(const Board *board, Point p);
/* Lists the candidates in reading order; `points` has room for width·height. */
int board_candidates(const Board *board, Point *points);

/* Lists in reading order the empty points that are `from` … `to` to the colour (not CLASS_NONE), at
 * most `room` of them; returns how many were listed. */
int board_find(const Board *board, Colour colour, Class from, Class to, Point *points, int room);

/* The row that the stone at p completes, end to end; 0 if it completes none. */
int board_winning_row(const Board *board, Point p, Point *row);
/* Looks at all stones as they stand (for positions that were set up); CELL_EMPTY if nobody won. */
Cell board_scan_winner(const Board *board);
