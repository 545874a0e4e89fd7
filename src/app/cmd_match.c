/* SPDX-License-Identifier: MIT */
/* goren match: games between players and outside brains. */
#include "app/cli.h"
#include "app/commands.h"
#include "app/match_files.h"
#include "app/match_options.h"
#include "app/match_show.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/os.h"
#include "play/crew_ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const MatchOptions *options;
    MatchSetup setup;
    MatchShow show;
    MatchEvents events;
    bool live;
    FILE *log;
    Buf log_path;
    int log_errno; /* of the first line that could not be written; 0: all were */
    Mutex *log_mutex;
    int64_t began_ms;
    Buf stderr_file;
    BoutHost host;
    atomic_bool dropped; /* games under way are to end */
    Store *store;
    Match *match;
    Crew *crew;
    Ranks *ranks; /* of an MPI run; often we are the only one */
    bool lost;    /* one of them has died */
} Session;

/* The others wait so long to hear of rank 0, which may take its time to start. */
enum { SERVER_SILENCE_MS = 600000 };

/* Set by the first Ctrl-C; the second one ends us in the usual way. */
static atomic_bool interrupted;

/* ---- what is said while it runs ---- */

static void on_game(void *ctx, const Match *match, const Bout *bout)
{
    const Session *s = ctx;
    if (s->options->json) cli_json(match_json_game(match->plan, bout));
}

static void on_tick(void *ctx, const Match *match)
{
    Session *s = ctx;
    if (s->live) match_show_live(&s->show, match);
}

/* job −1: before the games. */
static void on_line(void *ctx, int64_t job, const char *name, char mark, const char *text)
{
    Session *s = ctx;
    int64_t ms = os_clock_ms() - s->began_ms;
    os_mutex_lock(s->log_mutex);
    errno = 0;
    fprintf(s->log, "%" PRId64 ".%03d ", ms / 1000, (int)(ms % 1000));
    if (job >= 0) fprintf(s->log, "game %" PRId64 " ", job);
    fprintf(s->log, "%s %c %s\n", name, mark, text);
    fflush(s->log);
    if (ferror(s->log) && !s->log_errno) s->log_errno = errno ? errno : EIO;
    os_mutex_unlock(s->log_mutex);
}

/* ---- before ---- */

static bool open_log(Session *s, Err *err)
{
    if (!s->options->log) return true;
    buf_add_text(&s->log_path, s->options->log);
    if (ranks_self(s->ranks)) buf_printf(&s->log_path, ".%d", ranks_self(s->ranks));
    s->log = fopen(s->log_path.data, "a");
    if (!s->log) return err_set(err, "%s: cannot write it: %s", s->log_path.data, strerror(errno));
    buf_printf(&s->stderr_file, "%s.stderr", s->log_path.data);
    s->log_mutex = os_mutex_open();
    s->host.line = on_line;
    s->host.line_ctx = s;
    s->host.stderr_file = s->stderr_file.data;
    return true;
}

/* After the games, which a log that lacks lines does not stop. */
static bool close_log(Session *s, Err *err)
{
    if (!s->log) return true;
    errno = 0;
    if (fclose(s->log) != 0 && !s->log_errno) s->log_errno = errno ? errno : EIO;
    s->log = NULL;
    return !s->log_errno ||
           err_set(err, "%s: cannot write all lines: %s", s->log_path.data, strerror(s->log_errno));
}

/* This very program: what it is called and what its file holds. */
static void add_version(Buf *out)
{
    Buf path = BUF_EMPTY, bytes = BUF_EMPTY;
    if (os_executable_path(&path, NULL)) os_file_read(path.data, 1 << 30, &bytes, NULL);
    buf_printf(out, "goren, build %016" PRIx64, bytes_sum64(BYTES_SUM64, bytes.data, bytes.len));
    buf_free(&path);
    buf_free(&bytes);
}

typedef struct {
    Session *session;
    const char *name;
} Asked;

static void on_asked_line(void *ctx, char mark, const char *text)
{
    const Asked *asked = ctx;
    on_line(asked->session, -1, asked->name, mark, text);
}

/* Starts every player once: whatever cannot work is said now, not as a hundred lost games. */
static bool ask_abouts(Session *s, Buf *out, Err *err)
{
    const MatchPlan *plan = &s->setup.plan;
    bool good = true;
    for (int i = 0; good && i < plan->player_count; i++) {
        Asked asked = {s, plan->players[i].name};
        PlayerHost host = {.line = s->log ? on_asked_line : NULL,
                           .ctx = &asked,
                           .stderr_file = s->host.stderr_file,
                           .memory = plan->memory};
        Player *player = player_open(plan->players[i].spec, err);
        if (player) player->host = &host;
        buf_printf(out, "%s: ", plan->players[i].name);
        good = player && player_about(player, &plan->game.rules, out, err);
        buf_add_char(out, '\n');
        player_close(player);
        if (!good) err_prefix(err, "%s", plan->players[i].name);
    }
    return good;
}

static bool open_match(Session *s, Err *err)
{
    const MatchPlan *plan = &s->setup.plan;
    int64_t id = 0, games = 0;
    Buf abouts = BUF_EMPTY, version = BUF_EMPTY;
    add_version(&version);
    s->store = store_open(s->options->store, err);
    bool good = s->store && ask_abouts(s, &abouts, err) &&
                store_match(s->store, s->options->name, plan, &id, &games, err) &&
                store_run(s->store, id, buf_text(&version), buf_text(&abouts), err);
    if (good) s->match = match_open(plan, s->store, id, &s->events, err);
    if (s->match && ranks_count(s->ranks) > 1) {
        s->crew = crew_ranks_open(s->ranks, plan, (int64_t)(1000 * s->options->silence_s));
    } else if (s->match) {
        s->crew = crew_open(&s->host, s->options->concurrency, err);
    }
    buf_free(&abouts);
    buf_free(&version);
    return s->crew != NULL;
}

/* Here and not when the games are played, which are lost if there is no store. */
static bool check_files(const Session *s, Err *err)
{
    const MatchOptions *o = s->options;
    const CliFile all[] = {{"--games-out", o->games_out, true},
                           {"--pgn", o->pgn, true},
                           {"--html", o->html, true},
                           {"--store", o->store, false},
                           {"--openings", o->openings, false},
                           {"--log", o->log, true},
                           {0}};
    return cli_files_apart(all, err) &&
           (!o->games_out || match_check_games(&s->setup.plan, o->games_out, err)) &&
           (!o->pgn || os_file_may_write(o->pgn, err)) &&
           (!o->html || os_file_may_write(o->html, err));
}

/* ---- after ---- */

static bool write_files(const Session *s, Err *err)
{
    const MatchOptions *options = s->options;
    fflush(stdout); /* one of them may be /dev/stdout */
    return (!options->games_out || match_write_games(s->match, options->games_out, err)) &&
           (!options->pgn || match_write_pgn(s->match, options->pgn, err)) &&
           (!options->html || match_write_html(s->match, options->html, err));
}

static void print_result(Session *s)
{
    if (s->live) match_show_clear(&s->show);
    int pairs = s->options->json ? schedule_pairs(&s->setup.plan) : 0;
    if (!s->options->json) match_show_result(s->match, stdout);
    for (int i = 0; i < pairs; i++) cli_json(match_json_pair(s->match, i));
    fflush(stdout); /* before what stderr says */
    if (!match_is_over(s->match))
        cli_interrupted(&match_table, s->match->done, s->match->games, "games", s->options->store);
}

static void close_session(Session *s)
{
    crew_close(s->crew);
    match_close(s->match);
    store_close(s->store);
    if (s->log) fclose(s->log);
    os_mutex_close(s->log_mutex);
    buf_free(&s->log_path);
    buf_free(&s->stderr_file);
    match_setup_close(&s->setup);
}

/* Sets up what every rank needs. */
static bool prepare(Session *s, int count, char **specs, Err *err)
{
    if (!match_setup_open(&s->setup, s->options, count, specs, err)) return false;
    s->host.plan = &s->setup.plan;
    s->host.stop = &s->dropped;
    return open_log(s, err);
}

/* The match itself: of the only rank, or of the one that has the store. */
static bool run_match(Session *s, Err *err)
{
    if (!check_files(s, err) || !open_match(s, err)) return false;
    bool good = match_run(s->match, s->crew, &s->events, &interrupted, err);
    s->lost = ranks_count(s->ranks) > 1 && crew_ranks_lost(s->crew);
    crew_close(s->crew);
    s->crew = NULL;
    print_result(s);
    return good && write_files(s, err);
}

static bool run_session(Session *s, int count, char **specs, Err *err)
{
    bool server = ranks_self(s->ranks) == 0;
    bool good = prepare(s, count, specs, err);
    if (server) {
        os_catch_interrupt(&interrupted);
        good = good && run_match(s, err);
        if (!s->match) crew_ranks_dismiss(s->ranks);
    } else if (good) {
        good = crew_ranks_serve(s->ranks, &s->host, s->options->concurrency, SERVER_SILENCE_MS,
                                &s->lost, err);
    } else {
        crew_ranks_refuse(s->ranks, err->text);
    }
    return good && close_log(s, err);
}

/* 0: done; 1: not over, or an SPRT that did not find the first one better. */
static int verdict(const Session *s)
{
    if (!s->match) return 0; /* a rank that only played */
    bool better = !s->options->sprt || s->match->pairs[0].sprt.verdict == SPRT_ACCEPTED;
    return !better || !match_is_over(s->match);
}

int cmd_match(int argc, char **argv)
{
    MatchOptions options;
    Err err;
    int code;
    bool good = match_options_read(&argc, &argv, &options, &code);
    Ranks *ranks = good ? ranks_open(&err) : NULL;
    if (good && !ranks) code = cli_fail(&match_table, &err);
    if (ranks) {
        Session s = {.options = &options, .began_ms = os_clock_ms(), .ranks = ranks};
        s.show.out = stdout;
        s.live = !options.json && os_is_terminal(stdout);
        s.events = (MatchEvents){.game = on_game, .tick = on_tick, .ctx = &s};
        good = run_session(&s, argc, argv, &err);
        code = good ? verdict(&s) : cli_fail(&match_table, &err);
        close_session(&s);
        ranks_close(ranks, s.lost);
    }
    mem_free(argv);
    return code;
}
