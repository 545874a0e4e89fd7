/* SPDX-License-Identifier: MIT */
#include "play/crew_ranks.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEAT_MS = 500, LOOK_MS = 3 };

typedef enum { RANK_AWAITED, RANK_PLAYS, RANK_LOST } RankState;

typedef struct {
    RankState state;
    int room;      /* jobs it takes at once */
    int64_t *jobs; /* owned; given and not back, `count` of them */
    int count;
    int64_t heard_ms;
} Rank;

typedef struct {
    Crew head;
    Ranks *ranks;
    const MatchPlan *plan;
    Buf conditions, message;
    int64_t silence_ms, beat_ms;
    bool stopped, any_lost;
    char why[GAME_DETAIL_MAX]; /* the last one that was lost, was */
    int rank_count;
    Rank rank[]; /* [0] is us and is not used */
} RankCrew;

static bool send_text(Ranks *ranks, int to, const char *text)
{
    return ranks_send(ranks, to, text, strlen(text));
}

/* ---- rank 0 ---- */

static void lose(RankCrew *crew, int number, const char *why)
{
    crew->rank[number].state = RANK_LOST;
    crew->any_lost = true;
    snprintf(crew->why, sizeof crew->why, "rank %d: %.100s", number, why);
}

static int rank_room(const Rank *rank)
{
    return rank->state == RANK_PLAYS ? rank->room - rank->count : 0;
}

static int ranks_crew_room(Crew *head)
{
    RankCrew *crew = (RankCrew *)head;
    int room = 0;
    for (int i = 1; i < crew->rank_count; i++) room += rank_room(&crew->rank[i]);
    return room;
}

static void ranks_crew_give(Crew *head, int64_t job)
{
    RankCrew *crew = (RankCrew *)head;
    int best = 1;
    char text[40];
    for (int i = 2; i < crew->rank_count; i++)
        if (rank_room(&crew->rank[i]) > rank_room(&crew->rank[best])) best = i;
    Rank *rank = &crew->rank[best];
    rank->jobs[rank->count++] = job;
    snprintf(text, sizeof text, "J %" PRId64, job);
    if (!send_text(crew->ranks, best, text)) lose(crew, best, "cannot be reached");
}

/* "R room\nconditions" */
static void greet(RankCrew *crew, int number, const char *text)
{
    enum { ROOM_MAX = 4096 };
    Rank *rank = &crew->rank[number];
    const char *conditions = strchr(text, '\n');
    int room = atoi(text + 1);
    if (!conditions || room < 1 || room > ROOM_MAX ||
        strcmp(conditions + 1, buf_text(&crew->conditions)) != 0) {
        lose(crew, number, "it has another match in mind; are the files the same everywhere?");
        return;
    }
    rank->state = RANK_PLAYS;
    rank->room = room;
    rank->jobs = mem_zero((size_t)room * sizeof *rank->jobs);
}

/* The bout is one that this rank was to play. */
static bool take_back(Rank *rank, int64_t job)
{
    for (int i = 0; i < rank->count; i++) {
        if (rank->jobs[i] != job) continue;
        rank->jobs[i] = rank->jobs[--rank->count];
        return true;
    }
    return false;
}

static bool hear(RankCrew *crew, int from, Bout *bout)
{
    const char *text = buf_text(&crew->message);
    Rank *rank = &crew->rank[from];
    if (rank->state == RANK_LOST || from == 0) return false;
    rank->heard_ms = os_clock_ms();
    if (*text == 'R' && rank->state == RANK_AWAITED) greet(crew, from, text);
    if (*text == 'X') lose(crew, from, text + 1);
    if (*text != 'B') return false;
    Err err;
    if (!bout_read(&crew->plan->game.rules, text + 1, bout, &err)) {
        lose(crew, from, err.text);
    } else if (take_back(rank, bout->job)) {
        return true;
    }
    bout_close(bout);
    return false;
}

static void beat(RankCrew *crew)
{
    int64_t now = os_clock_ms();
    if (now < crew->beat_ms) return;
    crew->beat_ms = now + BEAT_MS;
    for (int i = 1; i < crew->rank_count; i++) {
        Rank *rank = &crew->rank[i];
        if (rank->state == RANK_LOST) continue;
        if (now - rank->heard_ms > crew->silence_ms) {
            lose(crew, i, "nothing was heard of it");
        } else {
            send_text(crew->ranks, i, "P");
        }
    }
}

static CrewTake ranks_crew_take(Crew *head, Bout *bout, int64_t deadline, Err *err)
{
    RankCrew *crew = (RankCrew *)head;
    for (;;) {
        int from, there = 0;
        beat(crew);
        for (int i = 1; i < crew->rank_count; i++) {
            Rank *rank = &crew->rank[i];
            there += rank->state != RANK_LOST;
            if (rank->state != RANK_LOST || rank->count == 0) continue;
            *bout = (Bout){.job = rank->jobs[--rank->count]};
            return CREW_LOST;
        }
        if (!there) {
            err_set(err, "no rank is left to play; %s", crew->why);
            return CREW_GONE;
        }
        int64_t until = deadline < crew->beat_ms ? deadline : crew->beat_ms;
        if (ranks_receive(crew->ranks, &from, &crew->message, until)) {
            if (hear(crew, from, bout)) return CREW_BOUT;
        } else if (os_clock_ms() >= deadline) {
            return CREW_NOTHING;
        }
    }
}

void crew_ranks_dismiss(Ranks *ranks)
{
    for (int i = 1; i < ranks_count(ranks); i++) send_text(ranks, i, "S");
}

static void ranks_crew_stop(Crew *head)
{
    RankCrew *crew = (RankCrew *)head;
    if (crew->stopped) return;
    crew->stopped = true;
    for (int i = 1; i < crew->rank_count; i++)
        if (crew->rank[i].state != RANK_LOST) send_text(crew->ranks, i, crew->any_lost ? "L" : "S");
}

static void ranks_crew_close(Crew *head)
{
    RankCrew *crew = (RankCrew *)head;
    ranks_crew_stop(head);
    for (int i = 1; i < crew->rank_count; i++) mem_free(crew->rank[i].jobs);
    buf_free(&crew->conditions);
    buf_free(&crew->message);
    mem_free(crew);
}

bool crew_ranks_lost(const Crew *head)
{
    return ((const RankCrew *)head)->any_lost;
}

static const CrewKind ranks_crew_kind = {
    .room = ranks_crew_room,
    .give = ranks_crew_give,
    .take = ranks_crew_take,
    .stop = ranks_crew_stop,
    .close = ranks_crew_close,
};

Crew *crew_ranks_open(Ranks *ranks, const MatchPlan *plan, int64_t silence_ms)
{
    int n = ranks_count(ranks);
    RankCrew *crew = mem_zero(sizeof *crew + (size_t)n * sizeof *crew->rank);
    crew->head.kind = &ranks_crew_kind;
    crew->ranks = ranks;
    crew->plan = plan;
    crew->silence_ms = silence_ms;
    crew->rank_count = n;
    schedule_conditions(plan, &crew->conditions);
    for (int i = 0; i < n; i++) crew->rank[i].heard_ms = os_clock_ms();
    return &crew->head;
}

/* ---- the others ---- */

void crew_ranks_refuse(Ranks *ranks, const char *why)
{
    Buf text = BUF_EMPTY;
    buf_printf(&text, "X%s", why);
    ranks_send(ranks, 0, text.data, text.len);
    buf_free(&text);
}

static void report(Ranks *ranks, const Rules *rules, Bout *bout)
{
    Buf text = BUF_EMPTY;
    buf_add_char(&text, 'B');
    bout_write(rules, bout, &text);
    ranks_send(ranks, 0, text.data, text.len);
    buf_free(&text);
    bout_close(bout);
}

bool crew_ranks_serve(Ranks *ranks, const BoutHost *host, int games_at_once, int64_t silence_ms,
                      bool *lost, Err *err)
{
    Crew *crew = crew_open(host, games_at_once, err);
    if (!crew) return crew_ranks_refuse(ranks, err->text), false;
    Buf text = BUF_EMPTY;
    buf_printf(&text, "R%d\n", crew_room(crew));
    schedule_conditions(host->plan, &text);
    ranks_send(ranks, 0, text.data, text.len);
    int64_t heard = os_clock_ms(), beat_ms = heard + BEAT_MS;
    bool leave = false;
    while (!leave) {
        Bout bout;
        int from;
        int64_t now = os_clock_ms();
        while (crew_take(crew, &bout, now + LOOK_MS, err) == CREW_BOUT)
            report(ranks, &host->plan->game.rules, &bout);
        while (ranks_receive(ranks, &from, &text, 0)) {
            heard = os_clock_ms();
            if (*buf_text(&text) == 'J') crew_give(crew, strtoll(text.data + 1, NULL, 10));
            *lost |= *buf_text(&text) == 'L';
            leave |= *lost || *buf_text(&text) == 'S';
        }
        if (now >= beat_ms) {
            send_text(ranks, 0, "H");
            beat_ms = now + BEAT_MS;
        }
        *lost |= now - heard > silence_ms;
        leave |= *lost;
    }
    crew_stop(crew);
    crew_close(crew);
    buf_free(&text);
    return true;
}
