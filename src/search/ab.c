/* SPDX-License-Identifier: MIT */
/* Alpha-beta: principal variation search over one worker's board.
 *
 * A node first asks what the two sides could make next (moves.h): that settles most forced
 * positions without search and names the few moves that matter in the rest. At the leaves a search
 * for consecutive fours replaces quiescence search. Its numbers are search/params.h's. */
#include "search/worker.h"

#include "base/os.h"
#include "search/moves.h"

#include <assert.h>
#include <string.h>

enum { SCORE_HASH = 1 << 28, PLY = 16 /* depths are counted in sixteenths of a ply */ };

/* --- time ------------------------------------------------------------------------------------ */

/* Nodes between two looks at the clock: a look costs a thirtieth of a node, a node on a large board
 * a fifth of a millisecond. */
enum { CLOCK_NODES = 32 };

/* Has all the work together come to its end? Whoever notices stops the others: one that the system
 * lets wait would else keep them from stopping. */
static bool spent(const Worker *w)
{
    const Shared *shared = w->shared;
    return shared->node_limit &&
           atomic_load_explicit(&shared->nodes_told, memory_order_relaxed) + w->nodes -
                   atomic_load_explicit(&w->nodes_shown, memory_order_relaxed) >=
               shared->node_limit;
}

static bool must_stop(Worker *w)
{
    Shared *shared = w->shared;
    bool over = spent(w);
    if (--w->patience <= 0) {
        w->patience = CLOCK_NODES;
        worker_show_nodes(w);
        over |= os_clock_ns() >= atomic_load_explicit(&shared->deadline_ns, memory_order_relaxed);
    }
    if (over) atomic_store_explicit(&shared->stop, true, memory_order_relaxed);
    return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

/* --- small parts ----------------------------------------------------------------------------- */

static int to_table(int score, int ply)
{
    return score >= SCORE_MATE ? score + ply : score <= -SCORE_MATE ? score - ply : score;
}

static int from_table(int score, int ply)
{
    return score >= SCORE_MATE ? score - ply : score <= -SCORE_MATE ? score + ply : score;
}

static void pv_set(Frame *f, Point move)
{
    const Frame *below = f + 1;
    int n = below->pv_len < SEARCH_PLY_MAX - 1 ? below->pv_len : SEARCH_PLY_MAX - 1;
    f->pv[0] = move;
    memcpy(f->pv + 1, below->pv, (size_t)n * sizeof *f->pv);
    f->pv_len = n + 1;
}

/* Late moves are searched less deep: ln(depth)·ln(number) plies, as most engines have it. */
static int reduction(const SearchParams *params, int plies, int number)
{
    static const uint8_t log16[64] = {
        /* 16·ln(n) */
        0,  0,  11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
        49, 50, 51, 52, 52, 53, 53, 54, 54, 55, 55, 56, 56, 57, 57, 58, 58, 59, 59, 59, 60, 60,
        61, 61, 61, 62, 62, 62, 63, 63, 63, 64, 64, 64, 64, 65, 65, 65, 66, 66, 66, 66};
    int d = plies < 63 ? plies : 63, n = number < 63 ? number : 63;
    return log16[d] * log16[n] / PLY * params->reduce / 100;
}

/* Adds to what is remembered, less the nearer it is to `most`, which it never passes. */
static void remember(int16_t *entry, int step, int most)
{
    *entry = (int16_t)(*entry + step - *entry * (step < 0 ? -step : step) / most);
}

/* What is remembered of a move as an answer to the one before. */
static int16_t *answer_at(Worker *w, Point last, Point p, Colour us)
{
    enum { STRIDE = 601 }; /* most boards have fewer points: the answers to a move lie together */
    return &w->answers[((uint32_t)last * STRIDE + p) % (1 << ANSWER_BITS)][us];
}

/* A move was good or bad here. */
static void remember_move(Worker *w, Point last, Point p, int step)
{
    Colour us = w->board->side;
    remember(&w->history[p][us], step, HISTORY_MAX);
    if (w->shared->params.answers) remember(answer_at(w, last, p, us), step, HISTORY_MAX);
}

static void reward(Worker *w, Frame *f, Point best, const Point *tried, int tried_count, int depth)
{
    Point last = board_last_point(w->board);
    int plies = depth / PLY, bonus = plies * plies * 8 < 1200 ? plies * plies * 8 : 1200;
    remember_move(w, last, best, bonus);
    for (int i = 0; i < tried_count; i++)
        if (tried[i] != best) remember_move(w, last, tried[i], -bonus);
    if (f->killer[0] != best) {
        f->killer[1] = f->killer[0];
        f->killer[0] = best;
    }
    if (last) w->counter[last][w->board->side] = best;
}

/* --- ordering -------------------------------------------------------------------------------- */

/* A move and how good it looks in one number, so that ties go to the smaller point. */
static int64_t key_of(int score, Point p)
{
    return (int64_t)score * 65536 + (65535 - p);
}

static Point key_point(int64_t key)
{
    return (Point)(65535 - (key & 65535));
}

static int key_score(int64_t key)
{
    return (int)(key >> 16);
}

/* Puts the table's move first, if it is among them. */
static bool hash_first(Point hash_move, Point *moves, int n)
{
    int at = 0;
    while (at < n && moves[at] != hash_move) at++;
    if (at == n) return false;
    moves[at] = moves[0];
    moves[0] = hash_move;
    return true;
}

static void score_moves(Worker *w, const Frame *f, const Point *moves, int n, int64_t *keys)
{
    Colour us = w->board->side;
    Point last = board_last_point(w->board);
    Point answer = last ? w->counter[last][us] : POINT_NONE;
    const SearchParams *params = &w->shared->params;
    int *scores = w->scores;
    w->eval->kind->policy(w->eval, w->board, moves, n, scores);
    for (int i = 0; i < n; i++) {
        Point p = moves[i];
        int score = scores[i] + w->history[p][us] / params->history;
        if (p == f->killer[0] || p == f->killer[1]) score += params->killer;
        if (p == answer) score += params->counter;
        if (params->answers) score += *answer_at(w, last, p, us) * params->answers / 1024;
        keys[i] = key_of(score, p);
    }
}

/* Brings the best of the rest to the front. Two plain loops that compilers make vectors of. */
static int64_t pick(int64_t *keys, int from, int n)
{
    int64_t best = keys[from];
    int at = from;
    for (int i = from + 1; i < n; i++) best = keys[i] > best ? keys[i] : best;
    while (keys[at] != best) at++;
    keys[at] = keys[from];
    keys[from] = best;
    return best;
}

/* --- the evaluation, corrected --------------------------------------------------------------- */

/* How far searches found the evaluation to be off after these two moves, and after the last of them
 * whatever was before. They say which fight is on, and what is misjudged in it is so whatever else
 * is played. Stockfish's correction history is the idea; it goes by the pawns. */
static int16_t *correction_at(Worker *w)
{
    const Board *board = w->board;
    uint32_t last = board_last_point(board), before = board_last_but_one(board);
    uint32_t place = (last * 64 + last / 256 + before * 7919) % (1 << CORRECTION_BITS);
    return &w->correction[place][board->side];
}

static int16_t *correction_last_at(Worker *w)
{
    return &w->correction_last[board_last_point(w->board)][w->board->side];
}

/* A search came to `best`, which says something if it lies beyond its bound. */
static void correction_learn(Worker *w, int eval, int best, int depth)
{
    enum { STEP_MOST = CORRECTION_MAX / 4, DEPTH_MOST = 16, DEPTH_ONE = 8 };
    int plies = depth / PLY < DEPTH_MOST ? depth / PLY : DEPTH_MOST;
    int step = (best - eval) * plies / DEPTH_ONE;
    step = step > STEP_MOST ? STEP_MOST : step < -STEP_MOST ? -STEP_MOST : step;
    remember(correction_at(w), step, CORRECTION_MAX);
    remember(correction_last_at(w), step, CORRECTION_MAX);
}

static int evaluate(Worker *w)
{
    const SearchParams *params = &w->shared->params;
    int value = w->eval->kind->value(w->eval, w->board);
    if (!params->correct && !params->correct_last) return value;
    value += *correction_at(w) * params->correct / CORRECTION_MAX +
             *correction_last_at(w) * params->correct_last / CORRECTION_MAX;
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}

/* --- leaves ---------------------------------------------------------------------------------- */

static int fours_score(Worker *w, int ply, int64_t nodes)
{
    if (!vcf_is_likely(w->board)) return 0;
    VcfLimits limits = {.nodes = nodes, .keen = true, .stop = &w->shared->stop};
    VcfResult result;
    Verdict verdict = vcf_search(w->vcf, w->board, &limits, &result);
    w->nodes += result.nodes;
    return verdict == SOLVE_WIN ? score_win_in(ply + result.plies) : 0;
}

static int search(Worker *w, int alpha, int beta, int depth, int ply, bool cut);

/* The only answer to a four is played without counting it. `fresh`: the table does not know the
 * position, which other lines may come to as well. */
static int leaf(Worker *w, int alpha, int beta, Threat threat, int ply, int known, bool fresh)
{
    if (threat == THREAT_THEY_FIVE) {
        Point moves[4 * 2 * WIN_MAX + 1];
        int n = moves_list(w->board, threat, moves);
        int best = score_loss_in(ply + 2);
        for (int i = 0; i < n; i++) {
            worker_play(w, moves[i]);
            int score = -search(w, -beta, -alpha, 0, ply + 1, false);
            worker_undo(w);
            if (score > best) best = score;
            if (best >= beta) break;
            if (best > alpha) alpha = best;
        }
        return best;
    }
    int value = known != SCORE_INFINITE ? known : evaluate(w);
    if (w->shared->look && w->id == 0) w->shared->look(w->shared->look_ctx, w->board);
    /* Above beta a win by fours would not change the cut. */
    int win = value >= beta ? 0 : fours_score(w, ply, w->shared->params.leaf_fours);
    int score = win ? win : value;
    if (fresh && w->eval->kind->dear)
        tt_store(w->shared->tt, w->board->hash,
                 (TtEntry){.move = POINT_NONE,
                           .value = (int16_t)to_table(score, ply),
                           .eval = (int16_t)value,
                           .bound = value >= beta ? BOUND_LOWER : BOUND_EXACT});
    return score;
}

/* --- the node -------------------------------------------------------------------------------- */

typedef struct {
    int depth; /* sixteenths of a ply */
    int ply;
    int guess; /* what the position is probably worth */
    bool pv, cut, improving;
    Threat threat;
    TtEntry entry;
    bool hit;
} Node;

/* How much deeper than usual the hash move is searched: more if nothing else comes near it. Sets
 * *cutoff when so many moves beat beta that the node can be given up. */
static int singular(Worker *w, const Node *node, int beta, int *cutoff)
{
    const SearchParams *params = &w->shared->params;
    Frame *f = &w->frames[node->ply];
    if (node->depth < params->singular_depth * PLY || f->excluded ||
        node->entry.bound == BOUND_UPPER || node->entry.depth < node->depth / PLY - 3 ||
        score_is_mate(node->entry.value))
        return params->hash_more;
    int target = node->entry.value - params->singular * node->depth / PLY;
    f->excluded = node->entry.move;
    int score = search(w, target - 1, target, (node->depth - PLY) / 2, node->ply, node->cut);
    f->excluded = POINT_NONE;
    if (score < target - params->singular_far && !node->pv)
        return params->singular_more + params->singular_far_more;
    if (score < target) return params->singular_more;
    if (target >= beta)
        *cutoff = target; /* multi-cut */
    else if (node->entry.value >= beta)
        return -params->singular_less;
    return 0;
}

/* A move that is being looked at. */
typedef struct {
    Point point;
    int number; /* 1 is the first */
    int below;  /* how much worse it looks than the best-looking one */
    bool quiet; /* neither a threat, unless idle, nor the breaking of a double one */
    bool four;
    bool idle; /* a four that only puts off what is to come */
} Try;

/* To take a point where they would have a four and no three is quiet: such moves are good no more
 * often than others. */
static Try try_of(const Board *board, Point p, int number, int below)
{
    Class own = board_class(board, p, board->side);
    Class theirs = board_class(board, p, colour_other(board->side));
    bool idle = vcf_is_idle(board, p);
    bool breaks = theirs == CLASS_DOUBLE_OPEN_THREE || theirs >= CLASS_FOUR_THREE;
    bool quiet = (own < CLASS_OPEN_THREE || idle) && !breaks;
    return (Try){p, number, below, quiet, own >= CLASS_FOUR, idle};
}

/* How much less deep a move is looked at first. */
static int reduction_of(const Worker *w, const Node *node, const Try *try)
{
    const SearchParams *params = &w->shared->params;
    const Frame *f = &w->frames[node->ply];
    Colour us = colour_other(w->board->side); /* the move is on the board already */
    bool killer = try->point == f->killer[0] || try->point == f->killer[1];
    int less = reduction(params, node->depth / PLY, try->number);
    int policy = (try->below - params->reduce_policy_free) / params->reduce_policy;
    less += policy > params->reduce_policy_most ? params->reduce_policy_most
            : policy < -8                       ? -8
                                                : policy;
    if (node->pv || (node->hit && node->entry.pv)) less -= params->reduce_pv;
    if (node->cut && !killer) less += params->reduce_cut;
    if (!node->improving) less += params->reduce_worse;
    if (!try->quiet) less -= params->reduce_attack;
    if (try->idle) less += params->reduce_idle;
    if (killer) less -= params->reduce_killer;
    if (node->threat == THREAT_THEY_FOUR) less -= params->reduce_defence;
    return less - w->history[try->point][us] / params->reduce_history;
}

/* Searches a move, already played, with full or null window as its place in the list asks. */
static int search_move(Worker *w, const Node *node, const Try *try, int alpha, int beta, int best,
                       int new_depth)
{
    int score, ply = node->ply + 1, depth = new_depth;
    if (try->number == 1)
        return -search(w, -beta, -alpha, new_depth, ply, node->pv ? false : !node->cut);
    if (node->depth >= 2 * PLY) {
        int less = reduction_of(w, node, try);
        if (less > 0) depth -= less;
        if (depth < PLY) depth = new_depth < PLY ? new_depth : PLY;
    }
    score = -search(w, -alpha - 1, -alpha, depth, ply, true);
    if (score > alpha && depth < new_depth) {
        /* Much better than hoped: look deeper; hardly better: not so deep. */
        if (score > alpha + w->shared->params.again_deeper) new_depth += PLY;
        if (score < best + new_depth / PLY) new_depth -= PLY;
        if (depth < new_depth) score = -search(w, -alpha - 1, -alpha, new_depth, ply, !node->cut);
    }
    if (score > alpha && score < beta) score = -search(w, -beta, -alpha, new_depth, ply, false);
    return score;
}

static int late_move_count(const SearchParams *params, const Node *node)
{
    static const uint8_t counts[16] = {3, 4, 6, 8, 11, 13, 16, 20, 23, 27, 30, 34, 38, 42, 46, 51};
    int plies = node->depth / PLY;
    int count = counts[plies < 15 ? plies : 15] * params->late; /* 3 + depth^1.43 */
    if (!node->improving) count = count * params->late_worse / 100 + 100;
    return (node->pv ? count * params->late_pv / 100 : count) / 100;
}

/* Could a move still matter, so far down the list or below the window? Attacks may, unless they are
 * threes that look bad. */
static bool is_hopeless(const SearchParams *params, const Node *node, int eval, const Try *try,
                        int best, int alpha)
{
    if (try->number == 1 || best <= -SCORE_MATE || node->threat != THREAT_NONE) return false;
    if (try->quiet && try->number >= late_move_count(params, node)) return true;
    if (node->pv || (try->four && !try->quiet)) return false;
    if (try->below > params->policy_prune + params->policy_prune_slope * node->depth / PLY)
        return true;
    return try->quiet && node->depth < (params->futility_depth + 1) * PLY &&
           eval + params->futility + params->futility_slope * node->depth / PLY <= alpha;
}

static int keep_attacks(const Board *board, int64_t *keys, int from, int n)
{
    int kept = from;
    for (int i = from; i < n; i++)
        if (!try_of(board, key_point(keys[i]), 0, 0).quiet) keys[kept++] = keys[i];
    return kept;
}

static int search_moves(Worker *w, Node *node, int alpha, int beta)
{
    const SearchParams *params = &w->shared->params;
    Frame *f = &w->frames[node->ply];
    Board *board = w->board;
    int first = w->points_top;
    Point *moves = w->points + first;
    int64_t *keys = w->keys + first;
    int n = moves_list(board, node->threat, moves);
    int start = alpha, best = -SCORE_INFINITE, number = 0, look = -SCORE_INFINITE;
    Point best_move = POINT_NONE;
    if (n == 0) {
        if (node->threat != THREAT_NONE)
            return score_loss_in(node->ply + (node->threat == THREAT_THEY_FIVE ? 2 : 4));
        return 0; /* nowhere left to play */
    }
    w->points_top += n;
    assert(w->points_top < w->points_room);
    bool only = n == 1;
    Point hash_move = node->hit ? node->entry.move : POINT_NONE;
    /* The table's move often settles it: the others are not looked at before it has failed. */
    int looked = hash_move && hash_first(hash_move, moves, n) ? 1 : 0;

    /* A cut node far above beta will most likely be cut whatever the move: less depth will do. */
    bool likely_high = node->cut && !node->pv && node->threat == THREAT_NONE &&
                       node->guess >= beta + params->likely_high * node->depth / PLY;
    for (int i = 0; i < n; i++) {
        if (i == looked) score_moves(w, f, moves + i, n - i, keys + i);
        int64_t key = i < looked ? key_of(SCORE_HASH, hash_move) : pick(keys, i, n);
        Point p = moves[i] = key_point(key);
        int score = key_score(key);
        if (p == f->excluded) continue;
        if (score < SCORE_HASH && score > look) look = score;
        Try try = try_of(board, p, ++number, look - score);
        if (is_hopeless(params, node, f->eval, &try, best, alpha)) {
            /* What comes after it is no better: only attacks are still of interest. */
            if (try.quiet) n = keep_attacks(board, keys, i + 1, n);
            continue;
        }
        int cutoff = SCORE_INFINITE, extra = 0;
        if (node->threat == THREAT_THEY_FIVE && only)
            extra = params->forced;
        else if (p == hash_move && node->ply < 2 * w->root_depth)
            extra = singular(w, node, beta, &cutoff);
        if (cutoff != SCORE_INFINITE &&
            !atomic_load_explicit(&w->shared->stop, memory_order_relaxed)) {
            w->points_top = first; /* not kept: it was searched half as deep */
            return cutoff;
        }
        if (likely_high && board_class(board, p, board->side) < CLASS_FOUR)
            extra -= params->likely_high_less;
        tt_prefetch(w->shared->tt, board_hash_after(board, p)); /* on its way while we play */
        worker_play(w, p);
        score = search_move(w, node, &try, alpha, beta, best, node->depth - PLY + extra);
        worker_undo(w);
        if (atomic_load_explicit(&w->shared->stop, memory_order_relaxed)) {
            w->points_top = first;
            return 0;
        }
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = p;
                alpha = score;
                if (node->pv) pv_set(f, p);
                /* One improvement is found: the rest need not be looked at so closely. */
                if (node->depth > 2 * PLY && node->depth < 12 * PLY && score < beta)
                    node->depth -= params->found_less;
            }
        }
        if (alpha >= beta) {
            reward(w, f, p, moves, i < 32 ? i : 32, node->depth);
            break;
        }
    }
    w->points_top = first;
    if (best == -SCORE_INFINITE) return alpha; /* only the excluded move was there */
    if (!f->excluded && (params->correct || params->correct_last) && f->eval != SCORE_INFINITE &&
        !score_is_mate(best) && (best >= beta ? best > f->eval : best > start || best < f->eval))
        correction_learn(w, f->eval, best, node->depth);
    if (!f->excluded)
        tt_store(w->shared->tt, board->hash,
                 (TtEntry){.move = best_move,
                           .value = (int16_t)to_table(best, node->ply),
                           .eval = (int16_t)f->eval,
                           .depth = (int8_t)(node->depth < 127 * PLY ? node->depth / PLY : 127),
                           .bound = best >= beta   ? BOUND_LOWER
                                    : best > start ? BOUND_EXACT
                                                   : BOUND_UPPER,
                           .pv = node->pv});
    return best;
}

static bool table_settles(const Node *node, int score, int alpha, int beta)
{
    if (node->entry.depth < node->depth / PLY) return false;
    if (node->entry.bound == BOUND_EXACT) return true;
    return node->entry.bound == (score >= beta ? BOUND_LOWER : BOUND_UPPER) &&
           (score >= beta || score <= alpha);
}

static int search(Worker *w, int alpha, int beta, int depth, int ply, bool cut)
{
    Board *board = w->board;
    Frame *f = &w->frames[ply];
    const SearchParams *params = &w->shared->params;
    Node node = {.depth = depth, .ply = ply, .pv = beta - alpha > 1, .cut = cut};
    f->pv_len = 0;
    w->nodes++;
    if (ply > w->sel_depth) w->sel_depth = ply;
    if (must_stop(w)) return 0;
    if (board_is_full(board)) return 0;

    node.threat = moves_threat(board);
    if (node.threat == THREAT_WE_FIVE) return score_win_in(ply + 1);
    if (node.threat == THREAT_WE_FOUR) return score_win_in(ply + 3);
    if (ply >= SEARCH_PLY_MAX - 2) return evaluate(w);

    /* How fast a win can still be, and how soon a loss. */
    if (alpha < score_loss_in(ply + 2)) alpha = score_loss_in(ply + 2);
    if (beta > score_win_in(ply + w->fastest)) beta = score_win_in(ply + w->fastest);
    if (alpha >= beta) return alpha;

    if (!f->excluded) {
        node.hit = tt_probe(w->shared->tt, board->hash, &node.entry);
        if (node.hit && !node.pv) {
            int score = from_table(node.entry.value, ply);
            if (table_settles(&node, score, alpha, beta)) return score;
        }
    }
    int known = node.hit ? node.entry.eval : SCORE_INFINITE;
    if (depth < PLY) return leaf(w, alpha, beta, node.threat, ply, known, !node.hit);

    f->eval = node.threat == THREAT_THEY_FIVE ? SCORE_INFINITE
              : known != SCORE_INFINITE       ? known
                                              : evaluate(w);
    /* What a search found is a better guess than the evaluation, as far as its bound goes. */
    node.guess = f->eval;
    if (node.hit && node.threat != THREAT_THEY_FIVE && !score_is_mate(node.entry.value) &&
        (node.entry.bound & (node.entry.value > f->eval ? BOUND_LOWER : BOUND_UPPER)))
        node.guess = node.entry.value;
    const Frame *two = ply >= 2 ? f - 2 : NULL;
    node.improving = !two || two->eval == SCORE_INFINITE || f->eval > two->eval;
    (f + 1)->excluded = POINT_NONE;
    if (ply + 2 < SEARCH_PLY_MAX) (f + 2)->killer[0] = (f + 2)->killer[1] = POINT_NONE;

    if (!node.pv && !f->excluded && node.threat != THREAT_THEY_FIVE) {
        int wider = node.threat == THREAT_THEY_FOUR ? params->threatened : 0;
        int margin = params->reverse * (depth - (node.improving ? PLY : 0)) / PLY + wider;
        /* Who holds out against a mate has to show it. */
        if (depth < (params->reverse_depth + 1) * PLY && !score_is_mate(beta) &&
            node.guess - margin >= beta)
            return node.guess;
        int plies = depth / PLY;
        if (plies <= params->razor_depth && alpha > -SCORE_MATE &&
            node.guess + params->razor + params->razor_slope * plies * plies + wider <= alpha) {
            int score = leaf(w, alpha, alpha + 1, node.threat, ply, f->eval, false);
            if (score <= alpha) return score;
        }
    }
    if (depth >= params->internal_depth * PLY && (!node.hit || node.entry.move == POINT_NONE) &&
        node.threat == THREAT_NONE) {
        node.depth -= params->internal;
    } else if (node.pv && node.hit && node.entry.depth < depth / PLY - 3) {
        /* A principal variation that was not looked at for some iterations is not worth all. */
        int age = (depth / PLY - node.entry.depth) / params->stale;
        node.depth -= PLY * (age < 3 ? age : 3);
    }
    return search_moves(w, &node, alpha, beta);
}

/* --- the root -------------------------------------------------------------------------------- */

static int root_move(Worker *w, RootMove *move, int number, int alpha, int beta, int depth)
{
    int score = 0, full = (depth - 1) * PLY;
    worker_play(w, move->move);
    if (w->board->won != CELL_EMPTY) { /* below the root nobody plays on to see it */
        w->frames[1].pv_len = 0;
        worker_undo(w);
        return score_win_in(1);
    }
    if (number > 1) {
        int less = depth >= 3 && number > 2 ? reduction(&w->shared->params, depth, number) / 2 : 0;
        score = -search(w, -alpha - 1, -alpha, full - less, 1, true);
        if (less && score > alpha) score = -search(w, -alpha - 1, -alpha, full, 1, true);
    }
    if (number == 1 || (score > alpha && score < beta))
        score = -search(w, -beta, -alpha, full, 1, false);
    worker_undo(w);
    return score;
}

static void root_tell(const Worker *w, Point move, SearchEvent event)
{
    const Shared *shared = w->shared;
    if (w->id == 0 && shared->watch) shared->watch(shared->watch_ctx, move, event);
}

int ab_root(Worker *w, int alpha, int beta, int depth)
{
    int best = -SCORE_INFINITE;
    w->frames[0].eval = SCORE_INFINITE;
    w->frames[0].excluded = POINT_NONE;
    for (int i = w->root_first; i < w->root_count; i++) {
        RootMove *move = &w->root[i];
        root_tell(w, move->move, ROOT_TAKEN_UP);
        int score = root_move(w, move, i - w->root_first + 1, alpha, beta, depth);
        if (atomic_load_explicit(&w->shared->stop, memory_order_relaxed)) return best;
        root_tell(w, move->move, score <= -SCORE_MATE ? ROOT_LOST : ROOT_DONE);
        if (score > alpha || i == w->root_first) {
            move->score = score;
            move->depth = depth;
            pv_set(&w->frames[0], move->move);
            memcpy(move->pv, w->frames[0].pv, sizeof move->pv);
            move->pv_len = w->frames[0].pv_len;
        }
        if (score > best) {
            best = score;
            /* To the front, the others keep their order. */
            if (score > alpha || i == w->root_first) {
                RootMove front = *move;
                memmove(w->root + w->root_first + 1, w->root + w->root_first,
                        (size_t)(i - w->root_first) * sizeof *w->root);
                w->root[w->root_first] = front;
                root_tell(w, front.move, ROOT_BEST);
            }
        }
        if (score > alpha) alpha = score;
        if (alpha >= beta) break;
    }
    return best;
}
