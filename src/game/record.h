/* SPDX-License-Identifier: MIT */
/* Record: a game as files keep it. Rules, stones set up, a tree of moves, result, names.
 *
 * The tree is an array of nodes; node 0 is the root and holds no move:
 *
 *      0 ── 1 ── 2 ── 3        the main line is the first child each time
 *           └─── 4 ── 5        4 is the next sibling of 2
 *
 * Files hold one game or many: a RecordSet. It owns all texts of its records ("" when unknown,
 * never NULL); whoever fills a record in may also point at texts that live longer than the set.
 * Reading gives whole, legal records or none at all: every stone on the board, on a point of its
 * own and in turn. Formats without variations get the main line. */
#pragma once

#include "base/buf.h"
#include "base/mem.h"
#include "game/board.h"

#include <stddef.h>

typedef enum { RECORD_UNKNOWN, RECORD_BLACK_WON, RECORD_WHITE_WON, RECORD_DRAW } RecordResult;

typedef enum {
    REASON_UNKNOWN,
    REASON_FIVE, /* k in a row */
    REASON_FOUL,
    REASON_TIME,
    REASON_RESIGN,
    REASON_CRASH,
    REASON_ILLEGAL,
    REASON_FULL,        /* no room left, or too little by the manager's rule */
    REASON_AGREED,      /* a draw by agreement */
    REASON_ADJUDICATED, /* by the manager or a referee */
    REASON_MEMORY,      /* a brain used more than it was given */
    REASON_COUNT
} RecordReason;

typedef enum {
    SIGN_LABEL,
    SIGN_TRIANGLE,
    SIGN_SQUARE,
    SIGN_CIRCLE,
    SIGN_CROSS,
    SIGN_COUNT
} RecordSignKind;

/* Something drawn on the board while a node is shown: on a point, or on each of a rectangle, which
 * stays one so that no file grows by being read. */
typedef struct RecordSign {
    struct RecordSign *next; /* after the last comes the first */
    const char *label;       /* of a label, on one line; else "" */
    Point from, to;          /* upper left, lower right */
    uint8_t kind;            /* RecordSignKind */
} RecordSign;

typedef struct {
    Point point;                           /* POINT_NONE: a pass */
    uint8_t colour;                        /* Colour */
    int parent, first_child, next_sibling; /* node numbers; −1: none */
    int elapsed_ms;                        /* time this move took; −1: not known */
    int clock_ms;                          /* left on the mover's clock after it; −1: not known */
    const char *eval;    /* what the mover thought of it, as written: "0.35", "+M12" */
    const char *comment; /* of the root: on the game as a whole */
    RecordSign *signs;   /* the last of a ring; NULL: none */
} RecordNode;

typedef struct {
    Point point;
    uint8_t colour; /* Colour */
} RecordStone;

/* What one format knows and others only carry along:
 *   psq-levels "11:11"   psq-first "1" if the second name played first   psq-end the end code
 *   psq-tail lines after it   rif-alt rif-swap rif-pattern rif-info rif-btime rif-wtime
 *   claim, solution of a problem suite   sgf-5a the fifth moves offered */
typedef struct {
    const char *key; /* small letters, digits and hyphens */
    const char *value;
} RecordTag;

typedef struct {
    Rules rules;
    RecordStone *setup; /* owned */
    int setup_count;
    Colour first;      /* whose turn it is after the setup */
    RecordNode *nodes; /* owned; nodes[0] is the root */
    int node_count, node_cap;
    RecordTag *tags; /* owned */
    int tag_count;
    RecordResult result;
    RecordReason reason;
    const char *player[COLOUR_COUNT], *name, *event, *site, *date, *round;
    const char *opening; /* the opening phase: "swap2", "Taraguchi-10", … */
} Record;

typedef struct {
    Record *records; /* owned; moves when a record is added */
    int count, cap;
    long node_total; /* of all records, kept below a limit */
    Arena texts;
} RecordSet;

void record_set_open(RecordSet *set);
void record_set_close(RecordSet *set);

/* A new game without moves; the pointer is good until the next one is added. */
Record *record_set_add(RecordSet *set, const Rules *rules);
const char *record_text(RecordSet *set, const char *text, size_t len); /* the set's own copy */
void record_add_setup(Record *record, Point point, Colour colour);
/* Adds a move as the last child of node parent and returns its number. The caller sees to it that
 * the move is legal. */
int record_add_move(RecordSet *set, Record *record, int parent, Point point, Colour colour);
/* A copy of it; a label that says nothing is none. */
void record_add_sign(RecordSet *set, RecordNode *node, const RecordSign *sign);
/* The sign of the node after this one; NULL begins, and is behind the last. */
const RecordSign *record_next_sign(const RecordNode *node, const RecordSign *sign);
const char *record_tag(const Record *record, const char *key);
void record_set_tag(RecordSet *set, Record *record, const char *key, const char *value);

int record_length(const Record *record);     /* moves of the main line */
int record_variations(const Record *record); /* nodes off the main line */
/* A board with the stones and the main line on it. */
Board *record_board(const Record *record, Near near);
/* Sets result and reason where they are unknown and the main line shows them: a row, a forbidden
 * move at its end, or a full board. */
void record_judge(Record *record);

const char *record_reason_name(RecordReason reason); /* "" for unknown */
RecordReason record_reason_parse(const char *name);  /* REASON_UNKNOWN for any other name */

typedef enum {
    FORMAT_PSQ,
    FORMAT_REC,
    FORMAT_SGF,
    FORMAT_POS,
    FORMAT_TSV,
    FORMAT_RIF,
    FORMAT_LIB, /* read only */
    FORMAT_COUNT
} RecordFormat;

const char *record_format_name(RecordFormat format);                        /* "psq" … */
bool record_format_parse(const char *name, RecordFormat *format, Err *err); /* "psq", "xml" … */
bool record_format_from_name(const char *path, RecordFormat *format, Err *err);
bool record_format_has_variations(RecordFormat format);

/* For what a format does not say. What a file does say is believed. */
typedef struct {
    bool kind_given, size_given, k_given; /* else each format takes what is usual for it */
    RuleKind kind;
    int width, height, k; /* in the range of rules_check */
    char side;            /* of set-up stones: as position_parse takes it */
} RecordHints;

/* Opens set and reads a whole file into it; `name` is for the errors, which read
 * "name:line: what is wrong". hints may be NULL. On failure set is closed. */
bool record_read(RecordFormat format, const void *bytes, size_t len, const char *name,
                 const RecordHints *hints, RecordSet *set, Err *err);
/* Appends the file to out; on failure out is as it was. */
bool record_write(RecordFormat format, const RecordSet *set, Buf *out, Err *err);
