/* SPDX-License-Identifier: MIT */
/* Report: a tournament at a glance, as text or as one HTML file that needs nothing else. Ratings
 * with error bars, who scored what against whom, and the scores as they went game by game.
 *
 * It is made from plain arrays, whoever has them. */
#pragma once

#include "base/buf.h"
#include "play/rating.h"
#include "play/results.h"
#include "play/tally.h"

#include <stdint.h>

typedef struct {
    const char *name;
    double elo, plus, minus;
    int64_t games;
    double score; /* share of the points, 0 … 1 */
} ReportPlayer;

/* All games of two players. */
typedef struct {
    int a, b;    /* places in players */
    Tally tally; /* as a sees it */
} ReportPair;

/* One game. */
typedef struct {
    int a, b;
    int half_points; /* of a: 0, 1 or 2 */
} ReportGame;

typedef struct {
    const char *title;
    const ReportPlayer *players; /* best first */
    int player_count;
    const ReportPair *pairs; /* each pair once */
    int pair_count;
    const ReportGame *games; /* as they were played; none: nothing is shown over time */
    int game_count;
} Report;

/* The cross table: a row per player with rating, score and the points against everybody. */
void report_text(const Report *report, Buf *out);
void report_html(const Report *report, Buf *out);

/* Fills the arrays from results and their rating, whose names it points at. */
void report_open(Report *report, const char *title, const Results *results, const Rating *rating);
void report_close(Report *report); /* frees what report_open made */
