/* SPDX-License-Identifier: MIT */
/* The brain on stdin and stdout.
 *
 * The main thread reads; a second one handles the lines in order and thinks. So a STOP or END is
 * seen at once, and everything else that comes in mid-thought waits for its turn:
 *
 *     stdin → reader ── queue ──→ handler → stdout
 *                └─ STOP, END ──────┘
 *
 * A handler without lines ponders, if it may; the reader wakes it before it hands the next line
 * over, so a wake never meets a thought that was asked for. */
#include "app/brain_inside.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 4096, /* the rest of a longer line is dropped */
    LEAVE_MS = 300,        /* what the handler has to end by itself */
    DRAIN_MS = 1000,       /* for a thought once nobody can stop it any more */
};

typedef struct Line {
    struct Line *next;
    int64_t arrived;
    char text[];
} Line;

typedef struct {
    Brain *brain;
    Mutex *mutex;
    Cond *cond; /* something below changed */
    Line *first, **last;
    int64_t fed, handled; /* lines */
    bool closed;          /* no more lines will come */
    bool gone;            /* the handler has ended */
} Loop;

static void write_line(void *ctx, const char *line)
{
    (void)ctx;
    fputs(line, stdout);
    fputc('\n', stdout);
    fflush(stdout);
}

/* Lines end with LF, CR or both; the empty line between CR and LF means nothing to the brain.
 * False at the end of input. */
static bool read_line(Buf *line)
{
    int c;
    buf_clear(line);
    while ((c = getchar()) != EOF && c != '\n' && c != '\r')
        if (line->len < LINE_MAX_BYTES) buf_add_char(line, (char)c);
    return c != EOF || line->len > 0;
}

static void feed(Loop *loop, const Buf *text)
{
    Line *line = mem_alloc(sizeof *line + text->len + 1);
    line->next = NULL;
    line->arrived = os_clock_ms();
    memcpy(line->text, buf_text(text), text->len + 1);
    os_mutex_lock(loop->mutex);
    brain_wake(loop->brain);
    *loop->last = line;
    loop->last = &line->next;
    loop->fed++;
    os_cond_broadcast(loop->cond);
    os_mutex_unlock(loop->mutex);
}

static Line *next_line(Loop *loop)
{
    bool pondered = false;
    os_mutex_lock(loop->mutex);
    while (!loop->first && !loop->closed) {
        if (pondered) {
            os_cond_wait(loop->cond, loop->mutex, OS_NEVER);
        } else {
            pondered = true;
            os_mutex_unlock(loop->mutex);
            brain_ponder(loop->brain);
            os_mutex_lock(loop->mutex);
        }
    }
    Line *line = loop->first;
    if (line) loop->first = line->next;
    if (!loop->first) loop->last = &loop->first;
    os_mutex_unlock(loop->mutex);
    return line;
}

static void handle_lines(void *ctx)
{
    Loop *loop = ctx;
    Line *line;
    while ((line = next_line(loop)) != NULL) {
        brain_handle(loop->brain, line->text, line->arrived);
        mem_free(line);
        os_mutex_lock(loop->mutex);
        loop->handled++;
        os_cond_broadcast(loop->cond);
        os_mutex_unlock(loop->mutex);
    }
    os_mutex_lock(loop->mutex);
    loop->gone = true;
    os_cond_broadcast(loop->cond);
    os_mutex_unlock(loop->mutex);
}

/* Reads until END (true) or the end of input. */
static bool read_lines(Loop *loop)
{
    Buf line = BUF_EMPTY;
    bool end = false;
    while (!end && read_line(&line)) {
        if (brain_line_is_end(buf_text(&line))) {
            end = true;
        } else {
            feed(loop, &line);
            if (brain_line_is_stop(buf_text(&line))) brain_stop(loop->brain, loop->fed);
        }
    }
    buf_free(&line);
    return end;
}

/* Lets the handler finish. Short answers that were asked for before the end are still given. After
 * END a thought is dropped; at the end of input, which scripts reach as soon as they have asked, it
 * is answered after a second at the latest. False: it does not end. */
static bool finish(Loop *loop, bool end)
{
    os_mutex_lock(loop->mutex);
    loop->closed = true;
    brain_wake(loop->brain);
    os_cond_broadcast(loop->cond);
    os_mutex_unlock(loop->mutex);
    if (end) brain_quit(loop->brain);
    os_mutex_lock(loop->mutex);
    int64_t handled = loop->handled, deadline = os_clock_ms() + (end ? LEAVE_MS : DRAIN_MS);
    int stops = 0;
    while (!loop->gone && stops < 3) {
        bool late = !os_cond_wait(loop->cond, loop->mutex, deadline);
        if (handled != loop->handled) {
            handled = loop->handled;
            stops = 0;
        } else if (!late) {
            continue;
        } else {
            stops = end ? 3 : stops + 1;
            os_mutex_unlock(loop->mutex);
            brain_stop(loop->brain, handled + 1);
            os_mutex_lock(loop->mutex);
        }
        deadline = os_clock_ms() + (end ? LEAVE_MS : DRAIN_MS);
    }
    bool gone = loop->gone;
    os_mutex_unlock(loop->mutex);
    return gone;
}

int brain_run(const char *player)
{
    Err err;
    BrainOptions options = {.player = player, .write = write_line};
    Loop loop = {.brain = brain_open(&options, &err)};
    if (!loop.brain) {
        fprintf(stderr, "goren brain: %s\n", err.text);
        return 2;
    }
    loop.mutex = os_mutex_open();
    loop.cond = os_cond_open();
    loop.last = &loop.first;
    Thread *handler = os_thread_start(handle_lines, &loop, &err);
    if (!handler) {
        fprintf(stderr, "goren brain: %s\n", err.text);
        return 2;
    }
    bool end = read_lines(&loop);
    if (!finish(&loop, end)) _Exit(0); /* a player that does not listen must not keep us */
    os_thread_join(handler);
    brain_close(loop.brain);
    os_cond_close(loop.cond);
    os_mutex_close(loop.mutex);
    return 0;
}
