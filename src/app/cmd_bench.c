/* SPDX-License-Identifier: MIT */
/* goren bench: fixed positions searched to a fixed depth (the nodes are the functional signature of
 * the engine), or how fast the board plays and undoes whole games, with everything it keeps. */
#include "app/bench_games.h"
#include "app/bench_rollouts.h"
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "eval/network.h"
#include "eval/networks.h"
#include "search/search.h"

#include <stdio.h>

typedef struct {
    bool board, rollouts, json, signature, no_table;
    CliEngine engine;
    int depth;
    double seconds;
    OptSize size;
    int near;
} BenchOptions;

/* What says how positions are searched, and nothing to the other measurements. */
#define SEARCH_OPTS "depth|threads|memory|eval|net|no-table|signature"

static const Opt bench_opts[] = {
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(BenchOptions, depth),
     .min = 1,
     .max = 60,
     .standard = "12",
     .help = "how deep each position is searched"},
    CLI_ENGINE_OPTS(BenchOptions, engine, "16M"),
    {.name = "no-table",
     .type = OPT_BOOL,
     .offset = offsetof(BenchOptions, no_table),
     .help = "search without the transposition table, to see what it is worth",
     .bars = "memory"},
    {.name = "signature",
     .type = OPT_BOOL,
     .offset = offsetof(BenchOptions, signature),
     .help = "print only the number of nodes"},
    {.name = "board",
     .type = OPT_BOOL,
     .offset = offsetof(BenchOptions, board),
     .help = "measure play and undo of whole games (one play and its undo count as one)",
     .bars = SEARCH_OPTS},
    {.name = "rollouts",
     .type = OPT_BOOL,
     .offset = offsetof(BenchOptions, rollouts),
     .help = "measure games played to their end, of uct and hmcts (15x15 or --size)",
     .bars = SEARCH_OPTS},
    {.name = "seconds",
     .type = OPT_FLOAT,
     .offset = offsetof(BenchOptions, seconds),
     .min = 0.01,
     .max = 3600,
     .standard = "0.5",
     .value = "S",
     .help = "how long to measure each rule and size, or kind of rollout",
     .needs = "board|rollouts"},
    {.name = "size",
     .type = OPT_SIZE,
     .offset = offsetof(BenchOptions, size),
     .min = 0,
     .max = SIZE_MAX_SIDE,
     .standard = "0",
     .value = "N|WxH",
     .help = "of --board: play the 15x15 games in the middle of a board of this size instead",
     .needs = "board|rollouts"},
    {.name = "near",
     .type = OPT_CHOICE,
     .offset = offsetof(BenchOptions, near),
     .choices = "square2|square2+line3|square3+line4|all",
     .standard = "square3+line4",
     .help = "of --board: which points near stones are kept as candidates",
     .needs = "board"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(BenchOptions, json),
     .help = "one JSON object per line"},
    {0},
};

static const OptTable bench_table = {
    .name = "goren bench",
    .about = "Searches fixed positions to a fixed depth and counts nodes: the same number on every "
             "machine as long as the engine decides the same. With --board, measures the board.",
    .example = "goren bench --depth 12",
    .opts = bench_opts,
};

typedef struct {
    Rules rules;
    Board *board;
    Point *moves[16]; /* one list per game */
    int lengths[16];
    int games;
} Suite;

typedef struct {
    int64_t plays, ns;
} Speed;

/* Collects the games of one rule and size; with another board size they go to its middle. */
static bool suite_open(Suite *suite, RuleKind rule, int size, const BenchOptions *options, Err *err)
{
    Rules source;
    int width = options->size.width ? options->size.width : size;
    int height = options->size.width ? options->size.height : size;
    if (width < size || height < size)
        return err_set(err, "the games need a board of at least %dx%d, not %dx%d", size, size,
                       width, height);
    rules_init(&source, rule, size, size, 5);
    *suite = (Suite){0};
    rules_init(&suite->rules, rule, width, height, 5);
    suite->board = board_open(&suite->rules, (Near)options->near);
    for (const BenchGame *game = bench_games; game->moves; game++) {
        Position position;
        if (game->rule != rule || game->size != size) continue;
        if (!position_parse(&source, game->moves, 0, &position, err)) return false;
        for (int i = 0; i < position.count; i++) {
            int x = rules_x(&source, position.stones[i]) + (width - size) / 2;
            int y = rules_y(&source, position.stones[i]) + (height - size) / 2;
            position.stones[i] = rules_point(&suite->rules, x, y);
        }
        suite->moves[suite->games] = position.stones;
        suite->lengths[suite->games++] = position.count;
        position.stones = NULL;
        position_free(&position);
    }
    return true;
}

static void suite_close(Suite *suite)
{
    for (int i = 0; i < suite->games; i++) mem_free(suite->moves[i]);
    board_close(suite->board);
}

static int64_t suite_round(Suite *suite)
{
    int64_t plays = 0;
    for (int g = 0; g < suite->games; g++) {
        for (int i = 0; i < suite->lengths[g]; i++) board_play(suite->board, suite->moves[g][i]);
        for (int i = 0; i < suite->lengths[g]; i++) board_undo(suite->board);
        plays += suite->lengths[g];
    }
    return plays;
}

static Speed suite_measure(Suite *suite, double seconds)
{
    Speed speed = {0};
    suite_round(suite); /* warms the caches */
    int64_t start = os_clock_ns(), limit = (int64_t)(seconds * 1e9);
    while (speed.ns < limit) {
        for (int i = 0; i < 20; i++) speed.plays += suite_round(suite);
        speed.ns = os_clock_ns() - start;
    }
    return speed;
}

static double per_second(Speed speed)
{
    return (double)speed.plays * 1e9 / (double)speed.ns;
}

static int bench_board(const BenchOptions *options)
{
    static const RuleKind rules[] = {RULE_FREESTYLE, RULE_STANDARD, RULE_RENJU};
    static const int sizes[] = {15, 20};
    Speed all = {0};
    Err err;
    int size_count = options->size.width ? 1 : 2;
    for (int r = 0; r < 3; r++) {
        for (int s = 0; s < size_count; s++) {
            Suite suite;
            if (!suite_open(&suite, rules[r], sizes[s], options, &err))
                return cli_fail(&bench_table, &err);
            Speed speed = suite_measure(&suite, options->seconds);
            all.plays += speed.plays;
            all.ns += speed.ns;
            char size[16];
            snprintf(size, sizeof size, "%dx%d", suite.rules.width, suite.rules.height);
            if (options->json)
                cli_json(json_pack("{s:s, s:s, s:I}", "rule", rule_name(rules[r]), "size", size,
                                   "plays_per_s", (json_int_t)per_second(speed)));
            else
                printf("%-10s %-8s %6.2f M plays and undos a second\n", rule_name(rules[r]), size,
                       per_second(speed) / 1e6);
            suite_close(&suite);
        }
    }
    if (options->json)
        cli_json(json_pack("{s:I}", "plays_per_s", (json_int_t)per_second(all)));
    else
        printf("%-19s %6.2f M\n", "all", per_second(all) / 1e6);
    return 0;
}

/* A middle-game position of every game of bench_games, and one board no preset has. */
typedef struct {
    RuleKind rule;
    int width, height, k;
    const char *moves;
    int plies; /* how many of the moves are played */
} BenchPosition;

static bool bench_position(const BenchPosition *from, const BenchOptions *options,
                           const EvalKind *eval, SearchResult *result, int64_t *ns, Err *err)
{
    Rules rules;
    Position position;
    rules_init(&rules, from->rule, from->width, from->height, from->k);
    if (!position_parse(&rules, from->moves, 0, &position, err)) return false;
    if (position.count > from->plies) position.count = from->plies;
    position.side = position.count % 2 ? WHITE : BLACK;
    Board *board = cli_board(&rules, &position, NEAR_SQUARE2);
    /* Without a table no node knows its best move: all would be reduced, and a depth would be less
     * than it says. */
    SearchOptions search_options = {.threads = options->engine.threads,
                                    .table_bytes = options->no_table ? 0 : options->engine.memory,
                                    .eval = eval,
                                    .eval_file = options->engine.net,
                                    .changes = options->no_table ? "internal=0" : NULL};
    Search *search = search_open(&rules, &search_options, err);
    if (search) {
        Limits limits = {.depth = options->depth};
        int64_t start = os_clock_ns();
        search_run(search, board, &limits, NULL, NULL, result);
        *ns += os_clock_ns() - start;
    }
    search_close(search);
    board_close(board);
    position_free(&position);
    return search != NULL;
}

/* A network, of a file or built in, is measured where it plays. */
static bool can_judge(const EvalKind *eval, const Network *of_file, const BenchPosition *at)
{
    Rules rules;
    rules_init(&rules, at->rule, at->width, at->height, at->k);
    if (eval != &eval_net) return true;
    return of_file ? net_plays(&of_file->net, &rules)
                   : networks_find(networks_built_in(), &rules) != NULL;
}

static void print_bench(const BenchOptions *options, const BenchPosition *at,
                        const SearchResult *result)
{
    Rules rules;
    char text[POINT_TEXT_MAX], size[16];
    rules_init(&rules, at->rule, at->width, at->height, at->k);
    snprintf(size, sizeof size, "%dx%d", at->width, at->height);
    if (options->json)
        cli_json(json_pack("{s:s, s:s, s:i, s:s, s:s, s:i, s:I, s:I, s:f}", "rule",
                           rule_name(at->rule), "size", size, "win", at->k, "eval", result->eval,
                           "move", point_text(&rules, result->move, text), "score", result->score,
                           "nodes", (json_int_t)result->nodes, "ms", (json_int_t)result->ms, "hits",
                           result->table_hits / 1000.0));
    else
        printf("%-10s %-6s %-4s %6d %10lld nodes %6lld ms  %s\n", rule_name(at->rule), size,
               point_text(&rules, result->move, text), result->score, (long long)result->nodes,
               (long long)result->ms, result->eval);
}

static int bench_search(const BenchOptions *options)
{
    static const BenchPosition extra[] = {
        {RULE_CARO, 15, 15, 5, "h8i9g9h10i8g8", 6},
        {RULE_CARO6, 19, 19, 5, "j10k11i11j12k10", 5},
        {RULE_FREESTYLE, 12, 9, 4, "f5g6e6", 3},
        {RULE_STANDARD, 16, 16, 6, "h8i9h9h10g8i8", 6},
    };
    int extra_count = (int)(sizeof extra / sizeof *extra), quiet = options->signature;
    Err err;
    const EvalKind *eval = eval_find(options->engine.eval, &err);
    const Network *network = NULL;
    bool of_file = eval && eval != &eval_shape && *options->engine.net;
    if (of_file) eval = &eval_net; /* measured where it plays, not refused elsewhere */
    if (of_file) network = network_load(options->engine.net, &err);
    if (!eval || (of_file && !network)) return cli_fail(&bench_table, &err);
    int64_t nodes = 0, hits = 0, ns = 0;
    const BenchGame *game = bench_games;
    for (int i = 0; game->moves || i < extra_count;) {
        BenchPosition at;
        if (game->moves) {
            at = (BenchPosition){game->rule, game->size,  game->size,
                                 5,          game->moves, 6 + 5 * (int)((game - bench_games) % 4)};
            game++;
        } else {
            at = extra[i++];
        }
        if (!can_judge(eval, network, &at)) continue;
        SearchResult result;
        if (!bench_position(&at, options, eval, &result, &ns, &err))
            return cli_fail(&bench_table, &err);
        nodes += result.nodes;
        hits += result.nodes * result.table_hits;
        if (!quiet) print_bench(options, &at, &result);
    }
    if (network) network_leave(network);
    double seconds = (double)ns / 1e9;
    if (!nodes) {
        err_set(&err, "there is no network that plays any of the positions");
        return cli_fail(&bench_table, &err);
    }
    if (options->json)
        cli_json(json_pack("{s:I, s:f, s:I, s:f}", "nodes", (json_int_t)nodes, "seconds", seconds,
                           "nps", (json_int_t)((double)nodes / seconds), "hits",
                           (double)hits / 1000 / (double)nodes));
    else if (quiet)
        printf("%lld\n", (long long)nodes);
    else
        printf("%lld nodes, %.2f s, %.0f nodes a second, %.0f %% of look-ups in the table\n",
               (long long)nodes, seconds, (double)nodes / seconds,
               (double)hits / 10 / (double)nodes);
    return 0;
}

int cmd_bench(int argc, char **argv)
{
    BenchOptions options = {0};
    int code;
    if (!cli_parse(&bench_table, &argc, argv, &options, &code)) return code;
    Err err;
    bool good = cli_net_fits(options.engine.eval, options.engine.net, &err);
    if (options.rollouts && options.board)
        good = err_set(&err, "--board and --rollouts are two measurements: ask for one");
    if (!good) return cli_fail(&bench_table, &err);
    if (options.rollouts) {
        OptSize size = options.size.width ? options.size : (OptSize){15, 15};
        bench_rollouts(size.width, size.height, options.seconds, options.json);
        return 0;
    }
    return options.board ? bench_board(&options) : bench_search(&options);
}
