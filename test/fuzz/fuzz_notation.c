/* SPDX-License-Identifier: MIT */
/* libFuzzer on points, positions and diagrams: what is read is written and read back the same. */
#include "base/mem.h"
#include "game/diagram.h"
#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_position(const Rules *rules, const char *text, char side)
{
    Position a, b;
    Err err;
    Buf out = BUF_EMPTY;
    if (!position_parse(rules, text, side, &a, &err)) return;
    position_write(rules, &a, &out);
    if (!position_parse(rules, buf_text(&out), a.side == BLACK ? 'b' : 'w', &b, &err)) abort();
    if (a.count != b.count || a.side != b.side || a.ordered != b.ordered) abort();
    for (int i = 0; a.ordered && i < a.count; i++)
        if (a.stones[i] != b.stones[i]) abort();
    buf_free(&out);
    position_free(&a);
    position_free(&b);
}

static void check_diagram(const Rules *rules, const char *text)
{
    size_t area = (size_t)rules_area(rules);
    uint8_t *cells = mem_alloc(area), *back = mem_alloc(area);
    Buf out = BUF_EMPTY;
    Err err;
    int width, height;
    diagram_size(text, &width, &height, &err);
    if (diagram_read(rules, text, cells, &err)) {
        diagram_write(rules, cells, &out);
        if (!diagram_read(rules, out.data, back, &err) || memcmp(cells, back, area) != 0) abort();
    }
    buf_free(&out);
    mem_free(cells);
    mem_free(back);
}

/* Two bytes for the size of the board, one for the side, then the text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char SIDES[] = {0, 'b', 'w', 0};
    Rules rules;
    if (size < 3) return 0;
    rules_init(&rules, RULE_FREESTYLE, 1 + data[0] % 100, 1 + data[1] % 100, 5);
    Buf text = BUF_EMPTY;
    buf_add(&text, data + 3, size - 3);
    check_position(&rules, buf_text(&text), SIDES[data[2] % 4]);
    check_diagram(&rules, buf_text(&text));
    buf_free(&text);
    return 0;
}
