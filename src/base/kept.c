/* SPDX-License-Identifier: MIT */
#include "base/kept.h"

#include <stddef.h>

static const Kept *find(const KeptKind *kind, const Kept *list, const void *key)
{
    while (list && !kind->fits(list, key)) list = list->next;
    return list;
}

const Kept *kept_get(KeptKind *kind, const void *key)
{
    Kept *first = atomic_load(&kind->first);
    const Kept *found = find(kind, first, key);
    if (found) return found;
    Kept *made = kind->make(key);
    if (!made) return NULL;
    do {
        if ((found = find(kind, first, key))) { /* another thread was faster */
            kind->drop(made);
            return found;
        }
        made->next = first;
    } while (!atomic_compare_exchange_weak(&kind->first, &first, made));
    return made;
}
