/* SPDX-License-Identifier: MIT */
#include "play/match.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { JOB_TODO, JOB_GIVEN, JOB_DONE, JOB_NONE }; /* NONE: there is no such game */
enum { TICK_MS = 250 };

/* ---- counting ---- */

static void count_player(MatchPlayer *player, const Bout *bout, int seat)
{
    player->games++;
    if (bout->late_ms[seat] > player->late_ms) player->late_ms = bout->late_ms[seat];
    if (bout->winner == 1 - seat) player->lost[bout->reason]++;
}

static void count_bout(Match *match, const Bout *bout)
{
    Job job;
    schedule_job(match->plan, bout->job, &job);
    MatchPair *pair = &match->pairs[job.pair];
    int half = bout_half_points(bout, pair->players[0]);
    tally_add_game(&pair->tally, half);
    if (job.leg == 0) {
        pair->first_half = half;
    } else {
        tally_add_pair(&pair->tally, pair->first_half + half);
        pair->first_half = -1;
    }
    for (int seat = 0; seat < SEAT_COUNT; seat++)
        count_player(&match->players[bout->player[seat]], bout, seat);
    match->counted++;
    /* Between the two games of a pair the pair says nothing yet. */
    if (!match->plan->has_sprt || pair->first_half >= 0) return;
    sprt_judge(&match->plan->sprt, &pair->tally, &pair->sprt);
    match->decided = pair->sprt.verdict != SPRT_OPEN;
}

/* Counts as far as there is no gap. */
static void advance(Match *match, const MatchEvents *events)
{
    while (match->frontier < match->jobs && !match->decided) {
        int64_t job = match->frontier;
        Bout *bout = match->ahead[job];
        if (match->state[job] != JOB_NONE && !bout) return;
        match->frontier++;
        if (!bout) continue;
        match->ahead[job] = NULL;
        count_bout(match, bout);
        if (events->game) events->game(events->ctx, match, bout);
        bout_close(bout);
        mem_free(bout);
    }
}

/* Takes over the bout. */
static void receive(Match *match, const MatchEvents *events, const Bout *bout)
{
    match->state[bout->job] = JOB_DONE;
    match->ahead[bout->job] = mem_copy(bout, sizeof *bout);
    match->done++;
    advance(match, events);
}

/* ---- open and close ---- */

typedef struct {
    Match *match;
    const MatchEvents *events;
} Loader;

static bool load_game(void *ctx, const Bout *bout, const char *ended)
{
    (void)ended;
    const Loader *loader = ctx;
    Match *match = loader->match;
    /* A shorter match than the one that was played is its beginning. */
    if (bout->job >= match->jobs || match->state[bout->job] != JOB_TODO || match->decided)
        return true;
    Bout own = *bout;
    own.moves = mem_copy(bout->moves, (size_t)(bout->move_count + 1) * sizeof *bout->moves);
    receive(match, loader->events, &own);
    return true;
}

Match *match_open(const MatchPlan *plan, Store *store, int64_t id, const MatchEvents *events,
                  Err *err)
{
    Match *match = mem_zero(sizeof *match);
    int pairs = schedule_pairs(plan);
    *match = (Match){
        .plan = plan,
        .store = store,
        .id = id,
        .jobs = schedule_jobs(plan),
        .games = (int64_t)pairs * plan->games,
        .pairs = mem_zero((size_t)pairs * sizeof *match->pairs),
        .players = mem_zero((size_t)plan->player_count * sizeof *match->players),
    };
    match->state = mem_zero((size_t)match->jobs + 1);
    match->ahead = mem_zero((size_t)(match->jobs + 1) * sizeof *match->ahead);
    for (int i = 0; i < pairs; i++) {
        MatchPair *pair = &match->pairs[i];
        schedule_pair(plan, i, pair->players);
        pair->first_half = -1;
        if (plan->has_sprt) sprt_judge(&plan->sprt, &pair->tally, &pair->sprt);
    }
    for (int64_t i = 0; i < match->jobs; i++) {
        Job job;
        if (!schedule_job(plan, i, &job)) match->state[i] = JOB_NONE;
    }
    Loader loader = {match, events};
    match->began_ms = os_clock_ms();
    if (store_games(store, id, &plan->game.rules, load_game, &loader, err)) {
        match->found = match->done;
        return match;
    }
    match_close(match);
    return NULL;
}

void match_close(Match *match)
{
    if (!match) return;
    for (int64_t i = 0; i < match->jobs; i++) {
        if (!match->ahead[i]) continue;
        bout_close(match->ahead[i]);
        mem_free(match->ahead[i]);
    }
    mem_free(match->ahead);
    mem_free(match->state);
    mem_free(match->pairs);
    mem_free(match->players);
    mem_free(match);
}

bool match_is_over(const Match *match)
{
    return match->decided || match->frontier == match->jobs;
}

/* ---- run ---- */

static void give_jobs(Match *match, Crew *crew)
{
    for (int room = crew_room(crew); room > 0; room--) {
        while (match->next < match->jobs && match->state[match->next] != JOB_TODO) match->next++;
        if (match->next == match->jobs) return;
        match->state[match->next] = JOB_GIVEN;
        crew_give(crew, match->next);
    }
}

static void give_back(Match *match, int64_t job)
{
    assert(match->state[job] == JOB_GIVEN);
    match->state[job] = JOB_TODO;
    if (job < match->next) match->next = job;
}

/* One thing from the crew; false when that is the end of it. */
static bool take_one(Match *match, Crew *crew, const MatchEvents *events, int64_t deadline,
                     bool *took, Err *err)
{
    Bout bout;
    *took = true;
    switch (crew_take(crew, &bout, deadline, err)) {
    case CREW_BOUT:
        if (!store_add(match->store, match->id, &match->plan->game.rules, &bout, err)) {
            bout_close(&bout);
            return false;
        }
        receive(match, events, &bout);
        return true;
    case CREW_LOST:
        give_back(match, bout.job);
        return true;
    case CREW_GONE:
        return false;
    case CREW_NOTHING:
        break;
    }
    *took = false;
    return true;
}

bool match_run(Match *match, Crew *crew, const MatchEvents *events, atomic_bool *stop, Err *err)
{
    bool good = true, took = true;
    int64_t tick = os_clock_ms();
    while (good && !match_is_over(match) && !atomic_load(stop)) {
        give_jobs(match, crew);
        good = take_one(match, crew, events, tick + TICK_MS, &took, err);
        if (os_clock_ms() < tick + TICK_MS) continue;
        tick = os_clock_ms();
        if (events->tick) events->tick(events->ctx, match);
    }
    if (!match_is_over(match) || match->decided) crew_stop(crew);
    /* What was finished at that moment counts. */
    while (good && took && !match_is_over(match))
        good = take_one(match, crew, events, 0, &took, err);
    if (good && match->decided) good = store_cut(match->store, match->id, match->frontier - 1, err);
    return good;
}
