/* SPDX-License-Identifier: MIT */
/* libFuzzer on opening files: what is read is written in both forms and read back the same. */
#include "play/openings.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One byte for the rule, one for the size of the board, then the file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Rules rules;
    Openings openings, again;
    Err err;
    if (size < 2) return 0;
    rules_init(&rules, data[0] % RULE_COUNT, 1 + data[1] % 22, 1 + data[1] % 19, 5);
    if (!openings_parse((const char *)data + 2, size - 2, "f", &rules, &openings, &err)) return 0;
    for (OpeningForm form = OPENING_POS; form <= OPENING_OFFSET; form++) {
        Buf text = BUF_EMPTY;
        openings_write(&openings, form, &text);
        if (!openings_parse(text.data, text.len, "f", &rules, &again, &err)) abort();
        if (again.count != openings.count || again.longest != openings.longest) abort();
        size_t stones = openings.end[openings.count - 1];
        if (memcmp(again.stones, openings.stones, stones * sizeof *again.stones) != 0) abort();
        openings_free(&again);
        buf_free(&text);
    }
    openings_free(&openings);
    return 0;
}
