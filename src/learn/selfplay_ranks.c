/* SPDX-License-Identifier: MIT */
/* One thread of each rank talks, the others play. Messages, by their first byte:
 *
 *   to rank 0     W a thread waits for a game     G and a game     E goodbye, with or without a why
 *   from rank 0   J and a number     P still here     S no more games
 *   at the end    F all have said goodbye     L one has not: nobody is to wait for the others */
#include "learn/selfplay_ranks.h"

#include "base/mem.h"
#include "base/os.h"
#include "learn/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MS = 5, BEAT_MS = 500, SILENCE_MS = 30000, FAREWELL_MS = 20000 };

/* --- rank 0 ---------------------------------------------------------------------------------- */

typedef struct {
    const SelfplayPlan *plan;
    Intake *intake;
    Ranks *ranks;
    atomic_bool played; /* our own threads have ended */
    bool *gone;         /* by rank */
} Lead;

static void lead_play(void *ctx)
{
    Lead *lead = ctx;
    SelfplayDesk desk = intake_desk(lead->intake);
    Err err;
    if (!selfplay_work(lead->plan, &desk, &err)) intake_fail(lead->intake, &err);
    atomic_store(&lead->played, true);
}

static bool is_asked_for(const SelfplayPlan *plan, const ArchiveGame *game)
{
    if (game->number >= (uint32_t)plan->games || game->rules.kind != plan->rule) return false;
    if (plan->relabel) return game->winner == ARCHIVE_UNFINISHED;
    return game->rules.width == plan->size[game->number % (uint32_t)plan->size_count];
}

static void lead_hear(Lead *lead, int from, const Buf *message, ArchiveGame *game)
{
    char answer[32];
    size_t at = 1;
    bool whole;
    Err err;
    switch (message->len ? message->data[0] : 0) {
    case 'W': {
        int number = intake_take(lead->intake);
        int n = number < 0 ? snprintf(answer, sizeof answer, "S")
                           : snprintf(answer, sizeof answer, "J%d", number);
        ranks_send(lead->ranks, from, answer, (size_t)n);
        break;
    }
    case 'G':
        if (archive_next(message, &at, game, &whole) && is_asked_for(lead->plan, game))
            intake_give(lead->intake, game);
        break;
    case 'E':
        lead->gone[from] = true;
        if (message->len == 1) break;
        err_set(&err, "rank %d: %.300s", from, message->data + 1);
        intake_fail(lead->intake, &err);
        break;
    default:
        break;
    }
}

static void to_all(Ranks *ranks, const char *text)
{
    for (int i = 1; i < ranks_count(ranks); i++) ranks_send(ranks, i, text, strlen(text));
}

void selfplay_ranks_dismiss(Ranks *ranks)
{
    to_all(ranks, "S");
    to_all(ranks, "F");
}

static bool all_gone(const Lead *lead)
{
    for (int i = 1; i < ranks_count(lead->ranks); i++)
        if (!lead->gone[i]) return false;
    return true;
}

/* Until our threads have ended and every rank has gone, or should have. */
static void lead_talk(Lead *lead, ArchiveGame *game)
{
    Buf message = BUF_EMPTY;
    int64_t beat = 0, farewell = 0;
    while (!atomic_load(&lead->played) || !(farewell && all_gone(lead))) {
        int from;
        int64_t now = os_clock_ms();
        if (farewell && now > farewell && atomic_load(&lead->played)) break;
        if (now >= beat) {
            bool over = intake_is_over(lead->intake);
            if (over && !farewell) farewell = now + FAREWELL_MS;
            to_all(lead->ranks, over ? "S" : "P");
            beat = now + BEAT_MS;
        }
        if (ranks_receive(lead->ranks, &from, &message, now + LOOK_MS))
            lead_hear(lead, from, &message, game);
    }
    buf_free(&message);
}

bool selfplay_ranks_lead(const SelfplayPlan *plan, Archive *archive, Ranks *ranks,
                         atomic_bool *stop, SelfplayReport *report, void *ctx, bool *lost, Err *err)
{
    IntakePlan wanted = {
        .games = plan->games, .again = true, .stop = stop, .report = report, .ctx = ctx};
    Lead lead = {.plan = plan,
                 .intake = intake_open(archive, &wanted),
                 .ranks = ranks,
                 .gone = mem_zero((size_t)ranks_count(ranks))};
    ArchiveGame *game = mem_alloc(sizeof *game);
    Thread *thread = os_thread_start(lead_play, &lead, NULL);
    if (!thread) atomic_store(&lead.played, true); /* then the others play */
    lead_talk(&lead, game);
    if (thread) os_thread_join(thread);
    *lost = !all_gone(&lead);
    to_all(ranks, *lost ? "L" : "F");
    mem_free(lead.gone);
    mem_free(game);
    return intake_close(lead.intake, err);
}

/* --- the others ------------------------------------------------------------------------------ */

typedef struct {
    const SelfplayPlan *plan;
    Mutex *mutex; /* guards what follows */
    Cond *news;   /* a job came, or the end */
    int *jobs, job_count;
    int waiting;    /* threads that wait for a job and have not asked for one */
    Buf out;        /* games that are not sent yet, */
    Buf out_length; /* and how long each is (size_t) */
    bool ended, failed;
    atomic_bool played;
    Err err;
    int64_t heard; /* of rank 0, at this instant; the talking thread's alone, like the next */
    char last;     /* 'F' or 'L', once it has said so */
} Hand;

static int hand_take(void *ctx)
{
    Hand *hand = ctx;
    int number = -1;
    os_mutex_lock(hand->mutex);
    hand->waiting++;
    while (!hand->ended && !hand->job_count) os_cond_wait(hand->news, hand->mutex, OS_NEVER);
    if (!hand->ended) number = hand->jobs[--hand->job_count];
    os_mutex_unlock(hand->mutex);
    return number;
}

static void hand_give(void *ctx, const ArchiveGame *game)
{
    Hand *hand = ctx;
    os_mutex_lock(hand->mutex);
    size_t before = hand->out.len;
    buf_add_char(&hand->out, 'G');
    archive_encode(game, &hand->out);
    size_t length = hand->out.len - before;
    buf_add(&hand->out_length, &length, sizeof length);
    os_mutex_unlock(hand->mutex);
}

static void hand_play(void *ctx)
{
    Hand *hand = ctx;
    SelfplayDesk desk = {hand_take, hand_give, hand};
    Err err;
    if (!selfplay_work(hand->plan, &desk, &err)) {
        os_mutex_lock(hand->mutex);
        hand->failed = true;
        hand->err = err;
        os_mutex_unlock(hand->mutex);
    }
    atomic_store(&hand->played, true);
}

/* Sends what is to be sent. */
static void hand_send(Hand *hand, Ranks *ranks)
{
    os_mutex_lock(hand->mutex);
    const char *at = hand->out.data;
    for (size_t i = 0; i < hand->out_length.len; i += sizeof(size_t)) {
        size_t length;
        memcpy(&length, hand->out_length.data + i, sizeof length);
        ranks_send(ranks, 0, at, length);
        at += length;
    }
    buf_clear(&hand->out);
    buf_clear(&hand->out_length);
    for (; hand->waiting; hand->waiting--) ranks_send(ranks, 0, "W", 1);
    os_mutex_unlock(hand->mutex);
}

static void hand_hear(Hand *hand, const Buf *message)
{
    os_mutex_lock(hand->mutex);
    if (message->len > 1 && message->data[0] == 'J' && hand->job_count < hand->plan->threads)
        hand->jobs[hand->job_count++] = atoi(message->data + 1);
    if (message->len && strchr("SFL", message->data[0])) hand->ended = true;
    if (message->len && strchr("FL", message->data[0])) hand->last = message->data[0];
    os_cond_broadcast(hand->news);
    os_mutex_unlock(hand->mutex);
}

static void hand_end(Hand *hand)
{
    os_mutex_lock(hand->mutex);
    hand->ended = true;
    os_cond_broadcast(hand->news);
    os_mutex_unlock(hand->mutex);
}

/* Hears what there is to hear. False: rank 0 has been silent for too long. */
static bool hand_listen(Hand *hand, Ranks *ranks)
{
    Buf message = BUF_EMPTY;
    int from;
    int64_t now = os_clock_ms();
    if (ranks_receive(ranks, &from, &message, now + LOOK_MS)) {
        hand->heard = now;
        hand_hear(hand, &message);
    }
    buf_free(&message);
    return now - hand->heard <= SILENCE_MS;
}

/* Until the threads have ended. */
static void hand_talk(Hand *hand, Ranks *ranks)
{
    hand->heard = os_clock_ms();
    while (!atomic_load(&hand->played)) {
        hand_send(hand, ranks);
        if (!hand_listen(hand, ranks)) hand_end(hand);
    }
    hand_send(hand, ranks);
}

bool selfplay_ranks_serve(const SelfplayPlan *plan, Ranks *ranks, bool *lost, Err *err)
{
    Hand hand = {.plan = plan,
                 .mutex = os_mutex_open(),
                 .news = os_cond_open(),
                 .jobs = mem_zero((size_t)plan->threads * sizeof(int)),
                 .out = BUF_EMPTY,
                 .out_length = BUF_EMPTY};
    Thread *thread = os_thread_start(hand_play, &hand, &hand.err);
    hand.failed = !thread;
    if (thread) {
        hand_talk(&hand, ranks);
        os_thread_join(thread);
    }
    Buf farewell = BUF_EMPTY;
    buf_add_char(&farewell, 'E');
    if (hand.failed) buf_add_text(&farewell, hand.err.text);
    ranks_send(ranks, 0, farewell.data, farewell.len);
    buf_free(&farewell);
    /* MPI's own end waits for all of them: rank 0 must say first that all are there. */
    hand.heard = os_clock_ms();
    while (!hand.last && hand_listen(&hand, ranks)) continue;
    *lost = hand.last != 'F';
    if (hand.failed && err) *err = hand.err;
    os_cond_close(hand.news);
    os_mutex_close(hand.mutex);
    mem_free(hand.jobs);
    buf_free(&hand.out);
    buf_free(&hand.out_length);
    return !hand.failed;
}
