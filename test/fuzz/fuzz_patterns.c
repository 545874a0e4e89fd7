/* SPDX-License-Identifier: MIT */
/* libFuzzer on texts of patterns: what is read is written and read back the same. */
#include "eval/pattern_book.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PatternBook book, again;
    Buf text = BUF_EMPTY;
    Err err;
    if (!pattern_book_parse((const char *)data, size, "f", &book, &err)) return 0;
    pattern_book_write(&book, &text);
    if (!pattern_book_parse(text.data, text.len, "f", &again, &err)) abort();
    if (again.count != book.count || again.k != book.k) abort();
    for (int i = 0; i < book.count; i++) {
        const PatternRow *row = &book.rows[i], *read = pattern_book_find(&again, &row->pattern);
        if (!read || read->score != row->score || read->sightings != row->sightings ||
            read->wins != row->wins || read->losses != row->losses)
            abort();
    }
    pattern_book_free(&again);
    pattern_book_free(&book);
    buf_free(&text);
    return 0;
}
