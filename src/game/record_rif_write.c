/* SPDX-License-Identifier: MIT */
/* .rif, .xml: the game database of RenjuNet, written; record_rif.c says what it looks like.
 *
 * Players, rules, openings, places and tournaments become tables: every different text once, in
 * the order of strcmp, and a game gives its number there. */
#include "game/record_io.h"

#include "base/utf8.h"

#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

/* Different texts, sorted; the number of one is its place + 1, and 0 means nothing. */
typedef struct {
    const char **texts;
    int count;
} Names;

static int text_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void names_sort(Names *names)
{
    int kept = 0;
    if (names->count) qsort(names->texts, (size_t)names->count, sizeof *names->texts, text_order);
    for (int i = 0; i < names->count; i++)
        if (*names->texts[i] && (kept == 0 || strcmp(names->texts[kept - 1], names->texts[i]) != 0))
            names->texts[kept++] = names->texts[i];
    names->count = kept;
}

static int names_number(const Names *names, const char *text)
{
    const char **found = NULL;
    if (names->count)
        found = bsearch(&text, names->texts, (size_t)names->count, sizeof text, text_order);
    return found ? (int)(found - names->texts) + 1 : 0;
}

typedef struct {
    const RecordSet *set;
    Buf *out;
    Names players, sites, patterns, rules;
    Names tournaments;                     /* event, site and date, parted by \x1F */
    const char **rule_of, **tournament_of; /* of each record */
    Arena texts;
} Writer;

/* XML knows no way to write most control characters, and U+FFFE and U+FFFF are not allowed. */
static bool is_xml(const unsigned char *text, int length)
{
    if (length == 1)
        return text[0] >= 0x20 || text[0] == '\t' || text[0] == '\n' || text[0] == '\r';
    return !(text[0] == 0xEF && text[1] == 0xBF && text[2] >= 0xBE);
}

/* Text inside an element or attribute. Bytes that are not UTF-8 are taken for Latin-1. */
static void add_xml(Buf *out, const char *from)
{
    const unsigned char *text = (const unsigned char *)from;
    while (*text) {
        int length = utf8_length((const char *)text);
        if (length == 0)
            buf_printf(out, "&#%d;", *text);
        else if (!is_xml(text, length))
            buf_add_text(out, "\xEF\xBF\xBD");
        else if (*text < 0x20 || strchr("&<>\"", *text))
            buf_printf(out, "&#%d;", *text);
        else
            buf_add(out, text, (size_t)length);
        text += length ? length : 1;
    }
}

static void add_attribute(Buf *out, const char *name, const char *value)
{
    buf_printf(out, " %s=\"", name);
    add_xml(out, value);
    buf_add_char(out, '"');
}

static void add_number(Buf *out, const char *name, int number)
{
    buf_printf(out, " %s=\"%d\"", name, number);
}

/* A table of names: <players><player id="1" name="…"/>…</players>. */
static void add_table(Buf *out, const char *table, const char *item, const Names *names)
{
    buf_printf(out, "<%s>\n", table);
    for (int i = 0; i < names->count; i++) {
        buf_printf(out, "<%s", item);
        add_number(out, "id", i + 1);
        add_attribute(out, "name", names->texts[i]);
        buf_add_text(out, "/>\n");
    }
    buf_printf(out, "</%s>\n", table);
}

static const char TOURNAMENT_GLUE = '\x1F';

static void add_tournaments(Writer *writer)
{
    Buf *out = writer->out;
    buf_add_text(out, "<tournaments>\n");
    for (int i = 0; i < writer->tournaments.count; i++) {
        const char *event = writer->tournaments.texts[i];
        const char *site = strchr(event, TOURNAMENT_GLUE) + 1;
        const char *date = strchr(site, TOURNAMENT_GLUE) + 1;
        size_t event_len = (size_t)(site - 1 - event), site_len = (size_t)(date - 1 - site);
        const char *place = arena_text(&writer->texts, site, site_len);
        buf_add_text(out, "<tournament");
        add_number(out, "id", i + 1);
        add_attribute(out, "name", arena_text(&writer->texts, event, event_len));
        add_number(out, "city", names_number(&writer->sites, place));
        add_attribute(out, "start", date);
        buf_add_text(out, "/>\n");
    }
    buf_add_text(out, "</tournaments>\n");
}

/* bresult and why; nothing when the result is unknown. */
static void add_result(Buf *out, const Record *record)
{
    static const char *const SCORES[] = {[RECORD_UNKNOWN] = "",
                                         [RECORD_BLACK_WON] = "1",
                                         [RECORD_WHITE_WON] = "0",
                                         [RECORD_DRAW] = "0.5"};
    add_attribute(out, "bresult", SCORES[record->result]);
    if (record->reason != REASON_UNKNOWN)
        add_attribute(out, "reason", record_reason_name(record->reason));
}

static void add_tag(Buf *out, const Record *record, const char *name, const char *key)
{
    const char *value = record_tag(record, key);
    if (*value) add_attribute(out, name, value);
}

static void add_game_head(Writer *writer, int place)
{
    const Record *record = &writer->set->records[place];
    Buf *out = writer->out;
    Buf id = BUF_EMPTY;
    buf_printf(&id, "%d", place + 1);
    buf_add_text(out, "<game");
    add_number(out, "id", place + 1);
    if (*record->name && strcmp(record->name, id.data) != 0)
        add_attribute(out, "name", record->name);
    buf_free(&id);
    add_number(out, "tournament", names_number(&writer->tournaments, writer->tournament_of[place]));
    add_attribute(out, "round", record->round);
    add_number(out, "rule", names_number(&writer->rules, writer->rule_of[place]));
    add_number(out, "black", names_number(&writer->players, record->player[BLACK]));
    add_number(out, "white", names_number(&writer->players, record->player[WHITE]));
    add_result(out, record);
    add_number(out, "opening", names_number(&writer->patterns, record_tag(record, "rif-pattern")));
    add_tag(out, record, "btime", "rif-btime");
    add_tag(out, record, "wtime", "rif-wtime");
    add_tag(out, record, "alt", "rif-alt");
    add_tag(out, record, "swap", "rif-swap");
    if (record->rules.width != 15 || record->rules.height != 15)
        buf_printf(out, " size=\"%dx%d\"", record->rules.width, record->rules.height);
    if (record->rules.k != 5) add_number(out, "win", record->rules.k);
    buf_add_text(out, ">\n");
}

static bool add_game(Writer *writer, int place, Err *err)
{
    const Record *record = &writer->set->records[place];
    Buf *out = writer->out;
    FlatMove *moves;
    int count;
    char text[POINT_TEXT_MAX];
    if (!record_flatten(record, true, &moves, &count, err))
        return err_prefix(err, "game %d", place + 1);
    add_game_head(writer, place);
    buf_add_text(out, "<move>");
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%s", i ? " " : "", point_text(&record->rules, moves[i].point, text));
    buf_add_text(out, "</move>\n");
    mem_free(moves);
    if (*record->nodes[0].comment) {
        buf_add_text(out, "<info>");
        add_xml(out, record->nodes[0].comment);
        buf_add_text(out, "</info>\n");
    }
    buf_add_text(out, "</game>\n");
    return true;
}

/* A text put together from three; "" if there is nothing but the glue. */
static const char *glued(Writer *writer, const char *a, const char *b, const char *c, char glue)
{
    if (!*a && !*b && !*c) return "";
    Buf text = BUF_EMPTY;
    const char *parts[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (i && glue) buf_add_char(&text, glue);
        for (const char *at = parts[i]; *at; at++)
            buf_add_char(&text, *at == TOURNAMENT_GLUE ? ' ' : *at);
    }
    const char *copy = arena_text(&writer->texts, text.data, text.len);
    buf_free(&text);
    return copy;
}

static const char **texts_alloc(int count)
{
    return mem_alloc((size_t)count * sizeof(const char *));
}

static void collect(Writer *writer)
{
    int count = writer->set->count;
    Names *single[] = {&writer->sites, &writer->patterns, &writer->rules, &writer->tournaments};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        *single[i] = (Names){.texts = texts_alloc(count), .count = count};
    writer->players = (Names){.texts = texts_alloc(2 * count), .count = 2 * count};
    writer->rule_of = texts_alloc(count);
    writer->tournament_of = texts_alloc(count);
    for (int i = 0; i < count; i++) {
        const Record *record = &writer->set->records[i];
        writer->rule_of[i] = glued(writer, rule_name(record->rules.kind),
                                   *record->opening ? " " : "", record->opening, '\0');
        writer->tournament_of[i] =
            glued(writer, record->event, record->site, record->date, TOURNAMENT_GLUE);
        writer->players.texts[2 * i] = record->player[BLACK];
        writer->players.texts[2 * i + 1] = record->player[WHITE];
        writer->sites.texts[i] = record->site;
        writer->patterns.texts[i] = record_tag(record, "rif-pattern");
        writer->rules.texts[i] = writer->rule_of[i];
        writer->tournaments.texts[i] = writer->tournament_of[i];
    }
    names_sort(&writer->players);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++) names_sort(single[i]);
}

bool rif_write(const RecordSet *set, Buf *out, Err *err)
{
    Writer writer = {.set = set, .out = out};
    arena_open(&writer.texts, 1 << 16);
    collect(&writer);
    buf_add_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database>\n");
    add_table(out, "cities", "city", &writer.sites);
    add_table(out, "rules", "rule", &writer.rules);
    add_table(out, "openings", "opening", &writer.patterns);
    add_table(out, "players", "player", &writer.players);
    add_tournaments(&writer);
    buf_add_text(out, "<games>\n");
    bool written = true;
    for (int i = 0; written && i < set->count; i++) written = add_game(&writer, i, err);
    buf_add_text(out, "</games>\n</database>\n");
    mem_free(writer.players.texts);
    mem_free(writer.sites.texts);
    mem_free(writer.patterns.texts);
    mem_free(writer.rules.texts);
    mem_free(writer.tournaments.texts);
    mem_free(writer.rule_of);
    mem_free(writer.tournament_of);
    arena_close(&writer.texts);
    return written;
}
