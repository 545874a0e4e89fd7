/* SPDX-License-Identifier: MIT */
/* The operating system: see os.h. The only file with platform headers; this is the POSIX face.
 *
 * A child runs in a process group of its own, so that it can be killed with everything it started,
 * and is only reaped after that kill: until then its number cannot be given to another process.
 * Its pipes are non-blocking on our side, so that no brain can hang a match by not reading. */
#include "base/os.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

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

/* What poll wants: milliseconds left, -1 for ever. */
static int poll_time(int64_t deadline)
{
    if (deadline == OS_NEVER) return -1;
    int64_t left = deadline - os_clock_ms();
    if (left <= 0) return 0;
    return left > 1000000 ? 1000000 : (int)left;
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

static bool replace_regular(const char *path, const void *bytes, size_t n, Err *err)
{
    Buf temp = BUF_EMPTY;
    buf_printf(&temp, "%s.%ld-%llx.tmp", path, (long)getpid(), (unsigned long long)os_clock_ns());
    int fd = open(temp.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool done = fd >= 0 && write_all(fd, bytes, n) && fsync(fd) == 0;
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && done) {
        done = false;
        why = errno;
    }
    if (done && rename(temp.data, path) != 0) {
        done = false;
        why = errno;
    }
    if (fd >= 0 && !done) unlink(temp.data);
    buf_free(&temp);
    if (!done) return err_set(err, "%s: cannot write it: %s", path, strerror(why));
    sync_folder(path);
    return true;
}

bool os_file_replace(const char *path, const void *bytes, size_t n, Err *err)
{
    struct stat st;
    if (stat(path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) return err_set(err, "%s: is a folder", path);
        if (!S_ISREG(st.st_mode)) return write_device(path, bytes, n, err);
    }
    char *target = realpath(path, NULL); /* a link stays a link */
    bool done = replace_regular(target ? target : path, bytes, n, err);
    free(target);
    return done;
}

/* ---- pages ---- */

void *os_pages_alloc(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return NULL;
    (void)madvise(block, size, MADV_HUGEPAGE); /* a wish: small pages are only slower */
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

/* ---- child processes ---- */

struct Child {
    pid_t pid;     /* also the number of its process group */
    int to, from;  /* our ends of its stdin and stdout; -1 when closed */
    Buf got;       /* read but not handed out yet */
    size_t seen;   /* bytes of got known to hold no line end */
    bool skipping; /* dropping the rest of a line that was too long */
};

enum { WORDS_MAX = 256 };

/* Cuts text, in place, into words as a shell would. The words point into text. */
static int split_words(char *text, char *words[WORDS_MAX + 1], Err *err)
{
    int count = 0;
    char *in = text, *out = text;
    for (;;) {
        while (*in == ' ' || *in == '\t') in++;
        if (!*in) break;
        if (count == WORDS_MAX) return err_set(err, "more than %d words", WORDS_MAX), -1;
        words[count++] = out;
        char quote = 0;
        for (; *in && (quote || (*in != ' ' && *in != '\t')); in++) {
            if (quote && *in == quote) {
                quote = 0;
            } else if (!quote && (*in == '"' || *in == '\'')) {
                quote = *in;
            } else {
                if (*in == '\\' && quote != '\'' && in[1]) in++;
                *out++ = *in;
            }
        }
        if (quote) return err_set(err, "a %c that is never closed", quote), -1;
        bool more = *in != '\0';
        *out++ = '\0'; /* may land on *in: the blank that was just read */
        if (more) in++;
    }
    words[count] = NULL;
    return count;
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0) close(pair[i]);
        pair[i] = -1;
    }
}

/* Spawns words with in as stdin and out as stdout; 0 or an errno. */
static int spawn(pid_t *pid, char *words[], const ChildPlan *plan, int in, int out)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    const char *log = plan->stderr_file ? plan->stderr_file : "/dev/null";
    posix_spawn_file_actions_adddup2(&files, in, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_addopen(&files, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (plan->folder) posix_spawn_file_actions_addchdir_np(&files, plan->folder);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &usual);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF);
    int why = posix_spawnp(pid, words[0], &files, &attr, words, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return why;
}

static Child *child_spawn(char *words[], const ChildPlan *plan, Err *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t pid;
    int why = pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ? errno : 0;
    if (why == 0) why = spawn(&pid, words, plan, in[0], out[1]);
    if (why != 0) {
        close_pair(in);
        close_pair(out);
        err_set(err, "cannot start \"%s\"%s%s: %s", words[0], plan->folder ? " in " : "",
                plan->folder ? plan->folder : "", strerror(why));
        return NULL;
    }
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    Child *child = mem_zero(sizeof *child);
    *child = (Child){.pid = pid, .to = in[1], .from = out[0]};
    return child;
}

Child *os_child_start(const ChildPlan *plan, Err *err)
{
    char *words[WORDS_MAX + 1];
    char *text = mem_text(plan->command);
    Child *child = NULL;
    int count = split_words(text, words, err);
    if (count == 0) err_set(err, "an empty command");
    if (count > 0) child = child_spawn(words, plan, err);
    mem_free(text);
    return child;
}

/* Hands out the first len bytes of got and drops them with their line end, skip bytes in all. */
static void child_take(Child *child, Buf *line, size_t len, size_t skip)
{
    size_t keep = len;
    if (keep > 0 && skip > len && child->got.data[keep - 1] == '\r') keep--;
    buf_clear(line);
    buf_add(line, child->got.data, keep);
    child->got.len -= skip;
    memmove(child->got.data, child->got.data + skip, child->got.len + 1);
    child->seen = 0;
}

/* Is there a line in what was read so far? */
static bool child_find_line(Child *child, Buf *line)
{
    Buf *got = &child->got;
    for (;;) {
        char *end = got->len ? memchr(got->data + child->seen, '\n', got->len - child->seen) : NULL;
        if (end) {
            size_t len = (size_t)(end - got->data);
            bool rest = child->skipping;
            child->skipping = false;
            child_take(child, line, len > CHILD_LINE_MAX ? CHILD_LINE_MAX : len, len + 1);
            if (!rest) return true;
        } else if (child->skipping) {
            buf_clear(got);
            child->seen = 0;
            return false;
        } else if (got->len > CHILD_LINE_MAX) {
            child->skipping = true;
            child_take(child, line, CHILD_LINE_MAX, CHILD_LINE_MAX);
            return true;
        } else {
            child->seen = got->len;
            return false;
        }
    }
}

ChildRead os_child_read_line(Child *child, Buf *line, int64_t deadline)
{
    for (;;) {
        if (child_find_line(child, line)) return CHILD_LINE;
        if (child->from < 0) {
            if (child->got.len == 0) return CHILD_GONE;
            child_take(child, line, child->got.len, child->got.len); /* last line, no LF */
            return CHILD_LINE;
        }
        struct pollfd wait = {.fd = child->from, .events = POLLIN};
        int ready = poll(&wait, 1, poll_time(deadline));
        if (ready == 0 && deadline != OS_NEVER && os_clock_ms() >= deadline) return CHILD_LATE;
        if (ready <= 0) continue;
        buf_reserve(&child->got, 4096);
        ssize_t n = read(child->from, child->got.data + child->got.len, 4096);
        if (n > 0) {
            child->got.len += (size_t)n;
            child->got.data[child->got.len] = '\0';
        } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
            close(child->from);
            child->from = -1;
        }
    }
}

/* write without SIGPIPE, which would end us when the child is gone. The signal is blocked in this
 * thread only and, if the write raised it, taken away again. */
static ssize_t write_quietly(int fd, const char *bytes, size_t n)
{
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    ssize_t done = write(fd, bytes, n);
    int why = errno;
    if (done < 0 && why == EPIPE && !sigismember(&pending, SIGPIPE)) {
        struct timespec now = {0};
        while (sigtimedwait(&pipe_only, NULL, &now) < 0 && errno == EINTR) continue;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return done;
}

bool os_child_write(Child *child, const char *bytes, size_t n, int64_t deadline, Err *err)
{
    while (n > 0) {
        if (child->to < 0) return err_set(err, "its input is closed");
        ssize_t done = write_quietly(child->to, bytes, n);
        if (done >= 0) {
            bytes += done;
            n -= (size_t)done;
        } else if (errno == EAGAIN) {
            struct pollfd wait = {.fd = child->to, .events = POLLOUT};
            int ready = poll(&wait, 1, poll_time(deadline));
            if (ready == 0 && deadline != OS_NEVER && os_clock_ms() >= deadline) {
                return err_set(err, "it does not read its input");
            }
        } else if (errno != EINTR) {
            return err_set(err, "cannot write to it: %s", strerror(errno));
        }
    }
    return true;
}

bool os_child_is_alive(Child *child)
{
    siginfo_t info = {0};
    int rc = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return rc == 0 && info.si_pid == 0;
}

int os_child_close(Child *child, int64_t deadline)
{
    if (child->to >= 0) close(child->to);
    int64_t nap = 1;
    while (os_child_is_alive(child) && os_clock_ms() < deadline) {
        os_sleep_ms(nap);
        if (nap < 16) nap *= 2;
    }
    kill(-child->pid, SIGKILL);
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) continue;
    if (child->from >= 0) close(child->from);
    buf_free(&child->got);
    mem_free(child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
