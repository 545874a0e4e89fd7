/* SPDX-License-Identifier: MIT */
/* The player `ab`: alpha-beta with everything this house knows. It keeps one Search for the rules
 * it was last asked about, so that what it learnt serves the next move. */
#include "play/player.h"

#include "base/mem.h"
#include "base/os.h"
#include "play/level.h"
#include "search/search.h"

#include <string.h>

enum { PONDER_LOOK_NODES = 100000 };

typedef struct {
    const char *eval, *net;
    int threads;
    size_t memory;
    double turn_s;
    int64_t nodes;
    int depth;
    int level;
    int64_t seed;
    const char *params;
    int reach;
} AbOptions;

typedef struct {
    Player head;
    AbOptions options;
    const EvalKind *eval;
    char *net;      /* file of the network, owned */
    char *changes;  /* to the numbers of the search, owned */
    Search *search; /* NULL before the first question */
    Rules rules;    /* of search */
    Mutex *mutex;   /* guards search against a stop from another thread */
    Rng rng;        /* for levels that err */
} AbPlayer;

static const Opt ab_opts[] = {
    {.name = "eval",
     .type = OPT_TEXT,
     .offset = offsetof(AbOptions, eval),
     .standard = "best",
     .help = EVAL_HELP},
    {.name = "net",
     .type = OPT_TEXT,
     .offset = offsetof(AbOptions, net),
     .standard = "",
     .value = "FILE",
     .help = NET_HELP},
    {.name = "threads",
     .type = OPT_INT,
     .offset = offsetof(AbOptions, threads),
     .min = 1,
     .max = 256,
     .standard = "1",
     .help = "threads of the search"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(AbOptions, memory),
     .min = 1 << 16,
     .max = 1e12,
     .standard = "64M",
     .help = "bytes of the transposition table"},
    {.name = "turn",
     .type = OPT_FLOAT,
     .offset = offsetof(AbOptions, turn_s),
     .min = 0,
     .max = 1e6,
     .standard = "0",
     .value = "S",
     .help = "think so long about a move at most; 0: as the game allows"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(AbOptions, nodes),
     .min = 0,
     .max = 1e15,
     .standard = "0",
     .help = "think about so many positions at most; 0: no limit"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(AbOptions, depth),
     .min = 0,
     .max = 100,
     .standard = "0",
     .help = "look so many moves ahead at most; 0: no limit"},
    {.name = "level",
     .type = OPT_INT,
     .offset = offsetof(AbOptions, level),
     .min = LEVEL_MIN,
     .max = LEVEL_MAX,
     .standard = "10",
     .help = "how strong it plays: 1 a beginner, 10 all it can"},
    {.name = "near",
     .type = OPT_CHOICE,
     .offset = offsetof(AbOptions, reach),
     .choices = REACH_CHOICES,
     .standard = "best",
     .help = "which points near stones are looked at: the wider, the less deep"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(AbOptions, seed),
     .standard = "0",
     .help = "below level 7 another seed plays other games; 0: another one each time"},
    {.name = "params",
     .type = OPT_TEXT,
     .offset = offsetof(AbOptions, params),
     .standard = "",
     .value = "NAME=N …",
     .help = "other numbers for the search; goren tune --list names them"},
    {0},
};

static const OptTable ab_table = {
    .name = "ab",
    .about = "Alpha-beta search with threat analysis: the strongest player here.",
    .example = "ab:threads=2,memory=256M, or ab:level=3",
    .opts = ab_opts,
};

static Player *ab_open(const char *keys, Err *err)
{
    AbOptions options = {0};
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&ab_table, keys, &options, &texts, err);
    const EvalKind *eval = good ? eval_find(options.eval, err) : NULL;
    SearchParams params = {0};
    good = eval && search_params_set(&params, options.params, err);
    char *net = good ? mem_text(options.net) : NULL,
         *changes = good ? mem_text(options.params) : NULL;
    arena_close(&texts);
    if (!good) return NULL;
    AbPlayer *ab = mem_zero(sizeof *ab);
    ab->options = options;
    ab->options.eval = ab->options.net = ab->options.params = NULL; /* lived in the arena */
    ab->net = net;
    ab->changes = changes;
    /* Levels are a ladder only with the evaluation that they were measured with. */
    ab->eval = eval == &eval_best && !*net ? level_eval(options.level) : eval;
    ab->mutex = os_mutex_open();
    rng_seed(&ab->rng, options.seed ? (uint64_t)options.seed : (uint64_t)os_clock_ns());
    return &ab->head;
}

static void set_search(AbPlayer *ab, Search *search)
{
    os_mutex_lock(ab->mutex);
    Search *old = ab->search;
    ab->search = search;
    os_mutex_unlock(ab->mutex);
    search_close(old);
}

static bool search_ready(AbPlayer *ab, const Rules *rules, Err *err)
{
    if (ab->search && rules_equal(&ab->rules, rules)) return true;
    set_search(ab, NULL); /* first: two tables at a time could be too much */
    SearchOptions options = {.threads = ab->options.threads,
                             .table_bytes = ab->options.memory,
                             .eval = ab->eval,
                             .eval_file = ab->net,
                             .changes = ab->changes};
    Search *search = search_open(rules, &options, err);
    if (!search) return false;
    set_search(ab, search);
    ab->rules = *rules;
    return true;
}

static void thought_fill(Thought *thought, const SearchResult *result)
{
    thought_set_move(thought, result->move);
    thought_set_score(thought, result->score);
    thought->depth = result->depth;
    thought->sel_depth = result->sel_depth;
    thought->nodes = result->nodes;
    thought->ms = result->ms;
    thought->eval = result->eval;
    thought->line_len = 0;
    thought->best = result->lines;
    thought->best_count = result->line_count;
    if (!result->line_count) return;
    const SearchLine *line = &result->lines[0];
    thought->line_len = line->line_len < THOUGHT_LINE_MAX ? line->line_len : THOUGHT_LINE_MAX;
    memcpy(thought->line, line->line, (size_t)thought->line_len * sizeof *thought->line);
}

typedef struct {
    AbPlayer *ab;
    const Board *board;
} Listener;

static void on_report(void *ctx, const SearchResult *so_far)
{
    Listener *listener = ctx;
    Player *player = &listener->ab->head;
    Thought thought = {0};
    thought_fill(&thought, so_far);
    if (player->report) player->report(player->report_ctx, listener->board, &thought);
}

static void on_watch(void *ctx, Point move, SearchEvent event)
{
    Listener *listener = ctx;
    Player *player = &listener->ab->head;
    if (player->watch) player->watch(player->report_ctx, listener->board, move, event);
}

static Limits own_limits(const AbPlayer *ab, const Limits *limits)
{
    const AbOptions *options = &ab->options;
    Limits own = *limits;
    limits_cap(&own, options->turn_s, options->nodes, options->depth);
    if (!own.reach) own.reach = options->reach;
    return own;
}

static bool ab_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                     Err *err)
{
    AbPlayer *ab = (AbPlayer *)player;
    int64_t asked = os_clock_ns();
    if (!search_ready(ab, &board->rules, err)) return false;
    thought->waited_ns = os_clock_ns() - asked; /* tables are made for all in the program */
    Limits own = own_limits(ab, limits);
    int level = ab->options.level;
    if (level < LEVEL_MAX) {
        if (level_overlooks(level, &ab->rng)) {
            Point plan = level_own_plan(board, limits, level, &ab->rng);
            thought->eval = search_eval(ab->search); /* asked or not: brains name it */
            if (plan) return thought_set_move(thought, plan), true;
        }
        int64_t nodes = level_nodes(level, strcmp(search_eval(ab->search), eval_shape.name) == 0);
        if (!own.nodes || own.nodes > nodes) own.nodes = nodes;
        if (own.lines < level_lines(level)) own.lines = level_lines(level);
    }
    Listener listener = {ab, board};
    SearchResult result;
    search_watch(ab->search, player->watch ? on_watch : NULL, &listener);
    search_run(ab->search, board, &own, on_report, &listener, &result);
    thought_fill(thought, &result);
    if (level < LEVEL_MAX && result.line_count > 1)
        thought_set_move(thought, result.lines[level_choose(&result, level, &ab->rng)].move);
    return true;
}

/* Nobody can know his move, but most often he plays what we would in his place. So a short look
 * from his side, then the position after that move for as long as it lasts. What it finds stays in
 * the table. */
static void ab_ponder(Player *player, const Board *board, const Limits *limits)
{
    AbPlayer *ab = (AbPlayer *)player;
    SearchResult result;
    if (ab->options.level < LEVEL_MAX || !search_ready(ab, &board->rules, NULL)) return;
    Limits look = own_limits(ab, limits), rest = look;
    if (!look.nodes || look.nodes > PONDER_LOOK_NODES) look.nodes = PONDER_LOOK_NODES;
    search_watch(ab->search, NULL, NULL);
    search_run(ab->search, board, &look, NULL, NULL, &result);
    if (result.move == POINT_NONE) return;
    Board *after = board_clone(board);
    board_play(after, result.move);
    if (!board_is_over(after)) search_run(ab->search, after, &rest, NULL, NULL, &result);
    board_close(after);
    search_run(ab->search, board, &rest, NULL, NULL, &result); /* that was settled: the others */
}

static void ab_stop(Player *player)
{
    AbPlayer *ab = (AbPlayer *)player;
    os_mutex_lock(ab->mutex);
    if (ab->search) search_stop(ab->search);
    os_mutex_unlock(ab->mutex);
}

static void ab_new_game(Player *player)
{
    AbPlayer *ab = (AbPlayer *)player;
    if (ab->search) search_new_game(ab->search);
}

static void ab_reseed(Player *player, uint64_t seed)
{
    rng_seed(&((AbPlayer *)player)->rng, seed);
}

static bool ab_about(Player *player, const Rules *rules, Buf *out, Err *err)
{
    AbPlayer *ab = (AbPlayer *)player;
    if (!search_ready(ab, rules, err)) return false;
    buf_printf(out, "goren, %s", search_eval(ab->search));
    return true;
}

static void ab_close(Player *player)
{
    AbPlayer *ab = (AbPlayer *)player;
    search_close(ab->search);
    os_mutex_close(ab->mutex);
    mem_free(ab->net);
    mem_free(ab->changes);
    mem_free(ab);
}

const PlayerKind player_ab = {
    .options = &ab_table,
    .open = ab_open,
    .think = ab_think,
    .ponder = ab_ponder,
    .stop = ab_stop,
    .new_game = ab_new_game,
    .reseed = ab_reseed,
    .about = ab_about,
    .close = ab_close,
};
