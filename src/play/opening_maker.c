/* SPDX-License-Identifier: MIT */
/* Making and judging openings; see opening_maker.h.
 *
 * Workers take the next number, judge that candidate and note what they found; the notes are read
 * in order, up to the first that is missing. A worker that is far ahead of the slowest one waits
 * for nobody: at the end a few candidates too many were judged, and dropped. */
#include "play/opening_maker.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/eval.h"
#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64, STONES_MAX = 100, RECENT = 4 };

/* Cheap searches first: most candidates are far from even, and a few nodes show it. */
static const struct {
    int part;     /* of the nodes */
    double wider; /* of the window */
} stages[] = {{128, 3}, {16, 1.5}, {1, 1}};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

typedef struct {
    bool judged, good;
    int count;
    Point stones[];
} Note;

typedef struct {
    const MakerPlan *plan;
    const atomic_bool *stop;
    MakerReport *report;
    void *ctx;
    const Openings *given; /* to judge; NULL: candidates are made */
    double *values;        /* of those */
    int64_t total;         /* candidates at most */

    Mutex *mutex; /* guards all below */
    int64_t next; /* candidate not yet taken */
    Note **notes; /* by candidate from `read` on; a ring of note_room */
    int64_t note_room, read;
    Openings *made;
    uint64_t *keys; /* of the openings made, for those that are the same but for a symmetry */
    bool done;
    MakerProgress progress;
} Work;

typedef struct {
    Work *work;
    Search *search;
    Board *board;
} Worker;

bool maker_check(const Rules *rules, const MakerPlan *plan, Err *err)
{
    if (plan->width > rules->width || plan->height > rules->height)
        return err_set(err, "the area, %dx%d, is larger than the board, %dx%d", plan->width,
                       plan->height, rules->width, rules->height);
    if (plan->stones_min < 1 || plan->stones_max > STONES_MAX ||
        plan->stones_min > plan->stones_max)
        return err_set(err, "%d to %d stones: give 1 to %d, the smaller number first",
                       plan->stones_min, plan->stones_max, STONES_MAX);
    if (plan->stones_max >= plan->width * plan->height)
        return err_set(err, "%d stones do not fit into an area of %dx%d with room left",
                       plan->stones_max, plan->width, plan->height);
    return true;
}

/* --- one candidate --------------------------------------------------------------------------- */

/* Random stones, all on points of their own. */
static int candidate_make(const Rules *rules, const MakerPlan *plan, int64_t number, Point *stones)
{
    Rng rng;
    rng_seed(&rng, plan->seed * 0x9e3779b97f4a7c15u + (uint64_t)number);
    int left = (rules->width - plan->width) / 2, top = (rules->height - plan->height) / 2;
    int span = plan->stones_max - plan->stones_min + 1;
    int wanted = plan->stones_min + (int)rng_below(&rng, (uint32_t)span), count = 0;
    while (count < wanted) {
        int x = left + (int)rng_below(&rng, (uint32_t)plan->width);
        int y = top + (int)rng_below(&rng, (uint32_t)plan->height);
        Point p = rules_point(rules, x, y);
        bool taken = false;
        for (int i = 0; i < count; i++) taken = taken || stones[i] == p;
        if (!taken) stones[count++] = p;
    }
    return count;
}

/* What the side to move may expect, 0 … 1. */
static double value_of_score(int score)
{
    if (score >= SCORE_MATE) return 1;
    if (score <= -SCORE_MATE) return 0;
    return eval_win_rate(score);
}

/* What the last few depths of a search thought. */
typedef struct {
    double value[RECENT];
    int depths;
} Recent;

static void on_depth(void *ctx, const SearchResult *so_far)
{
    Recent *recent = ctx;
    recent->value[recent->depths++ % RECENT] = value_of_score(so_far->score);
}

/* The last word of the search; *mean is what its last depths thought in the mean, which swings less
 * from depth to depth. */
static double value_of(Worker *worker, int64_t nodes, double *mean)
{
    Limits limits = {.nodes = nodes};
    Recent recent = {0};
    SearchResult result;
    search_new_game(worker->search);
    search_run(worker->search, worker->board, &limits, on_depth, &recent, &result);
    double last = value_of_score(result.score), sum = 0;
    int count = recent.depths < RECENT ? recent.depths : RECENT;
    for (int i = 0; i < count; i++) sum += recent.value[i];
    *mean = count ? sum / count : last;
    return last;
}

static bool is_even(Worker *worker)
{
    const MakerPlan *plan = worker->work->plan;
    for (int i = 0; i < STAGE_COUNT; i++) {
        int64_t nodes = plan->nodes / stages[i].part;
        double window = fmin(plan->window * stages[i].wider, 0.499), mean;
        double last = value_of(worker, nodes > 100 ? nodes : 100, &mean);
        if (fabs(mean - 0.5) > window || fabs(last - 0.5) > fmin(2 * window, 0.499)) return false;
    }
    return true;
}

static Note *candidate_judge(Worker *worker, int64_t number)
{
    Work *work = worker->work;
    Point stones[STONES_MAX];
    const Rules *rules = &worker->board->rules;
    int count = candidate_make(rules, work->plan, number, stones);
    Note *note = mem_zero(sizeof *note + (size_t)count * sizeof *stones);
    note->judged = true;
    note->count = count;
    memcpy(note->stones, stones, (size_t)count * sizeof *stones);
    note->good = opening_check(worker->board, stones, count, NULL) && is_even(worker);
    return note;
}

/* --- many ------------------------------------------------------------------------------------ */

static uint64_t key_of(const Rules *rules, const Point *stones, int count)
{
    uint8_t colours[STONES_MAX];
    for (int i = 0; i < count; i++) colours[i] = i & 1;
    return sym_key(rules, stones, colours, count, (Colour)(count & 1));
}

static void take_note(Work *work, const Note *note)
{
    const Rules *rules = &work->made->rules;
    work->progress.tried++;
    if (!note->good || work->done) return;
    uint64_t key = key_of(rules, note->stones, note->count);
    for (int i = 0; i < work->made->count; i++)
        if (work->keys[i] == key) return;
    work->keys[work->made->count] = key;
    openings_add(work->made, note->stones, note->count);
    work->progress.made = work->made->count;
    work->done = work->made->count == work->plan->count;
}

/* With the mutex held: keeps the note until its turn, and reads those whose turn it is. */
static void put_note(Work *work, int64_t number, Note *note)
{
    while (number - work->read >= work->note_room) {
        Note **larger = mem_zero(2 * (size_t)work->note_room * sizeof *larger);
        for (int64_t i = work->read; i < work->read + work->note_room; i++)
            larger[i % (2 * work->note_room)] = work->notes[i % work->note_room];
        mem_free(work->notes);
        work->notes = larger;
        work->note_room *= 2;
    }
    work->notes[number % work->note_room] = note;
    for (Note **at; *(at = &work->notes[work->read % work->note_room]); work->read++) {
        take_note(work, *at);
        mem_free(*at);
        *at = NULL;
    }
}

static void judge_given(Worker *worker, int64_t number)
{
    Work *work = worker->work;
    int count;
    const Point *stones = openings_stones(work->given, (int)number, &count);
    opening_check(worker->board, stones, count, NULL);
    double mean;
    work->values[number] = value_of(worker, work->plan->nodes, &mean);
}

static void work_on(void *ctx)
{
    Worker *worker = ctx;
    Work *work = worker->work;
    os_mutex_lock(work->mutex);
    while (!work->done && work->next < work->total && !(work->stop && *work->stop)) {
        int64_t number = work->next++;
        os_mutex_unlock(work->mutex);
        Note *note = NULL;
        if (work->given)
            judge_given(worker, number);
        else
            note = candidate_judge(worker, number);
        os_mutex_lock(work->mutex);
        if (note) {
            put_note(work, number, note);
        } else {
            work->progress.tried++;
            work->progress.made += fabs(work->values[number] - 0.5) <= work->plan->window;
        }
        if (work->report) work->report(work->ctx, &work->progress);
    }
    os_mutex_unlock(work->mutex);
}

static bool work_run(Work *work, const Rules *rules, Err *err)
{
    Worker workers[THREADS_MAX] = {0};
    Thread *threads[THREADS_MAX] = {0};
    int wanted = work->plan->threads, count = 0;
    SearchOptions options = {
        .threads = 1, .table_bytes = work->plan->table_bytes, .eval = work->plan->eval};
    if (wanted > THREADS_MAX) wanted = THREADS_MAX;
    for (; count < wanted; count++) {
        workers[count].work = work;
        workers[count].search = search_open(rules, &options, err);
        if (!workers[count].search) break;
        workers[count].board = board_open(rules, NEAR_SQUARE3_LINE4);
    }
    bool good = count == wanted;
    for (int i = 1; good && i < count; i++) /* a thread that is refused is one fewer */
        threads[i] = os_thread_start(work_on, &workers[i], NULL);
    if (good) work_on(&workers[0]);
    for (int i = 0; i < count; i++) {
        if (threads[i]) os_thread_join(threads[i]);
        search_close(workers[i].search);
        board_close(workers[i].board);
    }
    return good;
}

bool maker_run(const Rules *rules, const MakerPlan *plan, const atomic_bool *stop,
               MakerReport *report, void *ctx, Openings *openings, Err *err)
{
    enum { NOTE_ROOM = 64 };
    openings_init(openings, rules);
    if (!maker_check(rules, plan, err)) return false;
    Work work = {.plan = plan, .stop = stop, .report = report, .ctx = ctx, .made = openings};
    work.total = plan->tries;
    work.mutex = os_mutex_open();
    work.note_room = NOTE_ROOM;
    work.notes = mem_zero(NOTE_ROOM * sizeof *work.notes);
    work.keys = mem_alloc(((size_t)plan->count + 1) * sizeof *work.keys);
    bool good = work_run(&work, rules, err);
    for (int64_t i = 0; i < work.note_room; i++) mem_free(work.notes[i]);
    mem_free(work.notes);
    mem_free(work.keys);
    os_mutex_close(work.mutex);
    if (!good || openings->count == plan->count) return good;
    if (stop && *stop) return err_set(err, "interrupted after %d openings", openings->count);
    return err_set(
        err,
        "%d of %lld candidates were even, not the %d wanted: try a wider window, a larger "
        "area or another number of stones",
        openings->count, (long long)plan->tries, plan->count);
}

bool maker_judge(const Openings *openings, const MakerPlan *plan, const atomic_bool *stop,
                 MakerReport *report, void *ctx, double *values, Err *err)
{
    Work work = {.plan = plan,
                 .stop = stop,
                 .report = report,
                 .ctx = ctx,
                 .given = openings,
                 .values = values,
                 .total = openings->count};
    work.mutex = os_mutex_open();
    bool good = work_run(&work, &openings->rules, err);
    os_mutex_close(work.mutex);
    if (good && work.progress.tried < openings->count)
        return err_set(err, "interrupted after %lld openings", (long long)work.progress.tried);
    return good;
}
