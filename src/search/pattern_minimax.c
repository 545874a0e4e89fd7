/* SPDX-License-Identifier: MIT */
/* The search of the pattern player: see pattern_minimax.h. */
#include "search/pattern_minimax.h"

#include "base/mem.h"
#include "eval/pattern_count.h"
#include "eval/pattern_simple.h"
#include "game/ban.h"

#include <string.h>

/* A move that may be played; the higher rank comes first. */
typedef struct {
    int rank;
    Point point;
} Try;

struct PatternMinimax {
    PatternCount *count;
    Try *tries;    /* room for every point, once a ply */
    Point *points; /* room for every point */
    Board *board;  /* of the run under way, as the following: the caller's */
    Leash *leash;
    Point line[PATTERN_DEPTH_MAX + 1][PATTERN_DEPTH_MAX + 1]; /* best play from each ply on */
    int line_len[PATTERN_DEPTH_MAX + 2];
};

PatternMinimax *pattern_minimax_open(const Rules *rules, const PatternBook *book)
{
    PatternMinimax *s = mem_zero(sizeof *s);
    size_t points = (size_t)(rules->width * rules->height);
    s->count = pattern_count_open(rules, book);
    s->tries = mem_alloc(PATTERN_DEPTH_MAX * points * sizeof *s->tries);
    s->points = mem_alloc(points * sizeof *s->points);
    return s;
}

void pattern_minimax_close(PatternMinimax *s)
{
    if (!s) return;
    pattern_count_close(s->count);
    mem_free(s->tries);
    mem_free(s->points);
    mem_free(s);
}

/* What we make comes before what we deny them. */
static int rank_of(const Board *board, Point p)
{
    return pattern_simple(board, p, board->side) * (SIMPLE_FIVE + 1) +
           pattern_simple(board, p, colour_other(board->side));
}

static int list_moves(PatternMinimax *s, Try *tries)
{
    const Board *board = s->board;
    int found = board_candidates(board, s->points), count = 0;
    for (int i = 0; i < found; i++)
        if (ban_allows(board, s->points[i], board->side))
            tries[count++] = (Try){rank_of(board, s->points[i]), s->points[i]};
    return count;
}

/* Takes the best move out of the list; of equal ones the first. */
static Point next_move(Try *tries, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (tries[i].rank > tries[best].rank) best = i;
    Point p = tries[best].point;
    memmove(&tries[best], &tries[best + 1], (size_t)(count - best - 1) * sizeof *tries);
    return p;
}

static void keep_line(PatternMinimax *s, int ply, Point move)
{
    s->line[ply][0] = move;
    s->line_len[ply] = s->line_len[ply + 1] + 1;
    memcpy(&s->line[ply][1], s->line[ply + 1], (size_t)s->line_len[ply + 1] * sizeof(Point));
}

static int node(PatternMinimax *s, int depth, int ply, int alpha, int beta);

static int best_of(PatternMinimax *s, Try *tries, int count, int depth, int ply, int alpha,
                   int beta)
{
    int best = -PATTERN_WIN;
    for (; count > 0 && alpha < beta; count--) {
        Point move = next_move(tries, count);
        board_play(s->board, move);
        pattern_count_push(s->count, s->board);
        int score = -node(s, depth - 1, ply + 1, -beta, -alpha);
        pattern_count_pop(s->count, s->board);
        board_undo(s->board);
        if (s->leash->over) break;
        if (score > best) best = score;
        if (score > alpha) {
            alpha = score;
            keep_line(s, ply, move);
        }
    }
    return best;
}

static int node(PatternMinimax *s, int depth, int ply, int alpha, int beta)
{
    const Rules *rules = &s->board->rules;
    s->line_len[ply] = 0;
    if (leash_node(s->leash)) return 0;
    if (s->board->won) return ply - PATTERN_WIN;
    if (board_is_full(s->board)) return 0;
    if (depth == 0) return pattern_count_value(s->count, s->board->side);
    Try *tries = s->tries + (size_t)ply * (size_t)(rules->width * rules->height);
    int count = list_moves(s, tries);
    if (count == 0) return 0;
    /* Nothing is better than to win now. */
    if (beta > PATTERN_WIN - ply - 1) beta = PATTERN_WIN - ply - 1;
    return best_of(s, tries, count, depth, ply, alpha, beta);
}

/* ---- the root ---- */

static void keep_choice(const PatternMinimax *s, int depth, int score, PatternChoice *choice)
{
    choice->move = s->line[0][0];
    choice->score = score;
    choice->depth = depth;
    choice->line_len = s->line_len[0];
    memcpy(choice->line, s->line[0], (size_t)s->line_len[0] * sizeof(Point));
}

void pattern_minimax_run(PatternMinimax *s, Board *board, const Point *moves, int count, int depth,
                         Leash *leash, PatternChoice *choice)
{
    *choice = (PatternChoice){0};
    s->board = board;
    s->leash = leash;
    pattern_count_reset(s->count, board);
    for (int d = 0; d <= depth; d++) {
        for (int i = 0; i < count; i++)
            s->tries[i] =
                (Try){moves[i] == choice->move ? INT32_MAX : rank_of(board, moves[i]), moves[i]};
        if (d == 0) {
            choice->move = next_move(s->tries, count);
            continue;
        }
        s->line_len[0] = 0;
        int score = best_of(s, s->tries, count, d, 0, -PATTERN_WIN, PATTERN_WIN);
        /* A depth that was cut short counts if its first move, the best so far, was done. */
        if (s->line_len[0] > 0) keep_choice(s, d, score, choice);
        if (leash->over || score >= PATTERN_MATE || score <= -PATTERN_MATE) break;
    }
}
