/* SPDX-License-Identifier: MIT */
/* The player `tss`: the threat-space alpha-beta of "Final Report for Gomoku Project" (Ding and Ge).
 *
 * At the root: a single candidate is played at once; then an own win by fours, then by threes and
 * fours; then moves that let the opponent win so are dropped (if all do, the one that lasts longest
 * is played); then alpha-beta, 16 candidates wide and 10 moves deep. A position is worth the scores
 * of the own stones over four directions less the opponent's.
 *
 * Where the report searches to a fixed length, fours and threes here are the house's own exact
 * searches with an allowance; and alpha-beta deepens two moves at a time with a table, so that
 * there is an answer at any time; `deepen` and `table` take that away again, to see what it is
 * worth. */
#include "base/mem.h"
#include "base/os.h"
#include "eval/stance.h"
#include "play/house.h"
#include "search/dfpn.h"
#include "search/moves.h"

typedef struct {
    int depth, width;
    int64_t threats;
    bool deepen, table;
    size_t memory;
} TssOptions;

typedef struct {
    House house;
    TssOptions options;
    Plain *plain; /* NULL before the first question */
    Dfpn *dfpn;
    Vcf *vcf;
    Stance stance;
    int *worth; /* room for one list of moves */
} TssPlayer;

static const Opt tss_opts[] = {
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(TssOptions, depth),
     .min = 1,
     .max = PLAIN_DEPTH_MAX,
     .standard = "10",
     .help = "how many moves it looks ahead"},
    {.name = "width",
     .type = OPT_INT,
     .offset = offsetof(TssOptions, width),
     .min = 1,
     .max = 10000,
     .standard = "16",
     .help = "candidates in each position"},
    {.name = "threats",
     .type = OPT_COUNT,
     .offset = offsetof(TssOptions, threats),
     .min = 1,
     .max = 1e12,
     .standard = "20k",
     .help = "positions looked at for a win by threats; a quarter of that for each candidate"},
    {.name = "deepen",
     .type = OPT_BOOL,
     .offset = offsetof(TssOptions, deepen),
     .standard = "yes",
     .help = "alpha-beta two moves deeper at a time; no: at once, as the report does"},
    {.name = "table",
     .type = OPT_BOOL,
     .offset = offsetof(TssOptions, table),
     .standard = "yes",
     .help = "alpha-beta with a transposition table; the report gave it up"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(TssOptions, memory),
     .min = 1 << 16,
     .max = 1e12,
     .standard = "16M",
     .help = "bytes of each of the two tables, of threats and of alpha-beta"},
    {0},
};

static const OptTable tss_table = {
    .name = "tss",
    .about = "Alpha-beta with threat-space search, as in a students' final report.",
    .example = "tss:depth=10,width=16",
    .opts = tss_opts,
};

static Player *tss_open(const char *keys, Err *err)
{
    TssOptions options = {0};
    if (!house_options(&tss_table, keys, &options, err)) return NULL;
    TssPlayer *tss = mem_zero(sizeof *tss);
    tss->options = options;
    return &tss->house.head;
}

static void drop(TssPlayer *tss)
{
    plain_close(tss->plain);
    if (tss->dfpn) dfpn_close(tss->dfpn);
    if (tss->vcf) vcf_close(tss->vcf);
    stance_close(&tss->stance);
    mem_free(tss->worth);
    tss->plain = NULL;
    tss->dfpn = NULL;
    tss->vcf = NULL;
    tss->worth = NULL;
}

/* ---- the judge ---- */

/* Of one stone in one direction. */
static const int16_t stone_score[SHAPE_COUNT] = {
    [SHAPE_ONE] = 1,       [SHAPE_OPEN_ONE] = 3,       [SHAPE_TWO] = 6,
    [SHAPE_OPEN_TWO] = 18, [SHAPE_OPEN_TWO_WIDE] = 21, [SHAPE_OPEN_TWO_FULL] = 24,
    [SHAPE_THREE] = 24,    [SHAPE_OPEN_THREE] = 70,    [SHAPE_OPEN_THREE_TWIN] = 80,
    [SHAPE_FOUR] = 60,     [SHAPE_DOUBLE_FOUR] = 300,  [SHAPE_OPEN_FOUR] = 300,
    [SHAPE_FIVE] = 2000,
};

/* How a point looks by its full pattern, A … N: to play it, and to deny it. */
static const int16_t point_score[CLASS_COUNT] = {
    [CLASS_TWO] = 4,
    [CLASS_OPEN_TWO] = 10,
    [CLASS_THREE] = 12,
    [CLASS_THREE_OPEN_TWO] = 26,
    [CLASS_OPEN_THREE] = 36,
    [CLASS_OPEN_THREE_TWO] = 44,
    [CLASS_OPEN_THREE_OPEN_TWO] = 54,
    [CLASS_OPEN_THREE_THREE] = 56,
    [CLASS_DOUBLE_OPEN_THREE] = 150,
    [CLASS_FOUR] = 30,
    [CLASS_FOUR_TWO] = 40,
    [CLASS_FOUR_OPEN_TWO] = 52,
    [CLASS_FOUR_THREE] = 54,
    [CLASS_FOUR_OPEN_THREE] = 250,
    [CLASS_DOUBLE_FOUR] = 400,
    [CLASS_OPEN_FOUR] = 400,
    [CLASS_FIVE] = 2000,
};

static int judge_value(void *ctx, const Board *board)
{
    const TssPlayer *tss = ctx;
    const int16_t *own = tss->stance.now.count[board->side];
    const int16_t *their = tss->stance.now.count[colour_other(board->side)];
    Threat threat = moves_threat(board);
    int sum = 0;
    if (threat == THREAT_WE_FIVE) return 19000;
    if (threat == THREAT_WE_FOUR) return 18000;
    for (int shape = 0; shape < SHAPE_COUNT; shape++)
        sum += stone_score[shape] * (own[shape] + own[shape] / 8 - their[shape]);
    return sum;
}

static void judge_reset(void *ctx, const Board *board)
{
    stance_reset(&((TssPlayer *)ctx)->stance, board);
}

static void judge_push(void *ctx, const Board *board)
{
    stance_push(&((TssPlayer *)ctx)->stance, board);
}

static void judge_pop(void *ctx, const Board *board)
{
    (void)board;
    stance_pop(&((TssPlayer *)ctx)->stance);
}

/* What must be done where there is a threat, else the points that look best. */
static int candidates(TssPlayer *tss, const Board *board, const Limits *limits, int width,
                      Point *moves)
{
    Colour us = board->side, them = colour_other(us);
    Threat threat = moves_threat(board);
    int count = threat == THREAT_NONE ? 0 : moves_list(board, threat, moves), left = 0;
    for (int i = 0; i < count; i++)
        if (!limits_block(limits, moves[i])) moves[left++] = moves[i];
    if (!left) left = house_moves(board, limits, moves);
    for (int i = 0; i < left; i++) {
        int own = point_score[board_class(board, moves[i], us)];
        tss->worth[i] = own + own / 4 + point_score[board_class(board, moves[i], them)];
    }
    return house_sort(moves, tss->worth, left, width);
}

static int judge_list(void *ctx, Board *board, Point *moves)
{
    TssPlayer *tss = ctx;
    const Limits none = {0};
    return candidates(tss, board, &none, tss->options.width, moves);
}

static const PlainJudge tss_judge = {SCORE_WIN, judge_reset, judge_push,
                                     judge_pop, judge_value, judge_list};

/* ---- the root ---- */

/* Can the side to move win by threats? */
static bool wins_by_threats(TssPlayer *tss, Leash *leash, int64_t nodes, int64_t share,
                            DfpnResult *found)
{
    DfpnLimits limits = {.nodes = nodes, .stop = &tss->house.stop};
    Board *board = tss->house.board;
    if (leash_look(leash)) return false;
    int64_t left = leash->nodes_max > leash->nodes ? leash->nodes_max - leash->nodes : 0;
    if (leash->nodes_max && limits.nodes > left / share + 1) limits.nodes = left / share + 1;
    if (leash->deadline_ns < INT64_MAX) {
        int64_t now = os_clock_ns();
        limits.deadline = (now + (leash->deadline_ns - now) / share) / 1000000 + 1;
    }
    bool won = dfpn_search(tss->dfpn, board, GOAL_VCT, board->side, &limits, found) == SOLVE_WIN;
    leash->nodes += found->nodes;
    return won && found->move != POINT_NONE;
}

static bool wins_by_fours(TssPlayer *tss, Leash *leash, VcfResult *fours)
{
    VcfLimits limits = {.nodes = leash->nodes_max ? leash->nodes_max : tss->options.threats,
                        .stop = &tss->house.stop,
                        .deadline = leash_deadline_ms(leash)};
    bool won = vcf_search(tss->vcf, tss->house.board, &limits, fours) == SOLVE_WIN;
    leash->nodes += fours->nodes; /* found or not */
    return won;
}

/* Drops the moves that lose to threats. If that would be all of them, the longest resistance stays.
 */
static int drop_lost(TssPlayer *tss, Leash *leash, Point *moves, int count)
{
    Board *board = tss->house.board;
    Point stubborn = moves[0];
    int left = 0, longest = -1;
    for (int i = 0; i < count; i++) {
        DfpnResult found = {0};
        board_play(board, moves[i]);
        bool lost = board->won == CELL_EMPTY && !board_is_full(board) &&
                    wins_by_threats(tss, leash, tss->options.threats / 4 + 1, 2 * count, &found);
        board_undo(board);
        if (lost && found.plies > longest) {
            longest = found.plies;
            stubborn = moves[i];
        }
        if (!lost) moves[left++] = moves[i];
    }
    if (left) return left;
    moves[0] = stubborn;
    return 1;
}

/* A move that needs no alpha-beta, or POINT_NONE and the moves for it; *plies: of a win, else 0. */
static Point decide(TssPlayer *tss, const Limits *limits, Leash *leash, Point *moves, int *count,
                    int *plies)
{
    Board *board = tss->house.board;
    DfpnResult found = {0};
    VcfResult fours;
    *plies = 0;
    *count = candidates(tss, board, limits, tss->options.width, moves);
    if (*count) tss->house.first = moves[0];
    if (*count <= 1) return *count ? moves[0] : POINT_NONE;
    if (wins_by_fours(tss, leash, &fours) && !limits_block(limits, fours.move)) {
        *plies = fours.plies;
        return fours.move;
    }
    if (wins_by_threats(tss, leash, tss->options.threats, 4, &found) &&
        !limits_block(limits, found.move)) {
        *plies = found.plies;
        return found.move;
    }
    *count = drop_lost(tss, leash, moves, *count);
    return *count == 1 ? moves[0] : POINT_NONE;
}

static bool ready(TssPlayer *tss, const Rules *rules, bool same, Err *err)
{
    enum { FOURS_BYTES = 1 << 20 };
    if (tss->plain && same) return true;
    drop(tss);
    tss->plain =
        plain_open(rules, &tss_judge, tss, tss->options.table ? tss->options.memory : 0, err);
    if (!tss->plain) return false;
    tss->dfpn = dfpn_open(tss->options.memory);
    if (!tss->dfpn) {
        drop(tss);
        return err_set(err, "no memory for tables of %zu MB: give it less",
                       tss->options.memory >> 20);
    }
    tss->vcf = vcf_open(FOURS_BYTES);
    stance_open(&tss->stance, rules);
    tss->worth = mem_alloc((size_t)rules->width * (size_t)rules->height * sizeof(int));
    return true;
}

static bool tss_think(Player *player, const Board *asked, const Limits *limits, Thought *thought,
                      Err *err)
{
    TssPlayer *tss = (TssPlayer *)player;
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    PlainResult result;
    Leash leash;
    int count, plies;
    bool same = house_begin(&tss->house, asked, NEAR_SQUARE2, limits, 64, &leash);
    if (!ready(tss, &asked->rules, same, err)) return false;
    tss->house.plain = tss->plain;
    Point move = decide(tss, limits, &leash, moves, &count, &plies);
    thought_set_move(thought, move);
    if (plies) thought_set_score(thought, score_win_in(plies));
    if (!move && count) {
        int depth = house_depth(limits, tss->options.depth);
        plain_run(tss->plain, tss->house.board, moves, count, tss->options.deepen ? 2 : depth, 2,
                  depth, &leash, &result);
        house_fill_plain(&result, thought);
    }
    house_end(&leash, thought);
    return true;
}

static void tss_new_game(Player *player)
{
    TssPlayer *tss = (TssPlayer *)player;
    if (tss->plain) plain_forget(tss->plain);
}

static void tss_close(Player *player)
{
    TssPlayer *tss = (TssPlayer *)player;
    drop(tss);
    house_close(&tss->house);
}

const PlayerKind player_tss = {
    .options = &tss_table,
    .open = tss_open,
    .think = tss_think,
    .stop = house_stop,
    .new_game = tss_new_game,
    .close = tss_close,
};
