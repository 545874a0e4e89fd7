/* SPDX-License-Identifier: MIT */
#include "app/match_files.h"

#include "base/os.h"
#include "play/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const Match *match;
    RecordSet set;
    Buf pgn;
    Results results;
} Writer;

static int black_seat(const Bout *bout)
{
    return bout->colour[SEAT_FIRST] == BLACK ? SEAT_FIRST : SEAT_SECOND;
}

static const char *own_text(RecordSet *set, const char *text)
{
    return record_text(set, text, strlen(text));
}

void match_add_record(RecordSet *set, const MatchPlan *plan, const Bout *bout, const char *ended)
{
    Record *record = record_set_add(set, &plan->game.rules);
    int black = black_seat(bout), node = 0;
    char text[GAME_DETAIL_MAX];
    record->player[BLACK] = own_text(set, plan->players[bout->player[black]].name);
    record->player[WHITE] = own_text(set, plan->players[bout->player[1 - black]].name);
    record->date = record_text(set, ended, strlen(ended) < 10 ? strlen(ended) : 10);
    snprintf(text, sizeof text, "%" PRId64, bout->job + 1);
    record->round = own_text(set, text);
    if (plan->game.phase != PHASE_NORMAL) record->opening = phase_name(plan->game.phase);
    record->reason = bout->reason;
    record->result = bout->winner < 0        ? RECORD_DRAW
                     : bout->winner == black ? RECORD_BLACK_WON
                                             : RECORD_WHITE_WON;
    for (int i = 0; i < bout->move_count; i++) {
        const GameMove *move = &bout->moves[i];
        node = record_add_move(set, record, node, move->point, (Colour)move->colour);
        if (move->seat == SEAT_NOBODY) continue;
        RecordNode *at = &record->nodes[node];
        at->elapsed_ms = move->elapsed_ms;
        if (plan->game.clock.match_ms && move->clock_ms >= 0)
            at->clock_ms = move->clock_ms > INT32_MAX ? INT32_MAX : (int)move->clock_ms;
        if (!move->has_value) continue;
        snprintf(text, sizeof text, "%.3f", (double)move->value);
        at->eval = own_text(set, text);
    }
    if (bout->detail[0]) record->nodes[0].comment = own_text(set, bout->detail);
}

static bool add_record(void *ctx, const Bout *bout, const char *ended)
{
    Writer *writer = ctx;
    match_add_record(&writer->set, writer->match->plan, bout, ended);
    return true;
}

/* Tried with games of one move: whether the format has room for such a board, so many games, these
 * names. */
bool match_check_games(const MatchPlan *plan, const char *path, Err *err)
{
    RecordSet set;
    Buf bytes = BUF_EMPTY;
    RecordFormat format;
    int64_t games = (int64_t)schedule_pairs(plan) * plan->games;
    record_set_open(&set);
    for (int i = 0; i < plan->player_count && i < games; i++) {
        Record *record = record_set_add(&set, &plan->game.rules);
        record->player[BLACK] = plan->players[i].name;
        record->player[WHITE] = plan->players[(i + 1) % plan->player_count].name;
        record_add_move(&set, record, 0, rules_nth(&plan->game.rules, 0), BLACK);
    }
    bool good = record_format_from_name(path, &format, err) &&
                (record_write(format, &set, &bytes, err) || err_prefix(err, "%s", path)) &&
                os_file_may_write(path, err);
    record_set_close(&set);
    buf_free(&bytes);
    return good;
}

bool match_write_games(const Match *match, const char *path, Err *err)
{
    Writer writer = {.match = match};
    Buf bytes = BUF_EMPTY;
    RecordFormat format;
    record_set_open(&writer.set);
    bool good =
        record_format_from_name(path, &format, err) &&
        store_games(match->store, match->id, &match->plan->game.rules, add_record, &writer, err) &&
        record_write(format, &writer.set, &bytes, err) &&
        os_file_replace(path, buf_text(&bytes), bytes.len, err);
    record_set_close(&writer.set);
    buf_free(&bytes);
    return good;
}

/* White begins in chess, Black here: BayesElo's White is whoever began. */
static bool add_pgn(void *ctx, const Bout *bout, const char *ended)
{
    (void)ended;
    Writer *writer = ctx;
    const Entrant *players = writer->match->plan->players;
    int black = black_seat(bout);
    const char *result = bout->winner < 0 ? "1/2-1/2" : bout->winner == black ? "1-0" : "0-1";
    results_write_tags(players[bout->player[black]].name, players[bout->player[1 - black]].name,
                       result, &writer->pgn);
    buf_printf(&writer->pgn, "1. d4 d5 %s\n\n", result);
    return true;
}

bool match_write_pgn(const Match *match, const char *path, Err *err)
{
    Writer writer = {.match = match};
    bool good =
        store_games(match->store, match->id, &match->plan->game.rules, add_pgn, &writer, err) &&
        os_file_replace(path, buf_text(&writer.pgn), writer.pgn.len, err);
    buf_free(&writer.pgn);
    return good;
}

static bool add_result(void *ctx, const Bout *bout, const char *ended)
{
    (void)ended;
    Writer *writer = ctx;
    const Entrant *players = writer->match->plan->players;
    int black = black_seat(bout), number[2];
    for (int i = 0; i < 2; i++) {
        const char *name = players[bout->player[i ? 1 - black : black]].name;
        number[i] = results_player(&writer->results, name, strlen(name));
    }
    results_add_game(&writer->results, number[0], number[1],
                     bout->winner < 0 ? 1 : 2 * (bout->winner == black));
    return true;
}

bool match_write_html(const Match *match, const char *path, Err *err)
{
    Writer writer = {.match = match};
    RatingPlan plan = RATING_PLAN_GOMOCUP;
    Rating rating = {0};
    Buf text = BUF_EMPTY;
    results_open(&writer.results);
    bool good =
        store_games(match->store, match->id, &match->plan->game.rules, add_result, &writer, err) &&
        rating_run(&writer.results, &plan, false, &rating, err);
    if (good) {
        Report report;
        report_open(&report, "Match", &writer.results, &rating);
        report_html(&report, &text);
        report_close(&report);
        good = os_file_replace(path, buf_text(&text), text.len, err);
    }
    rating_free(&rating);
    results_close(&writer.results);
    buf_free(&text);
    return good;
}
