/* SPDX-License-Identifier: MIT */
/* goren networks: which networks play, and what is known of them. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "eval/networks.h"

#include <stdio.h>

static const OptTable networks_table = {
    .name = "goren networks",
    .args = "[FILE…]",
    .args_max = -1,
    .about =
        "Lists the networks that are built in: the rules and boards they play, what they were\n"
        "made from. Or tells the same of files; NAME.net is what such a file is called in\n"
        "data/, where it becomes a part of the program when that is built again.",
    .example = "goren networks, or goren networks best.net",
};

static void print_net(const Net *net)
{
    char name[NET_NAME_MAX];
    int recipe = (int)net->recipe_len;
    while (recipe && (net->recipe[recipe - 1] == '\n' || !net->recipe[recipe - 1])) recipe--;
    printf("%s  boards from %dx%d to %dx%d\n%.*s\n", net_name(net, name), net->size_min,
           net->size_min, net->size_max, net->size_max, recipe, net->recipe);
}

static bool print_file(const char *path, Err *err)
{
    Net net;
    void *bytes = net_load(&net, path, err);
    if (!bytes) return false;
    print_net(&net);
    mem_free(bytes);
    return true;
}

int cmd_networks(int argc, char **argv)
{
    int code = 0;
    Err err;
    if (!cli_parse(&networks_table, &argc, argv, NULL, &code)) return code;
    const Networks *networks = networks_built_in();
    if (argc == 0 && !networks->count) printf("none is built in: the engine plays with shape\n");
    for (int i = 0; argc == 0 && i < networks->count; i++) print_net(&networks->net[i]);
    for (int i = 0; i < argc; i++)
        if (!print_file(argv[i], &err)) return cli_fail(&networks_table, &err);
    return 0;
}
