/* SPDX-License-Identifier: MIT */
/* Learners that pages start: learn/training.h on a thread of its own. What is learnt is kept beside
 * the games; a player made of it can be met on the board at once. */
#include "app/hub_runs.h"

#include "app/cli.h"
#include "app/hub_look.h"
#include "base/mem.h"
#include "learn/training.h"

#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 100000000, CURVE_GAMES = 20 };

typedef struct {
    const LearnerKind *kind;
    LearnerPlan plan;
    TrainingPlan training;
    void *options; /* the kind's own struct; owned */
    Arena texts;   /* of options, and paths */
    Curve curve;
    Run *run;
} LearnPlan;

void learn_path(const Run *run, const char *ending, Buf *path)
{
    Buf name = BUF_EMPTY;
    buf_printf(&name, "learnt-%s%s", run->id, ending);
    runs_path(run->hub, buf_text(&name), path);
    buf_free(&name);
}

static void learn_unprepare(Run *run)
{
    LearnPlan *learn = run->plan;
    if (!learn) return;
    curve_free(&learn->curve);
    arena_close(&learn->texts);
    mem_free(learn->options);
    mem_free(learn);
    run->plan = NULL;
}

/* What every learner can be told. */
typedef struct {
    const char *rule;
    OptSize size;
    int win;
    int64_t games, every, seed;
} Common;

static const Opt common_opts[] = {
    {.name = "games",
     .type = OPT_COUNT,
     .offset = offsetof(Common, games),
     .min = 1,
     .max = GAMES_MAX,
     .standard = "2k",
     .help = "to learn from in all"},
    {.name = "every",
     .type = OPT_COUNT,
     .offset = offsetof(Common, every),
     .min = 0,
     .max = GAMES_MAX,
     .standard = "0",
     .help = "games between two places of the curve; 0: a twentieth of all"},
    CLI_RULE_OPT(Common, rule),
    {.name = "size",
     .type = OPT_SIZE,
     .offset = offsetof(Common, size),
     .min = 1,
     .max = 25,
     .standard = "15",
     .help = "the board"},
    {.name = "win",
     .type = OPT_INT,
     .offset = offsetof(Common, win),
     .min = WIN_MIN,
     .max = WIN_MAX,
     .standard = "5",
     .help = "stones in a row that win"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(Common, seed),
     .standard = "1",
     .help = "the same seed learns the same"},
    {0},
};
static const OptTable common_table = {.name = "learn", .opts = common_opts};

static const Opt *find_option(const Opt *opts, const char *name)
{
    for (const Opt *opt = opts; opt && opt->name; opt++) {
        if (strcmp(opt->name, name) == 0) return opt;
    }
    return NULL;
}

static bool is_for_pages(const Opt *opt)
{
    return opt->help && opt->type != OPT_BYTES && !(opt->value && strcmp(opt->value, "FILE") == 0);
}

json_t *learn_options(const LearnerKind *kind)
{
    json_t *list = json_array();
    for (const Opt *opt = common_opts; opt->name; opt++)
        json_array_append_new(list, json_option(opt));
    for (const Opt *opt = kind->options->opts; opt && opt->name; opt++) {
        if (is_for_pages(opt) && !find_option(common_opts, opt->name))
            json_array_append_new(list, json_option(opt));
    }
    return list;
}

/* A value as opts_parse_keys reads it. */
static bool add_value(Buf *keys, const char *key, const json_t *value, Refusal *no)
{
    buf_printf(keys, "%s%s=", keys->len ? "," : "", key);
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        buf_printf(keys, "\"%s\"", text);
        return !strpbrk(text, "\"\\") || refuse(no, "bad", "\"%s\" holds a quotation mark.", key);
    }
    if (json_is_integer(value)) {
        buf_printf(keys, "%lld", (long long)json_integer_value(value));
    } else if (json_is_boolean(value)) {
        buf_add_text(keys, json_is_true(value) ? "yes" : "no");
    } else {
        buf_printf(keys, "%.17g", json_number_value(value));
    }
    return true;
}

/* An option that names a player: the same that a page may meet on a board, no command and no file.
 */
static bool check_partner(Hub *hub, const Opt *opt, const json_t *value, Refusal *no)
{
    Buf spec = BUF_EMPTY;
    const char *player = json_string_value(value);
    if (!opt->value || strcmp(opt->value, "SPEC") != 0) return true;
    bool good = player ? hub_check_player(hub, player, &spec, no)
                       : refuse(no, "bad", "\"%s\" must be a player.", opt->name);
    buf_free(&spec);
    return good;
}

/* {"alpha": 0.1, "games": "3k"} as two lists of keys, the learner's own and those of all. */
static bool read_options(LearnPlan *learn, json_t *given, Common *common, Refusal *no)
{
    const char *key;
    json_t *value;
    Buf own = BUF_EMPTY, all = BUF_EMPTY;
    bool good = true;
    json_object_foreach(given, key, value)
    {
        bool shared = find_option(common_opts, key) != NULL;
        const Opt *opt = find_option(learn->kind->options->opts, key);
        if (!shared && opt && !is_for_pages(opt))
            good = refuse(no, "denied", "A page may not set this (%s).", key);
        if (good && opt) good = check_partner(learn->run->hub, opt, value, no);
        good = good && add_value(shared ? &all : &own, key, value, no);
        if (!good) break;
    }
    learn->options = mem_zero(learn->kind->options_size + 1);
    if (good && (!opts_parse_keys(&common_table, buf_text(&all), common, &learn->texts, &no->err) ||
                 !opts_parse_keys(learn->kind->options, buf_text(&own), learn->options,
                                  &learn->texts, &no->err)))
        good = refuse_so(no, "bad");
    buf_free(&own);
    buf_free(&all);
    return good;
}

static bool read_rules(const Common *common, Rules *rules, Refusal *no)
{
    RuleKind kind;
    if (!rule_parse(common->rule, &kind, &no->err) ||
        !rules_check(common->size.width, common->size.height, common->win, &no->err))
        return refuse_so(no, "bad");
    rules_init(rules, kind, common->size.width, common->size.height, common->win);
    return true;
}

static const char *keep(LearnPlan *learn, Buf *path)
{
    const char *text = path->len ? arena_text(&learn->texts, path->data, path->len) : NULL;
    buf_free(path);
    return text;
}

static bool learn_prepare(Run *run, Refusal *no)
{
    const json_t *body = run->request;
    const char *name = NULL;
    json_t *options = NULL;
    Common common = {0};
    Buf path = BUF_EMPTY, curve = BUF_EMPTY;
    if (!field_needs_text(body, "kind", 40, &name, no)) return false;
    const LearnerKind *kind = learner_find(name, &no->err);
    if (!kind) return refuse_so(no, "bad");
    LearnPlan *learn = mem_zero(sizeof *learn);
    run->plan = learn;
    learn->kind = kind;
    learn->run = run;
    arena_open(&learn->texts, 1024);
    bool good = field_object(body, "options", &options, no) &&
                read_options(learn, options, &common, no) &&
                read_rules(&common, &learn->plan.rules, no);
    if (!good) {
        learn_unprepare(run);
        return false;
    }
    learn_path(run, "", &path);
    learn_path(run, ".curve", &curve);
    learn->plan.path = keep(learn, &path);
    learn->plan.seed = (uint64_t)common.seed;
    learn->plan.options = learn->options;
    if (!common.every) common.every = common.games > 20 ? common.games / 20 : 1;
    learn->training =
        (TrainingPlan){.games = common.games, .every = common.every, .curve = keep(learn, &curve)};
    learn->curve.games = CURVE_GAMES;
    learn->curve.opponents[learn->curve.opponent_count++] = "random";
    if (player_find("point", NULL)) learn->curve.opponents[learn->curve.opponent_count++] = "point";
    if (!run->news)
        run_say(run,
                json_pack("{s:s, s:i, s:[], s:n}", "kind", kind->options->name, "from", 0, "points",
                          "player"),
                0, common.games);
    return true;
}

/* How to play against what was learnt: the player of the same name (the learner of "patterns" is
 * the player "pattern"), with the file it is kept in. */
static json_t *json_player(const LearnPlan *learn)
{
    char name[SPEC_KIND_MAX];
    snprintf(name, sizeof name, "%s", learn->kind->options->name);
    size_t len = strlen(name);
    if (!player_find(name, NULL) && len && name[len - 1] == 's') name[len - 1] = '\0';
    const PlayerKind *kind = learn->plan.path ? player_find(name, NULL) : NULL;
    for (const Opt *opt = kind ? kind->options->opts : NULL; opt && opt->name; opt++) {
        if (opt->type == OPT_TEXT && opt->value && strcmp(opt->value, "FILE") == 0)
            return json_sprintf("%s:%s=\"%s\"", name, opt->name, learn->plan.path);
    }
    return json_null();
}

static json_t *json_points_of(const Curve *curve)
{
    json_t *points = json_array();
    for (int i = 0; i < curve->count; i++) {
        const CurvePlace *place = &curve->places[i];
        json_t *score = json_object();
        for (int k = 0; k < curve->opponent_count; k++)
            json_object_set_new(score, curve->opponents[k], json_real(place->score[k]));
        /* Before the first game there is no error to speak of. */
        json_t *loss = place->games ? json_real(place->loss) : json_null();
        json_array_append_new(points,
                              json_pack("{s:I, s:o, s:o}", "games", (json_int_t)place->games,
                                        "loss", loss, "score", score));
    }
    return points;
}

typedef struct {
    LearnPlan *learn;
    int64_t said_ms;
} Teller;

static void say(LearnPlan *learn, const TrainingProgress *p)
{
    run_say(learn->run,
            json_pack("{s:s, s:o, s:i, s:o, s:o, s:I, s:I, s:f, s:f}", "kind",
                      learn->kind->options->name, "rules", json_rules(&learn->plan.rules), "from",
                      0, "points", json_points_of(p->curve), "player", json_player(learn), "done",
                      (json_int_t)p->learner->games, "games", (json_int_t)learn->training.games,
                      "loss", p->loss, "per_second",
                      p->seconds > 0 ? (double)(p->learner->games - p->begun) / p->seconds : 0.0),
            p->learner->games, learn->training.games);
}

static void on_progress(void *ctx, const TrainingProgress *progress)
{
    enum { SAY_MS = 250 };
    Teller *teller = ctx;
    int64_t now = os_clock_ms();
    if (!progress->place && now - teller->said_ms < SAY_MS) return;
    teller->said_ms = now;
    say(teller->learn, progress);
}

static bool learn_body(Run *run, Err *err)
{
    LearnPlan *learn = run->plan;
    Teller teller = {.learn = learn};
    Learner *learner = learner_open(learn->kind, &learn->plan, err);
    if (!learner) return false;
    bool good = training_run(&learn->training, learner, &learn->curve, &run->stop, on_progress,
                             &teller, err);
    if (good)
        say(learn,
            &(TrainingProgress){
                .learner = learner, .curve = &learn->curve, .begun = learner->games, .loss = 0});
    learner_close(learner);
    return good;
}

static void learn_forget(Run *run)
{
    static const char *const endings[] = {"", ".bak", ".curve", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        Buf path = BUF_EMPTY;
        learn_path(run, endings[i], &path);
        if (path.len) remove(path.data);
        buf_free(&path);
    }
}

const RunKind learn_kind = {
    .noun = "learn",
    .letter = 'l',
    .prepare = learn_prepare,
    .body = learn_body,
    .unprepare = learn_unprepare,
    .forget = learn_forget,
};
