/* SPDX-License-Identifier: MIT */
/* goren patterns: what the pattern player knows, how it came to know it, and what it sees. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "eval/pattern_scan.h"
#include "play/store_patterns.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *from, *to, *history, *position, *rule;
    OptSize size;
    int at;
    bool games, json;
} PatternsOptions;

static const Opt patterns_opts[] = {
    {.name = "at",
     .type = OPT_INT,
     .offset = offsetof(PatternsOptions, at),
     .min = -1,
     .max = 1e9,
     .standard = "-1",
     .value = "GAME",
     .help = "as it was after so many games; -1: after all"},
    {.name = "export",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, to),
     .value = "TEXT",
     .help = "write the patterns to a text file instead (-: to stdout)",
     .bars = "position|json"},
    {.name = "import",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, from),
     .value = "TEXT",
     .help = "read them from a text into the database FILE, which has learnt nothing yet",
     .bars = "at|export|history|games|position|json"},
    {.name = "history",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, history),
     .value = "PATTERN",
     .help = "how one pattern fared, game by game",
     .bars = "at|export|position"},
    {.name = "games",
     .type = OPT_BOOL,
     .offset = offsetof(PatternsOptions, games),
     .help = "the games that were learnt from",
     .bars = "at|export|position"},
    {.name = "position",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, position),
     .value = "POSITION",
     .help = "the patterns of both sides in a position, and what they are worth"},
    {.name = "rule",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, rule),
     .standard = "freestyle",
     .value = "RULE",
     .help = "of the position",
     .needs = "position"},
    {.name = "size",
     .type = OPT_SIZE,
     .offset = offsetof(PatternsOptions, size),
     .min = 1,
     .max = SIZE_MAX_SIDE,
     .standard = "15",
     .value = "N|WxH",
     .help = "of its board",
     .needs = "position"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(PatternsOptions, json),
     .help = "one JSON object per line"},
    {0},
};

static const OptTable patterns_table = {
    .name = "goren patterns",
    .args = "[FILE]",
    .args_max = 1,
    .about = "Shows the patterns of a database that goren learn patterns made, or of a text, or\n"
             "those that are built in: best score first, with how often each led to a five and\n"
             "in how many games the winner and the loser had it.",
    .example = "goren patterns patterns.db --at 5",
    .opts = patterns_opts,
};

/* ---- lists ---- */

static json_t *row_json(const PatternRow *row)
{
    char text[PATTERN_TEXT_MAX];
    return json_pack("{s:s, s:i, s:i, s:i, s:i}", "pattern", pattern_text(&row->pattern, text),
                     "score", row->score, "sightings", row->sightings, "wins", row->wins, "losses",
                     row->losses);
}

static void print_book(const PatternBook *book, bool json)
{
    const PatternRow **order = mem_alloc((size_t)(book->count + 1) * sizeof *order);
    char text[PATTERN_TEXT_MAX];
    pattern_book_order(book, order);
    if (!json) printf("%-*s  score  sightings  wins losses\n", 2 * book->k + 4, "pattern");
    for (int i = 0; i < book->count; i++) {
        const PatternRow *row = order[i];
        if (json)
            cli_json(row_json(row));
        else
            printf("%-*s %6d %10d %5d %6d\n", 2 * book->k + 4, pattern_text(&row->pattern, text),
                   row->score, row->sightings, row->wins, row->losses);
    }
    mem_free(order);
}

static void print_state(void *ctx, int game, const PatternRow *row)
{
    const bool *json = ctx;
    if (*json) {
        json_t *object = row_json(row);
        json_object_set_new(object, "game", json_integer(game));
        cli_json(object);
    } else {
        printf("game %5d  score %6d  sightings %4d  wins %4d  losses %4d\n", game, row->score,
               row->sightings, row->wins, row->losses);
    }
}

static void print_game(void *ctx, const PatternGame *game)
{
    const bool *json = ctx;
    const char *winner = game->winner < 0 ? "-" : game->winner == BLACK ? "b" : "w";
    if (*json)
        cli_json(json_pack("{s:i, s:s, s:s, s:s?, s:s}", "game", game->number, "black", game->black,
                           "white", game->white, "winner", game->winner < 0 ? NULL : winner,
                           "moves", game->moves));
    else
        printf("%5d  %s  %s - %s  %s\n", game->number, winner, game->black, game->white,
               game->moves);
}

/* ---- a position ---- */

static void print_side(const Board *board, const PatternBook *book, Colour colour, bool json)
{
    static const char *const names[] = {"black", "white"};
    char text[PATTERN_TEXT_MAX];
    PatternBook found;
    pattern_book_init(&found, book->k);
    pattern_scan(board, colour, &found);
    for (int i = 0; i < found.count; i++)
        found.rows[i].score = pattern_book_score(book, &found.rows[i].pattern);
    const PatternRow **order = mem_alloc((size_t)(found.count + 1) * sizeof *order);
    pattern_book_order(&found, order);
    for (int i = 0; i < found.count; i++) {
        pattern_text(&order[i]->pattern, text);
        if (json)
            cli_json(json_pack("{s:s, s:s, s:i}", "side", names[colour], "pattern", text, "score",
                               order[i]->score));
        else
            printf("%s  %-*s %6d\n", names[colour], 2 * book->k + 4, text, order[i]->score);
    }
    mem_free(order);
    pattern_book_free(&found);
}

static bool print_position(const PatternsOptions *options, const PatternBook *book, Err *err)
{
    Rules rules;
    Position position;
    CliRules cli = {options->rule, options->size, book->k};
    if (!cli_rules(&cli, &rules, err) ||
        !cli_position(&rules, options->position, "?", &position, err))
        return false;
    Board *board = cli_board(&rules, &position, NEAR_ALL);
    for (int colour = 0; colour < COLOUR_COUNT; colour++)
        print_side(board, book, (Colour)colour, options->json);
    int value = pattern_scan_value(board, book, BLACK);
    if (options->json)
        cli_json(json_pack("{s:i}", "black_minus_white", value));
    else
        printf("black less white: %d\n", value);
    board_close(board);
    position_free(&position);
    return true;
}

/* ---- files ---- */

static bool needs_file(const char *file, const char *what, Err *err)
{
    return file || err_set(err, "%s needs the FILE of a database", what);
}

static bool import_text(const char *file, const char *text, Err *err)
{
    PatternBook book;
    if (!needs_file(file, "--import", err) || !pattern_file_load(text, PATTERNS_NOW, &book, err))
        return false;
    PatternStore *store = pattern_store_open(file, err);
    bool good = store && (pattern_store_import(store, &book, err) || err_prefix(err, "%s", file));
    pattern_store_close(store);
    pattern_book_free(&book);
    return good;
}

static bool export_text(const PatternBook *book, const char *to, Err *err)
{
    Buf text = BUF_EMPTY;
    bool good = true;
    pattern_book_write(book, &text);
    if (strcmp(to, "-") == 0)
        fwrite(text.data, 1, text.len, stdout);
    else
        good = os_file_replace(to, text.data, text.len, err);
    buf_free(&text);
    return good;
}

/* --history and --games */
static bool print_past(const char *file, PatternsOptions *options, Err *err)
{
    if (!needs_file(file, options->games ? "--games" : "--history", err)) return false;
    PatternStore *store = pattern_store_open_existing(file, err);
    if (!store) return false;
    int k = 0;
    Pattern pattern;
    bool good = pattern_store_about(store, &k, NULL, NULL, err);
    if (good && options->history)
        good =
            pattern_parse(options->history, strlen(options->history), k ? k : 5, &pattern, err) &&
            pattern_store_history(store, &pattern, print_state, &options->json, err);
    if (good && options->games) good = pattern_store_games(store, print_game, &options->json, err);
    if (!good) err_prefix(err, "%s", file);
    pattern_store_close(store);
    return good;
}

static bool load(const char *file, int at, PatternBook *book, Err *err)
{
    if (file) return pattern_file_load(file, at, book, err);
    if (at != PATTERNS_NOW) return needs_file(NULL, "--at", err);
    return pattern_builtin_load(book, err);
}

static bool show(const char *file, const PatternsOptions *options, Err *err)
{
    PatternBook book;
    bool good = true;
    const CliFile all[] = {{"--export", options->to, true}, {"FILE", file, false}, {0}};
    if (!cli_files_apart(all, err) || !load(file, options->at, &book, err)) return false;
    if (options->to)
        good = export_text(&book, options->to, err);
    else if (options->position)
        good = print_position(options, &book, err);
    else
        print_book(&book, options->json);
    pattern_book_free(&book);
    return good;
}

int cmd_patterns(int argc, char **argv)
{
    PatternsOptions options = {0};
    Err err;
    int code;
    if (!cli_parse(&patterns_table, &argc, argv, &options, &code)) return code;
    const char *file = argc > 0 ? argv[0] : NULL;
    bool good;
    if (options.from)
        good = import_text(file, options.from, &err);
    else if (options.history || options.games)
        good = print_past(file, &options, &err);
    else
        good = show(file, &options, &err);
    return good ? 0 : cli_fail(&patterns_table, &err);
}
