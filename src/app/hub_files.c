/* SPDX-License-Identifier: MIT */
/* Games brought in from files and taken out as files, in every format that record.h knows. */
#include "app/hub_games.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "game/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX = 1000, POINTS_MAX = 1000000 };

/* ---- base64, which carries files that are no text ---- */

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static bool decode(const char *text, Buf *out, Refusal *no)
{
    unsigned bits = 0;
    int count = 0;
    for (const char *c = text; *c && *c != '='; c++) {
        int digit = digit_of(*c);
        if (digit < 0) return refuse(no, "bad", "\"base64\" holds what is none.");
        bits = bits << 6 | (unsigned)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            buf_add_char(out, (char)(bits >> count & 0xff));
        }
    }
    return true;
}

/* ---- in ---- */

static const char *name_of(const char *text, const char *other)
{
    return text && *text ? text : other;
}

void files_setup_text(const Record *record, Buf *text)
{
    for (int colour = BLACK; colour <= WHITE; colour++) {
        char point[POINT_TEXT_MAX];
        buf_add_text(text, colour == BLACK ? "b:" : "/w:");
        for (int i = 0; i < record->setup_count; i++) {
            if (record->setup[i].colour == colour)
                buf_add_text(text, point_text(&record->rules, record->setup[i].point, point));
        }
    }
}

/* A record's main line as a game that can be opened and gone on with. */
static bool take_record(Client *client, const Record *record, int number, TableGame *at,
                        Refusal *no)
{
    hub_new_id(at->id);
    memcpy(at->owner, client->token, TOKEN_MAX);
    at->rules = record->rules;
    at->think_ms = 3000;
    table_set_text(&at->source, "import");
    table_set_text(&at->name, name_of(record->name, record->event));
    table_set_text(&at->comment, record->nodes[0].comment);
    for (int seat = 0; seat < SEAT_COUNT; seat++) {
        table_set_text(&at->sides[seat].player, "human");
        table_set_text(&at->sides[seat].name, record->player[seat == SEAT_FIRST ? BLACK : WHITE]);
    }
    if (record->setup_count) {
        Buf text = BUF_EMPTY;
        files_setup_text(record, &text);
        bool read = position_parse(&record->rules, buf_text(&text),
                                   record->first == BLACK ? 'b' : 'w', &at->setup, &no->err);
        buf_free(&text);
        if (!read) return refuse_so(no, "bad");
    }
    if (!table_open(at, &no->err)) return refuse_so(no, "bad");
    for (int node = record->nodes[0].first_child; node >= 0;
         node = record->nodes[node].first_child) {
        const RecordNode *move = &record->nodes[node];
        Thought thought = {0};
        if (move->point == POINT_NONE || move->colour != (uint8_t)at->game.board->side)
            return refuse(no, "bad",
                          "Game %d has a pass or two moves of one side, which no game here can "
                          "have.",
                          number);
        if (at->game.over) break;
        thought_set_move(&thought, move->point);
        table_act(at, &thought, move->elapsed_ms > 0 ? move->elapsed_ms : 0);
        if (*move->comment) {
            char key[16];
            snprintf(key, sizeof key, "%d", at->game.move_count);
            json_object_set_new(at->notes, key, json_string(move->comment));
        }
    }
    if (!at->game.over && record->result != RECORD_UNKNOWN)
        table_end(at,
                  record->result == RECORD_DRAW        ? -1
                  : record->result == RECORD_BLACK_WON ? SEAT_SECOND
                                                       : SEAT_FIRST,
                  record->reason, "");
    return true;
}

/* One after the other, since a large board takes much room; all or none. */
static bool take_all(Client *client, const RecordSet *set, const char *tags, json_t *ids,
                     Refusal *no)
{
    Library *library = client->hub->library;
    if (!library_begin(library, &no->err)) return refuse_so(no, "failed");
    bool good = true;
    for (int i = 0; good && i < set->count; i++) {
        TableGame at = {0};
        good = take_record(client, &set->records[i], i + 1, &at, no);
        if (good) {
            table_set_text(&at.tags, tags);
            good = table_save(&at, library, &no->err) || refuse_so(no, "failed");
            json_array_append_new(ids, json_string(at.id));
        }
        table_close(&at);
    }
    if (library_end(library, good, good ? &no->err : NULL)) return true;
    return good ? refuse_so(no, "failed") : false;
}

/* A file may hold many small boards or a few large ones: each costs by its size. */
static bool is_moderate(const RecordSet *set, Refusal *no)
{
    int64_t points = 0;
    for (int i = 0; i < set->count; i++)
        points += set->records[i].rules.width * set->records[i].rules.height;
    if (set->count > GAMES_MAX)
        return refuse(no, "limit", "The file has %d games; %d are taken at a time.", set->count,
                      GAMES_MAX);
    return points <= POINTS_MAX ||
           refuse(no, "limit", "The boards of this file are too large to be taken at a time.");
}

/* What a text looks like whose name says nothing; its reader then says what is wrong with it. */
static RecordFormat guess_format(const char *text)
{
    int x, y, ms;
    if (strncmp(text, "\xffRenLib", 7) == 0) return FORMAT_LIB;
    text += utf8_mark(text, strlen(text));
    if (*text == '(') return FORMAT_SGF;
    if (*text == '<') return FORMAT_RIF;
    if (strncmp(text, "Piskvorky", 9) == 0) return FORMAT_PSQ;
    size_t first = strcspn(text, "\n");
    if (memchr(text, '\t', first)) return FORMAT_TSV;
    /* Two names, then moves as numbers. */
    const char *third = text[first] ? strchr(text + first + 1, '\n') : NULL;
    return third && sscanf(third, "%d,%d,%d", &x, &y, &ms) == 3 ? FORMAT_REC : FORMAT_POS;
}

static bool read_format(const json_t *body, RecordFormat *format, Refusal *no)
{
    const char *given = NULL;
    return field_text(body, "format", 10, &given, no) &&
           (!given || record_format_parse(given, format, &no->err) || refuse_so(no, "bad"));
}

bool files_read(const json_t *body, RecordSet *set, Refusal *no)
{
    const char *name = "games", *text = NULL, *base64 = NULL;
    RecordFormat format = FORMAT_COUNT;
    Rules rules;
    Buf bytes = BUF_EMPTY;
    if (!field_text(body, "name", TEXT_MAX_NAME, &name, no) ||
        !field_text(body, "text", HUB_MESSAGE_MAX, &text, no) ||
        !field_text(body, "base64", HUB_MESSAGE_MAX, &base64, no) ||
        !read_format(body, &format, no) || !field_rules(body, &rules, no))
        return false;
    if (!text && !base64) return refuse(no, "bad", "\"text\" or \"base64\" is missing.");
    if (text) buf_add_text(&bytes, text);
    if (!text && !decode(base64, &bytes, no)) {
        buf_free(&bytes);
        return false;
    }
    if (format == FORMAT_COUNT && !record_format_from_name(name, &format, &no->err))
        format = guess_format(buf_text(&bytes));
    bool given = json_is_object(json_object_get(body, "rules"));
    RecordHints hints = {given, given, given, rules.kind, rules.width, rules.height, rules.k, 0};
    bool good = record_read(format, buf_text(&bytes), bytes.len, name, given ? &hints : NULL, set,
                            &no->err);
    buf_free(&bytes);
    return good || refuse_so(no, "bad");
}

static bool do_import(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const char *tag = "";
    RecordSet set;
    if (!field_text(request->body, "tag", TEXT_MAX_NAME, &tag, no) ||
        !files_read(request->body, &set, no))
        return false;
    json_t *ids = json_array();
    Buf tags = BUF_EMPTY;
    if (*tag && !strchr(tag, '\n')) buf_printf(&tags, "\n%s\n", tag);
    bool good = is_moderate(&set, no) && take_all(client, &set, buf_text(&tags), ids, no);
    buf_free(&tags);
    json_object_set_new(reply, "games", ids);
    record_set_close(&set);
    return good;
}

/* ---- out ---- */

static const char *own(RecordSet *set, const char *text)
{
    return record_text(set, text, strlen(text));
}

static void give_record(RecordSet *set, const TableGame *at)
{
    const Game *game = &at->game;
    Record *record = record_set_add(set, &at->rules);
    for (int i = 0; i < at->setup.count; i++)
        record_add_setup(record, at->setup.stones[i], (Colour)at->setup.colours[i]);
    if (at->setup.count) record->first = at->setup.side;
    for (int seat = 0; seat < SEAT_COUNT; seat++)
        record->player[game->colour[seat]] =
            own(set, name_of(at->sides[seat].name, at->sides[seat].player));
    record->name = own(set, at->name);
    record->date = record_text(set, at->created, 10);
    if (at->phase != PHASE_NORMAL) record->opening = phase_name(at->phase);
    record->nodes[0].comment = own(set, at->comment);
    if (game->over) {
        record->reason = game->reason;
        record->result = game->winner < 0                      ? RECORD_DRAW
                         : game->colour[game->winner] == BLACK ? RECORD_BLACK_WON
                                                               : RECORD_WHITE_WON;
    }
    for (int i = 0, node = 0; i < game->move_count; i++) {
        const GameMove *move = &game->moves[i];
        char key[16];
        node = record_add_move(set, record, node, move->point, (Colour)move->colour);
        if (move->elapsed_ms > 0) record->nodes[node].elapsed_ms = move->elapsed_ms;
        snprintf(key, sizeof key, "%d", i + 1);
        const char *note = json_string_value(json_object_get(at->notes, key));
        if (note) record->nodes[node].comment = own(set, note);
    }
}

bool files_write(const json_t *body, const RecordSet *set, json_t *reply, Refusal *no)
{
    RecordFormat format = FORMAT_SGF;
    Buf out = BUF_EMPTY;
    char name[32];
    if (!read_format(body, &format, no)) return false;
    if (!record_write(format, set, &out, &no->err)) {
        buf_free(&out);
        return refuse_so(no, "bad");
    }
    snprintf(name, sizeof name, "goren.%s", record_format_name(format));
    json_object_set_new(reply, "name", json_string(name));
    json_object_set_new(reply, "text", json_stringn(buf_text(&out), out.len));
    json_object_set_new(reply, "type",
                        json_string(format == FORMAT_RIF ? "application/xml" : "text/plain"));
    buf_free(&out);
    return json_object_get(reply, "text") ||
           refuse(no, "failed", "What would be written is no text.");
}

static bool do_export(Client *client, Request *request, json_t *reply, Refusal *no)
{
    json_t *ids = NULL;
    RecordSet set;
    if (!field_array(request->body, "games", GAMES_MAX, &ids, no)) return false;
    record_set_open(&set);
    bool good = json_array_size(ids) > 0 || refuse(no, "bad", "There is no game to write.");
    for (size_t i = 0; good && i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));
        Table *table = id ? games_find(client->hub, id, no) : NULL;
        if (!id) refuse(no, "bad", "\"games\" must be a list of games.");
        good = table != NULL;
        if (!good) break;
        give_record(&set, &table->at);
        games_release(table);
    }
    good = good && files_write(request->body, &set, reply, no);
    record_set_close(&set);
    return good;
}

const Verb file_verbs[] = {{"library.import", do_import}, {"library.export", do_export}, {0}};
