/* SPDX-License-Identifier: MIT */
/* goren selfplay: makes the games that learners learn from. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/os.h"
#include "learn/selfplay_ranks.h"

#include <stdio.h>

typedef struct {
    CliSelfplay common;
    const char *out, *eval, *relabel;
    SelfplayPlan plan;
} SelfplayOptions;

static const Opt selfplay_opts[] = {
    CLI_SELFPLAY_OPTS(SelfplayOptions, common),
    {.name = "games",
     .type = OPT_INT,
     .offset = offsetof(SelfplayOptions, plan.games),
     .min = 1,
     .max = 1e9,
     .standard = "1000",
     .help = "games that the file shall hold in the end"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(SelfplayOptions, plan.nodes),
     .min = 10,
     .max = 1e9,
     .standard = "5000",
     .help = "positions looked at per move"},
    {.name = "eval",
     .type = OPT_TEXT,
     .offset = offsetof(SelfplayOptions, eval),
     .standard = "best",
     .value = "NAME",
     .help = EVAL_HELP},
    {.name = "net",
     .type = OPT_TEXT,
     .offset = offsetof(SelfplayOptions, plan.net),
     .value = "FILE",
     .help = NET_HELP},
    {.name = "relabel",
     .type = OPT_TEXT,
     .offset = offsetof(SelfplayOptions, relabel),
     .value = "FILE,…",
     .help = "play nothing: judge so many positions of these games, and of searches from there; "
             "--sizes does not matter then"},
    {.name = "out",
     .type = OPT_TEXT,
     .offset = offsetof(SelfplayOptions, out),
     .value = "FILE",
     .required = true,
     .help = "where the games go; a file that is there is continued"},
    {0},
};

static const OptTable selfplay_table = {
    .name = "goren selfplay",
    .about = "Plays the engine against itself and keeps the games with what it thought. The same "
             "command again goes on where it was interrupted. Built with MPI=1 and started by "
             "mpirun, all ranks play for the file of the first.",
    .example = "goren selfplay --rule renju --sizes 15 --games 2000 --threads 2 --out renju.games",
    .opts = selfplay_opts,
};

typedef struct {
    bool terminal;
    int games;
    int64_t start_ms;
} Show;

static void on_progress(void *ctx, int games_done, int64_t positions)
{
    const Show *show = ctx;
    double seconds = (double)(os_clock_ms() - show->start_ms) / 1000 + 1e-3;
    if (show->terminal || games_done % 1000 == 0 || games_done == show->games)
        fprintf(stderr, "%d of %d games, %.0f positions/s%s", games_done, show->games,
                (double)positions / seconds, show->terminal ? "  \r" : "\n");
}

/* The process that has the file. */
static bool lead(const SelfplayOptions *options, Ranks *ranks, atomic_bool *stop, bool *lost,
                 int *done, Err *err)
{
    const SelfplayPlan *plan = &options->plan;
    Archive *archive = archive_open(options->out, err);
    if (!archive) return selfplay_ranks_dismiss(ranks), false;
    if (!archive_check_rule(archive, plan->rule, err)) {
        archive_close(archive);
        selfplay_ranks_dismiss(ranks);
        return err_prefix(err, "%s", options->out);
    }
    if (archive_count(archive) >= plan->games)
        fprintf(stderr, "%s: %s: holds %d games already: nothing to do\n", selfplay_table.name,
                options->out, archive_count(archive));
    Show show = {os_is_terminal(stderr), plan->games, os_clock_ms()};
    bool good = ranks_count(ranks) > 1
                    ? selfplay_ranks_lead(plan, archive, ranks, stop, on_progress, &show, lost, err)
                    : selfplay_run(plan, archive, stop, on_progress, &show, err);
    if (show.terminal) fputc('\n', stderr);
    *done = archive_count(archive);
    archive_close(archive);
    return good;
}

int cmd_selfplay(int argc, char **argv)
{
    static atomic_bool interrupted;
    SelfplayOptions options = {0};
    Err err;
    int code;
    if (!cli_parse(&selfplay_table, &argc, argv, &options, &code)) return code;
    SelfplayPlan *plan = &options.plan;
    if (!cli_files_apart((CliFile[]){{"--out", options.out, true},
                                     {"--net", plan->net, false},
                                     {"--relabel", options.relabel, false},
                                     {0}},
                         &err) ||
        !cli_net_fits(options.eval, plan->net, &err) ||
        !rule_parse(options.common.rule, &plan->rule, &err) ||
        !cli_sizes(options.common.sizes, plan->size, SELFPLAY_SIZES_MAX, &plan->size_count, &err))
        return cli_fail(&selfplay_table, &err);
    plan->threads = options.common.threads;
    plan->seed = (uint64_t)options.common.seed;
    options.plan.eval = eval_find(options.eval, &err);
    if (!options.plan.eval) return cli_fail(&selfplay_table, &err);
    Relabel *relabel = NULL;
    if (options.relabel) {
        plan->relabel = relabel = relabel_open(options.relabel, plan->rule, &err);
        if (!relabel) return cli_fail(&selfplay_table, &err);
    }
    Ranks *ranks = ranks_open(&err);
    if (!ranks) return cli_fail(&selfplay_table, &err);
    bool lost = false;
    int done = plan->games;
    os_catch_interrupt(&interrupted);
    bool good = ranks_self(ranks) ? selfplay_ranks_serve(plan, ranks, &lost, &err)
                                  : lead(&options, ranks, &interrupted, &lost, &done, &err);
    code = !good                ? cli_fail(&selfplay_table, &err)
           : done < plan->games ? cli_interrupted(&selfplay_table, done, plan->games, "games", true)
                                : 0;
    ranks_close(ranks, lost);
    relabel_close(relabel);
    return code;
}
