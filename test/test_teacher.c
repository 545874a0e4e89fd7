/* SPDX-License-Identifier: MIT */
/* Self-play for a network: trees keep to the rules and their number of visits and follow the judge,
 * actors play whole legal games and repeat them, planes and replay lose nothing. */
#include "base/mem.h"
#include "base/rng.h"
#include "game/ban.h"
#include "learn/actors.h"
#include "learn/duel.h"
#include "learn/planes.h"
#include "learn/replay.h"
#include "learn/starts.h"
#include "search/gumbel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 11, AREA = SIZE * SIZE };

static Board *random_board(RuleKind kind, int size, int stones, Rng *rng)
{
    Rules rules;
    rules_init(&rules, kind, size, size, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2_LINE3);
    for (int tries = 0; board->stones < stones && tries < 1000; tries++) {
        Point p = rules_nth(&rules, (int)rng_below(rng, (uint32_t)(size * size)));
        if (ban_allows(board, p, board->side) && board_class(board, p, board->side) < CLASS_FOUR)
            board_play(board, p);
    }
    return board;
}

/* --- the tree -------------------------------------------------------------------------------- */

static const GumbelOptions options = {.simulations = 32,
                                      .candidates = 16,
                                      .noise = 1,
                                      .visits_offset = 50,
                                      .scale = 0.5f,
                                      .leaf_fours = 100};

/* Everything that a tree asks for must be legal at the leaf. */
static void judge_at_random(Gumbel *tree, Board *board, Rng *rng)
{
    float logits[AREA];
    const Point *moves;
    int count = gumbel_moves(tree, &moves);
    assert_true(count >= 1);
    assert_false(board_is_over(board));
    for (int i = 0; i < count; i++) {
        assert_true(ban_allows(board, moves[i], board->side));
        logits[i] = 3 * (float)rng_unit(rng);
    }
    gumbel_judge(tree, board, logits, 2 * (float)rng_unit(rng) - 1);
}

static void test_tree_keeps_to_the_rules(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    Vcf *vcf = vcf_open(1 << 16);
    Gumbel *tree = gumbel_open(options.simulations, AREA);
    for (int i = 0; i < 60; i++) {
        Board *board = random_board((RuleKind)(i % RULE_COUNT), SIZE, 2 + i / 2, &rng);
        Point moves[AREA];
        int count;
        uint64_t hash = board->hash;
        if (outlook_of(board, vcf, 1000, moves, &count) == OUTLOOK_OPEN) {
            GumbelResult result;
            gumbel_start(tree, &options);
            while (gumbel_descend(tree, board, vcf, &rng)) judge_at_random(tree, board, &rng);
            assert_int_equal(board->hash, hash);
            gumbel_result(tree, &result);
            assert_int_equal(result.visits, options.simulations);
            assert_true(ban_allows(board, result.move, board->side));
            assert_true(result.value >= -1 && result.value <= 1);
            float sum = 0;
            for (int m = 0; m < result.count; m++) {
                sum += result.share[m];
                assert_true(!m || result.share[m] <= result.share[m - 1]);
                assert_true(ban_allows(board, result.best[m], board->side));
            }
            assert_true(sum > 0 && sum < 1.001f);
        }
        board_close(board);
    }
    gumbel_close(tree);
    vcf_close(vcf);
}

/* A judge that likes one point: whoever has a stone there is winning. Both sides must want it. */
static void test_tree_follows_the_judge(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 2);
    Vcf *vcf = vcf_open(1 << 16);
    Gumbel *tree = gumbel_open(options.simulations, AREA);
    GumbelOptions calm = options;
    calm.noise = 0;
    for (int stones = 1; stones <= 2; stones++) {
        Rules rules;
        rules_init(&rules, RULE_FREESTYLE, SIZE, SIZE, 5);
        Board *board = board_open(&rules, NEAR_SQUARE2_LINE3);
        board_play(board, rules_point(&rules, 5, 5));
        if (stones == 2) board_play(board, rules_point(&rules, 6, 5));
        Point liked = rules_point(&rules, 4, 4);
        GumbelResult result;
        gumbel_start(tree, &calm);
        while (gumbel_descend(tree, board, vcf, &rng)) {
            float logits[AREA] = {0}, value = 0;
            const Point *moves;
            int count = gumbel_moves(tree, &moves);
            for (int i = 0; i < count; i++) logits[i] = moves[i] == liked ? 0.1f : 0;
            if (board->cell[liked] != CELL_EMPTY)
                value = board->cell[liked] == board->side + 1 ? 0.8f : -0.8f;
            gumbel_judge(tree, board, logits, value);
        }
        gumbel_result(tree, &result);
        assert_int_equal(result.move, liked);
        assert_int_equal(result.best[0], liked);
        assert_true(result.value > 0.5f);
        board_close(board);
    }
    gumbel_close(tree);
    vcf_close(vcf);
}

static void test_outlook(void **state)
{
    (void)state;
    Rules rules;
    Vcf *vcf = vcf_open(1 << 16);
    Point moves[AREA];
    int count;
    rules_init(&rules, RULE_FREESTYLE, SIZE, SIZE, 5);
    Board *board = board_open(&rules, NEAR_SQUARE2_LINE3);
    assert_int_equal(outlook_of(board, vcf, 100, moves, &count), OUTLOOK_FORCED);
    /* Black makes four from the edge on: one block. With the block elsewhere it is won. */
    for (int x = 0; x < 4; x++) {
        board_play(board, rules_point(&rules, x, 5));
        if (x < 3) board_play(board, rules_point(&rules, 2 * x, 9));
    }
    assert_int_equal(outlook_of(board, vcf, 100, moves, &count), OUTLOOK_FORCED);
    assert_int_equal(moves[0], rules_point(&rules, 4, 5));
    board_play(board, rules_point(&rules, 9, 0));
    assert_int_equal(outlook_of(board, vcf, 100, moves, &count), OUTLOOK_WON);
    board_play(board, rules_point(&rules, 4, 5));
    assert_int_equal(outlook_of(board, vcf, 100, moves, &count), OUTLOOK_LOST);
    board_close(board);
    vcf_close(vcf);
}

/* --- planes ---------------------------------------------------------------------------------- */

static void test_planes_are_symmetric(void **state)
{
    (void)state;
    enum { FRAME = 13, PLANE = FRAME * FRAME };
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 40; i++) {
        RuleKind kind = (RuleKind)(i % RULE_COUNT);
        Board *board = random_board(kind, SIZE, i, &rng);
        for (Sym sym = 0; sym < SYM_MAX; sym++) {
            Board *image = board_open(&board->rules, board->near);
            Point played[AREA];
            int count = board->plies;
            while (board->plies) {
                played[board->plies - 1] = board_last_point(board);
                board_undo(board);
            }
            for (int m = 0; m < count; m++) {
                board_play(board, played[m]);
                board_play(image, sym_point(&board->rules, sym, played[m]));
            }
            uint8_t mapped[PLANES_COUNT * PLANE], direct[PLANES_COUNT * PLANE];
            planes_write(board, sym, FRAME, mapped);
            planes_write(image, SYM_NONE, FRAME, direct);
            assert_memory_equal(mapped, direct, sizeof mapped);
            assert_int_equal(direct[FRAME - 1], PLANES_OFF);
            assert_int_equal(planes_kind(image), 2 * (int)kind + (int)image->side);
            board_close(image);
        }
        board_close(board);
    }
}

/* --- actors ---------------------------------------------------------------------------------- */

static ActorsPlan small_plan(RuleKind rule)
{
    ActorsPlan plan = {.games = 12,
                       .frame = SIZE,
                       .simulations = 8,
                       .many_simulations = 16,
                       .many_percent = 25,
                       .candidates = 4,
                       .noise = 1,
                       .visits_offset = 50,
                       .scale = 0.5f,
                       .leaf_fours = 50,
                       .root_fours = 500,
                       .seed = 5};
    plan.rule_weight[rule] = 1;
    plan.size_weight[9] = 1;
    plan.size_weight[SIZE] = 2;
    return plan;
}

/* A judge made of a hash of what it sees. */
static void judge_batch(int games, const uint8_t *planes, uint16_t *policy, float *value)
{
    for (int i = 0; i < games; i++) {
        uint32_t h = 2166136261u;
        for (int p = 0; p < AREA; p++) {
            h = (h ^ planes[i * PLANES_COUNT * AREA + p]) * 16777619u;
            policy[i * AREA + p] = (uint16_t)(0x3f80 + (h >> 25)); /* 1 … 2 */
        }
        value[i] = (float)(h % 2001) / 1000 - 1;
    }
}

/* One who sees nothing for either side. */
static void judge_even(int games, const uint8_t *planes, uint16_t *policy, float *value)
{
    judge_batch(games, planes, policy, value);
    for (int i = 0; i < games; i++) value[i] = 0;
}

typedef void JudgeBatch(int games, const uint8_t *planes, uint16_t *policy, float *value);

static size_t judged_games(const ActorsPlan *plan, JudgeBatch *judge, int threads, int steps,
                           uint8_t *bytes, size_t room, ActorsStats *stats)
{
    Team *team = team_open(threads, NULL);
    Replay *replay = replay_open(5, plan->frame, 100000, 1);
    Actors *actors = actors_open(plan, team, replay, NULL);
    assert_non_null(actors);
    size_t games = (size_t)plan->games;
    uint8_t *planes = mem_zero(games * PLANES_COUNT * AREA), *kinds = mem_zero(games);
    uint16_t *policy = mem_zero(games * AREA * sizeof *policy);
    float *value = mem_zero(games * sizeof *value);
    actors_step(actors, NULL, NULL, planes, kinds);
    for (int i = 0; i < steps; i++) {
        judge(plan->games, planes, policy, value);
        actors_step(actors, policy, value, planes, kinds);
    }
    actors_stats(actors, stats);
    assert_int_equal(stats->leaves, (int64_t)steps * plan->games);
    size_t len = replay_newest(replay, bytes, room);
    actors_close(actors);
    replay_close(replay);
    team_close(team);
    mem_free(planes);
    mem_free(kinds);
    mem_free(policy);
    mem_free(value);
    return len;
}

static size_t play_games(const ActorsPlan *plan, int threads, int steps, uint8_t *bytes,
                         size_t room, ActorsStats *stats)
{
    return judged_games(plan, judge_batch, threads, steps, bytes, room, stats);
}

/* Plays a game of the replay again: legal, not over before its end, the winner able to win. */
static void check_game(const ReplayGame *game)
{
    Board *board = board_open(&game->rules, NEAR_SQUARE2_LINE3);
    Vcf *vcf = vcf_open(1 << 16);
    Point moves[AREA];
    int count;
    for (int i = 0; i < game->plies; i++) {
        Point p = rules_nth(&game->rules, game->ply[i].played);
        assert_false(board_is_over(board));
        assert_true(ban_allows(board, p, board->side));
        for (int t = 0; t < game->ply[i].targets; t++)
            assert_true(
                ban_allows(board, rules_nth(&game->rules, game->ply[i].point[t]), board->side));
        board_play(board, p);
    }
    Outlook end = outlook_of(board, vcf, 100000, moves, &count);
    Cell us = (Cell)(board->side + 1), them = (Cell)(colour_other(board->side) + 1);
    assert_int_equal(game->winner, end == OUTLOOK_WON    ? us
                                   : end == OUTLOOK_LOST ? them
                                                         : CELL_EMPTY);
    vcf_close(vcf);
    board_close(board);
}

static void test_actors_play_legal_games(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    uint8_t *bytes = mem_alloc(ROOM);
    ReplayGame *game = mem_alloc(sizeof *game);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        ActorsPlan plan = small_plan((RuleKind)rule);
        ActorsStats stats;
        size_t len = play_games(&plan, 1, 300, bytes, ROOM, &stats);
        int64_t games = 0;
        for (size_t at = 0, used; at < len; at += used, games++) {
            used = replay_decode(bytes + at, len - at, game);
            assert_true(used > 0);
            assert_int_equal(game->rules.kind, rule);
            check_game(game);
        }
        assert_true(games > 0);
        assert_int_equal(games, stats.games);
        assert_true(stats.searches > games);
    }
    mem_free(game);
    mem_free(bytes);
}

static void test_actors_repeat(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    uint8_t *one = mem_alloc(ROOM), *two = mem_alloc(ROOM);
    ActorsPlan plan = small_plan(RULE_FREESTYLE);
    ActorsStats stats, again;
    size_t len = play_games(&plan, 1, 200, one, ROOM, &stats);
    assert_int_equal(play_games(&plan, 1, 200, two, ROOM, &again), len);
    assert_memory_equal(one, two, len);
    assert_memory_equal(&stats, &again, sizeof stats);
    play_games(&plan, 3, 200, two, ROOM, &again); /* for the thread sanitizer */
    mem_free(one);
    mem_free(two);
}

/* So that the first games kept are not the shortest ones alone. */
static void test_actors_begin_in_the_middle(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20, WARM = 40 };
    uint8_t *bytes = mem_alloc(ROOM);
    ReplayGame *game = mem_alloc(sizeof *game);
    ActorsPlan plan = small_plan(RULE_FREESTYLE);
    ActorsStats stats;
    plan.warm_moves = WARM;
    assert_int_equal(play_games(&plan, 1, 2 * WARM - 1, bytes, ROOM, &stats), 0);
    assert_int_equal(stats.searches, 0);
    size_t len = play_games(&plan, 1, 400, bytes, ROOM, &stats);
    int middle = 0, games = 0;
    for (size_t at = 0; at < len; games++) {
        at += replay_decode(bytes + at, len - at, game);
        check_game(game);
        int before = 0, kept = 0;
        while (before < game->plies && !game->ply[before].targets) before++;
        for (int i = before; i < game->plies; i++) kept += game->ply[i].targets > 0;
        assert_true(kept > 0);
        middle += before > STARTS_STONES_MAX + 1;
    }
    assert_true(games > plan.games && middle > 0 && middle <= plan.games);
    mem_free(game);
    mem_free(bytes);
}

/* Where nobody sees anything any more a game is a draw, but one in some is played on. */
static void test_actors_give_up_draws(void **state)
{
    (void)state;
    enum { ROOM = 1 << 20 };
    uint8_t *bytes = mem_alloc(ROOM);
    ReplayGame *game = mem_alloc(sizeof *game);
    ActorsPlan plan = small_plan(RULE_CARO);
    ActorsStats stats;
    plan.even_draw = 6;
    plan.leaf_fours = 1;
    size_t len = judged_games(&plan, judge_even, 1, 3000, bytes, ROOM, &stats);
    int64_t given_up = 0, played_on = 0;
    for (size_t at = 0; at < len;) {
        at += replay_decode(bytes + at, len - at, game);
        int area = game->rules.width * game->rules.height, even = 0, due = -1;
        for (int i = 0; i < game->plies; i++) {
            const ReplayPly *ply = &game->ply[i];
            if (!ply->targets) continue;
            if (due < 0 && even >= plan.even_draw && i * 4 >= area) due = i;
            even = abs(ply->value) < REPLAY_VALUE_ONE / 20 ? even + 1 : 0;
        }
        played_on += due >= 0;
        given_up += due < 0 && game->winner == CELL_EMPTY && even >= plan.even_draw &&
                    game->plies * 4 >= area;
    }
    assert_int_equal(stats.given_up, given_up);
    assert_true(played_on > 0 && played_on < given_up / 3);
    plan.even_draw = 0;
    judged_games(&plan, judge_even, 1, 1000, bytes, ROOM, &stats);
    assert_int_equal(stats.given_up, 0);
    mem_free(game);
    mem_free(bytes);
}

static void test_plans_are_checked(void **state)
{
    (void)state;
    Team *team = team_open(1, NULL);
    ActorsPlan good = small_plan(RULE_RENJU), bad = good;
    Err err;
    bad.size_weight[SIZE + 1] = 1;
    assert_null(actors_open(&bad, team, NULL, &err));
    bad = good;
    memset(bad.rule_weight, 0, sizeof bad.rule_weight);
    assert_null(actors_open(&bad, team, NULL, &err));
    bad = good;
    bad.candidates = 1000;
    assert_null(actors_open(&bad, team, NULL, &err));
    bad = good;
    bad.warm_moves = -1;
    assert_null(actors_open(&bad, team, NULL, &err));
    team_close(team);
}

/* --- replay ---------------------------------------------------------------------------------- */

static void random_game(ReplayGame *game, Rng *rng)
{
    rules_init(&game->rules, RULE_STANDARD, SIZE, SIZE, 5);
    game->winner = (Cell)rng_below(rng, 3);
    game->plies = 5 + (int)rng_below(rng, 30);
    for (int i = 0; i < game->plies; i++) {
        ReplayPly *ply = &game->ply[i];
        *ply = (ReplayPly){.played = (uint16_t)((i * 7) % AREA),
                           .targets = (uint8_t)rng_below(rng, REPLAY_TARGETS_MAX + 1)};
        if (ply->targets) ply->value = (int16_t)((int)rng_below(rng, 64001) - REPLAY_VALUE_ONE);
        for (int t = 0; t < ply->targets; t++) {
            ply->point[t] = (uint16_t)rng_below(rng, AREA);
            ply->share[t] = (uint8_t)(1 + rng_below(rng, 255));
        }
    }
}

static void test_replay_round_trip(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 4);
    ReplayGame *game = mem_zero(sizeof *game), *back = mem_zero(sizeof *back);
    for (int i = 0; i < 50; i++) {
        Buf bytes = BUF_EMPTY;
        random_game(game, &rng);
        replay_encode(game, &bytes);
        const uint8_t *data = (const uint8_t *)bytes.data;
        assert_int_equal(replay_decode(data, bytes.len, back), bytes.len);
        assert_int_equal(back->plies, game->plies);
        assert_int_equal(back->winner, game->winner);
        assert_true(rules_equal(&back->rules, &game->rules));
        assert_memory_equal(back->ply, game->ply, (size_t)game->plies * sizeof *game->ply);
        for (size_t cut = 0; cut < bytes.len; cut++)
            assert_int_equal(replay_decode(data, cut, back), 0);
        buf_free(&bytes);
    }
    mem_free(game);
    mem_free(back);
}

static void test_replay_keeps_the_newest(void **state)
{
    (void)state;
    enum { N = 64 };
    Rng rng;
    rng_seed(&rng, 6);
    Team *team = team_open(2, NULL);
    Replay *replay = replay_open(5, SIZE, 200, 1), *small = replay_open(5, SIZE - 1, 200, 1);
    ReplayGame *game = mem_zero(sizeof *game);
    static uint8_t planes[N * PLANES_COUNT * AREA], kind[N], policy[N * AREA];
    static float value[N];
    static int8_t outcome[N];
    static uint8_t stray[N];
    ReplayBatch batch = {planes, kind, policy, value, outcome, stray};
    assert_false(replay_sample(replay, team, N, 50, &batch));
    for (int i = 0; i < 40; i++) {
        random_game(game, &rng);
        replay_add(replay, game);
        assert_false(replay_add(small, game));
    }
    assert_true(replay_count(replay) <= 200 && replay_count(replay) > 150);
    assert_true(replay_taken(replay) > 400);
    assert_true(replay_sample(replay, team, N, 50, &batch));
    int strays = 0;
    for (int i = 0; i < N; i++) strays += stray[i];
    assert_true(strays > N / 4 && strays < N * 3 / 4);
    assert_true(replay_sample(replay, team, N, 0, &batch));
    for (int i = 0; i < N; i++) {
        assert_int_equal(stray[i], 0);
        int shares = 0;
        for (int p = 0; p < AREA; p++) shares += policy[i * AREA + p];
        assert_true(shares > 0);
        assert_true(value[i] >= -1 && value[i] <= 1 && outcome[i] >= -1 && outcome[i] <= 1);
        assert_int_equal(kind[i] / 2, RULE_STANDARD);
    }
    mem_free(game);
    replay_close(replay);
    replay_close(small);
    team_close(team);
}

/* --- duel ------------------------------------------------------------------------------------ */

static void test_duel_plays_all_games(void **state)
{
    (void)state;
    enum { SLOTS = 4 };
    Team *team = team_open(2, NULL);
    DuelPlan plan = {.games = 6,
                     .slots = SLOTS,
                     .rule = RULE_FREESTYLE,
                     .size = SIZE,
                     .simulations = 4,
                     .candidates = 4,
                     .visits_offset = 50,
                     .scale = 0.5f,
                     .leaf_fours = 50,
                     .root_fours = 500,
                     .engine_nodes = 100,
                     .seed = 3};
    Duel *duel = duel_open(&plan, team, NULL);
    assert_non_null(duel);
    static uint8_t planes[SLOTS * PLANES_COUNT * AREA], kinds[SLOTS];
    static uint16_t policy[SLOTS * AREA];
    float value[SLOTS] = {0};
    bool more = duel_step(duel, NULL, NULL, planes, kinds);
    for (int i = 0; more && i < 10000; i++) {
        judge_batch(SLOTS, planes, policy, value);
        more = duel_step(duel, policy, value, planes, kinds);
    }
    assert_false(more);
    DuelStats stats;
    duel_stats(duel, &stats);
    assert_int_equal(stats.games, plan.games);
    assert_int_equal(stats.wins + stats.draws + stats.losses, plan.games);
    int64_t pairs = 0;
    for (int i = 0; i < 5; i++) pairs += stats.pairs[i];
    assert_int_equal(pairs, plan.games / 2);
    duel_close(duel);
    team_close(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlook),
        cmocka_unit_test(test_tree_keeps_to_the_rules),
        cmocka_unit_test(test_tree_follows_the_judge),
        cmocka_unit_test(test_planes_are_symmetric),
        cmocka_unit_test(test_actors_play_legal_games),
        cmocka_unit_test(test_actors_repeat),
        cmocka_unit_test(test_actors_begin_in_the_middle),
        cmocka_unit_test(test_actors_give_up_draws),
        cmocka_unit_test(test_plans_are_checked),
        cmocka_unit_test(test_replay_round_trip),
        cmocka_unit_test(test_replay_keeps_the_newest),
        cmocka_unit_test(test_duel_plays_all_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
