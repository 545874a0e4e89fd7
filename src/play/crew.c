/* SPDX-License-Identifier: MIT */
/* The crew of threads. Each worker takes a job from the queue, plays it, and leaves the bout in a
 * list; the queue holds a little more than there are workers, so that none waits for the writer. */
#include "play/crew.h"

#include "base/mem.h"

typedef struct Threads Threads;

typedef struct {
    Threads *crew;
    Thread *thread;
    BoutStop stop;
    atomic_bool idle; /* has left for good */
} Hand;

struct Threads {
    Crew head;
    const BoutHost *host;
    Mutex *mutex;
    Cond *news; /* a job, a bout, or the end */
    int hand_count, queue_max;
    int64_t *queue; /* jobs not begun, oldest first */
    int queue_count;
    Bout *done;              /* bouts not taken, oldest first */
    int done_count, in_hand; /* in_hand: jobs given and not taken back */
    bool ending;
    Hand hands[];
};

/* The next job; false at the end. */
static bool hand_next(Threads *crew, int64_t *job)
{
    os_mutex_lock(crew->mutex);
    while (!crew->ending && crew->queue_count == 0) os_cond_wait(crew->news, crew->mutex, OS_NEVER);
    bool good = !crew->ending;
    if (good) {
        *job = crew->queue[0];
        crew->queue_count--;
        for (int i = 0; i < crew->queue_count; i++) crew->queue[i] = crew->queue[i + 1];
    }
    os_mutex_unlock(crew->mutex);
    return good;
}

static void hand_main(void *ctx)
{
    Hand *hand = ctx;
    Threads *crew = hand->crew;
    int64_t number;
    while (hand_next(crew, &number)) {
        Job job;
        Bout bout;
        schedule_job(crew->host->plan, number, &job);
        bout_play(crew->host, &job, &hand->stop, &bout);
        os_mutex_lock(crew->mutex);
        crew->done[crew->done_count++] = bout;
        os_cond_broadcast(crew->news);
        os_mutex_unlock(crew->mutex);
    }
    atomic_store(&hand->idle, true);
}

static int threads_room(Crew *head)
{
    Threads *crew = (Threads *)head;
    return crew->queue_max - crew->in_hand;
}

static void threads_give(Crew *head, int64_t job)
{
    Threads *crew = (Threads *)head;
    crew->in_hand++;
    os_mutex_lock(crew->mutex);
    crew->queue[crew->queue_count++] = job;
    os_cond_broadcast(crew->news);
    os_mutex_unlock(crew->mutex);
}

static CrewTake threads_take(Crew *head, Bout *bout, int64_t deadline, Err *err)
{
    (void)err;
    Threads *crew = (Threads *)head;
    os_mutex_lock(crew->mutex);
    while (crew->done_count == 0 && os_cond_wait(crew->news, crew->mutex, deadline)) continue;
    CrewTake taken = CREW_NOTHING;
    if (crew->done_count > 0) {
        *bout = crew->done[0];
        crew->done_count--;
        for (int i = 0; i < crew->done_count; i++) crew->done[i] = crew->done[i + 1];
        crew->in_hand--;
        taken = bout->dropped ? CREW_LOST : CREW_BOUT;
        if (bout->dropped) bout_close(bout);
    }
    os_mutex_unlock(crew->mutex);
    return taken;
}

static void stop_asked(Threads *crew)
{
    for (int i = 0; i < crew->hand_count; i++) {
        BoutStop *stop = &crew->hands[i].stop;
        os_mutex_lock(stop->mutex);
        if (stop->asked) player_stop(stop->asked);
        os_mutex_unlock(stop->mutex);
    }
}

static void threads_stop(Crew *head)
{
    Threads *crew = (Threads *)head;
    os_mutex_lock(crew->mutex);
    crew->ending = true;
    atomic_store(crew->host->stop, true);
    os_cond_broadcast(crew->news);
    os_mutex_unlock(crew->mutex);
    stop_asked(crew);
}

/* A stop that came just before a think began had no effect: it is said until it is heard. */
static void await_hands(Threads *crew)
{
    for (int i = 0; i < crew->hand_count; i++) {
        Hand *hand = &crew->hands[i];
        while (hand->thread && atomic_load(crew->host->stop) && !atomic_load(&hand->idle)) {
            stop_asked(crew);
            os_sleep_ms(5);
        }
        if (hand->thread) os_thread_join(hand->thread);
    }
    for (int i = 0; i < crew->hand_count; i++) os_mutex_close(crew->hands[i].stop.mutex);
}

static void threads_close(Crew *head)
{
    Threads *crew = (Threads *)head;
    os_mutex_lock(crew->mutex);
    crew->ending = true;
    os_cond_broadcast(crew->news);
    os_mutex_unlock(crew->mutex);
    await_hands(crew);
    for (int i = 0; i < crew->done_count; i++) bout_close(&crew->done[i]);
    os_cond_close(crew->news);
    os_mutex_close(crew->mutex);
    mem_free(crew->queue);
    mem_free(crew->done);
    mem_free(crew);
}

static const CrewKind threads_kind = {
    .room = threads_room,
    .give = threads_give,
    .take = threads_take,
    .stop = threads_stop,
    .close = threads_close,
};

Crew *crew_open(const BoutHost *host, int games_at_once, Err *err)
{
    int n = games_at_once, most = 2 * n;
    Threads *crew = mem_zero(sizeof *crew + (size_t)n * sizeof *crew->hands);
    crew->head.kind = &threads_kind;
    crew->host = host;
    crew->mutex = os_mutex_open();
    crew->news = os_cond_open();
    crew->queue_max = most;
    crew->queue = mem_zero((size_t)most * sizeof *crew->queue);
    crew->done = mem_zero((size_t)most * sizeof *crew->done);
    crew->hand_count = n;
    for (int i = 0; i < n; i++) {
        crew->hands[i].crew = crew;
        crew->hands[i].stop.mutex = os_mutex_open();
    }
    for (int i = 0; i < n; i++) {
        crew->hands[i].thread = os_thread_start(hand_main, &crew->hands[i], err);
        if (crew->hands[i].thread) continue;
        threads_close(&crew->head);
        return NULL;
    }
    return &crew->head;
}

void crew_close(Crew *crew)
{
    if (crew) crew->kind->close(crew);
}
