/* SPDX-License-Identifier: MIT */
/* Bayesian Elo; see rating.h.
 *
 * Inside, a rating is a strength γ = 10^(elo/400), the advantage a factor θ on the first player's
 * and the draw Elo a factor δ ≥ 1 on the loser's:
 *
 *   P(first wins) = θγ₁ / (θγ₁ + δγ₂)     P(second wins) = γ₂ / (δθγ₁ + γ₂)
 *   P(draw)       = (δ² − 1) θγ₁γ₂ / ((θγ₁ + δγ₂)(δθγ₁ + γ₂))
 *
 * so that a draw weighs like a win and a loss together, and only δ² − 1 tells it from them. */
#include "play/rating.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NATURAL (2.302585092994046 / 400) /* of one Elo, in natural logarithms */

enum { ROUNDS_MAX = 200000, GRID = 300 };

/* All games of two players, virtual ones included. */
typedef struct {
    int player[2];
    double points[2][3]; /* with player[0], player[1] first: first won, draw, second won */
    double games;        /* real ones */
} Pair;

typedef struct {
    int count; /* players */
    Pair *pairs;
    int pair_count;
    int *of_player; /* numbers of pairs, player by player */
    int *of_end;    /* where those of player i end in of_player */
    double *log;    /* rating of each, natural logarithm of γ */
    double *gamma;  /* γ of each */
    double *won;    /* points that the numerators of the likelihood have for each */
    double *below;  /* scratch of a round: denominators */
    bool *is_fixed; /* anchors */
    bool has_anchor;
    double theta, delta;
} Model;

/* --- building it ----------------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    int by_first = (x->player[0] > y->player[0]) - (x->player[0] < y->player[0]);
    return by_first ? by_first : (x->player[1] > y->player[1]) - (x->player[1] < y->player[1]);
}

/* One pair for the rows of both orders. */
static void model_pairs(Model *model, const Results *results)
{
    model->pairs = mem_zero(((size_t)results->row_count + 1) * sizeof *model->pairs);
    for (int i = 0; i < results->row_count; i++) {
        const ResultRow *row = &results->rows[i];
        if (row->wins + row->draws + row->losses == 0) continue;
        bool turned = row->first > row->second;
        Pair *pair = &model->pairs[model->pair_count++];
        pair->player[turned] = row->first;
        pair->player[!turned] = row->second;
        double *points = pair->points[turned];
        points[0] = (double)row->wins;
        points[1] = (double)row->draws;
        points[2] = (double)row->losses;
        pair->games = points[0] + points[1] + points[2];
    }
    qsort(model->pairs, (size_t)model->pair_count, sizeof *model->pairs, compare_pairs);
    int kept = 0;
    for (int i = 0; i < model->pair_count; i++) {
        Pair *last = kept ? &model->pairs[kept - 1] : NULL, *pair = &model->pairs[i];
        if (!last || compare_pairs(last, pair) != 0) {
            model->pairs[kept++] = *pair;
            continue;
        }
        for (int k = 0; k < 6; k++) last->points[k / 3][k % 3] += pair->points[k / 3][k % 3];
        last->games += pair->games;
    }
    model->pair_count = kept;
}

static void model_list_pairs(Model *model)
{
    model->of_player = mem_alloc((2 * (size_t)model->pair_count + 1) * sizeof *model->of_player);
    model->of_end = mem_zero(((size_t)model->count + 1) * sizeof *model->of_end);
    int *end = model->of_end;
    for (int i = 0; i < 2 * model->pair_count; i++) end[model->pairs[i / 2].player[i % 2] + 1]++;
    for (int p = 0; p < model->count; p++) end[p + 1] += end[p]; /* where they begin, for now */
    for (int i = 0; i < 2 * model->pair_count; i++)
        model->of_player[end[model->pairs[i / 2].player[i % 2]]++] = i / 2;
}

static int pairs_begin(const Model *model, int player)
{
    return player ? model->of_end[player - 1] : 0;
}

/* A quarter of `prior` from each of the two, once with either of them first. */
static void model_prior(Model *model, double prior)
{
    double *games = mem_zero((size_t)model->count * sizeof *games);
    for (int i = 0; i < 2 * model->pair_count; i++)
        games[model->pairs[i / 2].player[i % 2]] += model->pairs[i / 2].games;
    for (int i = 0; i < model->pair_count; i++) {
        Pair *pair = &model->pairs[i];
        double share =
            prior / 4 * pair->games * (1 / games[pair->player[0]] + 1 / games[pair->player[1]]);
        pair->points[0][1] += share;
        pair->points[1][1] += share;
    }
    mem_free(games);
}

static void model_count_points(Model *model)
{
    for (int i = 0; i < 2 * model->pair_count; i++) {
        const Pair *pair = &model->pairs[i / 2];
        const double *points = pair->points[i % 2];
        model->won[pair->player[i % 2]] += points[0] + points[1];
        model->won[pair->player[!(i % 2)]] += points[2] + points[1];
    }
}

static int group_of(int *group, int player)
{
    while (group[player] != player) player = group[player] = group[group[player]];
    return player;
}

/* Every player must be comparable with every other one, through games or through anchors. */
static bool model_check(const Model *model, const Results *results, Err *err)
{
    int *group = mem_alloc((size_t)model->count * sizeof *group), anchor = -1, stranger = -1;
    for (int i = 0; i < model->count; i++) group[i] = i;
    for (int i = 0; i < model->pair_count; i++)
        group[group_of(group, model->pairs[i].player[0])] =
            group_of(group, model->pairs[i].player[1]);
    for (int i = 0; i < model->count; i++) {
        if (!model->is_fixed[i]) continue;
        if (anchor >= 0) group[group_of(group, i)] = group_of(group, anchor);
        anchor = i;
    }
    for (int i = 1; i < model->count && stranger < 0; i++)
        if (group_of(group, i) != group_of(group, 0)) stranger = i;
    mem_free(group);
    if (stranger < 0) return true;
    return err_set(err,
                   "%s and %s cannot be compared: no chain of games leads from one to the other "
                   "(rate such groups apart, or anchor a player in each)",
                   results->names[0], results->names[stranger]);
}

static void model_open(Model *model, const Results *results, const RatingPlan *plan, double scale)
{
    size_t count = (size_t)results->player_count;
    *model = (Model){.count = results->player_count};
    model->log = mem_zero(count * sizeof *model->log);
    model->gamma = mem_zero(count * sizeof *model->gamma);
    model->won = mem_zero(count * sizeof *model->won);
    model->below = mem_zero(count * sizeof *model->below);
    model->is_fixed = mem_zero(count * sizeof *model->is_fixed);
    model->theta = exp(plan->advantage * NATURAL);
    model->delta = exp(plan->draw_elo * NATURAL);
    model->has_anchor = plan->anchor_count > 0;
    double mean = 0;
    for (int i = 0; i < plan->anchor_count; i++)
        mean += plan->anchors[i].elo / plan->anchor_count * NATURAL / scale;
    for (int i = 0; i < model->count; i++) model->log[i] = mean;
    for (int i = 0; i < plan->anchor_count; i++) {
        model->is_fixed[plan->anchors[i].player] = true;
        model->log[plan->anchors[i].player] = plan->anchors[i].elo * NATURAL / scale;
    }
    model_pairs(model, results);
    model_list_pairs(model);
    model_prior(model, plan->prior);
    model_count_points(model);
}

static void model_close(Model *model)
{
    mem_free(model->pairs);
    mem_free(model->of_player);
    mem_free(model->of_end);
    mem_free(model->log);
    mem_free(model->gamma);
    mem_free(model->won);
    mem_free(model->below);
    mem_free(model->is_fixed);
}

/* --- the maximum ----------------------------------------------------------------------------- */

static void model_centre(Model *model)
{
    if (model->has_anchor) return;
    double mean = 0;
    for (int i = 0; i < model->count; i++) mean += model->log[i] / model->count;
    for (int i = 0; i < model->count; i++) model->log[i] -= mean;
}

/* What the fits of advantage and draw Elo need to know of a round. */
typedef struct {
    double first_points, draws;      /* numerators of θ and of δ² − 1 */
    double theta_below, delta_below; /* sums over the denominators */
} Totals;

/* Adds up 1 / denominator for everybody who stands in it, over all games. */
static Totals model_sums(Model *model)
{
    Totals totals = {0};
    double theta = model->theta, delta = model->delta;
    memset(model->below, 0, (size_t)model->count * sizeof *model->below);
    for (int i = 0; i < model->count; i++) model->gamma[i] = exp(model->log[i]);
    for (int i = 0; i < 2 * model->pair_count; i++) {
        const Pair *pair = &model->pairs[i / 2];
        int first = pair->player[i % 2], second = pair->player[!(i % 2)];
        const double *points = pair->points[i % 2];
        double a = model->gamma[first], b = model->gamma[second];
        double win = (points[0] + points[1]) / (theta * a + delta * b);
        double loss = (points[2] + points[1]) / (delta * theta * a + b);
        model->below[first] += theta * (win + delta * loss);
        model->below[second] += delta * win + loss;
        totals.first_points += points[0] + points[1];
        totals.draws += points[1];
        totals.theta_below += a * (win + delta * loss);
        totals.delta_below += b * win + theta * a * loss;
    }
    return totals;
}

/* One round of MM: returns the largest change, in natural logarithms. */
static double model_round(Model *model, const RatingPlan *plan)
{
    Totals totals = model_sums(model);
    double most = 0;
    for (int i = 0; i < model->count; i++) {
        if (model->is_fixed[i]) continue;
        double next = log(model->won[i] / model->below[i]);
        most = fmax(most, fabs(next - model->log[i]));
        model->log[i] = next;
    }
    if (plan->fit_advantage && totals.theta_below > 0) {
        double next = totals.first_points / totals.theta_below;
        most = fmax(most, fabs(log(next / model->theta)));
        model->theta = next;
    }
    if (plan->fit_draw && totals.delta_below > 0) {
        /* δ that makes draws · ln(δ² − 1) − δ · below largest */
        double half = totals.draws / totals.delta_below, next = half + sqrt(half * half + 1);
        most = fmax(most, fabs(log(next / model->delta)));
        model->delta = next;
    }
    model_centre(model);
    return most;
}

static int model_fit(Model *model, const RatingPlan *plan)
{
    int round = 0;
    while (round < ROUNDS_MAX) {
        round++;
        if (model_round(model, plan) < 1e-9) break;
    }
    return round;
}

/* --- error bars ------------------------------------------------------------------------------ */

/* ln(1 + e^x) without overflow. */
static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Log-likelihood of all games of a player if his rating were `shift` higher against the others. */
static double likelihood_at(const Model *model, int player, double shift)
{
    double theta = log(model->theta), delta = log(model->delta), sum = 0;
    for (int k = pairs_begin(model, player); k < model->of_end[player]; k++) {
        const Pair *pair = &model->pairs[model->of_player[k]];
        bool second = pair->player[1] == player;
        double lead = model->log[pair->player[0]] - model->log[pair->player[1]];
        lead += second ? -shift : shift;
        const double *here = pair->points[0], *there = pair->points[1];
        if (theta == 0) { /* the usual case: who is first does not matter */
            sum -= (here[0] + here[1] + there[2] + there[1]) * softplus(delta - lead);
            sum -= (here[2] + here[1] + there[0] + there[1]) * softplus(delta + lead);
            continue;
        }
        sum -= (here[0] + here[1]) * softplus(delta - lead - theta);
        sum -= (here[2] + here[1]) * softplus(delta + lead + theta);
        sum -= (there[0] + there[1]) * softplus(delta + lead - theta);
        sum -= (there[2] + there[1]) * softplus(delta - lead + theta);
    }
    return sum;
}

typedef struct {
    double low, high; /* natural logarithms, around 0 */
} Interval;

/* How far from the maximum the likelihood matters: e^−18 of it, or the limit. */
static double reach(const Model *model, int player, double stretch, double limit, double sign)
{
    enum { NEGLIGIBLE = 18 };
    double top = likelihood_at(model, player, 0), step = 10 * NATURAL;
    while (step < limit && top - likelihood_at(model, player, sign * step * stretch) < NEGLIGIBLE)
        step *= 1.5;
    return fmin(step, limit);
}

/* limit: how far the rating may be, down and up. */
static Interval interval_of(const Model *model, int player, double confidence, double stretch,
                            const Interval *limit)
{
    double low = -reach(model, player, stretch, -limit->low, -1);
    double high = reach(model, player, stretch, limit->high, 1);
    double step = (high - low) / GRID, top = likelihood_at(model, player, 0), sum = 0;
    double weight[GRID];
    for (int i = 0; i < GRID; i++) {
        double at = low + (i + 0.5) * step;
        weight[i] = exp(likelihood_at(model, player, at * stretch) - top);
        sum += weight[i];
    }
    double tail = (1 - confidence) / 2 * sum, cut = 0;
    Interval interval = {low, high};
    for (int i = 0; i < GRID; cut += weight[i++]) {
        if (cut + weight[i] < tail) continue;
        interval.low = low + (i + (tail - cut) / weight[i]) * step;
        break;
    }
    cut = 0;
    for (int i = GRID; i-- > 0; cut += weight[i]) {
        if (cut + weight[i] < tail) continue;
        interval.high = low + (i + 1 - (tail - cut) / weight[i]) * step;
        break;
    }
    return interval;
}

/* --- superiority ----------------------------------------------------------------------------- */

/* Second derivatives of −log-likelihood; anchors have rows of the identity, and without any the
 * last player stands still, since only differences matter. */
static double *information(const Model *model)
{
    size_t n = (size_t)model->count;
    double *matrix = mem_zero(n * n * sizeof *matrix);
    for (int i = 0; i < 2 * model->pair_count; i++) {
        const Pair *pair = &model->pairs[i / 2];
        size_t a = (size_t)pair->player[i % 2], b = (size_t)pair->player[!(i % 2)];
        const double *points = pair->points[i % 2];
        double lead = model->log[a] - model->log[b] + log(model->theta), delta = log(model->delta);
        double win = 1 / (1 + exp(delta - lead)), loss = 1 / (1 + exp(delta + lead));
        double value =
            (points[0] + points[1]) * win * (1 - win) + (points[2] + points[1]) * loss * (1 - loss);
        matrix[a * n + a] += value;
        matrix[b * n + b] += value;
        matrix[a * n + b] -= value;
        matrix[b * n + a] -= value;
    }
    for (size_t i = 0; i < n; i++) {
        if (!model->is_fixed[i] && (model->has_anchor || i + 1 < n)) continue;
        for (size_t k = 0; k < n; k++) matrix[i * n + k] = matrix[k * n + i] = i == k;
    }
    return matrix;
}

/* In place; the matrix is symmetric and positive definite (Cholesky, then column by column). */
static void invert(double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = matrix[i * n + k];
            for (size_t m = 0; m < k; m++) sum -= matrix[i * n + m] * matrix[k * n + m];
            matrix[i * n + k] = i == k ? sqrt(fmax(sum, 1e-300)) : sum / matrix[k * n + k];
        }
    double *inverse = mem_zero(n * n * sizeof *inverse);
    for (size_t column = 0; column < n; column++) { /* rows of inverse, which is symmetric */
        double *x = inverse + column * n;
        for (size_t i = column; i < n; i++) {
            double sum = i == column;
            for (size_t m = column; m < i; m++) sum -= matrix[i * n + m] * x[m];
            x[i] = sum / matrix[i * n + i];
        }
        for (size_t i = n; i-- > 0;) {
            double sum = x[i];
            for (size_t m = i + 1; m < n; m++) sum -= matrix[m * n + i] * x[m];
            x[i] = sum / matrix[i * n + i];
        }
    }
    memcpy(matrix, inverse, n * n * sizeof *matrix);
    mem_free(inverse);
}

static void find_superiority(const Model *model, Rating *rating)
{
    size_t n = (size_t)model->count;
    double *covariance = information(model);
    invert(covariance, n);
    for (size_t i = 0; i < n; i++) { /* those who stand still have no variance */
        if (!model->is_fixed[i] && (model->has_anchor || i + 1 < n)) continue;
        covariance[i * n + i] = 0;
    }
    rating->los = mem_alloc(n * n * sizeof *rating->los);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            size_t a = (size_t)rating->players[i].player, b = (size_t)rating->players[k].player;
            double variance =
                covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[a * n + b];
            double lead = model->log[a] - model->log[b];
            rating->los[i * n + k] = i == k || (lead == 0 && variance <= 0)
                                         ? 0.5
                                         : 0.5 * erfc(-lead / sqrt(2 * fmax(variance, 1e-300)));
        }
    mem_free(covariance);
}

/* --- all together ---------------------------------------------------------------------------- */

static int compare_rated(const void *a, const void *b)
{
    const RatedPlayer *x = a, *y = b;
    int by_elo = (x->elo < y->elo) - (x->elo > y->elo);
    return by_elo ? by_elo : (x->player > y->player) - (x->player < y->player);
}

static void count_games(const Results *results, RatedPlayer *players)
{
    for (int i = 0; i < 2 * results->row_count; i++) {
        const ResultRow *row = &results->rows[i / 2];
        RatedPlayer *own = &players[i % 2 ? row->second : row->first];
        const RatedPlayer *other = &players[i % 2 ? row->first : row->second];
        int64_t games = row->wins + row->draws + row->losses;
        own->games += games;
        own->score += (double)(i % 2 ? row->losses : row->wins) + (double)row->draws / 2;
        own->draws += (double)row->draws;
        own->opponents += (double)games * other->elo;
    }
    for (int i = 0; i < results->player_count; i++) {
        double games = players[i].games ? (double)players[i].games : 1;
        players[i].score /= games;
        players[i].draws /= games;
        players[i].opponents /= games;
    }
}

/* BayesElo stretches its Elo so that, whatever the draws, a small difference in Elo means the same
 * difference in score as in chess. */
static double scale_of(double draw_elo)
{
    double x = exp(-draw_elo * NATURAL);
    return 4 * x / ((1 + x) * (1 + x));
}

static void rate_players(const Model *model, const RatingPlan *plan, double scale,
                         RatedPlayer *players)
{
    double mean = 0, offset = model->has_anchor ? 0 : plan->offset;
    for (int i = 0; i < model->count; i++) mean += model->log[i] / model->count;
    /* Others move the other way, so less of the way is this player's own; not with anchors. */
    double stretch =
        model->has_anchor || model->count < 2 ? 1 : (double)model->count / (model->count - 1);
    for (int i = 0; i < model->count; i++) {
        RatedPlayer *player = &players[i];
        *player = (RatedPlayer){.player = i};
        player->elo = model->log[i] / NATURAL * scale + offset;
        if (model->is_fixed[i]) continue;
        double off = model->log[i] - mean, range = plan->range * NATURAL;
        /* Who is beyond the range all the same gets as much again. */
        while (fabs(off) > 0.95 * range) range *= 1.5;
        Interval limit = {-range - off, range - off};
        Interval found = interval_of(model, i, plan->confidence, stretch, &limit);
        player->plus = found.high / NATURAL * scale;
        player->minus = -found.low / NATURAL * scale;
    }
}

bool rating_run(const Results *results, const RatingPlan *plan, bool los, Rating *rating, Err *err)
{
    Model model;
    *rating = (Rating){0};
    assert(plan->prior > 0 && plan->confidence > 0 && plan->confidence < 1);
    for (int i = 0; i < plan->anchor_count; i++)
        if (plan->anchors[i].player < 0 || plan->anchors[i].player >= results->player_count)
            return err_set(err, "anchor %d is no player", i + 1);
    if (results_games(results) == 0) return err_set(err, "there are no games to rate");
    model_open(&model, results, plan, scale_of(plan->draw_elo));
    if (!model_check(&model, results, err)) {
        model_close(&model);
        return false;
    }
    rating->rounds = model_fit(&model, plan);
    rating->advantage = log(model.theta) / NATURAL;
    rating->draw_elo = log(model.delta) / NATURAL;
    rating->count = model.count;
    rating->players = mem_zero((size_t)model.count * sizeof *rating->players);
    /* With anchors the scale is what they were put in with. */
    double draw_elo = model.has_anchor ? plan->draw_elo : rating->draw_elo;
    rate_players(&model, plan, scale_of(draw_elo), rating->players);
    count_games(results, rating->players);
    qsort(rating->players, (size_t)rating->count, sizeof *rating->players, compare_rated);
    if (los) find_superiority(&model, rating);
    model_close(&model);
    return true;
}

void rating_free(Rating *rating)
{
    mem_free(rating->players);
    mem_free(rating->los);
    *rating = (Rating){0};
}
