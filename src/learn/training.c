/* SPDX-License-Identifier: MIT */
#include "learn/training.h"

#include "base/os.h"

#include <string.h>

enum { SAFE_EVERY_MS = 2000, CURVE_BYTES_MAX = 1 << 26 };

typedef struct {
    const TrainingPlan *plan;
    Learner *learner;
    Curve *curve;
    const atomic_bool *stop;
    TrainingReport *report;
    void *ctx;
    int64_t begun_ms, safe_ms; /* os_clock_ms: start, and the last safe save */
    TrainingProgress progress;
} Run;

static double mean_loss(const Run *run)
{
    const Learner *learner = run->learner;
    return learner->loss_games ? learner->losses / (double)learner->loss_games : 0;
}

static void tell(Run *run, bool place)
{
    TrainingProgress *p = &run->progress;
    p->seconds = (double)(os_clock_ms() - run->begun_ms) / 1000;
    p->loss = mean_loss(run);
    p->place = place;
    if (run->report) run->report(run->ctx, p);
}

static bool write_files(const Run *run, Err *err)
{
    Buf text = BUF_EMPTY, svg = BUF_EMPTY;
    bool good = true;
    curve_write(run->curve, &text);
    curve_svg(run->curve, "learning curve", &svg);
    if (run->plan->curve) good = os_file_replace(run->plan->curve, text.data, text.len, err);
    if (good && run->plan->svg) good = os_file_replace(run->plan->svg, svg.data, svg.len, err);
    buf_free(&text);
    buf_free(&svg);
    return good;
}

static bool read_curve(const Run *run, Err *err)
{
    const char *path = run->plan->curve;
    Buf text = BUF_EMPTY;
    bool good = true;
    if (path && os_file_exists(path))
        good = os_file_read(path, CURVE_BYTES_MAX, &text, err) &&
               curve_read(run->curve, buf_text(&text), path, run->learner->games, err);
    buf_free(&text);
    return good;
}

/* Is there a place of the curve to be made at this number of games? */
static bool place_is_due(const Run *run, bool last)
{
    const Curve *curve = run->curve;
    int64_t games = run->learner->games, every = run->plan->every;
    if (!every || (games % every != 0 && !last)) return false;
    return !curve->count || curve->places[curve->count - 1].games < games;
}

static bool make_place(Run *run, Err *err)
{
    int before = run->curve->count;
    if (!learner_save(run->learner, true, err) ||
        !curve_measure(run->curve, run->learner, mean_loss(run), run->stop, err) ||
        !write_files(run, err))
        return false;
    run->safe_ms = os_clock_ms();
    if (run->curve->count == before) return true; /* stopped */
    tell(run, true);
    return true;
}

static bool is_over(const Run *run)
{
    const TrainingPlan *plan = run->plan;
    int64_t ms = os_clock_ms() - run->begun_ms;
    return (plan->games && run->learner->games >= plan->games) ||
           (plan->seconds > 0 && (double)ms >= plan->seconds * 1000) ||
           (run->stop && atomic_load(run->stop));
}

static bool one_game(Run *run, Err *err)
{
    Learner *learner = run->learner;
    double loss;
    /* Not at a place that only the end of a run made: a run in two parts keeps what one would. */
    if (run->plan->every && learner->games % run->plan->every == 0) {
        learner->losses = 0;
        learner->loss_games = 0;
    }
    if (!learner_step(learner, &loss, err)) return false;
    int64_t now = os_clock_ms();
    if (now - run->safe_ms >= SAFE_EVERY_MS) {
        if (!learner_save(learner, true, err)) return false;
        run->safe_ms = now;
    }
    tell(run, false);
    return true;
}

bool training_run(const TrainingPlan *plan, Learner *learner, Curve *curve, const atomic_bool *stop,
                  TrainingReport *report, void *ctx, Err *err)
{
    Run run = {.plan = plan, .learner = learner, .curve = curve, .stop = stop, .report = report};
    run.ctx = ctx;
    run.begun_ms = run.safe_ms = os_clock_ms();
    run.progress = (TrainingProgress){.learner = learner, .curve = curve, .begun = learner->games};
    bool good = read_curve(&run, err);
    while (good) {
        bool last = is_over(&run);
        if (place_is_due(&run, last)) good = make_place(&run, err);
        if (!good || last || is_over(&run)) break;
        good = one_game(&run, err);
    }
    return good && learner_save(learner, true, err);
}
