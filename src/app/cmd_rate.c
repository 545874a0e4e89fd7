/* SPDX-License-Identifier: MIT */
/* goren rate: ratings with error bars from results. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "play/rating.h"
#include "play/report.h"
#include "play/results.h"
#include "play/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    RatingPlan plan;
    const char *anchors;
    const char *match;
    const char *pgn, *html;
    bool los, cross, json;
} RateOptions;

static const Opt rate_opts[] = {
    {.name = "offset",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.offset),
     .min = -100000,
     .max = 100000,
     .standard = "1600",
     .value = "ELO",
     .help = "mean of all ratings"},
    {.name = "anchor",
     .type = OPT_TEXT,
     .offset = offsetof(RateOptions, anchors),
     .value = "NAME=ELO,…",
     .help = "players whose ratings are known and stay; the others are rated on their scale"},
    {.name = "match",
     .type = OPT_TEXT,
     .offset = offsetof(RateOptions, match),
     .value = "NAME",
     .help = "of a store only this match (--name of goren match); without it all of them count"},
    {.name = "prior",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.prior),
     .min = 0.001,
     .max = 1000,
     .standard = "2",
     .value = "DRAWS",
     .help = "virtual draws of each player"},
    {.name = "advantage",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.advantage),
     .min = -2000,
     .max = 2000,
     .standard = "0",
     .value = "ELO",
     .help = "what moving first is worth (player1, White in PGN)"},
    {.name = "draw-elo",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.draw_elo),
     .min = 0,
     .max = 2000,
     .standard = "0.01",
     .value = "ELO",
     .help = "how likely draws are: 97.3 would be chess, gomoku has next to none"},
    {.name = "fit-advantage",
     .type = OPT_BOOL,
     .offset = offsetof(RateOptions, plan.fit_advantage),
     .help = "find the likeliest advantage too"},
    {.name = "fit-draw",
     .type = OPT_BOOL,
     .offset = offsetof(RateOptions, plan.fit_draw),
     .help = "find the likeliest draw Elo too"},
    {.name = "confidence",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.confidence),
     .min = 0.01,
     .max = 0.9999,
     .standard = "0.95",
     .value = "P",
     .help = "of the error bars"},
    {.name = "range",
     .type = OPT_FLOAT,
     .offset = offsetof(RateOptions, plan.range),
     .min = 100,
     .max = 100000,
     .standard = "1500",
     .value = "ELO",
     .help = "nobody is thought to be farther from the mean"},
    {.name = "los",
     .type = OPT_BOOL,
     .offset = offsetof(RateOptions, los),
     .help = "also how likely each is better than each other one, in 1/1000"},
    {.name = "cross",
     .type = OPT_BOOL,
     .offset = offsetof(RateOptions, cross),
     .help = "a cross table: also the points of each against each other one (with --json: wins, "
             "draws and losses)"},
    {.name = "html",
     .type = OPT_TEXT,
     .offset = offsetof(RateOptions, html),
     .value = "FILE",
     .help = "write a page with ratings, cross table and plots, which needs no other file"},
    {.name = "pgn",
     .type = OPT_TEXT,
     .offset = offsetof(RateOptions, pgn),
     .value = "FILE",
     .help = "write the results as PGN without moves, for other rating programs"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(RateOptions, json),
     .help = "one JSON object per player, best first, and one with what was fitted"},
    {0},
};

static const OptTable rate_table = {
    .name = "goren rate",
    .args = "FILE…",
    .args_min = 1,
    .args_max = -1,
    .about =
        "Ratings with error bars from results: Bayesian Elo with the settings of Gomocup. A FILE "
        "is a store of goren match, a list with the columns player1 player2 wins draws losses "
        "(tabs between), or PGN, where the moves do not matter; - is stdin. All files count "
        "together.",
    .example = "goren rate league1.tsv league2.pgn --los --anchor YIXIN18=2221",
    .opts = rate_opts,
};

static bool read_stdin(Results *results, Err *err)
{
    enum { LIMIT = 1 << 30 };
    Buf in = BUF_EMPTY;
    bool good = cli_file("-", LIMIT, &in, err) &&
                results_parse(results, buf_text(&in), in.len, "stdin", err);
    buf_free(&in);
    return good;
}

static void on_result(void *ctx, const char *first, const char *second, int half_points)
{
    Results *results = ctx;
    int players[2] = {results_player(results, first, strlen(first)),
                      results_player(results, second, strlen(second))};
    if (players[0] != players[1]) results_add_game(results, players[0], players[1], half_points);
}

static bool read_store(Results *results, const char *path, const char *match, Err *err)
{
    Store *store = store_open_existing(path, err);
    bool good = store && store_results(store, match, on_result, results, err);
    if (store && !good) err_prefix(err, "%s", path);
    store_close(store);
    return good;
}

static bool read_files(const RateOptions *options, int files, char **file, Results *results,
                       Err *err)
{
    int stores = 0;
    bool good = true;
    for (int i = 0; i < files && good; i++) {
        bool in = strcmp(file[i], "-") == 0, store = !in && store_is_one(file[i]);
        good = in      ? read_stdin(results, err)
               : store ? read_store(results, file[i], options->match, err)
                       : results_read(results, file[i], err);
        stores += store;
    }
    if (good && options->match && stores == 0)
        good =
            err_set(err, "--match chooses from a store of goren match, and no FILE is one: leave "
                         "it out");
    return good;
}

/* One NAME=ELO at *text. A name may have commas and equal signs in it, so it ends where it is a
 * player's. */
static bool take_anchor(const Results *results, const char **text, RatingAnchor *anchor, Err *err)
{
    for (const char *sign = strchr(*text, '='); sign; sign = strchr(sign + 1, '=')) {
        char *end, *name = mem_text(*text);
        name[sign - *text] = '\0';
        anchor->player = results_find(results, name);
        mem_free(name);
        if (anchor->player < 0) continue;
        anchor->elo = strtod(sign + 1, &end);
        if (end == sign + 1 || (*end && *end != ',') || !(fabs(anchor->elo) <= 100000))
            return err_set(err, "--anchor: after %s= there must be a rating",
                           results->names[anchor->player]);
        *text = *end ? end + 1 : end;
        return true;
    }
    return err_set(err,
                   "--anchor: '%.40s' does not begin with the name of a player (the form is "
                   "NAME=ELO,NAME=ELO)",
                   *text);
}

/* Into a new array, which is the caller's to free. */
static bool take_anchors(const Results *results, const char *text, RatingPlan *plan, Err *err)
{
    RatingAnchor *anchors = NULL;
    bool good = true;
    int count = 0;
    while (good && text && *text) {
        anchors = mem_grow(anchors, ((size_t)count + 1) * sizeof *anchors);
        good = take_anchor(results, &text, &anchors[count], err);
        for (int i = 0; good && i < count; i++)
            if (anchors[i].player == anchors[count].player)
                good = err_set(err, "--anchor: %s stands twice", results->names[anchors[i].player]);
        count++;
    }
    plan->anchors = anchors;
    plan->anchor_count = good ? count : 0;
    return good;
}

/* Wins, draws and losses of the player at this place against each one met, as the cross table has
 * them. */
static json_t *json_against(const Report *report, int place)
{
    json_t *against = json_object();
    for (int i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        const Tally *t = &pair->tally;
        if (pair->a != place && pair->b != place) continue;
        bool own = pair->a == place;
        json_object_set_new(
            against, report->players[own ? pair->b : pair->a].name,
            json_pack("{s:I, s:I, s:I}", "wins", (json_int_t)(own ? t->wins : t->losses), "draws",
                      (json_int_t)t->draws, "losses", (json_int_t)(own ? t->losses : t->wins)));
    }
    return against;
}

static void show_fitted_json(const RatingPlan *plan, const Rating *rating)
{
    if (!plan->fit_advantage && !plan->fit_draw) return;
    json_t *line = json_object();
    if (plan->fit_advantage) json_object_set_new(line, "advantage", json_real(rating->advantage));
    if (plan->fit_draw) json_object_set_new(line, "draw_elo", json_real(rating->draw_elo));
    cli_json(line);
}

static void show_json(const RateOptions *options, const Report *report, const Results *results,
                      const Rating *rating)
{
    for (int i = 0; i < rating->count; i++) {
        const RatedPlayer *p = &rating->players[i];
        json_t *line = json_pack("{s:s, s:f, s:f, s:f, s:I, s:f, s:f, s:f}", "player",
                                 results->names[p->player], "elo", p->elo, "plus", p->plus, "minus",
                                 p->minus, "games", (json_int_t)p->games, "score", p->score,
                                 "draws", p->draws, "opponents", p->opponents);
        if (rating->los) {
            json_t *los = json_object();
            for (int k = 0; k < rating->count; k++)
                if (k != i)
                    json_object_set_new(los, results->names[rating->players[k].player],
                                        json_real(rating->los[i * rating->count + k]));
            json_object_set_new(line, "los", los);
        }
        if (options->cross) json_object_set_new(line, "against", json_against(report, i));
        cli_json(line);
    }
    show_fitted_json(&options->plan, rating);
}

static int name_width(const Results *results)
{
    int width = 4;
    for (int i = 0; i < results->player_count; i++) {
        int own = text_width(results->names[i]);
        if (own > width) width = own;
    }
    return width;
}

static void add_table(const Results *results, const Rating *rating, Buf *out)
{
    int width = name_width(results);
    buf_printf(out, "Rank %-*s    Elo    +    -  games score  oppo. draws\n", width, "Name");
    for (int i = 0; i < rating->count; i++) {
        const RatedPlayer *p = &rating->players[i];
        buf_printf(out, "%4d ", i + 1);
        buf_add_padded(out, results->names[p->player], width);
        buf_printf(out, " %6.0f %4.0f %4.0f %6lld %4.0f%% %6.0f %4.0f%%\n", p->elo, p->plus,
                   p->minus, (long long)p->games, 100 * p->score, p->opponents, 100 * p->draws);
    }
}

/* A column for each row, by its number, as in the cross table. */
static void add_los(const Results *results, const Rating *rating, Buf *out)
{
    int width = name_width(results);
    buf_printf(out, "\n%*s", width + 5, "");
    for (int i = 0; i < rating->count; i++) buf_printf(out, " %4d", i + 1);
    buf_add_char(out, '\n');
    for (int i = 0; i < rating->count; i++) {
        buf_printf(out, "%4d ", i + 1);
        buf_add_padded(out, results->names[rating->players[i].player], width);
        for (int k = 0; k < rating->count; k++) {
            if (i == k)
                buf_add_text(out, "    .");
            else
                buf_printf(out, " %4d", (int)(1000 * rating->los[i * rating->count + k]));
        }
        buf_add_char(out, '\n');
    }
}

static bool write_files(const RateOptions *options, const Report *report, const Results *results,
                        Err *err)
{
    Buf text = BUF_EMPTY;
    bool good = true;
    if (options->pgn) {
        results_write_pgn(results, &text);
        good = os_file_replace(options->pgn, buf_text(&text), text.len, err);
    }
    buf_clear(&text);
    if (good && options->html) {
        report_html(report, &text);
        good = os_file_replace(options->html, buf_text(&text), text.len, err);
    }
    buf_free(&text);
    return good;
}

static void show(const RateOptions *options, const Report *report, const Results *results,
                 const Rating *rating)
{
    Buf text = BUF_EMPTY;
    if (options->json) {
        show_json(options, report, results, rating);
        return;
    }
    if (options->cross)
        report_text(report, &text);
    else
        add_table(results, rating, &text);
    if (options->plan.fit_advantage) buf_printf(&text, "advantage %.1f\n", rating->advantage);
    if (options->plan.fit_draw) buf_printf(&text, "draw Elo %.1f\n", rating->draw_elo);
    if (options->los) add_los(results, rating, &text);
    fputs(buf_text(&text), stdout);
    buf_free(&text);
}

static bool rate(RateOptions *options, int files, char **file, Results *results, Err *err)
{
    Rating rating;
    Report report;
    for (int i = 0; i < files; i++) {
        const CliFile all[] = {{"--html", options->html, true},
                               {"--pgn", options->pgn, true},
                               {"FILE", file[i], false},
                               {0}};
        if (!cli_files_apart(all, err)) return false;
    }
    if (!read_files(options, files, file, results, err) ||
        !take_anchors(results, options->anchors, &options->plan, err) ||
        !rating_run(results, &options->plan, options->los, &rating, err))
        return false;
    report_open(&report, files == 1 ? file[0] : "Ratings", results, &rating);
    bool good = write_files(options, &report, results, err);
    if (good) show(options, &report, results, &rating);
    report_close(&report);
    rating_free(&rating);
    return good;
}

int cmd_rate(int argc, char **argv)
{
    RateOptions options = {0};
    Results results;
    Err err;
    int code;
    if (!cli_parse(&rate_table, &argc, argv, &options, &code)) return code;
    results_open(&results);
    bool good = rate(&options, argc, argv, &results, &err);
    results_close(&results);
    mem_free((void *)(uintptr_t)options.plan.anchors);
    return good ? 0 : cli_fail(&rate_table, &err);
}
