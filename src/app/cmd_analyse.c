/* SPDX-License-Identifier: MIT */
/* goren analyse: the best lines of a position, as the engine sees them now.
 *
 * On a terminal every finished depth is a line; through a pipe only the last table is printed, or
 * with --json an object per depth and a last one. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/os.h"
#include "play/player.h"

#include <stdio.h>
#include <string.h>

enum { LINE_SHOWN = 12, INTERRUPT_MS = 50, LINES_MAX = 100 };
static const double SECONDS_DEFAULT = 5;

typedef struct {
    CliRules rules;
    const char *side;
    CliEngine engine;
    int lines, depth;
    double seconds; /* 0: not given */
    int64_t nodes;
    bool json;
} AnalyseOptions;

static const Opt analyse_opts[] = {
    {.name = "multipv",
     .type = OPT_INT,
     .offset = offsetof(AnalyseOptions, lines),
     .min = 1,
     .max = LINES_MAX,
     .standard = "1",
     .help = "how many best lines; fewer where fewer moves meet what threatens"},
    {.name = "time",
     .letter = 't',
     .type = OPT_FLOAT,
     .offset = offsetof(AnalyseOptions, seconds),
     .min = 0.001,
     .max = 1e9,
     .value = "S",
     .help = "seconds to think; without any limit: 5"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(AnalyseOptions, nodes),
     .min = 1,
     .max = 1e15,
     .help = "positions to look at"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(AnalyseOptions, depth),
     .min = 1,
     .max = 100,
     .help = "moves to look ahead"},
    CLI_ENGINE_OPTS(AnalyseOptions, engine, "64M"),
    CLI_RULES_OPTS(AnalyseOptions, rules),
    CLI_SIDE_OPT(AnalyseOptions, side),
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(AnalyseOptions, json),
     .help = "one JSON object per finished depth, and a last one"},
    {0},
};

static const OptTable analyse_table = {
    .name = "goren analyse",
    .args = "POSITION",
    .args_min = 1,
    .args_max = 1,
    .about = "The best lines of a position. A value is what the side to move can expect: 50% is\n"
             "even, \"win in 7\" a forced win in seven moves of both sides together.",
    .example = "goren analyse h8i9g7 --multipv 3 --time 10",
    .opts = analyse_opts,
};

typedef struct {
    const AnalyseOptions *options;
    Player *player;
    bool progress;     /* finished depths are shown */
    atomic_bool *stop; /* set by an interrupt */
    atomic_bool done;
} Analysis;

/* --- output ---------------------------------------------------------------------------------- */

enum { VALUE_TEXT_MAX = 24 };

static const char *value_text(int score, char text[VALUE_TEXT_MAX])
{
    if (score >= SCORE_MATE) {
        snprintf(text, VALUE_TEXT_MAX, "win in %d", SCORE_WIN - score);
    } else if (score <= -SCORE_MATE) {
        snprintf(text, VALUE_TEXT_MAX, "loss in %d", SCORE_WIN + score);
    } else {
        snprintf(text, VALUE_TEXT_MAX, "%.1f%%", 100 * eval_win_rate(score));
    }
    return text;
}

static void print_moves(const Rules *rules, const Point *line, int len, int most)
{
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < len && i < most; i++) printf(" %s", point_text(rules, line[i], text));
    printf(len > most ? " …\n" : "\n");
}

static void print_depth(const Board *board, const Thought *t)
{
    char value[VALUE_TEXT_MAX];
    printf("depth %2d/%-2d  %-10s %11lld nodes  %6lld k/s  ", t->depth, t->sel_depth,
           value_text(t->score, value), (long long)t->nodes,
           (long long)(t->nodes / (t->ms > 0 ? t->ms : 1)));
    print_moves(&board->rules, t->line, t->line_len, LINE_SHOWN);
    fflush(stdout);
}

static void print_table(const Board *board, const Thought *t)
{
    char value[VALUE_TEXT_MAX];
    printf("%s to move; depth %d, %lld nodes, %.2f s, judged by %s\n",
           board->side == BLACK ? "Black" : "White", t->depth, (long long)t->nodes,
           (double)t->ms / 1000, t->eval);
    for (int i = 0; i < t->best_count; i++) {
        const SearchLine *line = &t->best[i];
        printf("%3d  %-10s  depth %2d ", i + 1, value_text(line->score, value), line->depth);
        print_moves(&board->rules, line->line, line->line_len, SEARCH_PLY_MAX);
    }
}

static json_t *json_line(const Rules *rules, const SearchLine *line)
{
    char text[POINT_TEXT_MAX];
    json_t *out = json_object(), *moves = json_array();
    int score = line->score;
    bool win = score >= SCORE_MATE, loss = score <= -SCORE_MATE;
    for (int i = 0; i < line->line_len; i++)
        json_array_append_new(moves, json_string(point_text(rules, line->line[i], text)));
    json_object_set_new(out, "move", json_string(point_text(rules, line->move, text)));
    json_object_set_new(out, "value", json_real(win ? 1 : loss ? 0 : eval_win_rate(score)));
    json_object_set_new(out, "score", json_integer(score));
    json_object_set_new(out, "mate",
                        win    ? json_integer(SCORE_WIN - score)
                        : loss ? json_integer(-SCORE_WIN - score)
                               : json_null());
    json_object_set_new(out, "depth", json_integer(line->depth));
    json_object_set_new(out, "line", moves);
    return out;
}

static void print_json(const Board *board, const Thought *t, bool final)
{
    json_t *out = json_object(), *lines = json_array();
    for (int i = 0; i < t->best_count; i++)
        json_array_append_new(lines, json_line(&board->rules, &t->best[i]));
    json_object_set_new(out, "depth", json_integer(t->depth));
    json_object_set_new(out, "sel_depth", json_integer(t->sel_depth));
    json_object_set_new(out, "nodes", json_integer(t->nodes));
    json_object_set_new(out, "ms", json_integer(t->ms));
    json_object_set_new(out, "nps", json_integer(t->nodes * 1000 / (t->ms > 0 ? t->ms : 1)));
    json_object_set_new(out, "eval", json_string(t->eval));
    json_object_set_new(out, "lines", lines);
    json_object_set_new(out, "final", json_boolean(final));
    cli_json(out);
}

/* --- analysis -------------------------------------------------------------------------------- */

static void on_report(void *ctx, const Board *board, const Thought *so_far)
{
    const Analysis *analysis = ctx;
    if (analysis->options->json) {
        print_json(board, so_far, false);
    } else if (analysis->progress) {
        print_depth(board, so_far);
    }
}

/* A second thread hands an interrupt on; the first one thinks. */
static void watch(void *ctx)
{
    Analysis *analysis = ctx;
    while (!atomic_load(&analysis->done)) {
        if (atomic_load(analysis->stop)) player_stop(analysis->player);
        os_sleep_ms(INTERRUPT_MS);
    }
}

static bool think(Analysis *analysis, const Board *board, Err *err)
{
    const AnalyseOptions *options = analysis->options;
    bool endless = !options->seconds && !options->nodes && !options->depth;
    double seconds = endless ? SECONDS_DEFAULT : options->seconds;
    Limits limits = {.turn_ms = (int64_t)(seconds * 1000),
                     .nodes = options->nodes,
                     .depth = options->depth,
                     .lines = options->lines,
                     .forced_too = true};
    Thought thought;
    SearchLine line;
    if (seconds && !limits.turn_ms) limits.turn_ms = 1;
    Thread *watcher = os_thread_start(watch, analysis, err);
    if (!watcher) return false;
    bool good = player_think(analysis->player, board, &limits, &thought, err);
    atomic_store(&analysis->done, true);
    os_thread_join(watcher);
    if (!good) return false;
    if (!thought.best_count) { /* stopped before a move was searched: it is judged as it stands */
        if (thought.decision != DECIDE_MOVE || thought.stones[0] == POINT_NONE)
            return err_set(err, "there is no move to look at");
        Point move = thought.stones[0];
        line = (SearchLine){.move = move, .score = thought.score, .line = {move}, .line_len = 1};
        thought.best = &line;
        thought.best_count = 1;
    }
    if (options->json) {
        print_json(board, &thought, true);
    } else {
        print_table(board, &thought);
    }
    return true;
}

static bool analyse(const AnalyseOptions *options, const Board *board, atomic_bool *stop, Err *err)
{
    if (!cli_game_goes_on(board, err)) return false;
    const CliEngine *engine = &options->engine;
    Buf spec = BUF_EMPTY;
    buf_printf(&spec, "ab:threads=%d,memory=%zu,eval=\"%s\",net=\"%s\"", engine->threads,
               engine->memory, engine->eval, engine->net);
    Analysis analysis = {
        .options = options,
        .player = player_open(buf_text(&spec), err),
        .progress = os_is_terminal(stdout),
        .stop = stop,
    };
    buf_free(&spec);
    if (!analysis.player) return false;
    analysis.player->report = on_report;
    analysis.player->report_ctx = &analysis;
    bool good = think(&analysis, board, err);
    player_close(analysis.player);
    return good;
}

int cmd_analyse(int argc, char **argv)
{
    static atomic_bool stop;
    AnalyseOptions options = {0};
    Rules rules;
    Position position;
    Err err;
    int code = 0;
    if (!cli_parse(&analyse_table, &argc, argv, &options, &code)) return code;
    if (!cli_net_fits(options.engine.eval, options.engine.net, &err) ||
        !cli_rules(&options.rules, &rules, &err) ||
        !cli_position(&rules, argv[0], options.side, &position, &err))
        return cli_fail(&analyse_table, &err);
    os_catch_interrupt(&stop);
    Board *board = cli_board(&rules, &position, NEAR_SQUARE2);
    if (!cli_last_is_allowed(board, &position, &err) || !analyse(&options, board, &stop, &err))
        code = cli_fail(&analyse_table, &err);
    board_close(board);
    position_free(&position);
    return code;
}
