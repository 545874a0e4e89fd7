/* SPDX-License-Identifier: MIT */
/* .lib: RenLib's libraries of variations, read only.
 *
 * A header of 20 bytes, FF "RenLib" FF, version (up to 3.4), then the tree in pre-order, two bytes
 * a node: a point, and flags.
 *
 *     point   16·row + column, row 0 … 14 from the top, column 1 … 15; 0: the root, or a pass
 *     flags   80 more siblings follow later: remember this node
 *             40 a leaf: what comes next is the next sibling of the node remembered last
 *             20 old comment   10 mark   08 comment   04 start   02 no move   01 two flag bytes
 * more
 *
 * Texts follow their node in whole pairs of bytes: an old comment ends with the byte that has its
 * top bit set, the others with a zero; byte 08 parts the first line from the rest. Bit 01 of the
 * second extra byte announces a board text: it belongs to the node's point, and on a node that is
 * no move to an empty point. RenLib shows it before the move, among what may follow: it becomes a
 * label of the position that the node follows.
 *
 * RenLib may save a part of a tree and leave marks of siblings on the way to it that never come,
 * so a file that is cut off just behind a leaf cannot always be told from a whole one. */
#include "game/record_io.h"

#include <string.h>

enum {
    HEADER_SIZE = 20,
    VERSION_MAX = 304, /* 100 · major + minor */
    SIDE = 15,
    CENTRE = 0x78, /* libraries older than the header begin with this move */

    FLAG_SIBLINGS = 0x80,
    FLAG_LEAF = 0x40,
    FLAG_OLD_COMMENT = 0x20,
    FLAG_COMMENT = 0x08,
    FLAG_NO_MOVE = 0x02,
    FLAG_MORE = 0x01,
    MORE_BOARD_TEXT = 0x01,
};

static const unsigned char MAGIC[] = {0xFF, 'R', 'e', 'n', 'L', 'i', 'b', 0xFF};

typedef struct {
    Source *source;
    Cursor cursor;
    /* Tree nodes from the root to where we are, as record nodes: one that is no move stands for
     * its parent. Level 0 is the root. */
    int levels[RECORD_DEPTH_MAX + 2];
    int level;
    int *pending; /* levels of the nodes remembered */
    int pending_count, pending_cap;
    bool leaf_seen, leaf_last;
    bool ended; /* a leaf, and no node remembered */
    int chain;  /* pending nodes that were remembered before the first leaf and are still there */
    Buf text;
} Lib;

typedef struct {
    int point, flags, more;
} LibNode;

static bool lib_fail(Lib *lib, const char *what)
{
    Source *source = lib->source;
    return source_fail(source, "byte %zu: %s", (size_t)(source->at - source->bytes), what);
}

static bool lib_blame(Lib *lib)
{
    Source *source = lib->source;
    err_prefix(source->err, "byte %zu", (size_t)(source->at - source->bytes));
    return source_blame(source);
}

static bool read_pair(Lib *lib, unsigned char pair[2])
{
    Source *source = lib->source;
    if (source->end - source->at < 2) return lib_fail(lib, "the file is cut off");
    memcpy(pair, source->at, 2);
    source->at += 2;
    return true;
}

static bool read_node(Lib *lib, LibNode *node)
{
    unsigned char pair[2];
    if (!read_pair(lib, pair)) return false;
    *node = (LibNode){.point = pair[0], .flags = pair[1]};
    if (!(node->flags & FLAG_MORE)) return true;
    if (!read_pair(lib, pair)) return false;
    node->more = pair[1];
    return true;
}

/* Before Windows, these six stood for the Scandinavian letters. */
static void add_old_char(Buf *out, int c)
{
    static const char CODES[] = "}{|][\\";
    static const char *const LETTERS[] = {"å", "ä", "ö", "Å", "Ä", "Ö"};
    const char *code = c ? strchr(CODES, c) : NULL;
    if (code)
        buf_add_text(out, LETTERS[code - CODES]);
    else if (c)
        buf_add_char(out, (char)c);
}

static bool read_old_text(Lib *lib)
{
    buf_clear(&lib->text);
    for (unsigned char pair[2];;) {
        if (!read_pair(lib, pair)) return false;
        add_old_char(&lib->text, pair[0] & 0x7F);
        if (pair[0] & 0x80) return true;
        add_old_char(&lib->text, pair[1] & 0x7F);
        if (pair[1] & 0x80) return true;
    }
}

static bool read_text(Lib *lib)
{
    buf_clear(&lib->text);
    for (unsigned char pair[2];;) {
        if (!read_pair(lib, pair)) return false;
        if (!pair[0]) return true;
        buf_add_char(&lib->text, (char)pair[0]);
        if (!pair[1]) return true;
        buf_add_char(&lib->text, (char)pair[1]);
    }
}

/* Puts the text read last into the comment of the current node, line ends as \n. */
static bool add_comment(Lib *lib)
{
    char *to = lib->text.data;
    for (size_t i = 0; i < lib->text.len; i++) {
        char c = lib->text.data[i];
        if (c == '\r') continue;
        *to++ = (char)(c == '\b' ? '\n' : c);
    }
    size_t len = lib->text.len ? (size_t)(to - lib->text.data) : 0;
    while (len && lib->text.data[len - 1] == '\n') len--;
    return cursor_comment(&lib->cursor, buf_text(&lib->text), len, lib->source->err) ||
           lib_blame(lib);
}

static void add_label(Lib *lib, const LibNode *node, Point p)
{
    RecordNode *nodes = lib->cursor.record->nodes;
    int here = lib->cursor.node;
    int before = node->flags & FLAG_NO_MOVE ? here : nodes[here].parent;
    RecordSign sign = {.label = buf_text(&lib->text), .from = p, .to = p, .kind = SIGN_LABEL};
    record_add_sign(lib->cursor.set, &nodes[before], &sign);
}

static bool read_texts(Lib *lib, const LibNode *node, Point p)
{
    if (node->flags & FLAG_OLD_COMMENT) {
        if (!read_old_text(lib) || !add_comment(lib)) return false;
    } else if (node->flags & FLAG_COMMENT) {
        if (!read_text(lib) || !add_comment(lib)) return false;
    }
    if (!(node->more & MORE_BOARD_TEXT)) return true;
    if (!read_text(lib)) return false;
    if (p == POINT_NONE) return add_comment(lib);
    add_label(lib, node, p);
    return true;
}

/* One level deeper: to the child with this move, or nowhere if the node is no move. */
static bool enter(Lib *lib, const LibNode *node, Point p)
{
    if (lib->level > RECORD_DEPTH_MAX) return lib_fail(lib, "too many moves in one line");
    if (!(node->flags & FLAG_NO_MOVE) &&
        !cursor_play(&lib->cursor, p, lib->cursor.side, lib->source->err))
        return lib_blame(lib);
    lib->levels[++lib->level] = lib->cursor.node;
    return true;
}

static void leave(Lib *lib, const LibNode *node)
{
    if (node->flags & FLAG_SIBLINGS) {
        if (lib->pending_count == lib->pending_cap) {
            lib->pending_cap = lib->pending_cap ? 2 * lib->pending_cap : 64;
            lib->pending = mem_grow(lib->pending, (size_t)lib->pending_cap * sizeof *lib->pending);
        }
        lib->pending[lib->pending_count++] = lib->level;
        if (!lib->leaf_seen) lib->chain = lib->pending_count;
    }
    lib->leaf_last = node->flags & FLAG_LEAF;
    if (!lib->leaf_last) return;
    lib->leaf_seen = true;
    lib->ended = lib->pending_count == 0;
    if (lib->ended) return;
    int level = lib->pending[--lib->pending_count];
    lib->level = level > 0 ? level - 1 : 0;
    cursor_back(&lib->cursor, lib->levels[lib->level]);
    if (lib->chain > lib->pending_count) lib->chain = lib->pending_count;
}

static bool read_point(Lib *lib, int byte, Point *p)
{
    int x = byte % 16 - 1, y = byte / 16;
    *p = POINT_NONE;
    if (byte == 0) return true;
    if (x < 0 || y >= SIDE) return lib_fail(lib, "a point off the 15x15 board");
    *p = rules_point(&lib->cursor.record->rules, x, y);
    return true;
}

static bool read_tree(Lib *lib)
{
    Source *source = lib->source;
    for (bool first = true; source->at < source->end; first = false) {
        LibNode node;
        Point p;
        if (lib->ended) return lib_fail(lib, "something follows the last variation");
        if (!read_node(lib, &node) || !read_point(lib, node.point, &p)) return false;
        bool root = first && p == POINT_NONE;
        if (!root && !enter(lib, &node, p)) return false;
        if (!read_texts(lib, &node, p)) return false;
        leave(lib, &node);
    }
    if (lib->pending_count > lib->chain || (lib->leaf_seen && !lib->leaf_last))
        return lib_fail(lib, "the file is cut off: a variation does not end");
    return true;
}

static bool read_header(Source *source)
{
    size_t len = (size_t)(source->end - source->bytes);
    const unsigned char *bytes = (const unsigned char *)source->bytes;
    if (len >= HEADER_SIZE && memcmp(bytes, MAGIC, sizeof MAGIC) == 0) {
        int major = bytes[sizeof MAGIC], minor = bytes[sizeof MAGIC + 1];
        if (100 * major + minor > VERSION_MAX)
            return source_fail(source, "a library of version %d.%d (up to 3.4 is known)", major,
                               minor);
        source->at += HEADER_SIZE;
        return true;
    }
    if (len >= 2 && bytes[0] == CENTRE) return true;
    return source_fail(source, "not a RenLib library (it begins with FF \"RenLib\" FF)");
}

bool lib_read(Source *source)
{
    const RecordHints *hints = source->hints;
    Rules rules;
    if (hints->size_given && (hints->width != SIDE || hints->height != SIDE))
        return source_fail(source, "a RenLib library is always 15x15");
    if (!read_header(source) || !source_rules(source, RULE_RENJU, SIDE, SIDE, &rules)) return false;
    Record *record = source_record(source, &rules);
    Lib *lib = mem_zero(sizeof *lib);
    lib->source = source;
    cursor_begin(&lib->cursor, source->set, record);
    bool read = read_tree(lib);
    mem_free(lib->pending);
    buf_free(&lib->text);
    mem_free(lib);
    return read;
}
