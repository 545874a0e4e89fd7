/* SPDX-License-Identifier: MIT */
/* goren COMMAND: finds the command and calls it. */
#include "app/commands.h"

#include "app/brain.h"
#include "base/opts.h"
#include "base/os.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} Command;

static const Command commands[] = {
    {"brain", "the engine for Gomocup managers and analysis boards", cmd_brain},
    {"serve", "the board in a browser", cmd_serve},
    {"play", "a game on the terminal, between people and players", cmd_play},
    {"players", "who can play, and what may be said to each", cmd_players},
    {"networks", "which networks are built in, and what made them", cmd_networks},
    {"show", "draw a position, its threats and forbidden points", cmd_show},
    {"analyse", "the best lines of a position", cmd_analyse},
    {"solve", "prove a win, or show that there is none", cmd_solve},
    {"openings", "make even openings for matches", cmd_openings},
    {"rate", "ratings with error bars from results", cmd_rate},
    {"match", "games between players, and what they show", cmd_match},
    {"convert", "game records from one format into another", cmd_convert},
    {"selfplay", "make games to learn from", cmd_selfplay},
    {"learn", "train a player, or fit the evaluation to games", cmd_learn},
    {"patterns", "what the pattern player has learnt, and how", cmd_patterns},
    {"tune", "turn the numbers of the search by matches", cmd_tune},
    {"bench", "measure speed", cmd_bench},
    {0},
};

static void print_help(void)
{
    printf("goren: gomoku, from a game on the terminal to the last proof\n\n"
           "usage: goren COMMAND [options]\n\n");
    for (const Command *c = commands; c->name; c++) printf("  %-10s %s\n", c->name, c->help);
    printf("  %-10s %s\n\n", "help", "what a command does and takes: goren help COMMAND");
    printf("Every command also explains itself with --help.\n");
}

static const Command *find_command(const char *name)
{
    for (const Command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *nearest = NULL;
    for (const Command *c = commands; c->name; c++) {
        if (!nearest || opts_distance(name, c->name) < opts_distance(name, nearest)) {
            nearest = c->name;
        }
    }
    fprintf(stderr, "goren: there is no command \"%s\"", name);
    if (nearest && opts_is_near(name, nearest)) fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\ngoren --help lists them all.\n");
    return 2;
}

/* Managers know a brain by its name, and give it no arguments but a pipe. */
static bool is_brain(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";
    return strncmp(name, "pbrain-", 7) == 0 || (argc <= 1 && !os_is_terminal(stdin));
}

static int dispatch(int argc, char **argv)
{
    if (is_brain(argc, argv)) return brain_run("ab");
    const char *name = argc > 1 ? argv[1] : "--help";
    bool help = strcmp(name, "help") == 0;
    if (help && argc > 2) name = argv[2];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return 0;
    }
    const Command *command = find_command(name);
    if (!command) return unknown_command(name);
    if (!help) return command->run(argc - 1, argv + 1);
    static char option[] = "--help"; /* comes behind what is asked for, where "help" made room */
    memmove(&argv[1], &argv[2], (size_t)(argc - 2) * sizeof *argv);
    argv[argc - 1] = option;
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    int code = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("goren: cannot write the output");
        return 2;
    }
    return code;
}
