/* SPDX-License-Identifier: MIT */
/* libFuzzer on result lists and PGN: what is read is written as a list and read back the same. */
#include "play/results.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Results results, again;
    Err err;
    Buf text = BUF_EMPTY;
    results_open(&results);
    results_open(&again);
    if (results_parse(&results, (const char *)data, size, "f", &err)) {
        results_write_tsv(&results, &text);
        /* Names that differ in control characters alone become one, and may meet themselves. */
        if (results_parse(&again, text.data, text.len, "f", &err) &&
            results_games(&again) != results_games(&results))
            abort();
    }
    buf_free(&text);
    results_close(&again);
    results_close(&results);
    return 0;
}
