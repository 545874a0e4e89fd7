/* SPDX-License-Identifier: MIT */
/* goren openings: makes openings that are even, or checks that they are. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "eval/networks.h"
#include "play/opening_maker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    CliRules rules;
    MakerPlan plan;
    const char *stones, *eval;
    OptSize area;
    int64_t seed;
    int form;
    const char *out;
    bool check, json;
} OpeningsOptions;

static const Opt openings_opts[] = {
    CLI_RULES_OPTS(OpeningsOptions, rules),
    {.name = "count",
     .letter = 'n',
     .type = OPT_INT,
     .offset = offsetof(OpeningsOptions, plan.count),
     .min = 1,
     .max = 1e6,
     .standard = "100",
     .help = "openings to make; no two are the same but for a turn or mirror"},
    {.name = "stones",
     .type = OPT_TEXT,
     .offset = offsetof(OpeningsOptions, stones),
     .standard = "4-7",
     .value = "N|N-M",
     .help = "stones of an opening"},
    {.name = "area",
     .type = OPT_SIZE,
     .offset = offsetof(OpeningsOptions, area),
     .min = 1,
     .max = SIZE_MAX_SIDE,
     .value = "N|WxH",
     .help = "the middle of the board, where the stones are (9, or less on a small board)"},
    {.name = "window",
     .type = OPT_FLOAT,
     .offset = offsetof(OpeningsOptions, plan.window),
     .min = 0.001,
     .max = 0.5,
     .standard = "0.05",
     .help = "how far from 0.5 the expected score of the side to move may be"},
    {.name = "eval",
     .type = OPT_TEXT,
     .offset = offsetof(OpeningsOptions, eval),
     .standard = "best",
     .value = "NAME",
     .help = EVAL_HELP},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(OpeningsOptions, plan.nodes),
     .min = 0,
     .max = 1e12,
     .standard = "0",
     .help =
         "positions that the search looks at to say so (with a network 200k, with shape 400k; to "
         "--check 2M)"},
    {.name = "tries",
     .type = OPT_COUNT,
     .offset = offsetof(OpeningsOptions, plan.tries),
     .min = 0,
     .max = 1e12,
     .standard = "0",
     .help = "candidates to look at before giving up (1000 for each opening wanted)"},
    {.name = "threads",
     .type = OPT_INT,
     .offset = offsetof(OpeningsOptions, plan.threads),
     .min = 1,
     .max = 64,
     .standard = "1",
     .help = "candidates judged at the same time; the outcome is the same"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(OpeningsOptions, plan.table_bytes),
     .min = 1 << 16,
     .max = 1e12,
     .standard = "16M",
     .help = "table of each thread's search"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(OpeningsOptions, seed),
     .standard = "1",
     .help = "the same seed makes the same openings"},
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(OpeningsOptions, form),
     .choices = "pos|offset",
     .standard = "pos",
     .help = "how they are written: h8i9g7 (rows from the upper edge), or x,y from the centre"},
    {.name = "out",
     .letter = 'o',
     .type = OPT_TEXT,
     .offset = offsetof(OpeningsOptions, out),
     .value = "FILE",
     .help = "where they go (stdout)"},
    {.name = "check",
     .type = OPT_BOOL,
     .offset = offsetof(OpeningsOptions, check),
     .help = "judge the openings of FILE instead; exit 1 if they are off by more than 0.1 in the "
             "mean"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(OpeningsOptions, json),
     .help = "with --check: one JSON object per opening, and one for all"},
    {0},
};

static const OptTable openings_table = {
    .name = "goren openings",
    .args = "[FILE]",
    .args_min = 0,
    .args_max = 1,
    .about =
        "Makes openings for matches: random stones in the middle of the board, kept if a search "
        "finds the position even. With --check it says how even those of FILE are; - is stdin.",
    .example = "goren openings --count 500 --rule standard --threads 2 --out standard15.pos",
    .opts = openings_opts,
};

typedef struct {
    bool terminal, check;
    int wanted;
    int64_t start, shown; /* ms */
} Show;

static void on_progress(void *ctx, const MakerProgress *p)
{
    Show *show = ctx;
    int64_t now = os_clock_ms();
    if (!show->terminal || now - show->shown < 200) return;
    show->shown = now;
    double seconds = (double)(now - show->start) / 1000;
    double done = show->check ? (double)p->tried : p->made, left = show->wanted - done;
    fprintf(stderr, "\r%.0f of %d, %lld tried, %.1f/min", done, show->wanted, (long long)p->tried,
            seconds > 0 ? 60 * done / seconds : 0);
    if (done > 0) fprintf(stderr, ", %.0f s left", left * seconds / done);
    fprintf(stderr, "   ");
}

static void end_progress(const Show *show)
{
    if (show->terminal) fprintf(stderr, "\r%70s\r", "");
}

static bool parse_stones(const char *text, MakerPlan *plan, Err *err)
{
    int end = 0;
    if (sscanf(text, "%d%n", &plan->stones_min, &end) == 1 && !text[end]) {
        plan->stones_max = plan->stones_min;
        return true;
    }
    if (sscanf(text, "%d-%d%n", &plan->stones_min, &plan->stones_max, &end) == 2 && !text[end])
        return true;
    return err_set(err, "stones=%s: a number like 5 or two like 4-7", text);
}

static int64_t nodes_for(const OpeningsOptions *options, const Rules *rules)
{
    if (options->check) return 2000000;
    bool network = options->plan.eval != &eval_shape && networks_find(networks_built_in(), rules);
    return network ? 200000 : 400000;
}

static bool fill_plan(OpeningsOptions *options, const Rules *rules, Err *err)
{
    enum { AREA = 9, MARGIN = 1 };
    MakerPlan *plan = &options->plan;
    int width = rules->width - 2 * MARGIN, height = rules->height - 2 * MARGIN;
    plan->width = options->area.width ? options->area.width : width < AREA ? width : AREA;
    plan->height = options->area.height ? options->area.height : height < AREA ? height : AREA;
    if (plan->width < 1) plan->width = 1;
    if (plan->height < 1) plan->height = 1;
    plan->seed = (uint64_t)options->seed;
    plan->eval = eval_find(options->eval, err);
    if (!plan->nodes) plan->nodes = nodes_for(options, rules);
    if (!plan->tries) plan->tries = 1000 * (int64_t)plan->count;
    return plan->eval && parse_stones(options->stones, plan, err) &&
           (options->check || maker_check(rules, plan, err));
}

/* --- making ---------------------------------------------------------------------------------- */

static bool put(const OpeningsOptions *options, const Openings *openings, Err *err)
{
    Buf text = BUF_EMPTY;
    bool good = true;
    openings_write(openings, (OpeningForm)options->form, &text);
    if (options->out)
        good = os_file_replace(options->out, buf_text(&text), text.len, err);
    else
        fwrite(buf_text(&text), 1, text.len, stdout); /* main sees to errors of stdout */
    buf_free(&text);
    return good;
}

/* Whoever interrupts it, or asks for too many, keeps what was made so far, unless that would take
 * the place of an older file. */
static bool make(const OpeningsOptions *options, const Rules *rules, const atomic_bool *stop,
                 Show *show, Err *err)
{
    Openings openings;
    if (options->out && !os_file_may_write(options->out, err)) return false;
    bool whole = maker_run(rules, &options->plan, stop, on_progress, show, &openings, err);
    end_progress(show);
    bool keep = whole || (openings.count && !(options->out && os_file_exists(options->out)));
    bool good = !keep || put(options, &openings, err);
    openings_free(&openings);
    return whole && good;
}

/* --- checking -------------------------------------------------------------------------------- */

typedef struct {
    double mean;  /* of |value − ½| */
    double black; /* mean expected score of Black */
    int inside, decided;
} Evenness;

static Evenness evenness(const Openings *openings, const double *values, double window)
{
    Evenness e = {0};
    for (int i = 0; i < openings->count; i++) {
        int stones;
        openings_stones(openings, i, &stones);
        double off = fabs(values[i] - 0.5);
        e.mean += off / openings->count;
        e.black += (stones & 1 ? 1 - values[i] : values[i]) / openings->count;
        e.inside += off <= window;
        e.decided += values[i] == 0 || values[i] == 1;
    }
    return e;
}

static void show_values(const Openings *openings, const double *values)
{
    for (int i = 0; i < openings->count; i++) {
        Buf text = BUF_EMPTY;
        int count;
        const Point *stones = openings_stones(openings, i, &count);
        opening_write(&openings->rules, stones, count, OPENING_POS, &text);
        text.data[text.len - 1] = '\0'; /* the end of the line */
        cli_json(json_pack("{s:s, s:f}", "opening", text.data, "value", values[i]));
        buf_free(&text);
    }
}

/* *even: whether they are, in the mean. */
static bool check(const OpeningsOptions *options, const Rules *rules, const char *path,
                  const atomic_bool *stop, Show *show, bool *even, Err *err)
{
    Openings openings;
    if (!cli_openings(path, rules, &openings, err)) return false;
    double *values = mem_zero((size_t)openings.count * sizeof *values);
    show->wanted = openings.count;
    bool good = maker_judge(&openings, &options->plan, stop, on_progress, show, values, err);
    end_progress(show);
    if (good) {
        Evenness e = evenness(&openings, values, options->plan.window);
        *even = e.mean < 0.1;
        if (options->json) {
            show_values(&openings, values);
            cli_json(json_pack("{s:i, s:f, s:f, s:i, s:i}", "openings", openings.count, "mean_off",
                               e.mean, "black", e.black, "inside", e.inside, "decided", e.decided));
        } else {
            printf("%d openings: off by %.3f in the mean, %d within %.3f of 0.5, %d decided; Black "
                   "expects %.3f\n",
                   openings.count, e.mean, e.inside, options->plan.window, e.decided, e.black);
        }
    }
    mem_free(values);
    openings_free(&openings);
    return good;
}

int cmd_openings(int argc, char **argv)
{
    static atomic_bool interrupted; /* lives as long as the process */
    OpeningsOptions options = {0};
    Rules rules;
    Err err;
    int code;
    bool even = true;
    if (!cli_parse(&openings_table, &argc, argv, &options, &code)) return code;
    bool good = cli_rules(&options.rules, &rules, &err) && fill_plan(&options, &rules, &err);
    if (good && options.check != (argc == 1))
        good = err_set(&err, options.check ? "--check needs the FILE to check"
                                           : "FILE is for --check; openings go to --out");
    if (good && options.json && !options.check)
        good = err_set(&err, "--json is for --check; --form says how openings are written");
    if (good && options.out && options.check)
        good = err_set(&err, "--out is for openings that are made; --check writes to stdout");
    if (good) {
        Show show = {os_is_terminal(stderr), options.check, options.plan.count, os_clock_ms(), 0};
        os_catch_interrupt(&interrupted);
        good = options.check ? check(&options, &rules, argv[0], &interrupted, &show, &even, &err)
                             : make(&options, &rules, &interrupted, &show, &err);
    }
    return !good ? cli_fail(&openings_table, &err) : even ? 0 : 1;
}
