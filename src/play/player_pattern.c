/* SPDX-License-Identifier: MIT */
/* The player `pattern`: minimax over positions judged by patterns that it was taught (goren learn
 * patterns). The patterns are read once, when it is opened; a file that goes on learning does not
 * change a player that plays. */
#include "play/player_pattern.h"

#include "base/mem.h"
#include "play/house.h"
#include "play/store_patterns.h"
#include "search/moves.h"
#include "search/pattern_judge.h"
#include "search/score.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *db;
    int at, depth;
    int64_t nodes;
} PatternOptions;

typedef struct {
    House house;
    PatternBook book;
    int depth;
    int64_t nodes;
    PatternJudge *judge; /* for the rules of the house's board */
    Plain *plain;        /* likewise */
} PatternPlayer;

static const Opt pattern_opts[] = {
    {.name = "db",
     .type = OPT_TEXT,
     .offset = offsetof(PatternOptions, db),
     .standard = "",
     .value = "FILE",
     .help = "the patterns: a database of goren learn patterns or a text of goren patterns; "
             "without it those that are built in"},
    {.name = "at",
     .type = OPT_INT,
     .offset = offsetof(PatternOptions, at),
     .min = -1,
     .max = 1e9,
     .standard = "-1",
     .value = "GAME",
     .help = "the database as it was after so many games; -1: after all"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(PatternOptions, depth),
     .min = 1,
     .max = PLAIN_DEPTH_MAX,
     .standard = "4",
     .help = "moves that it looks ahead"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(PatternOptions, nodes),
     .min = 0,
     .max = 1e15,
     .standard = "0",
     .help = "think about so many positions at most; 0: no limit"},
    {0},
};

static const OptTable pattern_table = {
    .name = "pattern",
    .about = "Minimax with composite patterns that taught themselves.",
    .example = "pattern:db=patterns.db,depth=2",
    .opts = pattern_opts,
};

static bool load_book(const PatternOptions *options, PatternBook *book, Err *err)
{
    if (*options->db) return pattern_file_load(options->db, options->at, book, err);
    if (options->at != PATTERNS_NOW)
        return err_set(err, "pattern: at needs a database; the built-in patterns have no history");
    return pattern_builtin_load(book, err);
}

static Player *pattern_open(const char *keys, Err *err)
{
    PatternOptions options = {0};
    PatternBook book;
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&pattern_table, keys, &options, &texts, err) &&
                load_book(&options, &book, err);
    arena_close(&texts);
    if (!good) return NULL;
    return player_pattern_with(&book, options.depth, options.nodes);
}

Player *player_pattern_with(PatternBook *book, int depth, int64_t nodes)
{
    PatternPlayer *player = mem_zero(sizeof *player);
    player->book = *book;
    player->depth = depth;
    player->nodes = nodes;
    player->house.head.kind = &player_pattern;
    *book = (PatternBook){0};
    return &player->house.head;
}

static void drop(PatternPlayer *player)
{
    plain_close(player->plain);
    pattern_judge_close(player->judge);
}

static void thought_fill(Thought *thought, const PlainResult *choice)
{
    thought_set_move(thought, choice->move);
    thought->has_value = choice->depth > 0;
    int score = (int)((int64_t)choice->score * EVAL_SCALE / PATTERN_LOGIT);
    if (score > EVAL_MAX) score = EVAL_MAX;
    if (score < -EVAL_MAX) score = -EVAL_MAX;
    int win = PATTERN_WIN - abs(choice->score); /* in so many plies */
    if (win <= PLAIN_DEPTH_MAX) score = choice->score > 0 ? score_win_in(win) : score_loss_in(win);
    thought->score = score;
    thought->value = score >= SCORE_MATE ? 1 : score <= -SCORE_MATE ? 0 : eval_win_rate(score);
    thought->depth = thought->sel_depth = choice->depth;
    thought->line_len = choice->line_len;
    memcpy(thought->line, choice->line, (size_t)choice->line_len * sizeof *choice->line);
}

static bool pattern_plays(const Player *head, const Rules *rules, Err *err)
{
    int k = ((const PatternPlayer *)head)->book.k;
    if (rules->k == k) return true;
    return err_set(err, "its patterns are for %d in a row, not for %d", k, rules->k);
}

/* A search that was cut off may not have seen the reply yet: a row that they would complete is
 * stopped all the same, by the first of `sorted` that does. */
static Point stop_row(const Board *board, const Point *sorted, int count, Point move)
{
    Point stops[SIZE_MAX_SIDE * SIZE_MAX_SIDE], first = POINT_NONE;
    if (moves_threat(board) != THREAT_THEY_FIVE) return move;
    int stop_count = moves_list(board, THREAT_THEY_FIVE, stops);
    for (int i = 0; i < count; i++) {
        bool stopping = false;
        for (int k = 0; k < stop_count; k++) stopping |= stops[k] == sorted[i];
        if (stopping && sorted[i] == move) return move;
        if (stopping && first == POINT_NONE) first = sorted[i];
    }
    return first == POINT_NONE ? move : first;
}

static bool pattern_think(Player *head, const Board *board, const Limits *limits, Thought *thought,
                          Err *err)
{
    enum { STRIDE = 64 };
    PatternPlayer *player = (PatternPlayer *)head;
    Limits own = *limits;
    Leash leash;
    PlainResult choice = {0};
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    if (player->nodes && (!own.nodes || own.nodes > player->nodes)) own.nodes = player->nodes;
    if (!house_begin(&player->house, board, NEAR_SQUARE2, &own, STRIDE, &leash)) {
        drop(player);
        player->judge = pattern_judge_open(&board->rules, &player->book);
        player->plain = plain_open(&board->rules, &pattern_judge, player->judge, 0, err);
    }
    int count = house_moves(player->house.board, &own, moves);
    pattern_judge_sort(player->judge, player->house.board, moves, count);
    choice.move = count ? moves[0] : POINT_NONE;
    player->house.first = choice.move;
    if (count > 1)
        plain_run(player->plain, player->house.board, moves, count, 1, 1,
                  house_depth(&own, player->depth), &leash, &choice);
    if (leash.over) {
        Point stop = stop_row(player->house.board, moves, count, choice.move);
        if (stop != choice.move)
            choice = (PlainResult){.move = stop, .line = {stop}, .line_len = 1};
    }
    thought_fill(thought, &choice);
    house_end(&leash, thought);
    return true;
}

static void pattern_close(Player *head)
{
    PatternPlayer *player = (PatternPlayer *)head;
    drop(player);
    pattern_book_free(&player->book);
    house_close(&player->house);
}

const PlayerKind player_pattern = {
    .options = &pattern_table,
    .open = pattern_open,
    .plays = pattern_plays,
    .think = pattern_think,
    .stop = house_stop,
    .close = pattern_close,
};
