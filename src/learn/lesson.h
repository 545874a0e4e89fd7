/* SPDX-License-Identifier: MIT */
/* Lesson: what a critic learns from one game, by temporal differences.
 *
 * A critic's network says how good each move t of the game was for its mover: V(t), 0 … 1. What was
 * seen at each move is written down first; then the game is gone through:
 *
 *      two      from the last move backwards, V(T) against the result, then V(t) against what the
 *               next mover got: target(t) = γ(1 − V(t+1) − λ(target(t+1) − V(t+1)))
 *      one      likewise, but each mover by himself: V(t) ← V(t) + α(r(t) + λ(V(t+2) − V(t)))
 *      traces   forwards, V(t) against γ(1 − V(t+1)), with eligibility traces that change their
 *               sign from mover to mover; in small steps the same as two
 *
 * Moves whose worth the rules know (a completed or blocked row) are passed through, not learnt.
 * With `cut`, a move that was tried by lot says nothing about the one before it. */
#pragma once

#include "base/opts.h"
#include "eval/mlp.h"
#include "eval/params.h"
#include "learn/learner.h"

typedef enum { FORMULA_TWO, FORMULA_ONE, FORMULA_TRACES } Formula;

typedef struct {
    int formula, passes;
    double alpha, lambda, gamma, cool;
    bool average, cut, strip;
} LessonOptions;

/* Rows for a table of options; defaults differ from learner to learner. */
#define LESSON_OPTS(Type, field, alpha_text, passes_text, lambda_text, average_text)               \
    {.name = "formula",                                                                            \
     .type = OPT_CHOICE,                                                                           \
     .offset = offsetof(Type, field.formula),                                                      \
     .standard = "two",                                                                            \
     .choices = "two|one|traces",                                                                  \
     .help = "two movers in one chain, each by himself, or with eligibility traces"},              \
        {.name = "alpha",                                                                          \
         .type = OPT_FLOAT,                                                                        \
         .offset = offsetof(Type, field.alpha),                                                    \
         .min = 1e-6,                                                                              \
         .max = 10,                                                                                \
         .standard = alpha_text,                                                                   \
         .help = "learning rate"},                                                                 \
        {.name = "passes",                                                                         \
         .type = OPT_INT,                                                                          \
         .offset = offsetof(Type, field.passes),                                                   \
         .min = 1,                                                                                 \
         .max = 1000,                                                                              \
         .standard = passes_text,                                                                  \
         .help = "steps of that rate for each move"},                                              \
        {.name = "cool",                                                                           \
         .type = OPT_FLOAT,                                                                        \
         .offset = offsetof(Type, field.cool),                                                     \
         .min = 0,                                                                                 \
         .max = 1e12,                                                                              \
         .standard = "0",                                                                          \
         .value = "GAMES",                                                                         \
         .help = "after so many games the rate is half, after twice as many a third …; 0: never"}, \
        {.name = "lambda",                                                                         \
         .type = OPT_FLOAT,                                                                        \
         .offset = offsetof(Type, field.lambda),                                                   \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .standard = lambda_text,                                                                  \
         .help = "how far a result reaches back"},                                                 \
        {.name = "gamma",                                                                          \
         .type = OPT_FLOAT,                                                                        \
         .offset = offsetof(Type, field.gamma),                                                    \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .standard = "1",                                                                          \
         .help = "what a result is worth a move earlier"},                                         \
        {.name = "cut",                                                                            \
         .type = OPT_BOOL,                                                                         \
         .offset = offsetof(Type, field.cut),                                                      \
         .standard = "no",                                                                         \
         .help = "learn nothing for the move before one that was tried by lot"},                   \
        {.name = "strip",                                                                          \
         .type = OPT_BOOL,                                                                         \
         .offset = offsetof(Type, field.strip),                                                    \
         .standard = "no",                                                                         \
         .help = "with --average: keep only the mean, which plays; for a file that is done"},      \
    {                                                                                              \
        .name = "average", .type = OPT_BOOL, .offset = offsetof(Type, field.average),              \
        .standard = average_text, .help = "play with the mean of the last thousand games or so"    \
    }

typedef struct {
    LessonOptions options;
    float rate;       /* of this game */
    Mlp *net;         /* the critic's, which learns */
    Mlp average;      /* of it over time; only with options.average */
    float *trace;     /* owned; room for the network's parameters */
    MlpInput *inputs; /* owned; those of all moves of a game … */
    int *begin;       /* … where those of move t begin; one more than moves */
    uint8_t *settled; /* owned; move t completes or blocks a row */
} Lesson;

/* After the network was made or loaded. `moves` is the longest game there can be. */
void lesson_open(Lesson *lesson, const LessonOptions *options, Mlp *net, int moves);
void lesson_close(Lesson *lesson); /* a zeroed one is fine */

static inline MlpInput *lesson_inputs(const Lesson *l, int t) /* where those of move t go */
{
    return l->inputs + l->begin[t];
}

static inline void lesson_note(Lesson *l, int t, int inputs, bool settled)
{
    l->begin[t + 1] = l->begin[t] + inputs;
    l->settled[t] = settled;
}

/* Learns; all moves were noted, from 0 on. `games` were learnt from before. Returns the mean
 * squared error. */
double lesson_learn(Lesson *lesson, const LearnerGame *game, int64_t games);

/* The network that plays: the average if there is one. */
const Mlp *lesson_plays(const Lesson *lesson);
/* Behind the floats of what plays stand those of what learns, if that is something else. A file
 * that has both goes on having both, whatever the options say. */
void lesson_put(const Lesson *lesson, Params *params);
void lesson_get(Lesson *lesson, const Params *params);
/* Called last: false if there is no mean that could be kept alone. */
bool lesson_check(const Lesson *lesson, Err *err);
