/* SPDX-License-Identifier: MIT */
/* .pos: one position per line, "h8i9g7", as opening books are kept.
 *
 * Rows count from the bottom as everywhere in this program. (Other programs count them from the
 * top; the mirrored position plays the same.) Stones without an order are written and read as
 * "b:h8g7/w:i9". Blank lines and lines that begin with '#' are passed over. A result is what the
 * board shows. */
#include "game/record_io.h"

#include "game/notation.h"

#include <string.h>

enum { USUAL_SIDE = 15 };

static bool read_position(Source *source, const Rules *rules)
{
    Position position;
    if (!position_parse(rules, source->text.data, 0, &position, source->err))
        return source_blame(source);
    Record *record = source_record(source, rules);
    for (int i = 0; record && i < position.count; i++) {
        if (position.ordered)
            record_add_move(source->set, record, i, position.stones[i],
                            (Colour)position.colours[i]);
        else
            record_add_setup(record, position.stones[i], (Colour)position.colours[i]);
    }
    if (record) {
        record->first = position.ordered ? BLACK : position.side;
        record_judge(record);
    }
    position_free(&position);
    if (source->set->node_total > RECORD_NODES_MAX)
        return source_fail(source, "more than %d moves in one file", RECORD_NODES_MAX);
    return record != NULL;
}

bool pos_read(Source *source)
{
    Rules rules;
    const RecordHints *hints = source->hints;
    int width = hints->size_given ? hints->width : USUAL_SIDE;
    int height = hints->size_given ? hints->height : USUAL_SIDE;
    if (!source_rules(source, RULE_FREESTYLE, width, height, &rules)) return false;
    while (source_line(source)) {
        const char *text = blanks_skip(source->text.data);
        if (*text && *text != '#' && !read_position(source, &rules)) return false;
    }
    if (source->set->count > 0) return true;
    source->line = 0;
    return source_fail(source, "the file holds no position (one per line, like h8i9g7)");
}

/* Set-up stones and no moves: no order has to be made up. */
static void write_stones(const Record *record, Buf *out)
{
    char text[POINT_TEXT_MAX];
    for (int c = BLACK; c < COLOUR_COUNT; c++) {
        buf_add_text(out, c == BLACK ? "b:" : "/w:");
        for (int i = 0; i < record->setup_count; i++)
            if (record->setup[i].colour == c)
                buf_add_text(out, point_text(&record->rules, record->setup[i].point, text));
    }
}

static bool write_position(const Record *record, Buf *out, Err *err)
{
    FlatMove *moves;
    int count;
    char text[POINT_TEXT_MAX];
    if (!record_flatten(record, false, &moves, &count, err)) return false;
    if (record->setup_count == count && count > 0)
        write_stones(record, out);
    else
        for (int i = 0; i < count; i++)
            buf_add_text(out, point_text(&record->rules, moves[i].point, text));
    mem_free(moves);
    if (count == 0) return err_set(err, "an empty board cannot be written as a line");
    buf_add_char(out, '\n');
    return true;
}

bool pos_write(const RecordSet *set, Buf *out, Err *err)
{
    for (int i = 0; i < set->count; i++)
        if (!write_position(&set->records[i], out, err)) return err_prefix(err, "game %d", i + 1);
    return true;
}
