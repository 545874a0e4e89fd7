/* SPDX-License-Identifier: MIT */
#include "app/match_options.h"

#include "base/mem.h"
#include "play/level.h"

#include <stdlib.h>
#include <string.h>

static const Opt match_opts[] = {
    {.name = "games",
     .letter = 'n',
     .type = OPT_INT,
     .offset = offsetof(MatchOptions, games),
     .min = 1,
     .max = 1e7,
     .standard = "100",
     .help = "of each pair of players; with --sprt the most there will be"},
    {.name = "openings",
     .letter = 'o',
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, openings),
     .value = "FILE",
     .help =
         "one a line, rows from the upper edge, each played both ways; - is stdin; without: the "
         "empty board"},
    {.name = "time",
     .letter = 't',
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, time),
     .standard = "0/1",
     .value = "M/T+I",
     .help = "seconds a game, a move, and gained with each move; 0: none"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(MatchOptions, nodes),
     .min = 0,
     .max = 1e15,
     .standard = "0",
     .help = "positions looked at for a move; 0: no limit"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(MatchOptions, depth),
     .min = 0,
     .max = 1000,
     .standard = "0",
     .help = "moves looked ahead; 0: no limit"},
    {.name = "concurrency",
     .letter = 'j',
     .type = OPT_INT,
     .offset = offsetof(MatchOptions, concurrency),
     .min = 1,
     .max = 1024,
     .standard = "1",
     .help = "games at a time"},
    {.name = "gauntlet",
     .type = OPT_BOOL,
     .offset = offsetof(MatchOptions, gauntlet),
     .help = "the first against each other one, not all against all"},
    {.name = "sprt",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, sprt),
     .value = "E0,E1[,A,B]",
     .help =
         "stop as soon as it is clear whether the first is E1 Elo better, or only E0; wrong in A "
         "and B of the cases (0.05); exit 1 unless it is better, also where the games did not "
         "decide"},
    CLI_RULES_OPTS(MatchOptions, rules),
    {.name = "phase",
     .type = OPT_CHOICE,
     .offset = offsetof(MatchOptions, phase),
     .choices = PHASE_CHOICES,
     .standard = "normal",
     .help = "how games begin"},
    {.name = "shuffle",
     .type = OPT_BOOL,
     .offset = offsetof(MatchOptions, shuffle),
     .help = "openings in an order by lot"},
    {.name = "symmetries",
     .type = OPT_BOOL,
     .offset = offsetof(MatchOptions, symmetries),
     .help = "openings turned and mirrored by lot"},
    {.name = "random",
     .type = OPT_INT,
     .offset = offsetof(MatchOptions, random_stones),
     .min = 0,
     .max = 20,
     .standard = "0",
     .help = "stones put by lot near the centre, after the opening"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(MatchOptions, seed),
     .standard = "1",
     .help = "of all that is decided by lot"},
    {.name = "draw-after",
     .type = OPT_INT,
     .offset = offsetof(MatchOptions, draw_after),
     .min = 0,
     .max = SIZE_MAX_SIDE * SIZE_MAX_SIDE,
     .standard = "0",
     .help = "so many stones are a draw; 0: a full board"},
    {.name = "resign",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, resign),
     .value = "P/N",
     .help = "lost if a player sees P % or less N times running, and the other one agrees"},
    {.name = "draw",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, draw),
     .value = "P/N/S",
     .help = "drawn if both see 50 % ± P, N times running, with S stones or more"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(MatchOptions, memory),
     .min = 0,
     .max = 1e13,
     .standard = "0",
     .help = "that an outside brain may use; 0: no limit"},
    {.name = "grace",
     .type = OPT_FLOAT,
     .offset = offsetof(MatchOptions, grace_s),
     .min = 0,
     .max = 1e6,
     .standard = "1",
     .value = "S",
     .help = "seconds over its time that do not lose yet; Gomocup's judge has 1"},
    {.name = "suspend",
     .type = OPT_BOOL,
     .offset = offsetof(MatchOptions, suspend),
     .help = "stop outside brains while it is not their turn, as Gomocup does"},
    {.name = "preset",
     .type = OPT_CHOICE,
     .offset = offsetof(MatchOptions, preset_number),
     .choices = "gomocup-fast|gomocup-30|gomocup-final|documents",
     .help = "options of a known contest; others may follow"},
    {.name = "store",
     .letter = 's',
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, store),
     .value = "FILE",
     .help = "keeps the games; the same command again goes on where it was"},
    {.name = "name",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, name),
     .help = "of the match in the store"},
    {.name = "games-out",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, games_out),
     .value = "FILE",
     .help = "all games, as the end of the name says: .psq .sgf .pos (rows from "
             "below) .rif .tsv"},
    {.name = "pgn",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, pgn),
     .value = "FILE",
     .help = "names and results, for BayesElo"},
    {.name = "html",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, html),
     .value = "FILE",
     .help = "a page with ratings, cross table and the scores over time"},
    {.name = "log",
     .type = OPT_TEXT,
     .offset = offsetof(MatchOptions, log),
     .value = "FILE",
     .help = "every line to and from outside brains; their stderr in FILE.stderr"},
    {.name = "silence",
     .type = OPT_FLOAT,
     .offset = offsetof(MatchOptions, silence_s),
     .min = 1,
     .max = 1e6,
     .standard = "30",
     .value = "S",
     .help = "under mpirun: a rank not heard of for so long is lost"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(MatchOptions, json),
     .help = "games and results as one JSON object per line"},
    {0},
};

const OptTable match_table = {
    .name = "goren match",
    .args = "[NAME=]PLAYER [NAME=]PLAYER…",
    .args_min = 2,
    .args_max = -1,
    .about = "Games between players and outside brains, with what they show. Exit 1 if it was "
             "stopped before its end (stderr says after how many games), or if an --sprt did not "
             "find the first one better.",
    .example = "goren match new=ab old=pipe:cmd=./pbrain-old --openings o.pos --time 60/1 "
               "--sprt 0,10 --store m.db -j 2",
    .opts = match_opts,
};

/* ---- presets ---- */

enum { PRESET_WORDS_MAX = 8 };

static const struct {
    const char *name;
    const char *words[PRESET_WORDS_MAX + 1];
} presets[] = {
    {"gomocup-fast", {"--size=20", "--time=120/5", "--memory=350M", "--grace=1", "--suspend"}},
    {"gomocup-30", {"--size=20", "--time=180/30", "--memory=350M", "--grace=1", "--suspend"}},
    {"gomocup-final", {"--size=20", "--time=1000/300", "--memory=350M", "--grace=1", "--suspend"}},
    {"documents", {"--size=15", "--time=90/15", "--games=6"}},
};

/* The three fixed openings of the preset documents; which ones the document had it does not say. */
static const char documents_openings[] = "h8i9h10\nh8h9j10\nh8g9i10j7h6\n";

static const char *preset_named(int argc, char **argv)
{
    const char *name = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--preset=", 9) == 0) name = argv[i] + 9;
        if (strcmp(argv[i], "--preset") == 0 && i + 1 < argc) name = argv[i + 1];
    }
    return name;
}

bool match_options_read(int *argc, char ***argv, MatchOptions *options, int *code)
{
    const char *preset = preset_named(*argc, *argv);
    char **words = mem_zero((size_t)(*argc + PRESET_WORDS_MAX + 1) * sizeof *words);
    int n = 0;
    words[n++] = (*argv)[0];
    for (size_t i = 0; preset && i < sizeof presets / sizeof *presets; i++) {
        if (strcmp(presets[i].name, preset) != 0) continue;
        for (const char *const *word = presets[i].words; *word; word++) words[n++] = (char *)*word;
    }
    for (int i = 1; i < *argc; i++) words[n++] = (*argv)[i];
    *options = (MatchOptions){0};
    *argc = n;
    *argv = words;
    bool good = cli_parse(&match_table, argc, words, options, code);
    if (good && preset) options->preset = preset;
    return good;
}

/* ---- the plan ---- */

static bool read_double(const char **text, double *value)
{
    char *end;
    *value = strtod(*text, &end);
    if (end == *text || !(*value >= -1e9 && *value <= 1e9)) return false;
    *text = end;
    return true;
}

/* M/T+I, M/T, M+I or M. */
static bool read_time(const char *text, ClockPlan *clock, Err *err)
{
    double match = 0, turn = 0, increment = 0;
    const char *at = text;
    bool good = read_double(&at, &match);
    if (good && *at == '/') good = (at++, read_double(&at, &turn));
    if (good && *at == '+') good = (at++, read_double(&at, &increment));
    if (!good || *at || match < 0 || turn < 0 || increment < 0)
        return err_set(err, "time=%s: write seconds as M/T+I, like 120/5, 0/0.1 or 60+0.5", text);
    if (increment > 0 && match == 0)
        return err_set(err, "time=%s: a gain needs seconds for the game, too", text);
    clock->match_ms = (int64_t)(match * 1000 + 0.5);
    clock->turn_ms = (int64_t)(turn * 1000 + 0.5);
    clock->increment_ms = (int64_t)(increment * 1000 + 0.5);
    return true;
}

static bool read_list(const char *text, char mark, double *values, int least, int most)
{
    int n = 0;
    while (n < most && read_double(&text, &values[n])) {
        n++;
        if (*text != mark) break;
        text++;
    }
    return n >= least && !*text;
}

static bool read_sprt(const char *text, MatchPlan *plan, Err *err)
{
    double v[4] = {0, 0, 0.05, 0.05};
    if (!text) return true;
    plan->has_sprt = true;
    bool good = read_list(text, ',', v, 2, 4) && v[2] > 0 && v[2] < 0.5 && v[3] > 0 && v[3] < 0.5;
    if (!good)
        return err_set(err,
                       "sprt=%s: write E0,E1 or E0,E1,A,B, like 0,10,0.05,0.05, with A and B "
                       "between 0 and 0.5",
                       text);
    plan->sprt = (Sprt){.elo0 = v[0], .elo1 = v[1], .alpha = v[2], .beta = v[3]};
    return true;
}

static bool read_adjudication(const MatchOptions *options, Adjudication *a, Err *err)
{
    double v[3] = {0};
    if (options->resign) {
        bool good = read_list(options->resign, '/', v, 2, 2) && v[0] >= 0 && v[0] < 50 && v[1] >= 1;
        if (!good) return err_set(err, "resign=%s: write P/N, like 3/4", options->resign);
        a->resign_value = v[0] / 100;
        a->resign_moves = (int)v[1];
    }
    if (options->draw) {
        bool good = read_list(options->draw, '/', v, 3, 3) && v[0] >= 0 && v[0] < 50 && v[1] >= 1;
        if (!good) return err_set(err, "draw=%s: write P/N/S, like 2/10/80", options->draw);
        a->draw_within = v[0] / 100;
        a->draw_moves = (int)v[1];
        a->draw_from = (int)v[2];
    }
    return true;
}

/* NAME=SPEC, or a spec that is its own name. A spec has no "=" before its ":". */
static void read_entrant(const char *text, Entrant *entrant, char **owned)
{
    size_t len = strcspn(text, ":=");
    *owned = mem_text(text);
    entrant->name = *owned;
    entrant->spec = text;
    if (text[len] != '=' || len == 0) return;
    (*owned)[len] = '\0';
    entrant->spec = text + len + 1;
}

static bool read_openings(MatchSetup *setup, const MatchOptions *options, Err *err)
{
    const Rules *rules = &setup->plan.game.rules;
    bool documents = options->preset && strcmp(options->preset, "documents") == 0;
    if (options->openings) {
        setup->has_openings = cli_openings(options->openings, rules, &setup->openings, err);
    } else if (documents) {
        setup->has_openings = openings_parse(documents_openings, strlen(documents_openings),
                                             "documents", rules, &setup->openings, err);
    } else {
        return true;
    }
    if (setup->has_openings) setup->plan.openings = &setup->openings;
    return setup->has_openings;
}

/* What a key of a spec says; 0: nothing. */
static double key_number(const char *keys, const char *key)
{
    size_t len = strlen(key);
    for (const char *at = keys; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, key, len) == 0 && at[len] == '=') return strtod(at + len + 1, NULL);
    }
    return 0;
}

/* Without a limit `ab` goes on until it is stopped, which nobody does here; the others have an end
 * of their own unless told to have none, and an outside brain is asked to be quick. */
static bool check_ends(const MatchPlan *plan, Err *err)
{
    const ClockPlan *clock = &plan->game.clock;
    if (clock->match_ms || clock->turn_ms || plan->nodes || plan->depth) return true;
    for (int i = 0; i < plan->player_count; i++) {
        char kind[SPEC_KIND_MAX];
        const char *keys = "";
        if (!spec_split(plan->players[i].spec, kind, &keys, err)) return false;
        if (strcmp(kind, player_ab.options->name) != 0) continue;
        double level = key_number(keys, "level");
        if (key_number(keys, "nodes") > 0 || key_number(keys, "depth") > 0 ||
            key_number(keys, "turn") > 0)
            continue;
        if (level > 0 && level < LEVEL_MAX) continue;
        return err_set(err,
                       "%s: would think without end; give a time, --nodes or --depth, or give it "
                       "turn=, nodes=, depth= or level=",
                       plan->players[i].name);
    }
    return true;
}

static bool check_players(const MatchPlan *plan, Err *err)
{
    for (int i = 0; i < plan->player_count; i++) {
        Player *player = player_open(plan->players[i].spec, err);
        if (!player) return err_prefix(err, "%s", plan->players[i].name);
        player_close(player);
    }
    return true;
}

bool match_setup_open(MatchSetup *setup, const MatchOptions *options, int count, char **specs,
                      Err *err)
{
    *setup = (MatchSetup){
        .entrants = mem_zero((size_t)count * sizeof(Entrant)),
        .texts = mem_zero((size_t)count * sizeof(char *)),
    };
    MatchPlan *plan = &setup->plan;
    *plan = (MatchPlan){
        .players = setup->entrants,
        .player_count = count,
        .gauntlet = options->gauntlet,
        .games = options->games,
        .shuffle = options->shuffle,
        .symmetries = options->symmetries,
        .random_stones = options->random_stones,
        .nodes = options->nodes,
        .depth = options->depth,
        .memory = options->memory,
        .suspend = options->suspend,
        .seed = (uint64_t)options->seed,
        .game = {.phase = (Phase)options->phase, .draw_after = options->draw_after},
    };
    for (int i = 0; i < count; i++) read_entrant(specs[i], &setup->entrants[i], &setup->texts[i]);
    bool good = cli_rules(&options->rules, &plan->game.rules, err) &&
                read_time(options->time, &plan->game.clock, err) &&
                read_sprt(options->sprt, plan, err) &&
                read_adjudication(options, &plan->adjudication, err) &&
                read_openings(setup, options, err) && schedule_check(plan, err) &&
                check_players(plan, err) && check_ends(plan, err);
    plan->game.clock.grace_ms = (int64_t)(options->grace_s * 1000 + 0.5);
    if (!good) match_setup_close(setup);
    return good;
}

void match_setup_close(MatchSetup *setup)
{
    for (int i = 0; i < setup->plan.player_count; i++) mem_free(setup->texts[i]);
    mem_free(setup->texts);
    mem_free(setup->entrants);
    if (setup->has_openings) openings_free(&setup->openings);
    *setup = (MatchSetup){0};
}
