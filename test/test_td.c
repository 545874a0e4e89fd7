/* SPDX-License-Identifier: MIT */
/* The TD(λ) game: its 16 features and their counts, gradients, and that a learner that was stopped
 * and opened again comes to the same. */
#include "base/mem.h"
#include "eval/critic_td.h"
#include "learn/lesson.h"
#include "game/notation.h"
#include "lessons.h"
#include "position.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static Point point_of(const Rules *rules, const char *text)
{
    Point p;
    Err err;
    assert_true(point_parse(rules, &text, &p, &err));
    return p;
}

/* ---- patterns ---- */

static void test_patterns(void **state)
{
    (void)state;
    /* The list of the document, in its order. */
    static const char *const want[] = {"...oo", "..o.o", "..oo.", "..ooo", ".o..o", ".o.o.",
                                       ".o.oo", ".oo.o", ".ooo.", ".oooo", "o...o", "o..oo",
                                       "o.o.o", "o.ooo", "oo.oo", "ooooo"};
    TdPatterns patterns;
    td_patterns_open(&patterns, 5);
    assert_int_equal(patterns.count, 16);
    for (int i = 0; i < 16; i++) {
        char text[8];
        td_patterns_text(&patterns, i, text);
        assert_string_equal(text, want[i]);
    }
    assert_int_equal(patterns.of_window[0x18], patterns.of_window[0x03]); /* oo... and ...oo */
    td_patterns_close(&patterns);
    static const int counts[] = {3, 7, 16, 32, 67, 131, 266, 522}; /* k = 3 … 10 */
    for (int k = WIN_MIN; k <= WIN_MAX; k++)
        assert_int_equal(td_patterns_count(k), counts[k - WIN_MIN]);
}

/* All windows of one colour's stones, counted from nothing. */
static void count_windows(const Board *board, Colour colour, int *counts)
{
    const Rules *r = &board->rules;
    static const int dx[] = {1, 0, 1, -1}, dy[] = {0, 1, 1, 1};
    for (int i = 0; i < r->width * r->height; i++) {
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            char text[WIN_MAX + 1] = "", turned[WIN_MAX + 1] = "";
            int stones = 0, cells = 0;
            for (int n = 0; n < r->k; n++) {
                int x = i % r->width + n * dx[dir], y = i / r->width + n * dy[dir];
                if (!rules_inside(r, x, y)) break;
                Cell cell = (Cell)board->cell[rules_point(r, x, y)];
                if (cell != CELL_EMPTY && cell != (Cell)colour + CELL_BLACK) break;
                text[n] = turned[r->k - 1 - n] = cell == CELL_EMPTY ? '.' : 'o';
                stones += cell != CELL_EMPTY;
                cells++;
            }
            if (cells < r->k || stones < 2) continue;
            const char *first = strcmp(text, turned) < 0 ? text : turned; /* '.' before 'o' */
            TdPatterns patterns;
            td_patterns_open(&patterns, r->k);
            for (int p = 0; p < patterns.count; p++) {
                char name[4 * WIN_MAX];
                td_patterns_text(&patterns, p, name);
                counts[p] += strcmp(name, first) == 0;
            }
            td_patterns_close(&patterns);
        }
    }
}

/* What the slow count says about a stone at p, against what the features say. */
static void check_point(const TdFeatures *features, const Board *board, Point p)
{
    enum { MOST = 600 };
    for (Colour c = BLACK; c <= WHITE; c++) {
        int before[MOST] = {0}, after[MOST] = {0};
        count_windows(board, c, before);
        Board *with = board_clone(board);
        board_put(with, p, c);
        count_windows(with, c, after);
        board_close(with);
        for (int i = 0; i < features->patterns.count; i++)
            assert_int_equal(td_features_at(features, p, c)[i], after[i] - before[i]);
        for (int i = 0; i < features->patterns.count; i++)
            assert_int_equal(features->total[c][i], before[i]);
        int ended[MOST] = {0};
        with = board_clone(board);
        board_put(with, p, colour_other(c));
        count_windows(with, c, ended);
        board_close(with);
        for (int i = 0; i < features->patterns.count; i++)
            assert_int_equal(td_features_held(features, p, c)[i], before[i] - ended[i]);
    }
}

static void test_counts(void **state)
{
    (void)state;
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 5, 5, 5);
    /* A row of five cells holds one window: oo... becomes oo.o., and the other side's is dead. */
    Board *board = board_from(&rules, "b:a1b1/w:a5", '?');
    TdFeatures features;
    td_features_open(&features, &rules);
    td_features_reset(&features, board);
    const int8_t *mine = td_features_at(&features, point_of(&rules, "d1"), BLACK);
    int oo = features.patterns.of_window[3], oo_o = features.patterns.of_window[0x0b];
    for (int i = 0; i < 16; i++) assert_int_equal(mine[i], i == oo ? -1 : i == oo_o ? 1 : 0);
    /* White there: nothing but the diagonal a5 … e1 could be his, and d1 is not on it. */
    const int8_t *theirs = td_features_at(&features, point_of(&rules, "d1"), WHITE);
    for (int i = 0; i < 16; i++) assert_int_equal(theirs[i], 0);
    theirs = td_features_at(&features, point_of(&rules, "d2"), WHITE);
    assert_int_equal(theirs[features.patterns.of_window[0x09]], 1); /* o..o. */
    td_features_close(&features);
    board_close(board);
}

static void test_incremental(void **state)
{
    (void)state;
    static const int sizes[][3] = {{6, 5, 3}, {9, 9, 5}, {8, 11, 6}, {12, 12, 10}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        Rules rules;
        Rng rng;
        rules_init(&rules, RULE_FREESTYLE, sizes[s][0], sizes[s][1], sizes[s][2]);
        rng_seed(&rng, s);
        Board *board = board_open(&rules, NEAR_ALL);
        TdFeatures kept, anew;
        td_features_open(&kept, &rules);
        td_features_open(&anew, &rules);
        td_features_reset(&kept, board);
        int points = rules.width * rules.height;
        for (int ply = 0; ply < points - 1; ply++) {
            Point p;
            do p = rules_nth(&rules, (int)rng_below(&rng, (uint32_t)points));
            while (!board_is_empty(board, p));
            if (ply % 9 == 4 && rules.k < 10) check_point(&kept, board, p);
            board_play(board, p);
            td_features_push(&kept, board);
            td_features_reset(&anew, board);
            for (Colour c = BLACK; c <= WHITE; c++)
                assert_memory_equal(kept.total[c], anew.total[c],
                                    (size_t)kept.patterns.count * sizeof(int));
            for (int i = 0; i < points; i++) {
                Point q = rules_nth(&rules, i);
                if (!board_is_empty(board, q)) continue;
                assert_memory_equal(td_features_at(&kept, q, BLACK),
                                    td_features_at(&anew, q, BLACK),
                                    2 * (size_t)kept.patterns.count);
                assert_memory_equal(td_features_held(&kept, q, BLACK),
                                    td_features_held(&anew, q, BLACK),
                                    2 * (size_t)kept.patterns.count);
            }
        }
        td_features_close(&kept);
        td_features_close(&anew);
        board_close(board);
    }
}

/* ---- network ---- */

static float value_of(const Mlp *net, const MlpInput *inputs, int count)
{
    float sums[MLP_HIDDEN_MAX];
    mlp_sums(net, inputs, count, sums);
    return mlp_value(net, sums, sums);
}

static void test_gradient(void **state)
{
    (void)state;
    enum { INPUTS = 7, HIDDEN = 11 };
    static const MlpInput inputs[] = {{0, 1.2f}, {3, -1}, {6, 0.4f}};
    Mlp net;
    Rng rng;
    rng_seed(&rng, 3);
    mlp_open(&net, INPUTS, HIDDEN);
    mlp_shuffle(&net, 1, &rng);
    size_t count = mlp_count(INPUTS, HIDDEN);
    float *gradient = mem_zero(count * sizeof *gradient), active[MLP_HIDDEN_MAX];
    mlp_sums(&net, inputs, 3, active);
    float value = mlp_value(&net, active, active);
    mlp_trace(&net, inputs, 3, active, value, 0, gradient);
    for (size_t i = 0; i < count; i++) {
        const float step = 1e-2f;
        float was = net.weights[i];
        net.weights[i] = was + step;
        float up = value_of(&net, inputs, 3);
        net.weights[i] = was - step;
        float down = value_of(&net, inputs, 3);
        net.weights[i] = was;
        assert_true(fabs((up - down) / (2 * (double)step) - (double)gradient[i]) < 2e-5);
    }
    mem_free(gradient);
    mlp_close(&net);
}

static void test_sigmoid(void **state)
{
    (void)state;
    Mlp net;
    mlp_open(&net, 1, 1);
    net.weights[3] = 0;
    for (double x = -29; x < 29; x += 0.013) {
        mlp_bias(&net)[2] = (float)x;
        double want = 1 / (1 + exp(-(double)(float)x));
        assert_true(fabs((double)value_of(&net, NULL, 0) - want) < 6e-7 * want + 1e-12);
    }
    mlp_close(&net);
}

/* The choice adds what each move changes to what stands on the board; its value is the greatest
 * that the network gives to all a move leads to. */
static void test_choice(void **state)
{
    (void)state;
    Rules rules;
    Rng rng;
    TdFeatures features;
    TdCritic critic;
    rules_init(&rules, RULE_FREESTYLE, 9, 8, 5);
    rng_seed(&rng, 4);
    td_critic_open(&critic, 5, TD_AFTER, 0, 0);
    assert_int_equal(critic.net.inputs, 30);
    mlp_shuffle(&critic.net, 1, &rng);
    td_features_open(&features, &rules);
    Board *board = board_open(&rules, NEAR_ALL);
    td_features_reset(&features, board);
    for (int ply = 0; ply < 40 && !board_is_over(board); ply++) {
        float most = 0, value;
        for (int i = 0; i < 72; i++) {
            MlpInput inputs[30];
            Point p = rules_nth(&rules, i);
            if (!board_is_empty(board, p)) continue;
            int n = td_critic_look(&critic, &features, p, board->side, inputs);
            float v = value_of(&critic.net, inputs, n);
            bool mine = board_class(board, p, board->side) == CLASS_FIVE;
            if (board_class(board, p, colour_other(board->side)) == CLASS_FIVE)
                v = TD_VALUE_BLOCK + v / 4;
            if (mine) v = TD_VALUE_FIVE;
            if (v > most) most = v;
        }
        Point p = td_critic_choose(&critic, &features, board, NULL, 0, &rng, &value);
        assert_true(ply == 0 || fabsf(value - most) < 1e-5f);
        board_play(board, p);
        td_features_push(&features, board);
    }
    board_close(board);
    td_features_close(&features);
    td_critic_close(&critic);
}

static double value_with(Player *player, int k)
{
    Rules rules;
    Thought thought;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, k);
    Board *board = board_from(&rules, "h8i9g9h10", 0);
    assert_true(player_think(player, board, &(Limits){0}, &thought, NULL));
    board_close(board);
    return thought.value;
}

/* A game of four in a row between two others leaves what is built in for five as it was. */
static void test_other_k(void **state)
{
    (void)state;
    Player *player = player_open("td:seed=1", NULL);
    double five = value_with(player, 5), four = value_with(player, 4);
    assert_true(fabs(value_with(player, 5) - five) <= 0);
    value_with(player, 6);
    assert_true(fabs(value_with(player, 4) - four) <= 0);
    player_close(player);
}

/* ---- learning ---- */

/* What the same games have always taught, whatever the compiler. */
#define TD_SIGNATURE    0.034398835997953153
#define AFTER_SIGNATURE 0.052225721614642354

/* What a game changes in the weights, by the formula. */
static void changes_of(int formula, bool cut, const bool *settled, const LearnerGame *game,
                       double *changes)
{
    enum { INPUTS = 4, HIDDEN = 3 };
    LessonOptions options = {.formula = formula, .passes = 1, .alpha = 1e-3, .lambda = 0.8};
    Mlp net;
    Lesson lesson;
    Rng rng;
    options.gamma = 0.9;
    options.cut = cut;
    rng_seed(&rng, 8);
    mlp_open(&net, INPUTS, HIDDEN);
    mlp_shuffle(&net, 1, &rng);
    size_t count = mlp_count(INPUTS, HIDDEN);
    float *before = mem_copy(net.weights, count * sizeof *before);
    lesson_open(&lesson, &options, &net, game->count);
    for (int t = 0; t < game->count; t++) {
        for (int i = 0; i < 2; i++)
            lesson_inputs(&lesson, t)[i] = (MlpInput){(t + i) % INPUTS, (float)(t % 5 - i)};
        lesson_note(&lesson, t, 2, settled[t]);
    }
    lesson_learn(&lesson, game, 0);
    for (size_t i = 0; i < count; i++) changes[i] = (double)net.weights[i] - (double)before[i];
    lesson_close(&lesson);
    mem_free(before);
    mlp_close(&net);
}

/* Forwards with traces and backwards from the result are two ways to the same: in small steps they
 * change the same, whether moves are passed through or cut off, or not. */
static void test_traces(void **state)
{
    (void)state;
    enum { MOVES = 13, WEIGHTS = 4 * 3 + 2 * 3 + 1 };
    static const bool settled[][MOVES] = {{0}, {[12] = true}, {[4] = true, [8] = true, [9] = true}};
    static const bool by_lot[MOVES] = {[6] = true, [11] = true};
    const Cell results[] = {CELL_BLACK, CELL_WHITE, CELL_EMPTY};
    for (size_t s = 0; s < sizeof settled / sizeof *settled; s++) {
        for (int r = 0; r < 6; r++) {
            LearnerGame game = {
                .count = MOVES, .first = 2, .won = results[r / 2], .by_lot = by_lot};
            double back[WEIGHTS], on[WEIGHTS], apart = 0, most = 0;
            changes_of(FORMULA_TWO, r % 2, settled[s], &game, back);
            changes_of(FORMULA_TRACES, r % 2, settled[s], &game, on);
            for (int i = 0; i < WEIGHTS; i++) {
                apart = fmax(apart, fabs(back[i] - on[i]));
                most = fmax(most, fabs(back[i]));
            }
            if (apart > 0.01 * most) fail_msg("%zu, %d: %g of %g", s, r, apart, most);
        }
    }
}

/* Each by himself: what is passed through or cut off leaves its mark on nothing else. */
static void test_one_by_one(void **state)
{
    (void)state;
    enum { MOVES = 6, WEIGHTS = 4 * 3 + 2 * 3 + 1 };
    static const bool all[MOVES] = {true, true, true, true, true, true}, none[MOVES] = {0};
    LearnerGame game = {.count = MOVES, .won = CELL_BLACK, .by_lot = all};
    double changes[WEIGHTS], sum = 0;
    changes_of(FORMULA_ONE, false, all, &game, changes);
    for (int i = 0; i < WEIGHTS; i++) assert_true(fabs(changes[i]) <= 0);
    /* All but the last were answered by lot. */
    double last[WEIGHTS];
    static const bool but_last[MOVES] = {true, true, true, true, true, false};
    changes_of(FORMULA_ONE, true, none, &game, changes);
    changes_of(FORMULA_ONE, false, but_last, &game, last);
    for (int i = 0; i < WEIGHTS; i++) {
        assert_true(fabs(changes[i] - last[i]) <= 0);
        sum += fabs(last[i]);
    }
    assert_true(sum > 0);
}

static void test_resume(void **state)
{
    (void)state;
    static const char *const keys[] = {"", "formula=one", "formula=traces,form=apart,mixed",
                                       "form=after,mixed,average,cut,alpha=0.5,passes=1",
                                       "form=times,average,cool=100,cut,epsilon=0.2"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        lessons_check_resume(&learner_td, keys[i], 9, 5, 25);
}

static void test_signature(void **state)
{
    (void)state;
    double loss = lessons_loss(&learner_td, "epsilon=0.1", NULL, 11, 5, 60);
    if (fabs(loss - TD_SIGNATURE) > 1e-12) fail_msg("loss %.17g", loss);
    loss = lessons_loss(&learner_td, "form=after,epsilon=0.1", NULL, 11, 5, 60);
    if (fabs(loss - AFTER_SIGNATURE) > 1e-12) fail_msg("loss %.17g", loss);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),    cmocka_unit_test(test_counts),
        cmocka_unit_test(test_incremental), cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_sigmoid),     cmocka_unit_test(test_resume),
        cmocka_unit_test(test_signature),   cmocka_unit_test(test_choice),
        cmocka_unit_test(test_traces),      cmocka_unit_test(test_one_by_one),
        cmocka_unit_test(test_other_k),
    };
    return cmocka_run_group_tests(tests, lessons_make_folder, lessons_drop_folder);
}
