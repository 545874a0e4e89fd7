/* SPDX-License-Identifier: MIT */
/* goren learn: trains what can be trained. Today: shape, the weights of the hand-made evaluation.
 */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "learn/shape_fit.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    CliRules rules;
    FitPlan plan;
    int64_t seed;
    const char *out;
    bool json;
} LearnOptions;

static const Opt learn_opts[] = {
    CLI_RULES_OPTS(LearnOptions, rules),
    {.name = "games",
     .type = OPT_INT,
     .offset = offsetof(LearnOptions, plan.games),
     .min = 16,
     .max = 1e7,
     .standard = "1000",
     .help = "games to play and learn from"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(LearnOptions, plan.nodes),
     .min = 10,
     .max = 1e9,
     .standard = "3000",
     .help = "positions looked at per move of these games"},
    {.name = "threads",
     .type = OPT_INT,
     .offset = offsetof(LearnOptions, plan.threads),
     .min = 1,
     .max = 64,
     .standard = "1",
     .help = "games played at the same time"},
    {.name = "epochs",
     .type = OPT_INT,
     .offset = offsetof(LearnOptions, plan.epochs),
     .min = 1,
     .max = 1000,
     .standard = "20",
     .help = "how often all positions are gone through"},
    {.name = "outcome",
     .type = OPT_FLOAT,
     .offset = offsetof(LearnOptions, plan.outcome),
     .min = 0,
     .max = 1,
     .standard = "0.5",
     .help = "share of the outcome in what is learnt; the rest is the search's own judgement"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(LearnOptions, seed),
     .standard = "1",
     .help = "the same seed learns the same"},
    {.name = "out",
     .type = OPT_TEXT,
     .offset = offsetof(LearnOptions, out),
     .value = "FILE",
     .help = "where the weights go (src/eval/weights/RULE.inc builds them in)"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(LearnOptions, json),
     .help = "progress as one JSON object per line"},
    {0},
};

static const OptTable learn_table = {
    .name = "goren learn",
    .args = "shape",
    .args_min = 1,
    .args_max = 1,
    .about = "Plays games with the engine and fits the weights of its evaluation to them.",
    .example =
        "goren learn shape --rule freestyle --games 2000 --out src/eval/weights/freestyle.inc",
    .opts = learn_opts,
};

typedef struct {
    bool json, terminal;
    int games;
} Show;

static void on_progress(void *ctx, const FitProgress *p)
{
    Show *show = ctx;
    if (show->json) {
        cli_json(json_pack("{s:i, s:i, s:f, s:f, s:f}", "games", p->games_done, "epoch", p->epoch,
                           "loss", p->value_loss, "policy_loss", p->policy_loss, "policy_hit",
                           p->policy_hit));
    } else if (p->epoch) {
        printf("epoch %3d  value loss %.4f  policy loss %.4f  first choice %.1f %%\n", p->epoch,
               p->value_loss, p->policy_loss, 100 * p->policy_hit);
    } else if (show->terminal || p->games_done % 100 == 0) {
        fprintf(stderr, "%d of %d games%s", p->games_done, show->games,
                show->terminal ? "\r" : "\n");
    }
}

int cmd_learn(int argc, char **argv)
{
    LearnOptions options = {0};
    Rules rules;
    Err err;
    int code;
    if (!cli_parse(&learn_table, &argc, argv, &options, &code)) return code;
    if (strcmp(argv[0], "shape") != 0) {
        err_set(&err, "cannot learn \"%s\"; it can learn: shape", argv[0]);
        return cli_fail(&learn_table, &err);
    }
    if (!cli_rules(&options.rules, &rules, &err)) return cli_fail(&learn_table, &err);
    options.plan.seed = (uint64_t)options.seed;
    Show show = {options.json, os_is_terminal(stderr), options.plan.games};
    ShapeWeights *weights = mem_zero(sizeof *weights);
    Buf text = BUF_EMPTY;
    bool good = shape_fit(&rules, &options.plan, on_progress, &show, weights, &err);
    if (good && options.out) {
        shape_weights_write(weights, &text);
        good = os_file_replace(options.out, text.data, text.len, &err);
    }
    buf_free(&text);
    mem_free(weights);
    return good ? 0 : cli_fail(&learn_table, &err);
}
