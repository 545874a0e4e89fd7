/* SPDX-License-Identifier: MIT */
/* The operating system: see os.h. This is the Windows face, what the competition brain needs there:
 * everything but child processes, which are refused. Paths are in the process's code page. */
#define _CRT_RAND_S /* before any header: asks for rand_s */
#include "base/os.h"

#include "base/mem.h"

#include <direct.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <windows.h>
#include <psapi.h>

/* ---- time ---- */

int64_t os_clock_ns(void)
{
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    int64_t whole = ticks.QuadPart / per_second.QuadPart;
    int64_t part = ticks.QuadPart % per_second.QuadPart;
    return whole * 1000000000 + part * 1000000000 / per_second.QuadPart;
}

int64_t os_clock_ms(void)
{
    return os_clock_ns() / 1000000;
}

void os_sleep_ms(int64_t ms)
{
    for (; ms > 0; ms -= 1000000) Sleep((DWORD)(ms < 1000000 ? ms : 1000000));
}

const char *os_date_text(char text[OS_DATE_MAX])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_s(&utc, &now);
    strftime(text, OS_DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

/* What Windows waits for: milliseconds left, INFINITE for ever. */
static DWORD wait_time(int64_t deadline)
{
    if (deadline == OS_NEVER) return INFINITE;
    int64_t left = deadline - os_clock_ms();
    if (left <= 0) return 0;
    return left > 1000000 ? 1000000 : (DWORD)left;
}

/* ---- machine and process ---- */

int os_core_count(void)
{
    DWORD_PTR mine, all;
    int n = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all))
        for (; mine; mine &= mine - 1) n++;
    return n > 0 ? n : 1;
}

int64_t os_peak_memory_kib(void)
{
    PROCESS_MEMORY_COUNTERS memory;
    if (!GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory)) return 0;
    return (int64_t)(memory.PeakWorkingSetSize >> 10);
}

bool os_executable_path(Buf *path, Err *err)
{
    char text[4096];
    DWORD n = GetModuleFileNameA(NULL, text, sizeof text);
    if (n == 0 || n == sizeof text) return err_set(err, "the path of this program cannot be found");
    buf_add(path, text, n);
    return true;
}

bool os_is_terminal(FILE *file)
{
    return _isatty(_fileno(file)) != 0;
}

int os_terminal_width(FILE *file)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
    if (!GetConsoleScreenBufferInfo(handle, &info)) return 80;
    return info.srWindow.Right - info.srWindow.Left + 1;
}

/* A console handler can reach nothing but a global; this is the only one. */
static _Atomic(atomic_bool *) interrupt_flag;

static BOOL WINAPI interrupt_caught(DWORD event)
{
    (void)event;
    atomic_bool *flag = atomic_exchange(&interrupt_flag, NULL);
    if (!flag) return FALSE; /* the second one ends the process */
    atomic_store(flag, true);
    return TRUE;
}

void os_catch_interrupt(atomic_bool *flag)
{
    atomic_store(&interrupt_flag, flag);
    SetConsoleCtrlHandler(interrupt_caught, TRUE);
}

void os_random(void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value = 0;
        rand_s(&value);
        ((unsigned char *)bytes)[i] = (unsigned char)value;
    }
}

/* ---- files ---- */

bool os_file_read(const char *path, size_t limit, Buf *out, Err *err)
{
    enum { CHUNK = 1 << 16 };
    size_t start = out->len, n;
    FILE *file = fopen(path, "rb");
    if (!file) return err_set(err, "%s: cannot open it", path);
    do {
        buf_reserve(out, CHUNK);
        n = fread(out->data + out->len, 1, CHUNK, file);
        out->len += n;
        out->data[out->len] = '\0';
    } while (n > 0 && out->len - start <= limit);
    bool failed = ferror(file) != 0, too_long = out->len - start > limit;
    fclose(file);
    if (!failed && !too_long) return true;
    out->len = start;
    out->data[start] = '\0';
    if (too_long) return err_set(err, "%s: longer than %zu bytes", path, limit);
    return err_set(err, "%s: cannot read it", path);
}

bool os_file_replace(const char *path, const void *bytes, size_t n, Err *err)
{
    Buf temp = BUF_EMPTY;
    buf_printf(&temp, "%s.%lu.tmp", path, (unsigned long)GetCurrentProcessId());
    FILE *file = fopen(temp.data, "wb");
    bool done = file && fwrite(bytes, 1, n, file) == n;
    if (file && fclose(file) != 0) done = false;
    if (done)
        done = MoveFileExA(temp.data, path, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
    if (file && !done) remove(temp.data);
    buf_free(&temp);
    return done || err_set(err, "%s: cannot write it", path);
}

bool os_file_may_write(const char *path, Err *err)
{
    DWORD found = GetFileAttributesA(path);
    if (found != INVALID_FILE_ATTRIBUTES && found & FILE_ATTRIBUTE_DIRECTORY)
        return err_set(err, "%s: is a folder", path);
    Buf temp = BUF_EMPTY;
    buf_printf(&temp, "%s.%lu.tmp", path, (unsigned long)GetCurrentProcessId());
    FILE *file = *path ? fopen(temp.data, "wb") : NULL;
    if (file) fclose(file);
    if (file) remove(temp.data);
    buf_free(&temp);
    return file || err_set(err, "%s: cannot write it", path);
}

bool os_make_folders(const char *path, Err *err)
{
    char *folder = mem_text(path);
    bool good = true;
    for (char *at = strpbrk(folder + 1, "/\\"); good && at; at = strpbrk(at + 1, "/\\")) {
        char mark = *at;
        *at = '\0';
        if (_mkdir(folder) != 0 && GetFileAttributesA(folder) == INVALID_FILE_ATTRIBUTES)
            good = err_set(err, "%s: cannot make this folder", folder);
        *at = mark;
    }
    mem_free(folder);
    return good;
}

/* ---- pages ---- */

void *os_pages_alloc(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void os_pages_free(void *block, size_t size)
{
    (void)size;
    VirtualFree(block, 0, MEM_RELEASE);
}

/* ---- threads ---- */

struct Thread {
    HANDLE handle;
    void (*body)(void *ctx);
    void *ctx;
};

static DWORD WINAPI thread_main(void *arg)
{
    Thread *thread = arg;
    thread->body(thread->ctx);
    return 0;
}

Thread *os_thread_start(void (*body)(void *ctx), void *ctx, Err *err)
{
    enum { STACK_BYTES = 8 << 20 }; /* as elsewhere; the system's own default is one eighth of it */
    Thread *thread = mem_zero(sizeof *thread);
    thread->body = body;
    thread->ctx = ctx;
    thread->handle = CreateThread(NULL, STACK_BYTES, thread_main, thread,
                                  STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (thread->handle) return thread;
    err_set(err, "cannot start a thread: error %lu", (unsigned long)GetLastError());
    mem_free(thread);
    return NULL;
}

void os_thread_join(Thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    mem_free(thread);
}

struct Mutex {
    SRWLOCK lock;
};

Mutex *os_mutex_open(void)
{
    Mutex *mutex = mem_zero(sizeof *mutex);
    InitializeSRWLock(&mutex->lock);
    return mutex;
}

void os_mutex_lock(Mutex *mutex)
{
    AcquireSRWLockExclusive(&mutex->lock);
}

void os_mutex_unlock(Mutex *mutex)
{
    ReleaseSRWLockExclusive(&mutex->lock);
}

void os_mutex_close(Mutex *mutex)
{
    mem_free(mutex);
}

struct Cond {
    CONDITION_VARIABLE cond;
};

Cond *os_cond_open(void)
{
    Cond *cond = mem_zero(sizeof *cond);
    InitializeConditionVariable(&cond->cond);
    return cond;
}

bool os_cond_wait(Cond *cond, Mutex *mutex, int64_t deadline)
{
    if (SleepConditionVariableSRW(&cond->cond, &mutex->lock, wait_time(deadline), 0)) return true;
    return deadline == OS_NEVER || os_clock_ms() < deadline;
}

void os_cond_signal(Cond *cond)
{
    WakeConditionVariable(&cond->cond);
}

void os_cond_broadcast(Cond *cond)
{
    WakeAllConditionVariable(&cond->cond);
}

void os_cond_close(Cond *cond)
{
    mem_free(cond);
}
