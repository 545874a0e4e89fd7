/* SPDX-License-Identifier: MIT */
#include "lessons.h"

#include "base/mem.h"
#include "base/os.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/goren-lessons-XXXXXX";

int lessons_make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int lessons_drop_folder(void **state)
{
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

Learner *lessons_open(const LearnerKind *kind, const char *keys, const char *path, int size,
                      int win, Err *err)
{
    Arena texts;
    arena_open(&texts, 256);
    void *options = mem_zero(kind->options_size);
    assert_true(opts_parse_keys(kind->options, keys, options, &texts, err));
    LearnerPlan plan = {.path = path, .seed = 5, .options = options};
    rules_init(&plan.rules, RULE_FREESTYLE, size, size, win);
    Learner *learner = learner_open(kind, &plan, err);
    mem_free(options);
    arena_close(&texts);
    return learner;
}

double lessons_loss(const LearnerKind *kind, const char *keys, const char *path, int size, int win,
                    int64_t games)
{
    Err err;
    Learner *learner = lessons_open(kind, keys, path, size, win, &err);
    if (!learner) fail_msg("%s", err.text);
    TrainingPlan training = {.games = games, .every = games < 1000 ? 10 : 0};
    Curve curve = {.opponents = {"random:seed=1"}, .opponent_count = 1, .games = 2};
    if (!training_run(&training, learner, &curve, NULL, NULL, NULL, &err)) fail_msg("%s", err.text);
    assert_int_equal(learner->games, games);
    double loss = learner->losses / (double)learner->loss_games;
    learner_close(learner);
    curve_free(&curve);
    return loss;
}

void lessons_check_resume(const LearnerKind *kind, const char *keys, int size, int win,
                          int64_t games)
{
    Buf one = BUF_EMPTY, other = BUF_EMPTY;
    Err err;
    remove("whole");
    remove("parts");
    double loss = lessons_loss(kind, keys, "whole", size, win, games);
    lessons_loss(kind, keys, "parts", size, win, games / 4);
    lessons_loss(kind, keys, "parts", size, win, games - 2);
    assert_true(lessons_loss(kind, keys, "parts", size, win, games) == loss);
    assert_true(os_file_read("whole", 1 << 24, &one, &err));
    assert_true(os_file_read("parts", 1 << 24, &other, &err));
    assert_int_equal(one.len, other.len);
    assert_memory_equal(one.data, other.data, one.len);
    buf_free(&one);
    buf_free(&other);
}
