/* SPDX-License-Identifier: MIT */
/* Family: a process and everything it started, as far as that still has its parents. The head leads
 * a process group; who left the group (a daemon, a shell's job) is found as a descendant. */
#pragma once

#include <stdint.h>

enum { FAMILY_MAX = 1024 };

typedef struct {
    int pids[FAMILY_MAX];        /* the head first, parents before their children */
    long long began[FAMILY_MAX]; /* when, see family_name; 0: not asked for */
    int count;
} Family;

void family_find(Family *family, int head);
/* Numbers of processes are used again: notes when each began, so that a later signal meets nobody
 * else. */
void family_name(Family *family);
/* The head's group gets it, and those who may have left the group. */
void family_signal(const Family *family, int number);
/* Bytes that they have to themselves (unique set size); −1: not known. */
int64_t family_memory(const Family *family);
