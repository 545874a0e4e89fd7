/* SPDX-License-Identifier: MIT */
#include "learn/tune.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "learn/selfplay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_BYTES = 16 << 20,
    LENGTH_MAX = 200, /* longer games are draws */
};

typedef struct {
    const TunePlan *plan;
    TuneState *state;
    atomic_bool *stop;
    TuneReport *report;
    void *ctx;
    Mutex *mutex; /* guards state and what follows */
    int next;
    bool failed;
    Err err;
} Run;

/* --- state ----------------------------------------------------------------------------------- */

void tune_begin(TuneState *state, const TunePlan *plan)
{
    *state = (TuneState){0};
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        state->value[i] = search_params_get(search_params_for(plan->eval), i);
        state->kept[i] = plan->chosen[i];
    }
}

void tune_write(const TuneState *state, const TunePlan *plan, Buf *out)
{
    buf_printf(out, "rule %s\neval %s\npairs %d\n", rule_name(plan->rule), plan->eval->name,
               state->pairs);
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++)
        if (state->kept[i]) buf_printf(out, "%s %.4f\n", search_params[i].name, state->value[i]);
    buf_add_text(out, "end\n");
}

/* "NAME NUMBER" with a number from least to most. */
static bool number_of(const char *name, const char *word, double least, double most, double *value,
                      Err *err)
{
    char *end;
    *value = strtod(word, &end);
    if (end != word && !*end && *value >= least && *value <= most) return true;
    return err_set(err, "%s %s: is no number from %g to %g", name, word, least, most);
}

static bool read_line(TuneState *state, const TunePlan *plan, const char *name, const char *word,
                      Err *err)
{
    double value;
    bool is_rule = strcmp(name, "rule") == 0;
    if (is_rule || strcmp(name, "eval") == 0) {
        const char *asked = is_rule ? rule_name(plan->rule) : plan->eval->name;
        return strcmp(word, asked) == 0 ||
               err_set(err, "was tuned with --%s %s, not %s; give that, or another --out", name,
                       word, asked);
    }
    if (strcmp(name, "pairs") == 0) {
        if (!number_of(name, word, 0, 1e8, &value, err)) return false;
        state->pairs = (int)value;
        return true;
    }
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParam *p = &search_params[i];
        if (strcmp(name, p->name) != 0) continue;
        if (!number_of(name, word, p->least, p->most, &value, err)) return false;
        state->value[i] = value;
        return state->kept[i] = true;
    }
    return err_set(err, "there is no search parameter \"%s\"", name);
}

bool tune_read(TuneState *state, const TunePlan *plan, const char *text, Err *err)
{
    size_t len = strlen(text);
    if (len < 5 || strcmp(text + len - 5, "\nend\n") != 0)
        return err_set(err, "is cut off: its last line is not \"end\"");
    for (const char *at = text; at < text + len - 4; at += strcspn(at, "\n") + 1) {
        char name[64], word[64];
        int used = 0;
        if (sscanf(at, "%63[^ \n] %63[^ \n]%n", name, word, &used) != 2 || at[used] != '\n')
            return err_set(err, "\"%.*s\" is not \"NAME VALUE\"", (int)strcspn(at, "\n"), at);
        if (!read_line(state, plan, name, word, err)) return false;
    }
    return true;
}

/* --- games ----------------------------------------------------------------------------------- */

/* A duel: two searches whose numbers can be changed between games. */
typedef struct {
    Rules rules;
    SearchParams params[2];
    Search *search[2];
} Duel;

static bool duel_open(Duel *duel, const TunePlan *plan, int size, const SearchParams params[2],
                      Err *err)
{
    rules_init(&duel->rules, plan->rule, size, size, 5);
    for (int i = 0; i < 2; i++) {
        duel->params[i] = params[i];
        SearchOptions options = {.threads = 1,
                                 .table_bytes = TABLE_BYTES,
                                 .eval = plan->eval,
                                 .eval_file = plan->net,
                                 .params = &duel->params[i]};
        duel->search[i] = search_open(&duel->rules, &options, err);
    }
    return duel->search[0] && duel->search[1];
}

static void duel_close(Duel *duel)
{
    for (int i = 0; i < 2; i++)
        if (duel->search[i]) search_close(duel->search[i]);
}

/* Points of the first search: 2 won, 1 drawn, 0 lost. */
static int play_game(Duel *duel, Board *board, int64_t nodes, bool first_is_black)
{
    search_new_game(duel->search[0]);
    search_new_game(duel->search[1]);
    while (!board_is_over(board) && board->stones < LENGTH_MAX) {
        int who = (board->side == BLACK) == first_is_black ? 0 : 1;
        SearchResult seen;
        search_run(duel->search[who], board, &(Limits){.nodes = nodes}, NULL, NULL, &seen);
        if (seen.move == POINT_NONE) break;
        board_play(board, seen.move);
    }
    if (board->won == CELL_EMPTY) return 1;
    return (board->won == CELL_BLACK) == first_is_black ? 2 : 0;
}

/* Points of the first search in a pair of games, 0 … 4. */
static int play_pair(Duel *duel, int64_t nodes, Rng *rng)
{
    Point stones[SELFPLAY_OPENING_MAX];
    Board *board = board_open(&duel->rules, NEAR_SQUARE2_LINE3);
    int points = 0;
    search_new_game(duel->search[0]);
    selfplay_opening(board, duel->search[0], nodes, rng, stones);
    int opening = board->stones;
    for (int g = 0; g < 2; g++) {
        while (board->stones > opening) board_undo(board);
        points += play_game(duel, board, nodes, g == 0);
    }
    board_close(board);
    return points;
}

/* --- SPSA ------------------------------------------------------------------------------------ */

/* Rounds up or down by chance, so that steps below one still count. */
static int rounded(double value, double shake, const SearchParam *p)
{
    double low = floor(value);
    int n = (int)low + (shake < value - low);
    return n < p->least ? p->least : n > p->most ? p->most : n;
}

typedef struct {
    int number;
    int8_t sign[SEARCH_PARAM_COUNT];
    SearchParams params[2];
} Shake;

/* What a gain of 0.602 and 0.101 does in Spall's advice: steps and rates shrink slowly. */
static double shrink(const TunePlan *plan, int number, double power)
{
    return pow(1 + (double)number / (0.1 * plan->pairs + 1), -power);
}

static bool take(Run *run, Shake *shake, Rng *rng)
{
    const TunePlan *plan = run->plan;
    os_mutex_lock(run->mutex);
    bool more = !run->failed && run->next < plan->pairs && !atomic_load(run->stop);
    if (more) {
        shake->number = run->next++;
        rng_seed(rng, plan->seed * 1000003 + (uint64_t)shake->number);
        shake->params[0] = shake->params[1] = *search_params_for(plan->eval);
        for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
            const SearchParam *p = &search_params[i];
            double value = run->state->value[i], chance = rng_unit(rng);
            double step = plan->chosen[i] ? p->step * shrink(plan, shake->number, 0.101) : 0;
            shake->sign[i] = rng_below(rng, 2) ? 1 : -1;
            search_params_put(&shake->params[0], i,
                              rounded(value + step * shake->sign[i], chance, p));
            search_params_put(&shake->params[1], i,
                              rounded(value - step * shake->sign[i], chance, p));
        }
    }
    os_mutex_unlock(run->mutex);
    return more;
}

static void give(Run *run, const Shake *shake, int points)
{
    const TunePlan *plan = run->plan;
    os_mutex_lock(run->mutex);
    TuneState *state = run->state;
    double gain = plan->rate * (points - 2) / 2.0 * shrink(plan, shake->number, 0.602);
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParam *p = &search_params[i];
        if (!plan->chosen[i]) continue;
        double value = state->value[i] + gain * p->step * shake->sign[i];
        state->value[i] = value < p->least ? p->least : value > p->most ? p->most : value;
    }
    state->pairs++;
    state->won += points > 2;
    state->drawn += points == 2;
    state->lost += points < 2;
    if (run->report) run->report(run->ctx, state);
    os_mutex_unlock(run->mutex);
}

static void work(void *ctx)
{
    Run *run = ctx;
    Shake shake;
    Rng rng;
    while (take(run, &shake, &rng)) {
        Duel duel = {0};
        Err err;
        int size = run->plan->size[shake.number % run->plan->size_count];
        if (duel_open(&duel, run->plan, size, shake.params, &err)) {
            give(run, &shake, play_pair(&duel, run->plan->nodes, &rng));
        } else {
            os_mutex_lock(run->mutex);
            run->failed = true;
            run->err = err;
            os_mutex_unlock(run->mutex);
        }
        duel_close(&duel);
    }
}

bool tune_run(const TunePlan *plan, TuneState *state, atomic_bool *stop, TuneReport *report,
              void *ctx, Err *err)
{
    enum { THREADS_MAX = 256 };
    Run run = {plan, state, stop, report, ctx, os_mutex_open(), state->pairs, false, {{0}}};
    Thread *thread[THREADS_MAX] = {0};
    int threads = plan->threads < THREADS_MAX ? plan->threads : THREADS_MAX;
    for (int i = 1; i < threads; i++) thread[i] = os_thread_start(work, &run, NULL);
    work(&run);
    for (int i = 1; i < threads; i++)
        if (thread[i]) os_thread_join(thread[i]);
    os_mutex_close(run.mutex);
    if (run.failed && err) *err = run.err;
    return !run.failed;
}
