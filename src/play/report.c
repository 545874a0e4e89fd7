/* SPDX-License-Identifier: MIT */
/* The cross table as text, and where a report's arrays come from; see report.h. The HTML page is
 * made in report_html.c. */
#include "play/report.h"

#include "base/mem.h"

#include <stdbool.h>

/* cells[row · count + column]: the number of a pair + 1, negative if seen from its other side. */
static int *pair_places(const Report *report)
{
    size_t n = (size_t)report->player_count;
    int *cells = mem_zero((n * n + 1) * sizeof *cells);
    for (int i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        cells[(size_t)pair->a * n + (size_t)pair->b] = i + 1;
        cells[(size_t)pair->b * n + (size_t)pair->a] = -i - 1;
    }
    return cells;
}

/* 17.5/24, or 17/24 when there is no half point. */
static void add_points(Buf *out, const Tally *tally, bool other)
{
    int64_t halves = 2 * (other ? tally->losses : tally->wins) + tally->draws;
    Buf cell = BUF_EMPTY;
    buf_printf(&cell, "%lld%s/%lld", (long long)halves / 2, halves % 2 ? ".5" : "",
               (long long)tally_games(tally));
    buf_printf(out, " %9s", buf_text(&cell));
    buf_free(&cell);
}

void report_text(const Report *report, Buf *out)
{
    int width = 4, n = report->player_count;
    for (int i = 0; i < n; i++) {
        int own = text_width(report->players[i].name);
        if (own > width) width = own;
    }
    int *cells = pair_places(report);
    buf_add_text(out, "     ");
    buf_add_padded(out, "Name", width);
    buf_add_text(out, "    Elo    +    -  games  score");
    for (int i = 0; i < n; i++) buf_printf(out, "%10d", i + 1);
    buf_add_char(out, '\n');
    for (int i = 0; i < n; i++) {
        const ReportPlayer *p = &report->players[i];
        buf_printf(out, "%4d ", i + 1);
        buf_add_padded(out, p->name, width);
        buf_printf(out, " %6.0f %4.0f %4.0f %6lld %5.1f%%", p->elo, p->plus, p->minus,
                   (long long)p->games, 100 * p->score);
        for (int k = 0; k < n; k++) {
            int cell = cells[(size_t)i * (size_t)n + (size_t)k];
            if (cell)
                add_points(out, &report->pairs[(cell > 0 ? cell : -cell) - 1].tally, cell < 0);
            else
                buf_add_text(out, i == k ? "         ." : "          ");
        }
        buf_add_char(out, '\n');
    }
    mem_free(cells);
}

/* --- from results ---------------------------------------------------------------------------- */

void report_open(Report *report, const char *title, const Results *results, const Rating *rating)
{
    size_t count = (size_t)rating->count;
    ReportPlayer *players = mem_zero((count + 1) * sizeof *players);
    ReportPair *pairs = mem_zero(((size_t)results->row_count + 1) * sizeof *pairs);
    ReportGame *games = mem_zero(((size_t)results->game_count + 1) * sizeof *games);
    int *place = mem_zero((count + 1) * sizeof *place); /* of a player in the ranking */
    for (int i = 0; i < rating->count; i++) {
        const RatedPlayer *p = &rating->players[i];
        players[i] = (ReportPlayer){
            results->names[p->player], p->elo, p->plus, p->minus, p->games, p->score};
        place[p->player] = i;
    }
    *report = (Report){.title = title, .players = players, .player_count = rating->count};
    report->pairs = pairs;
    report->games = games;
    report->game_count = results->game_count;
    int *cells = mem_zero((count * count + 1) * sizeof *cells);
    for (int i = 0; i < results->row_count; i++) {
        const ResultRow *row = &results->rows[i];
        int a = place[row->first], b = place[row->second];
        bool turned = a > b;
        int *cell = &cells[turned ? (size_t)b * count + (size_t)a : (size_t)a * count + (size_t)b];
        if (!*cell) *cell = ++report->pair_count;
        ReportPair *pair = &pairs[*cell - 1];
        pair->a = turned ? b : a;
        pair->b = turned ? a : b;
        Tally tally = {.wins = turned ? row->losses : row->wins,
                       .draws = row->draws,
                       .losses = turned ? row->wins : row->losses};
        tally_join(&pair->tally, &tally);
    }
    for (int i = 0; i < results->game_count; i++)
        games[i] = (ReportGame){place[results->games[i].first], place[results->games[i].second],
                                results->games[i].half_points};
    mem_free(cells);
    mem_free(place);
}

void report_close(Report *report)
{
    mem_free((void *)(uintptr_t)report->players);
    mem_free((void *)(uintptr_t)report->pairs);
    mem_free((void *)(uintptr_t)report->games);
    *report = (Report){0};
}
