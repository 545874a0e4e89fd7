/* SPDX-License-Identifier: MIT */
/* .psq: Piskvork's saved games.
 *
 *     Piskvorky 20x20, 11:11, 0     size, levels of the two players (0: human), who began
 *     3,4,11                        column and row from 1 at the upper left, milliseconds
 *     …
 *     RENJUSOLVER.zip               the players, only if it was a tournament; the second of them
 *     TITO.zip                      is Black if the header ends in 1
 *     -1                            end code: −1 unknown, 0 finished, 15 time, −2 an error
 *     0,Freestyle15_1               later Gomocups: how it ended (0 five or draw, 1 foul, 2 time,
 *                                   3 illegal move, 4 crash), group
 *
 * A file ends with its end code, so one that does not is cut off. Who won is found on the board.
 * We write CR LF as Piskvork does, 0 for a time that is not known, and read several games one
 * after the other. */
#include "game/record_io.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static const char MAGIC[] = "Piskvorky ";

enum {
    DRAW_EMPTY = 25,  /* Piskvork calls a draw when so many points are left */
    END_UNKNOWN = -1, /* end codes */
    END_FINISHED = 0,
    END_TIME = 15,
    END_ERROR = -2,
    END_LIMIT = 1000000, /* nothing beyond is an end code */
    TRAILER_MAX = 100,   /* lines after the moves */
};

static bool is_header(const char *line)
{
    return strncmp(line, MAGIC, sizeof MAGIC - 1) == 0;
}

/* Passes over blanks, one given character and blanks. */
static bool scan_char(const char **text, char c)
{
    const char *at = blanks_skip(*text);
    if (*at != c) return false;
    *text = blanks_skip(at + 1);
    return true;
}

static bool read_header(Source *source, Rules *rules, int64_t levels[2], int64_t *first)
{
    int64_t width, height;
    const char *at = blanks_skip(source->text.data + sizeof MAGIC - 1);
    bool good = number_scan(&at, &width) && scan_char(&at, 'x') && number_scan(&at, &height) &&
                scan_char(&at, ',') && number_scan(&at, &levels[0]) && scan_char(&at, ':') &&
                number_scan(&at, &levels[1]) && scan_char(&at, ',') && number_scan(&at, first) &&
                !*blanks_skip(at);
    if (!good || *first < 0 || *first > 1 || levels[0] < 0 || levels[0] > INT_MAX ||
        levels[1] < 0 || levels[1] > INT_MAX)
        return source_fail(source, "not a Piskvork header (Piskvorky 20x20, 11:11, 0)");
    if (width > SIZE_MAX_SIDE || height > SIZE_MAX_SIDE || width < 1 || height < 1)
        return source_fail(source,
                           "a board of %" PRId64 "x%" PRId64 " is not possible (1 to %d each way)",
                           width, height, SIZE_MAX_SIDE);
    return source_rules(source, RULE_FREESTYLE, (int)width, (int)height, rules);
}

/* Is the line "x,y" or "x,y,ms"? ms is −1 if it is not there. */
bool psq_scan_move(const char *line, int64_t *x, int64_t *y, int64_t *ms)
{
    const char *at = blanks_skip(line);
    *ms = -1;
    if (!number_scan(&at, x) || !scan_char(&at, ',') || !number_scan(&at, y)) return false;
    if (scan_char(&at, ',') && !number_scan(&at, ms)) return false;
    return !*blanks_skip(at);
}

bool psq_play_move(Source *source, Cursor *cursor, int64_t x, int64_t y, int64_t ms, int origin)
{
    const Rules *rules = &cursor->record->rules;
    int last_x = rules->width - 1 + origin, last_y = rules->height - 1 + origin;
    if (x < origin || x > last_x || y < origin || y > last_y)
        return source_fail(source,
                           "point %" PRId64 ",%" PRId64
                           " is off the %dx%d board (columns %d to %d, rows %d to %d)",
                           x, y, rules->width, rules->height, origin, last_x, origin, last_y);
    if (ms < -1 || ms > INT_MAX)
        return source_fail(source, "a move cannot take %" PRId64 " milliseconds", ms);
    Point p = rules_point(rules, (int)x - origin, (int)y - origin);
    if (!cursor_play(cursor, p, cursor->side, source->err)) return source_blame(source);
    cursor->record->nodes[cursor->node].elapsed_ms = (int)ms;
    return true;
}

bool psq_scan_code(const char *line, int64_t *code)
{
    int64_t number;
    const char *at = blanks_skip(line);
    if (!number_scan(&at, &number) || *blanks_skip(at)) return false;
    if (number < -END_LIMIT || number > END_LIMIT) return false;
    *code = number;
    return true;
}

void psq_tag_code(RecordSet *set, Record *record, int64_t code)
{
    Buf text = BUF_EMPTY;
    buf_printf(&text, "%" PRId64, code);
    record_set_tag(set, record, "psq-end", text.data);
    buf_free(&text);
}

int64_t psq_end_code(const Record *record)
{
    int64_t code;
    if (psq_scan_code(record_tag(record, "psq-end"), &code)) return code;
    if (record->reason == REASON_TIME) return END_TIME;
    if (record->reason == REASON_CRASH || record->reason == REASON_ILLEGAL ||
        record->reason == REASON_MEMORY)
        return END_ERROR;
    return record->result == RECORD_UNKNOWN ? END_UNKNOWN : END_FINISHED;
}

/* The side to move, or the side that moved last, lost. */
static void set_loser(Record *record, Colour loser, RecordReason reason)
{
    if (record->result != RECORD_UNKNOWN) return;
    record->result = loser == BLACK ? RECORD_WHITE_WON : RECORD_BLACK_WON;
    record->reason = reason;
}

void psq_judge(Record *record, Colour to_move, int64_t code, const char *tail)
{
    static const RecordReason ENDED_BY[] = {REASON_UNKNOWN, REASON_FOUL, REASON_TIME,
                                            REASON_ILLEGAL, REASON_CRASH};
    enum { ENDED_COUNT = sizeof ENDED_BY / sizeof *ENDED_BY };
    int64_t ended;
    record_judge(record);
    if (code == END_TIME) set_loser(record, to_move, REASON_TIME);
    if (code == END_ERROR) set_loser(record, to_move, REASON_CRASH);
    if (number_scan(&tail, &ended) && *tail == ',' && ended > 0 && ended < ENDED_COUNT) {
        RecordReason reason = ENDED_BY[ended];
        set_loser(record, reason == REASON_FOUL ? colour_other(to_move) : to_move, reason);
    }
    int points = record->rules.width * record->rules.height;
    int empty = points - record_length(record);
    bool ended_well = code == END_UNKNOWN || code == END_FINISHED;
    bool drawn =
        ended_well && empty <= DRAW_EMPTY && points > 2 * DRAW_EMPTY; /* not on tiny boards */
    if (record->result == RECORD_UNKNOWN && drawn) {
        record->result = RECORD_DRAW;
        record->reason = REASON_FULL;
    }
}

/* What follows the moves of one game, up to the next header or the end of the file. */
typedef struct {
    const char *lines[TRAILER_MAX]; /* in the set's texts */
    int count;
} Trailer;

/* source->text holds the first line of it (unless the file is over). True with a header in
 * source->text, or at the end of the file. */
static bool read_trailer(Source *source, bool more, Trailer *trailer, bool *another)
{
    for (*another = false; more; more = source_line(source)) {
        if (is_header(source->text.data)) {
            *another = true;
            break;
        }
        if (trailer->count == TRAILER_MAX)
            return source_fail(source, "more than %d lines after the moves", TRAILER_MAX);
        trailer->lines[trailer->count++] =
            record_text(source->set, source->text.data, source->text.len);
    }
    while (trailer->count && !*blanks_skip(trailer->lines[trailer->count - 1])) trailer->count--;
    return true;
}

static const char *join_lines(RecordSet *set, const char *const *lines, int count)
{
    Buf all = BUF_EMPTY;
    for (int i = 0; i < count; i++) {
        if (i) buf_add_char(&all, '\n');
        buf_add_text(&all, lines[i]);
    }
    const char *text = record_text(set, buf_text(&all), all.len);
    buf_free(&all);
    return text;
}

/* Where the end code stands. Three lines with a number last are names and code; else the first is
 * the code, for Piskvork leaves the names out of a game that it saves by hand. */
static bool find_code(Source *source, const Trailer *trailer, int *at, int64_t *code)
{
    *at = trailer->count >= 3 && psq_scan_code(trailer->lines[2], code) ? 2 : 0;
    if (trailer->count == 0)
        return source_fail(source, "the file is cut off: names and end code are missing");
    if (!psq_scan_code(trailer->lines[*at], code)) {
        char shown[RECORD_SHOWN + 1];
        return source_fail(source, "'%s' is neither a move nor followed by a name and an end code",
                           source_show(trailer->lines[0], shown));
    }
    bool digits_of_move = *at == 0 && *code > 0 && source->end[-1] != '\n';
    if (digits_of_move)
        return source_fail(source, "the file is cut off: names and end code are missing");
    if (*at == 0 && trailer->count > TRAILER_MAX - 2) /* it must be writable with names, too */
        return source_fail(source, "more than %d lines after the moves", TRAILER_MAX - 2);
    return true;
}

static bool use_trailer(Source *source, Cursor *cursor, const Trailer *trailer, int first)
{
    Record *record = cursor->record;
    int64_t code = END_UNKNOWN;
    int at;
    if (!find_code(source, trailer, &at, &code)) return false;
    if (at == 2) {
        record->player[BLACK] = trailer->lines[first];
        record->player[WHITE] = trailer->lines[1 - first];
    }
    psq_tag_code(source->set, record, code);
    const char *tail = join_lines(source->set, trailer->lines + at + 1, trailer->count - at - 1);
    record_set_tag(source->set, record, "psq-tail", tail);
    psq_judge(record, cursor->side, code, tail);
    return true;
}

/* One game; its header is in source->text. */
static bool read_game(Source *source, bool *another)
{
    Rules rules;
    int64_t levels[2], first;
    if (!read_header(source, &rules, levels, &first)) return false;
    Record *record = source_record(source, &rules);
    if (!record) return false;
    Buf text = BUF_EMPTY;
    buf_printf(&text, "%d:%d", (int)levels[0], (int)levels[1]);
    record_set_tag(source->set, record, "psq-levels", text.data);
    buf_free(&text);
    if (first) record_set_tag(source->set, record, "psq-first", "1");

    Cursor cursor;
    cursor_begin(&cursor, source->set, record);
    bool more;
    int64_t x, y, ms;
    while ((more = source_line(source)) && psq_scan_move(source->text.data, &x, &y, &ms))
        if (!psq_play_move(source, &cursor, x, y, ms, 1)) return false;
    Trailer trailer = {.count = 0};
    return read_trailer(source, more, &trailer, another) &&
           use_trailer(source, &cursor, &trailer, (int)first);
}

bool psq_read(Source *source)
{
    if (!source_line(source)) return source_fail(source, "the file is empty");
    if (!is_header(source->text.data))
        return source_fail(source, "not a Piskvork header (Piskvorky 20x20, 11:11, 0)");
    for (bool another = true; another;)
        if (!read_game(source, &another)) return false;
    return true;
}

/* A line of text; false if it would be read as the header of the next game or, among the names,
 * as a move. */
static bool write_line(Buf *out, const char *text, size_t len, bool is_name, Err *err)
{
    int64_t x, y, ms;
    size_t before = out->len;
    text_add_line(out, text, len);
    const char *line = buf_text(out) + before;
    if (is_header(line) || (is_name && psq_scan_move(line, &x, &y, &ms)))
        return err_set(err, "'%.60s' cannot stand in a .psq file: it looks like a %s", line,
                       is_header(line) ? "header" : "move");
    buf_add_text(out, "\r\n");
    return true;
}

/* The lines after the end code. Names are there if they are known or if the tail might be taken
 * for them. */
static bool write_trailer(const Record *record, bool swapped, Buf *out, Err *err)
{
    const char *tail = record_tag(record, "psq-tail");
    if (*tail || *record->player[BLACK] || *record->player[WHITE])
        for (int i = 0; i < COLOUR_COUNT; i++) {
            const char *name = record->player[i ^ swapped];
            if (!write_line(out, name, strlen(name), true, err)) return false;
        }
    buf_printf(out, "%" PRId64 "\r\n", psq_end_code(record));
    while (*tail) {
        size_t len = strcspn(tail, "\n");
        if (!write_line(out, tail, len, false, err)) return false;
        tail += len + (tail[len] == '\n');
    }
    return true;
}

static bool is_levels(const char *text)
{
    int64_t level;
    return number_scan(&text, &level) && *text++ == ':' && number_scan(&text, &level) && !*text;
}

static bool write_game(const Record *record, Buf *out, Err *err)
{
    FlatMove *moves;
    int count;
    if (!record_flatten(record, false, &moves, &count, err)) return false;
    const char *levels = record_tag(record, "psq-levels");
    bool swapped = *record_tag(record, "psq-first") == '1';
    buf_printf(out, "%s%dx%d, %s, %d\r\n", MAGIC, record->rules.width, record->rules.height,
               is_levels(levels) ? levels : "0:0", swapped);
    for (int i = 0; i < count; i++)
        buf_printf(out, "%d,%d,%d\r\n", rules_x(&record->rules, moves[i].point) + 1,
                   rules_y(&record->rules, moves[i].point) + 1,
                   moves[i].elapsed_ms < 0 ? 0 : moves[i].elapsed_ms);
    mem_free(moves);
    return write_trailer(record, swapped, out, err);
}

bool psq_write(const RecordSet *set, Buf *out, Err *err)
{
    for (int i = 0; i < set->count; i++)
        if (!write_game(&set->records[i], out, err)) return err_prefix(err, "game %d", i + 1);
    return true;
}
