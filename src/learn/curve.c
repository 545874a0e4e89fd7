/* SPDX-License-Identifier: MIT */
#include "learn/curve.h"

#include "base/mem.h"
#include "game/ban.h"
#include "play/svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPENING_STONES = 4, OPENING_REACH = 3, TURN_MS = 1000 };

void curve_free(Curve *curve)
{
    mem_free(curve->places);
    curve->places = NULL;
    curve->count = 0;
}

/* ---- games ---- */

/* A few stones around the middle, as many as the board bears; nothing decided. */
static void set_opening(Board *board, uint64_t seed)
{
    const Rules *r = &board->rules;
    Rng rng;
    rng_seed(&rng, seed);
    int stones = r->width * r->height >= 64 ? OPENING_STONES : (int)(seed % 2);
    for (int tries = 0; board->stones < stones && tries < 1000; tries++) {
        int x = r->width / 2 + (int)rng_below(&rng, 2 * OPENING_REACH + 1) - OPENING_REACH;
        int y = r->height / 2 + (int)rng_below(&rng, 2 * OPENING_REACH + 1) - OPENING_REACH;
        if (!rules_inside(r, x, y)) continue;
        Point p = rules_point(r, x, y);
        if (!ban_allows(board, p, board->side)) continue;
        board_play(board, p);
        if (board_is_over(board)) board_undo(board);
    }
}

/* Half points of `player`. Who gives no legal move loses. */
static bool play_game(Board *board, Player *player, Player *opponent, Colour colour, int *points,
                      Err *err)
{
    Limits limits = {.turn_ms = TURN_MS};
    Thought thought;
    *points = 1;
    while (!board_is_over(board)) {
        bool ours = board->side == colour;
        if (!player_think(ours ? player : opponent, board, &limits, &thought, err)) return false;
        Point p = thought.decision == DECIDE_MOVE ? thought.stones[0] : POINT_NONE;
        if (p == POINT_NONE || !ban_allows(board, p, board->side)) {
            *points = ours ? 0 : 2;
            return true;
        }
        board_play(board, p);
    }
    if (board->won != CELL_EMPTY) *points = board->won == (Cell)colour + CELL_BLACK ? 2 : 0;
    return true;
}

bool curve_score(const Rules *rules, Player *player, Player *opponent, int games, uint64_t seed,
                 const atomic_bool *stop, double *score, Err *err)
{
    Board *board = board_open(rules, NEAR_ALL);
    int sum = 0, points = 0;
    bool good = true;
    for (int i = 0; good && i < games && !(stop && atomic_load(stop)); i++) {
        uint64_t lot = seed * 1000003 + (uint64_t)i / 2;
        board_reset(board);
        set_opening(board, lot);
        player_reseed(player, lot + 1);
        player_reseed(opponent, lot + 2);
        player_new_game(player);
        player_new_game(opponent);
        good = play_game(board, player, opponent, i % 2 ? WHITE : BLACK, &points, err);
        sum += points;
    }
    board_close(board);
    *score = sum / (2.0 * games);
    return good;
}

bool curve_measure(Curve *curve, Learner *learner, double loss, const atomic_bool *stop, Err *err)
{
    CurvePlace place = {.games = learner->games, .loss = loss};
    Player *player = learner_player(learner, err);
    bool good = player != NULL;
    for (int i = 0; good && i < curve->opponent_count; i++) {
        Player *opponent = player_open(curve->opponents[i], err);
        good = opponent && curve_score(&learner->rules, player, opponent, curve->games,
                                       (uint64_t)learner->games, stop, &place.score[i], err);
        player_close(opponent);
    }
    player_close(player);
    if (!good || (stop && atomic_load(stop))) return good;
    curve->places = mem_grow(curve->places, ((size_t)curve->count + 1) * sizeof *curve->places);
    curve->places[curve->count++] = place;
    return true;
}

/* ---- text ---- */

void curve_write(const Curve *curve, Buf *out)
{
    buf_add_text(out, "games\tloss");
    for (int i = 0; i < curve->opponent_count; i++) buf_printf(out, "\t%s", curve->opponents[i]);
    buf_add_char(out, '\n');
    for (int i = 0; i < curve->count; i++) {
        const CurvePlace *place = &curve->places[i];
        buf_printf(out, "%" PRId64 "\t%.9g", place->games, place->loss);
        for (int k = 0; k < curve->opponent_count; k++) buf_printf(out, "\t%.9g", place->score[k]);
        buf_add_char(out, '\n');
    }
}

/* One line of numbers; false if it is none. */
static bool read_place(const char *line, int scores, CurvePlace *place)
{
    char *end;
    place->games = strtoll(line, &end, 10);
    if (end == line || *end != '\t') return false;
    place->loss = strtod(end + 1, &end);
    for (int i = 0; i < scores; i++) {
        if (*end != '\t') return false;
        place->score[i] = strtod(end + 1, &end);
    }
    return *end == '\n' || *end == '\0';
}

bool curve_read(Curve *curve, const char *text, const char *name, int64_t games, Err *err)
{
    Buf head = BUF_EMPTY;
    Curve none = *curve;
    none.count = 0;
    curve_write(&none, &head);
    bool same = strncmp(text, head.data, head.len) == 0;
    buf_free(&head);
    if (!same)
        return err_set(
            err, "%s: is a curve against other opponents; give its --against, or move it away",
            name);
    int line = 1;
    for (const char *at = strchr(text, '\n') + 1; *at;) {
        CurvePlace place = {0};
        line++;
        if (!read_place(at, curve->opponent_count, &place))
            return err_set(err, "%s:%d: is no place of a curve", name, line);
        const char *eol = strchr(at, '\n');
        at = eol ? eol + 1 : at + strlen(at);
        if (place.games > games) continue;
        curve->places = mem_grow(curve->places, ((size_t)curve->count + 1) * sizeof *curve->places);
        curve->places[curve->count++] = place;
    }
    return true;
}

void curve_svg(const Curve *curve, const char *title, Buf *out)
{
    SvgChart chart = {.label = title, .x_most = 1};
    for (int i = 0; i < curve->opponent_count && i < CURVE_OPPONENTS_MAX; i++) {
        SvgLine *line = svg_chart_add(&chart, curve->opponents[i], curve->count + 1);
        for (int k = 0; k < curve->count; k++) {
            line->x[k] = (double)curve->places[k].games;
            line->y[k] = curve->places[k].score[i];
        }
        line->count = curve->count;
    }
    if (curve->count) chart.x_most = (double)curve->places[curve->count - 1].games;
    svg_chart_write(&chart, true, out);
    svg_chart_free(&chart);
}
