/* SPDX-License-Identifier: MIT */
/* Pn: the positions of a proof-number search, each with its two numbers and its moves.
 *
 * Positions live in one open-addressed table with their move lists in an arena beside it; both are
 * sized at open. When either is full, pn_sweep moves what is solved to a table of its own, where
 * newer results replace older ones, and the search starts again from the root on empty tables. */
#pragma once

#include "game/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PN_INFINITE = 1 << 30 };

/* Which of its moves a position lists; dfpn.c says what the stages are. */
typedef enum { STAGE_NEW, STAGE_FIRST, STAGE_ALL } PnStage;

typedef struct {
    uint64_t key;    /* 0: a free place */
    uint32_t pn, dn; /* 0 and PN_INFINITE when solved */
    uint32_t moves;  /* place of the first one in the arena */
    uint16_t count;  /* of moves */
    uint16_t plies;  /* of the win found, once proved */
    Point best;      /* the attack that wins, once proved */
    uint8_t stage;   /* PnStage */
    bool by_fours;   /* proved by vcf_search */
} PnNode;

typedef struct {
    PnNode *nodes;
    size_t node_cap, node_count; /* cap: a power of two */
    Point *arena;
    size_t arena_cap, arena_end;
    struct PnSolved *solved;
    size_t solved_cap, solved_count; /* cap: a power of two */
    bool full;                       /* something found no room */
} Pn;

/* For all its tables, at least some small ones. False when the system refuses so much. */
bool pn_open(Pn *pn, size_t bytes);
void pn_close(Pn *pn);

/* Where the position is kept; its key is 0 if it is not. */
PnNode *pn_find(const Pn *pn, uint64_t key);
/* The position, made if need be: solved if that was ever known, else with both numbers 1. NULL, and
 * pn->full, when there is no room. */
PnNode *pn_get(Pn *pn, uint64_t key);

void pn_prove(PnNode *node, Point best, int plies, bool by_fours);
void pn_disprove(PnNode *node);
static inline bool pn_is_solved(const PnNode *node)
{
    return node->pn == 0 || node->dn == 0;
}

/* Gives the position its moves; pn->full when there is no room for them. */
void pn_list(Pn *pn, PnNode *node, const Point *moves, int n, PnStage stage);
static inline const Point *pn_moves(const Pn *pn, const PnNode *node)
{
    return pn->arena + node->moves;
}

/* Empties the tables but for what is solved; nobody may hold a PnNode. False if that is no more
 * than was solved before, as far as there is room to remember it. */
bool pn_sweep(Pn *pn);
/* Empties the tables but for what is proved. */
void pn_keep_proofs(Pn *pn);
