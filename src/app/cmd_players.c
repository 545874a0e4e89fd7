/* SPDX-License-Identifier: MIT */
/* goren players: who can play, and the keys of their specs. */
#include "app/cli.h"
#include "app/commands.h"
#include "play/player.h"

#include <stdio.h>
#include <string.h>

static const OptTable players_table = {
    .name = "goren players",
    .args = "[KIND…]",
    .args_max = -1,
    .about = "Lists the players there are; for each KIND named, the keys of its spec. A spec is\n"
             "KIND:key=value,… and stands wherever a player is asked for.",
    .example = "goren players ab random",
};

static void print_list(void)
{
    for (const PlayerKind *const *kind = player_kinds; *kind; kind++) {
        const char *about = (*kind)->options->about;
        printf("  %-10s %.*s\n", (*kind)->options->name, (int)strcspn(about, "\n"), about);
    }
    printf("\nA person is human, where the command waits for people.\n"
           "goren players KIND tells more.\n");
}

int cmd_players(int argc, char **argv)
{
    int code = 0;
    Err err;
    if (!cli_parse(&players_table, &argc, argv, NULL, &code)) return code;
    if (argc == 0) print_list();
    for (int i = 0; i < argc; i++) {
        const PlayerKind *kind = player_find(argv[i], &err);
        if (!kind) return cli_fail(&players_table, &err);
        Buf help = BUF_EMPTY;
        spec_help(kind->options, &help);
        printf("%s%s", i ? "\n" : "", buf_text(&help));
        buf_free(&help);
    }
    return 0;
}
