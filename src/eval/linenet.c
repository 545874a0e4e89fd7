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

typedef int16_t Wide __attribute__((vector_size(NET_WIDTH * sizeof(int16_t))));
typedef int8_t Narrow __attribute__((vector_size(NET_WIDTH)));

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

static inline Wide at_most(Wide x, int most)
{
    Wide top = (Wide){0} + (int16_t)most, low = (Wide)(x < top);
    return (x & low) | (top & ~low);
}

static inline Wide clip(Wide x)
{
    return at_most(x & (Wide)(x > (Wide){0}), NET_CLIP);
}

static inline Wide row_wide(const Row *row)
{
    Narrow narrow;
    memcpy(&narrow, row, sizeof narrow);
    return __builtin_convertvector(narrow, Wide);
}

/* --- taking in the board --------------------------------------------------------------------- */

static inline void window_take(LineNet *net, const Row *rows, Point p, uint32_t place, uint32_t key)
{
    Wide sum = net->sum[p];
    WindowBefore *before = &net->windows[net->window_count];
    *before = (WindowBefore){place, net->key[place], p};
    net->sums[net->window_count++] = sum;
    Wide now = sum + (row_wide(&rows[key]) - row_wide(&rows[before->key]));
    net->region[net->region_of[p]] += clip(now) - clip(sum);
    net->sum[p] = now;
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
        Wide sum = {0};
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            const Row *rows = dir < 2 ? net->network->rows.straight : net->network->rows.diagonal;
            sum += row_wide(&rows[board_key(board, p, dir)]);
        }
        net->sum[p] = sum;
        net->region[net->region_of[p]] += clip(sum);
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

/* The mover's half first. */
static inline void halves(const Wide *x, Colour side, int16_t out[NET_WIDTH])
{
    const int16_t *half = (const int16_t *)x;
    memcpy(out, half + (side == BLACK ? 0 : NET_HALF), NET_HALF * sizeof *out);
    memcpy(out + NET_HALF, half + (side == BLACK ? NET_HALF : 0), NET_HALF * sizeof *out);
}

static void pool_whole(const LineNet *net, Colour side, int16_t out[NET_WIDTH])
{
    int32_t sum[NET_WIDTH] = {0};
    Wide whole;
    for (int r = 0; r < NET_REGIONS; r++)
        for (int c = 0; c < NET_WIDTH; c++) sum[c] += ((const int16_t *)&net->region[r])[c];
    for (int c = 0; c < NET_WIDTH; c++) {
        int32_t x = sum[c] >> 4;
        ((int16_t *)&whole)[c] = (int16_t)(x > NET_POOL_MOST ? NET_POOL_MOST : x);
    }
    halves(&whole, side, out);
}

static int net_value(Eval *head, const Board *board)
{
    LineNet *net = (LineNet *)head;
    int16_t pooled[NET_POOLED] __attribute__((aligned(64)));
    take_in(net, board);
    for (int r = 0; r < NET_REGIONS; r++) {
        Wide x = at_most(net->region[r] >> 2, NET_POOL_MOST);
        halves(&x, board->side, pooled + r * NET_WIDTH);
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
        Wide x = clip(net->sum[moves[i]]);
        halves(&x, board->side, feature);
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
