/* SPDX-License-Identifier: MIT */
/* What the brain says while it thinks: messages now and then, real-time lines for boards that ask
 * for them. */
#include "app/brain_inside.h"

#include "game/notation.h"
#include "search/score.h"

enum {
    MESSAGE_MS = 300, /* between two messages */
    WATCH_MS = 100,   /* before single moves are shown */
};

static void add_pair(Buf *out, const Rules *rules, Point p)
{
    if (out->len) buf_add_char(out, ' ');
    buf_printf(out, "%d,%d", rules_x(rules, p), rules_y(rules, p));
}

void brain_say_points(Brain *brain, const Point *points, int count)
{
    Buf text = BUF_EMPTY;
    for (int i = 0; i < count; i++) add_pair(&text, &brain->board->rules, points[i]);
    brain_say(brain, "%s", buf_text(&text));
    buf_free(&text);
}

static void add_value(Buf *out, double value, int score)
{
    if (score >= SCORE_MATE) {
        buf_printf(out, "win in %d", SCORE_WIN - score);
    } else if (score <= -SCORE_MATE) {
        buf_printf(out, "loss in %d", SCORE_WIN + score);
    } else {
        buf_printf(out, "%.1f%%", 100 * value);
    }
}

static void add_line(Buf *out, const Rules *rules, const Point *line, int len)
{
    char text[POINT_TEXT_MAX];
    buf_add_text(out, " line");
    for (int i = 0; i < len; i++) buf_printf(out, " %s", point_text(rules, line[i], text));
}

static void say_thought(Brain *brain, const Board *board, const Thought *t)
{
    Buf line = BUF_EMPTY;
    brain->message_nodes = t->nodes;
    buf_printf(&line, "MESSAGE depth %d-%d value ", t->depth, t->sel_depth);
    add_value(&line, t->value, t->score);
    buf_printf(&line, " nodes %lld speed %lldk", (long long)t->nodes,
               (long long)(t->nodes / (t->ms > 0 ? t->ms : 1)));
    add_line(&line, &board->rules, t->line, t->line_len);
    brain_say(brain, "%s", buf_text(&line));
    for (int i = 0; i < t->best_count && t->best_count > 1; i++) {
        const SearchLine *best = &t->best[i];
        buf_clear(&line);
        buf_printf(&line, "MESSAGE (%d) depth %d value ", i + 1, best->depth);
        add_value(&line, eval_win_rate(best->score), best->score);
        add_line(&line, &board->rules, best->line, best->line_len);
        brain_say(brain, "%s", buf_text(&line));
    }
    buf_free(&line);
}

static void say_point(Brain *brain, const Rules *rules, const char *what, Point p)
{
    brain_say(brain, "MESSAGE REALTIME %s %d,%d", what, rules_x(rules, p), rules_y(rules, p));
}

static void say_details(Brain *brain, const Board *board, const Thought *t)
{
    if (brain->info.show_detail & 1 && t->line_len) {
        Buf line = BUF_EMPTY;
        for (int i = 0; i < t->line_len; i++) add_pair(&line, &board->rules, t->line[i]);
        brain_say(brain, "MESSAGE REALTIME REFRESH");
        for (int i = 0; i < t->best_count && t->best_count > 1; i++)
            say_point(brain, &board->rules, t->best[i].score <= -SCORE_MATE ? "LOST" : "DONE",
                      t->best[i].move);
        say_point(brain, &board->rules, "BEST", t->line[0]);
        brain_say(brain, "MESSAGE REALTIME PV %s", buf_text(&line));
        buf_free(&line);
    }
    if (brain->info.show_detail & 2)
        brain_say(brain, "DEBUG depth %d ms %lld score %d lines %d", t->depth, (long long)t->ms,
                  t->score, t->best_count);
}

/* The first moments of a search take up every move many times over: nobody could see it. */
static void on_watch(void *ctx, const Board *board, Point move, SearchEvent event)
{
    static const char *const words[] = {
        [ROOT_TAKEN_UP] = "POS", [ROOT_DONE] = "DONE", [ROOT_LOST] = "LOST", [ROOT_BEST] = "BEST"};
    Brain *brain = ctx;
    if (brain->quiet || atomic_load(&brain->quit)) return;
    if (os_clock_ms() - brain->asked_at >= WATCH_MS)
        say_point(brain, &board->rules, words[event], move);
}

static void on_report(void *ctx, const Board *board, const Thought *so_far)
{
    Brain *brain = ctx;
    int64_t now = os_clock_ms();
    /* A stop that came before the search began was forgotten by it. */
    if (brain_is_stopped(brain)) player_stop(brain->player);
    if (brain->quiet || atomic_load(&brain->quit)) return;
    say_details(brain, board, so_far);
    if (now - brain->message_at < MESSAGE_MS) return;
    brain->message_at = now;
    say_thought(brain, board, so_far);
}

/* --- a question ------------------------------------------------------------------------------ */

void brain_report_begin(Brain *brain, bool quiet)
{
    brain->message_at = brain->asked_at = os_clock_ms();
    brain->message_nodes = -1;
    brain->quiet = quiet;
}

void brain_report_on(Brain *brain)
{
    brain->player->report = on_report;
    brain->player->watch = brain->info.show_detail & 1 ? on_watch : NULL;
    brain->player->report_ctx = brain;
}

void brain_report_off(Brain *brain)
{
    brain->player->report = NULL;
    brain->player->watch = NULL;
}

void brain_report_end(Brain *brain, const Thought *thought)
{
    if (!brain->quiet && thought->depth && thought->nodes != brain->message_nodes)
        say_thought(brain, brain->board, thought);
}

void brain_report_move(Brain *brain, Point move)
{
    if (brain->info.show_detail & 1) say_point(brain, &brain->board->rules, "DONE", move);
}
