/* SPDX-License-Identifier: MIT */
#include "eval/net.h"

#include "base/bytes.h"

#include <string.h>

/* A region of a board up to 48x48 has 256 points, whose features sum up within 16 bits. */
enum { HEAD_LEN = 16, PLAYS_LEN = 16, HASH_LEN = 8, SIDE_MIN = 5, SIDE_MAX = 48 };

_Static_assert(sizeof(NetGenerator) == 12160, "the file has no padding");
_Static_assert(sizeof(NetHeads) == 28328, "the file has no padding");

bool net_read(Net *net, const void *bytes, size_t n, const char *name, Err *err)
{
    const uint8_t *p = bytes;
    if (n < HEAD_LEN || memcmp(p, "gorennet", 8) != 0)
        return err_set(err, "%s is not a network of goren's", name);
    if (bytes_get32(p + 8) != NET_VERSION)
        return err_set(err, "%s is a network of version %u; this program reads version %d", name,
                       bytes_get32(p + 8), NET_VERSION);
    size_t recipe = bytes_get32(p + 12);
    if (recipe % 8 || recipe > n ||
        n != HEAD_LEN + recipe + PLAYS_LEN + sizeof(NetWeights) + HASH_LEN)
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

bool net_plays(const Net *net, const Rules *rules)
{
    return rules->k == NET_REACH && net->rule_kinds >> rules->kind & 1 &&
           rules->width >= net->size_min && rules->height >= net->size_min &&
           rules->width <= net->size_max && rules->height <= net->size_max;
}
