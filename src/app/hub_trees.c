/* SPDX-License-Identifier: MIT */
/* Trees of moves between a page's analysis board and files: an opening library, a commented game
 * with its variations. Nothing of them is kept here. */
#include "app/hub_games.h"

#include "base/mem.h"
#include "game/record.h"

#include <string.h>

/* What is read may grow on the board and still be saved. */
enum { NODES_MAX = 20000, NODES_WRITTEN_MAX = 2 * NODES_MAX, SIGNS_MAX = 100000 };

/* Set-up stones as a position, or "". */
static json_t *json_setup(const Record *record)
{
    Buf text = BUF_EMPTY;
    if (record->setup_count) files_setup_text(record, &text);
    json_t *out = json_string(buf_text(&text));
    buf_free(&text);
    return out;
}

/* ---- what is said of a game beside its moves ---- */

enum { ABOUT_TEXTS = 8 };

/* Names in the protocol, in the order of about_texts. */
static const char *const about_names[ABOUT_TEXTS] = {"black", "white", "name",  "event",
                                                     "site",  "date",  "round", "opening"};
static const char *const result_names[] = {
    [RECORD_BLACK_WON] = "b", [RECORD_WHITE_WON] = "w", [RECORD_DRAW] = "draw"};

static void about_texts(Record *record, const char **texts[ABOUT_TEXTS])
{
    const char **const all[ABOUT_TEXTS] = {
        &record->player[BLACK], &record->player[WHITE], &record->name,  &record->event,
        &record->site,          &record->date,          &record->round, &record->opening};
    memcpy(texts, all, sizeof all);
}

/* Only what the file says. */
static json_t *json_about(Record *record)
{
    const char **texts[ABOUT_TEXTS];
    json_t *out = json_object();
    about_texts(record, texts);
    for (int i = 0; i < ABOUT_TEXTS; i++)
        if (**texts[i]) json_object_set_new(out, about_names[i], json_string(*texts[i]));
    if (record->result != RECORD_UNKNOWN)
        json_object_set_new(out, "result", json_string(result_names[record->result]));
    if (record->reason != REASON_UNKNOWN)
        json_object_set_new(out, "reason", json_string(record_reason_name(record->reason)));
    return out;
}

static bool take_about(RecordSet *set, Record *record, const json_t *body, Refusal *no)
{
    const char **texts[ABOUT_TEXTS], *result = "", *reason = "";
    json_t *about = NULL;
    if (!field_object(body, "about", &about, no) ||
        !field_text(about, "result", TEXT_MAX_NAME, &result, no) ||
        !field_text(about, "reason", TEXT_MAX_NAME, &reason, no))
        return false;
    about_texts(record, texts);
    for (int i = 0; i < ABOUT_TEXTS; i++) {
        const char *text = "";
        if (!field_text(about, about_names[i], TEXT_MAX_COMMENT, &text, no)) return false;
        *texts[i] = record_text(set, text, strlen(text));
    }
    for (int i = RECORD_BLACK_WON; i <= RECORD_DRAW; i++)
        if (strcmp(result, result_names[i]) == 0) record->result = (RecordResult)i;
    record->reason = record_reason_parse(reason);
    return true;
}

/* ---- what is drawn on the board at a node ---- */

static const char *const sign_names[SIGN_COUNT] = {
    [SIGN_LABEL] = "label",   [SIGN_TRIANGLE] = "triangle", [SIGN_SQUARE] = "square",
    [SIGN_CIRCLE] = "circle", [SIGN_CROSS] = "cross",
};

/* A file of a few rectangles may cover many boards: points are written while there is room. */
static void add_points(Buf *out, const Rules *rules, const RecordSign *sign, int *room)
{
    char text[POINT_TEXT_MAX];
    for (int y = rules_y(rules, sign->from); y <= rules_y(rules, sign->to); y++)
        for (int x = rules_x(rules, sign->from); x <= rules_x(rules, sign->to) && *room > 0; x++) {
            buf_add_text(out, point_text(rules, rules_point(rules, x, y), text));
            --*room;
        }
}

/* {"label": {"h8": "A"}, "triangle": "h8i9", …}; the kinds that there are. */
static json_t *json_signs(const Rules *rules, const RecordNode *node, int *room)
{
    json_t *out = json_object(), *labels = json_object();
    Buf points[SIGN_COUNT] = {{0}};
    char text[POINT_TEXT_MAX];
    for (const RecordSign *sign = NULL; (sign = record_next_sign(node, sign));) {
        if (sign->kind != SIGN_LABEL)
            add_points(&points[sign->kind], rules, sign, room);
        else if (--*room >= 0)
            json_object_set_new(labels, point_text(rules, sign->from, text),
                                json_string(sign->label));
    }
    if (json_object_size(labels)) json_object_set(out, sign_names[SIGN_LABEL], labels);
    json_decref(labels);
    for (int kind = 0; kind < SIGN_COUNT; kind++) {
        if (points[kind].len)
            json_object_set_new(out, sign_names[kind], json_string(points[kind].data));
        buf_free(&points[kind]);
    }
    return out;
}

static bool take_sign(RecordSet *set, Record *record, int node, RecordSign *sign, const char **at,
                      Refusal *no)
{
    if (!point_parse(&record->rules, at, &sign->from, &no->err)) return refuse_so(no, "bad");
    sign->to = sign->from;
    record_add_sign(set, &record->nodes[node], sign);
    return true;
}

static bool take_signs(RecordSet *set, Record *record, int node, json_t *signs, Refusal *no)
{
    const char *point;
    json_t *text, *labels = NULL;
    if (!field_object(signs, sign_names[SIGN_LABEL], &labels, no)) return false;
    json_object_foreach(labels, point, text)
    {
        RecordSign sign = {.label = json_string_value(text), .kind = SIGN_LABEL};
        const char *at = point;
        if (!sign.label) return refuse(no, "bad", "The label on %s is no text.", point);
        if (!take_sign(set, record, node, &sign, &at, no)) return false;
        if (*at) return refuse(no, "bad", "%s is no point.", point);
    }
    for (int kind = SIGN_LABEL + 1; kind < SIGN_COUNT; kind++) {
        const char *at = "";
        RecordSign sign = {.label = "", .kind = (uint8_t)kind};
        if (!field_text(signs, sign_names[kind], HUB_MESSAGE_MAX, &at, no)) return false;
        while (*at)
            if (!take_sign(set, record, node, &sign, &at, no)) return false;
    }
    return true;
}

/* ---- in ---- */

/* A node with all that follows from it, numbers in the order of the list. A board on which the
 * sides alternate has no place for a pass or a second move of one side: such a branch is left out.
 */
typedef struct {
    const Record *record;
    json_t *nodes;
    int left_out; /* branches */
    int cut;      /* moves for which there is no room */
    int room;     /* points that may still be marked */
} Walk;

/* [the node before, the point, comment, signs]: the last two if there are any. */
static json_t *json_row(Walk *walk, const RecordNode *node, int before)
{
    const Rules *rules = &walk->record->rules;
    json_t *row = json_pack("[i, o]", before, json_point(rules, node->point));
    json_t *comment = json_string(node->comment);
    if (!comment) comment = json_string(""); /* it was no UTF-8 */
    if (json_string_length(comment) || node->signs) json_array_append(row, comment);
    if (node->signs) json_array_append_new(row, json_signs(rules, node, &walk->room));
    json_decref(comment);
    return row;
}

static int branch_size(const Record *record, int node)
{
    int size = 1;
    for (int i = record->nodes[node].first_child; i >= 0; i = record->nodes[i].next_sibling)
        size += branch_size(record, i);
    return size;
}

static void add_children(Walk *walk, int parent, int number, Colour side)
{
    const Record *record = walk->record;
    for (int i = record->nodes[parent].first_child; i >= 0; i = record->nodes[i].next_sibling) {
        const RecordNode *node = &record->nodes[i];
        if (node->point == POINT_NONE || node->colour != (uint8_t)side) {
            walk->left_out++;
            continue;
        }
        if (json_array_size(walk->nodes) >= NODES_MAX) {
            walk->cut += branch_size(record, i);
            continue;
        }
        json_array_append_new(walk->nodes, json_row(walk, node, number));
        add_children(walk, i, (int)json_array_size(walk->nodes), colour_other(side));
    }
}

static bool do_read(Client *client, Request *request, json_t *reply, Refusal *no)
{
    RecordSet set;
    (void)client;
    if (!files_read(request->body, &set, no)) return false;
    bool good = set.count > 0 || refuse(no, "bad", "There is no game in this file.");
    if (good) {
        Record *record = &set.records[0];
        Walk walk = {.record = record, .nodes = json_array(), .room = SIGNS_MAX};
        json_t *signs = json_signs(&record->rules, &record->nodes[0], &walk.room);
        add_children(&walk, 0, 0, record->first);
        json_object_set_new(reply, "rules", json_rules(&record->rules));
        json_object_set_new(reply, "stones", json_setup(record));
        json_object_set_new(reply, "side", json_colour(record->first));
        json_object_set_new(reply, "comment", json_string(record->nodes[0].comment));
        json_object_set_new(reply, "signs", signs);
        json_object_set_new(reply, "about", json_about(record));
        json_object_set_new(reply, "nodes", walk.nodes);
        json_object_set_new(reply, "left_out", json_integer(walk.left_out));
        json_object_set_new(reply, "cut", json_integer(walk.cut));
        json_object_set_new(reply, "games", json_integer(set.count));
    }
    record_set_close(&set);
    return good;
}

/* ---- out ---- */

static bool is_taken(const Record *record, int node, Point p)
{
    for (int i = 0; i < record->setup_count; i++) {
        if (record->setup[i].point == p) return true;
    }
    for (; node > 0; node = record->nodes[node].parent) {
        if (record->nodes[node].point == p) return true;
    }
    return false;
}

/* One row of "nodes": its parent is a row before it, or 0. */
static bool take_node(RecordSet *set, Record *record, const json_t *row, const int *numbers,
                      int count, Refusal *no)
{
    const json_t *up = json_array_get(row, 0);
    const char *point = json_string_value(json_array_get(row, 1)), *at = point;
    const char *comment = json_string_value(json_array_get(row, 2));
    json_t *signs = json_array_get(row, 3);
    Point p;
    if (!json_is_integer(up) || !point || json_integer_value(up) < 0 ||
        json_integer_value(up) > count)
        return refuse(no, "bad", "\"nodes\" must be lists of a node before it and a point.");
    if (!point_parse(&record->rules, &at, &p, &no->err)) return refuse_so(no, "bad");
    if (*at) return refuse(no, "bad", "%s is no point.", point);
    if (signs && !json_is_object(signs))
        return refuse(no, "bad", "What is drawn must be an object.");
    int parent = numbers[json_integer_value(up)];
    if (is_taken(record, parent, p)) return refuse(no, "illegal", "%s is taken.", point);
    for (int i = record->nodes[parent].first_child; i >= 0; i = record->nodes[i].next_sibling) {
        if (record->nodes[i].point == p) return refuse(no, "bad", "%s is there twice.", point);
    }
    Colour side = parent ? colour_other((Colour)record->nodes[parent].colour) : record->first;
    int node = record_add_move(set, record, parent, p, side);
    if (comment) record->nodes[node].comment = record_text(set, comment, strlen(comment));
    return take_signs(set, record, node, signs, no);
}

static bool take_nodes(RecordSet *set, Record *record, json_t *rows, Refusal *no)
{
    int *numbers = mem_zero((json_array_size(rows) + 1) * sizeof *numbers);
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(rows); i++) {
        good = take_node(set, record, json_array_get(rows, i), numbers, (int)i, no);
        numbers[i + 1] = record->node_count - 1;
    }
    mem_free(numbers);
    return good;
}

static bool do_write(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const json_t *body = request->body;
    const char *comment = "";
    json_t *rows = NULL, *signs = NULL;
    RecordSet set;
    Rules rules;
    Position setup;
    (void)client;
    if (!field_rules(body, &rules, no) ||
        !field_array(body, "nodes", NODES_WRITTEN_MAX, &rows, no) ||
        !field_text(body, "comment", HUB_MESSAGE_MAX, &comment, no) ||
        !field_object(body, "signs", &signs, no) || !field_position(body, &rules, &setup, no))
        return false;
    record_set_open(&set);
    Record *record = record_set_add(&set, &rules);
    record->nodes[0].comment = record_text(&set, comment, strlen(comment));
    for (int i = 0; i < setup.count; i++)
        record_add_setup(record, setup.stones[i], (Colour)setup.colours[i]);
    record->first = setup.side;
    position_free(&setup);
    bool good = take_about(&set, record, body, no) && take_signs(&set, record, 0, signs, no) &&
                take_nodes(&set, record, rows, no) && files_write(body, &set, reply, no);
    record_set_close(&set);
    return good;
}

const Verb tree_verbs[] = {{"tree.read", do_read}, {"tree.write", do_write}, {0}};
