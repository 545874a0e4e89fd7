/* SPDX-License-Identifier: MIT */
/* Child processes: see child.h.
 *
 * A child runs in a process group of its own, so that it can be stopped, resumed and killed with
 * everything it started, and is only reaped after that kill: until then its number cannot be given
 * to another process. What left the group is found as a descendant. Its pipes are non-blocking on
 * our side, so that no brain can hang a match by not reading. */
#include "base/child.h"

#include "base/family.h"
#include "base/mem.h"
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What poll wants: milliseconds left, -1 for ever. */
static int poll_time(int64_t deadline)
{
    if (deadline == OS_NEVER) return -1;
    int64_t left = deadline - os_clock_ms();
    if (left <= 0) return 0;
    return left > 1000000 ? 1000000 : (int)left;
}

/* A brain may not mind the end of its input, and we may be killed without a chance to put it down.
 * So a shell waits beside it: it is told the number of the group and kills it when its own input
 * ends. (PR_SET_PDEATHSIG would end the child with the thread that started it, and spare what the
 * child started.) It is there before the child, which is thus without it for no longer than one
 * write takes. */
typedef struct {
    pid_t pid; /* 0: it could not be started, and the child goes without */
    int life;  /* our end of its stdin, open as long as we live */
} Guard;

struct Child {
    pid_t pid; /* also the number of its process group */
    Guard guard;
    int to, from;  /* our ends of its stdin and stdout; -1 when closed */
    Buf got;       /* read but not handed out yet */
    size_t seen;   /* bytes of got known to hold no line end */
    bool skipping; /* dropping the rest of a line that was too long */
    bool half_end; /* a line ended with CR: if LF comes next it belongs to that */
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

/* Spawns words with in as stdin and out as stdout (−1: nothing is wanted); 0 or an errno. */
static int spawn(pid_t *pid, char *words[], const ChildPlan *plan, int in, int out)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attr);
    const char *log = plan->stderr_file ? plan->stderr_file : "/dev/null";
    posix_spawn_file_actions_adddup2(&files, in, 0);
    if (out >= 0) posix_spawn_file_actions_adddup2(&files, out, 1);
    if (out < 0) posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
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

/* ---- its guard ---- */

static Guard guard_start(void)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char script[] = "read -r group && { read -r word || kill -s KILL -- \"-$group\"; }";
    char *words[] = {shell, option, script, NULL};
    Guard guard = {0, -1};
    int life[2];
    if (pipe2(life, O_CLOEXEC) != 0) return guard;
    if (spawn(&guard.pid, words, &(ChildPlan){0}, life[0], -1) == 0) {
        guard.life = life[1];
        life[1] = -1;
    }
    close_pair(life);
    return guard;
}

static void guard_tell(const Guard *guard, pid_t group)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%ld\n", (long)group);
    if (guard->pid) write_quietly(guard->life, text, (size_t)n);
}

static void guard_end(const Guard *guard)
{
    if (!guard->pid) return;
    kill(guard->pid, SIGKILL);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(guard->life);
}

/* ---- the beginning ---- */

static Child *child_spawn(char *words[], const ChildPlan *plan, Err *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    pid_t pid;
    int why = pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ? errno : 0;
    Guard guard = guard_start();
    if (why == 0) why = spawn(&pid, words, plan, in[0], out[1]);
    if (why != 0) {
        guard_end(&guard);
        close_pair(in);
        close_pair(out);
        err_set(err, "cannot start \"%s\"%s%s: %s", words[0], plan->folder ? " in " : "",
                plan->folder ? plan->folder : "", strerror(why));
        return NULL;
    }
    guard_tell(&guard, pid);
    close(in[0]);
    close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    Child *child = mem_zero(sizeof *child);
    *child = (Child){.pid = pid, .guard = guard, .to = in[1], .from = out[0]};
    return child;
}

/* In the folder of the program, which may be written as seen from here. */
static Child *spawn_at_home(char *words[], const ChildPlan *plan, Err *err)
{
    Buf path = BUF_EMPTY, folder = BUF_EMPTY;
    char here[4096];
    if (words[0][0] != '/' && getcwd(here, sizeof here)) buf_printf(&path, "%s/", here);
    buf_add_text(&path, words[0]);
    buf_add(&folder, path.data, (size_t)(strrchr(path.data, '/') - path.data) + 1);
    ChildPlan at_home = *plan;
    at_home.folder = folder.data;
    words[0] = path.data;
    Child *child = child_spawn(words, &at_home, err);
    buf_free(&path);
    buf_free(&folder);
    return child;
}

Child *child_start(const ChildPlan *plan, Err *err)
{
    char *words[WORDS_MAX + 1];
    char *text = mem_text(plan->command);
    Child *child = NULL;
    int count = split_words(text, words, err);
    if (count == 0) err_set(err, "an empty command");
    if (count > 0 && plan->own_folder && strchr(words[0], '/')) {
        child = spawn_at_home(words, plan, err);
    } else if (count > 0) {
        child = child_spawn(words, plan, err);
    }
    mem_free(text);
    return child;
}

/* Hands out the first len bytes of got and drops them with their line end, skip bytes in all. */
static void child_take(Child *child, Buf *line, size_t len, size_t skip)
{
    buf_clear(line);
    buf_add(line, child->got.data, len);
    child->got.len -= skip;
    memmove(child->got.data, child->got.data + skip, child->got.len + 1);
    child->seen = 0;
}

/* Lines end with CR LF, LF or CR, as the protocol has it. */
static char *line_end(const Buf *got, size_t from)
{
    for (size_t i = from; i < got->len; i++)
        if (got->data[i] == '\n' || got->data[i] == '\r') return got->data + i;
    return NULL;
}

/* Is there a line in what was read so far? */
static bool child_find_line(Child *child, Buf *line)
{
    Buf *got = &child->got;
    for (;;) {
        if (child->half_end && got->len) {
            child->half_end = false;
            if (got->data[0] == '\n') memmove(got->data, got->data + 1, got->len--);
        }
        char *end = line_end(got, child->seen);
        if (end) {
            size_t len = (size_t)(end - got->data);
            bool rest = child->skipping;
            child->skipping = false;
            child->half_end = *end == '\r';
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

ChildRead child_read_line(Child *child, Buf *line, int64_t deadline)
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

bool child_write(Child *child, const char *bytes, size_t n, int64_t deadline, Err *err)
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

bool child_is_alive(Child *child)
{
    siginfo_t info = {0};
    int rc = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    return rc == 0 && info.si_pid == 0;
}

/* ---- it and its descendants ---- */

void child_suspend(Child *child)
{
    Family family;
    family_find(&family, child->pid);
    family_signal(&family, SIGSTOP);
}

void child_resume(Child *child)
{
    Family family;
    family_find(&family, child->pid);
    family_signal(&family, SIGCONT);
}

int64_t child_memory(const Child *child)
{
    Family family;
    family_find(&family, child->pid);
    return family_memory(&family);
}

/* ---- the end ---- */

int child_close(Child *child, int64_t deadline)
{
    /* Once it has left, nobody could tell whose its children were. */
    Family family, late;
    family_find(&family, child->pid);
    family_name(&family);
    if (child->to >= 0) close(child->to);
    int64_t nap = 1;
    while (child_is_alive(child) && os_clock_ms() < deadline) {
        os_sleep_ms(nap);
        if (nap < 4) nap *= 2;
    }
    family_find(&late, child->pid);
    family_signal(&late, SIGKILL);
    family_signal(&family, SIGKILL);
    guard_end(&child->guard); /* before the number of the group may be another's */
    int status = 0;
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) continue;
    if (child->from >= 0) close(child->from);
    buf_free(&child->got);
    mem_free(child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
