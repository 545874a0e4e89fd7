/* SPDX-License-Identifier: MIT */
/* .sgf: Smart Game Format, written; record_sgf.c says which properties we use.
 *
 * The tree is walked along its own links, without a stack. A node with siblings gets parentheses:
 * each of the siblings begins a variation. */
#include "game/record_io.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

enum { LINE_WIDTH = 76 };

/* Text in a value: ] \ and control characters are escaped, and : where it would split it. */
static void add_escaped(Buf *out, const char *text, bool colons)
{
    while (*text) {
        bool control = iscntrl((unsigned char)*text) && *text != '\n' && *text != '\t';
        if (*text == ']' || *text == '\\' || (*text == ':' && colons) || control)
            buf_add_char(out, '\\');
        text = utf8_add_next(out, text);
    }
}

static void add_text(Buf *out, const char *ident, const char *text)
{
    if (!*text) return;
    buf_printf(out, "%s[", ident);
    add_escaped(out, text, false);
    buf_add_char(out, ']');
}

static void add_point(Buf *out, const Rules *rules, Point p)
{
    buf_add_char(out, '[');
    sgf_add_point(out, rules, p);
    buf_add_char(out, ']');
}

/* All of a kind behind one name, in the order they have. */
static void add_signs(Buf *out, const Rules *rules, const RecordNode *node)
{
    for (int kind = 0; kind < SIGN_COUNT; kind++) {
        const char *ident = sgf_signs[kind];
        for (const RecordSign *sign = NULL; (sign = record_next_sign(node, sign));) {
            if (sign->kind != kind) continue;
            buf_printf(out, "%s[", ident);
            sgf_add_point(out, rules, sign->from);
            if (sign->to != sign->from) {
                buf_add_char(out, ':');
                sgf_add_point(out, rules, sign->to);
            }
            if (kind == SIGN_LABEL) buf_add_char(out, ':');
            add_escaped(out, sign->label, true);
            buf_add_char(out, ']');
            ident = "";
        }
    }
}

static void add_result(Buf *out, const Record *record)
{
    static const char *const RESULTS[] = {[RECORD_UNKNOWN] = "?",
                                          [RECORD_BLACK_WON] = "B+",
                                          [RECORD_WHITE_WON] = "W+",
                                          [RECORD_DRAW] = "Draw"};
    bool won = record->result == RECORD_BLACK_WON || record->result == RECORD_WHITE_WON;
    buf_printf(out, "RE[%s", RESULTS[record->result]);
    if (won && record->reason == REASON_RESIGN) buf_add_char(out, 'R');
    if (won && record->reason == REASON_TIME) buf_add_char(out, 'T');
    buf_add_char(out, ']');
    add_text(out, "RS", record_reason_name(record->reason));
}

static void add_setup(Buf *out, const Record *record)
{
    static const char *const IDENTS[COLOUR_COUNT] = {"AB", "AW"};
    for (int c = BLACK; c < COLOUR_COUNT; c++) {
        bool begun = false;
        for (int i = 0; i < record->setup_count; i++) {
            if (record->setup[i].colour != c) continue;
            if (!begun) buf_add_text(out, IDENTS[c]);
            begun = true;
            add_point(out, &record->rules, record->setup[i].point);
        }
    }
    if (record->setup_count || record->first != BLACK)
        buf_printf(out, "PL[%c]\n", record->first == BLACK ? 'B' : 'W');
}

static void add_root(Buf *out, const Record *record)
{
    const Rules *rules = &record->rules;
    buf_add_text(out, "(;FF[4]GM[4]CA[UTF-8]AP[goren]");
    if (rules->width == rules->height)
        buf_printf(out, "SZ[%d]", rules->width);
    else
        buf_printf(out, "SZ[%d:%d]", rules->width, rules->height);
    buf_printf(out, "RU[%s]", rule_name(rules->kind));
    if (rules->k != 5) buf_printf(out, "IR[%d]", rules->k);
    buf_add_char(out, '\n');
    add_text(out, "GN", record->name);
    add_text(out, "EV", record->event);
    add_text(out, "PC", record->site);
    add_text(out, "DT", record->date);
    add_text(out, "RO", record->round);
    add_text(out, "ON", record->opening);
    add_text(out, "PB", record->player[BLACK]);
    add_text(out, "PW", record->player[WHITE]);
    add_result(out, record);
    buf_add_char(out, '\n');
    for (int i = 0; i < record->tag_count; i++) {
        buf_printf(out, "%s[%s:", i ? "" : "KV", record->tags[i].key);
        add_escaped(out, record->tags[i].value, true);
        buf_add_text(out, i + 1 < record->tag_count ? "]" : "]\n");
    }
    add_setup(out, record);
    add_text(out, "C", record->nodes[0].comment);
    add_signs(out, rules, &record->nodes[0]);
}

static void add_node(Buf *out, const Rules *rules, const RecordNode *node)
{
    buf_printf(out, ";%c", node->colour == BLACK ? 'B' : 'W');
    add_point(out, rules, node->point);
    if (node->elapsed_ms >= 0) buf_printf(out, "MS[%d]", node->elapsed_ms);
    if (node->clock_ms >= 0)
        buf_printf(out, "%s[%d.%03d]", node->colour == BLACK ? "BL" : "WL", node->clock_ms / 1000,
                   node->clock_ms % 1000);
    add_text(out, "V", node->eval);
    add_text(out, "C", node->comment);
    add_signs(out, rules, node);
}

static bool has_siblings(const RecordNode *nodes, int n)
{
    return nodes[nodes[nodes[n].parent].first_child].next_sibling >= 0;
}

static void add_tree(Buf *out, const Record *record)
{
    const RecordNode *nodes = record->nodes;
    size_t line = out->len; /* where the line began */
    for (int n = nodes[0].first_child; n > 0;) {
        bool opens = has_siblings(nodes, n);
        if (opens || out->len - line > LINE_WIDTH || nodes[n].parent == 0) {
            buf_add_char(out, '\n');
            line = out->len;
        }
        if (opens) buf_add_char(out, '(');
        add_node(out, &record->rules, &nodes[n]);
        int then = nodes[n].first_child;
        while (then < 0 && n > 0) { /* the line is over: close, and back to where another begins */
            if (has_siblings(nodes, n)) buf_add_char(out, ')');
            then = nodes[n].next_sibling;
            n = nodes[n].parent;
        }
        n = then;
    }
}

bool sgf_write(const RecordSet *set, Buf *out, Err *err)
{
    for (int i = 0; i < set->count; i++) {
        const Record *record = &set->records[i];
        if (record->rules.width > SGF_SIDE_MAX || record->rules.height > SGF_SIDE_MAX)
            return err_set(err, "game %d: a %dx%d board does not fit into SGF (%dx%d at most)",
                           i + 1, record->rules.width, record->rules.height, SGF_SIDE_MAX,
                           SGF_SIDE_MAX);
        add_root(out, record);
        add_tree(out, record);
        buf_add_text(out, ")\n");
    }
    return true;
}
