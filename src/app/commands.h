/* SPDX-License-Identifier: MIT */
/* The commands of the program. Each reads its own arguments (argv[0] is the command's name) and
 * returns the exit code: 0 done, 1 ran but the answer is negative, 2 bad usage or input. */
#pragma once

int cmd_analyse(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_brain(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_learn(int argc, char **argv);
int cmd_match(int argc, char **argv);
int cmd_networks(int argc, char **argv);
int cmd_openings(int argc, char **argv);
int cmd_patterns(int argc, char **argv);
int cmd_play(int argc, char **argv);
int cmd_players(int argc, char **argv);
int cmd_rate(int argc, char **argv);
int cmd_selfplay(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_solve(int argc, char **argv);
int cmd_tune(int argc, char **argv);
