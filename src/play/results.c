/* SPDX-License-Identifier: MIT */
/* Result lists; see results.h. Names and rows are found through two open hash tables of numbers, so
 * that a hundred thousand games cost a hundred thousand look-ups. */
#include "play/results.h"

#include "base/bytes.h"

#include <assert.h>
#include <string.h>

void results_open(Results *results)
{
    *results = (Results){0};
    arena_open(&results->texts, 1 << 14);
}

void results_close(Results *results)
{
    mem_free(results->names);
    mem_free(results->rows);
    mem_free(results->games);
    mem_free(results->name_index.slots);
    mem_free(results->row_index.slots);
    arena_close(&results->texts);
    *results = (Results){0};
}

static uint64_t hash_bytes(const void *bytes, size_t len)
{
    uint64_t hash = bytes_sum64(BYTES_SUM64, bytes, len);
    return hash ^ hash >> 32;
}

static uint64_t hash_pair(int first, int second)
{
    int pair[2] = {first, second};
    return hash_bytes(pair, sizeof pair);
}

static void index_put(struct ResultIndex *index, uint64_t hash, int number)
{
    unsigned mask = (unsigned)index->slot_count - 1, slot = (unsigned)hash & mask;
    while (index->slots[slot] >= 0) slot = (slot + 1) & mask;
    index->slots[slot] = number;
}

/* Makes the table twice as large and empties it. */
static void index_grow(struct ResultIndex *index)
{
    index->slot_count = index->slot_count ? 2 * index->slot_count : 64;
    size_t bytes = (size_t)index->slot_count * sizeof *index->slots;
    index->slots = mem_grow(index->slots, bytes);
    memset(index->slots, 0xff, bytes);
}

static int find_name(const Results *results, const char *name, size_t len)
{
    const struct ResultIndex *index = &results->name_index;
    if (!index->slot_count) return -1;
    unsigned mask = (unsigned)index->slot_count - 1;
    for (unsigned slot = (unsigned)hash_bytes(name, len) & mask; index->slots[slot] >= 0;
         slot = (slot + 1) & mask) {
        const char *other = results->names[index->slots[slot]];
        if (strlen(other) == len && memcmp(other, name, len) == 0) return index->slots[slot];
    }
    return -1;
}

int results_find(const Results *results, const char *name)
{
    return find_name(results, name, strlen(name));
}

int results_player(Results *results, const char *name, size_t len)
{
    int found = find_name(results, name, len);
    if (found >= 0) return found;
    if (results->player_count == results->name_room) {
        results->name_room = 2 * results->name_room + 32;
        results->names =
            mem_grow(results->names, (size_t)results->name_room * sizeof *results->names);
    }
    results->names[results->player_count] = arena_text(&results->texts, name, len);
    struct ResultIndex *index = &results->name_index;
    if (2 * (results->player_count + 1) > index->slot_count) {
        index_grow(index);
        for (int i = 0; i < results->player_count; i++)
            index_put(index, hash_bytes(results->names[i], strlen(results->names[i])), i);
    }
    index_put(index, hash_bytes(name, len), results->player_count);
    return results->player_count++;
}

static ResultRow *find_row(const Results *results, int first, int second)
{
    const struct ResultIndex *index = &results->row_index;
    if (!index->slot_count) return NULL;
    unsigned mask = (unsigned)index->slot_count - 1;
    for (unsigned slot = (unsigned)hash_pair(first, second) & mask; index->slots[slot] >= 0;
         slot = (slot + 1) & mask) {
        ResultRow *row = &results->rows[index->slots[slot]];
        if (row->first == first && row->second == second) return row;
    }
    return NULL;
}

static ResultRow *add_row(Results *results, int first, int second)
{
    if (results->row_count == results->row_room) {
        results->row_room = 2 * results->row_room + 32;
        results->rows = mem_grow(results->rows, (size_t)results->row_room * sizeof *results->rows);
    }
    struct ResultIndex *index = &results->row_index;
    if (2 * (results->row_count + 1) > index->slot_count) {
        index_grow(index);
        for (int i = 0; i < results->row_count; i++)
            index_put(index, hash_pair(results->rows[i].first, results->rows[i].second), i);
    }
    index_put(index, hash_pair(first, second), results->row_count);
    ResultRow *row = &results->rows[results->row_count++];
    *row = (ResultRow){.first = first, .second = second};
    return row;
}

void results_add(Results *results, int first, int second, int64_t wins, int64_t draws,
                 int64_t losses)
{
    assert(first != second && first < results->player_count && second < results->player_count);
    ResultRow *row = find_row(results, first, second);
    if (!row) row = add_row(results, first, second);
    row->wins += wins;
    row->draws += draws;
    row->losses += losses;
}

void results_add_game(Results *results, int first, int second, int half_points)
{
    assert(half_points >= 0 && half_points <= 2);
    results_add(results, first, second, half_points == 2, half_points == 1, half_points == 0);
    if (results->game_count == results->game_room) {
        results->game_room = 2 * results->game_room + 64;
        results->games =
            mem_grow(results->games, (size_t)results->game_room * sizeof *results->games);
    }
    results->games[results->game_count++] = (ResultGame){first, second, half_points};
}

int64_t results_games(const Results *results)
{
    int64_t sum = 0;
    for (int i = 0; i < results->row_count; i++)
        sum += results->rows[i].wins + results->rows[i].draws + results->rows[i].losses;
    return sum;
}
