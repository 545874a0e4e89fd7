/* SPDX-License-Identifier: MIT */
/* What the readers and writers of the record formats share. Only record*.c includes this.
 *
 * A reader walks a Source (bytes with a place for error messages) and builds each record through
 * a Cursor, which stands on a node, knows the stones on the way to it, and refuses what cannot be
 * played there. */
#pragma once

#include "game/record.h"

#include <stdint.h>

enum {
    RECORD_AREA_MAX = (SIZE_MAX_SIDE + WIN_MAX) * (SIZE_MAX_SIDE + 2 * WIN_MAX) + WIN_MAX,
    RECORD_BYTES_MAX = 256 << 20, /* of a file */
    RECORD_COUNT_MAX = 4000000,   /* records of a set */
    RECORD_NODES_MAX = 32000000,  /* nodes of a set */
    RECORD_DEPTH_MAX = 20000,     /* moves from the root: every point and as many passes */
    RECORD_TAGS_MAX = 64,         /* of a record */
    RECORD_KEY_MAX = 32,          /* bytes, of a tag's key */
    RECORD_COMMENT_MAX = 1 << 16, /* bytes, of a comment put together from several */
    RECORD_SHOWN = 40,            /* bytes of bad input that an error repeats */
};

typedef struct {
    const char *name; /* of the file */
    const char *bytes, *end;
    const char *at;
    int line; /* of what was read last, from 1; 0: the format has no lines */
    Buf text; /* the line read last, NUL-terminated */
    const RecordHints *hints;
    RecordSet *set;
    Err *err;
} Source;

/* "name:line: …"; returns false. */
bool source_fail(Source *source, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts name and line before the sentence that is already in the Err; returns false. */
bool source_blame(Source *source);
/* The next line, without its end, in source->text; false at the end of the file. */
bool source_line(Source *source);
/* The beginning of text, fit for an error message. */
const char *source_show(const char *text, char shown[RECORD_SHOWN + 1]);
/* The rules that the hints give, over the defaults of the format. */
bool source_rules(Source *source, RuleKind kind, int width, int height, Rules *rules);
/* A new record, or NULL and an error if there are too many. */
Record *source_record(Source *source, const Rules *rules);

/* Reads a decimal number with optional sign at *text and moves past it. */
bool number_scan(const char **text, int64_t *value);
const char *blanks_skip(const char *text);

typedef struct {
    RecordSet *set;
    Record *record;
    int node, depth;
    Colour side; /* whose turn it is */
    uint8_t cells[RECORD_AREA_MAX];
} Cursor;

void cursor_begin(Cursor *cursor, RecordSet *set, Record *record);
bool cursor_setup(Cursor *cursor, Point p, Colour colour, Err *err); /* before the first move */
void cursor_set_side(Cursor *cursor, Colour side);                   /* likewise */
/* Goes to the child with this move, which it makes if there is none. */
bool cursor_play(Cursor *cursor, Point p, Colour colour, Err *err);
void cursor_back(Cursor *cursor, int node); /* to an ancestor of where it stands */
/* Adds to the comment of the node, on a new line. */
bool cursor_comment(Cursor *cursor, const char *text, size_t len, Err *err);

/* Does the stone at p complete a winning row? */
bool cells_win(const Rules *rules, const uint8_t *cells, Point p);

/* Do the colours alternate along the main line, from the side that begins? */
bool record_check_turns(const Record *record, Err *err);

/* The main line with the set-up stones as moves before it, for formats that know only moves from
 * an empty board with Black first. False if the stones cannot be put in such an order, or (unless
 * passes are allowed) if there is a pass. `moves` is the caller's to free. */
typedef struct {
    Point point;
    int elapsed_ms; /* −1: not known */
} FlatMove;
bool record_flatten(const Record *record, bool passes, FlatMove **moves, int *count, Err *err);

/* Is this a key that a tag may have: 1 to RECORD_KEY_MAX small letters, digits and hyphens? */
bool tag_is_key(const char *key, size_t len);

/* Adds text on one line: every control character becomes a blank. */
void text_add_line(Buf *out, const char *text, size_t len);

/* .psq and .rec share their lines. */
bool psq_scan_move(const char *line, int64_t *x, int64_t *y, int64_t *ms);
bool psq_play_move(Source *source, Cursor *cursor, int64_t x, int64_t y, int64_t ms, int origin);
bool psq_scan_code(const char *line, int64_t *code); /* leaves code alone if it is none */
void psq_tag_code(RecordSet *set, Record *record, int64_t code);
int64_t psq_end_code(const Record *record); /* the one it was read with, or one that fits */
void psq_judge(Record *record, Colour to_move, int64_t code, const char *tail);

/* Points of .sgf: record_sgf_points.c. What stands for none is POINT_NONE. */
enum { SGF_SIDE_MAX = 52 };
extern const char *const sgf_signs[SIGN_COUNT]; /* the properties */
bool sgf_point(const Rules *rules, const char *value, size_t length, Point *p, Err *err);
/* A point or a rectangle, from its upper left to its lower right corner. */
bool sgf_area(const Rules *rules, const char *value, Point *from, Point *to, Err *err);
void sgf_add_point(Buf *out, const Rules *rules, Point p);

/* Charsets of .sgf: record_charset.c. */
typedef struct Charset Charset;
/* The one that CA names in the game that begins at `game`; NULL: UTF-8, or none that we know. The
 * one of the game before, or NULL, is kept if it is the same, else closed. */
Charset *charset_for(Charset *charset, const char *game, const char *end);
void charset_close(Charset *charset); /* NULL is fine */
/* Does this byte begin a pair of which the second one may look like ASCII? */
bool charset_pairs(const Charset *charset, int c);
/* Appends a text as UTF-8; what is not in the charset is taken for UTF-8, or else for Latin-1. */
void charset_add(Charset *charset, const char *text, size_t len, Buf *out);

bool psq_read(Source *source);
bool psq_write(const RecordSet *set, Buf *out, Err *err);
bool rec_read(Source *source);
bool rec_write(const RecordSet *set, Buf *out, Err *err);
bool sgf_read(Source *source);
bool sgf_write(const RecordSet *set, Buf *out, Err *err);
bool pos_read(Source *source);
bool pos_write(const RecordSet *set, Buf *out, Err *err);
bool tsv_read(Source *source);
bool tsv_write(const RecordSet *set, Buf *out, Err *err);
bool rif_read(Source *source);
bool rif_write(const RecordSet *set, Buf *out, Err *err);
bool lib_read(Source *source);
