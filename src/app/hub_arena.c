/* SPDX-License-Identifier: MIT */
/* Matches of the arena: play/match.h on a thread of its own, its games in a store beside the
 * library, so that a match that was stopped goes on. */
#include "app/hub_runs.h"

#include "app/hub_games.h"
#include "app/match_files.h"
#include "app/match_show.h"
#include "base/mem.h"
#include "play/match.h"
#include "play/rating.h"

#include <stdio.h>
#include <string.h>

enum {
    PLAYERS_MAX = 16,
    GAMES_MAX = 100000,
    OPENINGS_BYTES = 256 << 10,
    LAST_SHOWN = 20,
    BOARDS_MAX = 64
};

/* A game under way. */
typedef struct {
    int64_t job;
    int64_t moved_ms; /* os_clock_ms of the last decision */
    json_t *row;      /* owned; NULL: no game here */
} LiveBoard;

typedef struct {
    MatchPlan plan;
    Entrant entrants[PLAYERS_MAX];
    char *names[PLAYERS_MAX], *specs[PLAYERS_MAX]; /* owned */
    Openings openings;
    bool has_openings;
    int concurrency;
    Run *run;
    atomic_bool dropped;
    Mutex *mutex; /* guards what follows: games run on several threads */
    LiveBoard boards[BOARDS_MAX];
    json_t *last; /* owned: games that ended last */
} ArenaPlan;

/* ---- the plan ---- */

static void arena_unprepare(Run *run)
{
    ArenaPlan *arena = run->plan;
    if (!arena) return;
    for (int i = 0; i < PLAYERS_MAX; i++) {
        mem_free(arena->names[i]);
        mem_free(arena->specs[i]);
    }
    for (int i = 0; i < BOARDS_MAX; i++) json_decref(arena->boards[i].row);
    if (arena->has_openings) openings_free(&arena->openings);
    os_mutex_close(arena->mutex);
    json_decref(arena->last);
    mem_free(arena);
    run->plan = NULL;
}

static bool read_players(ArenaPlan *arena, Refusal *no)
{
    json_t *list = NULL;
    if (!field_array(arena->run->request, "players", PLAYERS_MAX, &list, no)) return false;
    if (json_array_size(list) < 2) return refuse(no, "bad", "A match needs two players or more.");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *player = NULL, *name = NULL;
        Buf spec = BUF_EMPTY;
        if (!json_is_object(entry)) return refuse(no, "bad", "\"players\" must be objects.");
        if (!field_needs_text(entry, "player", 1000, &player, no) ||
            !field_text(entry, "name", TEXT_MAX_NAME, &name, no) ||
            !hub_check_player(arena->run->hub, player, &spec, no)) {
            buf_free(&spec);
            return false;
        }
        arena->specs[i] = mem_text(buf_text(&spec));
        arena->names[i] = mem_text(name && *name ? name : player);
        arena->entrants[i] = (Entrant){arena->names[i], arena->specs[i]};
        buf_free(&spec);
    }
    arena->plan.players = arena->entrants;
    arena->plan.player_count = (int)json_array_size(list);
    return true;
}

static bool read_openings(ArenaPlan *arena, Refusal *no)
{
    MatchPlan *plan = &arena->plan;
    const char *text = NULL;
    int64_t stones = 0;
    if (!field_text(arena->run->request, "openings", OPENINGS_BYTES, &text, no) ||
        !field_whole(arena->run->request, "random", 0, 20, &stones, no))
        return false;
    plan->random_stones = (int)stones;
    if (!text || !*text) return true;
    arena->has_openings = openings_parse(text, strlen(text), "openings", &plan->game.rules,
                                         &arena->openings, &no->err);
    if (!arena->has_openings) return refuse_so(no, "bad");
    plan->openings = &arena->openings;
    return true;
}

static bool read_sprt(MatchPlan *plan, const json_t *body, Refusal *no)
{
    json_t *sprt = NULL;
    plan->sprt = (Sprt){.elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05};
    if (!field_object(body, "sprt", &sprt, no) ||
        !field_number(sprt, "elo0", -1000, 1000, &plan->sprt.elo0, no) ||
        !field_number(sprt, "elo1", -1000, 1000, &plan->sprt.elo1, no))
        return false;
    plan->has_sprt = sprt != NULL;
    return true;
}

static bool read_limits(ArenaPlan *arena, Refusal *no)
{
    const json_t *body = arena->run->request;
    const HubPlan *hub = &arena->run->hub->plan;
    MatchPlan *plan = &arena->plan;
    ClockPlan *time = &plan->game.clock;
    json_t *clock = NULL;
    int64_t depth = 0;
    if (!field_object(body, "clock", &clock, no) ||
        !field_whole(clock, "match_ms", 0, 36000000, &time->match_ms, no) ||
        !field_whole(clock, "turn_ms", 0, hub->think_ms, &time->turn_ms, no) ||
        !field_whole(clock, "increment_ms", 0, hub->think_ms, &time->increment_ms, no) ||
        !field_whole(body, "nodes", 0, INT64_C(1) << 40, &plan->nodes, no) ||
        !field_whole(body, "depth", 0, 100, &depth, no))
        return false;
    plan->depth = (int)depth;
    time->grace_ms = 1000;
    if (!time->match_ms && !time->turn_ms)
        time->turn_ms = plan->nodes || depth ? hub->think_ms : 1000;
    return true;
}

/* So that a page that watches from the first moment sees a whole object. */
static void say_nothing_yet(ArenaPlan *arena)
{
    const MatchPlan *plan = &arena->plan;
    json_t *players = json_array();
    int64_t games = (int64_t)schedule_pairs(plan) * plan->games;
    for (int i = 0; i < plan->player_count; i++)
        json_array_append_new(players, json_string(plan->players[i].name));
    run_say(arena->run,
            json_pack("{s:o, s:o, s:i, s:I, s:[], s:[], s:[], s:[]}", "rules",
                      json_rules(&plan->game.rules), "players", players, "done", 0, "games",
                      (json_int_t)games, "standings", "pairs", "boards", "finished"),
            0, games);
}

static bool arena_prepare(Run *run, Refusal *no)
{
    const json_t *body = run->request;
    ArenaPlan *arena = mem_zero(sizeof *arena);
    MatchPlan *plan = &arena->plan;
    int64_t games = 20, concurrency = 1, seed = 1;
    const char *phase = "normal";
    run->plan = arena;
    arena->run = run;
    arena->mutex = os_mutex_open();
    arena->last = json_array();
    bool good = field_rules(body, &plan->game.rules, no) && read_players(arena, no) &&
                field_whole(body, "games", 1, GAMES_MAX, &games, no) &&
                field_whole(body, "concurrency", 1, run->hub->plan.slots, &concurrency, no) &&
                field_whole(body, "seed", 0, INT64_MAX, &seed, no) &&
                field_bool(body, "gauntlet", &plan->gauntlet, no) &&
                field_text(body, "phase", 20, &phase, no) && read_openings(arena, no) &&
                read_limits(arena, no) && read_sprt(plan, body, no);
    if (good) {
        plan->games = (int)games;
        plan->seed = (uint64_t)seed;
        arena->concurrency = (int)concurrency;
        plan->game.phase = PHASE_COUNT;
        for (int i = 0; i < PHASE_COUNT; i++) {
            if (strcmp(phase_name((Phase)i), phase) == 0) plan->game.phase = (Phase)i;
        }
        if (plan->game.phase == PHASE_COUNT)
            good = refuse(no, "bad", "There is no opening phase \"%s\".", phase);
    }
    if (good && !schedule_check(plan, &no->err)) good = refuse_so(no, "bad");
    if (!good) {
        arena_unprepare(run);
        return false;
    }
    if (!run->news) say_nothing_yet(arena);
    return true;
}

/* ---- how it stands ---- */

static json_t *json_standings(const Match *match)
{
    const MatchPlan *plan = match->plan;
    json_t *list = json_array();
    Results results;
    Rating rating;
    RatingPlan how = RATING_PLAN_GOMOCUP;
    results_open(&results);
    for (int i = 0; i < plan->player_count; i++)
        results_player(&results, plan->players[i].name, strlen(plan->players[i].name));
    for (int i = 0; i < schedule_pairs(plan); i++) {
        const MatchPair *pair = &match->pairs[i];
        if (tally_games(&pair->tally))
            results_add(&results, pair->players[0], pair->players[1], pair->tally.wins,
                        pair->tally.draws, pair->tally.losses);
    }
    if (results_games(&results) && rating_run(&results, &how, false, &rating, NULL)) {
        for (int i = 0; i < rating.count; i++) {
            const RatedPlayer *p = &rating.players[i];
            json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f, s:I, s:f, s:f}", "player",
                                                  results.names[p->player], "elo", p->elo, "plus",
                                                  p->plus, "minus", p->minus, "games",
                                                  (json_int_t)p->games, "score", p->score, "draws",
                                                  p->draws));
        }
        rating_free(&rating);
    }
    results_close(&results);
    return list;
}

/* On the thread of a match: games go on meanwhile. */
static json_t *json_boards(ArenaPlan *arena)
{
    json_t *list = json_array();
    int64_t now = os_clock_ms();
    os_mutex_lock(arena->mutex);
    for (int i = 0; i < BOARDS_MAX; i++) {
        const LiveBoard *board = &arena->boards[i];
        if (!board->row) continue;
        json_t *row = json_deep_copy(board->row);
        json_object_set_new(row, "spent_ms", json_integer(now - board->moved_ms));
        json_array_append_new(list, row);
    }
    os_mutex_unlock(arena->mutex);
    return list;
}

static json_t *json_last(ArenaPlan *arena)
{
    os_mutex_lock(arena->mutex);
    json_t *list = json_deep_copy(arena->last);
    os_mutex_unlock(arena->mutex);
    return list;
}

static void say(ArenaPlan *arena, const Match *match)
{
    json_t *pairs = json_array(), *players = json_array();
    for (int i = 0; i < schedule_pairs(match->plan); i++) {
        json_t *pair = match_json_pair(match, i);
        json_object_set(pair, "players", json_object_get(pair, "pair"));
        json_array_append_new(pairs, pair);
    }
    for (int i = 0; i < match->plan->player_count; i++)
        json_array_append_new(players, json_string(match->plan->players[i].name));
    run_say(arena->run,
            json_pack("{s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "rules",
                      json_rules(&match->plan->game.rules), "players", players, "done",
                      (json_int_t)match->counted, "games", (json_int_t)match->games, "standings",
                      json_standings(match), "pairs", pairs, "boards", json_boards(arena),
                      "finished", json_last(arena)),
            match->counted, match->games);
}

/* ---- while it runs ---- */

/* Of each side, Black first: its time, and what it expected of the game at its last move. */
static void add_sides(json_t *row, const ClockPlan *clock, const Bout *bout)
{
    json_t *used = json_array(), *left = json_array(), *values = json_array();
    for (Colour colour = BLACK; colour < COLOUR_COUNT; colour++) {
        int seat = bout->colour[SEAT_FIRST] == colour ? SEAT_FIRST : SEAT_SECOND;
        const GameMove *last = NULL;
        int64_t used_ms = 0;
        for (int i = 0; i < bout->move_count; i++) {
            if (bout->moves[i].seat != seat) continue;
            last = &bout->moves[i];
            used_ms += last->elapsed_ms;
        }
        json_array_append_new(used, json_integer(used_ms));
        json_array_append_new(left, json_integer(last ? last->clock_ms : clock->match_ms));
        json_array_append_new(values, last && last->has_value ? json_real((double)last->value)
                                                              : json_null());
    }
    json_object_set_new(row, "used_ms", used);
    json_object_set_new(row, "values", values);
    if (clock->match_ms) json_object_set(row, "left_ms", left);
    json_decref(left);
}

static json_t *json_bout(const ArenaPlan *arena, const Bout *bout)
{
    Buf moves = BUF_EMPTY;
    int black = bout->colour[SEAT_FIRST] == BLACK ? SEAT_FIRST : SEAT_SECOND;
    bout_list_write(&arena->plan.game.rules, bout, BOUT_MOVES, &moves);
    json_t *row =
        json_pack("{s:I, s:s, s:s, s:i, s:s}", "job", (json_int_t)bout->job, "black",
                  arena->names[bout->player[black]], "white", arena->names[bout->player[1 - black]],
                  "plies", bout->move_count, "moves", buf_text(&moves));
    add_sides(row, &arena->plan.game.clock, bout);
    buf_free(&moves);
    return row;
}

/* The first word on a game stands: most are heard of when they end, and again when they are
 * counted. */
static void add_last(ArenaPlan *arena, const Bout *bout)
{
    json_t *row = json_bout(arena, bout);
    const char *result = "draw";
    if (bout->winner >= 0) result = bout->colour[bout->winner] == BLACK ? "b" : "w";
    bool known = false;
    json_object_set_new(row, "result", json_string(result));
    json_object_set_new(row, "reason", json_string(record_reason_name(bout->reason)));
    os_mutex_lock(arena->mutex);
    for (size_t i = 0; i < json_array_size(arena->last); i++) {
        const json_t *other = json_array_get(arena->last, i);
        known |= json_integer_value(json_object_get(other, "job")) == bout->job;
    }
    if (!known) json_array_append(arena->last, row);
    if (json_array_size(arena->last) > LAST_SHOWN) json_array_remove(arena->last, 0);
    os_mutex_unlock(arena->mutex);
    json_decref(row);
}

static LiveBoard *board_of(ArenaPlan *arena, int64_t job)
{
    LiveBoard *place = NULL;
    for (int i = 0; i < BOARDS_MAX; i++) {
        LiveBoard *board = &arena->boards[i];
        if (board->row && board->job == job) return board;
        if (!board->row && !place) place = board;
    }
    return place;
}

/* On the thread of the game. */
static void on_move(void *ctx, const Job *job, const Game *game)
{
    ArenaPlan *arena = ctx;
    Bout bout = {
        .job = job->number,
        .winner = game->winner,
        .reason = game->reason,
        .moves = game->moves,
        .move_count = game->move_count,
    };
    memcpy(bout.player, job->player, sizeof bout.player);
    memcpy(bout.colour, game->colour, sizeof bout.colour);
    json_t *row = game->over ? NULL : json_bout(arena, &bout);
    if (row) json_object_set_new(row, "turn", json_colour(game->colour[game->seat]));
    if (game->over) add_last(arena, &bout);
    os_mutex_lock(arena->mutex);
    LiveBoard *board = board_of(arena, job->number);
    if (board) {
        json_decref(board->row);
        *board = (LiveBoard){.job = job->number, .moved_ms = os_clock_ms(), .row = row};
    } else {
        json_decref(row);
    }
    os_mutex_unlock(arena->mutex);
}

static void on_game(void *ctx, const Match *match, const Bout *bout)
{
    (void)match;
    add_last(ctx, bout);
}

static void on_tick(void *ctx, const Match *match)
{
    say(ctx, match);
}

static bool arena_body(Run *run, Err *err)
{
    ArenaPlan *arena = run->plan;
    const MatchPlan *plan = &arena->plan;
    BoutHost host = {.plan = plan, .stop = &arena->dropped, .moved = on_move, .moved_ctx = arena};
    MatchEvents events = {.game = on_game, .tick = on_tick, .ctx = arena};
    Buf path = BUF_EMPTY;
    int64_t id = 0, games = 0;
    Match *match = NULL;
    Crew *crew = NULL;
    runs_path(run->hub, "matches", &path);
    Store *store = store_open(path.len ? path.data : NULL, err);
    buf_free(&path);
    bool good = store && store_match(store, run->id, plan, &id, &games, err) &&
                store_run(store, id, "goren serve", "", err);
    if (good) match = match_open(plan, store, id, &events, err);
    if (match) say(arena, match);
    if (match) crew = crew_open(&host, arena->concurrency, err);
    good = crew && match_run(match, crew, &events, &run->stop, err);
    crew_close(crew);
    if (match) {
        os_mutex_lock(arena->mutex);
        for (int i = 0; i < BOARDS_MAX; i++) {
            json_decref(arena->boards[i].row);
            arena->boards[i].row = NULL;
        }
        os_mutex_unlock(arena->mutex);
        say(arena, match);
    }
    match_close(match);
    store_close(store);
    return good;
}

/* The server was killed: more games may have been kept than were told of. */
static void arena_recall(Run *run)
{
    Buf path = BUF_EMPTY;
    Err err;
    Refusal no;
    int64_t id = 0, games = 0;
    runs_path(run->hub, "matches", &path);
    Store *store = path.len ? store_open_existing(path.data, NULL) : NULL;
    buf_free(&path);
    if (store && arena_prepare(run, &no)) {
        ArenaPlan *arena = run->plan;
        MatchEvents events = {.game = on_game, .ctx = arena};
        Match *match = store_match(store, run->id, &arena->plan, &id, &games, &err)
                           ? match_open(&arena->plan, store, id, &events, &err)
                           : NULL;
        if (match) say(arena, match);
        match_close(match);
        arena_unprepare(run);
    }
    store_close(store);
}

/* ---- games as files ---- */

/* What fits into one message, a page that reads slowly included: the rest is another part. */
enum { PART_MOVES = 30000 };

typedef struct {
    RecordSet set;
    const MatchPlan *plan;
    int64_t next; /* the first job of the next part; −1: there is none */
} Part;

static bool add_to_part(void *ctx, const Bout *bout, const char *ended)
{
    Part *part = ctx;
    if (part->set.count && part->set.node_total + bout->move_count > PART_MOVES) {
        part->next = bout->job;
        return false;
    }
    match_add_record(&part->set, part->plan, bout, ended);
    return true;
}

static bool read_part(const Run *run, int64_t from, Part *part, Err *err)
{
    Buf path = BUF_EMPTY;
    int64_t match = 0;
    runs_path(run->hub, "matches", &path);
    Store *store = path.len ? store_open_existing(path.data, err)
                            : (err_set(err, "the games of this match are not kept"), NULL);
    buf_free(&path);
    bool good =
        store && store_find(store, run->id, &match, err) &&
        store_games_from(store, match, from, &part->plan->game.rules, add_to_part, part, err);
    store_close(store);
    return good;
}

/* A run that is over has no plan any more. */
bool arena_export(Run *run, const json_t *body, json_t *reply, Refusal *no)
{
    bool idle = !run->plan;
    int64_t from = 0;
    if (!field_whole(body, "from", 0, INT64_MAX, &from, no) || (idle && !arena_prepare(run, no)))
        return false;
    ArenaPlan *arena = run->plan;
    Part part = {.plan = &arena->plan, .next = -1};
    record_set_open(&part.set);
    bool good = read_part(run, from, &part, &no->err) || refuse_so(no, "failed");
    if (good && !part.set.count) good = refuse(no, "missing", "There is no game to write.");
    good = good && files_write(body, &part.set, reply, no);
    json_object_set_new(reply, "next", part.next < 0 ? json_null() : json_integer(part.next));
    record_set_close(&part.set);
    if (idle) arena_unprepare(run);
    return good;
}

/* Its games go, too. One that never came to play has left no file. */
static void arena_forget(Run *run)
{
    Buf path = BUF_EMPTY;
    Err err;
    runs_path(run->hub, "matches", &path);
    Store *store = path.len ? store_open_existing(path.data, NULL) : NULL;
    if (store && !store_forget(store, run->id, &err))
        hub_log(run->hub, "error", json_pack("{s:s}", "error", err.text));
    store_close(store);
    buf_free(&path);
}

const RunKind arena_kind = {
    .noun = "arena",
    .letter = 'm',
    .prepare = arena_prepare,
    .body = arena_body,
    .unprepare = arena_unprepare,
    .recall = arena_recall,
    .forget = arena_forget,
};
