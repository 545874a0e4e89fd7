/* SPDX-License-Identifier: MIT */
/* The learner adp: adaptive dynamic programming after Zhao and after Ding and Ge. Three parts: the
 * critic (eval/critic_adp.h), the action, which is the move near the stones to the position that
 * the critic likes best, and the model of the game, which is the board.
 *
 * The reward is 0 until the end, then 1, ½ or 0; the error e = α[r + γV(t+1) − V(t)] is reduced by
 * descent on ½e². Games begin with a stone anywhere (or several at random), and the share of moves
 * by lot falls as games grow. */
#include "learn/learner.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/critic_adp.h"
#include "learn/lesson.h"
#include "learn/starts.h"
#include "play/player_adp.h"

typedef struct {
    LessonOptions lesson;
    int form, hidden;
    double epsilon, fall;
    bool mixed;
} AdpOptions;

typedef struct {
    Learner head;
    AdpOptions options;
    AdpCritic critic;
    AdpCounts counts;
    Lesson lesson;
    Board *board;
} AdpLearner;

static const Opt adp_opts[] = {
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(AdpOptions, form),
     .standard = "zhao",
     .choices = ADP_FORM_CHOICES,
     .help = "274 inputs of line patterns, or 402 of shapes of points"},
    {.name = "hidden",
     .type = OPT_INT,
     .offset = offsetof(AdpOptions, hidden),
     .min = 1,
     .max = MLP_HIDDEN_MAX,
     .standard = "64",
     .help = "hidden units"},
    LESSON_OPTS(AdpOptions, lesson, "0.05", "1", "0", "no"),
    {.name = "epsilon",
     .type = OPT_FLOAT,
     .offset = offsetof(AdpOptions, epsilon),
     .min = 0,
     .max = 1,
     .standard = "0.1",
     .help = "share of moves by lot at the start"},
    {.name = "fall",
     .type = OPT_FLOAT,
     .offset = offsetof(AdpOptions, fall),
     .min = 1,
     .max = 1e12,
     .standard = "5000",
     .value = "GAMES",
     .help = "after so many games that share is half, after twice as many a third …"},
    {.name = "mixed",
     .type = OPT_BOOL,
     .offset = offsetof(AdpOptions, mixed),
     .standard = "no",
     .help = "games begin with several stones at random, not with one"},
    {0},
};

static const OptTable adp_table = {
    .name = "adp",
    .about =
        "Adaptive dynamic programming: a critic of positions. The player adp:params=FILE plays "
        "with it.",
    .example = "goren learn adp --form fudan --games 5000 --out adp.params --json",
    .opts = adp_opts,
};

/* ---- opening and saving ---- */

static bool load(AdpLearner *adp, const LearnerPlan *plan, int moves, Err *err)
{
    Params params;
    if (!params_read(plan->path, adp_table.name, &params, err)) return false;
    bool good = adp_critic_get(&adp->critic, &params, plan->path, err) &&
                (learner_get_head(&adp->head, &params, err) || err_prefix(err, "%s", plan->path)) &&
                learner_check_rule(&params, plan, err);
    if (good && adp->critic.form != (AdpForm)adp->options.form)
        good = err_set(err, "%s: has another form of inputs; give its --form, or another file",
                       plan->path);
    if (good && adp->critic.net.hidden != adp->options.hidden)
        good = err_set(err, "%s: has %d hidden units, not %d", plan->path, adp->critic.net.hidden,
                       adp->options.hidden);
    if (good) {
        lesson_open(&adp->lesson, &adp->options.lesson, &adp->critic.net, moves);
        lesson_get(&adp->lesson, &params);
    }
    params_free(&params);
    return good;
}

static void adp_close(Learner *learner)
{
    AdpLearner *adp = (AdpLearner *)learner;
    lesson_close(&adp->lesson);
    adp_critic_close(&adp->critic);
    if (adp->board) board_close(adp->board);
    mem_free(adp);
}

static Learner *adp_open(const LearnerPlan *plan, Err *err)
{
    AdpLearner *adp = mem_zero(sizeof *adp);
    int moves = plan->rules.width * plan->rules.height;
    adp->options = *(const AdpOptions *)plan->options;
    bool good = adp_counts_check((AdpForm)adp->options.form, &plan->rules, err);
    if (good && plan->path && os_file_exists(plan->path)) {
        good = load(adp, plan, moves, err);
    } else if (good) {
        rng_seed(&adp->head.rng, plan->seed);
        adp_critic_open(&adp->critic, (AdpForm)adp->options.form, adp->options.hidden);
        mlp_shuffle(&adp->critic.net, 0.1, &adp->head.rng);
        lesson_open(&adp->lesson, &adp->options.lesson, &adp->critic.net, moves);
    }
    good = good && lesson_check(&adp->lesson, err);
    if (!good) return adp_close(&adp->head), NULL;
    adp->board = board_open(&plan->rules, NEAR_SQUARE2);
    adp_counts_open(&adp->counts, adp->critic.form);
    return &adp->head;
}

static void adp_write(const Learner *learner, Params *params)
{
    const AdpLearner *adp = (const AdpLearner *)learner;
    AdpCritic plays = adp->critic;
    params_init(params, adp_table.name);
    plays.net = *lesson_plays(&adp->lesson);
    adp_critic_put(&plays, params);
    learner_put_head(learner, params);
    lesson_put(&adp->lesson, params);
}

static bool adp_save(Learner *learner, bool safe, Err *err)
{
    return learner_write(learner, adp_write, safe, err);
}

static Player *adp_player(Learner *learner, Err *err)
{
    Params params;
    adp_write(learner, &params);
    Player *player = player_adp_from(&params, err);
    params_free(&params);
    return player;
}

/* ---- a game ---- */

static Point choose(AdpLearner *adp, double epsilon, bool *by_lot)
{
    Rng *rng = &adp->head.rng;
    Board *board = adp->board;
    Point moves[STARTS_MOVES_MAX];
    float value;
    if (board->stones == 0)
        return rules_nth(&board->rules,
                         (int)rng_below(rng, (uint32_t)(board->rules.width * board->rules.height)));
    *by_lot = rng_unit(rng) < epsilon && starts_moves(board, rng, moves);
    if (*by_lot) return moves[0];
    return adp_critic_choose(&adp->critic, &adp->counts, board, NULL, 0, &value);
}

static bool adp_play(Learner *learner, Point *moves, bool *by_lot, LearnerGame *game, Err *err)
{
    (void)err;
    AdpLearner *adp = (AdpLearner *)learner;
    Board *board = adp->board;
    const AdpOptions *o = &adp->options;
    double epsilon = o->epsilon * o->fall / (o->fall + (double)learner->games);
    do {
        board_reset(board);
        if (o->mixed) starts_set(board, NULL, 0, &learner->rng);
    } while (board_is_over(board));
    game->first = game->count = board_moves(board, moves);
    adp_counts_reset(&adp->counts, board);
    while (!board_is_over(board)) {
        Point p = choose(adp, epsilon, &by_lot[game->count]);
        if (p == POINT_NONE) break;
        board_play(board, p);
        adp_counts_push(&adp->counts, board);
        moves[game->count++] = p;
    }
    game->won = board->won;
    return true;
}

static bool adp_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    (void)err;
    AdpLearner *adp = (AdpLearner *)learner;
    Board *board = adp->board;
    board_reset(board);
    adp_counts_reset(&adp->counts, board);
    for (int t = 0; t < game->count; t++) {
        Colour mover = board->side;
        board_play(board, game->moves[t]);
        adp_counts_push(&adp->counts, board);
        int n = adp_critic_look(&adp->critic, &adp->counts, mover, board->side,
                                lesson_inputs(&adp->lesson, t));
        lesson_note(&adp->lesson, t, n, board->won != CELL_EMPTY);
    }
    *loss = lesson_learn(&adp->lesson, game, learner->games);
    return true;
}

const LearnerKind learner_adp = {
    .options = &adp_table,
    .options_size = sizeof(AdpOptions),
    .file = "adp.params",
    .open = adp_open,
    .play = adp_play,
    .observe = adp_observe,
    .save = adp_save,
    .player = adp_player,
    .close = adp_close,
};
