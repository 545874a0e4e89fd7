/* SPDX-License-Identifier: MIT */
/* .tsv: problem suites and games as a table, one per row, columns named in the first row.
 *
 *     id rule size side black white claim solution     a problem: stones, no order, side to move
 *     moves result                                     a game: moves in order after those stones
 *     win reason times black_name white_name event site date round opening comment tags
 *
 * `black` and `white` are points, "-" or nothing for none; `side` is b or w; `result` b, w or
 * draw; "--" among the moves is a pass; `times` are milliseconds, "-" where not known. A tab,
 * newline or backslash in a text is written \t, \n, \\. Columns with other names are passed over,
 * columns that are missing come from the hints; of the second and third line we write only those
 * that say something. Clocks, evaluations and comments of single moves are not kept. */
#include "game/record_io.h"

#include "game/notation.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

typedef enum {
    COL_ID,
    COL_RULE,
    COL_SIZE,
    COL_WIN,
    COL_SIDE,
    COL_BLACK,
    COL_WHITE,
    COL_CLAIM,
    COL_SOLUTION,
    COL_MOVES,
    COL_RESULT,
    COL_REASON,
    COL_TIMES,
    COL_BLACK_NAME,
    COL_WHITE_NAME,
    COL_EVENT,
    COL_SITE,
    COL_DATE,
    COL_ROUND,
    COL_OPENING,
    COL_COMMENT,
    COL_TAGS,
    COL_COUNT
} Column;

static const struct {
    const char *name;
    bool always; /* written even if no row says anything */
} COLUMNS[COL_COUNT] = {
    [COL_ID] = {"id", true},
    [COL_RULE] = {"rule", true},
    [COL_SIZE] = {"size", true},
    [COL_WIN] = {"win", false},
    [COL_SIDE] = {"side", true},
    [COL_BLACK] = {"black", true},
    [COL_WHITE] = {"white", true},
    [COL_CLAIM] = {"claim", true},
    [COL_SOLUTION] = {"solution", true},
    [COL_MOVES] = {"moves", false},
    [COL_RESULT] = {"result", false},
    [COL_REASON] = {"reason", false},
    [COL_TIMES] = {"times", false},
    [COL_BLACK_NAME] = {"black_name", false},
    [COL_WHITE_NAME] = {"white_name", false},
    [COL_EVENT] = {"event", false},
    [COL_SITE] = {"site", false},
    [COL_DATE] = {"date", false},
    [COL_ROUND] = {"round", false},
    [COL_OPENING] = {"opening", false},
    [COL_COMMENT] = {"comment", false},
    [COL_TAGS] = {"tags", false},
};

static const char *const RESULTS[] = {[RECORD_UNKNOWN] = "",
                                      [RECORD_BLACK_WON] = "b",
                                      [RECORD_WHITE_WON] = "w",
                                      [RECORD_DRAW] = "draw"};

enum { PLACES_MAX = 256 };

/* Which column stands at each place of a row, and the row being read. */
typedef struct {
    Column places[PLACES_MAX]; /* COL_COUNT: a column that is not ours */
    int place_count;
    bool present[COL_COUNT];
    char *fields[COL_COUNT]; /* into row; "" where the row has none */
    Buf row;
} Table;

static Column column_find(const char *name)
{
    int c = 0;
    while (c < COL_COUNT && strcmp(name, COLUMNS[c].name) != 0) c++;
    return (Column)c;
}

/* Cuts the field at *text off and moves *text to the next one; NULL when there is none. */
static char *cut_field(char **text)
{
    char *field = *text, *tab = field ? strchr(field, '\t') : NULL;
    if (tab) *tab = '\0';
    *text = tab ? tab + 1 : NULL;
    return field;
}

static bool read_header(Source *source, Table *table)
{
    if (!source_line(source)) return source_fail(source, "the file is empty");
    char *rest = source->text.data;
    for (char *name; (name = cut_field(&rest));) {
        Column c = column_find(name);
        if (table->place_count == PLACES_MAX)
            return source_fail(source, "more than %d columns", PLACES_MAX);
        if (c < COL_COUNT && table->present[c])
            return source_fail(source, "column %s stands twice", name);
        if (c < COL_COUNT) table->present[c] = true;
        table->places[table->place_count++] = c;
    }
    if (table->present[COL_BLACK] || table->present[COL_WHITE] || table->present[COL_MOVES])
        return true;
    return source_fail(source, "the first row names no column with stones (black, white, moves)");
}

/* Takes the row in source->text apart. */
static bool read_fields(Source *source, Table *table)
{
    static char none[] = "";
    for (int c = 0; c < COL_COUNT; c++) table->fields[c] = none;
    buf_clear(&table->row);
    buf_add(&table->row, source->text.data, source->text.len);
    char *rest = table->row.data;
    int place = 0;
    for (char *field; (field = cut_field(&rest)); place++) {
        if (place == table->place_count)
            return source_fail(source, "this row has more than the %d fields of the first row",
                               table->place_count);
        if (table->places[place] < COL_COUNT) table->fields[table->places[place]] = field;
    }
    /* Empty fields at the end may be missing: some editors take them away. */
    if (place < table->place_count && source->at == source->end && source->end[-1] != '\n')
        return source_fail(source,
                           "this row is cut off: it has %d of the %d fields of the first row",
                           place, table->place_count);
    return true;
}

/* Undoes \t \n \r \\ in place. */
static void unescape(char *text)
{
    static const char CODES[] = "tnr\\", MEANS[] = "\t\n\r\\";
    char *to = text;
    while (*text) {
        const char *code = *text == '\\' && text[1] ? strchr(CODES, text[1]) : NULL;
        *to++ = code ? MEANS[code - CODES] : *text;
        text += code ? 2 : 1;
    }
    *to = '\0';
}

static const char *text_field(Source *source, Table *table, Column c)
{
    unescape(table->fields[c]);
    return record_text(source->set, table->fields[c], strlen(table->fields[c]));
}

static bool parse_size(const char *text, int64_t *width, int64_t *height)
{
    text = blanks_skip(text);
    if (!number_scan(&text, width)) return false;
    *height = *width;
    if (*text == 'x') {
        text++;
        if (!number_scan(&text, height)) return false;
    }
    return !*blanks_skip(text) && *width > 0 && *height > 0 && *width <= SIZE_MAX_SIDE &&
           *height <= SIZE_MAX_SIDE;
}

static bool read_rules(Source *source, const Table *table, Rules *rules)
{
    const RecordHints *hints = source->hints;
    RuleKind kind = hints->kind_given ? hints->kind : RULE_FREESTYLE;
    int64_t width = hints->size_given ? hints->width : 15;
    int64_t height = hints->size_given ? hints->height : 15;
    int64_t k = hints->k_given ? hints->k : 5;
    const char *rule = table->fields[COL_RULE], *size = table->fields[COL_SIZE];
    const char *win = table->fields[COL_WIN];
    char shown[RECORD_SHOWN + 1];
    if (*rule && !rule_parse(rule, &kind, source->err)) return source_blame(source);
    if (*size && !parse_size(size, &width, &height))
        return source_fail(source, "'%s' is not a size (15 or 20x15, 1 to %d each way)",
                           source_show(size, shown), SIZE_MAX_SIDE);
    if (*win && (!number_scan(&win, &k) || *win || k < WIN_MIN || k > WIN_MAX))
        return source_fail(source, "'%s' is not a number in a row (%d to %d)",
                           source_show(table->fields[COL_WIN], shown), WIN_MIN, WIN_MAX);
    rules_init(rules, kind, (int)width, (int)height, (int)k);
    return true;
}

static bool read_setup(Source *source, const Table *table, Cursor *cursor)
{
    const char *side = table->fields[COL_SIDE];
    char shown[RECORD_SHOWN + 1];
    Position position;
    if (*side && strcmp(side, "b") != 0 && strcmp(side, "w") != 0)
        return source_fail(source, "'%s' is not a side (b or w)", source_show(side, shown));
    if (!position_parse_lists(&cursor->record->rules, table->fields[COL_BLACK],
                              table->fields[COL_WHITE], *side ? *side : source->hints->side,
                              &position, source->err))
        return source_blame(source);
    for (int i = 0; i < position.count; i++)
        cursor_setup(cursor, position.stones[i], (Colour)position.colours[i], source->err);
    cursor_set_side(cursor, position.side);
    position_free(&position);
    return true;
}

static bool read_moves(Source *source, const Table *table, Cursor *cursor)
{
    const char *at = table->fields[COL_MOVES];
    for (;;) {
        while (isspace((unsigned char)*at) || *at == ',') at++;
        if (!*at) return true;
        Point p = POINT_NONE;
        if (at[0] == '-' && at[1] == '-')
            at += 2;
        else if (!point_parse(&cursor->record->rules, &at, &p, source->err))
            return source_blame(source);
        if (!cursor_play(cursor, p, cursor->side, source->err)) return source_blame(source);
    }
}

static bool read_times(Source *source, const Table *table, Record *record)
{
    const char *at = blanks_skip(table->fields[COL_TIMES]);
    int n = 0;
    while (*at) {
        int64_t ms = -1;
        if (*at == '-')
            at++;
        else if (!number_scan(&at, &ms) || ms < 0 || ms > INT_MAX)
            return source_fail(source, "times are milliseconds or -, with a blank between them");
        n = record->nodes[n].first_child;
        if (n < 0) return source_fail(source, "there are more times than moves");
        record->nodes[n].elapsed_ms = (int)ms;
        if (*at && *at != ' ') return source_fail(source, "there is no blank between two times");
        at = blanks_skip(at);
    }
    return true;
}

static bool read_result(Source *source, const Table *table, Record *record)
{
    const char *text = table->fields[COL_RESULT];
    char shown[RECORD_SHOWN + 1];
    int r = RECORD_UNKNOWN;
    while (r <= RECORD_DRAW && strcmp(text, RESULTS[r]) != 0) r++;
    if (r > RECORD_DRAW)
        return source_fail(source, "'%s' is not a result (b, w, draw or nothing)",
                           source_show(text, shown));
    record->result = (RecordResult)r;
    record->reason = record_reason_parse(table->fields[COL_REASON]);
    record_judge(record);
    return true;
}

static bool read_tags(Source *source, Table *table, Record *record)
{
    unescape(table->fields[COL_TAGS]);
    char *rest = table->fields[COL_TAGS];
    if (!*rest) return true;
    for (char *tag; (tag = cut_field(&rest));) {
        char *equals = strchr(tag, '=');
        size_t key = equals ? (size_t)(equals - tag) : 0;
        if (!tag_is_key(tag, key)) return source_fail(source, "tags are key=value");
        if (record->tag_count == RECORD_TAGS_MAX)
            return source_fail(source, "more than %d tags", RECORD_TAGS_MAX);
        *equals = '\0';
        record_set_tag(source->set, record, tag, equals + 1);
    }
    return true;
}

static void read_texts(Source *source, Table *table, Record *record)
{
    record->name = text_field(source, table, COL_ID);
    record->player[BLACK] = text_field(source, table, COL_BLACK_NAME);
    record->player[WHITE] = text_field(source, table, COL_WHITE_NAME);
    record->event = text_field(source, table, COL_EVENT);
    record->site = text_field(source, table, COL_SITE);
    record->date = text_field(source, table, COL_DATE);
    record->round = text_field(source, table, COL_ROUND);
    record->opening = text_field(source, table, COL_OPENING);
    record->nodes[0].comment = text_field(source, table, COL_COMMENT);
    record_set_tag(source->set, record, "claim", text_field(source, table, COL_CLAIM));
    record_set_tag(source->set, record, "solution", text_field(source, table, COL_SOLUTION));
}

static bool read_row(Source *source, Table *table)
{
    Rules rules;
    if (!read_fields(source, table) || !read_rules(source, table, &rules)) return false;
    Record *record = source_record(source, &rules);
    if (!record) return false;
    Cursor cursor;
    cursor_begin(&cursor, source->set, record);
    if (!read_setup(source, table, &cursor) || !read_moves(source, table, &cursor) ||
        !read_times(source, table, record) || !read_result(source, table, record))
        return false;
    read_texts(source, table, record);
    return read_tags(source, table, record);
}

bool tsv_read(Source *source)
{
    Table *table = mem_zero(sizeof *table);
    bool read = read_header(source, table);
    while (read && source_line(source))
        if (*blanks_skip(source->text.data)) read = read_row(source, table);
    buf_free(&table->row);
    mem_free(table);
    return read;
}

static void add_escaped(Buf *out, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '\t':
            buf_add_text(out, "\\t");
            break;
        case '\n':
            buf_add_text(out, "\\n");
            break;
        case '\r':
            buf_add_text(out, "\\r");
            break;
        case '\\':
            buf_add_text(out, "\\\\");
            break;
        default:
            buf_add_char(out, iscntrl((unsigned char)*text) ? ' ' : *text);
        }
}

static void add_stones(Buf *out, const Record *record, Colour colour)
{
    char text[POINT_TEXT_MAX];
    size_t before = out->len;
    for (int i = 0; i < record->setup_count; i++)
        if (record->setup[i].colour == colour)
            buf_add_text(out, point_text(&record->rules, record->setup[i].point, text));
    if (out->len == before) buf_add_char(out, '-');
}

static void add_moves(Buf *out, const Record *record)
{
    char text[POINT_TEXT_MAX];
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child)
        buf_add_text(out, point_text(&record->rules, record->nodes[n].point, text));
}

static void add_times(Buf *out, const Record *record)
{
    size_t before = out->len;
    bool known = false;
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child) {
        int ms = record->nodes[n].elapsed_ms;
        if (out->len > before) buf_add_char(out, ' ');
        if (ms < 0)
            buf_add_char(out, '-');
        else
            buf_printf(out, "%d", ms);
        known = known || ms >= 0;
    }
    if (!known && out->len > before) {
        out->len = before;
        out->data[before] = '\0';
    }
}

static void add_tags(Buf *out, const Record *record)
{
    bool begun = false;
    for (int i = 0; i < record->tag_count; i++) {
        const RecordTag *tag = &record->tags[i];
        if (strcmp(tag->key, "claim") == 0 || strcmp(tag->key, "solution") == 0) continue;
        buf_printf(out, "%s%s=", begun ? "\\t" : "", tag->key);
        begun = true;
        for (const char *at = tag->value; *at; at++) { /* a tab would end the tag */
            char one[2] = {*at == '\t' ? ' ' : *at, '\0'};
            add_escaped(out, one);
        }
    }
}

static void add_size(Buf *out, const Rules *rules)
{
    buf_printf(out, "%d", rules->width);
    if (rules->height != rules->width) buf_printf(out, "x%d", rules->height);
}

/* The columns that are plain texts; NULL for the others. */
static const char *text_of(const Record *record, Column c)
{
    switch (c) {
    case COL_ID:
        return record->name;
    case COL_RULE:
        return rule_name(record->rules.kind);
    case COL_CLAIM:
        return record_tag(record, "claim");
    case COL_SOLUTION:
        return record_tag(record, "solution");
    case COL_RESULT:
        return RESULTS[record->result];
    case COL_REASON:
        return record_reason_name(record->reason);
    case COL_BLACK_NAME:
        return record->player[BLACK];
    case COL_WHITE_NAME:
        return record->player[WHITE];
    case COL_EVENT:
        return record->event;
    case COL_SITE:
        return record->site;
    case COL_DATE:
        return record->date;
    case COL_ROUND:
        return record->round;
    case COL_OPENING:
        return record->opening;
    case COL_COMMENT:
        return record->nodes[0].comment;
    default:
        return NULL;
    }
}

static void add_field(Buf *out, const Record *record, Column c)
{
    const char *text = text_of(record, c);
    if (text) add_escaped(out, text);
    if (c == COL_SIZE) add_size(out, &record->rules);
    if (c == COL_WIN && record->rules.k != 5) buf_printf(out, "%d", record->rules.k);
    if (c == COL_SIDE) buf_add_char(out, record->first == BLACK ? 'b' : 'w');
    if (c == COL_BLACK) add_stones(out, record, BLACK);
    if (c == COL_WHITE) add_stones(out, record, WHITE);
    if (c == COL_MOVES) add_moves(out, record);
    if (c == COL_TIMES) add_times(out, record);
    if (c == COL_TAGS) add_tags(out, record);
}

/* Does any record say something in this column? */
static bool column_used(const RecordSet *set, Column c)
{
    Buf field = BUF_EMPTY;
    for (int i = 0; i < set->count && field.len == 0; i++) add_field(&field, &set->records[i], c);
    bool used = field.len > 0;
    buf_free(&field);
    return used;
}

bool tsv_write(const RecordSet *set, Buf *out, Err *err)
{
    bool used[COL_COUNT];
    for (int i = 0; i < set->count; i++)
        if (!record_check_turns(&set->records[i], err)) return err_prefix(err, "game %d", i + 1);
    for (int c = 0; c < COL_COUNT; c++) {
        used[c] = COLUMNS[c].always || column_used(set, (Column)c);
        if (used[c]) buf_printf(out, "%s%s", c ? "\t" : "", COLUMNS[c].name);
    }
    buf_add_char(out, '\n');
    for (int i = 0; i < set->count; i++) {
        for (int c = 0; c < COL_COUNT; c++) {
            if (!used[c]) continue;
            if (c) buf_add_char(out, '\t');
            add_field(out, &set->records[i], (Column)c);
        }
        buf_add_char(out, '\n');
    }
    return true;
}
