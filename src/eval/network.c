/* SPDX-License-Identifier: MIT */
/* Networks as they are read, and the plain way to compute them. */
#include "eval/network.h"

#include "base/kept.h"
#include "base/mem.h"
#include "base/os.h"

#include <string.h>

/* --- loading --------------------------------------------------------------------------------- */

typedef struct {
    Net net;
    void *bytes; /* the whole file, taken over */
} Loaded;

static bool network_fits(const Kept *kept, const void *key)
{
    return ((const Network *)kept)->net.hash == ((const Loaded *)key)->net.hash;
}

static Kept *network_make(const void *key)
{
    const Loaded *loaded = key;
    Network *network = mem_zero(sizeof *network);
    network->net = loaded->net;
    rows_open(&network->rows, loaded->net.weights, os_core_count());
    return &network->kept;
}

static void network_drop(Kept *kept)
{
    rows_close(&((Network *)kept)->rows);
    mem_free(kept);
}

const Network *network_load(const char *path, Err *err)
{
    static KeptKind networks = {network_fits, network_make, network_drop, NULL};
    enum { FILE_MAX = 1 << 24 };
    Buf bytes = BUF_EMPTY;
    Loaded loaded;
    if (!os_file_read(path, FILE_MAX, &bytes, err)) {
        buf_free(&bytes);
        return NULL;
    }
    loaded.bytes = mem_lines(bytes.len + 1); /* aligned; stays as long as the network */
    memcpy(loaded.bytes, bytes.data, bytes.len);
    bool good = net_read(&loaded.net, loaded.bytes, bytes.len, path, err);
    buf_free(&bytes);
    const Network *network = good ? (const Network *)kept_get(&networks, &loaded) : NULL;
    if (!network || (const void *)network->net.weights != (const void *)loaded.net.weights)
        mem_free(loaded.bytes); /* refused, or there already */
    return network;
}

/* --- heads ----------------------------------------------------------------------------------- */

static int32_t dot(const int16_t *restrict a, const int16_t *restrict b, int n)
{
    int32_t sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static int16_t clip(int32_t x)
{
    return (int16_t)(x < 0 ? 0 : x > NET_CLIP ? NET_CLIP : x);
}

int network_value(const NetHeads *heads, const int16_t pooled[NET_POOLED])
{
    int16_t v1[NET_VALUE], v2[NET_VALUE];
    for (int i = 0; i < NET_VALUE; i++)
        v1[i] = clip((heads->value_bias1[i] + dot(heads->value1[i], pooled, NET_POOLED)) >> 9);
    for (int i = 0; i < NET_VALUE; i++)
        v2[i] = clip((heads->value_bias2[i] + dot(heads->value2[i], v1, NET_VALUE)) >> 6);
    int value = (heads->value_bias3 + dot(heads->value3, v2, NET_VALUE)) >> 6;
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}

void network_policy_context(const NetHeads *heads, const int16_t whole[NET_WIDTH],
                            int32_t context[NET_POLICY])
{
    for (int i = 0; i < NET_POLICY; i++)
        context[i] = heads->policy_bias1[i] + (dot(heads->policy_whole[i], whole, NET_WIDTH) >> 4);
}

int network_policy(const NetHeads *heads, const int32_t context[NET_POLICY],
                   const int16_t feature[NET_WIDTH])
{
    int16_t p1[NET_POLICY];
    for (int i = 0; i < NET_POLICY; i++)
        p1[i] = clip((context[i] + dot(heads->policy1[i], feature, NET_WIDTH)) >> 6);
    return (heads->policy_bias2 + dot(heads->policy2, p1, NET_POLICY)) >> 6;
}

/* --- the plain way --------------------------------------------------------------------------- */

int network_region(const Rules *rules, Point p)
{
    return rules_y(rules, p) * 3 / rules->height * 3 + rules_x(rules, p) * 3 / rules->width;
}

/* A point's features, the mover's half first. */
static void feature_plain(const Network *network, const Board *board, Point p,
                          int16_t feature[NET_WIDTH])
{
    int first = board->side == BLACK ? 0 : NET_HALF;
    for (int i = 0; i < NET_WIDTH; i++) {
        int32_t sum = 0;
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            const Row *rows = dir < 2 ? network->rows.straight : network->rows.diagonal;
            sum += rows[board_key(board, p, dir)].of[(i + first) % NET_WIDTH];
        }
        feature[i] = clip(sum);
    }
}

static void pool_plain(const Network *network, const Board *board, int16_t pooled[NET_POOLED])
{
    int32_t sums[NET_REGIONS + 1][NET_WIDTH] = {{0}};
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        int16_t feature[NET_WIDTH];
        feature_plain(network, board, p, feature);
        int region = network_region(&board->rules, p);
        for (int c = 0; c < NET_WIDTH; c++) {
            sums[region][c] += feature[c];
            sums[NET_REGIONS][c] += feature[c];
        }
    }
    for (int r = 0; r <= NET_REGIONS; r++)
        for (int c = 0; c < NET_WIDTH; c++) {
            int32_t x = sums[r][c] >> (r < NET_REGIONS ? 2 : 4);
            pooled[r * NET_WIDTH + c] = (int16_t)(x > NET_POOL_MOST ? NET_POOL_MOST : x);
        }
}

int network_value_plain(const Network *network, const Board *board)
{
    int16_t pooled[NET_POOLED];
    pool_plain(network, board, pooled);
    return network_value(&network->net.weights->heads[board->side], pooled);
}

void network_policy_plain(const Network *network, const Board *board, const Point *moves, int count,
                          int *out)
{
    const NetHeads *heads = &network->net.weights->heads[board->side];
    int16_t pooled[NET_POOLED], feature[NET_WIDTH];
    int32_t context[NET_POLICY];
    pool_plain(network, board, pooled);
    network_policy_context(heads, pooled + NET_REGIONS * NET_WIDTH, context);
    for (int i = 0; i < count; i++) {
        feature_plain(network, board, moves[i], feature);
        out[i] = network_policy(heads, context, feature);
    }
}
