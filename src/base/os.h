/* SPDX-License-Identifier: MIT */
/* The operating system behind one portable face: clock, machine, files, threads.
 *
 * Only os.c and child.c (child processes) include platform headers. A deadline is an instant of
 * os_clock_ms, OS_NEVER waits for ever and any past instant (0, for instance) only looks. Flags
 * between threads are C11 atomics, not locks. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OS_NEVER INT64_MAX

/* Time. */
enum { OS_DATE_MAX = 24 };
int64_t os_clock_ns(void); /* monotonic, from an arbitrary start */
int64_t os_clock_ms(void);
void os_sleep_ms(int64_t ms);
/* Now in UTC, "2024-05-31T18:04:59Z"; the first ten bytes are the date. Returns text. */
const char *os_date_text(char text[OS_DATE_MAX]);

/* The machine and this process. */
int os_core_count(void); /* that this process may use, at least 1 */
int64_t os_peak_memory_kib(void);
bool os_executable_path(Buf *path, Err *err);
bool os_is_terminal(FILE *file);
int os_terminal_width(FILE *file); /* columns; 80 when nobody knows */
/* The first SIGINT or SIGTERM sets *flag and interrupts a blocked read; the second one ends the
 * process in the usual way. flag must live as long as the process. */
void os_catch_interrupt(atomic_bool *flag);
/* Bytes that nobody can guess. */
void os_random(void *bytes, size_t n);

/* Files. Errors name the path. */
bool os_file_read(const char *path, size_t limit, Buf *out, Err *err); /* appends to out */
/* Readers see the old file or the whole new one, never a part, even after a crash; its permissions
 * stay. A device or pipe cannot be replaced and is written to. */
bool os_file_replace(const char *path, const void *bytes, size_t n, Err *err);
bool os_file_may_write(const char *path, Err *err); /* could os_file_replace? nothing is changed */
/* The folder that a file of this path would lie in, with all folders above it; those that are
 * missing are made, for nobody else to look into. */
bool os_make_folders(const char *path, Err *err);
/* The same against the death of this process only, not of the machine: a hundred times as fast, for
 * files with one writer. It writes PATH.tmp first. */
bool os_file_swap(const char *path, const void *bytes, size_t n, Err *err);
bool os_file_exists(const char *path);
/* Do both name one regular file, or would they? A device may well be named twice. */
bool os_file_is_same(const char *a, const char *b);
/* For files that have one writer at a time: nobody else gets the same lock until it is given back
 * or this process has ended, however it did. PATH.lock stands beside the file meanwhile. NULL:
 * somebody has it. */
typedef struct FileLock FileLock;
FileLock *os_file_lock(const char *path, Err *err);
void os_file_unlock(FileLock *lock); /* NULL is fine */
/* Whoever has a lock may leave a word for those who find the file locked, once. */
void os_file_lock_say(const FileLock *lock, const char *text);
bool os_file_is_locked(const char *path, Buf *said); /* appends that word; NULL is fine */

/* Pages for mem.c: zeroed; NULL when refused. */
void *os_pages_alloc(size_t size);
void os_pages_free(void *block, size_t size);

/* Threads. Every thread that was started is joined once, which frees it. */
typedef struct Thread Thread;
Thread *os_thread_start(void (*body)(void *ctx), void *ctx, Err *err); /* NULL: refused */
void os_thread_join(Thread *thread);

typedef struct Mutex Mutex;
Mutex *os_mutex_open(void);
void os_mutex_lock(Mutex *mutex);
void os_mutex_unlock(Mutex *mutex);
void os_mutex_close(Mutex *mutex);

typedef struct Cond Cond;
Cond *os_cond_open(void);
/* Waits with mutex held; may wake for nothing. False once the deadline has passed. */
bool os_cond_wait(Cond *cond, Mutex *mutex, int64_t deadline);
void os_cond_signal(Cond *cond);
void os_cond_broadcast(Cond *cond);
void os_cond_close(Cond *cond);
