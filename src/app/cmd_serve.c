/* SPDX-License-Identifier: MIT */
/* goren serve: the web board. */
#include "app/cli.h"
#include "app/commands.h"
#include "app/page.h"
#include "app/serve.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/os.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *host, *store, *log, *cert, *key, *problems;
    int port, slots, threads, clients, games, runs, rate;
    double think_s, analysis_s, idle_s;
    size_t memory;
    bool open, trust;
} ServeOptions;

static const Opt serve_opts[] = {
    {.name = "host",
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, host),
     .standard = "localhost",
     .value = "ADDRESS",
     .help = "where to listen; 0.0.0.0: for every machine that can reach this one"},
    {.name = "port",
     .letter = 'p',
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, port),
     .min = 0,
     .max = 65535,
     .standard = "5151",
     .help = "0: any that is free"},
    {.name = "open",
     .type = OPT_BOOL,
     .offset = offsetof(ServeOptions, open),
     .help = "show the page in a browser, on the next free port if need be"},
    {.name = "store",
     .letter = 's',
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, store),
     .value = "FILE",
     .help = "where games are kept; without: goren/games.db among the user's data"},
    {.name = "problems",
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, problems),
     .value = "FILE.tsv,…",
     .help = "problem suites for the trainer, besides the built-in one"},
    {.name = "slots",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, slots),
     .min = 0,
     .max = 256,
     .standard = "0",
     .help = "engines that think at the same time; 0: one for each core"},
    {.name = "threads",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, threads),
     .min = 0,
     .max = 256,
     .standard = "0",
     .help = "that one analysis may have; 0: one for each core"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(ServeOptions, memory),
     .min = 1 << 20,
     .max = 1e12,
     .standard = "64M",
     .help = "of each engine's tables"},
    {.name = "think",
     .type = OPT_FLOAT,
     .offset = offsetof(ServeOptions, think_s),
     .min = 0.01,
     .max = 1e5,
     .standard = "60",
     .value = "S",
     .help = "longest that a player may think about a move"},
    {.name = "analysis",
     .type = OPT_FLOAT,
     .offset = offsetof(ServeOptions, analysis_s),
     .min = 0.1,
     .max = 1e6,
     .standard = "3600",
     .value = "S",
     .help = "longest that an analysis may run"},
    {.name = "idle",
     .type = OPT_FLOAT,
     .offset = offsetof(ServeOptions, idle_s),
     .min = 1,
     .max = 1e6,
     .standard = "1800",
     .value = "S",
     .help = "an analysis ends when nothing was heard of its page for so long"},
    {.name = "clients",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, clients),
     .min = 1,
     .max = 100000,
     .standard = "1000",
     .help = "at most"},
    {.name = "games",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, games),
     .min = 1,
     .max = 100000,
     .standard = "32",
     .help = "that one client may have open"},
    {.name = "runs",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, runs),
     .min = 0,
     .max = 64,
     .standard = "2",
     .help = "matches and learners at the same time"},
    {.name = "rate",
     .type = OPT_INT,
     .offset = offsetof(ServeOptions, rate),
     .min = 1,
     .max = 1000000,
     .standard = "50",
     .help = "messages a second from one client"},
    {.name = "trust",
     .type = OPT_BOOL,
     .offset = offsetof(ServeOptions, trust),
     .help = "pages may name commands and files of this machine, as pipe:cmd=…"},
    {.name = "cert",
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, cert),
     .value = "FILE",
     .help = "certificate for TLS, PEM; with --key"},
    {.name = "key",
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, key),
     .value = "FILE",
     .help = "its private key"},
    {.name = "log",
     .type = OPT_TEXT,
     .offset = offsetof(ServeOptions, log),
     .value = "FILE",
     .help = "what happens, one JSON object a line; -: to stderr"},
    {0},
};

static const OptTable serve_table = {
    .name = "goren serve",
    .about = "The board in a browser: play, analyse, review, library, problems, arena, learning.\n"
             "Listens on this machine alone unless --host says otherwise. Ctrl-C ends it; games\n"
             "go on where they were when it is started again. Where the board of these games is "
             "open already,\n--open shows its page.",
    .example = "goren serve --open",
    .opts = serve_opts,
};

/* Set by the first Ctrl-C or SIGTERM. */
static atomic_bool interrupted;

/* $XDG_DATA_HOME/goren/games.db, with the folders above it. */
static bool standard_store(Buf *path, Err *err)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/') {
        buf_printf(path, "%s/goren/games.db", data);
    } else if (home && *home) {
        buf_printf(path, "%s/.local/share/goren/games.db", home);
    } else {
        return err_set(err, "there is no home folder to keep games in; name a file with --store");
    }
    return os_make_folders(path->data, err);
}

/* In a session of its own, so that it outlives us. */
static bool start_browser(const char *address)
{
    enum { PATIENCE_MS = 1000 };
    Buf command = BUF_EMPTY;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return false;
    buf_printf(&command, "setsid -f xdg-open '%s'", address);
    Child *child = child_start(&(ChildPlan){.command = buf_text(&command)}, NULL);
    buf_free(&command);
    return child && child_close(child, os_clock_ms() + PATIENCE_MS) == 0;
}

static void show_page(const char *address)
{
    if (!start_browser(address)) printf("Please open this address in a browser.\n");
    fflush(stdout);
}

static void on_ready(void *ctx, const char *address)
{
    const ServeOptions *options = ctx;
    printf("The board is at %s\nCtrl-C ends it.\n", address);
    fflush(stdout);
    if (options->open) show_page(address);
}

/* Is the board of this store open already? Then its page is what --open asks for. */
static bool open_again(const char *store)
{
    Buf address = BUF_EMPTY;
    bool open = os_file_is_locked(store, &address) && address.len > 0;
    if (open) {
        printf("The board is open already at %s\n", buf_text(&address));
        fflush(stdout);
        show_page(buf_text(&address));
    }
    buf_free(&address);
    return open;
}

static bool open_log(const ServeOptions *options, FILE **log, Err *err)
{
    if (!options->log) return true;
    *log = strcmp(options->log, "-") == 0 ? stderr : fopen(options->log, "a");
    return *log || err_set(err, "%s: cannot write it", options->log);
}

/* The library that reads it does not say which file it could not. */
static bool can_read(const char *path, Err *err)
{
    enum { BYTES_MAX = 1 << 20 };
    Buf bytes = BUF_EMPTY;
    bool good = os_file_read(path, BYTES_MAX, &bytes, err);
    buf_free(&bytes);
    return good;
}

static bool run(const ServeOptions *options, Err *err)
{
    Buf store = BUF_EMPTY;
    FILE *log = NULL;
    int cores = os_core_count();
    if (options->store) buf_add_text(&store, options->store);
    bool good = (options->store || standard_store(&store, err)) && open_log(options, &log, err);
    if (!options->cert != !options->key) good = err_set(err, "--cert and --key go together");
    if (options->cert && options->key)
        good = good && can_read(options->cert, err) && can_read(options->key, err);
    if (good && !page_files[0].path)
        fprintf(stderr, "goren serve: this program was built without its page; install node and "
                        "npm (scripts/setup does) and build it again\n");
    if (good && !(options->open && open_again(buf_text(&store)))) {
        ServePlan plan = {
            .hub = {.store = buf_text(&store),
                    .problems = options->problems,
                    .slots = options->slots ? options->slots : cores,
                    .threads = options->threads ? options->threads : cores,
                    .memory = options->memory,
                    .trusted = options->trust,
                    .think_ms = (int64_t)(1000 * options->think_s),
                    .analysis_ms = (int64_t)(1000 * options->analysis_s),
                    .idle_ms = (int64_t)(1000 * options->idle_s),
                    .games = options->games,
                    .runs = options->runs,
                    .rate = options->rate,
                    .log = log},
            .host = options->host,
            .port = options->port,
            .clients = options->clients,
            .cert = options->cert,
            .key = options->key,
        };
        good = serve_run(&plan, on_ready, (void *)options, &interrupted, err);
        if (!good && options->open && options->port) {
            /* Somebody has that port, perhaps a board of yesterday; any other will do. */
            plan.port = 0;
            good = serve_run(&plan, on_ready, (void *)options, &interrupted, err);
        }
    }
    if (log && log != stderr) fclose(log);
    buf_free(&store);
    return good;
}

int cmd_serve(int argc, char **argv)
{
    ServeOptions options = {0};
    Err err;
    int code = 0;
    if (!cli_parse(&serve_table, &argc, argv, &options, &code)) return code;
    os_catch_interrupt(&interrupted);
    return run(&options, &err) ? 0 : cli_fail(&serve_table, &err);
}
