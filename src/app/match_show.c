/* SPDX-License-Identifier: MIT */
#include "app/match_show.h"

#include "base/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- rows ---- */

enum { FIGURES_WIDTH = 76 }; /* columns of a row without the names */

static int name_width(const Match *match)
{
    size_t width = 7;
    for (int i = 0; i < match->plan->player_count; i++) {
        size_t len = strlen(match->plan->players[i].name);
        if (len > width) width = len;
    }
    return width > 30 ? 30 : (int)width;
}

static void add_figures(const MatchPair *pair, Buf *out)
{
    const Tally *t = &pair->tally;
    TallySummary s;
    tally_summary(t, &s);
    buf_printf(out, "%5" PRId64 " %5" PRId64 " %5" PRId64 "  %5.1f %%", t->wins, t->draws,
               t->losses, 100 * s.score);
    if (tally_games(t) > 0) {
        buf_printf(out, "  %+7.1f ± %-6.1f %5.1f %%", s.elo, s.error, 100 * s.los);
    } else {
        buf_printf(out, "  %7s   %-6s %7s", "", "", "");
    }
    buf_printf(out, "  %" PRId64, t->pairs[0]);
    for (int i = 1; i < PAIR_OUTCOMES; i++) buf_printf(out, " %" PRId64, t->pairs[i]);
    buf_add_char(out, '\n');
}

/* A row for each pair of players; two rows where the screen is narrow. columns 0: any number. */
static void add_table(const Match *match, int columns, Buf *out)
{
    const Entrant *players = match->plan->players;
    int width = name_width(match);
    bool narrow = columns && columns < 2 * width + 2 + FIGURES_WIDTH;
    if (!narrow) buf_printf(out, "%-*s %-*s ", width, "player", width, "against");
    buf_printf(out, "%5s %5s %5s  %7s  %-16s %7s  %s\n", "won", "drawn", "lost", "score", "    Elo",
               "LOS", "pairs 0 ½ 1 1½ 2");
    for (int i = 0; i < schedule_pairs(match->plan); i++) {
        const MatchPair *pair = &match->pairs[i];
        const char *a = players[pair->players[0]].name, *b = players[pair->players[1]].name;
        if (narrow) {
            buf_printf(out, "%s against %s\n", a, b);
        } else {
            buf_printf(out, "%-*.*s %-*.*s ", width, width, a, width, width, b);
        }
        add_figures(pair, out);
    }
}

static void add_sprt(const Match *match, Buf *out)
{
    const SprtState *s = &match->pairs[0].sprt;
    const Sprt *sprt = &match->plan->sprt;
    if (!match->plan->has_sprt) return;
    buf_printf(out, "SPRT %+g against %+g Elo: LLR %.2f (%.2f … %.2f), %s\n", sprt->elo1,
               sprt->elo0, s->llr, s->lower, s->upper, sprt_verdict_name(s->verdict));
}

/* What went wrong, for those with whom anything did. */
static void add_faults(const Match *match, Buf *out)
{
    static const RecordReason faults[] = {REASON_TIME, REASON_CRASH, REASON_ILLEGAL, REASON_FOUL,
                                          REASON_MEMORY};
    for (int i = 0; i < match->plan->player_count; i++) {
        const MatchPlayer *player = &match->players[i];
        Buf text = BUF_EMPTY;
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
            int64_t n = player->lost[faults[k]];
            if (n)
                buf_printf(&text, "%s%" PRId64 " by %s", text.len ? ", " : "", n,
                           record_reason_name(faults[k]));
        }
        if (text.len) buf_printf(out, "%s lost %s\n", match->plan->players[i].name, text.data);
        if (player->late_ms > 0)
            buf_printf(out, "%s was up to %" PRId64 " ms over its time\n",
                       match->plan->players[i].name, player->late_ms);
        buf_free(&text);
    }
}

static void add_duration(int64_t seconds, Buf *out)
{
    if (seconds >= 3600) {
        buf_printf(out, "%" PRId64 " h %02d min", seconds / 3600, (int)(seconds / 60 % 60));
    } else if (seconds >= 60) {
        buf_printf(out, "%d min %02d s", (int)(seconds / 60), (int)(seconds % 60));
    } else {
        buf_printf(out, "%d s", (int)seconds);
    }
}

static void add_progress(const Match *match, Buf *out)
{
    int64_t played = match->done - match->found;
    double minutes = (double)(os_clock_ms() - match->began_ms) / 60000;
    buf_printf(out, "%" PRId64 " of %s%" PRId64 " games", match->done,
               match->plan->has_sprt ? "at most " : "", match->games);
    if (played > 0 && minutes > 0) {
        double rate = (double)played / minutes;
        buf_printf(out, ", %.1f a minute, ", rate);
        add_duration((int64_t)((double)(match->games - match->done) / rate * 60 + 0.5), out);
        buf_add_text(out, match->plan->has_sprt ? " left at most" : " left");
    }
    buf_add_char(out, '\n');
}

/* ---- the screen ---- */

/* How many bytes of a line fit into so many columns; text is UTF-8. */
static size_t fitting(const char *line, size_t len, int columns)
{
    size_t at = 0;
    while (at < len) {
        bool begins = ((unsigned char)line[at] & 0xc0) != 0x80;
        if (begins && columns-- == 0) break;
        at++;
    }
    return at;
}

void match_show_clear(MatchShow *show)
{
    if (show->lines) fprintf(show->out, "\x1b[%dA\r\x1b[J", show->lines);
    show->lines = 0;
    fflush(show->out);
}

void match_show_live(MatchShow *show, const Match *match)
{
    Buf text = BUF_EMPTY;
    int columns = os_terminal_width(show->out) - 1;
    add_table(match, columns, &text);
    add_sprt(match, &text);
    add_progress(match, &text);
    if (show->lines) fprintf(show->out, "\x1b[%dA\r", show->lines);
    show->lines = 0;
    for (const char *line = buf_text(&text); *line; show->lines++) {
        size_t len = strcspn(line, "\n");
        fprintf(show->out, "%.*s\x1b[K\n", (int)fitting(line, len, columns), line);
        line += len + (line[len] == '\n');
    }
    fprintf(show->out, "\x1b[J");
    fflush(show->out);
    buf_free(&text);
}

void match_show_result(const Match *match, FILE *out)
{
    Buf text = BUF_EMPTY;
    add_table(match, os_is_terminal(out) ? os_terminal_width(out) : 0, &text);
    add_sprt(match, &text);
    add_faults(match, &text);
    fputs(buf_text(&text), out);
    buf_free(&text);
}

/* ---- JSON ---- */

/* Names and answers of brains may be no UTF-8: what is none of it is shown as question marks. */
static json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string) return string;
    Buf ascii = BUF_EMPTY;
    for (; *text; text++) buf_add_char(&ascii, (signed char)*text < 0 ? '?' : *text);
    string = json_string(buf_text(&ascii));
    buf_free(&ascii);
    return string;
}

json_t *match_json_game(const MatchPlan *plan, const Bout *bout)
{
    const char *names[SEAT_COUNT] = {plan->players[bout->player[0]].name,
                                     plan->players[bout->player[1]].name};
    int black = bout->colour[SEAT_FIRST] == BLACK ? SEAT_FIRST : SEAT_SECOND;
    const char *result = bout->winner < 0 ? "draw" : bout->winner == black ? "black" : "white";
    int opening = 0;
    while (opening < bout->move_count && bout->moves[opening].seat == SEAT_NOBODY) opening++;
    Buf moves = BUF_EMPTY;
    bout_list_write(&plan->game.rules, bout, BOUT_MOVES, &moves);
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:i, s:i, s:I}", "game",
                  (json_int_t)bout->job, "first", json_text(names[SEAT_FIRST]), "black",
                  json_text(names[black]), "white", json_text(names[1 - black]), "winner",
                  bout->winner < 0 ? json_null() : json_text(names[bout->winner]), "result", result,
                  "reason", record_reason_name(bout->reason), "moves", buf_text(&moves), "plies",
                  bout->move_count, "opening", opening, "ms", (json_int_t)bout->ms);
    if (bout->detail[0]) json_object_set_new(object, "detail", json_text(bout->detail));
    buf_free(&moves);
    return object;
}

json_t *match_json_pair(const Match *match, int number)
{
    const MatchPair *pair = &match->pairs[number];
    const Entrant *players = match->plan->players;
    const Tally *t = &pair->tally;
    TallySummary s;
    tally_summary(t, &s);
    json_t *object = json_pack(
        "{s:[o,o], s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:[I,I,I,I,I]}", "pair",
        json_text(players[pair->players[0]].name), json_text(players[pair->players[1]].name),
        "wins", (json_int_t)t->wins, "draws", (json_int_t)t->draws, "losses", (json_int_t)t->losses,
        "score", s.score, "elo", s.elo, "low", s.low, "high", s.high, "error", s.error, "los",
        s.los, "ptnml", (json_int_t)t->pairs[0], (json_int_t)t->pairs[1], (json_int_t)t->pairs[2],
        (json_int_t)t->pairs[3], (json_int_t)t->pairs[4]);
    if (match->plan->has_sprt) {
        json_object_set_new(object, "llr", json_real(pair->sprt.llr));
        json_object_set_new(object, "bounds",
                            json_pack("[f,f]", pair->sprt.lower, pair->sprt.upper));
        json_object_set_new(object, "verdict", json_string(sprt_verdict_name(pair->sprt.verdict)));
    }
    return object;
}
