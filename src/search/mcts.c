/* SPDX-License-Identifier: MIT */
/* All nodes lie in one array; the children of a node are neighbours in it, so a node knows its
 * first child and how many there are. */
#include "search/mcts.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PATH_MAX = 512 };
static const float FIRST_PLAY_LOSS = 0.1f; /* a move never visited, below its parent's value */
static const float UNFIXED = -1;

typedef struct {
    double sum; /* of values for the side that plays the move */
    uint32_t visits;
    uint32_t first; /* child */
    uint16_t count; /* of children */
    Point move;
    float prior;
    float fixed; /* the value where it is known for certain, else UNFIXED */
    bool listed; /* the children are */
} Node;

struct Mcts {
    MctsOptions options;
    Board *board; /* stands at the root between rounds */
    Rng rng;
    uint32_t room, used, root;
    Node *nodes; /* owned pages */
    Point *moves;
    float *priors;
    int depth;      /* of the deepest round of this run */
    int64_t rounds; /* of this run */
    int path_len;
    uint32_t path[PATH_MAX];
};

Mcts *mcts_open(const Rules *rules, const MctsOptions *options, Err *err)
{
    size_t points = (size_t)rules->width * (size_t)rules->height;
    size_t room = options->memory / sizeof(Node);
    if (room < 4 * points) room = 4 * points;
    if (room > UINT32_MAX) room = UINT32_MAX;
    Node *nodes = mem_try_pages(room * sizeof(Node));
    if (!nodes) {
        err_set(err, "no memory for a tree of %zu MB: give it less", options->memory >> 20);
        return NULL;
    }
    Mcts *mcts = mem_zero(sizeof *mcts);
    mcts->options = *options;
    mcts->board = board_open(rules, options->near);
    mcts->room = (uint32_t)room;
    mcts->nodes = nodes;
    mcts->moves = mem_alloc(points * sizeof *mcts->moves);
    mcts->priors = mem_alloc(points * sizeof *mcts->priors);
    mcts_reseed(mcts, options->seed);
    return mcts;
}

void mcts_close(Mcts *mcts)
{
    if (!mcts) return;
    mem_free_pages(mcts->nodes, mcts->room * sizeof(Node));
    board_close(mcts->board);
    mem_free(mcts->moves);
    mem_free(mcts->priors);
    mem_free(mcts);
}

void mcts_reseed(Mcts *mcts, uint64_t seed)
{
    rng_seed(&mcts->rng, seed);
}

void mcts_forget(Mcts *mcts)
{
    mcts->used = 0;
}

/* Of a node with visits, for the side that plays its move. */
static double mean(const Node *node)
{
    return node->fixed >= 0 ? (double)node->fixed : node->sum / node->visits;
}

/* --- the root -------------------------------------------------------------------------------- */

static uint32_t child_of(const Mcts *mcts, uint32_t parent, Point move)
{
    const Node *node = &mcts->nodes[parent];
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (mcts->nodes[i].move == move) return i;
    return 0;
}

/* The node of `board` if it is the last root and two moves more. */
static uint32_t find_again(const Mcts *mcts, const Board *board)
{
    const Rules *rules = &board->rules;
    Point added[COLOUR_COUNT] = {POINT_NONE, POINT_NONE};
    if (!mcts->used || board->side != mcts->board->side || mcts->used > mcts->room / 2) return 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (board->cell[p] == mcts->board->cell[p]) continue;
        Colour colour = (Colour)(board->cell[p] - CELL_BLACK);
        if (board->cell[p] == CELL_EMPTY || added[colour]) return 0;
        added[colour] = p;
    }
    if (!added[BLACK] || !added[WHITE]) return 0;
    uint32_t reply = child_of(mcts, mcts->root, added[board->side]);
    uint32_t found = reply ? child_of(mcts, reply, added[colour_other(board->side)]) : 0;
    return found && mcts->nodes[found].visits && mcts->nodes[found].fixed < 0 ? found : 0;
}

static void root_set(Mcts *mcts, const Board *board, bool fresh)
{
    uint32_t again = mcts->options.reuse && !fresh ? find_again(mcts, board) : 0;
    board_follow(mcts->board, board);
    mcts->options.judge->reset(mcts->options.ctx, mcts->board);
    mcts->root = again;
    if (again) return;
    mcts->used = 1;
    mcts->nodes[0] = (Node){.visits = 1, .sum = 0.5, .fixed = UNFIXED};
}

/* --- a round --------------------------------------------------------------------------------- */

static void shuffle(Mcts *mcts, int count)
{
    for (int i = count - 1; i > 0; i--) {
        uint32_t j = rng_below(&mcts->rng, (uint32_t)i + 1);
        Point p = mcts->moves[i];
        mcts->moves[i] = mcts->moves[j];
        mcts->moves[j] = p;
    }
}

/* False: there is no room for them. */
static bool list_children(Mcts *mcts, uint32_t at, const Limits *limits)
{
    Node *node = &mcts->nodes[at];
    if (mcts->room - mcts->used < (uint32_t)(mcts->board->rules.width * mcts->board->rules.height))
        return false;
    int count =
        mcts->options.judge->list(mcts->options.ctx, mcts->board, mcts->moves, mcts->priors);
    if (at == mcts->root && limits->blocked_count) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (limits_block(limits, mcts->moves[i])) continue;
            mcts->priors[left] = mcts->priors[i];
            mcts->moves[left++] = mcts->moves[i];
        }
        count = left;
    }
    if (mcts->options.rule == MCTS_UCB1) shuffle(mcts, count);
    node->listed = true;
    node->first = mcts->used;
    node->count = (uint16_t)count;
    for (int i = 0; i < count; i++)
        mcts->nodes[mcts->used++] =
            (Node){.move = mcts->moves[i], .prior = mcts->priors[i], .fixed = UNFIXED};
    return true;
}

static uint32_t pick_ucb1(const Mcts *mcts, const Node *node)
{
    uint32_t best = node->first;
    double most = -1, log_visits = log((double)node->visits);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const Node *child = &mcts->nodes[i];
        if (!child->visits) return i;
        double n = child->visits;
        double score = mean(child) + mcts->options.explore * sqrt(log_visits / n);
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

static uint32_t pick_puct(const Mcts *mcts, const Node *node)
{
    uint32_t best = node->first;
    double unseen = 1 - mean(node) - FIRST_PLAY_LOSS, most = -INFINITY;
    double pull = mcts->options.explore * sqrt((double)node->visits);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const Node *child = &mcts->nodes[i];
        double n = child->visits, worth = child->visits ? mean(child) : unseen;
        double score = worth + pull * (double)child->prior / (1 + n);
        if (score > most) {
            most = score;
            best = i;
        }
        if (!child->visits) break; /* the others have no visits either, and less prior */
    }
    return best;
}

static void go_down(Mcts *mcts, const Limits *limits)
{
    uint32_t at = mcts->root;
    mcts->path[0] = at;
    mcts->path_len = 1;
    while (mcts->path_len < PATH_MAX) {
        Node *node = &mcts->nodes[at];
        if (node->fixed >= 0 || !node->visits) return;
        if (!node->listed && !list_children(mcts, at, limits)) return;
        if (!node->count) return;
        at = mcts->options.rule == MCTS_UCB1 ? pick_ucb1(mcts, node) : pick_puct(mcts, node);
        board_play(mcts->board, mcts->nodes[at].move);
        mcts->options.judge->push(mcts->options.ctx, mcts->board);
        mcts->path[mcts->path_len++] = at;
    }
}

/* A move that wins fixes the position before it; so does the last of the moves that all lose. */
static void fix_parent(Mcts *mcts, uint32_t parent, const Node *child)
{
    Node *node = &mcts->nodes[parent];
    if (parent == mcts->root) return;
    bool lost = child->fixed <= 0;
    for (uint32_t i = node->first; lost && i < node->first + node->count; i++)
        lost = mcts->nodes[i].fixed >= 0 && mcts->nodes[i].fixed <= 0;
    if (child->fixed >= 1)
        node->fixed = 0;
    else if (lost)
        node->fixed = 1;
}

static void play_round(Mcts *mcts, const Limits *limits)
{
    go_down(mcts, limits);
    Node *leaf = &mcts->nodes[mcts->path[mcts->path_len - 1]];
    double value = leaf->fixed; /* for the side that moved here */
    if (leaf->fixed < 0) {
        bool settled = false;
        value = 1 - mcts->options.judge->value(mcts->options.ctx, mcts->board, &settled);
        if (settled) leaf->fixed = (float)value;
    }
    if (mcts->path_len > mcts->depth + 1) mcts->depth = mcts->path_len - 1;
    for (int i = mcts->path_len - 1;; i--) {
        Node *node = &mcts->nodes[mcts->path[i]];
        node->visits++;
        if (node->fixed >= 0) value = node->fixed;
        node->sum += value;
        if (i == 0) break;
        if (node->fixed >= 0 && mcts->options.rule == MCTS_PUCT)
            fix_parent(mcts, mcts->path[i - 1], node);
        mcts->options.judge->pop(mcts->options.ctx, mcts->board);
        board_undo(mcts->board);
        value = 1 - value;
    }
}

/* --- what comes of it ------------------------------------------------------------------------ */

/* A win that is known first, a loss that is known last; then visits, then value. */
static bool is_better(const Node *a, const Node *b)
{
    bool won_a = a->fixed >= 1, lost_a = a->fixed >= 0 && a->fixed <= 0;
    bool won_b = b->fixed >= 1, lost_b = b->fixed >= 0 && b->fixed <= 0;
    if (won_a != won_b) return won_a;
    if (lost_a != lost_b) return lost_b;
    if (a->visits != b->visits) return a->visits > b->visits;
    return a->visits && a->sum > b->sum;
}

static uint32_t best_child(const Mcts *mcts, const Node *node)
{
    uint32_t best = node->first;
    for (uint32_t i = node->first + 1; i < node->first + node->count; i++)
        if (is_better(&mcts->nodes[i], &mcts->nodes[best])) best = i;
    return best;
}

/* A move of the root is known to win, or all are known to lose. */
static bool is_decided(const Mcts *mcts, const Node *root)
{
    bool lost = true;
    for (uint32_t i = root->first; i < root->first + root->count; i++) {
        const Node *child = &mcts->nodes[i];
        if (child->fixed >= 1) return true;
        lost = lost && child->fixed >= 0 && child->fixed <= 0;
        if (!child->visits) return false; /* in the order of their priors: nor have the others */
    }
    return lost;
}

void mcts_so_far(const Mcts *mcts, MctsResult *result)
{
    *result = (MctsResult){.rounds = mcts->rounds};
    const Node *node = &mcts->nodes[mcts->root];
    result->depth = mcts->depth;
    result->value = 0.5;
    while (node->listed && node->count && result->line_len < MCTS_LINE_MAX) {
        node = &mcts->nodes[best_child(mcts, node)];
        if (!node->visits && result->line_len) break;
        if (!result->line_len && node->visits) result->value = mean(node);
        result->line[result->line_len++] = node->move;
    }
    result->move = result->line_len ? result->line[0] : POINT_NONE;
}

void mcts_run(Mcts *mcts, const Board *board, const Limits *limits, int64_t rounds, Leash *leash,
              MctsResult *result)
{
    root_set(mcts, board, limits->blocked_count > 0);
    mcts->depth = 0;
    mcts->rounds = 0;
    Node *root = &mcts->nodes[mcts->root];
    if (!root->listed) list_children(mcts, mcts->root, limits);
    while (root->count && (!rounds || mcts->rounds < rounds) && !leash->over) {
        play_round(mcts, limits);
        mcts->rounds++;
        leash_node(leash);
        if (mcts->options.rule == MCTS_PUCT && is_decided(mcts, root)) break;
    }
    mcts_so_far(mcts, result);
    assert(mcts->board->hash == board->hash);
}

int mcts_moves(const Mcts *mcts, MctsMove *moves, int room)
{
    const Node *root = &mcts->nodes[mcts->root];
    int n = 0;
    for (; n < room && n < root->count; n++) {
        const Node *child = &mcts->nodes[root->first + (uint32_t)n];
        moves[n] = (MctsMove){child->move, child->visits, child->visits ? mean(child) : 0.5};
    }
    return n;
}
