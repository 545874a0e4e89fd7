/* SPDX-License-Identifier: MIT */
/* The evaluator that plays a Network (net.h says what that computes). It keeps for every point the
 * sum of its four rows, and for each region of the board the sum of its points' features. Pushes
 * only count moves; the sums follow when somebody asks for a value: every window whose key differs
 * from the one last taken in gets its new row, whichever of the waiting moves changed it. What was
 * there before is kept in a frame, so that a pop is a copy back. */
#include "eval/network.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* A row or a sum of rows. Loops over it are plain: compilers make whole vectors of them, which they
 * do not of comparisons between vectors wider than the machine's. */
typedef struct {
    int16_t of[NET_WIDTH];
} __attribute__((aligned(CACHE_LINE))) Wide;

/* What one taking-in replaced. */
typedef struct {
    int plies;   /* of the board when it was done */
    int before;  /* plies taken in before it */
    int windows; /* entries of the stack of windows below it */
    Wide region[NET_REGIONS];
} NetFrame;

/* A window as it was. */
typedef struct {
    uint32_t place; /* in the planes of the board's keys */
    uint32_t key;
    Point point;
} WindowBefore;

typedef struct {
    Eval head;
    const Network *network;
    uint8_t *region_of; /* by Point */
    Wide *sum;          /* by Point */
    uint32_t *key;      /* the board's keys as they were taken in */
    Wide *region;
    int taken; /* plies of the board that are taken in */
    int plies; /* of the board */
    NetFrame *frames;
    int frame_count;
    WindowBefore *windows; /* a stack; sums[i] is the point's sum before windows[i] changed */
    Wide *sums;
    int window_count;
} LineNet;

static inline int clip(int x)
{
    return x < 0 ? 0 : x > NET_CLIP ? NET_CLIP : x;
}

/* --- taking in the board --------------------------------------------------------------------- */

static inline void window_take(LineNet *net, const Row *rows, Point p, uint32_t place, uint32_t key)
{
    WindowBefore *before = &net->windows[net->window_count];
    int16_t *restrict sum = net->sum[p].of, *restrict kept = net->sums[net->window_count++].of;
    int16_t *restrict region = net->region[net->region_of[p]].of;
    *before = (WindowBefore){place, net->key[place], p};
    const int8_t *restrict old = rows[before->key].of, *restrict new = rows[key].of;
    for (int c = 0; c < NET_WIDTH; c++) {
        int16_t was = sum[c], now = (int16_t)(was + new[c] - old[c]);
        kept[c] = was;
        sum[c] = now;
        region[c] = (int16_t)(region[c] + clip(now) - clip(was));
    }
    net->key[place] = key;
}

static void stone_take(LineNet *net, const Board *board, Point p)
{
    const Grid *grid = board->grid;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const Row *rows = dir < 2 ? net->network->rows.straight : net->network->rows.diagonal;
        uint32_t place = (uint32_t)(dir * grid->plane + grid->site[p].place[dir]);
        int step = grid->step[dir];
        for (int i = -NET_REACH; i <= NET_REACH; i++) {
            Point q = (Point)(p + i * step);
            uint32_t at = place + (uint32_t)i, key = board->key[at];
            if (key != net->key[at] && board->cell[q] != CELL_WALL)
                window_take(net, rows, q, at, key);
        }
    }
}

static void take_in(LineNet *net, const Board *board)
{
    if (net->taken == net->plies) return;
    NetFrame *frame = &net->frames[net->frame_count++];
    frame->plies = net->plies;
    frame->before = net->taken;
    frame->windows = net->window_count;
    memcpy(frame->region, net->region, sizeof frame->region);
    const Ply *ply = board_last(board);
    for (int i = net->plies; i > net->taken; i--) {
        if (ply->point != POINT_NONE) stone_take(net, board, ply->point);
        ply = (const Ply *)((const char *)board + ply->before);
    }
    net->taken = net->plies;
}

static void frame_drop(LineNet *net)
{
    const NetFrame *frame = &net->frames[--net->frame_count];
    while (net->window_count > frame->windows) {
        const WindowBefore *before = &net->windows[--net->window_count];
        net->key[before->place] = before->key;
        net->sum[before->point] = net->sums[net->window_count];
    }
    memcpy(net->region, frame->region, sizeof frame->region);
    net->taken = frame->before;
}

/* --- the evaluator --------------------------------------------------------------------------- */

static void net_close(Eval *head)
{
    LineNet *net = (LineNet *)head;
    mem_free(net->region_of);
    mem_free(net->sum);
    mem_free(net->key);
    mem_free(net->region);
    mem_free(net->frames);
    mem_free(net->windows);
    mem_free(net->sums);
    mem_free(net);
}

static Eval *net_open(const Rules *rules, const char *file, Err *err)
{
    if (!file || !*file) {
        err_set(err, "the evaluation net needs a network: ab:eval=net,net=FILE");
        return NULL;
    }
    const Network *network = network_load(file, err);
    if (!network) return NULL;
    if (!net_plays(&network->net, rules)) {
        err_set(err, "%s does not play %s on %dx%d; its boards are %d to %d", file,
                rule_name(rules->kind), rules->width, rules->height, network->net.size_min,
                network->net.size_max);
        return NULL;
    }
    LineNet *net = mem_zero(sizeof *net);
    size_t area = (size_t)rules_area(rules), points = (size_t)(rules->width * rules->height);
    size_t plies = 2 * points + 16, windows = plies * DIR_COUNT * NET_CELLS;
    const Grid *grid = grid_get(rules);
    net->head.kind = &eval_net;
    net->network = network;
    net->region_of = mem_zero(area);
    for (size_t i = 0; i < points; i++) {
        Point p = rules_nth(rules, (int)i);
        net->region_of[p] = (uint8_t)network_region(rules, p);
    }
    net->sum = mem_lines(area * sizeof *net->sum);
    net->key = mem_lines((size_t)grid->plane * DIR_COUNT * sizeof *net->key);
    net->region = mem_lines(NET_REGIONS * sizeof *net->region);
    net->frames = mem_lines(plies * sizeof *net->frames);
    net->windows = mem_lines(windows * sizeof *net->windows);
    net->sums = mem_lines(windows * sizeof *net->sums);
    return &net->head;
}

static void net_reset(Eval *head, const Board *board)
{
    LineNet *net = (LineNet *)head;
    net->frame_count = net->window_count = 0;
    net->taken = net->plies = board->plies;
    memcpy(net->key, board->key, (size_t)board->grid->plane * DIR_COUNT * sizeof *net->key);
    memset(net->region, 0, NET_REGIONS * sizeof *net->region);
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        Wide *sum = &net->sum[p], *region = &net->region[net->region_of[p]];
        memset(sum, 0, sizeof *sum);
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            const Row *rows = dir < 2 ? net->network->rows.straight : net->network->rows.diagonal;
            const Row *row = &rows[board_key(board, p, dir)];
            for (int c = 0; c < NET_WIDTH; c++) sum->of[c] = (int16_t)(sum->of[c] + row->of[c]);
        }
        for (int c = 0; c < NET_WIDTH; c++)
            region->of[c] = (int16_t)(region->of[c] + clip(sum->of[c]));
    }
}

static void net_push(Eval *head, const Board *board)
{
    (void)board;
    ((LineNet *)head)->plies++;
}

static void net_pop(Eval *head)
{
    LineNet *net = (LineNet *)head;
    net->plies--;
    while (net->frame_count && net->frames[net->frame_count - 1].plies > net->plies)
        frame_drop(net);
}

/* Where the mover's half begins. */
static int first_half(Colour side)
{
    return side == BLACK ? 0 : NET_HALF;
}

static void pool_whole(const LineNet *net, Colour side, int16_t out[NET_WIDTH])
{
    int32_t sum[NET_WIDTH] = {0};
    for (int r = 0; r < NET_REGIONS; r++)
        for (int c = 0; c < NET_WIDTH; c++) sum[c] += net->region[r].of[c];
    for (int half = 0; half < NET_WIDTH; half += NET_HALF)
        for (int c = 0; c < NET_HALF; c++) {
            int32_t x = sum[(first_half(side) ^ half) + c] >> 4;
            out[half + c] = (int16_t)(x > NET_POOL_MOST ? NET_POOL_MOST : x);
        }
}

static int net_value(Eval *head, const Board *board)
{
    LineNet *net = (LineNet *)head;
    int16_t pooled[NET_POOLED] __attribute__((aligned(CACHE_LINE)));
    take_in(net, board);
    for (int r = 0; r < NET_REGIONS; r++)
        for (int half = 0; half < NET_WIDTH; half += NET_HALF) {
            const int16_t *from = net->region[r].of + (first_half(board->side) ^ half);
            int16_t *to = pooled + r * NET_WIDTH + half;
            for (int c = 0; c < NET_HALF; c++) {
                int x = from[c] >> 2;
                to[c] = (int16_t)(x > NET_POOL_MOST ? NET_POOL_MOST : x);
            }
        }
    pool_whole(net, board->side, pooled + NET_REGIONS * NET_WIDTH);
    return network_value(&net->network->net.weights->heads[board->side], pooled);
}

static void net_policy(Eval *head, const Board *board, const Point *moves, int count, int *out)
{
    LineNet *net = (LineNet *)head;
    const NetHeads *heads = &net->network->net.weights->heads[board->side];
    int16_t whole[NET_WIDTH], feature[NET_WIDTH];
    int32_t context[NET_POLICY];
    take_in(net, board);
    pool_whole(net, board->side, whole);
    network_policy_context(heads, whole, context);
    for (int i = 0; i < count; i++) {
        for (int half = 0; half < NET_WIDTH; half += NET_HALF) {
            const int16_t *from = net->sum[moves[i]].of + (first_half(board->side) ^ half);
            for (int c = 0; c < NET_HALF; c++) feature[half + c] = (int16_t)clip(from[c]);
        }
        out[i] = network_policy(heads, context, feature);
    }
}

const EvalKind eval_net = {
    .name = "net",
    .open = net_open,
    .reset = net_reset,
    .push = net_push,
    .pop = net_pop,
    .value = net_value,
    .policy = net_policy,
    .close = net_close,
};
