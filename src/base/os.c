/* SPDX-License-Identifier: MIT */
/* The operating system: see os.h. With child.c the only file with platform headers; this is the
 * POSIX face. */
#include "base/os.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- time ---- */

int64_t os_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t os_clock_ms(void)
{
    return os_clock_ns() / 1000000;
}

void os_sleep_ms(int64_t ms)
{
    if (ms <= 0) return;
    struct timespec left = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

const char *os_date_text(char text[OS_DATE_MAX])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, OS_DATE_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

/* ---- machine and process ---- */

int os_core_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        int n = CPU_COUNT(&set);
        if (n > 0) return n;
    }
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

int64_t os_peak_memory_kib(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

bool os_executable_path(Buf *path, Err *err)
{
    char text[4096];
    ssize_t n = readlink("/proc/self/exe", text, sizeof text);
    if (n < 0 || n == (ssize_t)sizeof text) {
        return err_set(err, "the path of this program cannot be found");
    }
    buf_add(path, text, (size_t)n);
    return true;
}

bool os_is_terminal(FILE *file)
{
    return isatty(fileno(file)) == 1;
}

int os_terminal_width(FILE *file)
{
    struct winsize size;
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

/* A signal handler can reach nothing but a global; this is the only one. */
static _Atomic(atomic_bool *) interrupt_flag;

static void interrupt_caught(int number)
{
    (void)number;
    atomic_bool *flag = atomic_load(&interrupt_flag);
    if (flag) atomic_store(flag, true);
}

void os_catch_interrupt(atomic_bool *flag)
{
    atomic_store(&interrupt_flag, flag);
    struct sigaction action = {.sa_handler = interrupt_caught, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void os_random(void *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = getrandom((char *)bytes + done, n - done, 0);
        if (got > 0) done += (size_t)got;
    }
}

/* ---- files ---- */

static bool read_all(int fd, size_t limit, Buf *out, bool *too_long)
{
    size_t start = out->len;
    for (;;) {
        buf_reserve(out, 1 << 16);
        ssize_t n = read(fd, out->data + out->len, 1 << 16);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) return true;
        out->len += (size_t)n;
        out->data[out->len] = '\0';
        if (out->len - start > limit) {
            *too_long = true;
            return true;
        }
    }
}

bool os_file_read(const char *path, size_t limit, Buf *out, Err *err)
{
    size_t start = out->len;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return err_set(err, "%s: cannot open it: %s", path, strerror(errno));
    bool too_long = false;
    bool done = read_all(fd, limit, out, &too_long);
    int why = errno;
    close(fd);
    if (done && !too_long) return true;
    out->len = start;
    out->data[start] = '\0';
    if (too_long) return err_set(err, "%s: longer than %zu bytes", path, limit);
    return err_set(err, "%s: cannot read it: %s", path, strerror(why));
}

static bool write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

static bool write_device(const char *path, const void *bytes, size_t n, Err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return err_set(err, "%s: cannot open it: %s", path, strerror(errno));
    bool done = write_all(fd, bytes, n);
    int why = errno;
    close(fd);
    return done || err_set(err, "%s: cannot write it: %s", path, strerror(why));
}

/* The new name must be on the disk as well, or a crash may bring the old file back. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    Buf folder = BUF_EMPTY;
    if (slash) buf_add(&folder, path, (size_t)(slash - path) + 1);
    int fd = open(slash ? folder.data : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    buf_free(&folder);
    if (fd < 0) return;
    (void)fsync(fd); /* some file systems cannot; the file itself is safe */
    close(fd);
}

/* Writes the bytes to `temp` and gives that the name `path`. Who may read the old file may read the
 * new one, and nobody else. */
static bool write_and_rename(const char *temp, int flags, const char *path, const void *bytes,
                             size_t n, bool sync, Err *err)
{
    struct stat old;
    bool there = stat(path, &old) == 0;
    int fd = open(temp, O_WRONLY | O_CREAT | O_CLOEXEC | flags, there ? 0600 : 0666);
    if (fd >= 0 && there) (void)fchmod(fd, old.st_mode & 0777); /* not all file systems can */
    bool done = fd >= 0 && write_all(fd, bytes, n) && (!sync || fsync(fd) == 0);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && done) {
        done = false;
        why = errno;
    }
    if (done && rename(temp, path) != 0) {
        done = false;
        why = errno;
    }
    if (fd >= 0 && !done) unlink(temp);
    return done || err_set(err, "%s: cannot write it: %s", path, strerror(why));
}

static bool replace_regular(const char *path, const void *bytes, size_t n, Err *err)
{
    Buf temp = BUF_EMPTY;
    buf_printf(&temp, "%s.%ld-%llx.tmp", path, (long)getpid(), (unsigned long long)os_clock_ns());
    bool done = write_and_rename(temp.data, O_EXCL, path, bytes, n, true, err);
    buf_free(&temp);
    if (done) sync_folder(path);
    return done;
}

bool os_file_swap(const char *path, const void *bytes, size_t n, Err *err)
{
    Buf temp = BUF_EMPTY;
    buf_printf(&temp, "%s.tmp", path);
    bool done = write_and_rename(temp.data, O_TRUNC, path, bytes, n, false, err);
    buf_free(&temp);
    return done;
}

struct FileLock {
    int fd;
    char *path; /* of the file PATH.lock */
};

/* Is this still the file of that name? Whoever had the lock before took the name away. */
static bool is_same_file(int fd, const char *path)
{
    struct stat held, named;
    return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static Buf lock_name(const char *path)
{
    Buf name = BUF_EMPTY;
    char *target = realpath(path, NULL); /* a file may have several names */
    buf_printf(&name, "%s.lock", target ? target : path);
    free(target);
    return name;
}

FileLock *os_file_lock(const char *path, Err *err)
{
    Buf name = lock_name(path);
    int fd = -1;
    bool locked = false;
    do {
        if (fd >= 0) close(fd);
        fd = open(name.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    } while (locked && !is_same_file(fd, name.data));
    if (locked) {
        (void)ftruncate(fd, 0); /* what somebody said who was killed */
        FileLock *lock = mem_zero(sizeof *lock);
        *lock = (FileLock){fd, mem_text(name.data)};
        buf_free(&name);
        return lock;
    }
    if (fd < 0)
        err_set(err, "%s: cannot make %s, which keeps it for one writer: %s", path, name.data,
                strerror(errno));
    else
        err_set(err, "%s: another process works on this file; wait for it, or name another file",
                path);
    if (fd >= 0) close(fd);
    buf_free(&name);
    return NULL;
}

void os_file_lock_say(const FileLock *lock, const char *text)
{
    if (ftruncate(lock->fd, 0) == 0) (void)write_all(lock->fd, text, strlen(text));
}

bool os_file_is_locked(const char *path, Buf *said)
{
    enum { SAID_MOST = 4096 };
    Buf name = lock_name(path);
    int fd = open(name.data, O_RDONLY | O_CLOEXEC);
    bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    bool too_long = false;
    if (locked && said) (void)read_all(fd, SAID_MOST, said, &too_long);
    if (fd >= 0) close(fd);
    buf_free(&name);
    return locked;
}

void os_file_unlock(FileLock *lock)
{
    if (!lock) return;
    unlink(lock->path);
    close(lock->fd);
    mem_free(lock->path);
    mem_free(lock);
}

bool os_file_is_same(const char *a, const char *b)
{
    struct stat one, other;
    if (stat(a, &one) != 0 || stat(b, &other) != 0) return strcmp(a, b) == 0;
    return S_ISREG(one.st_mode) && one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

bool os_file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* /dev/stdout may be a regular file, of which a new one would leave us nothing. */
static bool is_output(const struct stat *st)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_ino == st->st_ino && out.st_dev == st->st_dev;
}

bool os_file_replace(const char *path, const void *bytes, size_t n, Err *err)
{
    struct stat st;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) return err_set(err, "%s: is a folder", path);
        if (is_output(&st))
            return write_all(STDOUT_FILENO, bytes, n) ||
                   err_set(err, "%s: cannot write it: %s", path, strerror(errno));
        if (!S_ISREG(st.st_mode)) return write_device(path, bytes, n, err);
    }
    char *target = realpath(path, NULL); /* a link stays a link */
    bool done = replace_regular(target ? target : path, bytes, n, err);
    free(target);
    return done;
}

/* A file is replaced by a new one of its name, so the folder is what must let us write. */
bool os_file_may_write(const char *path, Err *err)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) return err_set(err, "%s: is a folder", path);
    char *target = realpath(path, NULL);
    Buf where = BUF_EMPTY;
    buf_add_text(&where, target ? target : path);
    free(target);
    bool regular = !there || S_ISREG(st.st_mode), named = where.len > 0;
    if (regular) {
        while (where.len > 0 && where.data[where.len - 1] != '/') where.len--;
        if (!where.len) buf_add_text(&where, ".");
        where.data[where.len] = '\0';
    }
    if (!named) errno = ENOENT;
    bool good = named && access(where.data, regular ? W_OK | X_OK : W_OK) == 0;
    if (!good) err_set(err, "%s: cannot write it: %s", path, strerror(errno));
    buf_free(&where);
    return good;
}

bool os_make_folders(const char *path, Err *err)
{
    char *folder = mem_text(path);
    bool good = true;
    for (char *at = strchr(folder + 1, '/'); good && at; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            good = err_set(err, "%s: cannot make this folder: %s", folder, strerror(errno));
        *at = '/';
    }
    mem_free(folder);
    return good;
}

/* ---- pages ---- */

void *os_pages_alloc(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
    /* Huge pages are a wish, and one of large blocks: the system may take 50 ms to find them. */
    if (size >= 32 << 20) (void)madvise(block, size, MADV_HUGEPAGE);
    return block;
}

void os_pages_free(void *block, size_t size)
{
    munmap(block, size);
}

/* ---- threads ---- */

struct Thread {
    pthread_t id;
    void (*body)(void *ctx);
    void *ctx;
};

static void *thread_main(void *arg)
{
    Thread *thread = arg;
    thread->body(thread->ctx);
    return NULL;
}

Thread *os_thread_start(void (*body)(void *ctx), void *ctx, Err *err)
{
    Thread *thread = mem_zero(sizeof *thread);
    thread->body = body;
    thread->ctx = ctx;
    int why = pthread_create(&thread->id, NULL, thread_main, thread);
    if (why == 0) return thread;
    err_set(err, "cannot start a thread: %s", strerror(why));
    mem_free(thread);
    return NULL;
}

void os_thread_join(Thread *thread)
{
    pthread_join(thread->id, NULL);
    mem_free(thread);
}

struct Mutex {
    pthread_mutex_t lock;
};

Mutex *os_mutex_open(void)
{
    Mutex *mutex = mem_zero(sizeof *mutex);
    pthread_mutex_init(&mutex->lock, NULL);
    return mutex;
}

void os_mutex_lock(Mutex *mutex)
{
    int rc = pthread_mutex_lock(&mutex->lock);
    assert(rc == 0);
    (void)rc;
}

void os_mutex_unlock(Mutex *mutex)
{
    int rc = pthread_mutex_unlock(&mutex->lock);
    assert(rc == 0);
    (void)rc;
}

void os_mutex_close(Mutex *mutex)
{
    if (!mutex) return;
    pthread_mutex_destroy(&mutex->lock);
    mem_free(mutex);
}

struct Cond {
    pthread_cond_t cond;
};

/* The monotonic clock, so that a deadline does not move when somebody sets the time. */
Cond *os_cond_open(void)
{
    Cond *cond = mem_zero(sizeof *cond);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&cond->cond, &attr);
    pthread_condattr_destroy(&attr);
    return cond;
}

bool os_cond_wait(Cond *cond, Mutex *mutex, int64_t deadline)
{
    if (deadline == OS_NEVER) return pthread_cond_wait(&cond->cond, &mutex->lock) == 0;
    if (deadline < 0) deadline = 0;
    struct timespec until = {.tv_sec = (time_t)(deadline / 1000),
                             .tv_nsec = (long)(deadline % 1000) * 1000000};
    return pthread_cond_timedwait(&cond->cond, &mutex->lock, &until) == 0;
}

void os_cond_signal(Cond *cond)
{
    pthread_cond_signal(&cond->cond);
}

void os_cond_broadcast(Cond *cond)
{
    pthread_cond_broadcast(&cond->cond);
}

void os_cond_close(Cond *cond)
{
    if (!cond) return;
    pthread_cond_destroy(&cond->cond);
    mem_free(cond);
}
