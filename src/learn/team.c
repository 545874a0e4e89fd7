/* SPDX-License-Identifier: MIT */
#include "learn/team.h"

#include "base/mem.h"
#include "base/os.h"

#include <assert.h>

typedef struct {
    Team *team;
    Thread *thread; /* NULL for member 0: the caller */
    int number;
} Member;

struct Team {
    Mutex *turn; /* held by the caller whose work is done */
    Mutex *mutex;
    Cond *begin, *end;
    int64_t round; /* grows with every piece of work */
    int busy;      /* members that have not finished this round */
    bool closing;
    TeamWork *work;
    void *ctx;
    int count, at_once;
    atomic_int next;
    int size;
    Member members[];
};

static void share(Team *team, int number)
{
    for (;;) {
        int from = atomic_fetch_add(&team->next, team->at_once), to = from + team->at_once;
        if (from >= team->count) return;
        team->work(team->ctx, number, from, to < team->count ? to : team->count);
    }
}

static void member_main(void *ctx)
{
    Member *member = ctx;
    Team *team = member->team;
    int64_t seen = 0;
    os_mutex_lock(team->mutex);
    for (;;) {
        while (team->round == seen && !team->closing)
            os_cond_wait(team->begin, team->mutex, OS_NEVER);
        if (team->closing) break;
        seen = team->round;
        os_mutex_unlock(team->mutex);
        share(team, member->number);
        os_mutex_lock(team->mutex);
        if (--team->busy == 0) os_cond_signal(team->end);
    }
    os_mutex_unlock(team->mutex);
}

Team *team_open(int threads, Err *err)
{
    assert(threads >= 1);
    Team *team = mem_zero(sizeof *team + (size_t)threads * sizeof *team->members);
    team->turn = os_mutex_open();
    team->mutex = os_mutex_open();
    team->begin = os_cond_open();
    team->end = os_cond_open();
    team->size = 1;
    for (; team->size < threads; team->size++) {
        Member *member = &team->members[team->size];
        *member = (Member){team, NULL, team->size};
        member->thread = os_thread_start(member_main, member, err);
        if (member->thread) continue;
        team_close(team);
        return NULL;
    }
    return team;
}

void team_close(Team *team)
{
    if (!team) return;
    os_mutex_lock(team->mutex);
    team->closing = true;
    os_cond_broadcast(team->begin);
    os_mutex_unlock(team->mutex);
    for (int i = 1; i < team->size; i++) os_thread_join(team->members[i].thread);
    os_cond_close(team->begin);
    os_cond_close(team->end);
    os_mutex_close(team->mutex);
    os_mutex_close(team->turn);
    mem_free(team);
}

int team_size(const Team *team)
{
    return team->size;
}

void team_run(Team *team, TeamWork *work, void *ctx, int count, int at_once)
{
    assert(at_once >= 1);
    os_mutex_lock(team->turn);
    os_mutex_lock(team->mutex);
    team->work = work;
    team->ctx = ctx;
    team->count = count;
    team->at_once = at_once;
    atomic_store(&team->next, 0);
    team->busy = team->size - 1;
    team->round++;
    os_cond_broadcast(team->begin);
    os_mutex_unlock(team->mutex);
    share(team, 0);
    os_mutex_lock(team->mutex);
    while (team->busy) os_cond_wait(team->end, team->mutex, OS_NEVER);
    os_mutex_unlock(team->mutex);
    os_mutex_unlock(team->turn);
}
