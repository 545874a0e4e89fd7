/* SPDX-License-Identifier: MIT */
/* Rollout: a game played to its end by rule of thumb, to see who wins. stones_rollout plays at
 * random; this one sees what any beginner sees. */
#pragma once

#include "game/stones.h"
#include "search/mcts.h"

/* Plays on, side first, until somebody wins or the board is full; leaves the final position and
 * returns the winner, COLOUR_COUNT for a draw. The position must not be won already. */
typedef Colour RolloutPolicy(Stones *stones, Colour side, Rng *rng);

/* The heuristic rollouts of HMCTS (Tang, Zhao, Shao and Lv, "ADP with MCTS algorithm for Gomoku",
 * 2016): complete an own four, else block a four, else extend an own three, else block a three,
 * else at random. A four is here whatever one stone makes a winning row of, a three whatever one
 * stone makes an open four of. Fouls are not looked at. */
RolloutPolicy rollout_heuristic;
/* The move of that policy in a position, POINT_NONE where it would draw lots. For tests and for
 * whoever wants one move only: slower than a step of a rollout. */
Point rollout_move(const Stones *stones, Colour side);

/* Judges the positions of a tree by rollouts: one each. */
typedef struct {
    RolloutPolicy *policy;
    bool whole;  /* moves of the tree: every empty point, not only those near stones */
    bool forced; /* where a four or an open three is to be seen, only what it asks for */
    Rng rng;
    Stones stones;  /* follow the board of the tree */
    Stones scratch; /* played to the end */
} RolloutJudge;

/* `policy` decides the rest: stones_rollout goes with the whole board, as the documents' UCT does,
 * rollout_heuristic with moves near stones and its rules of thumb in the tree as well. */
void rollout_judge_open(RolloutJudge *judge, const Rules *rules, RolloutPolicy *policy);
void rollout_judge_close(RolloutJudge *judge);
extern const MctsJudge rollout_judge; /* its ctx is a RolloutJudge */
