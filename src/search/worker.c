/* SPDX-License-Identifier: MIT */
#include "search/worker.h"

#include "base/mem.h"

#include <string.h>

enum { VCF_BYTES = 1 << 20 }; /* of a worker's own table of fours */

Worker *worker_open(const Rules *rules, const SearchOptions *options, Shared *shared, int id,
                    Err *err)
{
    Eval *eval = options->eval->open(rules, options->eval_file, err);
    if (!eval) return NULL;
    Worker *w = mem_lines(sizeof *w);
    int points = rules->width * rules->height;
    w->shared = shared;
    w->id = id;
    w->eval = eval;
    /* A four whose block is forbidden, or two fours where a block may enclose one of them. */
    const SideRule *black = &rules->side[BLACK];
    w->fastest = black->fouls || black->enclosed_dead ? 3 : 5;
    w->board = board_open(rules, NEAR_SQUARE2_LINE3);
    w->vcf = vcf_open(VCF_BYTES);
    w->points_room = points * (SEARCH_PLY_MAX + 1); /* touched only as far as lines go */
    w->points = mem_zero((size_t)w->points_room * sizeof *w->points);
    w->keys = mem_zero((size_t)w->points_room * sizeof *w->keys);
    w->scores = mem_zero((size_t)points * sizeof *w->scores);
    w->root = mem_zero((size_t)points * sizeof *w->root);
    w->history = mem_zero((size_t)rules_area(rules) * sizeof *w->history);
    w->counter = mem_zero((size_t)rules_area(rules) * sizeof *w->counter);
    w->correction_last = mem_zero((size_t)rules_area(rules) * sizeof *w->correction_last);
    return w;
}

void worker_close(Worker *w)
{
    if (!w) return;
    w->eval->kind->close(w->eval);
    board_close(w->board);
    vcf_close(w->vcf);
    mem_free(w->points);
    mem_free(w->keys);
    mem_free(w->scores);
    mem_free(w->root);
    mem_free(w->history);
    mem_free(w->counter);
    mem_free(w->correction_last);
    mem_free(w);
}

void worker_set(Worker *w, const Board *board)
{
    board_follow(w->board, board);
    w->eval->kind->reset(w->eval, w->board);
    w->root_plies = w->board->plies;
    w->nodes = 0;
    w->patience = 0;
    atomic_store_explicit(&w->nodes_shown, 0, memory_order_relaxed);
    w->sel_depth = 0;
    w->points_top = 0;
    memset(w->frames, 0, sizeof w->frames);
    /* What was good before still counts, but less. */
    for (int p = 0; p < w->board->grid->area; p++)
        for (int c = 0; c < COLOUR_COUNT; c++) w->history[p][c] /= 2;
}

void worker_show_nodes(Worker *w)
{
    int64_t shown = atomic_load_explicit(&w->nodes_shown, memory_order_relaxed);
    if (w->shared->node_limit)
        atomic_fetch_add_explicit(&w->shared->nodes_told, w->nodes - shown, memory_order_relaxed);
    atomic_store_explicit(&w->nodes_shown, w->nodes, memory_order_relaxed);
}

void worker_forget(Worker *w)
{
    size_t area = (size_t)w->board->grid->area;
    memset(w->history, 0, area * sizeof *w->history);
    memset(w->counter, 0, area * sizeof *w->counter);
    memset(w->answers, 0, sizeof w->answers);
    memset(w->correction, 0, sizeof w->correction);
    memset(w->correction_last, 0, area * sizeof *w->correction_last);
    vcf_clear(w->vcf); /* what it knows saves nodes, so games would depend on those before them */
}

void worker_play(Worker *w, Point p)
{
    board_play(w->board, p);
    w->eval->kind->push(w->eval, w->board);
}

void worker_undo(Worker *w)
{
    w->eval->kind->pop(w->eval);
    board_undo(w->board);
}
