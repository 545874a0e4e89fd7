/* SPDX-License-Identifier: MIT */
/* The learner td: a critic of moves (eval/critic_td.h) that learns from games with itself, after
 * the program "gomoku" with temporal differences.
 *
 * A completed row and a blocked one are worth what the rules say and are not learnt; the rest is
 * lesson.h. */
#include "learn/learner.h"

#include "base/mem.h"
#include "base/os.h"
#include "eval/critic_td.h"
#include "game/ban.h"
#include "learn/lesson.h"
#include "learn/starts.h"
#include "play/player_td.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_OF_FILE, CREDIT_MAX = 10 };
#define CREDIT_OF_FILE "file"
static const double credit_usual = 0.2;

typedef struct {
    LessonOptions lesson;
    int form, hidden;   /* form: FORM_OF_FILE, or one more than a TdForm */
    const char *credit; /* CREDIT_OF_FILE or a number; good while it is opened */
    double epsilon;
    bool mixed;
} TdOptions;

typedef struct {
    Learner head;
    TdOptions options;
    TdCritic critic;
    Lesson lesson;
    TdFeatures features;
    Board *board;
} TdLearner;

static const Opt td_opts[] = {
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(TdOptions, form),
     .standard = "file",
     .choices = "file|" TD_FORM_CHOICES,
     .help = "what the critic sees of a move: both sides' changes with the mover's credit added or "
             "as a factor, both apart, or both sides' patterns after it; file: as the file has it, "
             "added in a new one"},
    {.name = "credit",
     .type = OPT_TEXT,
     .offset = offsetof(TdOptions, credit),
     .standard = CREDIT_OF_FILE,
     .value = "X",
     .help = "of the mover; file: as the file has it, 0.2 in a new one"},
    {.name = "hidden",
     .type = OPT_INT,
     .offset = offsetof(TdOptions, hidden),
     .min = 0,
     .max = MLP_HIDDEN_MAX,
     .standard = "0",
     .help = "hidden units; 0: a quarter of the inputs"},
    LESSON_OPTS(TdOptions, lesson, "0.01", "50", "0.8", "no"),
    {.name = "epsilon",
     .type = OPT_FLOAT,
     .offset = offsetof(TdOptions, epsilon),
     .min = 0,
     .max = 1,
     .standard = "0.01",
     .help = "share of moves at random"},
    {.name = "mixed",
     .type = OPT_BOOL,
     .offset = offsetof(TdOptions, mixed),
     .standard = "no",
     .help = "games begin with stones at random, not with one in the middle"},
    {0},
};

static const OptTable td_table = {
    .name = "td",
    .about = "Temporal differences on what a move does to the rows of k (--win). The player "
             "td:params=FILE plays with it.",
    .example = "goren learn td --games 5000 --out td.params --json",
    .opts = td_opts,
};

/* ---- opening and saving ---- */

static TdForm form_of(const TdOptions *options)
{
    return options->form == FORM_OF_FILE ? TD_ADDED : (TdForm)(options->form - 1);
}

/* *credit stays as it is where the option leaves it to the file. */
static bool read_credit(const char *text, double *credit, Err *err)
{
    char *end;
    if (strcmp(text, CREDIT_OF_FILE) == 0) return true;
    double number = strtod(text, &end);
    if (end == text || *end || !(number >= -CREDIT_MAX && number <= CREDIT_MAX))
        return err_set(err, "credit=%s: a number from %d to %d, or " CREDIT_OF_FILE, text,
                       -CREDIT_MAX, CREDIT_MAX);
    *credit = number;
    return true;
}

/* Does the file hold what the options ask for? */
static bool check_same(const TdLearner *td, const LearnerPlan *plan, Err *err)
{
    const TdCritic *critic = &td->critic;
    if (critic->k != plan->rules.k)
        return err_set(err, "%s: is for %d in a row, not for %d", plan->path, critic->k,
                       plan->rules.k);
    if (td->options.form != FORM_OF_FILE && critic->form != form_of(&td->options))
        return err_set(err, "%s: has another form of features; give its --form, or another file",
                       plan->path);
    if (td->options.hidden && critic->net.hidden != td->options.hidden)
        return err_set(err, "%s: has %d hidden units, not %d", plan->path, critic->net.hidden,
                       td->options.hidden);
    double credit = critic->credit;
    if (!read_credit(td->options.credit, &credit, err)) return false;
    if (fabs(credit - critic->credit) > 0.5e-3) /* files have thousandths */
        return err_set(err, "%s: gives the mover a credit of %g, not %g", plan->path,
                       critic->credit, credit);
    return true;
}

static void open_lesson(TdLearner *td, const LearnerPlan *plan)
{
    lesson_open(&td->lesson, &td->options.lesson, &td->critic.net,
                plan->rules.width * plan->rules.height);
}

static bool load(TdLearner *td, const LearnerPlan *plan, Err *err)
{
    Params params;
    if (!params_read(plan->path, td_table.name, &params, err)) return false;
    bool good = td_critic_get(&td->critic, &params, plan->path, err) &&
                (learner_get_head(&td->head, &params, err) || err_prefix(err, "%s", plan->path)) &&
                learner_check_rule(&params, plan, err) && check_same(td, plan, err);
    if (good) {
        open_lesson(td, plan);
        lesson_get(&td->lesson, &params);
    }
    params_free(&params);
    return good;
}

static bool make_new(TdLearner *td, const LearnerPlan *plan, Err *err)
{
    double credit = credit_usual;
    if (!read_credit(td->options.credit, &credit, err)) return false;
    rng_seed(&td->head.rng, plan->seed);
    td_critic_open(&td->critic, plan->rules.k, form_of(&td->options), credit, td->options.hidden);
    mlp_shuffle(&td->critic.net, 0.5, &td->head.rng);
    open_lesson(td, plan);
    return true;
}

static void td_close(Learner *learner)
{
    TdLearner *td = (TdLearner *)learner;
    lesson_close(&td->lesson);
    td_critic_close(&td->critic);
    if (td->board) {
        td_features_close(&td->features);
        board_close(td->board);
    }
    mem_free(td);
}

static Learner *td_open(const LearnerPlan *plan, Err *err)
{
    TdLearner *td = mem_zero(sizeof *td);
    td->options = *(const TdOptions *)plan->options;
    bool kept = plan->path && os_file_exists(plan->path);
    bool good =
        (kept ? load(td, plan, err) : make_new(td, plan, err)) && lesson_check(&td->lesson, err);
    if (!good) return td_close(&td->head), NULL;
    td->board = board_open(&plan->rules, NEAR_SQUARE2);
    td_features_open(&td->features, &plan->rules);
    return &td->head;
}

static void td_write(const Learner *learner, Params *params)
{
    const TdLearner *td = (const TdLearner *)learner;
    TdCritic plays = td->critic;
    params_init(params, td_table.name);
    plays.net = *lesson_plays(&td->lesson);
    td_critic_put(&plays, params);
    learner_put_head(learner, params);
    lesson_put(&td->lesson, params);
}

static bool td_save(Learner *learner, bool safe, Err *err)
{
    return learner_write(learner, td_write, safe, err);
}

static Player *td_player(Learner *learner, Err *err)
{
    Params params;
    td_write(learner, &params);
    Player *player = player_td_from(&params, err);
    params_free(&params);
    return player;
}

/* ---- a game ---- */

static Point any_point(const Board *board, Rng *rng)
{
    Point all[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    const Rules *rules = &board->rules;
    uint32_t n = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (ban_allows(board, p, board->side)) all[n++] = p;
    }
    return n ? all[rng_below(rng, n)] : POINT_NONE;
}

static bool td_play(Learner *learner, Point *moves, bool *by_lot, LearnerGame *game, Err *err)
{
    (void)err;
    TdLearner *td = (TdLearner *)learner;
    Board *board = td->board;
    float value;
    do {
        board_reset(board);
        if (td->options.mixed) starts_set(board, NULL, 0, &learner->rng);
    } while (board_is_over(board));
    game->first = game->count = board_moves(board, moves);
    td_features_reset(&td->features, board);
    while (!board_is_over(board)) {
        bool lot = board->stones && rng_unit(&learner->rng) < td->options.epsilon;
        Point p = lot ? any_point(board, &learner->rng)
                      : td_critic_choose(&td->critic, &td->features, board, NULL, 0, &learner->rng,
                                         &value);
        by_lot[game->count] = lot;
        if (p == POINT_NONE) break;
        board_play(board, p);
        td_features_push(&td->features, board);
        moves[game->count++] = p;
    }
    game->won = board->won;
    return true;
}

/* ---- learning from it ---- */

/* A completed row, and a blocked one where the critic does not see what else there is. */
static bool is_settled(const TdCritic *critic, const Board *board, Point p)
{
    Colour mover = board->side;
    return board_class(board, p, mover) == CLASS_FIVE ||
           (critic->form != TD_AFTER && board_class(board, p, colour_other(mover)) == CLASS_FIVE);
}

static bool td_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    (void)err;
    TdLearner *td = (TdLearner *)learner;
    Board *board = td->board;
    board_reset(board);
    td_features_reset(&td->features, board);
    for (int t = 0; t < game->count; t++) {
        Point p = game->moves[t];
        bool settled = is_settled(&td->critic, board, p);
        int n = td_critic_look(&td->critic, &td->features, p, board->side,
                               lesson_inputs(&td->lesson, t));
        lesson_note(&td->lesson, t, n, settled);
        board_play(board, p);
        td_features_push(&td->features, board);
    }
    *loss = lesson_learn(&td->lesson, game, learner->games);
    return true;
}

const LearnerKind learner_td = {
    .options = &td_table,
    .options_size = sizeof(TdOptions),
    .file = "td.params",
    .open = td_open,
    .play = td_play,
    .observe = td_observe,
    .save = td_save,
    .player = td_player,
    .close = td_close,
};
