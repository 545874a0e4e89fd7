/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "base/mem.h"
#include "base/os.h"
#include "game/ban.h"
#include "search/budget.h"
#include "search/moves.h"
#include "search/tt.h"
#include "search/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOT_FOURS_NODES = 20000, /* of the fours search before anything else */
    ASPIRATION_DEPTH = 5,
    ASPIRATION_WIDTH = 30,
    DEPTH_MAX = 100,
};

struct Search {
    Rules rules;
    Near near; /* of boards whose reach nobody asked for */
    SearchOptions options;
    Shared shared;
    Worker **workers;
    SearchLine *lines; /* room for every root move */
    Point *points;     /* likewise */
};

Search *search_open(const Rules *rules, const SearchOptions *options, Err *err)
{
    assert(options->threads >= 1);
    Tt *tt = tt_open(options->table_bytes);
    if (!tt) {
        err_set(err, "the system gives no %zu MiB for the transposition table",
                options->table_bytes >> 20);
        return NULL;
    }
    Search *search = mem_zero(sizeof *search);
    size_t points = (size_t)(rules->width * rules->height);
    search->rules = *rules;
    search->options = *options;
    search->shared.tt = tt;
    search->workers = mem_zero((size_t)options->threads * sizeof(Worker *));
    search->lines = mem_zero(points * sizeof *search->lines);
    search->points = mem_zero(points * sizeof *search->points);
    for (int i = 0; i < options->threads; i++) {
        search->workers[i] = worker_open(rules, options, &search->shared, i, err);
        if (search->workers[i]) continue;
        search_close(search);
        return NULL;
    }
    search->near = search->workers[0]->board->near;
    search->shared.params =
        options->params ? *options->params : *search_params_for(search->workers[0]->eval->kind);
    if (options->changes && !search_params_set(&search->shared.params, options->changes, err)) {
        search_close(search);
        return NULL;
    }
    return search;
}

void search_close(Search *search)
{
    if (!search) return;
    for (int i = 0; i < search->options.threads; i++) worker_close(search->workers[i]);
    tt_close(search->shared.tt);
    mem_free(search->workers);
    mem_free(search->lines);
    mem_free(search->points);
    mem_free(search);
}

const char *search_eval(const Search *search)
{
    return search->workers[0]->eval->name;
}

void search_new_game(Search *search)
{
    tt_clear(search->shared.tt);
    for (int i = 0; i < search->options.threads; i++) worker_forget(search->workers[i]);
}

void search_watch(Search *search, SearchWatch *watch, void *ctx)
{
    search->shared.watch = watch;
    search->shared.watch_ctx = ctx;
}

void search_look(Search *search, SearchLook *look, void *ctx)
{
    search->shared.look = look;
    search->shared.look_ctx = ctx;
}

void search_stop(Search *search)
{
    atomic_store(&search->shared.stop, true);
}

/* --- root moves ------------------------------------------------------------------------------ */

/* When every move loses, play what a person would: stop the five if one can, else anything legal
 * near the stones, else anything legal. */
static int list_desperate(const Board *board, Point *points)
{
    Colour them = colour_other(board->side);
    int all = board->rules.width * board->rules.height;
    int n = board_find(board, them, CLASS_FIVE, CLASS_FIVE, points, all), legal = 0;
    for (int i = 0; i < n; i++)
        if (ban_allows(board, points[i], board->side)) points[legal++] = points[i];
    if (legal) return legal;
    n = board_candidates(board, points);
    for (int i = 0; i < n; i++)
        if (ban_allows(board, points[i], board->side)) points[legal++] = points[i];
    if (legal) return legal;
    for (int i = 0; i < all; i++) {
        Point p = rules_nth(&board->rules, i);
        if (ban_allows(board, p, board->side)) points[legal++] = p;
    }
    return legal;
}

/* `lines`: how many of them are to be compared. */
static int list_root(const Board *board, int lines, Point *points)
{
    if (!board->stones && lines <= 1) {
        points[0] = rules_point(&board->rules, board->rules.width / 2, board->rules.height / 2);
        if (ban_allows(board, points[0], board->side)) return 1;
    }
    int n = moves_list(board, moves_threat(board), points);
    return n ? n : list_desperate(board, points);
}

/* Leaves out what the caller does not want to see. If nothing else is left, any other legal point
 * will do. */
static int drop_blocked(const Board *board, const Limits *limits, Point *points, int count)
{
    uint8_t blocked[(SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX];
    int left = 0;
    if (!limits->blocked_count) return count;
    memset(blocked, 0, sizeof blocked);
    for (int i = 0; i < limits->blocked_count; i++) blocked[limits->blocked[i]] = 1;
    for (int i = 0; i < count; i++)
        if (!blocked[points[i]]) points[left++] = points[i];
    if (left) return left;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!blocked[p] && ban_allows(board, p, board->side)) points[left++] = p;
    }
    return left;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Brings the first `count` root moves into the order of their scores, best first, ties as they
 * were. A root move is large and a large board has thousands: keys are sorted, and each move then
 * goes to its place at once. */
static void root_sort(Worker *w, const int *scores, int count)
{
    uint64_t keys[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    if (count < 2) return;
    for (int i = 0; i < count; i++)
        keys[i] = (uint64_t)((int64_t)INT32_MAX - scores[i]) << 16 | (unsigned)i;
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int i = 0; i < count; i++) {
        int from = (int)(keys[i] & 0xffff), to = i;
        if (from == i) continue;
        RootMove first = w->root[i];
        while (from != i) { /* round the cycle that i is on */
            w->root[to] = w->root[from];
            keys[to] = (unsigned)to;
            to = from;
            from = (int)(keys[from] & 0xffff);
        }
        w->root[to] = first;
        keys[to] = (unsigned)to;
    }
}

static void root_prepare(Worker *w, const Point *points, int count)
{
    int *scores = w->scores;
    w->eval->kind->policy(w->eval, w->board, points, count, scores);
    w->root_count = count;
    for (int i = 0; i < count; i++)
        w->root[i] = (RootMove){.move = points[i],
                                .score = -SCORE_INFINITE,
                                .before = -SCORE_INFINITE,
                                .pv = {points[i]},
                                .pv_len = 1};
    root_sort(w, scores, count);
}

/* --- iterations ------------------------------------------------------------------------------ */

typedef struct {
    Search *search;
    const Limits *limits;
    Budget budget;
    int64_t start_ns;
    SearchReport *report;
    void *ctx;
    SearchResult *result;
} Run;

static int64_t elapsed_ms(const Run *run)
{
    return (os_clock_ns() - run->start_ns) / 1000000;
}

static bool stopped(const Worker *w)
{
    return atomic_load_explicit(&w->shared->stop, memory_order_relaxed);
}

/* One line at one depth, with a window around the last score that opens where it fails. */
static int search_line(Worker *w, int depth, int before)
{
    int width = ASPIRATION_WIDTH;
    int alpha = -SCORE_INFINITE, beta = SCORE_INFINITE;
    if (depth >= ASPIRATION_DEPTH && !score_is_mate(before) && before > -SCORE_INFINITE) {
        alpha = before - width;
        beta = before + width;
    }
    for (;;) {
        int score = ab_root(w, alpha, beta, depth);
        if (stopped(w)) return score;
        if (score <= alpha && alpha > -SCORE_INFINITE) {
            beta = (alpha + beta) / 2;
            alpha = score - width > -SCORE_MATE ? score - width : -SCORE_INFINITE;
        } else if (score >= beta && beta < SCORE_INFINITE) {
            beta = score + width < SCORE_MATE ? score + width : SCORE_INFINITE;
        } else {
            return score;
        }
        width *= 3;
    }
}

/* Plays a move of a line if it can be played. POINT_NONE: the only block is forbidden. */
static bool follow_line(Worker *w, SearchLine *line, Point move)
{
    Board *board = w->board;
    if (line->line_len == SEARCH_PLY_MAX || board_is_over(board)) return false;
    if (move && (!board_is_empty(board, move) || !ban_allows(board, move, board->side)))
        return false;
    line->line[line->line_len++] = move;
    if (move)
        board_play(board, move);
    else
        board_pass(board);
    return true;
}

/* Can the side to move win by fours, in so many plies at most? With three left that takes one of
 * its fours, and all of them are looked at. */
static bool wins_within(Worker *w, int plies, VcfResult *fours)
{
    enum { ALL_FOURS = 200 };
    VcfLimits limits = {.nodes = plies <= 3 ? ALL_FOURS : w->shared->params.leaf_fours,
                        .plies = plies,
                        .keen = plies == 0 || plies > 3}; /* as leaves found it */
    return vcf_is_possible(w->board) && vcf_search(w->vcf, w->board, &limits, fours) == SOLVE_WIN;
}

/* In how many plies the side to move has won, as far as that is known; 0: it is not. */
static int known_win(Worker *w)
{
    TtEntry entry;
    VcfResult fours;
    Threat threat = moves_threat(w->board);
    if (threat == THREAT_WE_FIVE) return 1;
    if (threat == THREAT_WE_FOUR) return 3;
    if (tt_probe(w->shared->tt, w->board->hash, &entry) && entry.value >= SCORE_MATE)
        return SCORE_WIN - entry.value;
    return wins_within(w, 0, &fours) ? fours.plies : 0;
}

/* A loser's move after which the winner needs `plies`, or as near to that as is known: all others
 * lose sooner, and the table's may be from before it was seen that it loses. Of moves that lose as
 * late the one that takes most from both is shown, as a player would try. */
static Point longest_defence(Worker *w, Point kept, int plies)
{
    Board *board = w->board;
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE + 1], best = POINT_NONE;
    int n = 1 + list_root(board, 1, points + 1), most = -1, best_class = -1;
    points[0] = kept;
    for (int i = !kept; i < n; i++) {
        Point p = points[i];
        int class = board_class(board, p, BLACK) + board_class(board, p, WHITE);
        if (!ban_allows(board, p, board->side) || (most == plies && class <= best_class)) continue;
        board_play(board, p);
        int win = known_win(w);
        board_undo(board);
        if (i == 0 && win == plies) return kept;
        if (win > plies || win < most || (win == most && class <= best_class)) continue;
        most = win;
        best = p;
        best_class = class;
    }
    return best;
}

/* The winner's: what was kept before the win was seen would lead astray. */
static Point table_win(const Worker *w, int plies)
{
    TtEntry entry;
    bool known = tt_probe(w->shared->tt, w->board->hash, &entry) && entry.value >= SCORE_MATE;
    return known && SCORE_WIN - entry.value <= plies ? entry.move : POINT_NONE;
}

/* Goes on with a line that ends in a row after `left` more plies. */
static bool follow_win(Worker *w, SearchLine *line, int left)
{
    VcfResult fours;
    bool by_fours = wins_within(w, left, &fours);
    Point kept = by_fours ? POINT_NONE : table_win(w, left);
    if (kept && follow_line(w, line, kept)) return true;
    if (!by_fours && !wins_within(w, 0, &fours))
        return (kept = table_win(w, SCORE_WIN)) && follow_line(w, line, kept);
    for (int i = 0; i < fours.plies; i++)
        if (!follow_line(w, line, fours.line[i])) return false;
    return true;
}

static bool follow_loss(Worker *w, SearchLine *line, int left)
{
    TtEntry entry = {0};
    tt_probe(w->shared->tt, w->board->hash, &entry);
    Point defence = longest_defence(w, entry.move, left - 1);
    return defence && follow_line(w, line, defence);
}

/* A window that failed, or the end of the time, leaves a line of a move or two, and a win by fours
 * only what leads to it: the table and the fours know how it goes on. */
static void complete_line(Worker *w, SearchLine *line)
{
    Board *board = w->board;
    bool mate = score_is_mate(line->score), on = true;
    int winner = line->score > 0 ? 0 : 1, len = line->line_len;
    int wanted = !mate ? line->depth : SCORE_WIN - (winner ? -line->score : line->score);
    line->line_len = 0;
    for (int i = 0; i < len && follow_line(w, line, line->line[i]); i++) continue;
    while (on && line->line_len < wanted && !board_is_over(board)) {
        TtEntry entry;
        int left = wanted - line->line_len;
        if (!mate)
            on = tt_probe(w->shared->tt, board->hash, &entry) && entry.move &&
                 follow_line(w, line, entry.move);
        else if (line->line_len % 2 == winner)
            on = follow_win(w, line, left);
        else
            on = follow_loss(w, line, left);
    }
    while (board->plies > w->root_plies) board_undo(board);
}

static void publish(Run *run, Worker *w, int depth, int lines)
{
    Search *search = run->search;
    SearchResult *result = run->result;
    result->line_count = 0;
    for (int i = 0; i < w->root_count && i < lines; i++) {
        RootMove *move = &w->root[i];
        if (move->score == -SCORE_INFINITE) continue;
        SearchLine *line = &search->lines[result->line_count++];
        line->move = move->move;
        line->score = move->score;
        line->depth = move->depth;
        line->line_len = move->pv_len;
        memcpy(line->line, move->pv, (size_t)move->pv_len * sizeof *move->pv);
        complete_line(w, line);
    }
    result->lines = search->lines;
    result->move = w->root[0].move;
    result->score = w->root[0].score;
    if (!result->line_count) /* stopped before the first move was searched */
        result->score = w->eval->kind->value(w->eval, w->board);
    result->depth = depth;
    result->sel_depth = w->sel_depth;
    result->ms = elapsed_ms(run);
    result->table_hits = tt_permille_hits(search->shared.tt);
    result->nodes = 0;
    worker_show_nodes(w);
    for (int i = 0; i < search->options.threads; i++)
        result->nodes +=
            atomic_load_explicit(&search->workers[i]->nodes_shown, memory_order_relaxed);
    if (run->report && result->line_count) run->report(run->ctx, result);
}

/* Is another iteration worth its while? */
static bool goes_on(const Run *run, const Worker *w, int depth, int stable)
{
    const RootMove *best = &w->root[0];
    int lines = run->limits->lines;
    if (lines <= 1) {
        if (w->root_count == 1 && !run->limits->forced_too &&
            (run->budget.optimum_ms >= 0 || run->limits->nodes))
            return false;
        if (best->score >= SCORE_MATE && depth >= SCORE_WIN - best->score) return false;
        if (best->score >= SCORE_MATE && stable >= 2) return false;
        if (best->score <= -SCORE_MATE && depth >= SCORE_WIN + best->score) return false;
    }
    if (run->budget.optimum_ms < 0) return true;
    /* The next iteration costs more than this one: a settled move is played early, an unsettled
     * or falling one is thought over. */
    double share = stable >= 4 ? 0.45 : stable >= 2 ? 0.6 : 0.8;
    if (best->before > -SCORE_INFINITE && best->score < best->before - 40) share = 1.2;
    if (run->budget.optimum_ms == run->budget.maximum_ms) share = 0.85; /* nothing to save for */
    return (double)elapsed_ms(run) < share * (double)run->budget.optimum_ms;
}

/* Lines are searched one after the other, and a later one may turn out better. */
static void sort_lines(Worker *w, int lines)
{
    for (int i = 0; i < lines; i++) w->scores[i] = w->root[i].score;
    root_sort(w, w->scores, lines);
}

/* Stopped after the first `done` of several lines. The others come from the iteration before; that
 * they are no better than the last of those is known meanwhile. */
static void sort_stopped(Worker *w, int depth, int done)
{
    RootMove *root = w->root;
    sort_lines(w, done);
    for (int i = 0; i < w->root_count; i++) {
        if (i >= done && done && root[i].score > root[done - 1].score)
            root[i].score = root[done - 1].score;
        w->scores[i] = i < done                    ? 2 * SCORE_INFINITE - i
                       : root[i].depth < depth - 1 ? -SCORE_INFINITE
                                                   : root[i].score;
    }
    root_sort(w, w->scores, w->root_count);
}

/* The deciding worker: reports, and ends the search for all. */
static void lead(Run *run)
{
    Worker *w = run->search->workers[0];
    int lines = run->limits->lines > 1 ? run->limits->lines : 1;
    int most =
        run->limits->depth > 0 && run->limits->depth < DEPTH_MAX ? run->limits->depth : DEPTH_MAX;
    int stable = 0;
    if (lines > w->root_count) lines = w->root_count;
    publish(run, w, 0, lines); /* all there is to say if the time is up already */
    for (int depth = 1; depth <= most && !stopped(w); depth++) {
        Point best = w->root[0].move;
        w->root_depth = depth;
        for (int i = 0; i < w->root_count; i++) w->root[i].before = w->root[i].score;
        for (w->root_first = 0; w->root_first < lines; w->root_first++) {
            search_line(w, depth, w->root[w->root_first].before);
            if (stopped(w)) break;
        }
        if (!stopped(w))
            sort_lines(w, lines);
        else if (lines > 1)
            sort_stopped(w, depth, w->root_first);
        stable = w->root[0].move == best ? stable + 1 : 0;
        publish(run, w, stopped(w) ? depth - 1 : depth, lines);
        if (!stopped(w) && !goes_on(run, w, depth, stable)) break;
    }
    atomic_store(&w->shared->stop, true);
}

/* The others fill the table, at staggered depths so that they do not all do the same. */
static void follow(void *ctx)
{
    Worker *w = ctx;
    w->root_first = 0;
    int before = -SCORE_INFINITE;
    for (int depth = 1; depth <= DEPTH_MAX && !stopped(w); depth++) {
        if (depth > 3 && (depth + w->id) % (2 + w->id / 2) == 0) continue;
        w->root_depth = depth;
        before = search_line(w, depth, before);
    }
}

static void run_threads(Run *run, const Board *board, const Point *points, int count)
{
    Search *search = run->search;
    enum { THREADS_MAX = 256 };
    Thread *threads[THREADS_MAX] = {0};
    for (int i = 1; i < search->options.threads && i < THREADS_MAX; i++) {
        Err ignored; /* without the thread the search is slower, not wrong */
        worker_set(search->workers[i], board);
        root_prepare(search->workers[i], points, count);
        threads[i] = os_thread_start(follow, search->workers[i], &ignored);
    }
    lead(run);
    for (int i = 1; i < search->options.threads && i < THREADS_MAX; i++)
        if (threads[i]) os_thread_join(threads[i]);
    run->result->nodes = 0; /* now with what the others did last */
    for (int i = 0; i < search->options.threads; i++)
        run->result->nodes += search->workers[i]->nodes;
}

/* A win by fours needs no search. */
static bool wins_by_fours(Run *run, Worker *w)
{
    /* A small allowance, of nodes or of time, is not overdrawn before the search begins. */
    int64_t nodes = run->limits->nodes, most = run->budget.maximum_ms;
    if (!nodes || nodes > ROOT_FOURS_NODES) nodes = ROOT_FOURS_NODES;
    VcfLimits limits = {.nodes = nodes, .stop = &w->shared->stop};
    if (most >= 0) limits.deadline = run->start_ns / 1000000 + most + 1;
    VcfResult fours;
    if (run->limits->lines > 1 || run->limits->blocked_count ||
        vcf_search(w->vcf, w->board, &limits, &fours) != SOLVE_WIN)
        return false;
    RootMove *root = &w->root[0];
    w->nodes += fours.nodes;
    w->root_count = 1;
    *root = (RootMove){
        .move = fours.move, .score = score_win_in(fours.plies), .before = -SCORE_INFINITE};
    root->depth = root->pv_len = fours.plies < SEARCH_PLY_MAX ? fours.plies : SEARCH_PLY_MAX;
    memcpy(root->pv, fours.line, (size_t)root->pv_len * sizeof *root->pv);
    publish(run, w, root->depth, 1);
    return true;
}

/* Another reach takes other boards: the one thing that a run may have to allocate. */
static void set_reach(Search *search, int reach)
{
    Near near = reach ? (Near)(reach - 1) : search->near;
    for (int i = 0; i < search->options.threads; i++) {
        Worker *w = search->workers[i];
        if (w->board->near == near) continue;
        board_close(w->board);
        w->board = board_open(&search->rules, near);
    }
}

void search_run(Search *search, const Board *board, const Limits *limits, SearchReport *report,
                void *ctx, SearchResult *result)
{
    Run run = {.search = search,
               .limits = limits,
               .start_ns = os_clock_ns(),
               .report = report,
               .ctx = ctx,
               .result = result};
    Worker *first = search->workers[0];
    assert(rules_equal(&search->rules, &board->rules));
    *result = (SearchResult){.lines = search->lines, .eval = search_eval(search)};
    run.budget = budget_make(limits, board->stones);
    atomic_store(&search->shared.deadline_ns, run.budget.maximum_ms < 0
                                                  ? INT64_MAX
                                                  : run.start_ns + run.budget.maximum_ms * 1000000);
    search->shared.node_limit = limits->nodes;
    atomic_store(&search->shared.nodes_told, 0);
    atomic_store(&search->shared.stop, false);
    if (limits->stop && atomic_load(limits->stop)) search_stop(search);
    tt_new_search(search->shared.tt);

    set_reach(search, limits->reach);
    worker_set(first, board);
    int count = list_root(first->board, limits->lines, search->points);
    count = drop_blocked(first->board, limits, search->points, count);
    if (!count) return;
    root_prepare(first, search->points, count);
    result->move = first->root[0].move;
    if (wins_by_fours(&run, first)) return;
    run_threads(&run, board, search->points, count);
}
