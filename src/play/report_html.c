/* SPDX-License-Identifier: MIT */
/* The HTML page of a report: tables and SVG drawings in one file, no scripts, nothing fetched.
 * Light or dark as the reader's system is. */
#include "play/report.h"

#include "base/mem.h"
#include "play/svg.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    CROSS_MAX = 60,    /* players in the cross table */
    LINE_POINTS = 300, /* of a line, at most */
};

static const char style[] =
    ":root{--ink:#1c1f24;--paper:#fff;--soft:#667;--rule:#d8dbe0;--bar:#2563eb}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#16181c;--soft:#9aa;"
    "--rule:#3a3f47;--bar:#7aa2ff}}\n"
    "body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "margin:2em auto;max-width:1100px;padding:0 1em}\n"
    "h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2em .6em;text-align:right;border-bottom:1px solid var(--rule)}\n"
    "th:nth-child(2),td:nth-child(2){text-align:left}\n"
    ".wide{overflow-x:auto}.cross td{text-align:center;white-space:nowrap}\n"
    ".cross td:nth-child(2){text-align:left}.self{background:var(--rule)}\n"
    "svg{width:100%;height:auto}svg text{fill:var(--ink);font:13px system-ui,sans-serif}\n"
    "svg .soft{fill:var(--soft)}svg .rule{stroke:var(--rule)}svg .bar{stroke:var(--bar);"
    "fill:var(--bar)}\n";

/* --- ratings --------------------------------------------------------------------------------- */

static void add_ratings(const Report *report, Buf *out)
{
    buf_add_text(out, "<h2>Ratings</h2>\n<table><tr><th>#</th><th>Player</th><th>Elo</th><th>+</th>"
                      "<th>−</th><th>Games</th><th>Score</th></tr>\n");
    for (int i = 0; i < report->player_count; i++) {
        const ReportPlayer *p = &report->players[i];
        buf_printf(out, "<tr><td>%d</td><td>", i + 1);
        svg_escape(p->name, out);
        buf_printf(
            out, "</td><td>%.0f</td><td>%.0f</td><td>%.0f</td><td>%lld</td><td>%.1f %%</td></tr>\n",
            p->elo, p->plus, p->minus, (long long)p->games, 100 * p->score);
    }
    buf_add_text(out, "</table>\n");
}

/* A dot for each rating, a line for its error bar. */
static void add_rating_plot(const Report *report, Buf *out)
{
    enum { NAMES = 260, ROW = 22, FOOT = 30 };
    SvgAxis axis = {INFINITY, -INFINITY, NAMES, SVG_WIDTH - 60};
    for (int i = 0; i < report->player_count; i++) {
        const ReportPlayer *p = &report->players[i];
        axis.low = fmin(axis.low, p->elo - p->minus);
        axis.high = fmax(axis.high, p->elo + p->plus);
    }
    int bottom = ROW * report->player_count + 8;
    buf_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"ratings\">\n", SVG_WIDTH,
               bottom + FOOT);
    double step = svg_step(&axis, 8);
    for (double mark = ceil(axis.low / step) * step; mark <= axis.high; mark += step)
        buf_printf(out,
                   "<line class=\"rule\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/><text "
                   "class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n",
                   svg_at(&axis, mark), svg_at(&axis, mark), bottom, svg_at(&axis, mark),
                   bottom + 18, mark);
    for (int i = 0; i < report->player_count; i++) {
        const ReportPlayer *p = &report->players[i];
        double y = ROW * i + ROW / 2.0 + 4;
        buf_printf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", NAMES - 12, y + 4);
        svg_escape(p->name, out);
        buf_printf(
            out,
            "</text><line class=\"bar\" stroke-width=\"2\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" "
            "y2=\"%.1f\"/><circle class=\"bar\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%.0f "
            "+%.0f −%.0f</title></circle>\n",
            svg_at(&axis, p->elo - p->minus), svg_at(&axis, p->elo + p->plus), y, y,
            svg_at(&axis, p->elo), y, p->elo, p->plus, p->minus);
    }
    buf_add_text(out, "</svg>\n");
}

/* --- cross table ----------------------------------------------------------------------------- */

static void add_cell(const Tally *tally, Buf *out)
{
    TallySummary s;
    tally_summary(tally, &s);
    int64_t halves = 2 * tally->wins + tally->draws;
    /* Green above one half, red below, the stronger the farther. */
    double strength = fabs(s.score - 0.5);
    buf_printf(out,
               "<td style=\"background:rgba(%s,%.2f)\" title=\"+%lld =%lld −%lld, %+.0f ± %.0f "
               "Elo\">%lld%s/%lld</td>",
               s.score >= 0.5 ? "22,163,74" : "220,38,38", strength, (long long)tally->wins,
               (long long)tally->draws, (long long)tally->losses, s.elo, s.error,
               (long long)halves / 2, halves % 2 ? "½" : "", (long long)tally_games(tally));
}

static Tally turned(const Tally *tally)
{
    Tally other = {tally->losses, tally->draws, tally->wins, {0}};
    for (int i = 0; i < PAIR_OUTCOMES; i++) other.pairs[i] = tally->pairs[PAIR_OUTCOMES - 1 - i];
    return other;
}

static void add_cross_row(const Report *report, int row, int shown, Tally *tallies, Buf *out)
{
    memset(tallies, 0, (size_t)shown * sizeof *tallies);
    for (int i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        if (pair->a == row && pair->b < shown) tallies[pair->b] = pair->tally;
        if (pair->b == row && pair->a < shown) tallies[pair->a] = turned(&pair->tally);
    }
    buf_printf(out, "<tr><td>%d</td><td>", row + 1);
    svg_escape(report->players[row].name, out);
    buf_add_text(out, "</td>");
    for (int k = 0; k < shown; k++) {
        if (k == row)
            buf_add_text(out, "<td class=\"self\"></td>");
        else if (tally_games(&tallies[k]))
            add_cell(&tallies[k], out);
        else
            buf_add_text(out, "<td></td>");
    }
    buf_add_text(out, "</tr>\n");
}

static void add_cross(const Report *report, Buf *out)
{
    int shown = report->player_count < CROSS_MAX ? report->player_count : CROSS_MAX;
    Tally *tallies = mem_alloc((size_t)(shown + 1) * sizeof *tallies);
    buf_add_text(out, "<h2>Who scored what against whom</h2>\n<div class=\"wide\"><table "
                      "class=\"cross\"><tr><th>#</th><th>Player</th>");
    for (int i = 0; i < shown; i++) buf_printf(out, "<th>%d</th>", i + 1);
    buf_add_text(out, "</tr>\n");
    for (int i = 0; i < shown; i++) add_cross_row(report, i, shown, tallies, out);
    buf_add_text(out, "</table></div>\n");
    if (shown < report->player_count)
        buf_printf(out, "<p>The first %d of %d players.</p>\n", shown, report->player_count);
    mem_free(tallies);
}

/* --- score over time ------------------------------------------------------------------------- */

/* The score of one player after each game of his, thinned out to LINE_POINTS or so. */
static void fill_line(const Report *report, int player, SvgLine *line)
{
    int games = 0, halves = 0, step = 1 + report->game_count / LINE_POINTS;
    for (int i = 0; i < report->game_count; i++) {
        const ReportGame *game = &report->games[i];
        if (game->a != player && game->b != player) continue;
        games++;
        halves += game->a == player ? game->half_points : 2 - game->half_points;
        /* The newest one takes the place of the one before until that is a step away. */
        line->x[line->count] = i + 1;
        line->y[line->count] = halves / (2.0 * games);
        if (games % step == 0) line->count++;
    }
    if (games % step != 0) line->count++;
}

static void add_time_plot(const Report *report, Buf *out)
{
    if (!report->game_count) return;
    int lines = report->player_count < SVG_LINES_MAX ? report->player_count : SVG_LINES_MAX;
    SvgChart chart = {.label = "scores over time", .x_most = report->game_count};
    for (int i = 0; i < lines; i++) {
        svg_chart_add(&chart, report->players[i].name, LINE_POINTS + 2);
        fill_line(report, i, &chart.lines[i]);
    }
    buf_add_text(out, "<h2>Scores game by game</h2>\n");
    svg_chart_write(&chart, false, out);
    svg_chart_free(&chart);
    if (lines < report->player_count)
        buf_printf(out, "<p>The first %d of %d players.</p>\n", lines, report->player_count);
}

void report_html(const Report *report, Buf *out)
{
    buf_add_text(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
                      "name=\"viewport\" content=\"width=device-width\">\n<title>");
    svg_escape(report->title, out);
    buf_printf(out, "</title>\n<style>\n%s</style></head>\n<body><h1>", style);
    svg_escape(report->title, out);
    int64_t games = 0;
    for (int i = 0; i < report->pair_count; i++) games += tally_games(&report->pairs[i].tally);
    buf_printf(out, "</h1>\n<p>%d players, %lld games</p>\n", report->player_count,
               (long long)games);
    add_rating_plot(report, out);
    add_ratings(report, out);
    add_cross(report, out);
    add_time_plot(report, out);
    buf_add_text(out, "</body></html>\n");
}
