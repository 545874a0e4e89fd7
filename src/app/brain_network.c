/* SPDX-License-Identifier: MIT */
/* A network's tables, made on the side. That takes longer than the shortest turns last: so a
 * question waits half its time for them, and if they come too late it is answered by shape.
 *
 *     handler   a question ─── half its time ───→ by shape … the next question → by the network
 *     loader         └─────── tables ──────────────────────┘
 *
 * What the loader made stays until another network needs room (eval/network.h). */
#include "app/brain_inside.h"

#include "eval/network.h"

static void load(void *ctx)
{
    Brain *brain = ctx;
    const Network *network = network_get(brain->network, NULL);
    if (network) network_leave(network);
    os_mutex_lock(brain->mutex);
    brain->loaded = true; /* or refused, which the player will find out */
    os_cond_broadcast(brain->loading);
    os_mutex_unlock(brain->mutex);
}

static void start_loader(Brain *brain, const Net *net)
{
    brain_close_player(brain); /* first: two networks at a time could be too much */
    brain->network = net;
    brain->loaded = false;
    brain->loader = os_thread_start(load, brain, NULL);
    if (!brain->loader) load(brain);
}

/* False: the loader is still at work. */
static bool await_loader(Brain *brain, int64_t deadline)
{
    if (!brain->loader) return true;
    os_mutex_lock(brain->mutex);
    while (!brain->loaded && !brain_is_stopped(brain))
        if (!os_cond_wait(brain->loading, brain->mutex, deadline)) break;
    bool done = brain->loaded;
    os_mutex_unlock(brain->mutex);
    if (done) brain_network_close(brain);
    return done;
}

bool brain_network_ready(Brain *brain, const Net *net, int64_t deadline)
{
    while (await_loader(brain, deadline)) {
        if (brain->network == net) return true;
        start_loader(brain, net);
    }
    return false;
}

void brain_network_close(Brain *brain)
{
    if (brain->loader) os_thread_join(brain->loader);
    brain->loader = NULL;
}
