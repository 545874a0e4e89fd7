/* SPDX-License-Identifier: MIT */
#include "learn/intake.h"

#include "base/mem.h"
#include "base/os.h"

struct Intake {
    Archive *archive;
    IntakePlan plan;
    Mutex *mutex; /* guards the archive and what follows */
    int next;     /* all before it are there or handed out */
    int again;    /* where to look next for one that is not back, over and over */
    int64_t positions;
    bool failed;
    Err err;
};

Intake *intake_open(Archive *archive, const IntakePlan *plan)
{
    Intake *intake = mem_zero(sizeof *intake);
    intake->archive = archive;
    intake->plan = *plan;
    intake->mutex = os_mutex_open();
    return intake;
}

bool intake_close(Intake *intake, Err *err)
{
    bool good = !intake->failed;
    if (!good && err) *err = intake->err;
    os_mutex_close(intake->mutex);
    mem_free(intake);
    return good;
}

/* --- with the mutex locked ------------------------------------------------------------------- */

static bool is_over(const Intake *intake)
{
    return intake->failed || atomic_load(intake->plan.stop) ||
           archive_count(intake->archive) >= intake->plan.games;
}

static bool is_there(const Intake *intake, int number)
{
    return archive_has(intake->archive, (uint32_t)number);
}

static int next_new(Intake *intake)
{
    while (intake->next < intake->plan.games && is_there(intake, intake->next)) intake->next++;
    return intake->next < intake->plan.games ? intake->next++ : -1;
}

static int next_again(Intake *intake)
{
    for (int i = 0; i < intake->plan.games; i++) {
        int number = intake->again;
        intake->again = (number + 1) % intake->plan.games;
        if (!is_there(intake, number)) return number;
    }
    return -1;
}

static void fail(Intake *intake, const Err *why)
{
    if (!intake->failed) intake->err = *why;
    intake->failed = true;
}

/* --- from any thread ------------------------------------------------------------------------- */

int intake_take(Intake *intake)
{
    int number = -1;
    os_mutex_lock(intake->mutex);
    if (!is_over(intake)) {
        number = next_new(intake);
        if (number < 0 && intake->plan.again) number = next_again(intake);
    }
    os_mutex_unlock(intake->mutex);
    return number;
}

void intake_give(Intake *intake, const ArchiveGame *game)
{
    Err err;
    os_mutex_lock(intake->mutex);
    if (!intake->failed && !is_there(intake, (int)game->number)) {
        if (!archive_add(intake->archive, game, &err)) fail(intake, &err);
        intake->positions += game->plies - game->opening;
        if (intake->plan.report)
            intake->plan.report(intake->plan.ctx, archive_count(intake->archive),
                                intake->positions);
    }
    os_mutex_unlock(intake->mutex);
}

void intake_fail(Intake *intake, const Err *why)
{
    os_mutex_lock(intake->mutex);
    fail(intake, why);
    os_mutex_unlock(intake->mutex);
}

bool intake_is_over(Intake *intake)
{
    os_mutex_lock(intake->mutex);
    bool over = is_over(intake);
    os_mutex_unlock(intake->mutex);
    return over;
}

static int desk_take(void *ctx)
{
    return intake_take(ctx);
}

static void desk_give(void *ctx, const ArchiveGame *game)
{
    intake_give(ctx, game);
}

SelfplayDesk intake_desk(Intake *intake)
{
    return (SelfplayDesk){desk_take, desk_give, intake};
}
