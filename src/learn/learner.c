/* SPDX-License-Identifier: MIT */
/* Learners: see learner.h. The list of all kinds, and what they have in common. */
#include "learn/learner.h"

#include "base/mem.h"
#include "base/os.h"

#include <string.h>

const LearnerKind *const learner_kinds[] = {
    &learner_td, &learner_adp, &learner_table, &learner_patterns, NULL,
};

const LearnerKind *learner_find(const char *name, Err *err)
{
    Buf known = BUF_EMPTY;
    for (const LearnerKind *const *kind = learner_kinds; *kind; kind++) {
        if (strcmp((*kind)->options->name, name) == 0) {
            buf_free(&known);
            return *kind;
        }
        buf_printf(&known, "%s%s", known.len ? ", " : "", (*kind)->options->name);
    }
    err_set(err, "there is no learner \"%s\"; there are %s", name, buf_text(&known));
    buf_free(&known);
    return NULL;
}

Learner *learner_open(const LearnerKind *kind, const LearnerPlan *plan, Err *err)
{
    FileLock *lock = plan->path ? os_file_lock(plan->path, err) : NULL;
    if (plan->path && !lock) return NULL;
    Learner *learner = kind->open(plan, err);
    if (!learner) {
        os_file_unlock(lock);
        return NULL;
    }
    learner->lock = lock;
    learner->kind = kind;
    learner->rules = plan->rules;
    learner->path = plan->path;
    return learner;
}

bool learner_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    *loss = 0;
    if (!learner->kind->observe(learner, game, loss, err)) return false;
    learner->games++;
    learner->losses += *loss;
    learner->loss_games++;
    return true;
}

bool learner_step(Learner *learner, double *loss, Err *err)
{
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    bool by_lot[SIZE_MAX_SIDE * SIZE_MAX_SIDE] = {false};
    LearnerGame game = {.moves = moves, .by_lot = by_lot};
    return learner->kind->play(learner, moves, by_lot, &game, err) &&
           learner_observe(learner, &game, loss, err) && learner_save(learner, false, err);
}

bool learner_save(Learner *learner, bool safe, Err *err)
{
    return !learner->path || learner->kind->save(learner, safe, err);
}

Player *learner_player(Learner *learner, Err *err)
{
    return learner->kind->player(learner, err);
}

void learner_close(Learner *learner)
{
    if (!learner) return;
    FileLock *lock = learner->lock;
    learner->kind->close(learner);
    os_file_unlock(lock);
}

bool learner_write(const Learner *learner, void (*write)(const Learner *, Params *), bool safe,
                   Err *err)
{
    Params params;
    Buf bytes = BUF_EMPTY, backup = BUF_EMPTY;
    write(learner, &params);
    params_write(&params, &bytes);
    params_free(&params);
    buf_printf(&backup, "%s.bak", learner->path);
    bool good = safe ? os_file_replace(learner->path, bytes.data, bytes.len, err) &&
                           os_file_replace(backup.data, bytes.data, bytes.len, err)
                     : os_file_swap(learner->path, bytes.data, bytes.len, err);
    buf_free(&backup);
    buf_free(&bytes);
    return good;
}

static const char *const chance[] = {"chance0", "chance1", "chance2", "chance3"};

void learner_put_head(const Learner *learner, Params *params)
{
    int64_t losses;
    memcpy(&losses, &learner->losses, sizeof losses);
    params_put(params, "rule", learner->rules.kind);
    params_put(params, "games", learner->games);
    for (int i = 0; i < 4; i++) params_put(params, chance[i], (int64_t)learner->rng.s[i]);
    params_put(params, "losses", losses);
    params_put(params, "lossgames", learner->loss_games);
}

bool learner_get_head(Learner *learner, const Params *params, Err *err)
{
    int64_t losses;
    if (!params_get(params, "games", 0, INT64_MAX, &learner->games, err) ||
        !params_get(params, "losses", INT64_MIN, INT64_MAX, &losses, err) ||
        !params_get(params, "lossgames", 0, INT64_MAX, &learner->loss_games, err))
        return false;
    memcpy(&learner->losses, &losses, sizeof losses);
    for (int i = 0; i < 4; i++) {
        int64_t word;
        if (!params_get(params, chance[i], INT64_MIN, INT64_MAX, &word, err)) return false;
        learner->rng.s[i] = (uint64_t)word;
    }
    return true;
}

bool learner_check_rule(const Params *params, const LearnerPlan *plan, Err *err)
{
    int64_t rule;
    if (!params_get(params, "rule", 0, RULE_COUNT - 1, &rule, NULL)) return true;
    return (RuleKind)rule == plan->rules.kind ||
           err_set(err, "%s: is for the rule %s, not for %s; give that, or another file",
                   plan->path, rule_name((RuleKind)rule), rule_name(plan->rules.kind));
}
