/* SPDX-License-Identifier: MIT */
#include "search/plain.h"

#include "base/mem.h"
#include "search/tt.h"

#include <string.h>

typedef struct {
    Point move[PLAIN_DEPTH_MAX];
    int len;
} Line;

struct Plain {
    const PlainJudge *judge;
    void *ctx;
    Tt *tt; /* NULL: none */
    Board *board;
    Leash *leash;
    PlainResult *result; /* of the run under way; NULL: none is */
    int room;            /* of one list of moves */
    Point *moves;        /* a list for each ply */
    Line lines[PLAIN_DEPTH_MAX + 1];
};

Plain *plain_open(const Rules *rules, const PlainJudge *judge, void *ctx, size_t table_bytes,
                  Err *err)
{
    Tt *tt = table_bytes ? tt_open(table_bytes) : NULL;
    if (table_bytes && !tt) {
        err_set(err, "no memory for a table of %zu MB: give it less", table_bytes >> 20);
        return NULL;
    }
    Plain *plain = mem_zero(sizeof *plain);
    plain->judge = judge;
    plain->ctx = ctx;
    plain->tt = tt;
    plain->room = rules->width * rules->height;
    plain->moves = mem_alloc((size_t)plain->room * (PLAIN_DEPTH_MAX + 1) * sizeof *plain->moves);
    return plain;
}

void plain_close(Plain *plain)
{
    if (!plain) return;
    if (plain->tt) tt_close(plain->tt);
    mem_free(plain->moves);
    mem_free(plain);
}

void plain_forget(Plain *plain)
{
    if (plain->tt) tt_clear(plain->tt);
}

static int leaf_value(Plain *plain)
{
    int value = plain->judge->value(plain->ctx, plain->board), most = plain->judge->win / 3 * 2;
    return value > most ? most : value < -most ? -most : value;
}

/* What is a forced win, and its opposite a forced loss. */
static int mate(const Plain *plain)
{
    return plain->judge->win - PLAIN_DEPTH_MAX;
}

/* Wins are counted from the node in the table, from the root elsewhere. */
static int to_table(const Plain *plain, int score, int ply)
{
    return score >= mate(plain) ? score + ply : score <= -mate(plain) ? score - ply : score;
}

static int from_table(const Plain *plain, int score, int ply)
{
    return to_table(plain, score, -ply);
}

static bool probe(Plain *plain, int depth, int ply, int alpha, int beta, TtEntry *entry)
{
    *entry = (TtEntry){0};
    if (!plain->tt || !tt_probe(plain->tt, plain->board->hash, entry)) return false;
    int score = from_table(plain, entry->value, ply);
    if (entry->depth != depth) return false; /* a score of another depth is another score */
    return entry->bound == BOUND_EXACT || (entry->bound == BOUND_LOWER && score >= beta) ||
           (entry->bound == BOUND_UPPER && score <= alpha);
}

static void line_put(Plain *plain, int ply, Point move)
{
    Line *line = &plain->lines[ply], *below = &plain->lines[ply + 1];
    line->move[0] = move;
    memcpy(line->move + 1, below->move, (size_t)below->len * sizeof *line->move);
    line->len = below->len + 1;
}

static int node(Plain *plain, int alpha, int beta, int depth, int ply);

static int try_move(Plain *plain, Point move, int alpha, int beta, int depth, int ply)
{
    board_play(plain->board, move);
    plain->judge->push(plain->ctx, plain->board);
    int score = -node(plain, -beta, -alpha, depth - 1, ply + 1);
    plain->judge->pop(plain->ctx, plain->board);
    board_undo(plain->board);
    return score;
}

static void to_front(Point *moves, int count, Point move)
{
    for (int i = 1; i < count; i++) {
        if (moves[i] != move) continue;
        memmove(moves + 1, moves, (size_t)i * sizeof *moves);
        moves[0] = move;
        return;
    }
}

/* Meaningless once the leash is over. */
static int node(Plain *plain, int alpha, int beta, int depth, int ply)
{
    Board *board = plain->board;
    TtEntry known;
    plain->lines[ply].len = 0;
    if (board->won != CELL_EMPTY)
        return ply - plain->judge->win; /* who just moved completed a row */
    if (board_is_full(board)) return 0;
    if (leash_node(plain->leash)) return 0;
    if (depth <= 0) return leaf_value(plain);
    if (probe(plain, depth, ply, alpha, beta, &known)) return from_table(plain, known.value, ply);
    Point *moves = plain->moves + (size_t)ply * (size_t)plain->room;
    int count = plain->judge->list(plain->ctx, board, moves);
    if (!count) return leaf_value(plain);
    if (known.move) to_front(moves, count, known.move);
    int best = -plain->judge->win - 1, from = alpha;
    Point best_move = POINT_NONE;
    for (int i = 0; i < count && alpha < beta; i++) {
        int score = try_move(plain, moves[i], alpha, beta, depth, ply);
        if (plain->leash->over) return 0;
        if (score <= best) continue;
        best = score;
        best_move = moves[i];
        if (score <= alpha) continue;
        alpha = score;
        line_put(plain, ply, best_move);
    }
    Bound bound = best >= beta ? BOUND_LOWER : best > from ? BOUND_EXACT : BOUND_UPPER;
    if (plain->tt)
        tt_store(plain->tt, board->hash,
                 (TtEntry){.move = best_move,
                           .value = (int16_t)to_table(plain, best, ply),
                           .depth = (int8_t)depth,
                           .bound = (uint8_t)bound});
    return best;
}

static void take(Plain *plain, Point move, int score, PlainResult *result)
{
    Line *line = &plain->lines[0];
    line_put(plain, 0, move);
    result->move = move;
    result->score = score;
    result->line_len = line->len;
    memcpy(result->line, line->move, (size_t)line->len * sizeof *line->move);
}

/* One iteration. Every finished move may be the answer: the best one so far is. */
static void root(Plain *plain, Point *moves, int count, int depth, PlainResult *result)
{
    int most = plain->judge->win + 1, best = -most;
    for (int i = 0; i < count; i++) {
        int score = try_move(plain, moves[i], best, most, depth, 0);
        if (plain->leash->over) return;
        if (score <= best) continue;
        best = score;
        take(plain, moves[i], score, result);
    }
    to_front(moves, count, result->move);
    result->depth = depth;
}

void plain_run(Plain *plain, Board *board, Point *moves, int count, int from, int step, int to,
               Leash *leash, PlainResult *result)
{
    *result = (PlainResult){.move = moves[0], .line = {moves[0]}, .line_len = 1};
    if (to > PLAIN_DEPTH_MAX) to = PLAIN_DEPTH_MAX;
    plain->board = board;
    plain->leash = leash;
    plain->result = result;
    if (plain->tt) tt_new_search(plain->tt);
    plain->judge->reset(plain->ctx, board);
    result->score = leaf_value(plain);
    for (int depth = from < to ? from : to; depth <= to && !leash->over; depth += step) {
        root(plain, moves, count, depth, result);
        if (result->score >= mate(plain) || result->score <= -mate(plain)) break;
    }
    plain->result = NULL;
}

const PlainResult *plain_so_far(const Plain *plain)
{
    return plain->result;
}
