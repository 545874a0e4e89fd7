/* SPDX-License-Identifier: MIT */
/* The player adpmcts, after Tang, Zhao, Shao and Lv, "ADP with MCTS algorithm for Gomoku" (2016):
 * the ADP critic proposes its five best moves, hmcts judges the position after each of them, and
 * the move with the largest λ·w1 + (1 − λ)·w2 is played, w1 being the critic's word and w2 the
 * tree's. A move that completes a row needs no judge. */
#include "play/player_adp.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    const char *params;
    int form, moves;
    int64_t rounds, seed;
    double lambda;
} AdpMctsOptions;

typedef struct {
    Player head;
    atomic_bool stop;
    AdpMctsOptions options;
    AdpCritic critic;
    Player *judge; /* hmcts */
} AdpMcts;

static const Opt adpmcts_opts[] = {
    {.name = "params",
     .type = OPT_TEXT,
     .offset = offsetof(AdpMctsOptions, params),
     .value = "FILE",
     .help = "what goren learn adp wrote; otherwise what is built in"},
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(AdpMctsOptions, form),
     .standard = "fudan",
     .choices = ADP_FORM_CHOICES,
     .help = "which of the two that are built in"},
    {.name = "moves",
     .type = OPT_INT,
     .offset = offsetof(AdpMctsOptions, moves),
     .min = 1,
     .max = 50,
     .standard = "5",
     .help = "moves that the critic proposes"},
    {.name = "rounds",
     .type = OPT_COUNT,
     .offset = offsetof(AdpMctsOptions, rounds),
     .min = 1,
     .max = 1e9,
     .standard = "600",
     .help = "games that are played out to judge each of them"},
    {.name = "lambda",
     .type = OPT_FLOAT,
     .offset = offsetof(AdpMctsOptions, lambda),
     .min = 0,
     .max = 1,
     .standard = "0.5",
     .help = "share of the critic in the verdict; the rest is the tree's"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(AdpMctsOptions, seed),
     .standard = "0",
     .help = "the same seed plays the same games; 0: another one each time"},
    {0},
};

static const OptTable adpmcts_table = {
    .name = "adpmcts",
    .about = "The ADP critic's best moves, judged by Monte Carlo tree search (hmcts).",
    .example = "adpmcts:rounds=600,lambda=0.5,seed=1",
    .opts = adpmcts_opts,
};

static void adpmcts_close(Player *player)
{
    AdpMcts *a = (AdpMcts *)player;
    player_close(a->judge);
    adp_critic_close(&a->critic);
    mem_free(a);
}

static Player *open_judge(const AdpMctsOptions *options, Err *err)
{
    Buf keys = BUF_EMPTY;
    buf_printf(&keys, "rounds=%lld,seed=%lld,memory=16M", (long long)options->rounds,
               (long long)options->seed);
    Player *judge = player_hmcts.open(keys.data, err);
    if (judge) judge->kind = &player_hmcts;
    buf_free(&keys);
    return judge;
}

static Player *adpmcts_open(const char *keys, Err *err)
{
    AdpMcts *a = mem_zero(sizeof *a);
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&adpmcts_table, keys, &a->options, &texts, err) &&
                player_adp_load(&a->critic, a->options.params, (AdpForm)a->options.form, err);
    arena_close(&texts);
    a->options.params = NULL; /* it was the arena's */
    if (good) a->judge = open_judge(&a->options, err);
    if (a->judge) return &a->head;
    adpmcts_close(&a->head);
    return NULL;
}

/* Best first; of equals the later one, as adp has it. */
static int by_value(const void *x, const void *y)
{
    const AdpMove *a = x, *b = y;
    if (a->value != b->value) return a->value < b->value ? 1 : -1;
    return (a->point < b->point) - (a->point > b->point);
}

static int propose(const AdpMcts *a, Board *board, const Limits *limits, AdpMove *moves)
{
    AdpMove all[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    AdpCounts counts;
    adp_counts_open(&counts, a->critic.form);
    adp_counts_reset(&counts, board);
    int count = adp_critic_moves(&a->critic, &counts, board, all, SIZE_MAX_SIDE * SIZE_MAX_SIDE);
    int n = 0;
    qsort(all, (size_t)count, sizeof *all, by_value);
    for (int i = 0; i < count && n < a->options.moves; i++) {
        bool open = true;
        for (int k = 0; open && k < limits->blocked_count; k++)
            open = limits->blocked[k] != all[i].point;
        if (open) moves[n++] = all[i];
    }
    return n;
}

/* A fair share of what is left for each move that is still to be judged. The judge forgets what
 * stopped it whenever it begins, so it looks at a flag that stays. */
static Limits share_of(const AdpMcts *a, const Limits *limits, int parts)
{
    Limits share = {.stop = &a->stop};
    if (limits->turn_ms) share.turn_ms = 1 + limits->turn_ms / (parts + 1);
    if (limits->left_ms) share.left_ms = 1 + limits->left_ms / (parts + 1);
    if (limits->nodes) share.nodes = 1 + limits->nodes / parts;
    return share;
}

/* The chance of the mover after his move, by the tree of his opponent. */
static bool judge_move(AdpMcts *a, Board *board, const AdpMove *move, const Limits *share,
                       Thought *sum, double *value, Err *err)
{
    Thought thought;
    *value = 1;
    if (move->value > 1) return true;
    board_play(board, move->point);
    bool good = true;
    if (board_is_full(board)) {
        *value = 0.5;
    } else {
        good = player_think(a->judge, board, share, &thought, err);
        if (good) *value = thought.has_value ? 1 - thought.value : 0.5;
        if (good) sum->nodes += thought.nodes;
        if (good) sum->ms += thought.ms;
    }
    board_undo(board);
    return good;
}

static void prefer(Thought *thought, Point move, double value)
{
    thought_set_move(thought, move);
    thought->value = value;
    thought->line[0] = move;
    thought->line_len = 1;
}

/* What looks best so far. Whoever stopped us before we began says so again when told. */
static void tell(const AdpMcts *a, const Board *asked, const Thought *thought, bool judged)
{
    Thought so_far = *thought;
    so_far.has_value = judged;
    if (a->head.report) a->head.report(a->head.report_ctx, asked, &so_far);
}

static bool adpmcts_plays(const Player *player, const Rules *rules, Err *err)
{
    return adp_counts_check(((const AdpMcts *)player)->critic.form, rules, err);
}

static bool adpmcts_think(Player *player, const Board *asked, const Limits *limits,
                          Thought *thought, Err *err)
{
    AdpMcts *a = (AdpMcts *)player;
    AdpMove moves[50];
    double best = -1;
    atomic_store(&a->stop, false);
    if (limits->stop && atomic_load(limits->stop)) atomic_store(&a->stop, true);
    thought_set_move(thought, POINT_NONE);
    Board *board = board_open(&asked->rules, NEAR_SQUARE2);
    board_follow(board, asked);
    int count = propose(a, board, limits, moves);
    Limits share = share_of(a, limits, count ? count : 1);
    bool good = true;
    if (count) prefer(thought, moves[0].point, 0.5); /* until something is judged */
    for (int i = 0; good && i < count && !(i && atomic_load(&a->stop)); i++) {
        double tree, critic = moves[i].value > 1 ? 1 : (double)moves[i].value;
        if (count == 1) break;
        tell(a, asked, thought, best >= 0);
        good = judge_move(a, board, &moves[i], &share, thought, &tree, err);
        double value = a->options.lambda * critic + (1 - a->options.lambda) * tree;
        if (!good || value <= best) continue;
        best = value;
        prefer(thought, moves[i].point, value);
        if (moves[i].value > 1) break;
    }
    board_close(board);
    thought->has_value = best >= 0;
    return good;
}

static void adpmcts_stop(Player *player)
{
    AdpMcts *a = (AdpMcts *)player;
    atomic_store(&a->stop, true);
    player_stop(a->judge);
}

static void adpmcts_reseed(Player *player, uint64_t seed)
{
    player_reseed(((AdpMcts *)player)->judge, seed);
}

const PlayerKind player_adpmcts = {
    .options = &adpmcts_table,
    .open = adpmcts_open,
    .plays = adpmcts_plays,
    .think = adpmcts_think,
    .stop = adpmcts_stop,
    .reseed = adpmcts_reseed,
    .close = adpmcts_close,
};
