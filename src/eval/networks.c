/* SPDX-License-Identifier: MIT */
#include "eval/networks.h"

#include "base/data.h"
#include "base/kept.h"
#include "base/mem.h"

DATA_DECLARE(networks); /* the files data/RULE-HASH.net, which the Makefile puts together */

static bool meet(const Net *a, const Net *b)
{
    return a->rule_kinds & b->rule_kinds && a->size_min <= b->size_max &&
           b->size_min <= a->size_max;
}

static bool add(Networks *networks, const Net *net, Err *err)
{
    char name[NET_NAME_MAX], other[NET_NAME_MAX];
    if (networks->count == NETWORKS_MAX)
        return err_set(err, "there are more than %d networks", NETWORKS_MAX);
    for (int i = 0; i < networks->count; i++)
        if (meet(net, &networks->net[i]))
            return err_set(err, "%s and %s play the same rules on the same boards: one must go",
                           net_name(&networks->net[i], other), net_name(net, name));
    networks->net[networks->count++] = *net;
    return true;
}

bool networks_read(Networks *networks, const void *bytes, size_t n, Err *err)
{
    const char *at = bytes;
    networks->count = 0;
    for (size_t length; n; at += length, n -= length) {
        Net net;
        length = net_length(at, n);
        if (!net_read(&net, at, length, "a network", err) || !add(networks, &net, err))
            return false;
    }
    return true;
}

const Net *networks_find(const Networks *networks, const Rules *rules)
{
    for (int i = 0; i < networks->count; i++)
        if (net_plays(&networks->net[i], rules)) return &networks->net[i];
    return NULL;
}

/* --- built in -------------------------------------------------------------------------------- */

typedef struct {
    Kept kept;
    Networks networks;
} Shelf;

static bool shelf_fits(const Kept *kept, const void *key)
{
    (void)kept, (void)key;
    return true; /* there is one */
}

/* A network that is wrong is missing, and no reason not to play; test_networks says what it is. */
static Kept *shelf_make(const void *key)
{
    (void)key;
    Shelf *shelf = mem_zero(sizeof *shelf);
    networks_read(&shelf->networks, data_networks, data_networks_size, NULL);
    return &shelf->kept;
}

static void shelf_drop(Kept *kept)
{
    mem_free(kept);
}

const Networks *networks_built_in(void)
{
    static KeptKind shelves = {shelf_fits, shelf_make, shelf_drop, NULL};
    return &((const Shelf *)kept_get(&shelves, NULL))->networks;
}
