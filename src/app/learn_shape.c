/* SPDX-License-Identifier: MIT */
/* goren learn shape: fits the weights of the hand-made evaluation to games. */
#include "app/learn_shape.h"

#include "app/cli.h"
#include "base/mem.h"
#include "base/os.h"
#include "learn/shape_fit.h"

#include <stdio.h>

typedef struct {
    FitPlan plan;
    int64_t seed;
    const char *out;
    bool json;
} ShapeOptions;

static const Opt learn_opts[] = {
    {.name = "epochs",
     .type = OPT_INT,
     .offset = offsetof(ShapeOptions, plan.epochs),
     .min = 1,
     .max = 1000,
     .standard = "20",
     .help = "how often all positions are gone through"},
    {.name = "outcome",
     .type = OPT_FLOAT,
     .offset = offsetof(ShapeOptions, plan.outcome),
     .min = 0,
     .max = 1,
     .standard = "0.85",
     .help = "share of the outcome in what is learnt; the rest is the search's own judgement"},
    {.name = "decay",
     .type = OPT_FLOAT,
     .offset = offsetof(ShapeOptions, plan.decay),
     .min = 0,
     .max = 1,
     .standard = "1e-6",
     .help = "pull of every weight towards 0"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(ShapeOptions, seed),
     .standard = "1",
     .help = "the same seed learns the same"},
    {.name = "out",
     .type = OPT_TEXT,
     .offset = offsetof(ShapeOptions, out),
     .value = "FILE",
     .help = "where the weights go (src/eval/weights/RULE.inc builds them in)"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(ShapeOptions, json),
     .help = "progress as one JSON object per line"},
    {0},
};

static const OptTable learn_table = {
    .name = "goren learn shape",
    .args = "FILE…",
    .args_min = 1,
    .args_max = -1,
    .about = "Fits the weights of the engine's evaluation to games that goren selfplay made.",
    .example = "goren learn shape freestyle.games --out src/eval/weights/freestyle.inc",
    .opts = learn_opts,
};

static void on_progress(void *ctx, const FitProgress *p)
{
    const ShapeOptions *options = ctx;
    if (options->json)
        cli_json(json_pack("{s:i, s:I, s:i, s:f, s:f, s:f}", "games", p->games, "positions",
                           (json_int_t)p->positions, "epoch", p->epoch, "loss", p->value_loss,
                           "policy_loss", p->policy_loss, "policy_hit", p->policy_hit));
    else
        printf("epoch %3d  value loss %.4f  policy loss %.4f  first choice %.1f %%  (%d games, "
               "%lld positions)\n",
               p->epoch, p->value_loss, p->policy_loss, 100 * p->policy_hit, p->games,
               (long long)p->positions);
    fflush(stdout);
}

int learn_shape(int argc, char **argv)
{
    ShapeOptions options = {0};
    RuleKind rule;
    Err err;
    int code;
    if (!cli_parse(&learn_table, &argc, argv, &options, &code)) return code;
    for (int i = 0; i < argc; i++) {
        const CliFile all[] = {{"--out", options.out, true}, {"FILE", argv[i], false}, {0}};
        if (!cli_files_apart(all, &err)) return cli_fail(&learn_table, &err);
    }
    if (options.out && !os_file_may_write(options.out, &err)) return cli_fail(&learn_table, &err);
    options.plan.seed = (uint64_t)options.seed;
    options.plan.files = (const char *const *)argv;
    options.plan.file_count = argc;
    ShapeWeights *weights = mem_zero(sizeof *weights);
    Buf text = BUF_EMPTY;
    bool good = shape_fit(&options.plan, on_progress, &options, weights, &rule, &err);
    if (good && options.out) {
        shape_weights_write(weights, &text);
        good = os_file_replace(options.out, text.data, text.len, &err);
    }
    buf_free(&text);
    mem_free(weights);
    return good ? 0 : cli_fail(&learn_table, &err);
}
