/* SPDX-License-Identifier: MIT */
/* Bouts as text: the lists that the store keeps, and a whole one as a message between ranks. */
#include "play/bout.h"

#include "base/mem.h"
#include "game/notation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_item(const GameMove *move, BoutList list, Buf *out)
{
    bool opening = move->seat == SEAT_NOBODY;
    switch (list) {
    case BOUT_TIMES:
        buf_printf(out, opening ? "-" : "%d", move->elapsed_ms);
        break;
    case BOUT_CLOCKS:
        buf_printf(out, opening ? "-" : "%" PRId64, move->clock_ms);
        break;
    case BOUT_VALUES:
        buf_printf(out, move->has_value ? "%.4f" : "-", (double)move->value);
        break;
    case BOUT_DEPTHS:
        buf_printf(out, move->depth ? "%d" : "-", move->depth);
        break;
    default:
        buf_printf(out, move->nodes ? "%" PRId64 : "-", move->nodes);
        break;
    }
}

void bout_list_write(const Rules *rules, const Bout *bout, BoutList list, Buf *out)
{
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < bout->move_count; i++) {
        const GameMove *move = &bout->moves[i];
        if (list == BOUT_MOVES) {
            buf_add_text(out, point_text(rules, move->point, text));
        } else if (list == BOUT_SEATS) {
            buf_add_char(out, move->seat == SEAT_NOBODY ? '-' : (char)('1' + move->seat));
        } else {
            if (i) buf_add_char(out, ' ');
            write_item(move, list, out);
        }
    }
}

static bool read_moves(const Rules *rules, Bout *bout, const char *text, Err *err)
{
    int cap = rules->width * rules->height;
    bout->moves = mem_zero((size_t)(cap + 1) * sizeof *bout->moves);
    bout->move_count = 0;
    while (*text) {
        Point p = POINT_NONE;
        if (bout->move_count == cap) return err_set(err, "more moves than points");
        if (!point_parse(rules, &text, &p, err)) return false;
        bout->moves[bout->move_count] = (GameMove){
            .point = p,
            .colour = (uint8_t)(bout->move_count % 2 ? WHITE : BLACK),
            .seat = SEAT_NOBODY,
        };
        bout->move_count++;
    }
    return true;
}

static void read_item(GameMove *move, BoutList list, const char *text)
{
    if (list == BOUT_TIMES) move->elapsed_ms = (int)strtol(text, NULL, 10);
    if (list == BOUT_CLOCKS) move->clock_ms = strtoll(text, NULL, 10);
    if (list == BOUT_DEPTHS) move->depth = (int)strtol(text, NULL, 10);
    if (list == BOUT_NODES) move->nodes = strtoll(text, NULL, 10);
    if (list == BOUT_VALUES) {
        move->value = strtof(text, NULL);
        move->has_value = true;
    }
}

bool bout_list_read(const Rules *rules, Bout *bout, BoutList list, const char *text, Err *err)
{
    if (list == BOUT_MOVES) return read_moves(rules, bout, text, err);
    for (int i = 0; i < bout->move_count; i++) {
        GameMove *move = &bout->moves[i];
        if (!*text) return err_set(err, "%d moves, but less is known of them", bout->move_count);
        if (list == BOUT_SEATS) {
            if (*text == '1' || *text == '2') move->seat = (uint8_t)(*text - '1');
            text++;
            continue;
        }
        size_t len = strcspn(text, " ");
        bool unknown = len == 1 && *text == '-';
        if (!unknown) read_item(move, list, text);
        text += len;
        text += strspn(text, " ");
    }
    return true;
}

/* ---- messages ---- */

void bout_write(const Rules *rules, const Bout *bout, Buf *out)
{
    buf_printf(out, "%" PRId64 " %d %d %d %d %d %" PRId64 " %" PRId64 " %" PRId64 "\n%s\n",
               bout->job, bout->player[0], bout->player[1], (int)bout->colour[SEAT_FIRST],
               bout->winner, (int)bout->reason, bout->ms, bout->late_ms[0], bout->late_ms[1],
               bout->detail);
    for (int list = 0; list < BOUT_LISTS; list++) {
        bout_list_write(rules, bout, (BoutList)list, out);
        buf_add_char(out, '\n');
    }
}

/* Cuts the next line off. */
static bool next_line(char **text, char **line)
{
    char *end = strchr(*text, '\n');
    if (!end) return false;
    *line = *text;
    *end = '\0';
    *text = end + 1;
    return true;
}

static bool read_head(const char *line, Bout *bout)
{
    int colour, reason;
    int n = sscanf(line, "%" SCNd64 " %d %d %d %d %d %" SCNd64 " %" SCNd64 " %" SCNd64, &bout->job,
                   &bout->player[0], &bout->player[1], &colour, &bout->winner, &reason, &bout->ms,
                   &bout->late_ms[0], &bout->late_ms[1]);
    bool good = n == 9 && (colour == BLACK || colour == WHITE) && bout->winner >= -1 &&
                bout->winner < SEAT_COUNT && reason >= 0 && reason < REASON_COUNT;
    if (!good) return false;
    bout->colour[SEAT_FIRST] = (Colour)colour;
    bout->colour[SEAT_SECOND] = colour_other((Colour)colour);
    bout->reason = (RecordReason)reason;
    return true;
}

bool bout_read(const Rules *rules, const char *text, Bout *bout, Err *err)
{
    char *copy = mem_text(text), *at = copy, *line = copy;
    *bout = (Bout){0};
    bool good = next_line(&at, &line) && read_head(line, bout) && next_line(&at, &line);
    if (good) snprintf(bout->detail, sizeof bout->detail, "%s", line);
    if (!good) err_set(err, "a game that cannot be read");
    for (int list = 0; good && list < BOUT_LISTS; list++) {
        good = next_line(&at, &line) || err_set(err, "a game that is cut off");
        good = good && bout_list_read(rules, bout, (BoutList)list, line, err);
    }
    mem_free(copy);
    if (!good) bout_close(bout);
    return good;
}
