/* SPDX-License-Identifier: MIT */
#include "search/pn.h"

#include "base/mem.h"

#include <string.h>

enum {
    CAP_MIN = 1 << 10,
    LIST_AVERAGE = 12, /* moves of a position, for sizing the arena */
};

/* What is left of a solved position after the tables were emptied. */
typedef struct PnSolved {
    uint64_t key; /* 0: a free place */
    Point best;
    uint16_t plies;
    bool proved, by_fours;
} PnSolved;

bool pn_open(Pn *pn, size_t bytes)
{
    size_t each = sizeof(PnNode) + LIST_AVERAGE * sizeof(Point);
    *pn = (Pn){.node_cap = CAP_MIN, .solved_cap = CAP_MIN};
    while (pn->node_cap * 2 * each <= bytes) pn->node_cap *= 2;
    bytes -= pn->node_cap * each < bytes ? pn->node_cap * each : bytes;
    while (pn->solved_cap * 2 * sizeof(PnSolved) <= bytes) pn->solved_cap *= 2;
    pn->arena_cap = pn->node_cap * LIST_AVERAGE;
    if (pn->arena_cap > UINT32_MAX) pn->arena_cap = UINT32_MAX; /* of PnNode.moves */
    pn->solved = mem_try_pages(pn->solved_cap * sizeof *pn->solved);
    pn->nodes = mem_try_pages(pn->node_cap * sizeof *pn->nodes);
    pn->arena = mem_try_pages(pn->arena_cap * sizeof *pn->arena);
    if (pn->solved && pn->nodes && pn->arena) return true;
    pn_close(pn);
    return false;
}

void pn_close(Pn *pn)
{
    mem_free_pages(pn->nodes, pn->node_cap * sizeof *pn->nodes);
    mem_free_pages(pn->arena, pn->arena_cap * sizeof *pn->arena);
    mem_free_pages(pn->solved, pn->solved_cap * sizeof *pn->solved);
}

static size_t place_of(uint64_t key, size_t cap)
{
    return (key ^ key >> 32) & (cap - 1);
}

PnNode *pn_find(const Pn *pn, uint64_t key)
{
    size_t i = place_of(key, pn->node_cap);
    while (pn->nodes[i].key && pn->nodes[i].key != key) i = (i + 1) & (pn->node_cap - 1);
    return &pn->nodes[i];
}

PnNode *pn_get(Pn *pn, uint64_t key)
{
    PnNode *node = pn_find(pn, key);
    if (node->key) return node;
    if (pn->node_count > pn->node_cap / 4 * 3) {
        pn->full = true;
        return NULL;
    }
    pn->node_count++;
    *node = (PnNode){.key = key, .pn = 1, .dn = 1};
    const PnSolved *solved = &pn->solved[place_of(key, pn->solved_cap)];
    if (solved->key == key && solved->proved)
        pn_prove(node, solved->best, solved->plies, solved->by_fours);
    else if (solved->key == key)
        pn_disprove(node);
    return node;
}

void pn_prove(PnNode *node, Point best, int plies, bool by_fours)
{
    node->pn = 0;
    node->dn = PN_INFINITE;
    node->best = best;
    node->plies = (uint16_t)plies;
    node->by_fours = by_fours;
    node->stage = STAGE_ALL;
}

void pn_disprove(PnNode *node)
{
    node->pn = PN_INFINITE;
    node->dn = 0;
    node->stage = STAGE_ALL;
}

void pn_list(Pn *pn, PnNode *node, const Point *moves, int n, PnStage stage)
{
    if (pn->arena_end + (size_t)n > pn->arena_cap) {
        pn->full = true;
        return;
    }
    node->moves = (uint32_t)pn->arena_end;
    node->count = (uint16_t)n;
    node->stage = (uint8_t)stage;
    memcpy(pn->arena + pn->arena_end, moves, (size_t)n * sizeof *moves);
    pn->arena_end += (size_t)n;
}

static void remember(Pn *pn, const PnNode *node)
{
    PnSolved *solved = &pn->solved[place_of(node->key, pn->solved_cap)];
    pn->solved_count += !solved->key;
    *solved = (PnSolved){node->key, node->best, node->plies, node->pn == 0, node->by_fours};
}

static void empty(Pn *pn)
{
    memset(pn->nodes, 0, pn->node_cap * sizeof *pn->nodes);
    pn->node_count = 0;
    pn->arena_end = 0;
    pn->full = false;
}

bool pn_sweep(Pn *pn)
{
    size_t before = pn->solved_count;
    for (size_t i = 0; i < pn->node_cap; i++)
        if (pn->nodes[i].key && pn_is_solved(&pn->nodes[i])) remember(pn, &pn->nodes[i]);
    empty(pn);
    return pn->solved_count > before;
}

void pn_keep_proofs(Pn *pn)
{
    for (size_t i = 0; i < pn->solved_cap; i++) {
        if (!pn->solved[i].key || pn->solved[i].proved) continue;
        pn->solved[i] = (PnSolved){0};
        pn->solved_count--;
    }
    for (size_t i = 0; i < pn->node_cap; i++)
        if (pn->nodes[i].key && pn->nodes[i].pn == 0) remember(pn, &pn->nodes[i]);
    empty(pn);
}
