/* SPDX-License-Identifier: MIT */
/* goren tune: turns the numbers of the search by matches against itself. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/os.h"
#include "learn/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    CliSelfplay common;
    const char *out, *only, *eval;
    TunePlan plan;
    bool list;
} TuneOptions;

static const Opt tune_opts[] = {
    CLI_SELFPLAY_OPTS(TuneOptions, common),
    {.name = "only",
     .type = OPT_TEXT,
     .offset = offsetof(TuneOptions, only),
     .standard = "",
     .value = "NAME,…",
     .help = "turn these parameters alone; others that the file of --out holds stay as they are"},
    {.name = "pairs",
     .type = OPT_INT,
     .offset = offsetof(TuneOptions, plan.pairs),
     .min = 1,
     .max = 1e8,
     .standard = "5000",
     .help = "pairs of games to play"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(TuneOptions, plan.nodes),
     .min = 100,
     .max = 1e9,
     .standard = "10k",
     .help = "positions looked at per move"},
    {.name = "rate",
     .type = OPT_FLOAT,
     .offset = offsetof(TuneOptions, plan.rate),
     .min = 0.0001,
     .max = 10,
     .standard = "0.05",
     .help = "how many steps a won pair moves a parameter"},
    {.name = "eval",
     .type = OPT_TEXT,
     .offset = offsetof(TuneOptions, eval),
     .standard = "net",
     .value = "NAME",
     .help = "the evaluation whose numbers are turned: shape or net"},
    {.name = "net",
     .type = OPT_TEXT,
     .offset = offsetof(TuneOptions, plan.net),
     .value = "FILE",
     .help = NET_HELP},
    {.name = "out",
     .type = OPT_TEXT,
     .offset = offsetof(TuneOptions, out),
     .value = "FILE",
     .help = "where the state is kept; the same command goes on from it"},
    {.name = "list",
     .type = OPT_BOOL,
     .offset = offsetof(TuneOptions, list),
     .help = "only list the parameters with their values and ranges"},
    {0},
};

static const OptTable tune_table = {
    .name = "goren tune",
    .about = "Turns the numbers of the search by matches against itself (SPSA). Try the result "
             "with ab:params=\"NAME=N …\".",
    .example = "goren tune --only reverse,late,reduce --pairs 4000 --threads 2 --out tune.txt",
    .opts = tune_opts,
};

static int list_params(void)
{
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParam *p = &search_params[i];
        printf("%-20s shape %5d  net %5d  (%d … %d, step %d)  %s\n", p->name,
               search_params_get(search_params_for(&eval_shape), i),
               search_params_get(search_params_for(&eval_net), i), p->least, p->most, p->step,
               p->help);
    }
    return 0;
}

static bool choose(const char *only, TunePlan *plan, Err *err)
{
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) plan->chosen[i] = !*only;
    for (const char *at = only; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t len = strcspn(at, ",");
        bool found = false;
        for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
            const char *name = search_params[i].name;
            if (strlen(name) != len || memcmp(name, at, len) != 0) continue;
            found = plan->chosen[i] = true;
        }
        if (!found)
            return err_set(err, "there is no search parameter \"%.*s\"; --list names them",
                           (int)len, at);
    }
    return true;
}

/* It has numbers of its own to be turned, so `best`, which is one or the other, will not do. */
static const EvalKind *evaluation(const char *name, Err *err)
{
    const EvalKind *eval = eval_find(name, err);
    if (eval != &eval_best) return eval;
    err_set(err, "--eval best may be either: say shape or net");
    return NULL;
}

typedef struct {
    const TunePlan *plan;
    const char *out;
    bool terminal;
    Err err;
    bool failed;
} Show;

static void save(Show *show, const TuneState *state)
{
    Buf text = BUF_EMPTY;
    tune_write(state, show->plan, &text);
    if (show->out && !show->failed)
        show->failed = !os_file_replace(show->out, text.data, text.len, &show->err);
    buf_free(&text);
}

static void on_pair(void *ctx, const TuneState *state)
{
    Show *show = ctx;
    if (state->pairs % 20 == 0) save(show, state);
    if (show->terminal)
        fprintf(stderr, "%d of %d pairs  \r", state->pairs, show->plan->pairs);
    else if (state->pairs % 500 == 0)
        fprintf(stderr, "%d of %d pairs\n", state->pairs, show->plan->pairs);
}

static void print_result(const TuneState *state)
{
    const char *between = "";
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        if (!state->kept[i]) continue;
        printf("%s%s=%d", between, search_params[i].name, (int)lround(state->value[i]));
        between = " ";
    }
    printf("\n");
}

/* With the file, if there is one, to itself. */
static int tune(const TuneOptions *options)
{
    static atomic_bool interrupted;
    const TunePlan *plan = &options->plan;
    TuneState state;
    Err err;
    tune_begin(&state, plan);
    Buf text = BUF_EMPTY;
    bool good = true;
    if (options->out && os_file_exists(options->out))
        good = os_file_read(options->out, 1 << 20, &text, &err) &&
               (tune_read(&state, plan, buf_text(&text), &err) ||
                err_prefix(&err, "%s", options->out));
    buf_free(&text);
    if (!good) return cli_fail(&tune_table, &err);
    if (state.pairs >= plan->pairs)
        fprintf(stderr, "%s: %s: %d pairs were played already: nothing to do\n", tune_table.name,
                options->out, state.pairs);
    os_catch_interrupt(&interrupted);
    Show show = {plan, options->out, os_is_terminal(stderr), {{0}}, false};
    good = tune_run(plan, &state, &interrupted, on_pair, &show, &err);
    if (!good) return cli_fail(&tune_table, &err);
    save(&show, &state);
    print_result(&state);
    if (show.failed) return cli_fail(&tune_table, &show.err);
    if (state.pairs >= plan->pairs) return 0;
    return cli_interrupted(&tune_table, state.pairs, plan->pairs, "pairs", options->out);
}

int cmd_tune(int argc, char **argv)
{
    TuneOptions options = {0};
    Err err;
    int code;
    if (!cli_parse(&tune_table, &argc, argv, &options, &code)) return code;
    if (options.list) return list_params();
    TunePlan *plan = &options.plan;
    if (!cli_net_fits(options.eval, plan->net, &err) ||
        !rule_parse(options.common.rule, &plan->rule, &err) ||
        !cli_sizes(options.common.sizes, plan->size, TUNE_SIZES_MAX, &plan->size_count, &err) ||
        !choose(options.only, &options.plan, &err) ||
        !(plan->eval = evaluation(options.eval, &err)) ||
        !cli_files_apart(
            (CliFile[]){{"--out", options.out, true}, {"--net", plan->net, false}, {0}}, &err) ||
        (options.out && !os_file_may_write(options.out, &err)))
        return cli_fail(&tune_table, &err);
    FileLock *lock = options.out ? os_file_lock(options.out, &err) : NULL;
    if (options.out && !lock) return cli_fail(&tune_table, &err);
    plan->threads = options.common.threads;
    plan->seed = (uint64_t)options.common.seed;
    code = tune(&options);
    os_file_unlock(lock);
    return code;
}
