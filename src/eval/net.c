/* SPDX-License-Identifier: MIT */
#include "eval/net.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A region of a board up to 48x48 has 256 points, whose features sum up within 16 bits. */
enum { HEAD_LEN = 16, PLAYS_LEN = 16, HASH_LEN = 8, SIDE_MIN = 5, SIDE_MAX = 48 };

_Static_assert(sizeof(NetGenerator) == 12160, "the file has no padding");
_Static_assert(sizeof(NetHeads) == 28328, "the file has no padding");

/* Of a network with so long a recipe. */
static size_t length_of(size_t recipe)
{
    return HEAD_LEN + recipe + PLAYS_LEN + sizeof(NetWeights) + HASH_LEN;
}

size_t net_length(const void *bytes, size_t n)
{
    size_t length = n < HEAD_LEN ? n : length_of(bytes_get32((const uint8_t *)bytes + 12));
    return length < n ? length : n;
}

bool net_read(Net *net, const void *bytes, size_t n, const char *name, Err *err)
{
    const uint8_t *p = bytes;
    if (n < HEAD_LEN || memcmp(p, "gorennet", 8) != 0)
        return err_set(err, "%s is not a network of goren's", name);
    if (bytes_get32(p + 8) != NET_VERSION)
        return err_set(err, "%s is a network of version %u; this program reads version %d", name,
                       bytes_get32(p + 8), NET_VERSION);
    size_t recipe = bytes_get32(p + 12);
    if (recipe % 8 || n != length_of(recipe))
        return err_set(err, "%s has %zu bytes, not as many as its head says: it may be cut off",
                       name, n);
    net->hash = bytes_get64(p + n - HASH_LEN);
    if (net->hash != bytes_sum64(BYTES_SUM64, p, n - HASH_LEN))
        return err_set(err, "%s is damaged: its check sum is another", name);
    net->recipe = (const char *)p + HEAD_LEN;
    net->recipe_len = recipe;
    p += HEAD_LEN + recipe;
    net->rule_kinds = bytes_get32(p);
    net->size_min = (int)bytes_get32(p + 4);
    net->size_max = (int)bytes_get32(p + 8);
    if (net->size_min < SIDE_MIN || net->size_max > SIDE_MAX || net->size_max < net->size_min)
        return err_set(err, "%s: sizes %d to %d make no sense", name, net->size_min, net->size_max);
    net->weights = (const NetWeights *)(const void *)(p + PLAYS_LEN);
    return true;
}

void *net_load(Net *net, const char *path, Err *err)
{
    enum { FILE_MAX = 1 << 24 };
    Buf file = BUF_EMPTY;
    void *bytes = NULL;
    if (os_file_read(path, FILE_MAX, &file, err)) {
        bytes = mem_lines(file.len + 1); /* aligned */
        memcpy(bytes, buf_text(&file), file.len);
        if (!net_read(net, bytes, file.len, path, err)) {
            mem_free(bytes);
            bytes = NULL;
        }
    }
    buf_free(&file);
    return bytes;
}

bool net_plays(const Net *net, const Rules *rules)
{
    return rules->k == NET_REACH && net->rule_kinds >> rules->kind & 1 &&
           rules->width >= net->size_min && rules->height >= net->size_min &&
           rules->width <= net->size_max && rules->height <= net->size_max;
}

void net_add_scope(const Net *net, Buf *out)
{
    const char *before = "";
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        if (!(net->rule_kinds >> kind & 1)) continue;
        buf_printf(out, "%s%s", before, rule_name((RuleKind)kind));
        before = " and ";
    }
    buf_printf(out, " on %dx%d to %dx%d, %d in a row", net->size_min, net->size_min, net->size_max,
               net->size_max, NET_REACH);
}

const char *net_name(const Net *net, char text[NET_NAME_MAX])
{
    size_t n = 0;
    for (int kind = 0; kind < RULE_COUNT; kind++)
        if (net->rule_kinds >> kind & 1)
            n += (size_t)snprintf(text + n, NET_NAME_MAX - n, "%s%s", n ? "+" : "",
                                  rule_name((RuleKind)kind));
    snprintf(text + n, NET_NAME_MAX - n, "-%08" PRIx32, (uint32_t)(net->hash >> 32));
    return text;
}
