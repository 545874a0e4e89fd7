/* SPDX-License-Identifier: MIT */
#include "play/bout.h"

#include "base/mem.h"
#include "base/os.h"

#include <math.h>
#include <string.h>

void bout_close(Bout *bout)
{
    mem_free(bout->moves);
    bout->moves = NULL;
}

int bout_half_points(const Bout *bout, int player)
{
    if (bout->winner < 0) return 1;
    return bout->player[bout->winner] == player ? 2 : 0;
}

/* ---- play ---- */

typedef struct {
    const BoutHost *host;
    const Job *job;
    BoutStop *stop;
    Game game;
    Player *player[SEAT_COUNT];
    PlayerHost player_host[SEAT_COUNT];
    struct Ear {
        const BoutHost *host;
        int64_t job;
        const char *name;
    } ear[SEAT_COUNT];
    int low[SEAT_COUNT];  /* moves in a row that saw no hope */
    int high[SEAT_COUNT]; /* … that saw a sure win */
    int even;             /* moves in a row of both that saw a draw */
} Play;

static void on_line(void *ctx, char mark, const char *text)
{
    const struct Ear *ear = ctx;
    ear->host->line(ear->host->line_ctx, ear->job, ear->name, mark, text);
}

static bool open_player(Play *play, int seat)
{
    const MatchPlan *plan = play->host->plan;
    const Entrant *entrant = &plan->players[play->job->player[seat]];
    Err err;
    Player *player = player_open(entrant->spec, &err);
    if (!player) {
        game_lose(&play->game, seat, REASON_CRASH, err.text);
        return false;
    }
    play->ear[seat] = (struct Ear){play->host, play->job->number, entrant->name};
    play->player_host[seat] = (PlayerHost){
        .line = play->host->line ? on_line : NULL,
        .ctx = &play->ear[seat],
        .stderr_file = play->host->stderr_file,
        .memory = plan->memory,
        .grace_ms = plan->game.clock.grace_ms,
        .suspend = plan->suspend,
    };
    player->host = &play->player_host[seat];
    /* One seed for both games from an opening, so that they differ in nothing but the seats. */
    player_reseed(player, play->job->seed ^ (uint64_t)play->job->player[seat] << 32);
    play->player[seat] = player;
    return true;
}

static RecordReason reason_of(Fault fault)
{
    switch (fault) {
    case FAULT_TIME:
        return REASON_TIME;
    case FAULT_MEMORY:
        return REASON_MEMORY;
    case FAULT_NONSENSE:
        return REASON_ILLEGAL;
    case FAULT_CRASH:
    case FAULT_NONE:
        break;
    }
    return REASON_CRASH;
}

static void set_asked(BoutStop *stop, Player *player)
{
    os_mutex_lock(stop->mutex);
    stop->asked = player;
    os_mutex_unlock(stop->mutex);
}

static void note_lateness(const Game *game, const Limits *limits, int64_t elapsed_ms, Bout *bout)
{
    int64_t had = limits->turn_ms ? limits->turn_ms : INT64_MAX;
    if (limits->left_ms && limits->left_ms < had) had = limits->left_ms;
    int64_t *worst = &bout->late_ms[game->seat];
    if (elapsed_ms - had > *worst) *worst = elapsed_ms - had;
}

/* The players agree for long enough on who wins, or that nobody does. */
static void adjudicate(Play *play, int seat, const Thought *thought)
{
    const Adjudication *a = &play->host->plan->adjudication;
    Game *game = &play->game;
    bool known = thought->has_value && thought->decision == DECIDE_MOVE;
    double value = thought->value;
    play->low[seat] = known && value <= a->resign_value ? play->low[seat] + 1 : 0;
    play->high[seat] = known && value >= 1 - a->resign_value ? play->high[seat] + 1 : 0;
    play->even = known && fabs(value - 0.5) <= a->draw_within ? play->even + 1 : 0;
    if (game->over) return;
    if (a->resign_moves && play->low[seat] >= a->resign_moves && play->high[1 - seat] > 0) {
        game_lose(game, seat, REASON_ADJUDICATED, "both sides see it lost");
    } else if (a->draw_moves && play->even >= 2 * a->draw_moves &&
               game->board->stones >= a->draw_from) {
        game_draw(game, REASON_ADJUDICATED, "both sides see it even");
    }
}

static void decide(Play *play, Bout *bout)
{
    const MatchPlan *plan = play->host->plan;
    Game *game = &play->game;
    int seat = game->seat;
    Player *player = play->player[seat];
    Limits limits;
    Thought thought;
    Err err;
    game_limits(game, &limits);
    limits.nodes = plan->nodes;
    limits.depth = plan->depth;
    set_asked(play->stop, player);
    int64_t began = os_clock_ns();
    uint64_t seed = play->job->seed + (uint64_t)seat;
    bool good = player_settle(player, game->ask, game->board, &limits, seed, &thought, &err);
    int64_t elapsed_ms = (os_clock_ns() - began - thought.waited_ns + 500000) / 1000000;
    set_asked(play->stop, NULL);
    if (atomic_load(play->host->stop)) {
        bout->dropped = true;
        return;
    }
    note_lateness(game, &limits, elapsed_ms, bout);
    if (good) {
        game_act(game, &thought, elapsed_ms);
        adjudicate(play, seat, &thought);
    } else {
        game_lose(game, seat, reason_of(thought.fault), err.text);
    }
    if (play->host->moved) play->host->moved(play->host->moved_ctx, play->job, game);
}

static void take_game(Game *game, Bout *bout)
{
    bout->winner = game->winner;
    bout->reason = game->reason;
    memcpy(bout->detail, game->detail, sizeof bout->detail);
    memcpy(bout->colour, game->colour, sizeof bout->colour);
    bout->move_count = game->move_count;
    bout->moves = mem_copy(game->moves, (size_t)(game->move_count + 1) * sizeof *game->moves);
}

void bout_play(const BoutHost *host, const Job *job, BoutStop *stop, Bout *bout)
{
    Point stones[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int64_t began = os_clock_ms();
    *bout = (Bout){.job = job->number};
    memcpy(bout->player, job->player, sizeof bout->player);
    GamePlan plan = host->plan->game;
    plan.stones = stones;
    plan.stone_count = schedule_stones(host->plan, job, stones);
    Play *play = mem_zero(sizeof *play);
    play->host = host;
    play->job = job;
    play->stop = stop;
    game_open(&play->game, &plan);
    for (int seat = 0; !play->game.over && seat < SEAT_COUNT; seat++) open_player(play, seat);
    while (!play->game.over && !bout->dropped) decide(play, bout);
    for (int seat = 0; seat < SEAT_COUNT; seat++) player_close(play->player[seat]);
    take_game(&play->game, bout);
    bout->ms = os_clock_ms() - began;
    game_close(&play->game);
    mem_free(play);
}
