/* SPDX-License-Identifier: MIT */
/* Vcf: victory by continuous fours. Can the side to move win by fours alone, every reply forced?
 *
 * The search is exhaustive and exact under every rule and k: SOLVE_WIN comes with a line that ends
 * in k in a row, SOLVE_NONE means that no such win exists, and SOLVE_UNKNOWN only that a limit or
 * the stop flag came first. Attacks are the points whose Class says four or better; a reply is a
 * point that leaves no five (one point; where enclosed rows are dead sometimes two or three). A
 * reply that makes a four must be blocked by a four; a foul is no attack, and where the only reply
 * is forbidden to the defender the attack has won.
 *
 * A Vcf owns a table of positions that were exhausted, so that the many orders of the same fours
 * cost one search. It belongs to one thread; it may serve boards of any rules in turn. */
#pragma once

#include "game/board.h"

#include <stdatomic.h>

typedef enum { SOLVE_UNKNOWN, SOLVE_NONE, SOLVE_WIN } Verdict;

enum { VCF_LINE_MAX = 400 }; /* plies; longer lines are not looked at (unknown) */

/* A keen search leaves out idle fours (vcf_is_idle) unless they stop a five. At leaves of
 * games it finds as many wins within nine nodes as the whole search does, with less than half of
 * the nodes. That it finds none proves nothing: SOLVE_UNKNOWN. */
typedef struct {
    int64_t nodes;           /* attacks tried; 0: no limit */
    int plies;               /* longest line looked at, the five included; 0: VCF_LINE_MAX */
    bool shortest;           /* the win found has the fewest plies there are */
    bool keen;               /* the most promising fours alone: see above */
    const atomic_bool *stop; /* may be NULL */
    int64_t deadline;        /* an instant of os_clock_ms; 0: none */
} VcfLimits;

typedef struct {
    Point move;               /* the first of line; POINT_NONE without a win */
    int plies;                /* of line: 1 for a five, 3 for an open four, … */
    int64_t nodes;            /* attacks tried */
    Point line[VCF_LINE_MAX]; /* both sides' moves, `plies` of them; POINT_NONE where the only
                                 block is forbidden */
} VcfResult;

typedef struct Vcf Vcf;

Vcf *vcf_open(size_t table_bytes);
Vcf *vcf_try_open(size_t table_bytes); /* for as much as a user says; NULL when it is refused */
void vcf_close(Vcf *vcf);
void vcf_clear(Vcf *vcf); /* forgets the table */

/* The side to move attacks. The board is played on and left as it was. Limits may be NULL. Nothing
 * is allocated. */
Verdict vcf_search(Vcf *vcf, Board *board, const VcfLimits *limits, VcfResult *out);

/* The defender is to move and cannot win at once. Lists his legal moves after which the attacker,
 * who can complete a row now, no longer can; `replies` has room for VCF_REPLIES_MAX. None: he has
 * lost. */
enum { VCF_REPLIES_MAX = 1 + 2 * DIR_COUNT };
int vcf_replies(Board *board, Point *replies);

/* Keeps positions of different rules apart in a table keyed by Board.hash. */
uint64_t vcf_salt(const Rules *rules);

/* Cheaper than vcf_search, for leaves: can it be anything but SOLVE_NONE? */
static inline bool vcf_is_possible(const Board *b)
{
    const uint16_t *n = b->count[b->side];
    if (n[CLASS_FIVE]) return true;
    Colour defender = colour_other(b->side);
    if (b->count[defender][CLASS_FIVE] > 1 && !b->rules.side[defender].enclosed_dead) return false;
    return n[CLASS_FOUR] | n[CLASS_FOUR_TWO] | n[CLASS_FOUR_OPEN_TWO] | n[CLASS_FOUR_THREE] |
           n[CLASS_FOUR_OPEN_THREE] | n[CLASS_DOUBLE_FOUR] | n[CLASS_OPEN_FOUR] | n[CLASS_FOUL];
}

/* Where the only reply to a four may be forbidden, none is idle. */
static inline bool vcf_knows_idle(const Board *b)
{
    return !b->rules.side[colour_other(b->side)].fouls;
}

/* Does a four of the side to move begin nothing else? */
static inline bool vcf_is_idle(const Board *b, Point p)
{
    Class class = board_class(b, p, b->side);
    return (class == CLASS_FOUR || class == CLASS_FOUR_TWO) && vcf_knows_idle(b);
}

/* Likewise, can a keen search find a win? */
static inline bool vcf_is_likely(const Board *b)
{
    const uint16_t *n = b->count[b->side];
    if (n[CLASS_FIVE] | b->count[colour_other(b->side)][CLASS_FIVE] || !vcf_knows_idle(b))
        return vcf_is_possible(b);
    return n[CLASS_FOUR_OPEN_TWO] | n[CLASS_FOUR_THREE] | n[CLASS_FOUR_OPEN_THREE] |
           n[CLASS_DOUBLE_FOUR] | n[CLASS_OPEN_FOUR] | n[CLASS_FOUL];
}
