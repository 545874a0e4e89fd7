/* SPDX-License-Identifier: MIT */
/* How many games a second are played to their end, at random and by rule of thumb, alone and under
 * a tree. */
#pragma once

#include <stdbool.h>

/* Prints a line per kind; each is measured for so many seconds of processor time. */
void bench_rollouts(int width, int height, double seconds, bool json);
