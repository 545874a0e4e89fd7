/* SPDX-License-Identifier: MIT */
/* Families of processes: see family.h. All is read from /proc; where there is none, a family is its
 * head alone. */
#include "base/family.h"

#include "base/buf.h"
#include "base/os.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The children of one thread, as /proc lists them. */
static void family_add_from(Family *family, const char *path)
{
    Buf text = BUF_EMPTY;
    if (os_file_read(path, 1 << 20, &text, NULL)) {
        char *at = text.data;
        for (;;) {
            char *end;
            long pid = strtol(at, &end, 10);
            if (end == at || family->count == FAMILY_MAX) break;
            if (pid > 1) {
                family->began[family->count] = 0;
                family->pids[family->count++] = (pid_t)pid;
            }
            at = end;
        }
    }
    buf_free(&text);
}

void family_find(Family *family, pid_t root)
{
    family->count = 1;
    family->pids[0] = root;
    family->began[0] = 0;
    for (int i = 0; i < family->count; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/task", (long)family->pids[i]);
        DIR *tasks = opendir(path);
        if (!tasks) continue;
        for (struct dirent *task = readdir(tasks); task; task = readdir(tasks)) {
            char list[80 + sizeof task->d_name];
            if (task->d_name[0] == '.') continue;
            snprintf(list, sizeof list, "%s/%s/children", path, task->d_name);
            family_add_from(family, list);
        }
        closedir(tasks);
    }
}

/* When a process began, in ticks since the machine did; 0: it is gone. With its number this names
 * it for good. */
static long long began_at(pid_t pid)
{
    enum { STATE_TO_START = 20 }; /* blanks between the end of the name and the field */
    char path[64];
    Buf text = BUF_EMPTY;
    long long began = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    if (os_file_read(path, 1 << 16, &text, NULL)) {
        const char *at = strrchr(text.data, ')');
        for (int i = 0; at && i < STATE_TO_START; i++) at = strchr(at + 1, ' ');
        if (at) began = strtoll(at, NULL, 10);
    }
    buf_free(&text);
    return began;
}

void family_signal(const Family *family, int number)
{
    kill(-family->pids[0], number);
    for (int i = 1; i < family->count; i++) {
        bool same = !family->began[i] || began_at(family->pids[i]) == family->began[i];
        if (same) kill(family->pids[i], number);
    }
}

/* The private pages of one process in KiB; −1: gone, or not ours to see. */
static int64_t private_kib(pid_t pid)
{
    char path[64];
    Buf text = BUF_EMPTY;
    int64_t kib = -1;
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", (long)pid);
    if (os_file_read(path, 1 << 16, &text, NULL)) {
        for (const char *at = strstr(buf_text(&text), "\nPrivate_"); at;
             at = strstr(at + 1, "\nPrivate_")) {
            const char *colon = strchr(at, ':');
            if (colon) kib = (kib < 0 ? 0 : kib) + strtoll(colon + 1, NULL, 10);
        }
    }
    buf_free(&text);
    return kib;
}

int64_t family_memory(const Family *family)
{
    int64_t sum = -1;
    for (int i = 0; i < family->count; i++) {
        int64_t kib = private_kib(family->pids[i]);
        if (kib >= 0) sum = (sum < 0 ? 0 : sum) + kib * 1024;
    }
    return sum;
}

void family_name(Family *family)
{
    for (int i = 0; i < family->count; i++) family->began[i] = began_at(family->pids[i]);
}
