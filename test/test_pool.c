/* SPDX-License-Identifier: MIT */
/* The engine slots: who comes first, who makes room, what is cancelled. */
#include "base/mem.h"
#include "base/os.h"
#include "play/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { LOG_MAX = 64, PATIENCE_MS = 20000 };

/* What happened, in order; and a gate that holds tasks until it opens. */
typedef struct {
    Mutex *mutex;
    Cond *changed;
    int began[LOG_MAX], began_count;
    int ended[LOG_MAX], ended_count;
    bool open;
} Diary;

typedef struct {
    PoolTask task;
    Diary *diary;
    int number;
    int slices; /* so often it gives way before it is done */
    bool waits; /* until the gate opens or it is halted */
} Job;

static bool job_run(PoolTask *task, PoolSlot *slot)
{
    Job *job = (Job *)task;
    Diary *diary = job->diary;
    os_mutex_lock(diary->mutex);
    diary->began[diary->began_count++] = job->number;
    os_cond_broadcast(diary->changed);
    while (job->waits && !diary->open && !atomic_load(pool_halt(slot)))
        os_cond_wait(diary->changed, diary->mutex, os_clock_ms() + 5);
    os_mutex_unlock(diary->mutex);
    return !atomic_load(pool_halt(slot)) || job->slices-- <= 0;
}

static void job_finished(PoolTask *task)
{
    Job *job = (Job *)task;
    Diary *diary = job->diary;
    os_mutex_lock(diary->mutex);
    diary->ended[diary->ended_count++] = job->number;
    os_cond_broadcast(diary->changed);
    os_mutex_unlock(diary->mutex);
}

static void job_init(Job *job, Diary *diary, int number, uint64_t client, PoolRank rank)
{
    *job = (Job){.diary = diary, .number = number};
    job->task.client = client;
    job->task.rank = rank;
    job->task.run = job_run;
    job->task.finished = job_finished;
}

static void wait_for(Diary *diary, const int *count, int wanted)
{
    int64_t deadline = os_clock_ms() + PATIENCE_MS;
    os_mutex_lock(diary->mutex);
    while (*count < wanted && os_cond_wait(diary->changed, diary->mutex, deadline)) continue;
    assert_true(*count >= wanted);
    os_mutex_unlock(diary->mutex);
}

static void diary_open(Diary *diary)
{
    *diary = (Diary){.mutex = os_mutex_open(), .changed = os_cond_open()};
}

static void diary_close(Diary *diary)
{
    os_mutex_close(diary->mutex);
    os_cond_close(diary->changed);
}

static void open_gate(Diary *diary)
{
    os_mutex_lock(diary->mutex);
    diary->open = true;
    os_cond_broadcast(diary->changed);
    os_mutex_unlock(diary->mutex);
}

/* With a slot free, or one that is making room, nobody is said to wait. */
static void test_no_wait(void **state)
{
    (void)state;
    enum { ROUNDS = 30 };
    Diary diary;
    Err err;
    Job jobs[ROUNDS + 1];
    diary_open(&diary);
    Pool *pool = pool_open(1, 1 << 20, &err);
    assert_non_null(pool);
    for (int i = 0; i < ROUNDS; i++) {
        job_init(&jobs[i], &diary, i, 1, POOL_SOON);
        pool_add(pool, &jobs[i].task);
        assert_int_equal(pool_ahead(pool, &jobs[i].task), 0);
        wait_for(&diary, &diary.ended_count, i + 1);
    }
    job_init(&jobs[0], &diary, 0, 1, POOL_LATER);
    jobs[0].waits = true;
    pool_add(pool, &jobs[0].task);
    wait_for(&diary, &diary.began_count, ROUNDS + 1);
    job_init(&jobs[1], &diary, 1, 2, POOL_SOON);
    pool_add(pool, &jobs[1].task);
    assert_int_equal(pool_ahead(pool, &jobs[1].task), 0);
    wait_for(&diary, &diary.ended_count, ROUNDS + 2);
    pool_close(pool);
    diary_close(&diary);
}

/* With the only slot taken: what must be soon goes before what may wait, and among equals the
 * client who has nothing yet before the one who has. */
static void test_order(void **state)
{
    (void)state;
    Diary diary;
    Err err;
    Job jobs[5];
    diary_open(&diary);
    Pool *pool = pool_open(1, 1 << 20, &err);
    assert_non_null(pool);
    job_init(&jobs[0], &diary, 0, 1, POOL_SOON);
    jobs[0].waits = true;
    pool_add(pool, &jobs[0].task);
    wait_for(&diary, &diary.began_count, 1);
    job_init(&jobs[1], &diary, 1, 1, POOL_LATER);
    job_init(&jobs[2], &diary, 2, 2, POOL_LATER);
    job_init(&jobs[3], &diary, 3, 1, POOL_SOON);
    job_init(&jobs[4], &diary, 4, 2, POOL_SOON);
    for (int i = 1; i < 5; i++) pool_add(pool, &jobs[i].task);
    assert_int_equal(pool_ahead(pool, &jobs[4].task), 1); /* client 2 has no slot yet */
    assert_int_equal(pool_ahead(pool, &jobs[3].task), 2);
    assert_int_equal(pool_ahead(pool, &jobs[2].task), 3);
    assert_int_equal(pool_ahead(pool, &jobs[1].task), 4);
    assert_int_equal(pool_ahead(pool, &jobs[0].task), 0);
    open_gate(&diary);
    wait_for(&diary, &diary.ended_count, 5);
    /* Once the first is done nobody has a slot: the order is that of rank and arrival. */
    static const int order[] = {0, 3, 4, 1, 2};
    for (int i = 0; i < 5; i++) assert_int_equal(diary.began[i], order[i]);
    pool_close(pool);
    diary_close(&diary);
}

/* One that may take its time makes room at once for one that must be soon, and goes on after it. */
static void test_room(void **state)
{
    (void)state;
    Diary diary;
    Err err;
    Job slow, quick;
    diary_open(&diary);
    Pool *pool = pool_open(1, 1 << 20, &err);
    job_init(&slow, &diary, 0, 1, POOL_LATER);
    slow.waits = true;
    slow.slices = 1000;
    pool_add(pool, &slow.task);
    wait_for(&diary, &diary.began_count, 1);
    job_init(&quick, &diary, 1, 2, POOL_SOON);
    pool_add(pool, &quick.task);
    wait_for(&diary, &diary.ended_count, 1);
    assert_int_equal(diary.ended[0], 1);
    wait_for(&diary, &diary.began_count, 3);
    assert_int_equal(diary.began[2], 0);
    open_gate(&diary);
    wait_for(&diary, &diary.ended_count, 2);
    pool_close(pool);
    diary_close(&diary);
}

static void test_cancel(void **state)
{
    (void)state;
    Diary diary;
    Err err;
    Job running, waiting;
    diary_open(&diary);
    Pool *pool = pool_open(1, 1 << 20, &err);
    job_init(&running, &diary, 0, 1, POOL_LATER);
    running.waits = true;
    running.slices = 1000;
    pool_add(pool, &running.task);
    wait_for(&diary, &diary.began_count, 1);
    job_init(&waiting, &diary, 1, 2, POOL_LATER);
    pool_add(pool, &waiting.task);
    assert_true(pool_cancel(pool, &waiting.task));  /* forgotten at once */
    assert_false(pool_cancel(pool, &running.task)); /* will be finished */
    wait_for(&diary, &diary.ended_count, 1);
    assert_int_equal(diary.ended[0], 0);
    pool_close(pool);
    assert_int_equal(diary.began_count, 1);
    diary_close(&diary);
}

typedef struct {
    PoolTask task;
    Board *board;
    Thought thought;
    int64_t ms;
    atomic_bool thinking, done;
    bool same;
} Think;

static bool think_run(PoolTask *task, PoolSlot *slot)
{
    Think *t = (Think *)task;
    Err err;
    Limits limits = {.turn_ms = 60000};
    Player *player = pool_player(slot, "ab:memory=1M", &err);
    t->same = player && player == pool_player(slot, "ab:memory=1M", &err);
    atomic_store(&t->thinking, true);
    int64_t began = os_clock_ms();
    if (player) pool_think(slot, player, ASK_MOVE, t->board, &limits, 0, &t->thought, &err);
    t->ms = os_clock_ms() - began;
    return true;
}

static void think_finished(PoolTask *task)
{
    atomic_store(&((Think *)task)->done, true);
}

/* A player that thinks for a minute stops when it is hurried, with a move. */
static void test_hurry(void **state)
{
    (void)state;
    Err err;
    Rules rules;
    Think think = {.task = {.rank = POOL_SOON, .run = think_run, .finished = think_finished}};
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    think.board = board_open(&rules, NEAR_SQUARE2);
    board_play(think.board, rules_point(&rules, 7, 7));
    board_play(think.board, rules_point(&rules, 8, 6));
    Pool *pool = pool_open(1, 1 << 20, &err);
    pool_add(pool, &think.task);
    while (!atomic_load(&think.thinking)) os_sleep_ms(1);
    os_sleep_ms(20);
    pool_hurry(pool, &think.task);
    while (!atomic_load(&think.done)) os_sleep_ms(1);
    assert_true(think.same);
    assert_true(think.ms < PATIENCE_MS);
    assert_int_equal(think.thought.stone_count, 1);
    assert_true(board_is_empty(think.board, think.thought.stones[0]));
    pool_close(pool);
    board_close(think.board);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_wait), cmocka_unit_test(test_order), cmocka_unit_test(test_room),
        cmocka_unit_test(test_cancel),  cmocka_unit_test(test_hurry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
