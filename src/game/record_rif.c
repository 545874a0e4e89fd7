/* SPDX-License-Identifier: MIT */
/* .rif, .xml: the game database of RenjuNet, read. record_rif_write.c writes it.
 *
 *     <database>
 *       <cities> <city id="3" name="Tallinn" country="5"/> … </cities>    likewise <country
 * name=…>, <rules> <rule id="1" name="RIF"/> … </rules>                      <opening name=…>
 *       <players> <player id="7" name="Ants" surname="Soosyrv"/> … </players>
 *       <tournaments> <tournament id="2" name="…" city="3" start="1996-05-17"/> … </tournaments>
 *       <games>
 *         <game id="1" tournament="2" round="1" rule="1" black="7" white="8" bresult="0.5"
 *               btime="0" wtime="0" opening="21" alt="i8" swap="R"><move>h8 h9 h7</move></game>
 *
 * bresult is what Black scored: 1, 0.5 or 0. A rule is an opening rule of renju; ours are written
 * as "freestyle swap2": our name of the rule, then the opening phase. Beyond RenjuNet's attributes
 * we use size="20x15", win="4", reason="time" and name="…" on a game. Numbers are resolved after
 * the whole file was read, so the tables may stand in any order. Entities of a file's own are
 * refused: nobody needs them, and they can be made to explode. */
#include "game/record_io.h"

#include "game/notation.h"

#include <ctype.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum {
    DICT_COUNTRY,
    DICT_CITY,
    DICT_RULE,
    DICT_OPENING,
    DICT_PLAYER,
    DICT_TOURNAMENT,
    DICT_COUNT
} DictKind;

static const char *const DICT_NAMES[DICT_COUNT] = {"country", "city",   "rule",
                                                   "opening", "player", "tournament"};

/* An entry of one of the tables. */
typedef struct {
    int64_t id;
    const char *name, *start; /* start: the date of a tournament, or at least its year */
    int64_t country, city;    /* where they apply; −1: none */
} Entry;

typedef struct {
    Entry *entries;
    int count, cap;
} Dict;

/* The numbers that a game gives, by table. */
typedef struct {
    int64_t tournament, rule, black, white, opening;
} Links;

typedef struct {
    Source *source;
    XML_Parser parser;
    bool failed;
    Dict dicts[DICT_COUNT];
    Links *links; /* of each record */
    int link_cap;
    Record *game; /* the record inside <game>; NULL outside */
    Buf *into;    /* where text goes: &moves, &info or nowhere */
    Buf moves, info;
} Rif;

static bool rif_fail(Rif *rif, const char *what)
{
    if (rif->failed) return false;
    rif->failed = true;
    rif->source->line = (int)XML_GetCurrentLineNumber(rif->parser);
    XML_StopParser(rif->parser, XML_FALSE);
    return source_fail(rif->source, "%s", what);
}

/* The same for an error that is already written down. */
static bool rif_blame(Rif *rif)
{
    rif->failed = true;
    rif->source->line = (int)XML_GetCurrentLineNumber(rif->parser);
    XML_StopParser(rif->parser, XML_FALSE);
    return source_blame(rif->source);
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return "";
}

static int64_t number_attribute(const XML_Char **attributes, const char *name)
{
    int64_t number;
    const char *text = blanks_skip(attribute(attributes, name));
    return number_scan(&text, &number) && !*blanks_skip(text) ? number : -1;
}

static const char *rif_text(Rif *rif, const char *text)
{
    return record_text(rif->source->set, text, strlen(text));
}

/* First name and surname with a blank between them. */
static const char *full_name(Rif *rif, const XML_Char **attributes)
{
    const char *surname = attribute(attributes, "surname");
    Buf name = BUF_EMPTY;
    buf_add_text(&name, attribute(attributes, "name"));
    if (name.len && *surname) buf_add_char(&name, ' ');
    buf_add_text(&name, surname);
    const char *text = record_text(rif->source->set, buf_text(&name), name.len);
    buf_free(&name);
    return text;
}

static void dict_add(Rif *rif, Dict *dict, const XML_Char **attributes)
{
    if (dict->count == RECORD_COUNT_MAX) {
        rif_fail(rif, "a table with too many entries");
        return;
    }
    if (dict->count == dict->cap) {
        dict->cap = dict->cap ? 2 * dict->cap : 64;
        dict->entries = mem_grow(dict->entries, (size_t)dict->cap * sizeof *dict->entries);
    }
    const char *start = attribute(attributes, "start");
    if (!*start) start = attribute(attributes, "year");
    dict->entries[dict->count++] = (Entry){.id = number_attribute(attributes, "id"),
                                           .name = full_name(rif, attributes),
                                           .start = rif_text(rif, start),
                                           .country = number_attribute(attributes, "country"),
                                           .city = number_attribute(attributes, "city")};
}

static int entry_order(const void *a, const void *b)
{
    int64_t left = ((const Entry *)a)->id, right = ((const Entry *)b)->id;
    return (left > right) - (left < right);
}

/* The entry with a number; an empty one if there is none. The table is sorted. */
static const Entry *dict_find(const Dict *dict, int64_t id)
{
    static const Entry NONE = {.id = -1, .name = "", .start = "", .country = -1, .city = -1};
    Entry wanted = {.id = id};
    const Entry *found = NULL;
    if (dict->count)
        found = bsearch(&wanted, dict->entries, (size_t)dict->count, sizeof wanted, entry_order);
    return found ? found : &NONE;
}

static bool game_rules(Rif *rif, const XML_Char **attributes, Rules *rules)
{
    const RecordHints *hints = rif->source->hints;
    int64_t width = hints->size_given ? hints->width : 15;
    int64_t height = hints->size_given ? hints->height : 15;
    int64_t k = hints->k_given ? hints->k : 5;
    const char *size = attribute(attributes, "size"), *win = attribute(attributes, "win");
    if (*size) {
        const char *at = size;
        bool good = number_scan(&at, &width) && *at++ == 'x' && number_scan(&at, &height) && !*at;
        if (!good || width < 1 || height < 1 || width > SIZE_MAX_SIDE || height > SIZE_MAX_SIDE)
            return rif_fail(rif, "size is not a size (20x15, 1 to 100 each way)");
    }
    if (*win && (!number_scan(&win, &k) || *win || k < WIN_MIN || k > WIN_MAX))
        return rif_fail(rif, "win is not a number in a row (3 to 10)");
    rules_init(rules, hints->kind_given ? hints->kind : RULE_RENJU, (int)width, (int)height,
               (int)k);
    return true;
}

static bool game_result(Rif *rif, const XML_Char **attributes, Record *record)
{
    const char *score = attribute(attributes, "bresult");
    if (strcmp(score, "1") == 0)
        record->result = RECORD_BLACK_WON;
    else if (strcmp(score, "0") == 0)
        record->result = RECORD_WHITE_WON;
    else if (strcmp(score, "0.5") == 0)
        record->result = RECORD_DRAW;
    else if (*score)
        return rif_fail(rif, "bresult is not a result (1, 0.5 or 0)");
    record->reason = record_reason_parse(attribute(attributes, "reason"));
    return true;
}

static void game_tags(Rif *rif, const XML_Char **attributes, Record *record)
{
    static const char *const TAGS[][2] = {
        {"rif-alt", "alt"}, {"rif-swap", "swap"}, {"rif-btime", "btime"}, {"rif-wtime", "wtime"}};
    for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++) {
        const char *value = attribute(attributes, TAGS[i][1]);
        if (strcmp(value, "0") != 0) record_set_tag(rif->source->set, record, TAGS[i][0], value);
    }
}

static void game_begin(Rif *rif, const XML_Char **attributes)
{
    Rules rules;
    if (rif->game) {
        rif_fail(rif, "a <game> inside a <game>");
        return;
    }
    if (!game_rules(rif, attributes, &rules)) return;
    rif->source->line = (int)XML_GetCurrentLineNumber(rif->parser);
    Record *record = source_record(rif->source, &rules);
    if (!record) {
        rif->failed = true;
        XML_StopParser(rif->parser, XML_FALSE);
        return;
    }
    if (!game_result(rif, attributes, record)) return;
    int place = rif->source->set->count - 1;
    if (place == rif->link_cap) {
        rif->link_cap = rif->link_cap ? 2 * rif->link_cap : 64;
        rif->links = mem_grow(rif->links, (size_t)rif->link_cap * sizeof *rif->links);
    }
    rif->links[place] = (Links){.tournament = number_attribute(attributes, "tournament"),
                                .rule = number_attribute(attributes, "rule"),
                                .black = number_attribute(attributes, "black"),
                                .white = number_attribute(attributes, "white"),
                                .opening = number_attribute(attributes, "opening")};
    const char *name = attribute(attributes, "name");
    record->name = rif_text(rif, *name ? name : attribute(attributes, "id"));
    record->round = rif_text(rif, attribute(attributes, "round"));
    game_tags(rif, attributes, record);
    buf_clear(&rif->moves);
    buf_clear(&rif->info);
    rif->game = record;
}

static void game_end(Rif *rif)
{
    Cursor cursor;
    Record *record = rif->game;
    const char *at = buf_text(&rif->moves);
    rif->game = NULL;
    cursor_begin(&cursor, rif->source->set, record);
    record->nodes[0].comment = record_text(rif->source->set, buf_text(&rif->info), rif->info.len);
    for (;;) {
        while (isspace((unsigned char)*at)) at++;
        if (!*at) return;
        Point p = POINT_NONE;
        if (at[0] == '-' && at[1] == '-')
            at += 2;
        else if (!point_parse(&record->rules, &at, &p, rif->source->err))
            break;
        if (!cursor_play(&cursor, p, cursor.side, rif->source->err)) break;
    }
    rif_blame(rif);
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    Rif *rif = data;
    if (rif->failed) return;
    rif->into = NULL;
    if (strcmp(name, "game") == 0) {
        game_begin(rif, attributes);
    } else if (rif->game) {
        if (strcmp(name, "move") == 0) rif->into = &rif->moves;
        if (strcmp(name, "info") == 0) rif->into = &rif->info;
    } else {
        for (int i = 0; i < DICT_COUNT; i++)
            if (strcmp(name, DICT_NAMES[i]) == 0) dict_add(rif, &rif->dicts[i], attributes);
    }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    Rif *rif = data;
    if (rif->failed) return;
    rif->into = NULL;
    if (rif->game && strcmp(name, "game") == 0) game_end(rif);
}

static void XMLCALL on_text(void *data, const XML_Char *text, int len)
{
    Rif *rif = data;
    if (rif->into && !rif->failed) buf_add(rif->into, text, (size_t)len);
}

static void XMLCALL on_entity(void *data, const XML_Char *name, int is_parameter,
                              const XML_Char *value, int value_len, const XML_Char *base,
                              const XML_Char *system_id, const XML_Char *public_id,
                              const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)value_len, (void)base, (void)system_id;
    (void)public_id, (void)notation;
    rif_fail(data, "entities are not accepted");
}

/* "freestyle swap2" is our rule and the opening phase; any other name is an opening rule of renju,
 * or of gomoku if it says so (which is played for exactly five). */
static void link_rule(Rif *rif, Record *record, const char *name)
{
    RuleKind kind;
    size_t word = strcspn(name, " ");
    const char *first = record_text(rif->source->set, name, word);
    record->opening = name;
    if (!isdigit((unsigned char)*first) && rule_parse(first, &kind, NULL))
        record->opening = blanks_skip(name + word);
    else if (rif->source->hints->kind_given)
        return;
    else
        kind = strcasestr(name, "gomoku") ? RULE_STANDARD : RULE_RENJU;
    Rules *rules = &record->rules;
    rules_init(rules, kind, rules->width, rules->height, rules->k);
}

static const char *link_site(Rif *rif, const Entry *tournament)
{
    const Entry *city = dict_find(&rif->dicts[DICT_CITY], tournament->city);
    int64_t number = tournament->country > 0 ? tournament->country : city->country;
    const Entry *country = dict_find(&rif->dicts[DICT_COUNTRY], number);
    Buf site = BUF_EMPTY;
    buf_add_text(&site, city->name);
    if (site.len && *country->name) buf_add_text(&site, ", ");
    buf_add_text(&site, country->name);
    const char *text = record_text(rif->source->set, buf_text(&site), site.len);
    buf_free(&site);
    return text;
}

/* Puts names in place of numbers. */
static void resolve(Rif *rif)
{
    RecordSet *set = rif->source->set;
    for (int i = 0; i < DICT_COUNT; i++)
        if (rif->dicts[i].count)
            qsort(rif->dicts[i].entries, (size_t)rif->dicts[i].count, sizeof(Entry), entry_order);
    for (int i = 0; i < set->count; i++) {
        Record *record = &set->records[i];
        const Links *links = &rif->links[i];
        const Entry *tournament = dict_find(&rif->dicts[DICT_TOURNAMENT], links->tournament);
        record->player[BLACK] = dict_find(&rif->dicts[DICT_PLAYER], links->black)->name;
        record->player[WHITE] = dict_find(&rif->dicts[DICT_PLAYER], links->white)->name;
        record->event = tournament->name;
        record->date = tournament->start;
        record->site = link_site(rif, tournament);
        record_set_tag(set, record, "rif-pattern",
                       dict_find(&rif->dicts[DICT_OPENING], links->opening)->name);
        link_rule(rif, record, dict_find(&rif->dicts[DICT_RULE], links->rule)->name);
        record_judge(record);
    }
}

static bool parse(Rif *rif)
{
    Source *source = rif->source;
    XML_SetUserData(rif->parser, rif);
    XML_SetElementHandler(rif->parser, on_start, on_end);
    XML_SetCharacterDataHandler(rif->parser, on_text);
    XML_SetEntityDeclHandler(rif->parser, on_entity);
    int len = (int)(source->end - source->bytes); /* below RECORD_BYTES_MAX */
    if (XML_Parse(rif->parser, source->bytes, len, XML_TRUE) == XML_STATUS_OK && !rif->failed)
        return true;
    if (rif->failed) return false;
    source->line = (int)XML_GetCurrentLineNumber(rif->parser);
    return source_fail(source, "not well-formed XML: %s",
                       XML_ErrorString(XML_GetErrorCode(rif->parser)));
}

bool rif_read(Source *source)
{
    Rif *rif = mem_zero(sizeof *rif);
    rif->source = source;
    rif->parser = XML_ParserCreate(NULL);
    bool read = rif->parser ? parse(rif) : source_fail(source, "no memory for the XML parser");
    if (read) resolve(rif);
    if (rif->parser) XML_ParserFree(rif->parser);
    for (int i = 0; i < DICT_COUNT; i++) mem_free(rif->dicts[i].entries);
    mem_free(rif->links);
    buf_free(&rif->moves);
    buf_free(&rif->info);
    mem_free(rif);
    return read;
}
