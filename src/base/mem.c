/* SPDX-License-Identifier: MIT */
/* Memory: see mem.h. Pages come from os.c, the only file that knows the platform. */
#include "base/mem.h"

#include "base/os.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mem_sure(void *block, size_t size)
{
    if (block) return block;
    fprintf(stderr, "out of memory (%zu bytes wanted)\n", size);
    abort();
}

/* Windows has no aligned_alloc, and its aligned blocks have a free of their own: there every block
 * is one of those. */
#ifdef _WIN32
#include <malloc.h>
static void *raw_alloc(size_t size)
{
    return _aligned_malloc(size, CACHE_LINE);
}
static void *raw_zero(size_t size)
{
    void *block = raw_alloc(size);
    return block ? memset(block, 0, size) : NULL;
}
static void *raw_grow(void *block, size_t size)
{
    return _aligned_realloc(block, size, CACHE_LINE);
}
static void *raw_lines(size_t size)
{
    return raw_alloc(size);
}
static void raw_free(void *block)
{
    _aligned_free(block);
}
#else
static void *raw_alloc(size_t size)
{
    return malloc(size);
}
static void *raw_zero(size_t size)
{
    return calloc(1, size);
}
static void *raw_grow(void *block, size_t size)
{
    return realloc(block, size);
}
static void *raw_lines(size_t size)
{
    return aligned_alloc(CACHE_LINE, size);
}
static void raw_free(void *block)
{
    free(block);
}
#endif

/* malloc(0) may be NULL, which would look like a refusal. */
static size_t at_least_one(size_t size)
{
    return size ? size : 1;
}

void *mem_alloc(size_t size)
{
    return mem_sure(raw_alloc(at_least_one(size)), size);
}

void *mem_zero(size_t size)
{
    return mem_sure(raw_zero(at_least_one(size)), size);
}

void *mem_grow(void *block, size_t size)
{
    return mem_sure(raw_grow(block, at_least_one(size)), size);
}

void *mem_copy(const void *from, size_t size)
{
    void *block = mem_alloc(size);
    if (size) memcpy(block, from, size);
    return block;
}

char *mem_text(const char *text)
{
    return mem_copy(text, strlen(text) + 1);
}

void *mem_lines(size_t size)
{
    size_t whole = (at_least_one(size) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *block = mem_sure(whole >= size ? raw_lines(whole) : NULL, size);
    return memset(block, 0, whole);
}

void mem_free(void *block)
{
    raw_free(block);
}

void *mem_try_pages(size_t size)
{
    return os_pages_alloc(at_least_one(size));
}

void mem_free_pages(void *block, size_t size)
{
    if (block) os_pages_free(block, at_least_one(size));
}

enum { ARENA_ALIGN = 16 };

struct ArenaBlock {
    ArenaBlock *next;
    size_t used, size; /* bytes of the room behind this head, which arena_room finds */
};

static char *arena_room(ArenaBlock *block)
{
    size_t head = (sizeof(ArenaBlock) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    return (char *)block + head;
}

static ArenaBlock *arena_block(size_t size)
{
    size_t head = (sizeof(ArenaBlock) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    ArenaBlock *block = mem_alloc(head + size);
    *block = (ArenaBlock){.size = size};
    return block;
}

void arena_open(Arena *arena, size_t block_size)
{
    *arena = (Arena){.block_size = at_least_one(block_size)};
}

void *arena_alloc(Arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2) mem_sure(NULL, size);
    size_t whole = (at_least_one(size) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    ArenaBlock *block = arena->blocks;
    if (!block || block->size - block->used < whole) {
        block = arena_block(whole > arena->block_size ? whole : arena->block_size);
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *found = arena_room(block) + block->used;
    block->used += whole;
    return memset(found, 0, whole);
}

char *arena_text(Arena *arena, const char *text, size_t len)
{
    char *copy = arena_alloc(arena, len + 1);
    if (len) memcpy(copy, text, len);
    return copy;
}

/* Keeps one block, so that a loop of fill and reset does not go to the system each time round. */
void arena_reset(Arena *arena)
{
    ArenaBlock *keep = arena->blocks;
    if (!keep) return;
    Arena rest = {.blocks = keep->next};
    arena_close(&rest);
    keep->next = NULL;
    keep->used = 0;
}

void arena_close(Arena *arena)
{
    while (arena->blocks) {
        ArenaBlock *block = arena->blocks;
        arena->blocks = block->next;
        mem_free(block);
    }
}
