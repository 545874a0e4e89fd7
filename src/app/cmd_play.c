/* SPDX-License-Identifier: MIT */
/* goren play: a game on the terminal between people and players. */
#include "app/cli.h"
#include "app/commands.h"
#include "app/session.h"

#include <string.h>

typedef struct {
    CliRules rules;
    const char *spec[COLOUR_COUNT];
    const char *mode, *theta, *learner;
    int delay_us;
    double seconds;
} PlayOptions;

static const Opt play_opts[] = {
    {.name = "black",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, spec[BLACK]),
     .value = "WHO",
     .help = "human (unless told), or a player such as ab, ab:level=3 or random:seed=7"},
    {.name = "white",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, spec[WHITE]),
     .value = "WHO",
     .help = "the same for White; unless told, ab:level=2"},
    CLI_RULES_OPTS(PlayOptions, rules),
    {.name = "time",
     .letter = 't',
     .type = OPT_FLOAT,
     .offset = offsetof(PlayOptions, seconds),
     .min = 0.001,
     .max = 1e6,
     .standard = "5",
     .value = "S",
     .help = "seconds that a player may think about a move"},
    {.name = "delay",
     .letter = 'd',
     .type = OPT_INT,
     .offset = offsetof(PlayOptions, delay_us),
     .min = 0,
     .max = 1e9,
     .standard = "0",
     .value = "USEC",
     .help = "wait so many microseconds before each move of a player"},
    {.name = "mode",
     .letter = 'm',
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, mode),
     .value = "WHO,WHO",
     .help = "human or ai (the player td) for Black and White, in place of --black and --white"},
    {.name = "dimension",
     .letter = 'D',
     .type = OPT_SIZE,
     .offset = offsetof(PlayOptions, rules.size),
     .min = 1,
     .max = SIZE_MAX_SIDE,
     .value = "W,H",
     .help = "the same as --size"},
    {.name = "wincond",
     .type = OPT_INT,
     .offset = offsetof(PlayOptions, rules.win),
     .min = WIN_MIN,
     .max = WIN_MAX,
     .value = "K",
     .help = "the same as --win"},
    {.name = "theta",
     .letter = 'p',
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, theta),
     .value = "FILE",
     .help =
         "what ai has learnt and goes on learning in: after each game it learns and is saved; a "
         "new file if there is none. Without --mode, White is ai"},
    {.name = "learner",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, learner),
     .value = "KIND",
     .help = "whose file that is: a kind of goren learn with its options, like patterns:depth=4; "
             "unless told, td"},
    {0},
};

static const OptTable play_table = {
    .name = "goren play",
    .about = "A game on the terminal. Type a point such as h8, or help.",
    .example = "goren play --black human --white random --rule renju",
    .opts = play_opts,
};

/* Nothing that was asked for is dropped in silence. */
static bool check_options(const PlayOptions *options, Err *err)
{
    if (options->learner && !options->theta)
        return err_set(err, "--learner %s needs the file that it learns in: --theta FILE",
                       options->learner);
    if (options->mode && (options->spec[BLACK] || options->spec[WHITE]))
        return err_set(err, "--mode says who plays both sides; leave out %s",
                       options->spec[BLACK] ? "--black" : "--white");
    if (options->mode && options->theta && !strstr(options->mode, "ai"))
        return err_set(err, "--theta is for ai, and --mode %s has none", options->mode);
    if (!options->mode && options->theta && options->spec[WHITE])
        return err_set(err, "with --theta White is ai; leave out --white, or say --mode");
    return true;
}

/* "human,ai": the two sides as the document of the TD(λ) game writes them; ai is the pupil if there
 * is a file for it, otherwise the player td. */
static bool apply_mode(Session *s, const PlayOptions *options, Err *err)
{
    const char *ai = options->learner ? options->learner : "td";
    if (options->theta && !options->mode) {
        s->spec[WHITE] = ai;
        s->taught[WHITE] = true;
    }
    if (!options->mode) return true;
    const char *word = options->mode;
    for (int c = BLACK; c <= WHITE; c++) {
        size_t len = strcspn(word, ",");
        bool is_ai = len == 2 && strncmp(word, "ai", 2) == 0;
        bool is_person = len == 5 && strncmp(word, "human", 5) == 0;
        bool last = word[len] == '\0';
        if ((!is_ai && !is_person) || last != (c == WHITE))
            return err_set(err, "mode=%s: write human or ai for both sides, like human,ai",
                           options->mode);
        s->spec[c] = is_ai ? ai : "human";
        s->taught[c] = is_ai && options->theta;
        word += len + 1;
    }
    return true;
}

/* A brain that does not start is no opponent; better said now than as a lost game. */
static bool is_there(Player *player, const Rules *rules, Err *err)
{
    Buf about = BUF_EMPTY;
    bool good = player && player_about(player, rules, &about, err);
    buf_free(&about);
    return good;
}

static bool open_players(Session *s, const PlayOptions *options, const Rules *rules, Err *err)
{
    for (int c = BLACK; c <= WHITE; c++) {
        if (s->taught[c] || strcmp(s->spec[c], "human") == 0) continue;
        s->player[c] = player_open(s->spec[c], err);
        if (!is_there(s->player[c], rules, err))
            return err_prefix(err, "%s", c == BLACK ? "--black" : "--white");
    }
    if (!s->taught[BLACK] && !s->taught[WHITE]) return true;
    return pupil_open(&s->pupil, options->learner ? options->learner : "td", options->theta, rules,
                      err);
}

int cmd_play(int argc, char **argv)
{
    PlayOptions options = {0};
    int code = 0;
    if (!cli_parse(&play_table, &argc, argv, &options, &code)) return code;
    Err err;
    Rules rules;
    Session s = {
        .spec = {options.spec[BLACK] ? options.spec[BLACK] : "human",
                 options.spec[WHITE] ? options.spec[WHITE] : "ab:level=2"},
        .limits = {.turn_ms = (int64_t)(options.seconds * 1000)},
        .delay_us = options.delay_us,
    };
    term_init(&s.term, stdin, stdout);
    if (check_options(&options, &err) && apply_mode(&s, &options, &err) &&
        cli_rules(&options.rules, &rules, &err) && open_players(&s, &options, &rules, &err)) {
        s.board = board_open(&rules, NEAR_ALL);
        session_run(&s);
        board_close(s.board);
    } else {
        code = cli_fail(&play_table, &err);
    }
    for (int c = BLACK; c <= WHITE; c++) player_close(s.player[c]);
    pupil_close(&s.pupil);
    return code;
}
