/* SPDX-License-Identifier: MIT */
#include "search/leash.h"

#include "base/os.h"
#include "search/budget.h"

void leash_start(Leash *leash, const Limits *limits, int stones, int stride,
                 const atomic_bool *stop)
{
    *leash = (Leash){.stop = {stop, limits->stop},
                     .start_ns = os_clock_ns(),
                     .deadline_ns = INT64_MAX,
                     .nodes_max = limits->nodes,
                     .stride = stride};
    Budget budget = budget_make(limits, stones);
    /* There is no later iteration to save time for, so the optimum is what may be spent. */
    if (budget.optimum_ms >= 0) leash->deadline_ns = leash->start_ns + budget.optimum_ms * 1000000;
    leash_look(leash);
}

bool leash_look(Leash *leash)
{
    enum { REPORT_NS = 100000000 };
    int64_t now = os_clock_ns();
    leash->patience = leash->stride;
    if (leash->report && now >= leash->report_ns) {
        leash->report_ns = now + REPORT_NS;
        leash->report(leash->ctx, leash);
    }
    for (int i = 0; i < 2; i++)
        if (leash->stop[i] && atomic_load_explicit(leash->stop[i], memory_order_relaxed))
            leash->over = true;
    if (now >= leash->deadline_ns) leash->over = true;
    return leash->over;
}

int64_t leash_deadline_ms(const Leash *leash)
{
    return leash->deadline_ns < INT64_MAX ? leash->deadline_ns / 1000000 + 1 : 0;
}

int64_t leash_ms(const Leash *leash)
{
    return (os_clock_ns() - leash->start_ns) / 1000000;
}
