/* SPDX-License-Identifier: MIT */
/* What the tests of learners share: learners opened by keys, run, stopped and gone on with, in a
 * folder of their own. */
#pragma once

#include "learn/training.h"

/* Fixtures of a group: make a folder and go there; leave and remove it. */
int lessons_make_folder(void **state);
int lessons_drop_folder(void **state);

/* Goes on with the learner of this file up to `games`, closes it, and returns the mean loss of the
 * last games. path NULL: one that is kept nowhere. Fails the test on any error. */
double lessons_loss(const LearnerKind *kind, const char *keys, const char *path, int size, int win,
                    int64_t games);
/* NULL with a reason if it is refused. The caller closes it. */
Learner *lessons_open(const LearnerKind *kind, const char *keys, const char *path, int size,
                      int win, Err *err);
/* In one go and in three it comes to the same file, to the last byte. */
void lessons_check_resume(const LearnerKind *kind, const char *keys, int size, int win,
                          int64_t games);
