/* SPDX-License-Identifier: MIT */
/* Memory blocks and arenas.
 *
 * Running out of memory is not bad input: mem_* abort with a message on stderr rather than return
 * NULL. Big tables that may be refused (a hash table sized by the user) use mem_try_pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CACHE_LINE 64

void *mem_alloc(size_t size);             /* uninitialised */
void *mem_zero(size_t size);              /* zeroed */
void *mem_grow(void *block, size_t size); /* realloc */
void *mem_copy(const void *from, size_t size);
char *mem_text(const char *text);         /* strdup */
void *mem_lines(size_t size);             /* zeroed, aligned to CACHE_LINE; mem_free frees it */
void mem_free(void *block);               /* NULL is fine */
void *mem_sure(void *block, size_t size); /* the block, which must have been had */

/* Whole zeroed pages, large ones where the system gives them; NULL when refused. */
void *mem_try_pages(size_t size);
void mem_free_pages(void *block, size_t size);

/* Arena: many small things with one lifetime. Pointers stay valid until reset or close. */
typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *blocks; /* newest first */
    size_t block_size;
} Arena;

void arena_open(Arena *arena, size_t block_size);
void *arena_alloc(Arena *arena, size_t size);                 /* zeroed, aligned to 16 */
char *arena_text(Arena *arena, const char *text, size_t len); /* NUL-terminated copy */
void arena_reset(Arena *arena);
void arena_close(Arena *arena);
