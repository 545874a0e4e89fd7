/* SPDX-License-Identifier: MIT */
#include "app/pupil.h"

#include "base/mem.h"

#include <string.h>

/* "kind:key=value,…" as players are written. Options that are not named have their usual values. */
static bool open_learner(Pupil *pupil, const Rules *rules, Err *err)
{
    char *colon = strchr(pupil->spec, ':');
    if (colon) *colon = '\0';
    const LearnerKind *kind = learner_find(pupil->spec, err);
    if (!kind) return false;
    Arena texts;
    arena_open(&texts, 256);
    void *options = mem_zero(kind->options_size);
    LearnerPlan plan = {.rules = *rules, .path = pupil->path, .seed = 1, .options = options};
    if (opts_parse_keys(kind->options, colon ? colon + 1 : "", options, &texts, err))
        pupil->learner = learner_open(kind, &plan, err);
    mem_free(options);
    arena_close(&texts);
    return pupil->learner;
}

static bool renew_player(Pupil *pupil, Err *err)
{
    player_close(pupil->player);
    pupil->player = learner_player(pupil->learner, err);
    return pupil->player;
}

bool pupil_open(Pupil *pupil, const char *spec, const char *path, const Rules *rules, Err *err)
{
    *pupil = (Pupil){.path = mem_text(path), .spec = mem_text(spec)};
    return open_learner(pupil, rules, err) && renew_player(pupil, err);
}

bool pupil_learn(Pupil *pupil, const Board *board, const char *const rival[COLOUR_COUNT], Err *err)
{
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    LearnerGame game = {.moves = moves,
                        .count = board_moves(board, moves),
                        .won = board->won,
                        .rival = {rival[BLACK], rival[WHITE]}};
    double loss;
    return learner_observe(pupil->learner, &game, &loss, err) &&
           learner_save(pupil->learner, true, err) && renew_player(pupil, err);
}

void pupil_close(Pupil *pupil)
{
    player_close(pupil->player);
    learner_close(pupil->learner);
    mem_free(pupil->path);
    mem_free(pupil->spec);
}
