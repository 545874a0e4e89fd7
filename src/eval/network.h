/* SPDX-License-Identifier: MIT */
/* Network: a Net with its rows spread, once for all who play with it, and what its heads compute.
 * Its rows stay when the last of them has gone, until another network needs room. The plain
 * functions compute everything anew from the stones; eval/linenet does the same from move to move
 * and must agree. */
#pragma once

#include "base/kept.h"
#include "base/os.h"
#include "eval/eval.h"
#include "eval/net.h"
#include "eval/rows.h"

typedef struct {
    Kept kept;
    Net net;
    char name[NET_NAME_MAX];
    Mutex *mutex; /* for what follows; held while the rows are spread: who else wants them waits */
    int users;
    Rows rows; /* there while there are users */
} Network;

/* A network made ready for play; the same one for the same contents, whoever asks. */
const Network *network_get(const Net *net, Err *err);    /* its bytes must stay */
const Network *network_load(const char *path, Err *err); /* of a file */
void network_leave(const Network *network);              /* for each of the two above */

/* 0 … 8: which of the 3x3 regions of the board a point lies in. */
int network_region(const Rules *rules, Point p);

/* The heads. `pooled` is nine regions and the whole board, `whole` its last part, features have the
 * mover's half first. */
int network_value(const NetHeads *heads, const uint8_t pooled[NET_POOLED]);

/* What a position makes of the policy head. */
typedef struct {
    int32_t bias[NET_POLICY];
    int8_t weights[NET_WIDTH / 4][NET_POLICY][4];
    int32_t bias2, weights2[NET_POLICY];
} NetPolicy;

void network_policy_open(NetPolicy *policy, const NetHeads *heads, const uint8_t whole[NET_WIDTH]);
/* Scores of n points by their features. */
void network_policy(const NetPolicy *policy, const uint8_t (*features)[NET_WIDTH], int n, int *out);

int network_value_plain(const Network *network, const Board *board);
void network_policy_plain(const Network *network, const Board *board, const Point *moves, int count,
                          int *out);
