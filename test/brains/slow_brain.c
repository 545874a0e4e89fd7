/* SPDX-License-Identifier: MIT */
/* A brain that starts at once, sleeps argv[1] ms for each move and never makes two stones touch:
 * what a match takes beyond that is the runner's own. 15x15 only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 15 };

static void move(int taken[SIDE][SIDE], int ms)
{
    usleep((unsigned)ms * 1000);
    for (int y = 0; y < SIDE; y += 2) {
        for (int x = 0; x < SIDE; x += 2) {
            if (taken[y][x]) continue;
            taken[y][x] = 1;
            printf("%d,%d\n", x, y);
            fflush(stdout);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    int taken[SIDE][SIDE] = {{0}}, ms = argc > 1 ? atoi(argv[1]) : 100, x, y, who;
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%d,%d,%d", &x, &y, &who) == 3 || sscanf(line, "TURN %d,%d", &x, &y) == 2)
            if (x >= 0 && x < SIDE && y >= 0 && y < SIDE) taken[y][x] = 1;
        if (!strncmp(line, "START", 5)) puts("OK");
        if (!strncmp(line, "ABOUT", 5)) puts("name=\"slow\", version=\"1\"");
        fflush(stdout);
        if (!strncmp(line, "END", 3)) return 0;
        if (!strncmp(line, "TURN", 4) || !strncmp(line, "DONE", 4) || !strncmp(line, "BEGIN", 5))
            move(taken, ms);
    }
    return 0;
}
