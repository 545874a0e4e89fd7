/* SPDX-License-Identifier: MIT */
/* Records and sets of them, and the table of formats; see record.h. */
#include "game/record.h"

#include "base/utf8.h"
#include "game/ban.h"
#include "game/record_io.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { TEXT_BLOCK = 4096 };

void record_set_open(RecordSet *set)
{
    *set = (RecordSet){0};
    arena_open(&set->texts, TEXT_BLOCK);
}

void record_set_close(RecordSet *set)
{
    for (int i = 0; i < set->count; i++) {
        mem_free(set->records[i].setup);
        mem_free(set->records[i].nodes);
        mem_free(set->records[i].tags);
    }
    mem_free(set->records);
    arena_close(&set->texts);
    *set = (RecordSet){0};
}

/* Room for one item more in an array that doubles. */
static void *grown(void *items, int count, int *cap, size_t size)
{
    if (count < *cap) return items;
    *cap = *cap ? 2 * *cap : 4;
    return mem_grow(items, (size_t)*cap * size);
}

static RecordNode *node_add(RecordSet *set, Record *record)
{
    record->nodes =
        grown(record->nodes, record->node_count, &record->node_cap, sizeof *record->nodes);
    RecordNode *node = &record->nodes[record->node_count++];
    set->node_total++;
    *node = (RecordNode){.parent = -1,
                         .first_child = -1,
                         .next_sibling = -1,
                         .elapsed_ms = -1,
                         .clock_ms = -1,
                         .eval = "",
                         .comment = ""};
    return node;
}

Record *record_set_add(RecordSet *set, const Rules *rules)
{
    set->records = grown(set->records, set->count, &set->cap, sizeof *set->records);
    Record *record = &set->records[set->count++];
    *record = (Record){.rules = *rules,
                       .player = {"", ""},
                       .name = "",
                       .event = "",
                       .site = "",
                       .date = "",
                       .round = "",
                       .opening = ""};
    node_add(set, record);
    return record;
}

const char *record_text(RecordSet *set, const char *text, size_t len)
{
    return len ? arena_text(&set->texts, text, len) : "";
}

/* Setup stones and tags are few: their arrays grow when the count is a power of two. */
static void *grown_by_count(void *items, int count, size_t size)
{
    if (count & (count - 1)) return items;
    return mem_grow(items, (size_t)(count ? 2 * count : 1) * size);
}

void record_add_setup(Record *record, Point point, Colour colour)
{
    record->setup = grown_by_count(record->setup, record->setup_count, sizeof *record->setup);
    record->setup[record->setup_count++] = (RecordStone){.point = point, .colour = (uint8_t)colour};
}

int record_add_move(RecordSet *set, Record *record, int parent, Point point, Colour colour)
{
    assert(parent >= 0 && parent < record->node_count);
    int number = record->node_count;
    RecordNode *node = node_add(set, record);
    node->point = point;
    node->colour = (uint8_t)colour;
    node->parent = parent;
    int *link = &record->nodes[parent].first_child;
    while (*link >= 0) link = &record->nodes[*link].next_sibling;
    *link = number;
    return number;
}

/* A label is one line of UTF-8. */
static const char *label_text(RecordSet *set, const char *text)
{
    Buf line = BUF_EMPTY;
    utf8_add(&line, text);
    for (size_t i = 0; i < line.len; i++)
        if (iscntrl((unsigned char)line.data[i])) line.data[i] = ' ';
    const char *label = record_text(set, buf_text(&line), line.len);
    buf_free(&line);
    return label;
}

void record_add_sign(RecordSet *set, RecordNode *node, const RecordSign *sign)
{
    const char *label = label_text(set, sign->label);
    if (sign->kind == SIGN_LABEL && !*blanks_skip(label)) return;
    RecordSign *added = arena_alloc(&set->texts, sizeof *added), *last = node->signs;
    *added = *sign;
    added->label = label;
    added->next = last ? last->next : added;
    if (last) last->next = added;
    node->signs = added;
}

const RecordSign *record_next_sign(const RecordNode *node, const RecordSign *sign)
{
    if (sign == node->signs) return NULL; /* the last; or there are none */
    return sign ? sign->next : node->signs->next;
}

static RecordTag *tag_find(const Record *record, const char *key)
{
    for (int i = 0; i < record->tag_count; i++)
        if (strcmp(record->tags[i].key, key) == 0) return &record->tags[i];
    return NULL;
}

const char *record_tag(const Record *record, const char *key)
{
    const RecordTag *tag = tag_find(record, key);
    return tag ? tag->value : "";
}

void record_set_tag(RecordSet *set, Record *record, const char *key, const char *value)
{
    RecordTag *tag = tag_find(record, key);
    if (!tag) {
        if (!*value) return;
        record->tags = grown_by_count(record->tags, record->tag_count, sizeof *record->tags);
        tag = &record->tags[record->tag_count++];
        tag->key = record_text(set, key, strlen(key));
    }
    tag->value = record_text(set, value, strlen(value));
}

int record_length(const Record *record)
{
    int length = 0;
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child) length++;
    return length;
}

int record_variations(const Record *record)
{
    return record->node_count - 1 - record_length(record);
}

Board *record_board(const Record *record, Near near)
{
    Board *board = board_open(&record->rules, near);
    for (int i = 0; i < record->setup_count; i++)
        board_put(board, record->setup[i].point, (Colour)record->setup[i].colour);
    board_set_side(board, record->first);
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child) {
        const RecordNode *node = &record->nodes[n];
        board_set_side(board, (Colour)node->colour);
        if (node->point != POINT_NONE)
            board_play(board, node->point);
        else if (node->first_child < 0) /* a file may hold more passes than a board has room for */
            board_pass(board);
    }
    return board;
}

/* Does the main line end with a move that renju forbids? Only its end can tell: whoever played on
 * has not claimed the win. */
static bool ends_with_foul(const Record *record)
{
    int last = 0, next;
    while ((next = record->nodes[last].first_child) >= 0) last = next;
    const RecordNode *node = &record->nodes[last];
    if (!record->rules.side[BLACK].fouls || last == 0 || node->colour != BLACK ||
        node->point == POINT_NONE)
        return false;
    Board *board = record_board(record, NEAR_SQUARE2);
    bool foul = ban_of_last(board) != BAN_NONE;
    board_close(board);
    return foul;
}

/* What the board shows at the end of the main line. */
static RecordResult board_result(const Record *record, RecordReason *reason)
{
    const Rules *rules = &record->rules;
    uint8_t *cells = mem_zero((size_t)rules_area(rules));
    int empty = rules->width * rules->height - record->setup_count;
    RecordResult result = RECORD_UNKNOWN;
    for (int i = 0; i < record->setup_count; i++)
        cells[record->setup[i].point] = (uint8_t)(record->setup[i].colour + 1);
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child) {
        const RecordNode *node = &record->nodes[n];
        if (node->point == POINT_NONE) continue;
        cells[node->point] = (uint8_t)(node->colour + 1);
        empty--;
        if (!cells_win(rules, cells, node->point)) continue;
        result = node->colour == BLACK ? RECORD_BLACK_WON : RECORD_WHITE_WON;
        break;
    }
    mem_free(cells);
    if (result == RECORD_UNKNOWN && ends_with_foul(record)) {
        *reason = REASON_FOUL;
        return RECORD_WHITE_WON;
    }
    *reason = result != RECORD_UNKNOWN ? REASON_FIVE : empty == 0 ? REASON_FULL : REASON_UNKNOWN;
    return *reason == REASON_FULL ? RECORD_DRAW : result;
}

void record_judge(Record *record)
{
    if (record->result != RECORD_UNKNOWN && record->reason != REASON_UNKNOWN) return;
    RecordReason reason;
    RecordResult shown = board_result(record, &reason);
    if (record->result != RECORD_UNKNOWN && record->result != shown) return;
    record->result = shown;
    record->reason = reason;
}

static const char *const REASON_NAMES[REASON_COUNT] = {
    [REASON_UNKNOWN] = "",        [REASON_FIVE] = "five",
    [REASON_FOUL] = "foul",       [REASON_TIME] = "time",
    [REASON_RESIGN] = "resign",   [REASON_CRASH] = "crash",
    [REASON_ILLEGAL] = "illegal", [REASON_FULL] = "full",
    [REASON_AGREED] = "agreed",   [REASON_ADJUDICATED] = "adjudicated",
    [REASON_MEMORY] = "memory",
};

const char *record_reason_name(RecordReason reason)
{
    return REASON_NAMES[reason];
}

RecordReason record_reason_parse(const char *name)
{
    for (int i = REASON_UNKNOWN + 1; i < REASON_COUNT; i++)
        if (strcmp(name, REASON_NAMES[i]) == 0) return (RecordReason)i;
    return REASON_UNKNOWN;
}

typedef struct {
    const char *name;
    const char *other_name; /* a second extension; NULL: none */
    bool is_text, has_variations;
    bool (*read)(Source *source);
    bool (*write)(const RecordSet *set, Buf *out, Err *err); /* NULL: we only read it */
} Format;

static const Format FORMATS[FORMAT_COUNT] = {
    [FORMAT_PSQ] = {"psq", NULL, true, false, psq_read, psq_write},
    [FORMAT_REC] = {"rec", NULL, true, false, rec_read, rec_write},
    [FORMAT_SGF] = {"sgf", NULL, true, true, sgf_read, sgf_write},
    [FORMAT_POS] = {"pos", NULL, true, false, pos_read, pos_write},
    [FORMAT_TSV] = {"tsv", NULL, true, false, tsv_read, tsv_write},
    [FORMAT_RIF] = {"rif", "xml", true, false, rif_read, rif_write},
    [FORMAT_LIB] = {"lib", NULL, false, true, lib_read, NULL},
};

const char *record_format_name(RecordFormat format)
{
    return FORMATS[format].name;
}

bool record_format_has_variations(RecordFormat format)
{
    return FORMATS[format].has_variations;
}

static bool format_find(const char *name, RecordFormat *format)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const char *other = FORMATS[i].other_name;
        if (strcasecmp(name, FORMATS[i].name) == 0 || (other && strcasecmp(name, other) == 0)) {
            *format = (RecordFormat)i;
            return true;
        }
    }
    return false;
}

bool record_format_parse(const char *name, RecordFormat *format, Err *err)
{
    return format_find(name, format) ||
           err_set(err, "unknown format '%.40s' (psq, rec, sgf, pos, tsv, rif or xml, lib)", name);
}

bool record_format_from_name(const char *path, RecordFormat *format, Err *err)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return (dot && format_find(dot + 1, format)) ||
           err_set(
               err,
               "%.200s: the name does not say the format (.psq .rec .sgf .pos .tsv .rif .xml .lib)",
               path);
}

/* Text formats are walked with C strings, so a zero byte would hide what follows it. */
static bool check_text(Source *source)
{
    const char *zero = memchr(source->bytes, 0, (size_t)(source->end - source->bytes));
    if (!zero) return true;
    source->line = 1;
    for (const char *at = source->bytes; at < zero; at++) source->line += *at == '\n';
    return source_fail(source, "a zero byte: this is not a text file");
}

bool record_read(RecordFormat format, const void *bytes, size_t len, const char *name,
                 const RecordHints *hints, RecordSet *set, Err *err)
{
    static const RecordHints NO_HINTS = {0};
    Source source = {.name = name,
                     .bytes = bytes,
                     .end = (const char *)bytes + len,
                     .at = bytes,
                     .hints = hints ? hints : &NO_HINTS,
                     .set = set,
                     .err = err};
    record_set_open(set);
    bool read;
    if (len > RECORD_BYTES_MAX)
        read = source_fail(&source, "%zu bytes are too many (%d at most)", len, RECORD_BYTES_MAX);
    else
        read = (!FORMATS[format].is_text || check_text(&source)) && FORMATS[format].read(&source);
    buf_free(&source.text);
    if (!read) record_set_close(set);
    return read;
}

bool record_write(RecordFormat format, const RecordSet *set, Buf *out, Err *err)
{
    if (!FORMATS[format].write)
        return err_set(err, "%s files can only be read here", FORMATS[format].name);
    size_t before = out->len;
    if (FORMATS[format].write(set, out, err)) return true;
    out->len = before;
    if (out->data) out->data[before] = '\0';
    return false;
}
