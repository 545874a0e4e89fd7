/* SPDX-License-Identifier: MIT */
/* The player td: the move that its critic values most, without search. Learnt by goren learn td. */
#include "play/player_td.h"

#include "base/data.h"
#include "base/mem.h"
#include "base/os.h"
#include "eval/critic_td.h"

#include <string.h>

DATA_DECLARE(td_added_params);
DATA_DECLARE(td_after_params);

typedef struct {
    Player head;
    TdCritic critic;
    TdCritic stand_in;   /* for another k than the critic's; its k is 0 before there is one */
    TdFeatures features; /* for the rules of the last board */
    bool has_features;
    bool shipped; /* the parameters are those of the house, for 5 in a row */
    Rng rng;
} TdPlayer;

typedef struct {
    const char *params;
    int form;
    int64_t seed;
} TdPlayerOptions;

static const Opt td_player_opts[] = {
    {.name = "params",
     .type = OPT_TEXT,
     .offset = offsetof(TdPlayerOptions, params),
     .value = "FILE",
     .help = "what goren learn td wrote; otherwise what is built in"},
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(TdPlayerOptions, form),
     .standard = "after",
     .choices = "added|after",
     .help = "which of the two that are built in: the move judged by what it changes, as its "
             "program does, or by what stands on the board after it"},
    {.name = "seed",
     .type = OPT_COUNT,
     .offset = offsetof(TdPlayerOptions, seed),
     .standard = "0",
     .help = "of the choice among equals; 0: another one each time"},
    {0},
};

static const OptTable td_player_table = {
    .name = "td",
    .about = "The best next move by a network over patterns of both sides, trained by temporal "
             "differences.",
    .example = "td:params=my.params",
    .opts = td_player_opts,
};

static TdPlayer *make(const Params *params, const char *name, Err *err)
{
    TdPlayer *td = mem_zero(sizeof *td);
    if (td_critic_get(&td->critic, params, name, err)) return td;
    mem_free(td);
    return NULL;
}

Player *player_td_from(const Params *params, Err *err)
{
    TdPlayer *td = make(params, "parameters", err);
    if (!td) return NULL;
    td->head.kind = &player_td;
    rng_seed(&td->rng, 1);
    return &td->head;
}

static bool load(const TdPlayerOptions *options, Params *params, Err *err)
{
    if (options->params) return params_read(options->params, "td", params, err);
    if (options->form == 0)
        return params_parse(data_td_added_params, data_td_added_params_size, "data/td-added.params",
                            "td", params, err);
    return params_parse(data_td_after_params, data_td_after_params_size, "data/td-after.params",
                        "td", params, err);
}

static Player *td_open(const char *keys, Err *err)
{
    TdPlayerOptions options = {0};
    Arena texts;
    Params params = {0};
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&td_player_table, keys, &options, &texts, err) &&
                load(&options, &params, err);
    TdPlayer *td = good ? make(&params, options.params ? options.params : "data", err) : NULL;
    if (td) {
        td->shipped = !options.params;
        rng_seed(&td->rng, options.seed ? (uint64_t)options.seed : (uint64_t)os_clock_ns());
    }
    params_free(&params);
    arena_close(&texts);
    return td ? &td->head : NULL;
}

/* Without a file of its own for this k it plays with random parameters, as its program did. */
static const TdCritic *critic_for(TdPlayer *td, int k)
{
    TdCritic *other = &td->stand_in;
    Rng rng;
    if (td->critic.k == k) return &td->critic;
    if (other->k == k) return other;
    if (other->k) td_critic_close(other);
    rng_seed(&rng, (uint64_t)k);
    td_critic_open(other, k, td->critic.form, td->critic.credit, 0);
    mlp_shuffle(&other->net, 0.5, &rng);
    return other;
}

static bool td_plays(const Player *player, const Rules *rules, Err *err)
{
    const TdPlayer *td = (const TdPlayer *)player;
    if (td->shipped || td->critic.k == rules->k) return true;
    return err_set(err, "its parameters are for %d in a row, not for %d", td->critic.k, rules->k);
}

static bool td_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                     Err *err)
{
    (void)err;
    TdPlayer *td = (TdPlayer *)player;
    float value;
    const TdCritic *critic = critic_for(td, board->rules.k);
    if (td->has_features && !rules_equal(&td->features.rules, &board->rules)) {
        td_features_close(&td->features);
        td->has_features = false;
    }
    if (!td->has_features) td_features_open(&td->features, &board->rules);
    td->has_features = true;
    td_features_reset(&td->features, board);
    Point p = td_critic_choose(critic, &td->features, board, limits->blocked, limits->blocked_count,
                               &td->rng, &value);
    thought_set_move(thought, p);
    thought->has_value = p != POINT_NONE && value <= 1;
    thought->value = value;
    return true;
}

static void td_reseed(Player *player, uint64_t seed)
{
    rng_seed(&((TdPlayer *)player)->rng, seed);
}

static void td_close(Player *player)
{
    TdPlayer *td = (TdPlayer *)player;
    td_critic_close(&td->critic);
    if (td->stand_in.k) td_critic_close(&td->stand_in);
    if (td->has_features) td_features_close(&td->features);
    mem_free(td);
}

const PlayerKind player_td = {
    .options = &td_player_table,
    .open = td_open,
    .plays = td_plays,
    .think = td_think,
    .reseed = td_reseed,
    .close = td_close,
};
