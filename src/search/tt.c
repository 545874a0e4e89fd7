/* SPDX-License-Identifier: MIT */
#include "search/tt.h"

#include "base/mem.h"

#include <stdatomic.h>
#include <string.h>

enum { WAYS = 4, AGES = 32 };

typedef struct {
    _Atomic uint64_t lock; /* key ^ data */
    _Atomic uint64_t data;
} Slot;

typedef struct {
    Slot slot[WAYS];
} Bucket;

/* Of one probe in SAMPLE, so that threads do not fight over them. */
typedef struct {
    _Atomic uint64_t probes, hits;
} Sample;
enum { SAMPLE = 256 };

struct Tt {
    Bucket *buckets;
    Sample *sample;
    size_t count; /* 0: nothing is kept */
    size_t bytes;
    unsigned age; /* 0 … AGES − 1 */
};

/* data, from the lowest bit: move 16, value 16, eval 16, depth 8, bound 2, pv 1, age 5. */
static uint64_t pack(TtEntry e, unsigned age)
{
    return (uint64_t)e.move | (uint64_t)(uint16_t)e.value << 16 | (uint64_t)(uint16_t)e.eval << 32 |
           (uint64_t)(uint8_t)e.depth << 48 | (uint64_t)(e.bound & 3) << 56 | (uint64_t)e.pv << 58 |
           (uint64_t)age << 59;
}

static TtEntry unpack(uint64_t data)
{
    return (TtEntry){
        .move = (Point)data,
        .value = (int16_t)(data >> 16),
        .eval = (int16_t)(data >> 32),
        .depth = (int8_t)(data >> 48),
        .bound = (uint8_t)(data >> 56 & 3),
        .pv = data >> 58 & 1,
    };
}

static unsigned age_of(uint64_t data)
{
    return (unsigned)(data >> 59);
}

Tt *tt_open(size_t bytes)
{
    size_t count = bytes / sizeof(Bucket), room = count ? count : 1;
    if (bytes) count = room;
    Bucket *buckets = mem_try_pages(room * sizeof *buckets);
    if (!buckets) return NULL;
    Tt *tt = mem_zero(sizeof *tt);
    tt->buckets = buckets;
    tt->count = count;
    tt->bytes = room * sizeof *buckets;
    tt->sample = mem_lines(sizeof *tt->sample);
    return tt;
}

void tt_close(Tt *tt)
{
    if (!tt) return;
    mem_free_pages(tt->buckets, tt->bytes);
    mem_free(tt->sample);
    mem_free(tt);
}

void tt_clear(Tt *tt)
{
    memset(tt->buckets, 0, tt->bytes);
    tt->age = 0;
}

void tt_new_search(Tt *tt)
{
    tt->age = (tt->age + 1) % AGES;
    atomic_store_explicit(&tt->sample->probes, 0, memory_order_relaxed);
    atomic_store_explicit(&tt->sample->hits, 0, memory_order_relaxed);
}

/* Multiplication spreads the key over any number of buckets without a division. */
static Bucket *bucket_of(const Tt *tt, uint64_t key)
{
    __extension__ typedef unsigned __int128 Wide;
    return &tt->buckets[(size_t)((Wide)key * tt->count >> 64)];
}

void tt_prefetch(const Tt *tt, uint64_t key)
{
    __builtin_prefetch(bucket_of(tt, key));
}

static bool bucket_find(const Bucket *bucket, uint64_t key, TtEntry *entry)
{
    for (int i = 0; i < WAYS; i++) {
        uint64_t data = atomic_load_explicit(&bucket->slot[i].data, memory_order_relaxed);
        uint64_t lock = atomic_load_explicit(&bucket->slot[i].lock, memory_order_relaxed);
        if ((lock ^ data) != key || !data) continue;
        *entry = unpack(data);
        return true;
    }
    return false;
}

bool tt_probe(const Tt *tt, uint64_t key, TtEntry *entry)
{
    bool hit = bucket_find(bucket_of(tt, key), key, entry);
    if (key % SAMPLE == 0) {
        atomic_fetch_add_explicit(&tt->sample->probes, 1, memory_order_relaxed);
        if (hit) atomic_fetch_add_explicit(&tt->sample->hits, 1, memory_order_relaxed);
    }
    return hit;
}

void tt_store(Tt *tt, uint64_t key, TtEntry entry)
{
    Bucket *bucket = bucket_of(tt, key);
    Slot *victim = NULL;
    int worst = 1 << 20;
    if (!tt->count) return;
    for (int i = 0; i < WAYS; i++) {
        Slot *slot = &bucket->slot[i];
        uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        uint64_t lock = atomic_load_explicit(&slot->lock, memory_order_relaxed);
        TtEntry old = unpack(data);
        if ((lock ^ data) == key && data) {
            /* A much shallower bound does not drive out a deeper result of this search. */
            if (entry.bound != BOUND_EXACT && entry.depth < old.depth - 3 &&
                age_of(data) == tt->age)
                return;
            if (entry.move == POINT_NONE) entry.move = old.move;
            victim = slot;
            break;
        }
        int worth = data ? old.depth - 8 * (int)((tt->age - age_of(data)) % AGES) : -(1 << 20);
        if (worth < worst) {
            worst = worth;
            victim = slot;
        }
    }
    uint64_t data = pack(entry, tt->age);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
    atomic_store_explicit(&victim->lock, key ^ data, memory_order_relaxed);
}

int tt_permille_used(const Tt *tt)
{
    size_t sample = tt->count < 250 ? tt->count : 250;
    size_t used = 0;
    if (!sample) return 0;
    for (size_t i = 0; i < sample; i++)
        for (int w = 0; w < WAYS; w++) {
            uint64_t data =
                atomic_load_explicit(&tt->buckets[i].slot[w].data, memory_order_relaxed);
            used += data && age_of(data) == tt->age;
        }
    return (int)(used * 1000 / (sample * WAYS));
}

int tt_permille_hits(const Tt *tt)
{
    uint64_t probes = atomic_load_explicit(&tt->sample->probes, memory_order_relaxed);
    uint64_t hits = atomic_load_explicit(&tt->sample->hits, memory_order_relaxed);
    return probes ? (int)(hits * 1000 / probes) : 0;
}
