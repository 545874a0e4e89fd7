/* SPDX-License-Identifier: MIT */
/* Search: what to play in a position, by iterative deepening on one thread or many.
 *
 * One Search serves one player: it owns the transposition table and the workers, and remembers what
 * it learnt from move to move. It never prints; progress goes to a callback. */
#pragma once

#include "base/err.h"
#include "eval/eval.h"
#include "game/board.h"
#include "search/limits.h"
#include "search/params.h"
#include "search/score.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int threads;        /* at least 1 */
    size_t table_bytes; /* 0: no table */
    const EvalKind *eval;
    const char *eval_file;      /* for evaluations that are read from one; NULL: as built in */
    const SearchParams *params; /* NULL: those that go with the evaluation */
    const char *changes;        /* "name=value …" over them; NULL: none */
} SearchOptions;

typedef struct {
    Point move;
    int score; /* for the side to move; see score.h */
    int depth;
    Point line[SEARCH_PLY_MAX];
    int line_len;
} SearchLine;

typedef struct {
    Point move; /* POINT_NONE only if there is no legal move */
    int score;
    int depth, sel_depth;
    int64_t nodes;
    int64_t ms;
    int table_hits;   /* of a thousand positions looked up in the table, so many were there */
    const char *eval; /* what judged: an Eval's name */
    int line_count;
    const SearchLine *lines; /* best first; owned by the Search, good until the next run */
} SearchResult;

/* Called after every finished iteration, from the thread that called search_run. */
typedef void SearchReport(void *ctx, const SearchResult *so_far);

/* What happens to one move of the root while it does, likewise. */
typedef enum { ROOT_TAKEN_UP, ROOT_DONE, ROOT_LOST, ROOT_BEST } SearchEvent;
typedef void SearchWatch(void *ctx, Point move, SearchEvent event);

typedef struct Search Search;

Search *search_open(const Rules *rules, const SearchOptions *options, Err *err);
void search_close(Search *search);
const char *search_eval(const Search *search); /* the name of the evaluation that it opened */
void search_new_game(Search *search);          /* forgets everything */
/* From the next run on, tells what happens to each move of the root; NULL: nobody is told. */
void search_watch(Search *search, SearchWatch *watch, void *ctx);
/* Likewise for each position that is judged because it is not looked into any further. It may be
 * read, not played on. */
typedef void SearchLook(void *ctx, const Board *board);
void search_look(Search *search, SearchLook *look, void *ctx);

/* Thinks about a position that is not over, until a limit or search_stop. */
void search_run(Search *search, const Board *board, const Limits *limits, SearchReport *report,
                void *ctx, SearchResult *result);
void search_stop(Search *search); /* from any thread; no effect when nothing runs */
