/* SPDX-License-Identifier: MIT */
#include "learn/selfplay.h"

#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "game/scatter.h"
#include "learn/intake.h"
#include "search/search.h"

enum {
    EXPLORE_PLIES = 16, /* early moves are sometimes not the best */
    EXPLORE_ONE_IN = 6,
    EXPLORE_LINES = 3,
    OPENING_TRIES = 12, /* to find one that is not decided yet */
    OPENING_EVEN = 250, /* this near to 0, as the search sees it */
    LENGTH_MAX = 220,   /* longer games are given up as draws */
    TABLE_BYTES = 16 << 20,
    TABLE_BYTES_JUDGING = 1 << 20, /* emptied before every position */
};

void selfplay_opening(Board *board, Search *search, int64_t nodes, Rng *rng,
                      Point stones[SELFPLAY_OPENING_MAX])
{
    for (int tries = 0; tries < OPENING_TRIES; tries++) {
        SearchResult seen;
        while (board->stones) board_undo(board);
        int count = 1 + (int)rng_below(rng, SELFPLAY_OPENING_MAX),
            side = 3 + (int)rng_below(rng, 4);
        Area area = scatter_area(&board->rules, side, rng_below(rng, 3) > 0, rng);
        scatter_stones(board, area, count, rng, stones);
        search_run(search, board, &(Limits){.nodes = nodes}, NULL, NULL, &seen);
        if (seen.score < OPENING_EVEN && seen.score > -OPENING_EVEN) return;
    }
}

static uint16_t place(const Rules *r, Point p)
{
    return (uint16_t)(rules_y(r, p) * r->width + rules_x(r, p));
}

static void ply_add(ArchiveGame *game, Point played, Point best, int score)
{
    game->ply[game->plies++] =
        (ArchivePly){place(&game->rules, played), place(&game->rules, best), (int16_t)score};
}

static Point choose(const Board *board, const SearchResult *seen, Rng *rng)
{
    if (board->stones > EXPLORE_PLIES || rng_below(rng, EXPLORE_ONE_IN) || seen->line_count < 2)
        return seen->move;
    return seen->lines[rng_below(rng, (uint32_t)seen->line_count)].move;
}

static void play(const SelfplayPlan *plan, Search *search, Rng *rng, ArchiveGame *game)
{
    Board *board = board_open(&game->rules, NEAR_SQUARE2_LINE3);
    search_new_game(search);
    Point stones[SELFPLAY_OPENING_MAX];
    selfplay_opening(board, search, plan->nodes, rng, stones);
    search_new_game(search);
    game->plies = 0;
    for (int i = 0; i < board->stones; i++) ply_add(game, stones[i], stones[i], ARCHIVE_NO_SCORE);
    game->opening = game->plies;
    while (!board_is_over(board) && board->stones < LENGTH_MAX) {
        Limits limits = {.nodes = plan->nodes,
                         .lines = board->stones <= EXPLORE_PLIES ? EXPLORE_LINES : 1};
        SearchResult seen;
        search_run(search, board, &limits, NULL, NULL, &seen);
        if (seen.move == POINT_NONE) break;
        Point p = choose(board, &seen, rng);
        ply_add(game, p, seen.move, seen.score);
        board_play(board, p);
    }
    game->winner = (uint8_t)board->won;
    board_close(board);
}

/* --- many threads ---------------------------------------------------------------------------- */

typedef struct {
    const SelfplayPlan *plan;
    const SelfplayDesk *desk;
    Mutex *mutex; /* guards what follows */
    bool failed;
    Err err;
} Work;

static void work(void *ctx)
{
    Work *work = ctx;
    const SelfplayPlan *plan = work->plan;
    SearchOptions options = {.threads = 1,
                             .table_bytes = plan->relabel ? TABLE_BYTES_JUDGING : TABLE_BYTES,
                             .eval = plan->eval,
                             .eval_file = plan->net};
    ArchiveGame *game = mem_zero(sizeof *game);
    Search *searches[SIZE_MAX_SIDE + 1] = {0}; /* one a size: they are costly to open */
    for (int number; (number = work->desk->take(work->desk->ctx)) >= 0;) {
        Err err;
        Rng rng;
        game->number = (uint32_t)number;
        rng_seed(&rng, plan->seed * 1000003 + game->number);
        int size = plan->size[number % plan->size_count];
        if (plan->relabel)
            relabel_draw(plan->relabel, &rng, game);
        else
            rules_init(&game->rules, plan->rule, size, size, 5);
        Search **search = &searches[game->rules.width];
        if (!*search) *search = search_open(&game->rules, &options, &err);
        if (!*search) {
            os_mutex_lock(work->mutex);
            if (!work->failed) work->err = err;
            work->failed = true;
            os_mutex_unlock(work->mutex);
            break;
        }
        if (plan->relabel)
            relabel_judge(*search, plan->nodes, &rng, game);
        else
            play(plan, *search, &rng, game);
        work->desk->give(work->desk->ctx, game);
    }
    for (int i = 0; i <= SIZE_MAX_SIDE; i++) search_close(searches[i]);
    mem_free(game);
}

bool selfplay_work(const SelfplayPlan *plan, const SelfplayDesk *desk, Err *err)
{
    enum { THREADS_MAX = 256 };
    Work all = {plan, desk, os_mutex_open(), false, {{0}}};
    Thread *thread[THREADS_MAX] = {0};
    int threads = plan->threads < THREADS_MAX ? plan->threads : THREADS_MAX;
    for (int i = 1; i < threads; i++) thread[i] = os_thread_start(work, &all, NULL);
    work(&all); /* threads that were refused are not missed: the games are taken one by one */
    for (int i = 1; i < threads; i++)
        if (thread[i]) os_thread_join(thread[i]);
    os_mutex_close(all.mutex);
    if (all.failed && err) *err = all.err;
    return !all.failed;
}

/* --- into an archive ------------------------------------------------------------------------- */

bool selfplay_run(const SelfplayPlan *plan, Archive *archive, atomic_bool *stop,
                  SelfplayReport *report, void *ctx, Err *err)
{
    IntakePlan wanted = {.games = plan->games, .stop = stop, .report = report, .ctx = ctx};
    Intake *intake = intake_open(archive, &wanted);
    SelfplayDesk desk = intake_desk(intake);
    Err why;
    if (!selfplay_work(plan, &desk, &why)) intake_fail(intake, &why);
    return intake_close(intake, err);
}
