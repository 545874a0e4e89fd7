/* SPDX-License-Identifier: MIT */
/* The learner table: the tabular ground that the network learners stand on, for tiny boards.
 *
 *   mc    Monte Carlo control: Q(s, a) is the mean of what games brought that went through it.
 *         No position comes twice in a game, so first and every visit are the same
 *   q     Q-learning: Q(s, a) ← Q(s, a) + α(r + max Q(s', ·) − Q(s, a)), s' being the opponent's:
 *         what is best for him is worst for us
 *   adp   the passive agent of adaptive dynamic programming: it follows a fixed policy (any legal
 *         point), writes down which action led where, and after each game works out the policy's
 *         value in that model. With improve the policy is the best by that value instead
 *
 * Both sides play by the same table. The share of moves by lot is ε = 1/k in the k-th iteration,
 * which is 5,000 games; q and adp keep exploring a fifth. The mean of mc forgets what is older than
 * fifty visits or so, since the policy was a worse one then. */
#include "learn/learner.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/tabular.h"
#include "game/ban.h"
#include "play/player_table.h"

enum { ITERATION = 5000, MEMORY = 50 };

typedef enum { METHOD_MC, METHOD_Q, METHOD_ADP } Method;

typedef struct {
    int method;
    double alpha;
    bool improve;
} TableOptions;

typedef struct {
    Learner head;
    TableOptions options;
    Tabular table;
    Board *board;
} TableLearner;

static const Opt table_opts[] = {
    {.name = "method",
     .type = OPT_CHOICE,
     .offset = offsetof(TableOptions, method),
     .standard = "q",
     .choices = "mc|q|adp",
     .help = "Monte Carlo control, Q-learning, or adaptive dynamic programming"},
    {.name = "alpha",
     .type = OPT_FLOAT,
     .offset = offsetof(TableOptions, alpha),
     .min = 1e-6,
     .max = 1,
     .standard = "0.5",
     .help = "learning rate of q"},
    {.name = "improve",
     .type = OPT_BOOL,
     .offset = offsetof(TableOptions, improve),
     .standard = "no",
     .help = "adp: improve the policy; otherwise it stays as it is, any legal point"},
    {0},
};

static const OptTable table_table = {
    .name = "table",
    .about = "Values of all positions of a tiny board, without a network. The player "
             "table:params=FILE plays with them.",
    .example = "goren learn table --method mc --size 3 --win 3 --games 100k --out ttt.params",
    .opts = table_opts,
};

/* ---- opening and saving ---- */

static bool load(TableLearner *t, const LearnerPlan *plan, Err *err)
{
    Params params;
    int64_t method = 0;
    if (!params_read(plan->path, table_table.name, &params, err)) return false;
    bool good = tabular_get(&t->table, &params, plan->path, err);
    if (good && (!learner_get_head(&t->head, &params, err) ||
                 !params_get(&params, "method", 0, METHOD_ADP, &method, err)))
        good = err_prefix(err, "%s", plan->path);
    if (good && !rules_equal(&t->table.rules, &plan->rules))
        good = err_set(err, "%s: is for %s %dx%d with %d in a row", plan->path,
                       rule_name(t->table.rules.kind), t->table.rules.width, t->table.rules.height,
                       t->table.rules.k);
    if (good && method != t->options.method)
        good = err_set(err, "%s: was learnt by another method; name that, or another file",
                       plan->path);
    params_free(&params);
    return good;
}

static void table_close(Learner *learner)
{
    TableLearner *t = (TableLearner *)learner;
    tabular_close(&t->table);
    if (t->board) board_close(t->board);
    mem_free(t);
}

static Learner *table_open(const LearnerPlan *plan, Err *err)
{
    TableLearner *t = mem_zero(sizeof *t);
    t->options = *(const TableOptions *)plan->options;
    bool good = tabular_check(&plan->rules, err);
    if (good && plan->path && os_file_exists(plan->path)) {
        good = load(t, plan, err);
    } else if (good) {
        rng_seed(&t->head.rng, plan->seed);
        tabular_open(&t->table, &plan->rules);
    }
    if (!good) return table_close(&t->head), NULL;
    t->board = board_open(&plan->rules, NEAR_ALL);
    return &t->head;
}

static void table_write(const Learner *learner, Params *params)
{
    const TableLearner *t = (const TableLearner *)learner;
    params_init(params, table_table.name);
    params_put(params, "method", t->options.method);
    learner_put_head(learner, params);
    tabular_put(&t->table, params);
}

static bool table_save(Learner *learner, bool safe, Err *err)
{
    return learner_write(learner, table_write, safe, err);
}

static Player *table_player(Learner *learner, Err *err)
{
    Params params;
    table_write(learner, &params);
    Player *player = player_table_from(&params, err);
    params_free(&params);
    return player;
}

/* ---- a game ---- */

static int legal_points(const Board *board, Point *points)
{
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (ban_allows(board, p, board->side)) points[n++] = p;
    }
    return n;
}

static double explore_share(const TableLearner *t)
{
    double least = t->options.method == METHOD_MC ? 0 : 0.2;
    if (t->options.method == METHOD_ADP && !t->options.improve) return 1;
    double share = 1 / (1 + (double)(t->head.games / ITERATION));
    return share > least ? share : least;
}

/* The best action by the table; by lot among equals. */
static Point best_point(TableLearner *t, TabularKey key, int row, const Point *points, int count)
{
    Point best = POINT_NONE;
    float most = -1;
    uint32_t equals = 0;
    for (int i = 0; i < count; i++) {
        float v = tabular_row(&t->table, row)[tabular_action(&t->table, key, points[i])].value;
        if (v < most) continue;
        equals = v > most ? 1 : equals + 1;
        most = v;
        if (equals == 1 || rng_below(&t->head.rng, equals) == 0) best = points[i];
    }
    return best;
}

static bool table_play(Learner *learner, Point *moves, bool *by_lot, LearnerGame *game, Err *err)
{
    (void)err;
    TableLearner *t = (TableLearner *)learner;
    Board *board = t->board;
    Point points[TABULAR_POINTS_MAX];
    double share = explore_share(t);
    int count;
    board_reset(board);
    while (!board_is_over(board) && (count = legal_points(board, points)) > 0) {
        TabularKey key = tabular_key(&t->table, board);
        int row = tabular_add(&t->table, key.code);
        bool lot = rng_unit(&learner->rng) < share;
        Point p = lot ? points[rng_below(&learner->rng, (uint32_t)count)]
                      : best_point(t, key, row, points, count);
        by_lot[game->count] = lot;
        moves[game->count++] = p;
        board_play(board, p);
    }
    game->won = board->won;
    return true;
}

/* ---- learning from it ---- */

typedef struct {
    int row, action;
} Taken;

/* Of the best known action for the side to move there. */
static float best_value(const Tabular *table, int row)
{
    float most = 0;
    for (int a = 0; a < table->points; a++) {
        float v = tabular_row(table, row)[a].value;
        if (v > most) most = v;
    }
    return most;
}

/* How the game went on from each move: the end of it, or the opponent's position. */
static void take_notes(TableLearner *t, const LearnerGame *game, Taken *taken)
{
    Board *board = t->board;
    board_reset(board);
    for (int i = 0; i < game->count; i++) {
        TabularKey key = tabular_key(&t->table, board);
        taken[i] = (Taken){tabular_add(&t->table, key.code),
                           tabular_action(&t->table, key, game->moves[i])};
        board_play(board, game->moves[i]);
        float next = TABULAR_WON;
        if (board->won == CELL_EMPTY && i + 1 == game->count)
            next = TABULAR_DRAWN;
        else if (board->won == CELL_EMPTY)
            next = (float)tabular_key(&t->table, board).code + 1;
        TabularCell *cell = &tabular_row(&t->table, taken[i].row)[taken[i].action];
        cell->next = next;
        cell->count++;
    }
}

static float value_of_next(const Tabular *table, float next, float (*value)(const Tabular *, int))
{
    if (next == TABULAR_WON) return 1;
    if (next == TABULAR_DRAWN) return 0.5f;
    int row = tabular_find(table, (int32_t)next - 1);
    return row < 0 ? 0.5f : 1 - value(table, row);
}

/* The fixed policy: all actions that are known, equally likely. */
static float mean_value(const Tabular *table, int row)
{
    float sum = 0;
    int n = 0;
    for (int a = 0; a < table->points; a++) {
        const TabularCell *cell = &tabular_row(table, row)[a];
        if (cell->next == TABULAR_UNKNOWN) continue;
        sum += cell->value;
        n++;
    }
    return n ? sum / (float)n : 0.5f;
}

/* The values of the policy in the model that is known: later positions first, so once is enough. */
static double evaluate_policy(TableLearner *t)
{
    const Tabular *table = &t->table;
    double losses = 0;
    for (int stones = table->points - 1; stones >= 0; stones--) {
        for (int row = 0; row < table->count; row++) {
            if (tabular_stones(table->codes[row]) != stones) continue;
            for (int a = 0; a < table->points; a++) {
                TabularCell *cell = &tabular_row(table, row)[a];
                if (cell->next == TABULAR_UNKNOWN) continue;
                float value =
                    value_of_next(table, cell->next, t->options.improve ? best_value : mean_value);
                losses += (double)((value - cell->value) * (value - cell->value));
                cell->value = value;
            }
        }
    }
    return losses;
}

static bool table_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    (void)err;
    TableLearner *t = (TableLearner *)learner;
    Taken taken[TABULAR_POINTS_MAX];
    double losses = 0;
    take_notes(t, game, taken);
    for (int i = game->count - 1; t->options.method != METHOD_ADP && i >= game->first; i--) {
        TabularCell *cell = &tabular_row(&t->table, taken[i].row)[taken[i].action];
        Cell mover = i % 2 ? CELL_WHITE : CELL_BLACK;
        float result = game->won == CELL_EMPTY ? 0.5f : game->won == mover ? 1.0f : 0.0f;
        float error, rate = (float)t->options.alpha;
        if (t->options.method == METHOD_MC) {
            error = result - cell->value;
            rate = 1 / (cell->count < MEMORY ? cell->count : MEMORY);
        } else {
            error = value_of_next(&t->table, cell->next, best_value) - cell->value;
        }
        cell->value += rate * error;
        losses += (double)(error * error);
    }
    if (t->options.method == METHOD_ADP) losses = evaluate_policy(t);
    *loss = losses / (game->count ? game->count : 1);
    return true;
}

const LearnerKind learner_table = {
    .options = &table_table,
    .options_size = sizeof(TableOptions),
    .file = "table.params",
    .open = table_open,
    .play = table_play,
    .observe = table_observe,
    .save = table_save,
    .player = table_player,
    .close = table_close,
};
