/* SPDX-License-Identifier: MIT */
/* Any lines at all to the brain, with a player that draws lots: it never ends but by END, never
 * answers INFO, and a point that it answers is on a board that can be. */
#include "app/brain.h"
#include "base/mem.h"
#include "game/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES_MAX = 400 };

static void check_line(void *ctx, const char *line)
{
    int *answers = ctx, x, y;
    if (strpbrk(line, "\r\n")) abort();
    if (strncmp(line, "MESSAGE", 7) == 0 || strncmp(line, "DEBUG", 5) == 0) return;
    ++*answers;
    if (sscanf(line, "%d,%d", &x, &y) != 2) return;
    if (x < 0 || y < 0 || x >= SIZE_MAX_SIDE || y >= SIZE_MAX_SIDE) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int answers = 0;
    BrainOptions options = {
        .player = "random:seed=1", .write = check_line, .ctx = &answers, .seed = 1};
    Brain *brain = brain_open(&options, NULL);
    char *text = mem_alloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    int lines = 0;
    for (char *line = strtok(text, "\r\n"); line && lines < LINES_MAX;
         line = strtok(NULL, "\r\n")) {
        int before = answers;
        lines++;
        if (!brain_handle(brain, line, 0)) break;
        if (answers - before > 1) abort(); /* a line has one answer at most */
        if (strncmp(line, "INFO ", 5) == 0 && answers != before) abort();
        if (lines % 7 == 0) brain_stop(brain, lines);
    }
    if (lines % 2) brain_quit(brain);
    brain_close(brain);
    mem_free(text);
    return 0;
}
