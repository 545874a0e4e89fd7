/* SPDX-License-Identifier: MIT */
/* An attacker's position lists its attacks in two stages: fours, threes and what looks like them
 * first; all other quiet threats, which cost a search by fours each, only when the first stage has
 * become as hard as REST_PROOF. Until then they count as one unopened sibling. */
#include "search/dfpn.h"

#include "base/mem.h"
#include "base/os.h"
#include "game/ban.h"
#include "search/pn.h"
#include "search/vct.h"

#include <assert.h>
#include <string.h>

enum {
    REST_PROOF = 5,       /* proof number of the quiet threats not looked at yet */
    FOUR_COST = 2,        /* added to the proof number of a four: most only postpone */
    REPLY_NODES = 500,    /* for a look at one defence */
    ROOT_NODES = 1000000, /* for the root, where it may be all there is to find */
    FOURS_NODES = 20000,  /* for one search by fours */
    POINTS_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE,
    IDLE_ROUNDS = 256, /* that solve nothing new before tables are called too small */
};

struct Dfpn {
    Vcf *vcf;
    Pn pn;

    Board *board; /* of the current search, like all that follows */
    const DfpnLimits *limits;
    Goal goal;
    Colour attacker;
    uint64_t salt;
    int64_t work;  /* nodes of both kinds */
    bool stopped;  /* by a limit */
    bool doubtful; /* a search by fours gave up somewhere: nothing is disproved for certain, and
                      disproofs in the tables may not outlive the search */
    VcfResult fours;
    Point scratch[2][POINTS_MAX];
    Point line[POINTS_MAX];
};

Dfpn *dfpn_open(size_t bytes)
{
    Dfpn *d = mem_zero(sizeof *d);
    d->vcf = vcf_try_open(bytes / 8);
    if (d->vcf && pn_open(&d->pn, bytes - bytes / 8)) return d;
    vcf_close(d->vcf);
    mem_free(d);
    return NULL;
}

void dfpn_close(Dfpn *d)
{
    if (!d) return;
    vcf_close(d->vcf);
    pn_close(&d->pn);
    mem_free(d);
}

/* --- the table ------------------------------------------------------------------------------- */

static uint64_t key_of(const Dfpn *d, uint64_t hash)
{
    uint64_t key = hash ^ d->salt;
    return key ? key : 1;
}

/* Where the current position is kept, made if need be; NULL when the table is full. */
static PnNode *node_get(Dfpn *d)
{
    return pn_get(&d->pn, key_of(d, d->board->hash));
}

/* Where the position after the side to move plays p is kept, or would be. */
static PnNode *child_of(const Dfpn *d, Point p)
{
    const Board *board = d->board;
    uint64_t hash = board->hash ^ board->grid->site[p].zobrist[board->side] ^ ZOBRIST_WHITE_TO_MOVE;
    return pn_find(&d->pn, key_of(d, hash));
}

/* --- searches by fours ----------------------------------------------------------------------- */

static bool stop_now(Dfpn *d)
{
    const DfpnLimits *limits = d->limits;
    if (limits->nodes && d->work >= limits->nodes) d->stopped = true;
    if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed)) d->stopped = true;
    if (limits->deadline && os_clock_ms() >= limits->deadline) d->stopped = true;
    return d->stopped;
}

/* The side to move by fours, into d->fours. */
static Verdict by_fours_within(Dfpn *d, int64_t nodes)
{
    if (!vcf_is_possible(d->board)) return SOLVE_NONE;
    VcfLimits limits = {.nodes = nodes, .stop = d->limits->stop, .deadline = d->limits->deadline};
    if (d->limits->nodes && d->limits->nodes - d->work < nodes)
        limits.nodes = d->limits->nodes > d->work ? d->limits->nodes - d->work : 1;
    Verdict verdict = vcf_search(d->vcf, d->board, &limits, &d->fours);
    d->work += d->fours.nodes;
    if (verdict == SOLVE_UNKNOWN) stop_now(d);
    return verdict;
}

static Verdict by_fours(Dfpn *d)
{
    return by_fours_within(d, FOURS_NODES);
}

/* The other side by fours, if the side to move passed. */
static Verdict by_fours_after_pass(Dfpn *d)
{
    board_pass(d->board);
    Verdict verdict = by_fours(d);
    board_undo(d->board);
    return verdict;
}

/* --- the defender's positions ---------------------------------------------------------------- */

/* The moves that hold at least against fours. What is left counts as the proof number, so the
 * search is led to threats with few answers. */
static int keep_defences(Dfpn *d, Point *moves, int n)
{
    int kept = 0;
    vct_sort(d->board, moves, n);
    for (int i = 0; i < n; i++) {
        Point p = moves[i];
        board_play(d->board, p);
        Verdict verdict = by_fours_within(d, REPLY_NODES);
        board_undo(d->board);
        if (verdict != SOLVE_WIN) moves[kept++] = p;
    }
    return kept;
}

/* The defender's moves against the win d->fours that a pass would allow him to suffer. */
static void list_defences(Dfpn *d, PnNode *node)
{
    Point *moves = d->scratch[1];
    int plies = d->fours.plies, n = vct_defences(d->board, &d->fours, moves);
    n = keep_defences(d, moves, n);
    if (!n) {
        pn_prove(node, POINT_NONE, plies + 1, true);
        return;
    }
    pn_list(&d->pn, node, moves, n, STAGE_ALL);
    node->pn = (uint32_t)n;
}

static void expand_defender(Dfpn *d, PnNode *node)
{
    Board *board = d->board;
    Point *moves = d->scratch[1];
    int n;
    if (board->count[board->side][CLASS_FIVE] || board_is_full(board) ||
        (d->goal == GOAL_WIN && !vct_has_hope(board, d->attacker))) {
        pn_disprove(node);
        return;
    }
    if (board->count[d->attacker][CLASS_FIVE]) {
        n = vcf_replies(board, moves);
        if (n)
            pn_list(&d->pn, node, moves, n, STAGE_ALL);
        else
            pn_prove(node, POINT_NONE, 2, false);
        return;
    }
    if (d->goal == GOAL_WIN && by_fours(d) == SOLVE_WIN) {
        pn_disprove(node);
        return;
    }
    if (by_fours_after_pass(d) == SOLVE_WIN) {
        list_defences(d, node);
        return;
    }
    if (d->goal == GOAL_VCT) { /* not a threat after all, or not known to be one */
        if (d->stopped) return;
        d->doubtful = true;
        pn_disprove(node);
        return;
    }
    n = vct_legal(board, moves);
    vct_sort(board, moves, n);
    if (n)
        pn_list(&d->pn, node, moves, n, STAGE_ALL);
    else
        pn_disprove(node); /* nothing he may play: nobody wins */
}

/* --- the attacker's positions ---------------------------------------------------------------- */

/* Is the legal quiet move p a threat? If so its position is entered in the table with all its
 * defences, so that the work is not done twice. */
static bool is_threat(Dfpn *d, Point p)
{
    Board *board = d->board;
    bool threat = false;
    const PnNode *known = child_of(d, p);
    if (known->key && known->stage != STAGE_NEW) return true;
    board_play(board, p);
    if (!board->count[board->side][CLASS_FIVE]) {
        Verdict verdict = by_fours_after_pass(d);
        if (verdict == SOLVE_UNKNOWN) d->doubtful = true;
        threat = verdict == SOLVE_WIN;
    }
    if (threat) {
        PnNode *node = node_get(d);
        if (node) list_defences(d, node);
    }
    board_undo(board);
    return threat;
}

/* The attacks among the moves: legal, and a four or a threat. Stops after one that wins. */
static int keep_attacks(Dfpn *d, Point *moves, int n)
{
    Board *board = d->board;
    int kept = 0;
    for (int i = 0; i < n && !d->pn.full && !stop_now(d); i++) {
        Point p = moves[i];
        if (!ban_allows(board, p, board->side)) continue;
        if (!vct_makes_four(board, p, board->side) && !is_threat(d, p)) continue;
        moves[kept++] = p;
        const PnNode *child = child_of(d, p);
        if (child->key && child->pn == 0) break;
    }
    return kept;
}

/* What may stop the defender's five: its point, or where enclosed rows are dead some end of it. */
static int list_blocks(Dfpn *d, Point *moves)
{
    Board *board = d->board;
    Point blocks[VCF_REPLIES_MAX];
    int n = vcf_replies(board, blocks);
    memcpy(moves, blocks, (size_t)n * sizeof *moves);
    return n;
}

static bool in_first_stage(const Board *board, Point p)
{
    Class class = board_class(board, p, board->side);
    return class >= CLASS_THREE || class == CLASS_FOUL;
}

static int list_stage(const Board *board, PnStage stage, Point *moves)
{
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p) && in_first_stage(board, p) == (stage == STAGE_FIRST))
            moves[n++] = p;
    }
    return n;
}

static void expand_by_threats(Dfpn *d, PnNode *node)
{
    Board *board = d->board;
    Point *moves = d->scratch[0];
    PnStage stage = STAGE_FIRST;
    int n;
    if (board->count[colour_other(board->side)][CLASS_FIVE]) {
        n = list_blocks(d, moves);
        stage = STAGE_ALL;
    } else {
        n = list_stage(board, STAGE_FIRST, moves);
        vct_sort(board, moves, n);
    }
    n = keep_attacks(d, moves, n);
    if (!d->stopped && !d->pn.full) pn_list(&d->pn, node, moves, n, stage);
}

/* The second stage of attacks joins the first. */
static void expand_rest(Dfpn *d, PnNode *node)
{
    Point *moves = d->scratch[0];
    int n = node->count;
    memcpy(moves, pn_moves(&d->pn, node), (size_t)n * sizeof *moves);
    int more = list_stage(d->board, STAGE_ALL, moves + n);
    vct_sort(d->board, moves + n, more);
    more = keep_attacks(d, moves + n, more);
    if (!d->stopped && !d->pn.full) pn_list(&d->pn, node, moves, n + more, STAGE_ALL);
}

static void expand_by_all(Dfpn *d, PnNode *node)
{
    Board *board = d->board;
    Point *moves = d->scratch[0];
    int n;
    if (!vct_has_hope(board, d->attacker))
        n = 0;
    else if (board->count[colour_other(board->side)][CLASS_FIVE])
        n = list_blocks(d, moves);
    else if (by_fours_after_pass(d) == SOLVE_WIN)
        n = vct_defences(board, &d->fours, moves);
    else
        n = vct_legal(board, moves);
    vct_sort(board, moves, n);
    if (n)
        pn_list(&d->pn, node, moves, n, STAGE_ALL);
    else
        pn_disprove(node);
}

static void expand_attacker(Dfpn *d, PnNode *node)
{
    if (by_fours(d) == SOLVE_WIN) {
        pn_prove(node, d->fours.move, d->fours.plies, true);
    } else if (d->goal == GOAL_VCT) {
        expand_by_threats(d, node);
    } else {
        expand_by_all(d, node);
    }
}

/* --- proof and disproof numbers -------------------------------------------------------------- */

/* Where to go on from a position. Seen from its mover, `mine` is the number he wants to be small
 * (proof for the attacker, disproof for the defender), `theirs` the other. */
typedef struct {
    Point move; /* POINT_NONE: nothing left but the second stage */
    uint32_t mine, theirs;
    uint32_t second; /* the next best `mine` among the siblings */
    int plies;       /* of the move, where it wins */
    int open;        /* siblings not lost for the mover */
    int longest;     /* plies of the longest of those that are lost */
} Choice;

static void choice_add(Choice *c, Point p, uint32_t mine, int plies)
{
    if (mine < c->mine || (mine == 0 && plies < c->plies)) {
        c->second = c->mine;
        c->mine = mine;
        c->move = p;
        c->plies = plies;
    } else if (mine < c->second) {
        c->second = mine;
    }
}

/* Once there is no win by fours alone, a four is rarely more than a detour: its numbers look as
 * good as those of the position before it. Making it dearer keeps the detours for last. */
static uint32_t move_cost(const Dfpn *d, Point p)
{
    if (d->goal != GOAL_VCT || d->board->side != d->attacker) return 0;
    return vct_makes_four(d->board, p, d->attacker) ? FOUR_COST : 0;
}

static void choose(const Dfpn *d, const PnNode *node, Choice *c)
{
    bool attacks = d->board->side == d->attacker;
    *c = (Choice){.mine = PN_INFINITE, .second = PN_INFINITE};
    for (int i = 0; i < node->count; i++) {
        Point p = pn_moves(&d->pn, node)[i];
        const PnNode *child = child_of(d, p);
        uint32_t pn = child->key ? child->pn : 1, dn = child->key ? child->dn : 1;
        uint32_t mine = attacks ? pn : dn, theirs = attacks ? dn : pn;
        if (theirs == 0) {
            if (child->plies > c->longest) c->longest = child->plies;
            continue;
        }
        c->open++;
        if (theirs > c->theirs) c->theirs = theirs;
        if (mine) mine += move_cost(d, p);
        choice_add(c, p, mine, child->plies);
    }
    if (node->stage == STAGE_FIRST) {
        c->open++;
        if (c->theirs < 1) c->theirs = 1;
        choice_add(c, POINT_NONE, REST_PROOF, 0);
    }
    if (c->mine == 0)
        c->theirs = PN_INFINITE;
    else if (c->open > 1)
        c->theirs += (uint32_t)c->open - 1;
}

static void node_update(const Dfpn *d, PnNode *node, const Choice *c)
{
    bool attacks = d->board->side == d->attacker;
    node->pn = attacks ? c->mine : c->theirs;
    node->dn = attacks ? c->theirs : c->mine;
    if (node->pn) return;
    node->best = attacks ? c->move : POINT_NONE;
    node->plies = (uint16_t)(1 + (attacks ? c->plies : c->longest));
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Works on the current position until a number reaches its threshold. */
static void search(Dfpn *d, PnNode *node, uint32_t pn_limit, uint32_t dn_limit)
{
    Board *board = d->board;
    bool attacks = board->side == d->attacker;
    uint32_t mine_limit = attacks ? pn_limit : dn_limit;
    uint32_t theirs_limit = attacks ? dn_limit : pn_limit;
    if (node->stage == STAGE_NEW) {
        d->work++;
        if (attacks)
            expand_attacker(d, node);
        else
            expand_defender(d, node);
    }
    while (!pn_is_solved(node) && !d->pn.full && !stop_now(d)) {
        Choice c;
        choose(d, node, &c);
        node_update(d, node, &c);
        if (c.mine >= mine_limit || c.theirs >= theirs_limit) return;
        if (c.move == POINT_NONE) {
            expand_rest(d, node);
            continue;
        }
        /* A quarter more than the next best is worth: fewer jumps between near equals. */
        uint32_t mine = smaller(mine_limit, c.second + c.second / 4 + 1) - move_cost(d, c.move);
        uint32_t theirs = theirs_limit - (uint32_t)(c.open - 1);
        board_play(board, c.move);
        PnNode *child = node_get(d);
        if (child) search(d, child, attacks ? mine : theirs, attacks ? theirs : mine);
        board_undo(board);
    }
}

/* Solves the current position unless a limit comes first: work, time, or tables so small that round
 * after round ends without room and without anything new to remember. */
static Verdict solve(Dfpn *d)
{
    for (int idle = 0; idle < IDLE_ROUNDS;) {
        PnNode *node = node_get(d);
        if (node) search(d, node, PN_INFINITE, PN_INFINITE);
        if (node && node->pn == 0) return SOLVE_WIN;
        if (node && node->dn == 0) return d->doubtful ? SOLVE_UNKNOWN : SOLVE_NONE;
        if (d->stopped) return SOLVE_UNKNOWN;
        idle = pn_sweep(&d->pn) ? 0 : idle + 1;
    }
    return SOLVE_UNKNOWN;
}

/* --- the line -------------------------------------------------------------------------------- */

/* The five cannot be stopped any more: a block where one is legal, and the five. */
static int line_end(Dfpn *d, Point *line)
{
    Board *board = d->board;
    Point fives[2];
    int n = board_find(board, d->attacker, CLASS_FIVE, CLASS_FIVE, fives, 2), block = 0;
    while (block < n && !ban_allows(board, fives[block], board->side)) block++;
    line[0] = block < n ? fives[block] : POINT_NONE;
    if (block < n)
        board_play(board, line[0]);
    else
        board_pass(board);
    board_find(board, d->attacker, CLASS_FIVE, CLASS_FIVE, &line[1], 1);
    board_undo(board);
    return 2;
}

/* The defence that lasts longest, as far as is known; a move of the threat's own line where none
 * helps at all. */
static Point line_defence(Dfpn *d)
{
    Board *board = d->board;
    Point *moves = d->scratch[1], best = POINT_NONE;
    int n, longest = -1;
    if (board->count[d->attacker][CLASS_FIVE])
        n = vcf_replies(board, moves);
    else if (by_fours_after_pass(d) == SOLVE_WIN)
        n = vct_defences(board, &d->fours, moves);
    else
        n = vct_legal(board, moves);
    for (int i = 0; i < n; i++) {
        const PnNode *child = child_of(d, moves[i]);
        int plies = child->key && child->pn == 0 ? child->plies : 0;
        if (plies > longest) {
            longest = plies;
            best = moves[i];
        }
    }
    for (int i = 0; n == 0 && i < d->fours.plies && best == POINT_NONE; i++)
        if (d->fours.line[i] != POINT_NONE && ban_allows(board, d->fours.line[i], board->side))
            best = d->fours.line[i];
    if (best == POINT_NONE && vct_legal(board, moves)) best = moves[0];
    return best;
}

/* Plays the win out, the attacker to move. Returns its plies; 0 if a limit cut it short. */
static int line_make(Dfpn *d)
{
    Board *board = d->board;
    int before = board->plies, n = 0;
    bool done = false;
    while (!done && n < POINTS_MAX - VCF_LINE_MAX) {
        Point p = dfpn_move(d, board);
        if (p == POINT_NONE) break;
        if (pn_find(&d->pn, key_of(d, board->hash))->by_fours &&
            by_fours_within(d, ROOT_NODES) == SOLVE_WIN) {
            memcpy(d->line + n, d->fours.line, (size_t)d->fours.plies * sizeof *d->line);
            n += d->fours.plies;
            done = true;
            break;
        }
        d->line[n++] = p;
        board_play(board, p);
        Point replies[VCF_REPLIES_MAX];
        if (board->count[d->attacker][CLASS_FIVE] && !vcf_replies(board, replies)) {
            n += line_end(d, d->line + n);
            done = true;
            break;
        }
        Point defence = line_defence(d);
        if (defence == POINT_NONE) break;
        d->line[n++] = defence;
        board_play(board, defence);
    }
    while (board->plies > before) board_undo(board);
    return done ? n : 0;
}

/* --- from outside ---------------------------------------------------------------------------- */

Point dfpn_move(Dfpn *d, Board *board)
{
    d->board = board;
    if (board->side != d->attacker || solve(d) != SOLVE_WIN) return POINT_NONE;
    return pn_find(&d->pn, key_of(d, board->hash))->best;
}

Verdict dfpn_search(Dfpn *d, Board *board, Goal goal, Colour attacker, const DfpnLimits *limits,
                    DfpnResult *out)
{
    static const DfpnLimits none = {0};
    assert(goal != GOAL_VCF);
    *out = (DfpnResult){.line = d->line};
    if (board->won != CELL_EMPTY || board_is_full(board)) return SOLVE_NONE;
    d->board = board;
    d->limits = limits ? limits : &none;
    d->goal = goal;
    d->attacker = attacker;
    d->salt = vcf_salt(&board->rules) + 0x632be59bd9b4e019u * (2u * goal + attacker);
    d->work = 0;
    if (d->doubtful) pn_keep_proofs(&d->pn);
    d->stopped = d->doubtful = false;
    if (board->side == attacker && by_fours_within(d, ROOT_NODES) == SOLVE_WIN) {
        PnNode *root = node_get(d);
        if (root) pn_prove(root, d->fours.move, d->fours.plies, true);
    }
    Verdict verdict = solve(d);
    if (verdict == SOLVE_WIN && board->side == attacker) {
        out->plies = line_make(d);
        out->move = out->plies ? d->line[0] : POINT_NONE;
        if (!out->plies) verdict = SOLVE_UNKNOWN;
    }
    out->nodes = d->work;
    return verdict;
}
