/* SPDX-License-Identifier: MIT */
/* libFuzzer on .tsv files. */
#include "record_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_record(FORMAT_TSV, data, size);
}
