/* SPDX-License-Identifier: MIT */
/* libFuzzer on parameter files of all kinds: what is read makes a critic or table, and is written
 * and read back the same. */
#include "eval/critic_adp.h"
#include "eval/critic_td.h"
#include "eval/tabular.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void open_and_close(const Params *params, int kind)
{
    TdCritic td;
    AdpCritic adp;
    Tabular table;
    Err err;
    if (kind == 0 && td_critic_get(&td, params, "f", &err)) td_critic_close(&td);
    if (kind == 1 && adp_critic_get(&adp, params, "f", &err)) adp_critic_close(&adp);
    if (kind == 2 && tabular_get(&table, params, "f", &err)) tabular_close(&table);
}

/* A fuzzer does not guess check sums, so the file is also tried as it would be with the right one:
 * its header line by line as numbers, the rest as floats. */
static void fill(Params *params, const uint8_t *data, size_t size)
{
    static const char *const names[] = {"k",    "form",  "credit", "hidden",
                                        "rule", "width", "height", "rows"};
    for (size_t i = 0; i < sizeof names / sizeof *names && size > 0; i++, data++, size--)
        params_put(params, names[i], (int8_t)*data);
    float floats[256];
    size_t n = size / sizeof *floats;
    if (n > 256) n = 256;
    memcpy(floats, data, n * sizeof *floats);
    params_add_floats(params, floats, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kinds[] = {"td", "adp", "table"};
    Params params, again;
    Err err;
    for (int kind = 0; kind < 3; kind++) {
        if (params_parse(data, size, "f", kinds[kind], &params, &err)) {
            open_and_close(&params, kind);
            Buf bytes = BUF_EMPTY;
            params_write(&params, &bytes);
            if (bytes.len != size || memcmp(bytes.data, data, size) != 0) abort();
            buf_free(&bytes);
            params_free(&params);
        }
        params_init(&params, kinds[kind]);
        fill(&params, data, size);
        open_and_close(&params, kind);
        Buf bytes = BUF_EMPTY;
        params_write(&params, &bytes);
        if (params_parse(bytes.data, bytes.len, "f", kinds[kind], &again, &err))
            params_free(&again);
        buf_free(&bytes);
        params_free(&params);
    }
    return 0;
}
