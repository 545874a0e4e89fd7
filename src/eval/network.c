/* SPDX-License-Identifier: MIT */
/* Networks as they are read, and the plain way to compute them. */
#include "eval/network.h"

#include "base/mem.h"
#include "eval/dense.h"

#include <string.h>

/* --- loading --------------------------------------------------------------------------------- */

static bool network_fits(const Kept *kept, const void *key)
{
    return ((const Network *)kept)->net.hash == ((const Net *)key)->hash;
}

static Kept *network_make(const void *key)
{
    Network *network = mem_zero(sizeof *network);
    network->net = *(const Net *)key;
    network->mutex = os_mutex_open();
    net_name(&network->net, network->name);
    return &network->kept;
}

static void network_drop(Kept *kept)
{
    os_mutex_close(((Network *)kept)->mutex);
    mem_free(kept);
}

static KeptKind networks = {network_fits, network_make, network_drop, NULL};

static Network *network_find(const Net *net)
{
    return (Network *)kept_get(&networks, net);
}

/* A program may meet all rules, but seldom two at a time: brains have to do with little memory. */
static void close_idle(const Network *but)
{
    for (Kept *kept = atomic_load(&networks.first); kept; kept = kept->next) {
        Network *network = (Network *)kept;
        if (network == but) continue;
        os_mutex_lock(network->mutex);
        if (!network->users && network->rows.straight) rows_close(&network->rows);
        os_mutex_unlock(network->mutex);
    }
}

/* Rows are not made while a Kept is, of which two could be made at once: they are too large. */
static bool network_ready(Network *network, Err *err)
{
    close_idle(network);
    os_mutex_lock(network->mutex);
    bool ready =
        network->rows.straight || rows_open(&network->rows, network->net.weights, os_core_count());
    if (ready) network->users++;
    os_mutex_unlock(network->mutex);
    return ready ||
           err_set(err, "%s: the system gives no memory for its 51 MB of tables", network->name);
}

void network_leave(const Network *network)
{
    Network *left = (Network *)network;
    os_mutex_lock(left->mutex);
    left->users--;
    os_mutex_unlock(left->mutex);
}

const Network *network_get(const Net *net, Err *err)
{
    Network *network = network_find(net);
    return network_ready(network, err) ? network : NULL;
}

const Network *network_load(const char *path, Err *err)
{
    Net net;
    void *bytes = net_load(&net, path, err);
    if (!bytes) return NULL;
    Network *network = network_find(&net);
    if (network->net.weights != net.weights) mem_free(bytes); /* it was there; else they stay */
    return network_ready(network, err) ? network : NULL;
}

/* --- heads ----------------------------------------------------------------------------------- */

static int32_t dot(const int16_t *restrict a, const uint8_t *restrict b, int n)
{
    int32_t sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

int network_value(const NetHeads *heads, const uint8_t pooled[NET_POOLED])
{
    int32_t sums[NET_VALUE];
    uint8_t hidden[NET_VALUE];
    dense((const int8_t *)heads->value1, heads->value_bias1, pooled, NET_POOLED, NET_VALUE, sums);
    dense_clips(sums, NET_VALUE, 6, hidden);
    dense((const int8_t *)heads->value2, heads->value_bias2, hidden, NET_VALUE, NET_VALUE, sums);
    dense_clips(sums, NET_VALUE, 6, hidden);
    int value = (heads->value_bias3 + dot(heads->value3, hidden, NET_VALUE)) >> 6;
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}

void network_policy_open(NetPolicy *policy, const NetHeads *heads, const uint8_t whole[NET_WIDTH])
{
    int32_t sums[NET_CONTEXT];
    uint8_t gates[NET_GATES];
    dense((const int8_t *)heads->context, heads->context_bias, whole, NET_WIDTH, NET_CONTEXT, sums);
    dense_clips(sums, NET_GATES, 4, gates);
    memcpy(policy->bias, sums + NET_GATES, sizeof policy->bias);
    policy->bias2 = heads->policy_bias2;
    for (int i = 0; i < NET_POLICY; i++) policy->weights2[i] = heads->policy2[i];
    const int8_t *from = (const int8_t *)heads->policy1;
    int8_t *to = (int8_t *)policy->weights;
    for (int in = 0; in < NET_WIDTH; in += 4, from += 4 * NET_POLICY, to += 4 * NET_POLICY) {
        uint8_t gate[4 * NET_POLICY];
        for (int i = 0; i < NET_POLICY; i++) memcpy(gate + 4 * i, gates + in, 4);
        /* In 16 bits and two steps: compilers widen what is held and narrowed in one. */
        int16_t held[4 * NET_POLICY];
        for (int i = 0; i < 4 * NET_POLICY; i++) {
            int16_t x = (int16_t)((from[i] * gate[i] + 32) >> 6);
            x = x < -127 ? -127 : x;
            held[i] = x > 127 ? 127 : x;
        }
        for (int i = 0; i < 4 * NET_POLICY; i++) to[i] = (int8_t)held[i];
    }
}

void network_policy(const NetPolicy *policy, const uint8_t (*features)[NET_WIDTH], int n, int *out)
{
    _Static_assert((int)NET_POLICY == (int)ACC_LANES, "one Acc holds the hidden layer");
    for (int i = 0; i < n; i++) {
        Acc acc = acc_load(policy->bias);
        for (int in = 0; in < NET_WIDTH; in += 4) {
            uint32_t four;
            memcpy(&four, features[i] + in, sizeof four);
            acc = acc_dot(acc, four, policy->weights[in / 4][0]);
        }
        out[i] = (policy->bias2 + acc_read(acc, 6, policy->weights2)) >> 6;
    }
}

/* --- the plain way --------------------------------------------------------------------------- */

int network_region(const Rules *rules, Point p)
{
    return rules_y(rules, p) * 3 / rules->height * 3 + rules_x(rules, p) * 3 / rules->width;
}

/* A point's features, the mover's half first. */
static void feature_plain(const Network *network, const Board *board, Point p,
                          uint8_t feature[NET_WIDTH])
{
    int first = board->side == BLACK ? 0 : NET_HALF;
    for (int i = 0; i < NET_WIDTH; i++) {
        int sum = 0;
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            const Row *rows = dir < 2 ? network->rows.straight : network->rows.diagonal;
            sum += rows[board_key(board, p, dir)].of[(i + first) % NET_WIDTH];
        }
        feature[i] = (uint8_t)(sum < 0 ? 0 : sum);
    }
}

static void pool_plain(const Network *network, const Board *board, uint8_t pooled[NET_POOLED])
{
    int32_t sums[NET_REGIONS + 1][NET_WIDTH] = {{0}};
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        uint8_t feature[NET_WIDTH];
        feature_plain(network, board, p, feature);
        int region = network_region(&board->rules, p);
        for (int c = 0; c < NET_WIDTH; c++) {
            sums[region][c] += feature[c];
            sums[NET_REGIONS][c] += feature[c];
        }
    }
    for (int r = 0; r <= NET_REGIONS; r++)
        dense_clips(sums[r], NET_WIDTH, r < NET_REGIONS ? NET_REGION_SHIFT : NET_WHOLE_SHIFT,
                    pooled + r * NET_WIDTH);
}

int network_value_plain(const Network *network, const Board *board)
{
    uint8_t pooled[NET_POOLED];
    pool_plain(network, board, pooled);
    return network_value(&network->net.weights->heads[board->side], pooled);
}

void network_policy_plain(const Network *network, const Board *board, const Point *moves, int count,
                          int *out)
{
    const NetHeads *heads = &network->net.weights->heads[board->side];
    uint8_t pooled[NET_POOLED], feature[1][NET_WIDTH];
    NetPolicy policy;
    pool_plain(network, board, pooled);
    network_policy_open(&policy, heads, pooled + NET_REGIONS * NET_WIDTH);
    for (int i = 0; i < count; i++) {
        feature_plain(network, board, moves[i], feature[0]);
        network_policy(&policy, (const uint8_t(*)[NET_WIDTH])feature, 1, &out[i]);
    }
}
