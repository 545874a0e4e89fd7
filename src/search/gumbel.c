/* SPDX-License-Identifier: MIT */
/* Nodes and edges lie in two arrays that are filled from the front and emptied by gumbel_start.
 * An edge knows the sum of what its visits brought, seen by the side that plays it. Below the root
 * only the INNER_MAX likeliest moves become edges: more are never visited. */
#include "search/gumbel.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    INNER_MAX = 24,
    PATH_MAX = 96, /* edges from the root; then a forced move is judged like any other */
    NO_NODE = -1,
};

typedef struct {
    float logit;
    float sum; /* of values for the side that plays it */
    int32_t child;
    uint16_t visits;
    Point point;
} Edge;

typedef struct {
    int32_t first; /* edge; first and count are 0 for a known result */
    uint16_t count;
    uint16_t visits; /* of its edges together */
    float value;     /* for the side to move; what the network said, or the result */
} Node;

struct Gumbel {
    GumbelOptions options;
    int node_room, edge_room;
    int node_count, edge_count;
    int done;     /* simulations */
    bool waiting; /* a leaf is to be judged */
    int path_len; /* edges of the simulation under way; 0: the root is the leaf */
    int32_t path[PATH_MAX];
    uint16_t *schedule; /* simulation → visits that the candidate to be visited has had */
    float *noise;       /* per edge of the root */
    int move_count;     /* of the leaf */
    Point *moves;
    float *scratch; /* as many as the root can have edges */
    Node *nodes;    /* nodes[0] is the root */
    Edge *edges;
};

Gumbel *gumbel_open(int simulations_max, int points)
{
    Gumbel *tree = mem_zero(sizeof *tree);
    size_t room = (size_t)points;
    tree->node_room = 4 * simulations_max + PATH_MAX; /* forced replies are nodes too */
    tree->edge_room = points + INNER_MAX * (simulations_max + 1) + tree->node_room;
    tree->schedule = mem_alloc((size_t)simulations_max * sizeof *tree->schedule);
    tree->noise = mem_alloc(room * sizeof *tree->noise);
    tree->moves = mem_alloc(room * sizeof *tree->moves);
    tree->scratch = mem_alloc(room * sizeof *tree->scratch);
    tree->nodes = mem_alloc((size_t)tree->node_room * sizeof *tree->nodes);
    tree->edges = mem_alloc((size_t)tree->edge_room * sizeof *tree->edges);
    return tree;
}

void gumbel_close(Gumbel *tree)
{
    if (!tree) return;
    mem_free(tree->schedule);
    mem_free(tree->noise);
    mem_free(tree->moves);
    mem_free(tree->scratch);
    mem_free(tree->nodes);
    mem_free(tree->edges);
    mem_free(tree);
}

void gumbel_start(Gumbel *tree, const GumbelOptions *options)
{
    tree->options = *options;
    tree->node_count = tree->edge_count = tree->done = tree->path_len = 0;
    tree->waiting = false;
}

/* --- sequential halving ---------------------------------------------------------------------- */

/* In each of log2(candidates) rounds those that are left get equally many visits, and the better
 * half goes on. Which one is visited depends on its score only, so all that needs to be known
 * beforehand is how many visits it has had; so do the authors in their own implementation. */
static void plan_halving(Gumbel *tree, int candidates)
{
    int simulations = tree->options.simulations, left = candidates, n = 0, rounds = 0;
    uint16_t had[GUMBEL_CANDIDATES_MAX] = {0};
    while (1 << rounds < candidates) rounds++;
    if (!rounds) rounds = 1;
    while (n < simulations) {
        int each = simulations / (rounds * left);
        if (each < 1) each = 1;
        for (int i = 0; i < each && n < simulations; i++)
            for (int c = 0; c < left && n < simulations; c++) tree->schedule[n++] = had[c]++;
        left = left > 3 ? left / 2 : 2;
        if (left > candidates) left = candidates;
    }
}

/* --- completed values ------------------------------------------------------------------------ */

static inline float edge_q(const Edge *edge)
{
    return edge->sum / (float)edge->visits;
}

/* Writes softmax(logits) into `prior`. */
static void softmax_logits(const Edge *edge, int n, float *prior)
{
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) most = fmaxf(most, edge[i].logit);
    for (int i = 0; i < n; i++) sum += prior[i] = expf(edge[i].logit - most);
    for (int i = 0; i < n; i++) prior[i] /= sum;
}

/* What an unvisited move is worth: the network's value of the node mixed with what the visits of
 * the others brought, weighted by the prior (equation 33 of the paper). */
static float mixed_value(const Node *node, const Edge *edge, const float *prior)
{
    float weight = 0, sum = 0;
    for (int i = 0; i < node->count; i++) {
        if (!edge[i].visits) continue;
        weight += prior[i];
        sum += prior[i] * edge_q(&edge[i]);
    }
    if (weight <= 0) return node->value;
    return (node->value + (float)node->visits * sum / weight) / (1 + (float)node->visits);
}

/* The improved policy of a node into `policy`; returns its value. */
static float improve(const Gumbel *tree, const Node *node, float *policy)
{
    const Edge *edge = &tree->edges[node->first];
    int most_visits = 0, n = node->count;
    softmax_logits(edge, n, policy);
    float mixed = mixed_value(node, edge, policy), most = -INFINITY, sum = 0, value = 0;
    for (int i = 0; i < n; i++)
        if (edge[i].visits > most_visits) most_visits = edge[i].visits;
    float sigma = 0.5f * (tree->options.visits_offset + (float)most_visits) * tree->options.scale;
    for (int i = 0; i < n; i++) {
        policy[i] = edge[i].logit + sigma * (edge[i].visits ? edge_q(&edge[i]) : mixed);
        most = fmaxf(most, policy[i]);
    }
    for (int i = 0; i < n; i++) sum += policy[i] = expf(policy[i] - most);
    for (int i = 0; i < n; i++) {
        policy[i] /= sum;
        value += policy[i] * (edge[i].visits ? edge_q(&edge[i]) : mixed);
    }
    return value;
}

/* --- going down ------------------------------------------------------------------------------ */

/* Of the root's edges with so many visits the one with the best noise + logit + σ(q). */
static int pick_root(const Gumbel *tree, int visits)
{
    const Node *root = &tree->nodes[0];
    int best = -1, most_visits = 0;
    float best_score = -INFINITY;
    for (int i = 0; i < root->count; i++)
        if (tree->edges[i].visits > most_visits) most_visits = tree->edges[i].visits;
    float sigma = 0.5f * (tree->options.visits_offset + (float)most_visits) * tree->options.scale;
    for (int i = 0; i < root->count; i++) {
        const Edge *edge = &tree->edges[i];
        if (edge->visits != visits) continue;
        float score = tree->noise[i] + edge->logit;
        /* Without visits there is nothing to compare but the draw; later all have had some. */
        if (visits) score += sigma * edge_q(edge);
        if (score <= best_score) continue;
        best_score = score;
        best = i;
    }
    return best;
}

/* Below the root: the edge whose share of visits lags most behind the improved policy. */
static int pick_inner(const Gumbel *tree, const Node *node)
{
    float policy[INNER_MAX], best_score = -INFINITY;
    int best = 0;
    if (node->count == 1) return node->first;
    improve(tree, node, policy);
    for (int i = 0; i < node->count; i++) {
        float score =
            policy[i] - (float)tree->edges[node->first + i].visits / (1 + (float)node->visits);
        if (score <= best_score) continue;
        best_score = score;
        best = i;
    }
    return node->first + best;
}

static int add_node(Gumbel *tree, int count, float value)
{
    assert(tree->node_count < tree->node_room && tree->edge_count + count <= tree->edge_room);
    Node *node = &tree->nodes[tree->node_count];
    *node = (Node){count ? tree->edge_count : 0, (uint16_t)count, 0, value};
    tree->edge_count += count;
    return tree->node_count++;
}

/* `value` is for the side to move at the end of the path. */
static void back_up(Gumbel *tree, Board *board, float value)
{
    for (int i = tree->path_len; i-- > 0;) {
        Edge *edge = &tree->edges[tree->path[i]];
        value = -value;
        edge->sum += value;
        edge->visits++;
        tree->nodes[i ? tree->edges[tree->path[i - 1]].child : 0].visits++;
        board_undo(board);
    }
    tree->path_len = 0;
    tree->done++;
}

/* Room for one more forced node, and for a leaf in every simulation to come? */
static bool may_go_on(const Gumbel *tree)
{
    int left = tree->options.simulations - tree->done;
    return tree->path_len < PATH_MAX && tree->node_count + left + 1 < tree->node_room;
}

/* One simulation. True: it ended at a leaf that must be judged. */
static bool simulate(Gumbel *tree, Board *board, Vcf *vcf)
{
    int32_t at = pick_root(tree, tree->schedule[tree->done]);
    assert(at >= 0);
    for (;;) {
        Edge *edge = &tree->edges[at];
        tree->path[tree->path_len++] = at;
        board_play(board, edge->point);
        if (edge->child == NO_NODE) {
            Outlook outlook =
                outlook_of(board, vcf, tree->options.leaf_fours, tree->moves, &tree->move_count);
            if (outlook == OUTLOOK_OPEN || (outlook == OUTLOOK_FORCED && !may_go_on(tree)))
                return true;
            bool forced = outlook == OUTLOOK_FORCED;
            edge->child = add_node(tree, forced,
                                   outlook == OUTLOOK_WON    ? 1
                                   : outlook == OUTLOOK_LOST ? -1
                                                             : 0);
            if (forced)
                tree->edges[tree->edge_count - 1] = (Edge){0, 0, NO_NODE, 0, tree->moves[0]};
        }
        const Node *node = &tree->nodes[edge->child];
        if (!node->count) {
            back_up(tree, board, node->value);
            return false;
        }
        at = pick_inner(tree, node);
        if (tree->path_len == PATH_MAX) { /* too deep: what is known so far must do */
            back_up(tree, board, node->value);
            return false;
        }
    }
}

bool gumbel_descend(Gumbel *tree, Board *board, Vcf *vcf, Rng *rng)
{
    assert(!tree->waiting);
    if (!tree->node_count) {
        Outlook outlook = outlook_of(board, vcf, 0, tree->moves, &tree->move_count);
        assert(outlook == OUTLOOK_OPEN);
        (void)outlook;
        for (int i = 0; i < tree->move_count; i++) {
            double u = rng_unit(rng);
            if (u < 1e-12) u = 1e-12; /* the logarithm of 0 is no number */
            tree->noise[i] = tree->options.noise * (float)-log(-log(u));
        }
        return tree->waiting = true;
    }
    while (tree->done < tree->options.simulations)
        if (simulate(tree, board, vcf)) return tree->waiting = true;
    return false;
}

int gumbel_moves(const Gumbel *tree, const Point **moves)
{
    *moves = tree->moves;
    return tree->move_count;
}

/* --- the answer ------------------------------------------------------------------------------ */

/* The likeliest moves become the edges, best first. */
static void fill_inner(Gumbel *tree, const float *logits, float value)
{
    int room = tree->move_count < INNER_MAX ? tree->move_count : INNER_MAX, n = 0;
    Edge *edge = &tree->edges[tree->edge_count];
    for (int i = 0; i < tree->move_count; i++) {
        if (n == room && logits[i] <= edge[n - 1].logit) continue;
        int at = n < room ? n++ : n - 1;
        for (; at > 0 && edge[at - 1].logit < logits[i]; at--) edge[at] = edge[at - 1];
        edge[at] = (Edge){logits[i], 0, NO_NODE, 0, tree->moves[i]};
    }
    tree->edges[tree->path[tree->path_len - 1]].child = add_node(tree, n, value);
}

static void fill_root(Gumbel *tree, const float *logits, float value)
{
    int n = tree->move_count;
    add_node(tree, n, value);
    for (int i = 0; i < n; i++) tree->edges[i] = (Edge){logits[i], 0, NO_NODE, 0, tree->moves[i]};
    plan_halving(tree, n < tree->options.candidates ? n : tree->options.candidates);
}

void gumbel_judge(Gumbel *tree, Board *board, const float *logits, float value)
{
    assert(tree->waiting);
    tree->waiting = false;
    if (!tree->path_len) {
        fill_root(tree, logits, value);
        return;
    }
    fill_inner(tree, logits, value);
    back_up(tree, board, value);
}

/* The most visited moves are those that were left at the end: the best of them is played. */
static Point final_move(const Gumbel *tree)
{
    int most = 0;
    for (int i = 0; i < tree->nodes[0].count; i++)
        if (tree->edges[i].visits > most) most = tree->edges[i].visits;
    return tree->edges[pick_root(tree, most)].point;
}

void gumbel_result(const Gumbel *tree, GumbelResult *result)
{
    const Node *root = &tree->nodes[0];
    float *policy = tree->scratch;
    assert(!tree->waiting && tree->done == tree->options.simulations);
    result->value = improve(tree, root, policy);
    result->move = final_move(tree);
    result->visits = root->visits;
    result->count = 0;
    for (int i = 0; i < root->count; i++) {
        int n = result->count;
        if (n == GUMBEL_BEST && policy[i] <= result->share[n - 1]) continue;
        int at = n < GUMBEL_BEST ? result->count++ : n - 1;
        for (; at > 0 && result->share[at - 1] < policy[i]; at--) {
            result->share[at] = result->share[at - 1];
            result->best[at] = result->best[at - 1];
        }
        result->share[at] = policy[i];
        result->best[at] = tree->edges[i].point;
    }
}
