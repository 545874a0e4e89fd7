/* SPDX-License-Identifier: MIT */
#include "search/kill.h"

#include "base/mem.h"
#include "search/moves.h"
#include "search/tt.h"

enum {
    FOURS_NODES = 20000,
    FOURS_BYTES = 1 << 20,
    LISTS_ROOM = 1 << 16, /* moves of all positions of a line together; most have a dozen */
};

struct Kill {
    Tt *tt;
    Vcf *vcf;
    Board *board;
    Leash *leash;
    KillOptions options;
    int64_t nodes;
    Point *lists; /* LISTS_ROOM, used as a stack */
    int top;
    int64_t crowded; /* how often that stack had no room for another position */
};

/* What is kept of a position with the attacker to move: a kill is one at any depth, none is none up
 * to the depth that was searched. */
enum { KILLED = 1, SURVIVED = 0 };

Kill *kill_open(size_t table_bytes, Err *err)
{
    Tt *tt = tt_open(table_bytes);
    if (!tt) {
        err_set(err, "no memory for a table of %zu MB: give it less", table_bytes >> 20);
        return NULL;
    }
    Kill *kill = mem_zero(sizeof *kill);
    kill->tt = tt;
    kill->vcf = vcf_open(FOURS_BYTES);
    kill->lists = mem_alloc(LISTS_ROOM * sizeof *kill->lists);
    return kill;
}

void kill_close(Kill *kill)
{
    if (!kill) return;
    tt_close(kill->tt);
    vcf_close(kill->vcf);
    mem_free(kill->lists);
    mem_free(kill);
}

void kill_forget(Kill *kill)
{
    tt_clear(kill->tt);
}

/* Naive and rigid kills are different questions. */
static uint64_t key_of(const Kill *kill)
{
    const uint64_t naive = 0x9e3779b97f4a7c15u;
    return kill->board->hash ^ (kill->options.rigid ? 0 : naive);
}

static bool is_over(Kill *kill)
{
    kill->nodes++;
    int points = kill->board->rules.width * kill->board->rules.height;
    if (LISTS_ROOM - kill->top < 2 * points) { /* a defence and an attack must fit */
        kill->crowded++;
        return true;
    }
    if (kill->options.nodes && kill->nodes >= kill->options.nodes) return true;
    return leash_node(kill->leash);
}

static bool attack(Kill *kill, int plies, Point *move);

/* The defender is to move; is he lost whatever he does? */
static bool defence_fails(Kill *kill, int plies)
{
    Board *board = kill->board;
    Point *replies = kill->lists + kill->top, next;
    Colour defender = board->side, attacker = colour_other(defender);
    Threat threat = moves_threat(board);
    if (threat != THREAT_THEY_FIVE && threat != THREAT_THEY_FOUR) return false;
    int count = moves_list(board, threat, replies);
    bool fails = plies > 1 || !count;
    kill->top += count;
    for (int i = 0; i < count && fails; i++) {
        board_play(board, replies[i]);
        /* Listed for a four of his own, and it takes nothing away: the naive search skips it. */
        bool aside =
            threat == THREAT_THEY_FOUR && board->count[defender][CLASS_FIVE] &&
            (board->count[attacker][CLASS_OPEN_FOUR] || board->count[attacker][CLASS_DOUBLE_FOUR]);
        if (!aside || kill->options.rigid) fails = attack(kill, plies - 1, &next);
        board_undo(board);
    }
    kill->top -= count;
    return fails;
}

/* Points that keep the defender busy, fours first. */
static int list_attacks(const Board *board, Threat threat, Point *points)
{
    if (threat == THREAT_THEY_FIVE || threat == THREAT_THEY_FOUR)
        return moves_list(board, threat, points);
    int room = board->rules.width * board->rules.height;
    int n = board_find(board, board->side, CLASS_FOUR, CLASS_FIVE, points, room);
    return n + board_find(board, board->side, CLASS_OPEN_THREE, CLASS_DOUBLE_OPEN_THREE, points + n,
                          room - n);
}

static bool try_attacks(Kill *kill, int plies, Threat threat, Point *move)
{
    Board *board = kill->board;
    Point *points = kill->lists + kill->top;
    int count = list_attacks(board, threat, points);
    bool won = false;
    kill->top += count;
    for (int i = 0; i < count && !won && !is_over(kill); i++) {
        board_play(board, points[i]);
        won = defence_fails(kill, plies - 1);
        board_undo(board);
        if (won) *move = points[i];
    }
    kill->top -= count;
    return won;
}

/* The attacker is to move and has so many plies left. */
static bool attack(Kill *kill, int plies, Point *move)
{
    Board *board = kill->board;
    TtEntry entry;
    Threat threat = moves_threat(board);
    if (threat == THREAT_WE_FIVE || threat == THREAT_WE_FOUR) {
        Point *points = kill->lists + kill->top;
        *move = moves_list(board, threat, points) ? points[0] : POINT_NONE;
        return *move != POINT_NONE;
    }
    if (plies <= 0 || kill->leash->over) return false;
    if (tt_probe(kill->tt, key_of(kill), &entry)) {
        *move = entry.move;
        if (entry.value == KILLED) return true;
        if (entry.depth >= plies) return false;
    }
    int64_t before = kill->nodes, crowded = kill->crowded;
    bool won = try_attacks(kill, plies, threat, move);
    bool cut = kill->leash->over || kill->crowded > crowded ||
               (kill->options.nodes && kill->nodes >= kill->options.nodes);
    if (won || (!cut && kill->nodes > before))
        tt_store(kill->tt, key_of(kill),
                 (TtEntry){.move = won ? *move : POINT_NONE,
                           .value = won ? KILLED : SURVIVED,
                           .depth = (int8_t)plies,
                           .bound = BOUND_EXACT});
    return won;
}

static bool fours_win(Kill *kill, Board *board, Point *move)
{
    VcfResult fours;
    VcfLimits limits = {.nodes = FOURS_NODES,
                        .stop = kill->leash->stop[0],
                        .deadline = leash_deadline_ms(kill->leash)};
    *move = POINT_NONE;
    if (kill->leash->over || !vcf_is_possible(board)) return false;
    bool won = vcf_search(kill->vcf, board, &limits, &fours) == SOLVE_WIN;
    kill->leash->nodes += fours.nodes;
    if (won) *move = fours.move;
    return won;
}

void kill_search(Kill *kill, Board *board, const KillOptions *options, Leash *leash,
                 KillResult *result)
{
    TtEntry entry;
    *result = (KillResult){0};
    kill->board = board;
    kill->leash = leash;
    kill->options = *options;
    kill->nodes = 0;
    kill->top = 0;
    if (tt_probe(kill->tt, key_of(kill), &entry) && entry.value == KILLED) {
        result->kind = KILL_REPLAYED;
        result->move = entry.move;
        return;
    }
    if (fours_win(kill, board, &result->move)) {
        result->kind = KILL_BY_FOURS;
        return;
    }
    board_pass(board);
    result->opponent_fours = fours_win(kill, board, &result->reply);
    board_undo(board);
    if (result->opponent_fours && moves_threat(board) == THREAT_NONE) return;
    /* Shorter kills first: each depth finds most of its positions in the table. */
    for (int plies = 3; plies <= options->plies && !result->move; plies += 2)
        if (attack(kill, plies, &result->move)) result->kind = KILL_BY_THREATS;
    if (result->kind == KILL_NONE) result->move = POINT_NONE;
}
