/* SPDX-License-Identifier: MIT */
/* goren learn KIND: trains a learner, or fits the hand-made evaluation. */
#include "app/cli.h"
#include "app/commands.h"
#include "app/learn_shape.h"
#include "base/mem.h"
#include "base/os.h"
#include "learn/training.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    CliRules rules;
    const char *path, *against, *svg;
    int64_t games, seed, every;
    int curve_games;
    double seconds;
    bool json;
} LearnOptions;

static const Opt common_opts[] = {
    CLI_RULES_OPTS(LearnOptions, rules),
    {.name = "out",
     .type = OPT_TEXT,
     .offset = offsetof(LearnOptions, path),
     .value = "FILE",
     .help = "where all that is learnt is kept; the same command goes on from it"},
    {.name = "params", .type = OPT_TEXT, .offset = offsetof(LearnOptions, path)},
    {.name = "games",
     .type = OPT_COUNT,
     .offset = offsetof(LearnOptions, games),
     .min = 0,
     .max = 1e12,
     .standard = "10k",
     .help = "games in all, those of earlier runs too; 0: until stopped"},
    {.name = "time",
     .letter = 't',
     .type = OPT_FLOAT,
     .offset = offsetof(LearnOptions, seconds),
     .min = 0,
     .max = 1e9,
     .standard = "0",
     .value = "S",
     .help = "stop after so many seconds; 0: never"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(LearnOptions, seed),
     .standard = "1",
     .help = "the same seed learns the same"},
    {.name = "against",
     .type = OPT_TEXT,
     .offset = offsetof(LearnOptions, against),
     .value = "\"SPEC SPEC …\"",
     .help = "opponents of the learning curve; otherwise random and, where it is there, point"},
    {.name = "every",
     .type = OPT_COUNT,
     .offset = offsetof(LearnOptions, every),
     .min = 0,
     .max = 1e12,
     .standard = "1k",
     .help = "games between two places of the curve, and one at the end; 0: no curve"},
    {.name = "curve-games",
     .type = OPT_INT,
     .offset = offsetof(LearnOptions, curve_games),
     .min = 2,
     .max = 1e6,
     .standard = "40",
     .help = "games against each opponent for one place"},
    {.name = "svg",
     .type = OPT_TEXT,
     .offset = offsetof(LearnOptions, svg),
     .value = "FILE",
     .help = "draw the curve there; its numbers are kept in OUT.curve"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(LearnOptions, json),
     .help = "each place of the curve as one JSON object per line"},
    {0},
};

/* ---- which one ---- */

static const OptTable learn_table = {
    .name = "goren learn",
    .args = "KIND …",
    .about = "Trains a learner by games with itself, or (shape) fits the evaluation to games.",
    .example = "goren learn td --games 5000 --svg td.svg",
};

static void print_kinds(void)
{
    Buf help = BUF_EMPTY;
    opts_help(&learn_table, &help);
    fputs(buf_text(&help), stdout);
    printf("\nkinds (goren learn KIND --help says more):\n");
    for (const LearnerKind *const *kind = learner_kinds; *kind; kind++)
        printf("  %-10s %s\n", (*kind)->options->name, (*kind)->options->about);
    printf("  %-10s %s\n", "shape", "The weights of the engine's hand-made evaluation.");
    buf_free(&help);
}

enum { ROWS_MAX = 48 };

/* The kind's own options behind the common ones, as one table for one struct. */
typedef struct {
    OptTable table;
    Opt rows[ROWS_MAX + 1];
    Buf name;
    LearnOptions *options; /* owned; the kind's own struct follows … */
    size_t own;            /* … so many bytes further on */
} Joined;

static void joined_open(Joined *joined, const LearnerKind *kind)
{
    int n = 0;
    *joined = (Joined){.own = (sizeof(LearnOptions) + 63) / 64 * 64};
    for (const Opt *row = common_opts; row->name; row++) {
        joined->rows[n] = *row;
        if (strcmp(row->name, "out") == 0) joined->rows[n].standard = kind->file;
        n++;
    }
    for (const Opt *row = kind->options->opts; row && row->name && n < ROWS_MAX; row++) {
        joined->rows[n] = *row;
        joined->rows[n++].offset += joined->own;
    }
    buf_printf(&joined->name, "goren learn %s", kind->options->name);
    joined->table = (OptTable){.name = joined->name.data,
                               .about = kind->options->about,
                               .example = kind->options->example,
                               .opts = joined->rows};
    joined->options = mem_zero(joined->own + kind->options_size);
}

static void joined_close(Joined *joined)
{
    mem_free(joined->options);
    buf_free(&joined->name);
}

/* ---- progress ---- */

typedef struct {
    const LearnOptions *options;
    bool terminal;
    int64_t shown_ms;
} Show;

static void show_place(const Show *show, const TrainingProgress *p)
{
    const Curve *curve = p->curve;
    const CurvePlace *place = &curve->places[curve->count - 1];
    if (show->options->json) {
        json_t *score = json_object();
        for (int i = 0; i < curve->opponent_count; i++)
            json_object_set_new(score, curve->opponents[i], json_real(place->score[i]));
        cli_json(json_pack("{s:I, s:f, s:o}", "games", (json_int_t)place->games, "loss",
                           place->loss, "score", score));
        return;
    }
    if (show->terminal) fprintf(stderr, "\r\033[K");
    printf("%8lld games  loss %.5f ", (long long)place->games, place->loss);
    for (int i = 0; i < curve->opponent_count; i++)
        printf("  %s %.1f %%", curve->opponents[i], 100 * place->score[i]);
    printf("\n");
    fflush(stdout);
}

static void show_rate(Show *show, const TrainingProgress *p)
{
    int64_t now = os_clock_ms(), games = p->learner->games;
    if (!show->terminal || now - show->shown_ms < 200) return;
    show->shown_ms = now;
    double rate = p->seconds > 0 ? (double)(games - p->begun) / p->seconds : 0;
    fprintf(stderr, "\r\033[K%lld games  %.0f/s  loss %.5f", (long long)games, rate, p->loss);
    if (show->options->games && rate > 0) {
        int left = (int)((double)(show->options->games - games) / rate);
        fprintf(stderr, "  %d:%02d left", left / 60, left % 60);
    }
}

static void on_progress(void *ctx, const TrainingProgress *progress)
{
    if (progress->place)
        show_place(ctx, progress);
    else
        show_rate(ctx, progress);
}

/* ---- running it ---- */

/* Cuts --against at its blanks; `text` is changed and must stay. */
static bool choose_opponents(Curve *curve, char *text, Err *err)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        if (curve->opponent_count == CURVE_OPPONENTS_MAX)
            return err_set(err, "--against: at most %d opponents", CURVE_OPPONENTS_MAX);
        Player *player = player_open(word, err);
        if (!player) return err_prefix(err, "--against");
        player_close(player);
        curve->opponents[curve->opponent_count++] = word;
    }
    return true;
}

static bool has_player(const char *name)
{
    for (const PlayerKind *const *kind = player_kinds; *kind; kind++)
        if (strcmp((*kind)->options->name, name) == 0) return true;
    return false;
}

/* *code: how the command ends, if all goes well. */
static bool train(const Joined *joined, const LearnerKind *kind, const LearnerPlan *plan, int *code,
                  Err *err)
{
    const LearnOptions *options = joined->options;
    static atomic_bool interrupted;
    const char *usual = has_player("point") ? "random point" : "random";
    Curve curve = {.games = options->curve_games};
    char *against = mem_text(options->against ? options->against : usual);
    Buf curve_path = BUF_EMPTY;
    buf_printf(&curve_path, "%s.curve", plan->path);
    TrainingPlan training = {.games = options->games,
                             .seconds = options->seconds,
                             .every = options->every,
                             .curve = curve_path.data,
                             .svg = options->svg};
    Show show = {.options = options, .terminal = os_is_terminal(stderr)};
    const CliFile all[] = {{"--svg", options->svg, true}, {"--out", plan->path, false}, {0}};
    bool good = cli_files_apart(all, err) && choose_opponents(&curve, against, err) &&
                (!options->svg || os_file_may_write(options->svg, err));
    Learner *learner = good ? learner_open(kind, plan, err) : NULL;
    if (learner) {
        bool full = options->games && learner->games >= options->games;
        os_catch_interrupt(&interrupted);
        good = training_run(&training, learner, &curve, &interrupted, on_progress, &show, err);
        if (show.terminal) fprintf(stderr, "\r\033[K");
        if (good && full)
            fprintf(stderr, "%s: %s: has had %lld games already: nothing to learn\n",
                    joined->table.name, plan->path, (long long)learner->games);
        else if (good && options->games && atomic_load(&interrupted))
            *code = cli_interrupted(&joined->table, learner->games, options->games, "games", true);
        learner_close(learner);
    }
    curve_free(&curve);
    buf_free(&curve_path);
    mem_free(against);
    return good && learner;
}

static bool check_svg(const LearnOptions *options, Err *err)
{
    return !options->svg || options->every ||
           err_set(err, "--svg draws the curve, and with --every 0 there is none: leave out one of "
                        "them");
}

static int learn_kind(const LearnerKind *kind, int argc, char **argv)
{
    Joined joined;
    LearnerPlan plan;
    Err err;
    int code = 0;
    joined_open(&joined, kind);
    LearnOptions *options = joined.options;
    if (cli_parse(&joined.table, &argc, argv, options, &code)) {
        plan = (LearnerPlan){.path = options->path,
                             .seed = (uint64_t)options->seed,
                             .options = (const char *)options + joined.own};
        bool good = cli_rules(&options->rules, &plan.rules, &err) && check_svg(options, &err) &&
                    train(&joined, kind, &plan, &code, &err);
        if (!good) code = cli_fail(&joined.table, &err);
    }
    joined_close(&joined);
    return code;
}

int cmd_learn(int argc, char **argv)
{
    Err err;
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_kinds();
        return argc > 1 ? 0 : 2;
    }
    if (strcmp(name, "shape") == 0) return learn_shape(argc - 1, argv + 1);
    const LearnerKind *kind = learner_find(name, &err);
    if (kind) return learn_kind(kind, argc - 1, argv + 1);
    Err all;
    err_set(&all, "%s, shape", err.text);
    return cli_fail(&learn_table, &all);
}
