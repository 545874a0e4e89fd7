/* SPDX-License-Identifier: MIT */
#include "play/pool.h"

#include "base/mem.h"
#include "base/os.h"
#include "play/balance.h"

#include <string.h>

enum {
    PLAYERS_KEPT = 4, /* in each slot; the one not used for longest goes first */
    SLICE_MS = 1000,  /* what a task that may take its time gets while others like it wait */
    VCF_TABLE_BYTES = 4 << 20,
};

typedef struct {
    char *spec; /* owned; NULL: nobody */
    Player *player;
    int64_t used; /* the larger the later */
} KeptPlayer;

struct PoolSlot {
    Pool *pool;
    Thread *thread;
    PoolTask *task;   /* NULL: idle; guarded by the pool's mutex, as is asked */
    Player *asked;    /* whoever thinks now */
    atomic_bool halt; /* the task should end */
    KeptPlayer kept[PLAYERS_KEPT];
    int64_t uses;
    Vcf *vcf;   /* NULL until wanted */
    Dfpn *dfpn; /* likewise */
};

struct Pool {
    Mutex *mutex;
    Cond *work;        /* something waits, or the end has come */
    PoolTask *waiting; /* in the order they came */
    PoolSlot *slots;
    int slot_count;
    size_t memory;
    bool closing;
};

/* ---- who is next; all with the mutex held ---- */

static int running_of(const Pool *pool, uint64_t client)
{
    int n = 0;
    for (int i = 0; i < pool->slot_count; i++)
        n += pool->slots[i].task && pool->slots[i].task->client == client;
    return n;
}

/* Does a, which came earlier, wait behind b? */
static bool is_behind(const Pool *pool, const PoolTask *a, const PoolTask *b)
{
    if (a->rank != b->rank) return a->rank > b->rank;
    return running_of(pool, a->client) > running_of(pool, b->client);
}

static PoolTask *take_next(Pool *pool)
{
    PoolTask **best = &pool->waiting;
    if (!*best) return NULL;
    for (PoolTask **at = &(*best)->next; *at; at = &(*at)->next) {
        if (is_behind(pool, *best, *at)) best = at;
    }
    PoolTask *task = *best;
    *best = task->next;
    task->next = NULL;
    return task;
}

static void wait_in_line(Pool *pool, PoolTask *task)
{
    PoolTask **end = &pool->waiting;
    while (*end) end = &(*end)->next;
    *end = task;
    task->next = NULL;
    task->slot = NULL;
    task->began_ms = os_clock_ms();
}

static bool remove_waiting(Pool *pool, const PoolTask *task)
{
    for (PoolTask **at = &pool->waiting; *at; at = &(*at)->next) {
        if (*at != task) continue;
        *at = task->next;
        return true;
    }
    return false;
}

static void halt(PoolSlot *slot)
{
    atomic_store(&slot->halt, true);
    if (slot->asked) player_stop(slot->asked);
}

/* Of the tasks that may take their time, the one that has run longest makes room. */
static void make_room(Pool *pool, int64_t least_ms)
{
    PoolSlot *oldest = NULL;
    int64_t now = os_clock_ms();
    for (int i = 0; i < pool->slot_count; i++) {
        PoolSlot *slot = &pool->slots[i];
        if (!slot->task || atomic_load(&slot->halt)) return; /* room there is, or will be */
        if (slot->task->rank == POOL_SOON || now - slot->task->began_ms < least_ms) continue;
        if (!oldest || slot->task->began_ms < oldest->task->began_ms) oldest = slot;
    }
    if (oldest) halt(oldest);
}

/* ---- slots ---- */

static void serve(void *ctx)
{
    PoolSlot *slot = ctx;
    Pool *pool = slot->pool;
    os_mutex_lock(pool->mutex);
    while (!pool->closing) {
        PoolTask *task = take_next(pool);
        if (!task) {
            os_cond_wait(pool->work, pool->mutex, OS_NEVER);
            continue;
        }
        slot->task = task;
        task->slot = slot;
        task->began_ms = os_clock_ms();
        atomic_store(&slot->halt, false);
        os_mutex_unlock(pool->mutex);
        bool done = task->run(task, slot);
        os_mutex_lock(pool->mutex);
        slot->task = NULL;
        if (!done && !atomic_load(&task->cancelled) && !pool->closing) {
            wait_in_line(pool, task);
            continue;
        }
        os_mutex_unlock(pool->mutex);
        task->finished(task);
        os_mutex_lock(pool->mutex);
    }
    os_mutex_unlock(pool->mutex);
}

static void slot_close(PoolSlot *slot)
{
    for (int i = 0; i < PLAYERS_KEPT; i++) {
        player_close(slot->kept[i].player);
        mem_free(slot->kept[i].spec);
    }
    vcf_close(slot->vcf);
    dfpn_close(slot->dfpn);
}

Pool *pool_open(int slots, size_t memory, Err *err)
{
    Pool *pool = mem_zero(sizeof *pool);
    *pool = (Pool){
        .mutex = os_mutex_open(),
        .work = os_cond_open(),
        .slots = mem_zero((size_t)(slots + 1) * sizeof *pool->slots),
        .memory = memory,
    };
    for (int i = 0; i < slots; i++) pool->slots[i].pool = pool;
    for (int i = 0; i < slots; i++) {
        Thread *thread = os_thread_start(serve, &pool->slots[i], err);
        if (!thread) {
            pool_close(pool);
            return NULL;
        }
        os_mutex_lock(pool->mutex);
        pool->slots[i].thread = thread;
        pool->slot_count++;
        os_mutex_unlock(pool->mutex);
    }
    return pool;
}

void pool_close(Pool *pool)
{
    if (!pool) return;
    os_mutex_lock(pool->mutex);
    pool->closing = true;
    for (int i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].task) halt(&pool->slots[i]);
    }
    os_cond_broadcast(pool->work);
    os_mutex_unlock(pool->mutex);
    for (int i = 0; i < pool->slot_count; i++) {
        os_thread_join(pool->slots[i].thread);
        slot_close(&pool->slots[i]);
    }
    os_cond_close(pool->work);
    os_mutex_close(pool->mutex);
    mem_free(pool->slots);
    mem_free(pool);
}

/* ---- tasks ---- */

void pool_add(Pool *pool, PoolTask *task)
{
    os_mutex_lock(pool->mutex);
    wait_in_line(pool, task);
    if (task->rank == POOL_SOON) make_room(pool, 0);
    os_cond_signal(pool->work);
    os_mutex_unlock(pool->mutex);
}

bool pool_cancel(Pool *pool, PoolTask *task)
{
    os_mutex_lock(pool->mutex);
    atomic_store(&task->cancelled, true);
    bool waited = remove_waiting(pool, task);
    if (!waited && task->slot && task->slot->task == task) halt(task->slot);
    os_mutex_unlock(pool->mutex);
    return waited;
}

void pool_hurry(Pool *pool, PoolTask *task)
{
    os_mutex_lock(pool->mutex);
    if (task->slot && task->slot->task == task) halt(task->slot);
    os_mutex_unlock(pool->mutex);
}

int pool_ahead(Pool *pool, const PoolTask *task)
{
    int n = 0, room = 0;
    bool found = false;
    os_mutex_lock(pool->mutex);
    for (int i = 0; i < pool->slot_count; i++)
        room += !pool->slots[i].task || atomic_load(&pool->slots[i].halt);
    for (const PoolTask *at = pool->waiting; at; at = at->next) {
        if (at == task) {
            found = true;
        } else if (found ? is_behind(pool, task, at) : !is_behind(pool, at, task)) {
            n++;
        }
    }
    os_mutex_unlock(pool->mutex);
    return found && n >= room ? n + 1 - room : 0;
}

void pool_tick(Pool *pool)
{
    os_mutex_lock(pool->mutex);
    if (pool->waiting) {
        bool soon = false;
        for (const PoolTask *at = pool->waiting; at; at = at->next) soon |= at->rank == POOL_SOON;
        make_room(pool, soon ? 0 : SLICE_MS);
    }
    os_mutex_unlock(pool->mutex);
}

/* ---- for tasks that run ---- */

static KeptPlayer *find_kept(PoolSlot *slot, const char *spec)
{
    KeptPlayer *oldest = &slot->kept[0];
    for (int i = 0; i < PLAYERS_KEPT; i++) {
        KeptPlayer *kept = &slot->kept[i];
        if (kept->spec && strcmp(kept->spec, spec) == 0) return kept;
        if (kept->used < oldest->used) oldest = kept;
    }
    return oldest;
}

Player *pool_player(PoolSlot *slot, const char *spec, Err *err)
{
    KeptPlayer *kept = find_kept(slot, spec);
    if (!kept->spec || strcmp(kept->spec, spec) != 0) {
        Player *player = player_open(spec, err);
        if (!player) return NULL;
        player_close(kept->player);
        mem_free(kept->spec);
        *kept = (KeptPlayer){.spec = mem_text(spec), .player = player};
    }
    kept->used = ++slot->uses;
    return kept->player;
}

Vcf *pool_vcf(PoolSlot *slot)
{
    if (!slot->vcf) slot->vcf = vcf_open(VCF_TABLE_BYTES);
    return slot->vcf;
}

Dfpn *pool_dfpn(PoolSlot *slot)
{
    /* What the system refuses is asked for again, smaller. */
    for (size_t bytes = slot->pool->memory; !slot->dfpn && bytes; bytes /= 4)
        slot->dfpn = dfpn_open(bytes);
    return slot->dfpn;
}

const atomic_bool *pool_halt(const PoolSlot *slot)
{
    return &slot->halt;
}

static void set_asked(PoolSlot *slot, Player *player)
{
    os_mutex_lock(slot->pool->mutex);
    slot->asked = player;
    os_mutex_unlock(slot->pool->mutex);
}

bool pool_think(PoolSlot *slot, Player *player, Ask ask, const Board *board, const Limits *limits,
                uint64_t seed, Thought *thought, Err *err)
{
    Limits own = *limits;
    own.stop = &slot->halt;
    set_asked(slot, player);
    bool good = player_settle(player, ask, board, &own, seed, thought, err);
    set_asked(slot, NULL);
    return good;
}

bool pool_balance(PoolSlot *slot, Player *player, const Board *board, const Limits *limits,
                  int stones, Thought *thought, Err *err)
{
    Limits own = *limits;
    own.stop = &slot->halt;
    set_asked(slot, player);
    bool good = balance_find(player, board, &own, stones, 0, thought, err);
    set_asked(slot, NULL);
    return good;
}
