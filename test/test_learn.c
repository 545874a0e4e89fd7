/* SPDX-License-Identifier: MIT */
/* Learning: archives survive what crashes leave, self-play is the same game by game whatever the
 * threads, the fit learns what the games show, parameters are read or refused. */
#include "base/mem.h"
#include "base/os.h"
#include "learn/archive.h"
#include "learn/replay.h"
#include "learn/selfplay.h"
#include "learn/shape_fit.h"
#include "learn/tune.h"
#include "search/vcf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[] = "/tmp/goren-learn-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int next;
    char *at = path[next++ % 4];
    snprintf(at, sizeof path[0], "%s/%s", folder, name);
    return at;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static SelfplayPlan small_plan(int games, int threads)
{
    SelfplayPlan plan = {.rule = RULE_FREESTYLE,
                         .size = {9, 11},
                         .size_count = 2,
                         .nodes = 300,
                         .games = games,
                         .threads = threads,
                         .seed = 7,
                         .eval = &eval_shape};
    return plan;
}

static void play_into(const char *path, const SelfplayPlan *plan)
{
    atomic_bool stop = false;
    Err err;
    Archive *archive = archive_open(path, &err);
    assert_non_null(archive);
    assert_true(selfplay_run(plan, archive, &stop, NULL, NULL, &err));
    assert_int_equal(archive_count(archive), plan->games);
    archive_close(archive);
}

/* The games of a file by number; the caller frees. */
static ArchiveGame *games_of(const char *path, int games, bool *whole)
{
    ArchiveGame *all = mem_zero((size_t)games * sizeof *all), *one = mem_alloc(sizeof *one);
    Buf bytes = BUF_EMPTY;
    Err err;
    size_t at = 0;
    assert_true(archive_read(path, &bytes, &err));
    while (archive_next(&bytes, &at, one, whole)) {
        assert_true(one->number < (uint32_t)games);
        assert_int_equal(all[one->number].plies, 0); /* none twice */
        all[one->number] = *one;
    }
    buf_free(&bytes);
    mem_free(one);
    return all;
}

static void assert_same_games(const char *a, const char *b, int games)
{
    bool whole;
    ArchiveGame *x = games_of(a, games, &whole), *y = games_of(b, games, &whole);
    for (int i = 0; i < games; i++) {
        assert_true(x[i].plies > 0);
        assert_int_equal(x[i].plies, y[i].plies);
        assert_int_equal(x[i].winner, y[i].winner);
        assert_memory_equal(x[i].ply, y[i].ply, (size_t)x[i].plies * sizeof x[i].ply[0]);
    }
    mem_free(x);
    mem_free(y);
}

static void test_games_do_not_depend_on_threads(void **state)
{
    (void)state;
    SelfplayPlan one = small_plan(12, 1), three = small_plan(12, 3);
    play_into(path_of("one"), &one);
    play_into(path_of("three"), &three);
    assert_same_games(path_of("one"), path_of("three"), 12);
}

static void test_games_are_legal_and_end_as_said(void **state)
{
    (void)state;
    bool whole;
    SelfplayPlan plan = small_plan(12, 2);
    play_into(path_of("legal"), &plan);
    ArchiveGame *all = games_of(path_of("legal"), 12, &whole);
    assert_true(whole);
    for (int i = 0; i < 12; i++) {
        Board *board = board_open(&all[i].rules, NEAR_SQUARE2);
        assert_int_equal(all[i].rules.width, i % 2 ? 11 : 9);
        for (int j = 0; j < all[i].plies; j++) {
            assert_int_equal(all[i].ply[j].score == ARCHIVE_NO_SCORE, j < all[i].opening);
            assert_false(board_is_over(board));
            board_play(board, rules_nth(&all[i].rules, all[i].ply[j].played));
        }
        assert_int_equal(board->won, all[i].winner);
        board_close(board);
    }
    mem_free(all);
}

/* Cut the file anywhere: the whole games stay, the same command plays just the rest. */
static void test_a_cut_file_is_continued(void **state)
{
    (void)state;
    SelfplayPlan plan = small_plan(8, 1);
    Buf bytes = BUF_EMPTY;
    Err err;
    play_into(path_of("full"), &plan);
    assert_true(os_file_read(path_of("full"), 1 << 24, &bytes, &err));
    for (size_t part = 1; part <= 10; part++) {
        size_t cut = bytes.len * part / 11;
        assert_true(os_file_replace(path_of("cut"), bytes.data, cut, &err));
        play_into(path_of("cut"), &plan);
        assert_same_games(path_of("full"), path_of("cut"), 8);
    }
    buf_free(&bytes);
}

static void test_a_damaged_game_ends_reading(void **state)
{
    (void)state;
    SelfplayPlan plan = small_plan(4, 1);
    Buf bytes = BUF_EMPTY;
    Err err;
    bool whole;
    play_into(path_of("hurt"), &plan);
    assert_true(os_file_read(path_of("hurt"), 1 << 24, &bytes, &err));
    bytes.data[bytes.len / 2] ^= 4;
    assert_true(os_file_replace(path_of("hurt"), bytes.data, bytes.len, &err));
    mem_free(games_of(path_of("hurt"), 4, &whole));
    assert_false(whole);
    buf_free(&bytes);
    assert_true(os_file_replace(path_of("alien"), "not games", 9, &err));
    assert_null(archive_open(path_of("alien"), &err));
    assert_non_null(strstr(err.text, "not a file of self-played games"));
    assert_null(archive_open("/dev/zero", &err)); /* nobody reads that to its end */
}

/* Positions of games and of searches from there, each with one judged move, whatever the threads.
 */
static void test_positions_are_judged(void **state)
{
    (void)state;
    enum { GAMES = 10, POSITIONS = 120 };
    bool whole;
    Err err;
    SelfplayPlan plan = small_plan(GAMES, 2);
    play_into(path_of("played"), &plan);
    assert_null(relabel_open(path_of("played"), RULE_RENJU, &err));
    assert_non_null(strstr(err.text, "renju"));
    assert_null(relabel_open(path_of("nowhere"), RULE_FREESTYLE, &err));
    Relabel *relabel = relabel_open(path_of("played"), RULE_FREESTYLE, &err);
    assert_non_null(relabel);
    plan.games = POSITIONS;
    plan.relabel = relabel;
    play_into(path_of("judged"), &plan);
    plan.threads = 1;
    play_into(path_of("again"), &plan);
    assert_same_games(path_of("judged"), path_of("again"), POSITIONS);
    relabel_close(relabel);

    ArchiveGame *all = games_of(path_of("judged"), POSITIONS, &whole);
    ArchiveGame *games = games_of(path_of("played"), GAMES, &whole);
    Vcf *vcf = vcf_open(1 << 16);
    int strange = 0, by_fours = 0; /* how many no game shows; how many are won by fours */
    for (int i = 0; i < POSITIONS; i++) {
        Board *board = board_open(&all[i].rules, NEAR_SQUARE2);
        assert_int_equal(all[i].winner, ARCHIVE_UNFINISHED);
        assert_int_equal(all[i].opening, all[i].plies - 1);
        for (int j = 0; j < all[i].opening; j++) {
            assert_int_equal(all[i].ply[j].score, ARCHIVE_NO_SCORE);
            board_play(board, rules_nth(&all[i].rules, all[i].ply[j].played));
            assert_false(board_is_over(board));
        }
        assert_true(all[i].ply[all[i].opening].score != ARCHIVE_NO_SCORE);
        VcfResult fours;
        by_fours += vcf_search(vcf, board, NULL, &fours) == SOLVE_WIN;
        bool seen = false;
        for (int g = 0; g < GAMES && !seen; g++) {
            if (games[g].rules.width != all[i].rules.width) continue;
            Board *other = board_open(&games[g].rules, NEAR_SQUARE2);
            for (int j = 0; j < games[g].plies && !seen; j++) {
                board_play(other, rules_nth(&games[g].rules, games[g].ply[j].played));
                seen = other->hash == board->hash;
            }
            board_close(other);
        }
        strange += !seen;
        board_close(board);
    }
    assert_in_range(strange, POSITIONS / 3, POSITIONS - 10);
    assert_in_range(by_fours, 0, POSITIONS / 4); /* those of the games themselves may be */
    vcf_close(vcf);
    mem_free(games);
    mem_free(all);
}

static void keep_progress(void *ctx, const FitProgress *progress)
{
    FitProgress *kept = ctx;
    if (progress->epoch <= 1) kept[progress->epoch] = *progress;
    kept[2] = *progress;
}

/* What is known of each ply of a game, by what the moves lead to. */
typedef struct {
    bool winners, four; /* is it the winner's, and is five possible after it? */
    bool five;          /* before it, for either side */
} Seen;

static void look(const ArchiveGame *game, Seen *seen)
{
    Board *board = board_open(&game->rules, NEAR_SQUARE2_LINE3);
    for (int i = 0; i < game->plies; i++) {
        Colour mover = board->side;
        seen[i].five = board->count[BLACK][CLASS_FIVE] || board->count[WHITE][CLASS_FIVE];
        seen[i].winners = (int)mover + CELL_BLACK == game->winner;
        board_play(board, rules_nth(&game->rules, game->ply[i].played));
        seen[i].four = board->won || board->count[mover][CLASS_FIVE];
    }
    board_close(board);
}

/* Has the winner begun to make nothing but fours, at this ply or before? */
static bool fours_begun(const Seen *seen, int plies, int ply)
{
    for (int from = 0; from <= ply; from++) {
        bool only = seen[from].winners;
        for (int i = from; i < plies; i++) only = only && (!seen[i].winners || seen[i].four);
        if (only) return true;
    }
    return false;
}

/* What a replay takes from an archive: no forced moves, no wins by fours, but other wins. */
static void test_wins_are_learnt(void **state)
{
    enum { GAMES = 24 };
    (void)state;
    SelfplayPlan plan = small_plan(GAMES, 1);
    plan.nodes = 2000;
    play_into(path_of("wins"), &plan);
    bool whole;
    ArchiveGame *games = games_of(path_of("wins"), GAMES, &whole);
    int64_t wanted = 0, wins = 0, left_out = 0;
    for (int g = 0; g < GAMES; g++) {
        Seen seen[ARCHIVE_PLIES_MAX];
        look(&games[g], seen);
        for (int i = 0; i < games[g].plies; i++) {
            int score = games[g].ply[i].score;
            if (score == ARCHIVE_NO_SCORE) continue;
            bool taken = !seen[i].five && !fours_begun(seen, games[g].plies, i);
            wanted += taken;
            left_out += !taken;
            wins += taken && score >= SCORE_MATE;
        }
    }
    Replay *replay = replay_open(5, 11, 100000, 1);
    assert_int_equal(replay_load_archive(replay, path_of("wins")), GAMES);
    assert_int_equal(replay_count(replay), wanted);
    assert_true(wins > 0 && left_out > 0);
    assert_int_equal(replay_load_archive(replay, path_of("nothing there")), -1);
    replay_close(replay);
    mem_free(games);
}

static void test_the_fit_learns(void **state)
{
    (void)state;
    SelfplayPlan plan = small_plan(150, 2);
    play_into(path_of("teach"), &plan);
    const char *file = path_of("teach");
    FitPlan fit = {
        .files = &file, .file_count = 1, .seed = 1, .epochs = 6, .outcome = 0.5, .decay = 1e-6};
    ShapeWeights *weights = mem_zero(2 * sizeof *weights);
    FitProgress progress[3] = {{0}};
    RuleKind rule;
    Err err;
    assert_true(shape_fit(&fit, keep_progress, progress, &weights[0], &rule, &err));
    assert_int_equal(rule, RULE_FREESTYLE);
    assert_true(progress[2].positions > 500);
    assert_true(progress[2].policy_loss < progress[0].policy_loss);
    assert_true(shape_fit(&fit, NULL, NULL, &weights[1], &rule, &err));
    assert_memory_equal(&weights[0], &weights[1], sizeof *weights); /* the same seed, the same */
    mem_free(weights);
    file = path_of("missing");
    assert_false(shape_fit(&fit, NULL, NULL, NULL, &rule, &err));
}

static void test_params(void **state)
{
    (void)state;
    const SearchParams *standard = search_params_for(&eval_shape);
    SearchParams params = *standard;
    Err err;
    assert_true(search_params_set(&params, " reverse=61  late=90 ", &err));
    assert_int_equal(params.reverse, 61);
    assert_int_equal(params.late, 90);
    assert_int_equal(params.razor, standard->razor);
    assert_false(search_params_set(&params, "reverse=", &err));
    assert_false(search_params_set(&params, "reverse=1e9", &err));
    assert_false(search_params_set(&params, "revers=50", &err));
    assert_non_null(strstr(err.text, "revers"));
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParam *p = &search_params[i];
        int shape = search_params_get(standard, i);
        int net = search_params_get(search_params_for(&eval_net), i);
        assert_true(p->least <= shape && shape <= p->most && p->step > 0);
        assert_true(p->least <= net && net <= p->most);
    }
}

/* Turns what it was told to, keeps the rest, does the same again for the same seed, and goes on
 * from what it wrote down. */
static void test_tune(void **state)
{
    (void)state;
    const SearchParams *standard = search_params_for(&eval_shape);
    TunePlan plan = {.eval = &eval_shape,
                     .rule = RULE_FREESTYLE,
                     .size = {11},
                     .size_count = 1,
                     .nodes = 300,
                     .pairs = 12,
                     .threads = 1,
                     .seed = 3,
                     .rate = 1};
    TuneState tuned, again;
    atomic_bool stop = false;
    Err err;
    plan.chosen[PARAM_late] = true;
    tune_begin(&tuned, &plan);
    assert_true(tune_run(&plan, &tuned, &stop, NULL, NULL, &err));
    assert_int_equal(tuned.pairs, 12);
    assert_int_equal(tuned.won + tuned.drawn + tuned.lost, 12);
    assert_true(tuned.won + tuned.lost > 0);
    assert_true(tuned.value[PARAM_late] != standard->late);
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++)
        if (i != PARAM_late) assert_true(tuned.value[i] == search_params_get(standard, i));
    tune_begin(&again, &plan);
    assert_true(tune_run(&plan, &again, &stop, NULL, NULL, &err));
    assert_true(again.value[PARAM_late] == tuned.value[PARAM_late]);
    plan.pairs = 14;
    assert_true(tune_run(&plan, &again, &stop, NULL, NULL, &err));
    assert_int_equal(again.pairs, 14);
    plan.pairs = 12;
    Buf text = BUF_EMPTY;
    tune_write(&tuned, &plan, &text);
    tune_begin(&again, &plan);
    assert_true(tune_read(&again, &plan, buf_text(&text), &err));
    assert_int_equal(again.pairs, 12);
    assert_float_equal((float)again.value[PARAM_late], (float)tuned.value[PARAM_late], 1e-3f);
    assert_false(tune_read(&again, &plan, "late x\nend\n", &err));
    assert_false(tune_read(&again, &plan, "late 1e9\nend\n", &err));
    assert_false(tune_read(&again, &plan, "lat 5\nend\n", &err));
    for (size_t cut = 0; cut < text.len; cut++) {
        char *part = mem_text(buf_text(&text));
        part[cut] = '\0';
        assert_false(tune_read(&again, &plan, part, &err));
        assert_non_null(strstr(err.text, "is cut off"));
        mem_free(part);
    }
    /* What another run turned stays. */
    plan.chosen[PARAM_late] = false;
    plan.chosen[PARAM_razor] = true;
    tune_begin(&again, &plan);
    assert_true(tune_read(&again, &plan, buf_text(&text), &err));
    Buf both = BUF_EMPTY;
    tune_write(&again, &plan, &both);
    assert_non_null(strstr(buf_text(&both), "\nlate "));
    assert_non_null(strstr(buf_text(&both), "\nrazor "));
    buf_free(&both);
    plan.rule = RULE_RENJU;
    assert_false(tune_read(&again, &plan, buf_text(&text), &err));
    assert_non_null(strstr(err.text, "--rule freestyle, not renju"));
    plan.rule = RULE_FREESTYLE;
    plan.eval = &eval_net;
    assert_false(tune_read(&again, &plan, buf_text(&text), &err));
    assert_non_null(strstr(err.text, "--eval shape, not net"));
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_do_not_depend_on_threads),
        cmocka_unit_test(test_games_are_legal_and_end_as_said),
        cmocka_unit_test(test_a_cut_file_is_continued),
        cmocka_unit_test(test_a_damaged_game_ends_reading),
        cmocka_unit_test(test_positions_are_judged),
        cmocka_unit_test(test_wins_are_learnt),
        cmocka_unit_test(test_the_fit_learns),
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_tune),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
