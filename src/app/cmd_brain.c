/* SPDX-License-Identifier: MIT */
/* goren brain: the engine for Gomocup managers and analysis boards. */
#include "app/brain.h"
#include "app/cli.h"
#include "app/commands.h"

typedef struct {
    const char *player;
} BrainCmdOptions;

static const Opt brain_opts[] = {
    {.name = "player",
     .type = OPT_TEXT,
     .offset = offsetof(BrainCmdOptions, player),
     .standard = "ab",
     .value = "SPEC",
     .help = "who thinks; memory and threads of ab come from the manager unless they are given"},
    {0},
};

static const OptTable brain_table = {
    .name = "goren brain",
    .about = "The engine as a Gomocup brain on stdin and stdout, with the Yixin extension.\n"
             "A copy of the program whose name begins with pbrain- does the same.",
    .example = "goren brain --player ab:threads=2",
    .opts = brain_opts,
};

int cmd_brain(int argc, char **argv)
{
    BrainCmdOptions options = {0};
    int code = 0;
    if (!cli_parse(&brain_table, &argc, argv, &options, &code)) return code;
    return brain_run(options.player);
}
