/* SPDX-License-Identifier: MIT */
/* Result lists from files and into them: tables with tabs, and PGN, of which only the tags count;
 * see results.h. */
#include "play/results.h"

#include "base/os.h"
#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

enum {
    FILE_BYTES_MAX = 1 << 30,
    NAME_MAX_BYTES = 1000,
    COUNT_DIGITS_MAX = 12,
    SHOWN_MAX = 40,
    PLAYERS_MAX = 100000,
};

/* --- reading --------------------------------------------------------------------------------- */

typedef struct {
    const char *text, *end;
} Span;

static int shown(Span span)
{
    return span.end - span.text > SHOWN_MAX ? SHOWN_MAX : (int)(span.end - span.text);
}

static Span span_trim(Span span)
{
    while (span.text < span.end && isspace((unsigned char)*span.text)) span.text++;
    while (span.text < span.end && isspace((unsigned char)span.end[-1])) span.end--;
    return span;
}

static bool span_is(Span span, const char *word)
{
    return (size_t)(span.end - span.text) == strlen(word) &&
           memcmp(span.text, word, strlen(word)) == 0;
}

/* Both players of a result, known or new. */
static bool take_players(Results *results, Span first, Span second, int players[2], Err *err)
{
    Span names[2] = {span_trim(first), span_trim(second)};
    for (int i = 0; i < 2; i++) {
        size_t len = (size_t)(names[i].end - names[i].text);
        if (len == 0) return err_set(err, "player %d has no name", i + 1);
        if (len > NAME_MAX_BYTES)
            return err_set(err, "a name longer than %d bytes", NAME_MAX_BYTES);
        if (memchr(names[i].text, '\0', len)) return err_set(err, "a zero byte in a name");
        players[i] = results_player(results, names[i].text, len);
    }
    if (results->player_count > PLAYERS_MAX)
        return err_set(err, "more than %d players", PLAYERS_MAX);
    if (players[0] == players[1])
        return err_set(err, "%s against itself", results->names[players[0]]);
    return true;
}

enum { COLUMN_PLAYER1, COLUMN_PLAYER2, COLUMN_WINS, COLUMN_DRAWS, COLUMN_LOSSES, COLUMN_COUNT };
static const char *const column_names[] = {"player1", "player2", "wins", "draws", "losses"};

/* The next line, without its end; false at the end of the text. */
static bool next_line(Span *rest, Span *line)
{
    if (rest->text >= rest->end) return false;
    const char *stop = memchr(rest->text, '\n', (size_t)(rest->end - rest->text));
    line->text = rest->text;
    line->end = stop ? stop : rest->end;
    rest->text = stop ? stop + 1 : rest->end;
    if (line->end > line->text && line->end[-1] == '\r') line->end--;
    return true;
}

static bool next_field(Span *line, Span *field)
{
    if (!line->text) return false;
    const char *stop = memchr(line->text, '\t', (size_t)(line->end - line->text));
    *field = (Span){line->text, stop ? stop : line->end};
    line->text = stop ? stop + 1 : NULL;
    return true;
}

/* Which column of the file is which of ours: place[file column], −1 for the others. */
enum { FILE_COLUMNS_MAX = 64 };

static bool read_header(Span line, int place[FILE_COLUMNS_MAX], Err *err)
{
    bool seen[COLUMN_COUNT] = {0};
    Span field;
    for (int i = 0; i < FILE_COLUMNS_MAX; i++) {
        place[i] = -1;
        if (!next_field(&line, &field)) continue;
        for (int c = 0; c < COLUMN_COUNT; c++) {
            if (!span_is(span_trim(field), column_names[c])) continue;
            if (seen[c]) return err_set(err, "two columns %s", column_names[c]);
            place[i] = c;
            seen[c] = true;
        }
    }
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (!seen[c] && c != COLUMN_DRAWS)
            return err_set(err,
                           "no column %s (a result list begins with a header: player1 player2 wins "
                           "draws losses, with tabs between; a PGN file with [)",
                           column_names[c]);
    return true;
}

static bool read_count(Span field, const char *column, int64_t *count, Err *err)
{
    field = span_trim(field);
    *count = 0;
    bool good = field.text < field.end && field.end - field.text <= COUNT_DIGITS_MAX;
    for (const char *at = field.text; good && at < field.end; at++) {
        good = isdigit((unsigned char)*at);
        *count = 10 * *count + (*at - '0');
    }
    return good ||
           err_set(err, "%s: '%.*s' is no number of games", column, shown(field), field.text);
}

static bool read_row(Results *results, Span line, const int place[FILE_COLUMNS_MAX], Err *err)
{
    Span names[2] = {{0}}, field;
    int64_t counts[COLUMN_COUNT] = {0};
    bool seen[COLUMN_COUNT] = {[COLUMN_DRAWS] = true};
    for (int i = 0; i < FILE_COLUMNS_MAX && next_field(&line, &field); i++) {
        int c = place[i];
        if (c < 0) continue;
        seen[c] = true;
        if (c <= COLUMN_PLAYER2)
            names[c] = field;
        else if (!read_count(field, column_names[c], &counts[c], err))
            return false;
    }
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (!seen[c]) return err_set(err, "the row ends before %s", column_names[c]);
    int players[2];
    if (!take_players(results, names[0], names[1], players, err)) return false;
    results_add(results, players[0], players[1], counts[COLUMN_WINS], counts[COLUMN_DRAWS],
                counts[COLUMN_LOSSES]);
    return true;
}

static bool parse_tsv(Results *results, Span rest, const char *name, Err *err)
{
    int place[FILE_COLUMNS_MAX];
    bool header = true;
    Span line;
    for (int number = 1; next_line(&rest, &line); number++) {
        Span shorter = span_trim(line);
        if (shorter.text == shorter.end) continue;
        if (header && *shorter.text == '#') continue; /* in a row it may begin a name */
        bool good = header ? read_header(line, place, err) : read_row(results, line, place, err);
        if (!good) return err_prefix(err, "%s:%d", name, number);
        header = false;
    }
    return !header || err_set(err, "%s: holds no results", name);
}

/* --- PGN ------------------------------------------------------------------------------------- */

typedef struct {
    Results *results;
    const char *name;
    Span rest;
    int line;
    Span white, black, result; /* of the game at hand; text NULL: not seen */
    int tags_line;
    bool in_moves;
    Err *err;
} Pgn;

/* A tag's value without the backslashes before '"' and '\\'. It goes to `room`, which one too long
 * fills up with what is then refused. */
static Span pgn_plain(Span value, char room[NAME_MAX_BYTES + 1])
{
    Span plain = {room, room};
    for (const char *at = value.text; at < value.end; at++) {
        if (*at == '\\' && at + 1 < value.end) at++;
        if (plain.end <= room + NAME_MAX_BYTES) room[plain.end++ - room] = *at;
    }
    return plain;
}

/* The game at hand is over: counts it. */
static bool pgn_finish(Pgn *pgn)
{
    int players[2];
    char room[2][NAME_MAX_BYTES + 1];
    Span white = pgn->white, black = pgn->black, result = pgn->result;
    pgn->white = pgn->black = pgn->result = (Span){0};
    pgn->in_moves = false;
    if (!white.text && !black.text && !result.text) return true;
    if (!white.text || !black.text || !result.text)
        return err_set(pgn->err, "%s:%d: the game has no tag %s", pgn->name, pgn->tags_line,
                       !white.text   ? "White"
                       : !black.text ? "Black"
                                     : "Result");
    if (span_is(result, "*")) return true; /* not finished */
    int wins = span_is(result, "1-0"), losses = span_is(result, "0-1");
    int draws = span_is(result, "1/2-1/2");
    if (wins + draws + losses == 0)
        return err_set(pgn->err, "%s:%d: result '%.*s' is none of 1-0, 0-1, 1/2-1/2 and *",
                       pgn->name, pgn->tags_line, shown(result), result.text);
    if (!take_players(pgn->results, pgn_plain(white, room[0]), pgn_plain(black, room[1]), players,
                      pgn->err))
        return err_prefix(pgn->err, "%s:%d", pgn->name, pgn->tags_line);
    results_add_game(pgn->results, players[0], players[1], 2 * wins + draws);
    return true;
}

/* [Name "value"], at the '['; the value is kept as it is written. */
static bool pgn_tag(Pgn *pgn)
{
    const char *at = pgn->rest.text + 1, *end = pgn->rest.end;
    while (at < end && isblank((unsigned char)*at)) at++;
    Span key = {at, at}, value;
    while (key.end < end && (isalnum((unsigned char)*key.end) || *key.end == '_')) key.end++;
    for (at = key.end; at < end && isblank((unsigned char)*at);) at++;
    if (key.text == key.end || at == end || *at != '"')
        return err_set(pgn->err, "%s:%d: a tag is written [Name \"value\"]", pgn->name, pgn->line);
    value.text = value.end = at + 1;
    while (value.end < end && *value.end != '"' && *value.end != '\n')
        value.end += *value.end == '\\' && value.end + 1 < end && value.end[1] != '\n' ? 2 : 1;
    for (at = value.end + 1; at < end && isblank((unsigned char)*at);) at++;
    if (value.end >= end || *value.end != '"' || at >= end || *at != ']')
        return err_set(pgn->err, "%s:%d: the tag %.*s does not end with \"]", pgn->name, pgn->line,
                       shown(key), key.text);
    pgn->rest.text = at + 1;
    Span *field = span_is(key, "White")    ? &pgn->white
                  : span_is(key, "Black")  ? &pgn->black
                  : span_is(key, "Result") ? &pgn->result
                                           : NULL;
    if ((pgn->in_moves || (field && field->text)) && !pgn_finish(pgn)) return false;
    if (!field) return true;
    if (!pgn->white.text && !pgn->black.text && !pgn->result.text) pgn->tags_line = pgn->line;
    *field = value;
    return true;
}

static bool parse_pgn(Results *results, Span text, const char *name, Err *err)
{
    Pgn pgn = {.results = results, .name = name, .rest = text, .line = 1, .err = err};
    bool comment = false; /* in { }; one to the end of the line is passed over at once */
    while (pgn.rest.text < pgn.rest.end) {
        char c = *pgn.rest.text;
        if (c == '\n') pgn.line++;
        if (comment || c == '{') {
            comment = c != '}';
        } else if (c == ';') {
            const char *stop = memchr(pgn.rest.text, '\n', (size_t)(pgn.rest.end - pgn.rest.text));
            pgn.rest.text = stop ? stop : pgn.rest.end;
            continue;
        } else if (c == '[') {
            if (!pgn_tag(&pgn)) return false;
            continue;
        } else if (!isspace((unsigned char)c)) {
            pgn.in_moves = true;
        }
        pgn.rest.text++;
    }
    return pgn_finish(&pgn);
}

bool results_parse(Results *results, const char *text, size_t len, const char *name, Err *err)
{
    Span all = {text, text + len};
    all.text += utf8_mark(text, len);
    Span first = span_trim(all);
    bool pgn = first.text < first.end && *first.text == '[';
    return pgn ? parse_pgn(results, all, name, err) : parse_tsv(results, all, name, err);
}

bool results_read(Results *results, const char *path, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good = os_file_read(path, FILE_BYTES_MAX, &bytes, err) &&
                results_parse(results, buf_text(&bytes), bytes.len, path, err);
    buf_free(&bytes);
    return good;
}

/* --- writing --------------------------------------------------------------------------------- */

/* A name where control characters, and in PGN quotes, have a meaning. */
static void write_name(const char *name, bool pgn, Buf *out)
{
    for (; *name; name++) {
        if (pgn && (*name == '"' || *name == '\\')) buf_add_char(out, '\\');
        buf_add_char(out, iscntrl((unsigned char)*name) ? ' ' : *name);
    }
}

void results_write_tsv(const Results *results, Buf *out)
{
    buf_add_text(out, "player1\tplayer2\twins\tdraws\tlosses\n");
    for (int i = 0; i < results->row_count; i++) {
        const ResultRow *row = &results->rows[i];
        write_name(results->names[row->first], false, out);
        buf_add_char(out, '\t');
        write_name(results->names[row->second], false, out);
        buf_printf(out, "\t%lld\t%lld\t%lld\n", (long long)row->wins, (long long)row->draws,
                   (long long)row->losses);
    }
}

void results_write_tags(const char *first, const char *second, const char *result, Buf *out)
{
    buf_add_text(out, "[White \"");
    write_name(first, true, out);
    buf_add_text(out, "\"]\n[Black \"");
    write_name(second, true, out);
    buf_printf(out, "\"]\n[Result \"%s\"]\n", result);
}

static void write_games(const Results *results, const ResultRow *row, const char *result,
                        int64_t count, Buf *out)
{
    for (int64_t i = 0; i < count; i++) {
        results_write_tags(results->names[row->first], results->names[row->second], result, out);
        buf_printf(out, "\n%s\n\n", result);
    }
}

void results_write_pgn(const Results *results, Buf *out)
{
    for (int i = 0; i < results->row_count; i++) {
        const ResultRow *row = &results->rows[i];
        write_games(results, row, "1-0", row->wins, out);
        write_games(results, row, "1/2-1/2", row->draws, out);
        write_games(results, row, "0-1", row->losses, out);
    }
}
