/* SPDX-License-Identifier: MIT */
/* .sgf: Smart Game Format, FF[4] GM[4], read. record_sgf_write.c writes it.
 *
 *     (;FF[4]GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob]RE[B+R];B[hh]MS[1200](;W[ih])(;W[gh]C[or so]))
 *
 * record_sgf_points.c says what points look like. Rectangular boards are SZ[20:15]. Beside the
 * standard properties we use private ones:
 *
 *     MS  milliseconds that the move took        IR  how many in a row win, if not five
 *     RS  why the game ended (record.h)          KV  a tag, key:value
 *
 * Texts become UTF-8, from the charset that CA names; where none that we know is named, what is no
 * UTF-8 is Latin-1, as FF[4] has it.
 *
 * Of c-gomoku-cli we understand RU[0], C[1234ms] and the reason in TE. Nodes without a move
 * comment on the move before them. Of what is drawn on the board there are LB TR SQ CR MA; a sign
 * that is on no point is passed over, as is whatever is not named here.
 *
 * The nesting of variations is kept on a stack of our own: a file cannot exhaust the C stack. */
#include "game/record_io.h"

#include "base/utf8.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { IDENT_MAX = 8 };

typedef struct {
    char ident[IDENT_MAX + 1]; /* "" for names that are too long to be ours */
    int first, count;          /* its values */
} Property;

typedef struct {
    Source *source;
    Cursor cursor;
    bool begun;      /* the root node was read: cursor is in use */
    bool side_known; /* by PL or by a move */
    int *open;       /* nodes that the open parentheses return to */
    int open_count, open_cap;
    /* The node being read; values lie in text one after the other, NUL-terminated and escaped. */
    Property *properties;
    int property_count, property_cap;
    size_t *values;
    int value_count, value_cap;
    Buf text;
    Buf plain;        /* scratch for unescaped text */
    Buf raw;          /* scratch for text that is not UTF-8 yet */
    Charset *charset; /* of this game; NULL: UTF-8, or Latin-1 where that is not what it is */
    bool is_utf8;     /* the file: no pair of bytes hides a bracket */
} Sgf;

static void *sgf_grown(void *items, int count, int *cap, size_t size)
{
    if (count < *cap) return items;
    *cap = *cap ? 2 * *cap : 16;
    return mem_grow(items, (size_t)*cap * size);
}

static int peek(const Source *source)
{
    return source->at < source->end ? (unsigned char)*source->at : -1;
}

static int next(Source *source)
{
    int c = peek(source);
    if (c >= 0) source->at++;
    if (c == '\n') source->line++;
    return c;
}

static int skip_space(Source *source)
{
    while (peek(source) >= 0 && isspace(peek(source))) next(source);
    return peek(source);
}

/* The value read last, as UTF-8. */
static void decode_value(Sgf *sgf)
{
    size_t start = sgf->values[sgf->value_count - 1], at = start;
    const char *text = buf_text(&sgf->text);
    while (at < sgf->text.len && (unsigned char)text[at] < 0x80) at++;
    if (at == sgf->text.len) return;
    if (!sgf->charset && utf8_is_valid(text + start, sgf->text.len - start)) return;
    buf_clear(&sgf->raw);
    buf_add(&sgf->raw, text + start, sgf->text.len - start);
    sgf->text.len = start;
    charset_add(sgf->charset, buf_text(&sgf->raw), sgf->raw.len, &sgf->text);
}

/* One value, behind its '['. */
static bool read_value(Sgf *sgf)
{
    Source *source = sgf->source;
    int line = source->line;
    sgf->values = sgf_grown(sgf->values, sgf->value_count, &sgf->value_cap, sizeof *sgf->values);
    sgf->values[sgf->value_count++] = sgf->text.len;
    for (int c; (c = next(source)) >= 0;) {
        if (c == ']') {
            decode_value(sgf);
            buf_add_char(&sgf->text, '\0');
            return true;
        }
        buf_add_char(&sgf->text, (char)c);
        bool pair = charset_pairs(sgf->charset, c) && !sgf->is_utf8;
        bool escape = c == '\\' && peek(source) < 0x80;
        if ((pair || escape) && peek(source) >= 0) buf_add_char(&sgf->text, (char)next(source));
    }
    source->line = line;
    return source_fail(source, "the file is cut off: this value has no ]");
}

static bool read_property(Sgf *sgf)
{
    Source *source = sgf->source;
    sgf->properties = sgf_grown(sgf->properties, sgf->property_count, &sgf->property_cap,
                                sizeof *sgf->properties);
    Property *property = &sgf->properties[sgf->property_count++];
    *property = (Property){.first = sgf->value_count};
    int len = 0;
    for (; peek(source) >= 0 && isalnum(peek(source)); next(source)) {
        if (islower(peek(source))) continue; /* old files write "Black" for "B" */
        if (len < IDENT_MAX) property->ident[len] = (char)peek(source);
        len++;
    }
    if (len == 0 || len > IDENT_MAX) property->ident[0] = '\0';
    if (skip_space(source) != '[')
        return source_fail(source, "property %s has no value in [ ]",
                           property->ident[0] ? property->ident : "name");
    while (skip_space(source) == '[') {
        next(source);
        if (!read_value(sgf)) return false;
        property->count++;
    }
    return true;
}

/* The properties of one node, behind its ';'. */
static bool read_node(Sgf *sgf)
{
    sgf->property_count = sgf->value_count = 0;
    buf_clear(&sgf->text);
    for (int c; (c = skip_space(sgf->source)) >= 0 && isalnum(c);)
        if (!read_property(sgf)) return false;
    return true;
}

static const char *value_of(const Sgf *sgf, const Property *property, int i)
{
    return sgf->text.data + sgf->values[property->first + i];
}

static const Property *find(const Sgf *sgf, const char *ident)
{
    for (int i = 0; i < sgf->property_count; i++)
        if (strcmp(sgf->properties[i].ident, ident) == 0) return &sgf->properties[i];
    return NULL;
}

/* Length of a line break at text: LF, CR, CR LF or LF CR; 0 if none is there. */
static int line_break(const char *text)
{
    if (*text != '\n' && *text != '\r') return 0;
    return (text[1] == '\n' || text[1] == '\r') && text[1] != text[0] ? 2 : 1;
}

/* A value as text: escapes and soft line breaks undone; line breaks become `newline`. */
static const Buf *plain(Sgf *sgf, const char *value, char newline)
{
    buf_clear(&sgf->plain);
    while (*value) {
        int length = line_break(value);
        if (length) {
            buf_add_char(&sgf->plain, newline);
            value += length;
        } else if (*value != '\\') {
            buf_add_char(&sgf->plain, *value++);
        } else if (line_break(++value)) {
            value += line_break(value);
        } else if (*value) {
            buf_add_char(&sgf->plain, *value++);
        }
    }
    return &sgf->plain;
}

static const char *plain_copy(Sgf *sgf, const char *value)
{
    const Buf *text = plain(sgf, value, ' ');
    return record_text(sgf->source->set, buf_text(text), text->len);
}

static bool whole_number(const char *value, int64_t *number)
{
    value = blanks_skip(value);
    return number_scan(&value, number) && !*blanks_skip(value);
}

static bool read_size(Sgf *sgf, int64_t *width, int64_t *height)
{
    const RecordHints *hints = sgf->source->hints;
    *width = hints->size_given ? hints->width : 15;
    *height = hints->size_given ? hints->height : 15;
    const Property *size = find(sgf, "SZ");
    if (!size) return true;
    const char *value = blanks_skip(value_of(sgf, size, 0));
    bool good = number_scan(&value, width);
    *height = *width;
    if (good && *value == ':') {
        value++;
        good = number_scan(&value, height);
    }
    if (!good || *blanks_skip(value) || *width < 1 || *height < 1 || *width > SIZE_MAX_SIDE ||
        *height > SIZE_MAX_SIDE)
        return source_fail(sgf->source, "SZ is not a size (15 or 20:15, 1 to %d each way)",
                           SIZE_MAX_SIDE);
    return true;
}

/* RU as we write it, as a Gomocup number, or any text with a rule's name in it. */
static bool read_rule(Sgf *sgf, RuleKind *kind)
{
    static const struct {
        const char *word;
        RuleKind kind;
    } WORDS[] = {{"caro6", RULE_CARO6}, {"caro", RULE_CARO},           {"renju", RULE_RENJU},
                 {"rif", RULE_RENJU},   {"freestyle", RULE_FREESTYLE}, {"standard", RULE_STANDARD}};
    const Property *rule = find(sgf, "RU");
    const RecordHints *hints = sgf->source->hints;
    *kind = hints->kind_given ? hints->kind : RULE_FREESTYLE;
    if (!rule) return true;
    const char *text = buf_text(plain(sgf, value_of(sgf, rule, 0), ' '));
    if (!*blanks_skip(text) || rule_parse(text, kind, NULL)) return true;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcasestr(text, WORDS[i].word)) {
            *kind = WORDS[i].kind;
            return true;
        }
    char shown[RECORD_SHOWN + 1];
    return hints->kind_given ||
           source_fail(sgf->source,
                       "RU: '%s' is not a rule we know (freestyle, standard, renju, caro, caro6)",
                       source_show(text, shown));
}

/* Makes the record once the root's properties are known. */
static bool begin_game(Sgf *sgf)
{
    Source *source = sgf->source;
    const Property *game = find(sgf, "GM"), *in_a_row = find(sgf, "IR");
    int64_t number = 4, width, height, k = source->hints->k_given ? source->hints->k : 5;
    RuleKind kind;
    Rules rules;
    if (game && (!whole_number(value_of(sgf, game, 0), &number) || number != 4))
        return source_fail(source, "GM says that this is another game (five in a row is GM[4])");
    if (!read_size(sgf, &width, &height) || !read_rule(sgf, &kind)) return false;
    if (in_a_row && (!whole_number(value_of(sgf, in_a_row, 0), &k) || k < WIN_MIN || k > WIN_MAX))
        return source_fail(source, "IR is not a number in a row (%d to %d)", WIN_MIN, WIN_MAX);
    rules_init(&rules, kind, (int)width, (int)height, (int)k);
    Record *record = source_record(source, &rules);
    if (!record) return false;
    cursor_begin(&sgf->cursor, source->set, record);
    sgf->begun = true;
    sgf->side_known = false;
    return true;
}

/* A point of a move or a stone. */
static bool read_point(Sgf *sgf, const char *value, Point *p)
{
    return sgf_point(&sgf->cursor.record->rules, value, strlen(value), p, sgf->source->err) ||
           source_blame(sgf->source);
}

static bool put_stone(Sgf *sgf, int x, int y, Colour colour)
{
    Point p = rules_point(&sgf->cursor.record->rules, x, y);
    return cursor_setup(&sgf->cursor, p, colour, sgf->source->err) || source_blame(sgf->source);
}

/* One value of AB or AW: a point or a rectangle. */
static bool setup_value(Sgf *sgf, const char *value, Colour colour)
{
    const Rules *rules = &sgf->cursor.record->rules;
    Point from, to;
    if (!sgf_area(rules, value, &from, &to, sgf->source->err)) return source_blame(sgf->source);
    if (from == POINT_NONE) return source_fail(sgf->source, "AB and AW need points");
    for (int y = rules_y(rules, from); y <= rules_y(rules, to); y++)
        for (int x = rules_x(rules, from); x <= rules_x(rules, to); x++)
            if (!put_stone(sgf, x, y, colour)) return false;
    return true;
}

/* Without PL the side with fewer stones moves, until the first move says otherwise. */
static void guess_side(Sgf *sgf)
{
    const Record *record = sgf->cursor.record;
    int lead = 0;
    for (int i = 0; i < record->setup_count; i++) lead += record->setup[i].colour == BLACK ? 1 : -1;
    cursor_set_side(&sgf->cursor, lead > 0 ? WHITE : BLACK);
}

static bool apply_setup(Sgf *sgf, const Property *property)
{
    const char *ident = property->ident;
    Source *source = sgf->source;
    if (sgf->cursor.record->node_count > 1 || sgf->open_count > 1)
        return source_fail(
            source, "%s: stones are set up only before the first move and its variations", ident);
    if (strcmp(ident, "AE") == 0) return source_fail(source, "AE: stones cannot be taken away");
    if (strcmp(ident, "PL") == 0) {
        char letter = *blanks_skip(value_of(sgf, property, 0));
        if (!letter || !strchr("BbWw12", letter))
            return source_fail(source, "PL is not a colour (B or W)");
        cursor_set_side(&sgf->cursor, strchr("Bb1", letter) ? BLACK : WHITE);
        sgf->side_known = true;
        return true;
    }
    for (int i = 0; i < property->count; i++)
        if (!setup_value(sgf, value_of(sgf, property, i), ident[1] == 'B' ? BLACK : WHITE))
            return false;
    if (!sgf->side_known) guess_side(sgf);
    return true;
}

static bool apply_move(Sgf *sgf, const Property *property)
{
    Cursor *cursor = &sgf->cursor;
    Colour colour = property->ident[0] == 'B' ? BLACK : WHITE;
    Point p;
    if (!read_point(sgf, value_of(sgf, property, 0), &p)) return false;
    if (!sgf->side_known && cursor->record->setup_count && cursor->node == 0)
        cursor_set_side(cursor, colour);
    sgf->side_known = true;
    return cursor_play(cursor, p, colour, sgf->source->err) || source_blame(sgf->source);
}

/* Seconds with a decimal part to milliseconds; −1 if it is no such number. */
static int read_seconds(const char *value)
{
    int64_t ms = 0;
    value = blanks_skip(value);
    if (!isdigit((unsigned char)*value)) return -1;
    for (; isdigit((unsigned char)*value); value++)
        if (ms <= INT_MAX) ms = ms * 10 + (*value - '0') * 1000;
    int64_t unit = 100;
    if (*value == '.')
        for (value++; isdigit((unsigned char)*value); value++, unit /= 10)
            ms += (*value - '0') * unit;
    return *blanks_skip(value) || ms > INT_MAX ? -1 : (int)ms;
}

/* c-gomoku-cli writes the time of a move as its comment. */
static bool is_ms_comment(const char *text, int64_t *ms)
{
    return number_scan(&text, ms) && strcmp(text, "ms") == 0 && *ms >= 0 && *ms <= INT_MAX;
}

static bool apply_comment(Sgf *sgf, const char *value)
{
    RecordNode *node = &sgf->cursor.record->nodes[sgf->cursor.node];
    const Buf *text = plain(sgf, value, '\n');
    int64_t ms;
    if (sgf->cursor.node > 0 && is_ms_comment(buf_text(text), &ms)) {
        if (node->elapsed_ms < 0) node->elapsed_ms = (int)ms;
        return true;
    }
    return cursor_comment(&sgf->cursor, buf_text(text), text->len, sgf->source->err) ||
           source_blame(sgf->source);
}

static void apply_result(Record *record, const char *text)
{
    text = blanks_skip(text);
    bool won = (*text == 'B' || *text == 'b' || *text == 'W' || *text == 'w') && text[1] == '+';
    record->result = RECORD_UNKNOWN;
    if (strcmp(text, "0") == 0 || strcasestr(text, "draw")) {
        record->result = RECORD_DRAW;
    } else if (won) {
        record->result = toupper((unsigned char)*text) == 'B' ? RECORD_BLACK_WON : RECORD_WHITE_WON;
        if (toupper((unsigned char)text[2]) == 'R') record->reason = REASON_RESIGN;
        if (toupper((unsigned char)text[2]) == 'T') record->reason = REASON_TIME;
    }
}

/* c-gomoku-cli says in words why a game ended, in a property that means something else. */
static void apply_words(Record *record, const char *text)
{
    static const struct {
        const char *word;
        RecordReason reason;
    } WORDS[] = {{"five", REASON_FIVE},      {"illegal", REASON_ILLEGAL},
                 {"forbidden", REASON_FOUL}, {"time", REASON_TIME},
                 {"full", REASON_FULL},      {"adjudication", REASON_ADJUDICATED},
                 {"crash", REASON_CRASH},    {"disconnect", REASON_CRASH}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (record->reason == REASON_UNKNOWN && strcasestr(text, WORDS[i].word))
            record->reason = WORDS[i].reason;
}

static bool apply_tags(Sgf *sgf, const Property *property)
{
    for (int i = 0; i < property->count; i++) {
        const char *value = value_of(sgf, property, i), *colon = strchr(value, ':');
        if (!colon || !tag_is_key(value, (size_t)(colon - value)))
            return source_fail(sgf->source, "KV is not key:value");
        if (sgf->cursor.record->tag_count == RECORD_TAGS_MAX)
            return source_fail(sgf->source, "more than %d tags", RECORD_TAGS_MAX);
        const char *key = record_text(sgf->source->set, value, (size_t)(colon - value));
        record_set_tag(sgf->source->set, sgf->cursor.record, key,
                       buf_text(plain(sgf, colon + 1, '\n')));
    }
    return true;
}

/* Texts about the game; true if the property was one. */
static bool apply_info(Sgf *sgf, const Property *property)
{
    Record *record = sgf->cursor.record;
    const struct {
        const char *ident;
        const char **field;
    } FIELDS[] = {{"PB", &record->player[BLACK]}, {"PW", &record->player[WHITE]},
                  {"GN", &record->name},          {"EV", &record->event},
                  {"PC", &record->site},          {"DT", &record->date},
                  {"RO", &record->round},         {"ON", &record->opening}};
    const char *value = value_of(sgf, property, 0);
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (strcmp(property->ident, FIELDS[i].ident) == 0) {
            *FIELDS[i].field = plain_copy(sgf, value);
            return true;
        }
    if (strcmp(property->ident, "RE") == 0)
        apply_result(record, buf_text(plain(sgf, value, ' ')));
    else if (strcmp(property->ident, "RS") == 0)
        record->reason = record_reason_parse(buf_text(plain(sgf, value, ' ')));
    else if (strcmp(property->ident, "TE") == 0 && sgf->cursor.node == 0)
        apply_words(record, value);
    else if (strcmp(property->ident, "5A") == 0)
        record_set_tag(sgf->source->set, record, "sgf-5a", buf_text(plain(sgf, value, ' ')));
    else
        return false;
    return true;
}

/* One value of a sign: where it stands and, of a label, ":text" behind. */
static bool read_sign(Sgf *sgf, const char *value, RecordSign *sign)
{
    const Rules *rules = &sgf->cursor.record->rules;
    if (sign->kind != SIGN_LABEL)
        return sgf_area(rules, value, &sign->from, &sign->to, NULL) && sign->from != POINT_NONE;
    const char *colon = strchr(value, ':');
    if (!colon || !sgf_point(rules, value, (size_t)(colon - value), &sign->from, NULL))
        return false;
    sign->to = sign->from;
    sign->label = buf_text(plain(sgf, colon + 1, ' '));
    return sign->from != POINT_NONE;
}

/* A sign that is wrong is left out: no game is spoilt by it. */
static void apply_signs(Sgf *sgf, const Property *property, RecordSignKind kind)
{
    RecordNode *node = &sgf->cursor.record->nodes[sgf->cursor.node];
    for (int i = 0; i < property->count; i++) {
        RecordSign sign = {.label = "", .kind = (uint8_t)kind};
        if (read_sign(sgf, value_of(sgf, property, i), &sign))
            record_add_sign(sgf->source->set, node, &sign);
    }
}

/* What is said about the move that the cursor stands on. */
static bool apply_note(Sgf *sgf, const Property *property)
{
    RecordNode *node = &sgf->cursor.record->nodes[sgf->cursor.node];
    const char *ident = property->ident, *value = value_of(sgf, property, 0);
    bool clock = strcmp(ident, node->colour == BLACK ? "BL" : "WL") == 0;
    int64_t ms;
    if (strcmp(ident, "C") == 0) return apply_comment(sgf, value);
    for (int kind = 0; kind < SIGN_COUNT; kind++)
        if (strcmp(ident, sgf_signs[kind]) == 0) apply_signs(sgf, property, (RecordSignKind)kind);
    if (sgf->cursor.node == 0) return true;
    if (clock) node->clock_ms = read_seconds(value);
    if (strcmp(ident, "V") == 0) node->eval = plain_copy(sgf, value);
    if (strcmp(ident, "MS") == 0) {
        if (!whole_number(value, &ms) || ms < 0 || ms > INT_MAX)
            return source_fail(sgf->source, "MS is not a number of milliseconds");
        node->elapsed_ms = (int)ms;
    }
    return true;
}

static bool is_one_of(const char *ident, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(ident, *list) == 0) return true;
    return false;
}

/* Setup, then the move, then what is said about it, in whatever order they stand. */
static bool apply_node(Sgf *sgf)
{
    static const char *const SETUP[] = {"AB", "AW", "AE", "PL", NULL};
    static const char *const MOVE[] = {"B", "W", NULL};
    const Property *properties = sgf->properties;
    int moves = 0;
    if (!sgf->begun && !begin_game(sgf)) return false;
    for (int i = 0; i < sgf->property_count; i++)
        if (is_one_of(properties[i].ident, SETUP) && !apply_setup(sgf, &properties[i]))
            return false;
    for (int i = 0; i < sgf->property_count; i++) {
        if (!is_one_of(properties[i].ident, MOVE)) continue;
        if (moves++ || properties[i].count > 1)
            return source_fail(sgf->source, "two moves in one node");
        if (!apply_move(sgf, &properties[i])) return false;
    }
    for (int i = 0; i < sgf->property_count; i++) {
        const Property *property = &properties[i];
        if (strcmp(property->ident, "KV") == 0 && !apply_tags(sgf, property)) return false;
        if (!apply_info(sgf, property) && !apply_note(sgf, property)) return false;
    }
    return true;
}

static bool open_tree(Sgf *sgf)
{
    if (sgf->open_count == RECORD_DEPTH_MAX)
        return source_fail(sgf->source, "variations more than %d deep", RECORD_DEPTH_MAX);
    sgf->open = sgf_grown(sgf->open, sgf->open_count, &sgf->open_cap, sizeof *sgf->open);
    sgf->open[sgf->open_count++] = sgf->begun ? sgf->cursor.node : 0;
    next(sgf->source);
    if (skip_space(sgf->source) == ';') return true;
    return source_fail(sgf->source, "a ; is missing behind the (");
}

/* One game, at its '('. Trees are nodes, then variations: no node after a variation. */
static bool read_game(Sgf *sgf)
{
    Source *source = sgf->source;
    bool closed = false; /* a variation ended here: only ( and ) may follow */
    sgf->begun = false;
    sgf->open_count = 0;
    sgf->charset = charset_for(sgf->charset, source->at, source->end);
    if (!open_tree(sgf)) return false;
    while (sgf->open_count > 0) {
        int c = skip_space(source);
        if (c == ';' && !closed) {
            next(source);
            if (!read_node(sgf) || !apply_node(sgf)) return false;
        } else if (c == '(') {
            if (!open_tree(sgf)) return false;
            closed = false;
        } else if (c == ')') {
            next(source);
            cursor_back(&sgf->cursor, sgf->open[--sgf->open_count]);
            closed = true;
        } else if (c < 0) {
            return source_fail(source, "the file is cut off: %d ( are not closed", sgf->open_count);
        } else {
            return source_fail(source, "'%c' stands where ; ( or ) should", isprint(c) ? c : '?');
        }
    }
    record_judge(sgf->cursor.record);
    return true;
}

/* What comes before the first game, the head of a letter say, is passed over, as FF[4] asks. */
static void skip_to_game(Source *source)
{
    int lines = 0;
    for (const char *at = source->at; at < source->end; at++) {
        lines += *at == '\n';
        if (*at != '(') continue;
        const char *next = at + 1;
        while (next < source->end && isspace((unsigned char)*next)) next++;
        if (next == source->end || *next != ';') continue;
        source->at = at;
        source->line += lines;
        return;
    }
}

static bool read_all(Sgf *sgf)
{
    Source *source = sgf->source;
    source->line = 1;
    size_t left = (size_t)(source->end - source->at);
    source->at += utf8_mark(source->at, left);
    sgf->is_utf8 = utf8_is_valid(source->bytes, left);
    if (skip_space(source) < 0) return source_fail(source, "the file is empty");
    skip_to_game(source);
    while (skip_space(source) >= 0) {
        if (peek(source) != '(')
            return source_fail(source, "a game begins with (; and '%c' stands there",
                               isprint(peek(source)) ? peek(source) : '?');
        if (!read_game(sgf)) return false;
    }
    return true;
}

bool sgf_read(Source *source)
{
    Sgf *sgf = mem_zero(sizeof *sgf);
    sgf->source = source;
    bool read = read_all(sgf);
    mem_free(sgf->open);
    mem_free(sgf->properties);
    mem_free(sgf->values);
    buf_free(&sgf->text);
    buf_free(&sgf->plain);
    buf_free(&sgf->raw);
    charset_close(sgf->charset);
    mem_free(sgf);
    return read;
}
