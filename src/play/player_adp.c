/* SPDX-License-Identifier: MIT */
/* The player adp: the move to the position that its critic likes best, without search. Learnt by
 * goren learn adp. */
#include "play/player_adp.h"

#include "base/data.h"
#include "base/mem.h"

DATA_DECLARE(adp_zhao_params);
DATA_DECLARE(adp_fudan_params);

typedef struct {
    Player head;
    AdpCritic critic;
} AdpPlayer;

typedef struct {
    const char *params;
    int form;
} AdpPlayerOptions;

static const Opt adp_player_opts[] = {
    {.name = "params",
     .type = OPT_TEXT,
     .offset = offsetof(AdpPlayerOptions, params),
     .value = "FILE",
     .help = "what goren learn adp wrote; otherwise what is built in"},
    {.name = "form",
     .type = OPT_CHOICE,
     .offset = offsetof(AdpPlayerOptions, form),
     .standard = "fudan",
     .choices = ADP_FORM_CHOICES,
     .help = "which of the two that are built in"},
    {0},
};

static const OptTable adp_player_table = {
    .name = "adp",
    .about = "The best next position by a network over pattern counts, trained by adaptive dynamic "
             "programming.",
    .example = "adp:form=zhao",
    .opts = adp_player_opts,
};

bool player_adp_load(AdpCritic *critic, const char *path, AdpForm form, Err *err)
{
    Params params;
    bool good;
    if (path)
        good = params_read(path, "adp", &params, err);
    else if (form == ADP_ZHAO)
        good = params_parse(data_adp_zhao_params, data_adp_zhao_params_size, "data/adp-zhao.params",
                            "adp", &params, err);
    else
        good = params_parse(data_adp_fudan_params, data_adp_fudan_params_size,
                            "data/adp-fudan.params", "adp", &params, err);
    if (!good) return false;
    good = adp_critic_get(critic, &params, path ? path : "data", err);
    params_free(&params);
    return good;
}

Player *player_adp_from(const Params *params, Err *err)
{
    AdpPlayer *adp = mem_zero(sizeof *adp);
    adp->head.kind = &player_adp;
    if (adp_critic_get(&adp->critic, params, "parameters", err)) return &adp->head;
    mem_free(adp);
    return NULL;
}

static Player *adp_open(const char *keys, Err *err)
{
    AdpPlayerOptions options = {0};
    Arena texts;
    AdpPlayer *adp = mem_zero(sizeof *adp);
    arena_open(&texts, 256);
    bool good = opts_parse_keys(&adp_player_table, keys, &options, &texts, err) &&
                player_adp_load(&adp->critic, options.params, (AdpForm)options.form, err);
    arena_close(&texts);
    if (good) return &adp->head;
    mem_free(adp);
    return NULL;
}

static bool adp_plays(const Player *player, const Rules *rules, Err *err)
{
    return adp_counts_check(((const AdpPlayer *)player)->critic.form, rules, err);
}

static bool adp_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                      Err *err)
{
    (void)err;
    AdpPlayer *adp = (AdpPlayer *)player;
    AdpCounts counts;
    float value;
    Board *own = board_open(&board->rules, NEAR_SQUARE2);
    board_follow(own, board);
    adp_counts_open(&counts, adp->critic.form);
    adp_counts_reset(&counts, own);
    Point p = adp_critic_choose(&adp->critic, &counts, own, limits->blocked, limits->blocked_count,
                                &value);
    board_close(own);
    thought_set_move(thought, p);
    thought->has_value = p != POINT_NONE;
    thought->value = value > 1 ? 1 : value;
    return true;
}

static void adp_close(Player *player)
{
    adp_critic_close(&((AdpPlayer *)player)->critic);
    mem_free(player);
}

const PlayerKind player_adp = {
    .options = &adp_player_table,
    .open = adp_open,
    .plays = adp_plays,
    .think = adp_think,
    .close = adp_close,
};
