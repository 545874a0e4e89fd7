/* SPDX-License-Identifier: MIT */
/* .rec: games of Gomotur, which Piskvork reads and writes too.
 *
 *     RENJUSOLVER.zip     the player who began
 *     TITO.zip            the other one
 *     2,3,11              column and row from 0 at the upper left, milliseconds
 *     …
 *     -1                  end code as in .psq; Gomotur's own files have none
 *
 * So a file that is cut off cannot always be told from a whole one of Gomotur.
 * One game per file. The size is not said: 20x20 unless the hints know better. */
#include "game/record_io.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

enum { USUAL_SIDE = 20 };

static bool read_names(Source *source, Record *record)
{
    int64_t x, y, ms;
    for (int c = BLACK; c < COLOUR_COUNT; c++) {
        if (!source_line(source) || psq_scan_move(source->text.data, &x, &y, &ms))
            return source_fail(source, "a .rec file begins with the names of the two players");
        record->player[c] = record_text(source->set, source->text.data, source->text.len);
    }
    return true;
}

/* The end code, if there is a line left, and nothing after it. */
static bool read_end(Source *source, Cursor *cursor, bool more)
{
    int64_t code = -1;
    if (more && *blanks_skip(source->text.data)) {
        char shown[RECORD_SHOWN + 1];
        if (!psq_scan_code(source->text.data, &code))
            return source_fail(source, "'%s' is neither a move (x,y,ms) nor an end code",
                               source_show(source->text.data, shown));
        psq_tag_code(source->set, cursor->record, code);
    }
    while (source_line(source))
        if (*blanks_skip(source->text.data))
            return source_fail(source, "something follows the end code");
    psq_judge(cursor->record, cursor->side, code, "");
    return true;
}

bool rec_read(Source *source)
{
    Rules rules;
    const RecordHints *hints = source->hints;
    int width = hints->size_given ? hints->width : USUAL_SIDE;
    int height = hints->size_given ? hints->height : USUAL_SIDE;
    if (!source_rules(source, RULE_FREESTYLE, width, height, &rules)) return false;
    Record *record = source_record(source, &rules);
    if (!read_names(source, record)) return false;

    Cursor cursor;
    cursor_begin(&cursor, source->set, record);
    bool more;
    int64_t x, y, ms;
    while ((more = source_line(source)) && psq_scan_move(source->text.data, &x, &y, &ms))
        if (!psq_play_move(source, &cursor, x, y, ms, 0)) return false;
    return read_end(source, &cursor, more);
}

/* A name on a line; false if it would be read as a move. */
static bool write_name(const char *name, Buf *out, Err *err)
{
    int64_t x, y, ms;
    size_t before = out->len;
    /* At the beginning of a file this mark of UTF-8 would not count as a part of the name. */
    while (utf8_mark(name, strlen(name))) name += utf8_mark(name, strlen(name));
    text_add_line(out, name, strlen(name));
    if (psq_scan_move(buf_text(out) + before, &x, &y, &ms))
        return err_set(err, "a player called '%.60s' cannot be written to a .rec file", name);
    buf_add_text(out, "\r\n");
    return true;
}

bool rec_write(const RecordSet *set, Buf *out, Err *err)
{
    if (set->count != 1) return err_set(err, "a .rec file holds one game, here are %d", set->count);
    const Record *record = &set->records[0];
    const Rules *rules = &record->rules;
    FlatMove *moves;
    int count;
    if (!write_name(record->player[BLACK], out, err) ||
        !write_name(record->player[WHITE], out, err) ||
        !record_flatten(record, false, &moves, &count, err))
        return false;
    for (int i = 0; i < count; i++)
        buf_printf(out, "%d,%d,%d\r\n", rules_x(rules, moves[i].point),
                   rules_y(rules, moves[i].point),
                   moves[i].elapsed_ms < 0 ? 0 : moves[i].elapsed_ms);
    mem_free(moves);
    buf_printf(out, "%" PRId64 "\r\n", psq_end_code(record));
    return true;
}
