/* SPDX-License-Identifier: MIT */
/* What the record fuzzers share: a file that was read can be written in every format that has room
 * for it, and what was written is read back with the same moves. */
#pragma once

#include "game/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void fuzz_check_links(const Record *record)
{
    for (int n = 1; n < record->node_count; n++) {
        const RecordNode *node = &record->nodes[n];
        if (node->parent < 0 || node->parent >= n) abort();
        if (node->first_child >= 0 && record->nodes[node->first_child].parent != n) abort();
        if (node->next_sibling >= 0 && record->nodes[node->next_sibling].parent != node->parent)
            abort();
    }
}

/* The node after n, parents before their children; -1: none. */
static int fuzz_next_node(const Record *record, int n)
{
    if (record->nodes[n].first_child >= 0) return record->nodes[n].first_child;
    while (n >= 0 && record->nodes[n].next_sibling < 0) n = record->nodes[n].parent;
    return n < 0 ? n : record->nodes[n].next_sibling;
}

static const RecordSign *fuzz_next_sign(const RecordNode *node, const RecordSign *sign, int kind)
{
    do sign = record_next_sign(node, sign);
    while (sign && sign->kind != kind);
    return sign;
}

/* Signs keep their order among those of their kind. */
static void fuzz_compare_signs(const RecordNode *a, const RecordNode *b, int kind)
{
    const RecordSign *x = fuzz_next_sign(a, NULL, kind), *y = fuzz_next_sign(b, NULL, kind);
    while (x && y) {
        if (x->from != y->from || x->to != y->to || strcmp(x->label, y->label) != 0) abort();
        x = fuzz_next_sign(a, x, kind);
        y = fuzz_next_sign(b, y, kind);
    }
    if (x || y) abort();
}

static void fuzz_compare_trees(const Record *a, const Record *b)
{
    if (a->node_count != b->node_count) abort();
    for (int n = 0, m = 0; n >= 0;) {
        for (int kind = 0; kind < SIGN_COUNT; kind++)
            fuzz_compare_signs(&a->nodes[n], &b->nodes[m], kind);
        n = fuzz_next_node(a, n);
        m = fuzz_next_node(b, m);
        if ((n < 0) != (m < 0)) abort();
    }
}

static void fuzz_compare(const Record *a, const Record *b)
{
    int n = a->nodes[0].first_child, m = b->nodes[0].first_child;
    if (a->setup_count != b->setup_count) return; /* stones that became moves */
    while (n >= 0 && m >= 0) {
        if (a->nodes[n].point != b->nodes[m].point) abort();
        n = a->nodes[n].first_child;
        m = b->nodes[m].first_child;
    }
    if (n != m) abort();
}

static void fuzz_convert(const RecordSet *set, RecordFormat format)
{
    Buf out = BUF_EMPTY;
    RecordSet back;
    Err err;
    if (set->count && record_write(format, set, &out, &err)) {
        const Rules *rules = &set->records[0].rules;
        RecordHints hints = {.size_given = true,
                             .k_given = true,
                             .width = rules->width,
                             .height = rules->height,
                             .k = rules->k};
        bool needed = format == FORMAT_POS || format == FORMAT_REC;
        bool read = record_read(format, buf_text(&out), out.len, "out", needed ? &hints : NULL,
                                &back, &err);
        /* .pos does not say the size, so games of different sizes do not come back from it. */
        if (!read && format != FORMAT_POS) abort();
        if (read && format != FORMAT_POS && back.count != set->count) abort();
        for (int i = 0; read && back.count == set->count && i < set->count; i++)
            if (rules_equal(&set->records[i].rules, &back.records[i].rules)) {
                fuzz_compare(&set->records[i], &back.records[i]);
                if (record_format_has_variations(format))
                    fuzz_compare_trees(&set->records[i], &back.records[i]);
            }
        record_set_close(&back);
    }
    buf_free(&out);
}

static int fuzz_record(RecordFormat format, const uint8_t *data, size_t size)
{
    RecordSet set;
    Err err;
    bool read = record_read(format, data, size, "in", NULL, &set, &err);
    for (int i = 0; read && i < set.count; i++) fuzz_check_links(&set.records[i]);
    for (int f = 0; read && f < FORMAT_COUNT; f++) fuzz_convert(&set, (RecordFormat)f);
    record_set_close(&set);
    return 0;
}
