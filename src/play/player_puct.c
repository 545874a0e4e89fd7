/* SPDX-License-Identifier: MIT */
/* The player `puct`: tree search by an evaluator. Its policy says where to look, its value what a
 * position is worth, one at a time; what is known for certain (a five, fours, a forced reply) the
 * tree learns from outlook.h and never asks about again. A win by fours is played without a tree.
 * The part of the tree that still applies is kept from move to move. */
#include "base/mem.h"
#include "eval/eval.h"
#include "play/house.h"
#include "search/moves.h"
#include "search/outlook.h"

#include <math.h>
#include <string.h>

enum {
    CHILDREN_MAX = 40,        /* less likely moves are not looked at */
    POLICY_SCALE = 100,       /* of an evaluator, per unit of log probability */
    ROUNDS_UNLIMITED = 10000, /* where neither the spec nor the question sets any limit */
    ROOT_FOURS = 20000,
};

typedef struct {
    const char *eval, *net;
    int64_t rounds, fours;
    double explore;
    size_t memory;
} PuctOptions;

typedef struct {
    House house;
    PuctOptions options;
    const EvalKind *kind; /* as asked for; eval may be of another */
    char *net;            /* file of the network, owned */
    Eval *eval;           /* NULL before the first question */
    Mcts *mcts;           /* likewise */
    Vcf *vcf;             /* likewise */
    Point *moves;         /* room for one list, and what the policy says of it */
    int *logits;
} PuctPlayer;

static const Opt puct_opts[] = {
    {.name = "eval",
     .type = OPT_TEXT,
     .offset = offsetof(PuctOptions, eval),
     .standard = "best",
     .help = EVAL_HELP},
    {.name = "net",
     .type = OPT_TEXT,
     .offset = offsetof(PuctOptions, net),
     .standard = "",
     .value = "FILE",
     .help = NET_HELP},
    {.name = "rounds",
     .type = OPT_COUNT,
     .offset = offsetof(PuctOptions, rounds),
     .standard = "0",
     .help = "positions judged per move; 0: as many as the limits allow"},
    {.name = "explore",
     .type = OPT_FLOAT,
     .offset = offsetof(PuctOptions, explore),
     .min = 0,
     .max = 100,
     .standard = "1.2",
     .help = "how much the policy counts against the values found"},
    {.name = "fours",
     .type = OPT_COUNT,
     .offset = offsetof(PuctOptions, fours),
     .standard = "40",
     .help = "fours tried in each position before it is judged; 0: none"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(PuctOptions, memory),
     .min = 1 << 16,
     .max = 1e12,
     .standard = "64M",
     .help = "bytes of the tree"},
    {0},
};

static const OptTable puct_table = {
    .name = "puct",
    .about = "Tree search by the value and policy of an evaluator.",
    .example = "puct:eval=shape,rounds=2000",
    .opts = puct_opts,
};

static Player *puct_open(const char *keys, Err *err)
{
    PuctOptions options = {0};
    Arena texts;
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&puct_table, keys, &options, &texts, err);
    const EvalKind *kind = good ? eval_find(options.eval, err) : NULL;
    char *net = kind ? mem_text(options.net) : NULL;
    arena_close(&texts);
    if (!kind) return NULL;
    PuctPlayer *puct = mem_zero(sizeof *puct);
    puct->options = options;
    puct->options.eval = puct->options.net = NULL; /* lived in the arena */
    puct->kind = kind;
    puct->net = net;
    return &puct->house.head;
}

/* ---- the judge ---- */

static void judge_reset(void *ctx, const Board *board)
{
    PuctPlayer *puct = ctx;
    puct->eval->kind->reset(puct->eval, board);
}

static void judge_push(void *ctx, const Board *board)
{
    PuctPlayer *puct = ctx;
    puct->eval->kind->push(puct->eval, board);
}

static void judge_pop(void *ctx, const Board *board)
{
    PuctPlayer *puct = ctx;
    (void)board;
    puct->eval->kind->pop(puct->eval);
}

static double judge_value(void *ctx, Board *board, bool *settled)
{
    PuctPlayer *puct = ctx;
    int count;
    Outlook outlook = outlook_of(board, puct->vcf, puct->options.fours, puct->moves, &count);
    *settled = outlook == OUTLOOK_WON || outlook == OUTLOOK_LOST || outlook == OUTLOOK_DRAWN;
    switch (outlook) {
    case OUTLOOK_WON:
        return 1;
    case OUTLOOK_LOST:
        return 0;
    case OUTLOOK_DRAWN:
        return 0.5;
    default:
        return eval_win_rate(puct->eval->kind->value(puct->eval, board));
    }
}

static int judge_list(void *ctx, Board *board, Point *moves, float *priors)
{
    PuctPlayer *puct = ctx;
    int count;
    float sum = 0;
    outlook_of(board, puct->vcf, 0, moves, &count);
    /* The root may be asked for though its result is known: any legal move will do. */
    if (!count) count = house_moves(board, &(Limits){0}, moves);
    puct->eval->kind->policy(puct->eval, board, moves, count, puct->logits);
    count = house_sort(moves, puct->logits, count, CHILDREN_MAX);
    for (int i = 0; i < count; i++)
        sum += priors[i] = expf((float)(puct->logits[i] - puct->logits[0]) / POLICY_SCALE);
    for (int i = 0; i < count; i++) priors[i] /= sum;
    return count;
}

static const MctsJudge puct_judge = {judge_reset, judge_push, judge_pop, judge_value, judge_list};

/* ---- the player ---- */

static void drop(PuctPlayer *puct)
{
    if (puct->eval) puct->eval->kind->close(puct->eval);
    if (puct->vcf) vcf_close(puct->vcf);
    mcts_close(puct->mcts);
    mem_free(puct->moves);
    mem_free(puct->logits);
    puct->eval = NULL;
    puct->vcf = NULL;
    puct->mcts = NULL;
    puct->moves = NULL;
    puct->logits = NULL;
}

static bool ready(PuctPlayer *puct, const Rules *rules, bool same, Err *err)
{
    enum { FOURS_BYTES = 1 << 20 };
    size_t points = (size_t)rules->width * (size_t)rules->height;
    if (puct->mcts && same) return true;
    drop(puct);
    MctsOptions options = {.judge = &puct_judge,
                           .ctx = puct,
                           .rule = MCTS_PUCT,
                           .explore = puct->options.explore,
                           .reuse = true,
                           .near = NEAR_SQUARE2_LINE3,
                           .memory = puct->options.memory};
    puct->eval = puct->kind->open(rules, puct->net, err);
    if (puct->eval) puct->mcts = mcts_open(rules, &options, err);
    if (!puct->mcts) return false;
    puct->vcf = vcf_open(FOURS_BYTES);
    puct->moves = mem_alloc(points * sizeof *puct->moves);
    puct->logits = mem_alloc(points * sizeof *puct->logits);
    return true;
}

/* A win that needs no tree, or the only move there is; *plies: of the win, 0 if it is none. */
static Point at_once(PuctPlayer *puct, Leash *leash, int *plies)
{
    Board *board = puct->house.board;
    VcfResult fours;
    int64_t nodes =
        leash->nodes_max && leash->nodes_max < ROOT_FOURS ? leash->nodes_max : ROOT_FOURS;
    VcfLimits limits = {
        .nodes = nodes, .stop = &puct->house.stop, .deadline = leash_deadline_ms(leash)};
    Threat threat = moves_threat(board);
    if (threat != THREAT_NONE) {
        int count = moves_list(board, threat, puct->moves);
        *plies = threat == THREAT_WE_FIVE ? 1 : threat == THREAT_WE_FOUR ? 3 : 0;
        if (count == 1 || (count && *plies)) return puct->moves[0];
    }
    bool won = vcf_search(puct->vcf, board, &limits, &fours) == SOLVE_WIN;
    *plies = won ? fours.plies : 0;
    return won ? fours.move : POINT_NONE;
}

static bool puct_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                       Err *err)
{
    PuctPlayer *puct = (PuctPlayer *)player;
    MctsResult result;
    Leash leash;
    bool same = house_begin(&puct->house, board, NEAR_SQUARE2_LINE3, limits, 4, &leash);
    if (!ready(puct, &board->rules, same, err)) return false;
    thought->eval = puct->eval->name;
    int plies = 0;
    Point move = at_once(puct, &leash, &plies);
    if (move && !limits_block(limits, move)) {
        thought_set_move(thought, move);
        if (plies) thought_set_score(thought, score_win_in(plies));
        house_end(&leash, thought);
        return true;
    }
    int64_t rounds = puct->options.rounds;
    bool unlimited = leash.deadline_ns == INT64_MAX && !limits->nodes && !limits->stop;
    if (!rounds && unlimited) rounds = ROUNDS_UNLIMITED;
    puct->house.mcts = puct->mcts;
    mcts_run(puct->mcts, board, limits, rounds, &leash, &result);
    house_fill(&result, thought);
    house_end(&leash, thought);
    return true;
}

static void puct_new_game(Player *player)
{
    PuctPlayer *puct = (PuctPlayer *)player;
    if (puct->mcts) mcts_forget(puct->mcts);
    if (puct->vcf) vcf_clear(puct->vcf);
}

static bool puct_about(Player *player, const Rules *rules, Buf *out, Err *err)
{
    PuctPlayer *puct = (PuctPlayer *)player;
    if (!ready(puct, rules, false, err)) return false;
    buf_printf(out, "goren, %s", puct->eval->name);
    return true;
}

static void puct_close(Player *player)
{
    PuctPlayer *puct = (PuctPlayer *)player;
    drop(puct);
    mem_free(puct->net);
    house_close(&puct->house);
}

const PlayerKind player_puct = {
    .options = &puct_table,
    .open = puct_open,
    .think = puct_think,
    .stop = house_stop,
    .new_game = puct_new_game,
    .about = puct_about,
    .close = puct_close,
};
