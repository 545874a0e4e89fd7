/* SPDX-License-Identifier: MIT */
/* Records: every format reads back what it writes, says what is wrong with what it refuses, and
 * the thousand real games of ../shared/data go through all of them unharmed. */
#include "base/os.h"
#include "game/notation.h"
#include "game/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void read_or_die(RecordFormat format, const void *bytes, size_t len,
                        const RecordHints *hints, RecordSet *set)
{
    Err err = {{0}};
    if (!record_read(format, bytes, len, "game", hints, set, &err))
        fail_msg("%s: %s", record_format_name(format), err.text);
}

static void read_text(RecordFormat format, const char *text, RecordSet *set)
{
    read_or_die(format, text, strlen(text), NULL, set);
}

static void refused(RecordFormat format, const void *bytes, size_t len, const char *why)
{
    RecordSet set;
    Err err = {{0}};
    if (record_read(format, bytes, len, "game", NULL, &set, &err))
        fail_msg("%s accepted, expected: %s", record_format_name(format), why);
    assert_string_equal(err.text, why);
    assert_int_equal(set.count, 0);
    assert_null(set.records);
}

typedef struct {
    const char *text, *why;
} Refusal;

static void all_refused(RecordFormat format, const Refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        refused(format, cases[i].text, strlen(cases[i].text), cases[i].why);
}

static void written(RecordFormat format, const RecordSet *set, const char *expected)
{
    Buf out = BUF_EMPTY;
    Err err = {{0}};
    if (!record_write(format, set, &out, &err)) fail_msg("%s", err.text);
    assert_string_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void not_written(RecordFormat format, const RecordSet *set, const char *why)
{
    Buf out = BUF_EMPTY;
    Err err = {{0}};
    buf_add_text(&out, "before");
    assert_false(record_write(format, set, &out, &err));
    assert_string_equal(err.text, why);
    assert_string_equal(out.data, "before");
    buf_free(&out);
}

/* Writes a set and reads it back. */
static void convert(RecordFormat format, const RecordSet *from, const RecordHints *hints,
                    RecordSet *to)
{
    Buf out = BUF_EMPTY;
    Err err = {{0}};
    if (!record_write(format, from, &out, &err)) fail_msg("%s", err.text);
    read_or_die(format, buf_text(&out), out.len, hints, to);
    buf_free(&out);
}

static void main_line(const Record *record, Buf *out)
{
    char text[POINT_TEXT_MAX];
    buf_clear(out);
    for (int n = record->nodes[0].first_child; n >= 0; n = record->nodes[n].first_child)
        buf_add_text(out, point_text(&record->rules, record->nodes[n].point, text));
}

static void assert_line(const Record *record, const char *expected)
{
    Buf line = BUF_EMPTY;
    main_line(record, &line);
    assert_string_equal(buf_text(&line), expected);
    buf_free(&line);
}

enum { SAME_TIMES = 1, SAME_INFO = 2, SAME_TREE = 4, SAME_RESULT = 8 };

static void assert_same_info(const Record *a, const Record *b)
{
    assert_true(rules_equal(&a->rules, &b->rules));
    assert_string_equal(a->player[BLACK], b->player[BLACK]);
    assert_string_equal(a->player[WHITE], b->player[WHITE]);
    assert_string_equal(a->event, b->event);
    assert_string_equal(a->site, b->site);
    assert_string_equal(a->date, b->date);
    assert_string_equal(a->round, b->round);
    assert_string_equal(a->opening, b->opening);
    assert_string_equal(a->nodes[0].comment, b->nodes[0].comment);
}

static void assert_same_tags(const Record *a, const Record *b)
{
    assert_int_equal(a->tag_count, b->tag_count);
    for (int i = 0; i < a->tag_count; i++)
        assert_string_equal(a->tags[i].value, record_tag(b, a->tags[i].key));
}

static void assert_same_signs(const RecordNode *a, const RecordNode *b)
{
    const RecordSign *x = NULL, *y = NULL;
    while ((x = record_next_sign(a, x))) {
        y = record_next_sign(b, y);
        assert_non_null(y);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->from, y->from);
        assert_int_equal(x->to, y->to);
        assert_string_equal(x->label, y->label);
    }
    assert_null(record_next_sign(b, y));
}

/* "label h8 A, cross a1-c2" */
static void assert_signs(const Record *record, int node, const char *expected)
{
    static const char *const KINDS[] = {"label", "triangle", "square", "circle", "cross"};
    Buf out = BUF_EMPTY;
    char text[POINT_TEXT_MAX];
    for (const RecordSign *sign = NULL; (sign = record_next_sign(&record->nodes[node], sign));) {
        buf_printf(&out, "%s%s %s", out.len ? ", " : "", KINDS[sign->kind],
                   point_text(&record->rules, sign->from, text));
        if (sign->to != sign->from)
            buf_printf(&out, "-%s", point_text(&record->rules, sign->to, text));
        if (*sign->label) buf_printf(&out, " %s", sign->label);
    }
    assert_string_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void assert_same_nodes(const Record *a, const Record *b)
{
    assert_int_equal(a->node_count, b->node_count);
    for (int i = 0; i < a->node_count; i++) {
        const RecordNode *x = &a->nodes[i], *y = &b->nodes[i];
        assert_int_equal(x->point, y->point);
        assert_int_equal(x->colour, y->colour);
        assert_int_equal(x->parent, y->parent);
        assert_int_equal(x->first_child, y->first_child);
        assert_int_equal(x->next_sibling, y->next_sibling);
        assert_int_equal(x->elapsed_ms, y->elapsed_ms);
        assert_int_equal(x->clock_ms, y->clock_ms);
        assert_string_equal(x->eval, y->eval);
        assert_string_equal(x->comment, y->comment);
        assert_same_signs(x, y);
    }
}

static void assert_same(const Record *a, const Record *b, int what)
{
    int n = a->nodes[0].first_child, m = b->nodes[0].first_child;
    assert_int_equal(a->first, b->first);
    for (; n >= 0 && m >= 0; n = a->nodes[n].first_child, m = b->nodes[m].first_child) {
        assert_int_equal(a->nodes[n].point, b->nodes[m].point);
        assert_int_equal(a->nodes[n].colour, b->nodes[m].colour);
        if (what & SAME_TIMES) assert_int_equal(a->nodes[n].elapsed_ms, b->nodes[m].elapsed_ms);
    }
    assert_int_equal(n, m); /* both at the end */
    if (what & SAME_RESULT) {
        assert_int_equal(a->result, b->result);
        assert_int_equal(a->reason, b->reason);
    }
    if (what & SAME_INFO) {
        assert_same_info(a, b);
        assert_same_tags(a, b);
    }
    if (what & SAME_TREE) assert_same_nodes(a, b);
}

static void test_formats(void **state)
{
    (void)state;
    RecordFormat format;
    Err err;
    static const char *const PATHS[] = {"a.psq", "x/b.REC", "c.sgf", "d.pos",
                                        "e.tsv", "f.xml",   "g.lib"};
    for (int i = 0; i < FORMAT_COUNT; i++) {
        assert_true(record_format_from_name(PATHS[i], &format, &err));
        assert_int_equal(format, i);
        assert_true(record_format_parse(record_format_name((RecordFormat)i), &format, &err));
        assert_int_equal(format, i);
    }
    assert_false(record_format_from_name("dir.psq/game", &format, &err));
    assert_string_equal(err.text, "dir.psq/game: the name does not say the format (.psq .rec .sgf "
                                  ".pos .tsv .rif .xml .lib)");
    assert_false(record_format_parse("pgn", &format, &err));
    assert_non_null(strstr(err.text, "unknown format 'pgn'"));
    RecordSet set;
    record_set_open(&set);
    not_written(FORMAT_LIB, &set, "lib files can only be read here");
    record_set_close(&set);
}

static const char PSQ[] = "Piskvorky 20x15, 11:0, 1\r\n1,1,10\r\n20,15,0\r\n2,1,2147483647\r\n"
                          "SECOND.zip\r\nfirst mover\r\n15\r\n2,Freestyle15_1\r\n";

static void test_psq(void **state)
{
    (void)state;
    RecordSet set;
    read_text(FORMAT_PSQ, PSQ, &set);
    const Record *record = &set.records[0];
    assert_int_equal(record->rules.width, 20);
    assert_int_equal(record->rules.height, 15);
    assert_string_equal(record->player[BLACK], "first mover");
    assert_string_equal(record->player[WHITE], "SECOND.zip");
    assert_line(record, "a15t1b15");
    assert_int_equal(record->nodes[1].elapsed_ms, 10);
    assert_int_equal(record->nodes[3].elapsed_ms, 2147483647);
    assert_int_equal(record->result, RECORD_BLACK_WON); /* White was to move, and out of time */
    assert_int_equal(record->reason, REASON_TIME);
    assert_string_equal(record_tag(record, "psq-end"), "15");
    written(FORMAT_PSQ, &set, PSQ);
    record_set_close(&set);

    /* End codes for games that come from elsewhere, and what they say. */
    read_text(FORMAT_SGF, "(;GM[4]RE[B+T];B[hh])(;GM[4]RE[B+]RS[illegal];B[hh])(;GM[4];B[hh])",
              &set);
    written(FORMAT_PSQ, &set,
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n15\r\n"
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n-2\r\n"
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n-1\r\n");
    RecordSet back;
    convert(FORMAT_PSQ, &set, NULL, &back);
    assert_int_equal(back.records[0].result, RECORD_BLACK_WON);
    assert_int_equal(back.records[0].reason, REASON_TIME);
    assert_int_equal(back.records[1].reason, REASON_CRASH);
    assert_int_equal(back.records[2].result, RECORD_UNKNOWN);
    record_set_close(&back);
    record_set_close(&set);

    /* Saved by hand: no names. Without times. Two games in one file. */
    read_text(FORMAT_PSQ,
              "Piskvorky 15x15, 0:0, 0\n8, 8\n9,8\n-1\n\nPiskvorky 5x5, 0:0, 0\n1,1,3\n0\n", &set);
    assert_int_equal(set.count, 2);
    assert_int_equal(set.records[0].nodes[1].elapsed_ms, -1);
    assert_int_equal(set.records[0].result, RECORD_UNKNOWN);
    written(FORMAT_PSQ, &set,
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,8,0\r\n-1\r\n"
            "Piskvorky 5x5, 0:0, 0\r\n1,1,3\r\n0\r\n");
    record_set_close(&set);
}

static void test_psq_errors(void **state)
{
    (void)state;
    static const Refusal CASES[] = {
        {"", "game: the file is empty"},
        {"Hello\n", "game:1: not a Piskvork header (Piskvorky 20x20, 11:11, 0)"},
        {"Piskvorky 20x20, 11:11\n", "game:1: not a Piskvork header (Piskvorky 20x20, 11:11, 0)"},
        {"Piskvorky 20x20, 1:1, 2\n", "game:1: not a Piskvork header (Piskvorky 20x20, 11:11, 0)"},
        {"Piskvorky 101x20, 1:1, 0\n1,1,0\n-1\n",
         "game:1: a board of 101x20 is not possible (1 to 100 each way)"},
        {"Piskvorky 99999999999999999999x20, 1:1, 0\n-1\n",
         "game:1: a board of 99999999999999999x20 is not possible (1 to 100 each way)"},
        {"Piskvorky 20x15, 1:1, 0\n3,3,1\n21,3,0\n-1\n",
         "game:3: point 21,3 is off the 20x15 board (columns 1 to 20, rows 1 to 15)"},
        {"Piskvorky 20x15, 1:1, 0\n3,0,1\n-1\n",
         "game:2: point 3,0 is off the 20x15 board (columns 1 to 20, rows 1 to 15)"},
        {"Piskvorky 15x15, 1:1, 0\n8,8,1\n9,9,1\n8,8,1\na\nb\n-1\n", "game:4: two stones on h8"},
        {"Piskvorky 15x15, 1:1, 0\n8,8,-5\n-1\n", "game:2: a move cannot take -5 milliseconds"},
        {"Piskvorky 15x15, 1:1, 0\n8,8,1\n",
         "game:2: the file is cut off: names and end code are missing"},
        {"Piskvorky 15x15, 1:1, 0\n8,8,1\nAnn\nBob\n",
         "game:4: 'Ann' is neither a move nor followed by a name and an end code"},
        {"Piskvorky 15x15, 1:1, 0\n8,8,1\n9,\nAnn\nBob\n-1\n",
         "game:6: '9,' is neither a move nor followed by a name and an end code"},
    };
    all_refused(FORMAT_PSQ, CASES, sizeof CASES / sizeof *CASES);
    refused(FORMAT_PSQ, "Piskvorky 15x15, 0:0, 0\n\0", 25,
            "game:2: a zero byte: this is not a text file");
}

/* Every way to cut a file short is noticed, but for a number that lost its last digits. */
static void test_psq_cut(void **state)
{
    (void)state;
    static const char WHOLE[] = "Piskvorky 15x15, 0:0, 0\n8,8,10\n9,9,20\nAnn\nBob\n-1\n";
    size_t len = strlen(WHOLE), code = len - 3;
    for (size_t cut = 0; cut < len; cut++) {
        RecordSet set;
        Err err;
        bool read = record_read(FORMAT_PSQ, WHOLE, cut, "game", NULL, &set, &err);
        assert_int_equal(read, cut > code + 1);
        record_set_close(&set);
    }
}

static void test_rec(void **state)
{
    (void)state;
    static const char REC[] = "Ann\r\nBob\r\n0,0,10\r\n19,19,5\r\n-1\r\n";
    RecordSet set;
    read_text(FORMAT_REC, REC, &set);
    assert_int_equal(set.records[0].rules.width, 20);
    assert_string_equal(set.records[0].player[BLACK], "Ann");
    assert_line(&set.records[0], "a20t1");
    written(FORMAT_REC, &set, REC);
    record_set_close(&set);

    RecordHints hints = {.size_given = true, .width = 15, .height = 15};
    read_or_die(FORMAT_REC, "a\nb\n7,7", 7, &hints, &set); /* Gomotur's: no end code */
    assert_line(&set.records[0], "h8");
    record_set_close(&set);

    static const Refusal CASES[] = {
        {"", "game: a .rec file begins with the names of the two players"},
        {"Ann\n3,4,5\n", "game:2: a .rec file begins with the names of the two players"},
        {"Ann\nBob\n20,0,1\n-1\n",
         "game:3: point 20,0 is off the 20x20 board (columns 0 to 19, rows 0 to 19)"},
        {"Ann\nBob\n1,1,1\n1,1,1\n-1\n", "game:4: two stones on b19"},
        {"Ann\nBob\n1,1,1\nx\n-1\n", "game:4: 'x' is neither a move (x,y,ms) nor an end code"},
        {"Ann\nBob\n1,1,1\n2,2,", "game:4: '2,2,' is neither a move (x,y,ms) nor an end code"},
        {"Ann\nBob\n1,1,1\n-1\n2,2,2\n", "game:5: something follows the end code"},
    };
    all_refused(FORMAT_REC, CASES, sizeof CASES / sizeof *CASES);
}

static const char SGF[] =
    "(;FF[4]GM[4]CA[UTF-8]AP[goren]SZ[15]RU[renju]\n"
    "GN[7]EV[Cup [A\\]]PC[Tallinn]DT[1996-05-17]RO[3]ON[swap2]PB[Ann]PW[Bob \\\\ Co]RE[B+R]"
    "RS[resign]\n"
    "KV[psq-levels:11\\:11][rif-alt:i8]\n"
    "C[All about\nit]\n"
    ";B[hh]MS[1200]BL[59.500]V[0.35]C[centre];W[ih]\n"
    "(;B[gh]MS[7])\n"
    "(;B[gg];W[]\n"
    "(;B[aa])\n"
    "(;B[oo]C[corner]))\n"
    "(;B[gi]))\n";

static void test_sgf(void **state)
{
    (void)state;
    RecordSet set, back;
    read_text(FORMAT_SGF, SGF, &set);
    const Record *record = &set.records[0];
    assert_int_equal(record->rules.kind, RULE_RENJU);
    assert_string_equal(record->event, "Cup [A]");
    assert_string_equal(record->player[WHITE], "Bob \\ Co");
    assert_string_equal(record->opening, "swap2");
    assert_string_equal(record->nodes[0].comment, "All about\nit");
    assert_string_equal(record_tag(record, "psq-levels"), "11:11");
    assert_int_equal(record->result, RECORD_BLACK_WON);
    assert_int_equal(record->reason, REASON_RESIGN);
    assert_line(record, "h8i8g8");
    assert_int_equal(record->node_count, 9);
    assert_int_equal(record_variations(record), 5);
    assert_int_equal(record->nodes[1].clock_ms, 59500);
    assert_string_equal(record->nodes[1].eval, "0.35");
    assert_int_equal(record->nodes[5].point, POINT_NONE);
    assert_string_equal(record->nodes[7].comment, "corner");
    written(FORMAT_SGF, &set, SGF);
    convert(FORMAT_SGF, &set, NULL, &back);
    assert_same(record, &back.records[0], SAME_TIMES | SAME_INFO | SAME_TREE | SAME_RESULT);
    record_set_close(&back);
    record_set_close(&set);
}

static void test_sgf_dialects(void **state)
{
    (void)state;
    RecordSet set;
    /* c-gomoku-cli: number of the rule, reason in words, time as a comment. */
    read_text(FORMAT_SGF,
              "(;FF[4]GM[4]GN[0]EV[A x B]DT[2024.01.02 03:04:05]RO[1.1]RU[1]SZ[20]PB[A]PW[B]"
              "RE[W+1]TE[White win by time forfeit]\n;B[jj]C[opening move]\n\n;W[kk]C[17ms])\n\n"
              "(;GM[4]RU[0]SZ[20]RE[0]TE[Draw by fullfilled board];B[aa]C[3ms])",
              &set);
    assert_int_equal(set.count, 2);
    const Record *record = &set.records[0];
    assert_int_equal(record->rules.kind, RULE_STANDARD);
    assert_int_equal(record->result, RECORD_WHITE_WON);
    assert_int_equal(record->reason, REASON_TIME);
    assert_string_equal(record->nodes[1].comment, "opening move");
    assert_int_equal(record->nodes[2].elapsed_ms, 17);
    assert_string_equal(record->nodes[2].comment, "");
    assert_int_equal(set.records[1].result, RECORD_DRAW);
    assert_int_equal(set.records[1].reason, REASON_FULL);
    record_set_close(&set);

    /* Old files, board notation, tt, capitals, soft line breaks, nodes without moves, unknown
     * properties, a byte order mark. */
    read_text(FORMAT_SGF,
              "\xEF\xBB\xBF ( ; GaMe [4] SiZe[15] C[one\\\ntwo\r\nthree] XY[\\]] ;C[four];Black[H8]"
              "N[x];W[tt];B[HG] ; C[five] LB[aa:1][bb:2];5A[i8])",
              &set);
    record = &set.records[0];
    assert_string_equal(record->nodes[0].comment, "onetwo\nthree\nfour");
    assert_line(record, "h8--h9");
    assert_string_equal(record->nodes[3].comment, "five");
    record_set_close(&set);

    /* A rule that nobody knows, but the user does. */
    static const char OWN[] = "(;GM[4]RU[ours];B[hh])";
    RecordHints hints = {.kind_given = true, .kind = RULE_CARO};
    read_or_die(FORMAT_SGF, OWN, strlen(OWN), &hints, &set);
    assert_int_equal(set.records[0].rules.kind, RULE_CARO);
    record_set_close(&set);

    /* Stones set up: rectangles, the side from PL, from the first move, from the count. */
    read_text(FORMAT_SGF,
              "(;GM[4]SZ[20:15]AB[aa:ca][hh]AW[ab]PL[W])(;GM[4]AB[aa][bb];W[cc])(;GM[4]AB[aa])",
              &set);
    assert_int_equal(set.records[0].setup_count, 5);
    assert_int_equal(set.records[0].first, WHITE);
    assert_int_equal(set.records[0].rules.width, 20);
    assert_int_equal(set.records[0].rules.height, 15);
    assert_int_equal(set.records[1].first, WHITE);
    assert_int_equal(set.records[2].first, WHITE);
    RecordSet back;
    convert(FORMAT_SGF, &set, NULL, &back);
    assert_int_equal(back.records[0].setup_count, 5);
    assert_int_equal(back.records[0].setup[4].colour, WHITE);
    assert_int_equal(back.records[1].first, WHITE);
    record_set_close(&back);
    record_set_close(&set);
}

/* Names are UTF-8 once they are read, whatever they were. */
static void test_sgf_charsets(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } CASES[] = {
        {"(;GM[4]CA[GBK]PB[\xCE\xD2])", "我"},
        {"(;GM[4]PB[\xCD\xA8]CA[gb2312])", "通"},        /* it would be UTF-8, too */
        {"(;GM[4]CA[GBK]PB[\x81\x5D\x81\x5C])", "乚乗"}, /* a bracket and a backslash inside */
        {"(;GM[4]CA[Shift_JIS]PB[\x95\x5C\xB1])", "表ｱ"},
        {"(;GM[4]CA[Big5]PB[\xA5\x5C])", "功"},
        {"(;GM[4]CA[windows-1251]PB[\xCF\xF0])", "Пр"},
        {"(;GM[4]CA[GBK]PB[\xFF])", "ÿ"}, /* it is not what it says */
        {"(;GM[4]PB[J\xFCrgen])", "Jürgen"},
        {"(;GM[4]CA[UTF-8]PB[J\xFCrgen])", "Jürgen"},
        {"(;GM[4]CA[klingon]PB[J\xFCrgen])", "Jürgen"},
        {"(;GM[4]CA[klingon]PB[Jürgen])", "Jürgen"},
        {"(;GM[4]GN[CA\\[]PB[J\xFCrgen];CA[GBK]C[\xCE\xD2])", "Jürgen"},
        {"(;GM[4]CA[GBK]PB[我])", "我"},
    };
    RecordSet set;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        read_text(FORMAT_SGF, CASES[i].text, &set);
        assert_string_equal(set.records[0].player[BLACK], CASES[i].name);
        record_set_close(&set);
    }
    /* Each game of a file has its own. */
    read_text(FORMAT_SGF, "(;GM[4]CA[KOI8-R]PB[\xF0])(;GM[4]PB[\xF0])(;CA[GBK]GM[4]C[\xCE\xD2])",
              &set);
    assert_string_equal(set.records[0].player[BLACK], "П");
    assert_string_equal(set.records[1].player[BLACK], "ð");
    assert_string_equal(set.records[2].nodes[0].comment, "我");
    record_set_close(&set);
    /* Bytes from elsewhere. */
    read_text(FORMAT_PSQ, "Piskvorky 15x15, 0:0, 0\n8,8,1\nJ\xFCrgen\n我\n-1\n", &set);
    written(FORMAT_SGF, &set,
            "(;FF[4]GM[4]CA[UTF-8]AP[goren]SZ[15]RU[freestyle]\nPB[Jürgen]PW[我]RE[?]\n"
            "KV[psq-levels:0\\:0][psq-end:-1]\n\n;B[hh]MS[1])\n");
    record_set_close(&set);
}

/* Signs on the board stay, those that are wrong go, and no game is refused for one. */
static void test_sgf_signs(void **state)
{
    (void)state;
    RecordSet set, back;
    read_text(
        FORMAT_SGF,
        "(;GM[4]SZ[15]LB[hh:A][ii:1\\:2 \\]\\\\][ij:two\nlines]TR[aa][bb:da];B[hh]CR[hh]MA[h9]"
        ";SQ[ab]LB[hh:z](;W[ii]TR[aa][aa])(;W[hi];B[ij]SQ[oo]TR[oo]))",
        &set);
    const Record *record = &set.records[0];
    assert_signs(
        record, 0,
        "label h8 A, label i7 1:2 ]\\, label i6 two lines, triangle a15, triangle b15-d14");
    assert_signs(record, 1, "circle h8, cross h9, square a14, label h8 z");
    assert_signs(record, 2, "triangle a15, triangle a15");
    assert_signs(record, 3, "");
    assert_signs(record, 4, "square o1, triangle o1");
    Buf text = BUF_EMPTY;
    Err err;
    assert_true(record_write(FORMAT_SGF, &set, &text, &err));
    assert_non_null(
        strstr(text.data,
               "\nLB[hh:A][ii:1\\:2 \\]\\\\][ij:two lines]TR[aa][ba:db]\n;B[hh]LB[hh:z]SQ[ab]CR[hh]"
               "MA[hg]"));
    read_text(FORMAT_SGF, text.data, &back);
    written(FORMAT_SGF, &back, text.data);
    assert_same_signs(&record->nodes[0], &back.records[0].nodes[0]);
    assert_signs(&back.records[0], 1, "label h8 z, square a14, circle h8, cross h9");
    record_set_close(&back);
    record_set_close(&set);
    buf_free(&text);

    read_text(FORMAT_SGF,
              "(;GM[4]SZ[15]LB[pp:x][hh][hh:][hh: ][:x][hhh:x][tt:x]TR[][pa][aa:pa][tt][tt:aa][h16]"
              "[?]MA[h8x]SL[hh]CR[hi])",
              &set);
    assert_signs(&set.records[0], 0, "circle h7");
    record_set_close(&set);
}

static void test_sgf_errors(void **state)
{
    (void)state;
    static const Refusal CASES[] = {
        {"", "game:1: the file is empty"},
        {"\n hello", "game:2: a game begins with (; and 'h' stands there"},
        {"()", "game:1: a ; is missing behind the ("},
        {"(;GM[4];B[hh]", "game:1: the file is cut off: 1 ( are not closed"},
        {"(;GM[4]\n;B[hh", "game:2: the file is cut off: this value has no ]"},
        {"Dear (old) friend,\nhere is\n ( ;GM[4];B)", "game:3: property B has no value in [ ]"},
        {"(;GM[4];B[hh](;W[ii]);B[gg])", "game:1: ';' stands where ; ( or ) should"},
        {"(;GM[4];B)", "game:1: property B has no value in [ ]"},
        {"(;GM[1]SZ[19];B[hh])",
         "game:1: GM says that this is another game (five in a row is GM[4])"},
        {"(;GM[4]SZ[0])", "game:1: SZ is not a size (15 or 20:15, 1 to 100 each way)"},
        {"(;GM[4]SZ[15:101])", "game:1: SZ is not a size (15 or 20:15, 1 to 100 each way)"},
        {"(;GM[4]IR[11])", "game:1: IR is not a number in a row (3 to 10)"},
        {"(;GM[4]RU[Chinese])", "game:1: RU: 'Chinese' is not a rule we know (freestyle, standard, "
                                "renju, caro, caro6)"},
        {"(;GM[4]\n;B[hh]\n;W[pp])", "game:3: point [pp] is off the 15x15 board"},
        {"(;GM[4];B[h16])",
         "game:1: point h16 is off the 15x15 board (columns a to o, rows 1 to 15)"},
        {"(;GM[4];B[hh];W[hh])", "game:1: two stones on h8"},
        {"(;GM[4];B[hh](;W[ii];B[hh]))", "game:1: two stones on h8"},
        {"(;GM[4]AB[hh]AW[hh])", "game:1: two stones on h8"},
        {"(;GM[4];B[hh];B[ii])", "game:1: Black moves, but it is White's turn"},
        {"(;GM[4];W[hh])", "game:1: White moves, but it is Black's turn"},
        {"(;GM[4];B[hh]W[ii])", "game:1: two moves in one node"},
        {"(;GM[4];B[hh];AB[ii])",
         "game:1: AB: stones are set up only before the first move and its variations"},
        {"(;GM[4]AE[ii])", "game:1: AE: stones cannot be taken away"},
        {"(;GM[4]PL[x])", "game:1: PL is not a colour (B or W)"},
        {"(;GM[4];B[hh]MS[x])", "game:1: MS is not a number of milliseconds"},
        {"(;GM[4]KV[Foo:1])", "game:1: KV is not key:value"},
    };
    all_refused(FORMAT_SGF, CASES, sizeof CASES / sizeof *CASES);

    RecordSet set;
    Rules rules;
    record_set_open(&set);
    rules_init(&rules, RULE_FREESTYLE, 53, 20, 5);
    record_set_add(&set, &rules);
    not_written(FORMAT_SGF, &set, "game 1: a 53x20 board does not fit into SGF (52x52 at most)");
    record_set_close(&set);
}

/* A file of parentheses must cost no C stack, and no more than a limit of depth. */
static void test_sgf_depth(void **state)
{
    (void)state;
    Buf text = BUF_EMPTY;
    RecordSet set;
    enum { DEPTH = 15000 };
    buf_add_text(&text, "(;GM[4]");
    for (int i = 0; i < DEPTH; i++) buf_printf(&text, "(;%c[]", i % 2 ? 'W' : 'B');
    for (int i = 0; i <= DEPTH; i++) buf_add_char(&text, ')');
    read_text(FORMAT_SGF, text.data, &set);
    assert_int_equal(record_length(&set.records[0]), DEPTH);
    record_set_close(&set);
    buf_clear(&text);
    for (int i = 0; i < 100000; i++) buf_add_text(&text, "(;");
    refused(FORMAT_SGF, text.data, text.len, "game:1: variations more than 20000 deep");
    buf_clear(&text);
    buf_add_text(&text, "(;GM[4]");
    for (int i = 0; i < 30000; i++) buf_printf(&text, ";%c[]", i % 2 ? 'W' : 'B');
    refused(FORMAT_SGF, text.data, text.len, "game:1: more than 20000 moves in one line");
    buf_clear(&text);
    buf_add_text(&text, "(;GM[4]");
    for (int i = 0; i < 30000; i++) buf_add_text(&text, ";C[word]");
    refused(FORMAT_SGF, text.data, text.len,
            "game:1: the comments on one move are too long (65536 bytes at most)");
    buf_free(&text);
}

static void test_pos(void **state)
{
    (void)state;
    RecordSet set;
    read_text(FORMAT_POS, "# openings\nh8i9g7\n\n  b:h8g7/w:i9\r\n", &set);
    assert_int_equal(set.count, 2);
    assert_line(&set.records[0], "h8i9g7");
    assert_int_equal(set.records[1].setup_count, 3);
    assert_int_equal(set.records[1].first, WHITE);
    written(FORMAT_POS, &set, "h8i9g7\nb:h8g7/w:i9\n");
    written(FORMAT_PSQ, &set,
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,7,0\r\n7,9,0\r\n-1\r\n"
            "Piskvorky 15x15, 0:0, 0\r\n8,8,0\r\n9,7,0\r\n7,9,0\r\n-1\r\n");
    record_set_close(&set);
    static const Refusal CASES[] = {
        {"", "game: the file holds no position (one per line, like h8i9g7)"},
        {"# none\n\n", "game: the file holds no position (one per line, like h8i9g7)"},
        {"h8\nh8i9h8\n", "game:2: two stones on h8"},
        {"h8p9\n", "game:1: point p9 is off the 15x15 board (columns a to o, rows 1 to 15)"},
        {"h8,\nhello\n", "game:2: 'hello' is not a point (column letters and row number, like h8)"},
    };
    all_refused(FORMAT_POS, CASES, sizeof CASES / sizeof *CASES);

    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
    record_set_open(&set);
    Record *record = record_set_add(&set, &rules);
    not_written(FORMAT_POS, &set, "game 1: an empty board cannot be written as a line");
    int n = record_add_move(&set, record, 0, rules_nth(&rules, 3), BLACK);
    record_add_move(&set, record, n, POINT_NONE, WHITE);
    not_written(FORMAT_POS, &set, "game 1: move 2 is a pass, which this format cannot hold");
    record_add_move(&set, record, 2, rules_nth(&rules, 5), WHITE);
    not_written(FORMAT_TSV, &set, "game 1: move 3 is out of turn, which this format cannot hold");
    record_add_setup(record, rules_nth(&rules, 9), WHITE);
    not_written(FORMAT_PSQ, &set,
                "game 1: 0 black and 1 white stones set up with Black to move cannot be written as "
                "moves");
    record_set_close(&set);
}

static void test_tsv(void **state)
{
    (void)state;
    RecordSet set, back;
    static const char SUITE[] = "id\trule\tsize\tside\tblack\twhite\tclaim\tsolution\n"
                                "p-1\trenju\t15\tb\tj12f10\tf11i11\tvcf\tf8 e8 f6\n"
                                "p-2\tcaro\t20x15\tw\th8\t-\t\t\n";
    read_text(FORMAT_TSV, SUITE, &set);
    assert_int_equal(set.count, 2);
    assert_int_equal(set.records[0].rules.kind, RULE_RENJU);
    assert_int_equal(set.records[0].setup_count, 4);
    assert_string_equal(record_tag(&set.records[0], "solution"), "f8 e8 f6");
    assert_int_equal(set.records[1].rules.width, 20);
    assert_int_equal(set.records[1].first, WHITE);
    written(FORMAT_TSV, &set, SUITE);
    record_set_close(&set);

    read_text(FORMAT_TSV,
              "plies\tmoves\tid\tresult\treason\ttimes\tcomment\tblack_name\ttags\n"
              "9\th8 i9,--g7\ta\\tb\tdraw\tagreed\t1 - 300\ttwo\\nlines \\\\ \\x\tAnn\t"
              "psq-end=-1\\tpsq-tail=x\\ny\n",
              &set);
    const Record *record = &set.records[0];
    assert_line(record, "h8i9--g7");
    assert_string_equal(record->name, "a\tb");
    assert_int_equal(record->result, RECORD_DRAW);
    assert_int_equal(record->reason, REASON_AGREED);
    assert_int_equal(record->nodes[1].elapsed_ms, 1);
    assert_int_equal(record->nodes[2].elapsed_ms, -1);
    assert_int_equal(record->nodes[3].elapsed_ms, 300);
    assert_int_equal(record->nodes[4].elapsed_ms, -1);
    assert_string_equal(record->nodes[0].comment, "two\nlines \\ \\x");
    assert_string_equal(record_tag(record, "psq-tail"), "x\ny");
    convert(FORMAT_TSV, &set, NULL, &back);
    assert_same(record, &back.records[0], SAME_TIMES | SAME_INFO | SAME_RESULT | SAME_TREE);
    record_set_close(&back);
    record_set_close(&set);
}

static void test_tsv_errors(void **state)
{
    (void)state;
    static const Refusal CASES[] = {
        {"", "game: the file is empty"},
        {"id\tside\n", "game:1: the first row names no column with stones (black, white, moves)"},
        {"moves\tmoves\n", "game:1: column moves stands twice"},
        {"moves\nh8\ti9\n", "game:2: this row has more than the 1 fields of the first row"},
        {"moves\tresult\ttimes\nh8\tb\nh8\tb",
         "game:3: this row is cut off: it has 2 of the 3 fields of the first row"},
        {"moves\tsize\nh8\t0\n", "game:2: '0' is not a size (15 or 20x15, 1 to 100 each way)"},
        {"moves\twin\nh8\t2\n", "game:2: '2' is not a number in a row (3 to 10)"},
        {"moves\trule\nh8\tgo\n", "game:2: unknown rule 'go' (freestyle, standard, renju, caro, "
                                  "caro6; or 0, 1, 4, 9, 8)"},
        {"black\tside\nh8\tx\n", "game:2: 'x' is not a side (b or w)"},
        {"black\twhite\nh8\th8\n", "game:2: two stones on h8"},
        {"black\twhite\nh8g8\t-\n",
         "game:2: 2 black and 0 white stones do not say whose turn it is (give the side)"},
        {"moves\nh8h8\n", "game:2: two stones on h8"},
        {"moves\nh8x99\n",
         "game:2: point x99 is off the 15x15 board (columns a to o, rows 1 to 15)"},
        {"moves\tresult\nh8\t1-0\n", "game:2: '1-0' is not a result (b, w, draw or nothing)"},
        {"moves\ttimes\nh8\t1 2\n", "game:2: there are more times than moves"},
        {"moves\ttimes\nh8\tx\n", "game:2: times are milliseconds or -, with a blank between them"},
        {"moves\ttags\nh8\tA=b\n", "game:2: tags are key=value"},
    };
    all_refused(FORMAT_TSV, CASES, sizeof CASES / sizeof *CASES);
}

static const char RIF[] =
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<database version=\"1.0\">\n"
    "<countries><country id=\"5\" name=\"Estonia\" abbr=\"EST\"/></countries>\n"
    "<cities><city id=\"3\" name=\"Tallinn\" country=\"5\"/></cities>\n"
    "<rules><rule id=\"1\" name=\"RIF\"><info>old &amp; good</info></rule>"
    "<rule id=\"2\" name=\"Gomoku swap2\"/></rules>\n"
    "<openings><opening id=\"21\" name=\"Kagetsu\" abbr=\"4D\"/></openings>\n"
    "<games><game id=\"12\" publisher=\"7\" tournament=\"2\" round=\"4\" rule=\"1\" black=\"7\" "
    "white=\"8\" bresult=\"0.5\" btime=\"0\" wtime=\"95\" opening=\"21\" alt=\"i8\" swap=\"R\">\n"
    "<move>h8 h9\n h7</move><info>S\xF6"
    "derk\xF6ping</info></game>\n"
    "<game id=\"13\" rule=\"2\" black=\"8\" white=\"99\"><move></move></game></games>\n"
    "<players><player id=\"8\" name=\"Ann\" surname=\"Bee\"/>"
    "<player id=\"7\" name=\"\" surname=\"Cee\"/></players>\n"
    "<tournaments><tournament id=\"2\" name=\"WC\" country=\"0\" city=\"3\" year=\"1996\" "
    "start=\"1996-05-17\"/></tournaments>\n</database>\n";

static void test_rif(void **state)
{
    (void)state;
    RecordSet set, back;
    read_text(FORMAT_RIF, RIF, &set);
    assert_int_equal(set.count, 2);
    const Record *record = &set.records[0];
    assert_int_equal(record->rules.kind, RULE_RENJU);
    assert_string_equal(record->name, "12");
    assert_string_equal(record->player[BLACK], "Cee");
    assert_string_equal(record->player[WHITE], "Ann Bee");
    assert_string_equal(record->event, "WC");
    assert_string_equal(record->site, "Tallinn, Estonia");
    assert_string_equal(record->date, "1996-05-17");
    assert_string_equal(record->round, "4");
    assert_string_equal(record->opening, "RIF");
    assert_string_equal(record->nodes[0].comment, "Söderköping");
    assert_string_equal(record_tag(record, "rif-alt"), "i8");
    assert_string_equal(record_tag(record, "rif-wtime"), "95");
    assert_string_equal(record_tag(record, "rif-btime"), "");
    assert_string_equal(record_tag(record, "rif-pattern"), "Kagetsu");
    assert_int_equal(record->result, RECORD_DRAW);
    assert_line(record, "h8h9h7");
    assert_int_equal(set.records[1].rules.kind, RULE_STANDARD);
    assert_string_equal(set.records[1].player[WHITE], "");
    assert_int_equal(set.records[1].result, RECORD_UNKNOWN);
    convert(FORMAT_RIF, &set, NULL, &back);
    for (int i = 0; i < set.count; i++)
        assert_same(&set.records[i], &back.records[i], SAME_INFO | SAME_RESULT);
    record_set_close(&back);
    record_set_close(&set);
}

/* What XML cannot hold is replaced; the file stays well-formed and the rest is untouched. */
static void test_rif_texts(void **state)
{
    (void)state;
    RecordSet set, back;
    Rules rules;
    rules_init(&rules, RULE_CARO6, 7, 9, 4);
    record_set_open(&set);
    Record *record = record_set_add(&set, &rules);
    record->name = "<&\">'";
    record->player[BLACK] = "caf\xE9 \xE2\x82\xAC";
    record->player[WHITE] = "\x01 tab\t line\n";
    record->event = "same";
    record->opening = "swap2";
    record->reason = REASON_CRASH;
    record->result = RECORD_WHITE_WON;
    convert(FORMAT_RIF, &set, NULL, &back);
    record = &back.records[0];
    assert_true(rules_equal(&record->rules, &rules));
    assert_string_equal(record->name, "<&\">'");
    assert_string_equal(record->player[BLACK], "café €");
    assert_string_equal(record->player[WHITE], "\xEF\xBF\xBD tab\t line\n");
    assert_string_equal(record->opening, "swap2");
    assert_int_equal(record->reason, REASON_CRASH);
    assert_int_equal(record->result, RECORD_WHITE_WON);
    record_set_close(&back);
    record_set_close(&set);
}

static void test_rif_errors(void **state)
{
    (void)state;
    static const Refusal CASES[] = {
        {"", "game:1: not well-formed XML: no element found"},
        {"<database>\n<games>\n", "game:3: not well-formed XML: no element found"},
        {"<a>\n<b></a>", "game:2: not well-formed XML: mismatched tag"},
        {"<a>\n<game bresult=\"2\"><move>h8</move></game></a>",
         "game:2: bresult is not a result (1, 0.5 or 0)"},
        {"<a><game>\n<move>h8 h8</move></game></a>", "game:2: two stones on h8"},
        {"<a><game>\n<move>h8 z9</move></game></a>",
         "game:2: point z9 is off the 15x15 board (columns a to o, rows 1 to 15)"},
        {"<a><game size=\"0x5\"/></a>", "game:1: size is not a size (20x15, 1 to 100 each way)"},
        {"<a><game win=\"2\"/></a>", "game:1: win is not a number in a row (3 to 10)"},
        {"<a><game><game/></game></a>", "game:1: a <game> inside a <game>"},
        {"<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a>&x;</a>", "game:1: entities are not accepted"},
    };
    all_refused(FORMAT_RIF, CASES, sizeof CASES / sizeof *CASES);
}

#define LIB_HEADER  "\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
#define BYTES(text) (text), sizeof(text) - 1

/* h8 with a comment; then i9 (g7), h9 with an old comment and a board text, a text on an empty
 * point, and a pass. */
static const char LIB[] = LIB_HEADER "\x00\x00"
                                     "\x78\x08one\btwo\r\n\0"
                                     "\x69\x80"
                                     "\x87\x40"
                                     "\x68\xA1\x00\x01\x53{\xEB\0"
                                     "A\0"
                                     "\x77\x40"
                                     "\x58\xC3\x00\x01"
                                     "B2\0\0"
                                     "\x00\x40";

static void test_lib(void **state)
{
    (void)state;
    RecordSet set, back;
    read_or_die(FORMAT_LIB, BYTES(LIB), NULL, &set);
    const Record *record = &set.records[0];
    assert_int_equal(record->rules.kind, RULE_RENJU);
    assert_line(record, "h8i9g7");
    assert_string_equal(record->nodes[1].comment, "one\ntwo");
    assert_signs(record, 1, "label h9 A, label h10 B2");
    assert_int_equal(record->node_count, 7);
    assert_int_equal(record_variations(record), 3);
    assert_string_equal(record->nodes[4].comment, "Säk");
    assert_int_equal(record->nodes[6].point, POINT_NONE);
    convert(FORMAT_SGF, &set, NULL, &back);
    assert_same(record, &back.records[0], SAME_TREE | SAME_INFO);
    record_set_close(&back);
    record_set_close(&set);

    read_or_die(FORMAT_LIB, BYTES("\x78\x00\x79\x40"), NULL, &set); /* older than the header */
    assert_line(&set.records[0], "h8i8");
    record_set_close(&set);
}

static void test_lib_errors(void **state)
{
    (void)state;
    refused(FORMAT_LIB, BYTES(""), "game: not a RenLib library (it begins with FF \"RenLib\" FF)");
    refused(FORMAT_LIB, BYTES("hello"),
            "game: not a RenLib library (it begins with FF \"RenLib\" FF)");
    refused(FORMAT_LIB, BYTES("\xFFRenLib\xFF\x04\x00          "),
            "game: a library of version 4.0 (up to 3.4 is known)");
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\x78"), "game: byte 22: the file is cut off");
    refused(FORMAT_LIB,
            BYTES(LIB_HEADER "\x00\x00\x78\x08"
                             "abcd"),
            "game: byte 28: the file is cut off");
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\x70\x40"),
            "game: byte 24: a point off the 15x15 board");
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\xF1\x40"),
            "game: byte 24: a point off the 15x15 board");
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\x78\x00\x78\x40"),
            "game: byte 26: two stones on h8");
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\x78\x40\x79\x40"),
            "game: byte 24: something follows the last variation");
    /* A second sibling with siblings of its own that never come. */
    refused(FORMAT_LIB, BYTES(LIB_HEADER "\x00\x00\x78\x80\x79\x40\x77\x80\x76\x00"),
            "game: byte 30: the file is cut off: a variation does not end");
    RecordHints hints = {.size_given = true, .width = 20, .height = 20};
    RecordSet set;
    Err err;
    assert_false(record_read(FORMAT_LIB, BYTES(LIB), "game", &hints, &set, &err));
    assert_string_equal(err.text, "game: a RenLib library is always 15x15");
}

/* Who won, by rule: the row that counts here does not count there. */
static void test_judge(void **state)
{
    (void)state;
    static const struct {
        RuleKind kind;
        const char *moves;
        RecordResult result;
    } CASES[] = {
        {RULE_FREESTYLE, "a1a3b1b3c1c3d1d3e1", RECORD_BLACK_WON},
        {RULE_FREESTYLE, "a1a3b1b3c1c3e1d3f1f3d1", RECORD_BLACK_WON}, /* six */
        {RULE_STANDARD, "a1a3b1b3c1c3e1d3f1f3d1", RECORD_UNKNOWN},
        {RULE_RENJU, "a1a3b1b3c1c3e1d3f1f3d1", RECORD_WHITE_WON}, /* six is a foul */
        {RULE_RENJU, "a1a3b1b3c1c3e1d3f1f3d1o1", RECORD_UNKNOWN}, /* which nobody claimed */
        {RULE_RENJU, "h8a1i8a15h7o1i7o15h9", RECORD_UNKNOWN},
        {RULE_RENJU, "a1a3b1b3c1c3e1e3f1f3h1d3", RECORD_WHITE_WON}, /* six is White's */
        {RULE_CARO, "b1a1c1g1d1a2e1a3f1", RECORD_UNKNOWN},          /* both ends taken */
        {RULE_CARO, "a1f1b1g1c1g2d1g3e1", RECORD_BLACK_WON},        /* the edge does not count */
        {RULE_CARO6, "b1a1c1h1d1a2f1a3g1a4e1", RECORD_BLACK_WON},   /* six between two stones */
        {RULE_CARO, "b1a1c1h1d1a2f1a3g1a4e1", RECORD_UNKNOWN},
        {RULE_FREESTYLE, "a1a2b2b1c3c1d4d1e5", RECORD_BLACK_WON},
        {RULE_FREESTYLE, "a5a1b4b1c3c1d2d1e1", RECORD_BLACK_WON},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        RecordHints hints = {.kind_given = true, .kind = CASES[i].kind};
        RecordSet set;
        read_or_die(FORMAT_POS, CASES[i].moves, strlen(CASES[i].moves), &hints, &set);
        assert_int_equal(set.records[0].result, CASES[i].result);
        record_set_close(&set);
    }
    RecordHints tiny = {.size_given = true, .width = 2, .height = 2};
    RecordSet set;
    read_or_die(FORMAT_POS, "a1a2b1b2", 8, &tiny, &set);
    assert_int_equal(set.records[0].result, RECORD_DRAW);
    assert_int_equal(set.records[0].reason, REASON_FULL);
    record_set_close(&set);

    /* Three and three; and a pass takes no room on the board. */
    Buf text = BUF_EMPTY;
    buf_add_text(&text, "(;GM[4]RU[renju];B[fh];W[ao];B[ih];W[aa];B[hi];W[oh];B[hj];W[oj]");
    for (int i = 0; i < 500; i++) buf_add_text(&text, ";B[];W[]");
    buf_add_text(&text, ";B[hh])");
    read_text(FORMAT_SGF, text.data, &set);
    assert_int_equal(set.records[0].result, RECORD_WHITE_WON);
    assert_int_equal(set.records[0].reason, REASON_FOUL);
    record_set_close(&set);
    buf_free(&text);
}

static bool read_real_game(const char *folder, int number, Buf *file)
{
    Buf path = BUF_EMPTY;
    Err err;
    buf_printf(&path, "%s/psq/%04d.psq", folder, number);
    buf_clear(file);
    bool read = access(path.data, R_OK) == 0 && os_file_read(path.data, 1 << 20, file, &err);
    buf_free(&path);
    return read;
}

/* Through the formats that keep everything (SGF byte for byte), then through those that keep the
 * moves and let the board say who won. */
static void pass_real_game(const Buf *file, int *draws)
{
    RecordSet psq, sgf, pos, tsv, rif;
    Buf out = BUF_EMPTY;
    Err err;
    read_or_die(FORMAT_PSQ, file->data, file->len, NULL, &psq);
    const Record *game = &psq.records[0];
    assert_true(game->result != RECORD_UNKNOWN);
    *draws += game->result == RECORD_DRAW;

    convert(FORMAT_SGF, &psq, NULL, &sgf);
    assert_same(game, &sgf.records[0], SAME_TIMES | SAME_INFO | SAME_TREE | SAME_RESULT);
    assert_true(record_write(FORMAT_PSQ, &sgf, &out, &err));
    assert_int_equal(out.len, file->len);
    assert_memory_equal(out.data, file->data, out.len);

    convert(FORMAT_TSV, &psq, NULL, &tsv);
    assert_same(game, &tsv.records[0], SAME_TIMES | SAME_INFO | SAME_TREE | SAME_RESULT);
    record_set_close(&tsv);
    convert(FORMAT_RIF, &psq, NULL, &rif);
    assert_same(game, &rif.records[0], SAME_RESULT);

    RecordHints hints = {.size_given = true, .width = 20, .height = 20};
    convert(FORMAT_POS, &psq, &hints, &pos);
    convert(FORMAT_TSV, &pos, NULL, &tsv);
    assert_same(game, &tsv.records[0], game->result == RECORD_DRAW ? 0 : SAME_RESULT);

    record_set_close(&psq);
    record_set_close(&sgf);
    record_set_close(&pos);
    record_set_close(&tsv);
    record_set_close(&rif);
    buf_free(&out);
}

static void test_real_games(void **state)
{
    (void)state;
    static const char ARCHIVE[] = "../shared/data/games/psq-1000.tar.gz";
    if (access(ARCHIVE, R_OK) != 0) {
        print_message("%s is not here: skipped\n", ARCHIVE);
        skip();
    }
    char folder[] = "/tmp/goren-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    Buf command = BUF_EMPTY, file = BUF_EMPTY;
    buf_printf(&command, "tar xzf %s -C %s", ARCHIVE, folder);
    assert_int_equal(system(command.data), 0);
    int games = 0, draws = 0;
    for (int i = 0; i <= 1000; i++)
        if (read_real_game(folder, i, &file)) {
            pass_real_game(&file, &draws);
            games++;
        }
    buf_clear(&command);
    buf_printf(&command, "rm -r %s", folder);
    assert_int_equal(system(command.data), 0);
    buf_free(&command);
    buf_free(&file);
    assert_int_equal(games, 1000);
    assert_int_equal(draws, 1);
}

/* The suites of ../shared/data: what we write has the stones, sides and solutions we read. */
static void test_real_suites(void **state)
{
    (void)state;
    static const char *const PATHS[] = {"../shared/data/suites/vcf-renju.tsv",
                                        "../shared/data/suites/engines.tsv",
                                        "../shared/data/forbidden/cases.tsv"};
    if (access(PATHS[0], R_OK) != 0) skip();
    for (size_t i = 0; i < sizeof PATHS / sizeof *PATHS; i++) {
        Buf file = BUF_EMPTY;
        Err err;
        RecordSet set, back, sgf;
        RecordHints hints = {.kind_given = true, .kind = RULE_RENJU};
        assert_true(os_file_read(PATHS[i], 1 << 24, &file, &err));
        bool sides = strstr(PATHS[i], "forbidden") == NULL;
        bool read = record_read(FORMAT_TSV, file.data, file.len, PATHS[i], &hints, &set, &err);
        if (!read && sides) fail_msg("%s", err.text);
        if (read) {
            convert(FORMAT_TSV, &set, NULL, &back);
            convert(FORMAT_SGF, &set, NULL, &sgf);
            for (int r = 0; r < set.count; r++) {
                assert_same(&set.records[r], &back.records[r], SAME_INFO);
                assert_int_equal(set.records[r].setup_count, sgf.records[r].setup_count);
                assert_int_equal(set.records[r].first, sgf.records[r].first);
                assert_same_tags(&set.records[r], &sgf.records[r]);
            }
            record_set_close(&back);
            record_set_close(&sgf);
            record_set_close(&set);
        }
        buf_free(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),      cmocka_unit_test(test_psq),
        cmocka_unit_test(test_psq_errors),   cmocka_unit_test(test_psq_cut),
        cmocka_unit_test(test_rec),          cmocka_unit_test(test_sgf),
        cmocka_unit_test(test_sgf_dialects), cmocka_unit_test(test_sgf_errors),
        cmocka_unit_test(test_sgf_charsets), cmocka_unit_test(test_sgf_signs),
        cmocka_unit_test(test_pos),          cmocka_unit_test(test_sgf_depth),
        cmocka_unit_test(test_tsv),          cmocka_unit_test(test_tsv_errors),
        cmocka_unit_test(test_rif),          cmocka_unit_test(test_rif_texts),
        cmocka_unit_test(test_rif_errors),   cmocka_unit_test(test_lib),
        cmocka_unit_test(test_lib_errors),   cmocka_unit_test(test_judge),
        cmocka_unit_test(test_real_games),   cmocka_unit_test(test_real_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
