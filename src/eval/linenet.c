/* SPDX-License-Identifier: MIT */
/* The evaluator that plays a Network (net.h says what that computes). It keeps for every point the
 * sum of its four rows, and for each region of the board the sum of its points' features. Pushes
 * only count moves; the sums follow when somebody asks for a value: every window whose key differs
 * from the one last taken in gets its new row, whichever of the waiting moves changed it. What was
 * there before is kept in a frame, so that a pop is a copy back. */
#include "eval/network.h"

#include "base/mem.h"
#include "eval/networks.h"

#include <assert.h>
#include <string.h>

/* Sums of features. Loops over it and over rows are plain: compilers make whole vectors of them,
 * which they do not of comparisons between vectors wider than the machine's. */
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
    Row *sum;           /* of four rows, by Point */
    uint32_t *key;      /* the board's keys as they were taken in */
    Wide *region;
    int taken; /* plies of the board that are taken in */
    int plies; /* of the board */
    NetFrame *frames;
    int frame_count;
    WindowBefore *windows; /* a stack; sums[i] is the point's sum before windows[i] changed */
    Row *sums;
    int window_count;
    uint8_t (*features)[NET_WIDTH]; /* of the moves that are asked for */
} LineNet;

/* --- taking in the board --------------------------------------------------------------------- */

/* Puts one row in another's place. A function of its own, so that nothing it is given overlaps. */
static inline void row_change(const int8_t *restrict old, const int8_t *restrict new,
                              int8_t *restrict sum, int8_t *restrict kept, int16_t *restrict region)
{
    for (int c = 0; c < NET_WIDTH; c++) {
        int8_t was = sum[c], now = (int8_t)(was + new[c] - old[c]);
        kept[c] = was;
        sum[c] = now;
        int8_t more = (int8_t)((now < 0 ? 0 : now) - (was < 0 ? 0 : was));
        region[c] = (int16_t)(region[c] + more);
    }
}

/* Lists the windows through a new stone that have changed, and calls for their rows, which are
 * seldom at hand. */
static void stone_list(LineNet *net, const Board *board, Point p)
{
    const Grid *grid = board->grid;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        const Row *rows = dir < 2 ? net->network->rows.straight : net->network->rows.diagonal;
        uint32_t place = (uint32_t)(dir * grid->plane + grid->site[p].place[dir]);
        int step = grid->step[dir];
        for (int i = -NET_REACH; i <= NET_REACH; i++) {
            Point q = (Point)(p + i * step);
            uint32_t at = place + (uint32_t)i, key = board->key[at], old = net->key[at];
            if (key == old || board->cell[q] == CELL_WALL) continue;
            __builtin_prefetch(&rows[key]);
            __builtin_prefetch(&rows[old]);
            net->windows[net->window_count++] = (WindowBefore){at, old, q};
            net->key[at] = key;
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
        if (ply->point != POINT_NONE) stone_list(net, board, ply->point);
        ply = (const Ply *)((const char *)board + ply->before);
    }
    const Rows *rows = &net->network->rows;
    uint32_t diagonal = (uint32_t)(2 * board->grid->plane);
    /* Windows that follow each other mostly lie in one region, whose sums stay in registers. */
    for (int i = frame->windows; i < net->window_count;) {
        int region = net->region_of[net->windows[i].point];
        Wide sums = net->region[region];
        do {
            const WindowBefore *before = &net->windows[i];
            const Row *of = before->place < diagonal ? rows->straight : rows->diagonal;
            row_change(of[before->key].of, of[net->key[before->place]].of,
                       net->sum[before->point].of, net->sums[i].of, sums.of);
        } while (++i < net->window_count && net->region_of[net->windows[i].point] == region);
        net->region[region] = sums;
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
    mem_free(net->features);
    network_leave(net->network);
    mem_free(net);
}

static const Network *from_file(const Rules *rules, const char *file, Err *err)
{
    const Network *network = network_load(file, err);
    if (!network || net_plays(&network->net, rules)) return network;
    Buf scope = BUF_EMPTY;
    net_add_scope(&network->net, &scope);
    err_set(err, "%s does not play %s on %dx%d, %d in a row: it plays %s", file,
            rule_name(rules->kind), rules->width, rules->height, rules->k, buf_text(&scope));
    buf_free(&scope);
    network_leave(network);
    return NULL;
}

static const Network *from_program(const Rules *rules, Err *err)
{
    const Networks *all = networks_built_in();
    const Net *net = networks_find(all, rules);
    if (net) return network_get(net, err);
    Buf scope = BUF_EMPTY;
    for (int i = 0; i < all->count; i++) {
        buf_add_text(&scope, i ? "; " : ": those that are play ");
        net_add_scope(&all->net[i], &scope);
    }
    err_set(err,
            "no network for %s on %dx%d, %d in a row, is built in%s. One in a file plays with "
            "net=FILE",
            rule_name(rules->kind), rules->width, rules->height, rules->k, buf_text(&scope));
    buf_free(&scope);
    return NULL;
}

static Eval *net_open(const Rules *rules, const char *file, Err *err)
{
    const Network *network = file && *file ? from_file(rules, file, err) : from_program(rules, err);
    if (!network) return NULL;
    LineNet *net = mem_zero(sizeof *net);
    size_t area = (size_t)rules_area(rules), points = (size_t)(rules->width * rules->height);
    size_t plies = 2 * points + 16, windows = plies * DIR_COUNT * NET_CELLS;
    const Grid *grid = grid_get(rules);
    net->head.kind = &eval_net;
    net->head.name = network->name;
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
    net->features = mem_lines(points * sizeof *net->features);
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
        Row *sum = &net->sum[p];
        Wide *region = &net->region[net->region_of[p]];
        memset(sum, 0, sizeof *sum);
        for (int dir = 0; dir < DIR_COUNT; dir++) {
            const Row *rows = dir < 2 ? net->network->rows.straight : net->network->rows.diagonal;
            const Row *row = &rows[board_key(board, p, dir)];
            for (int c = 0; c < NET_WIDTH; c++) sum->of[c] = (int8_t)(sum->of[c] + row->of[c]);
        }
        for (int c = 0; c < NET_WIDTH; c++)
            region->of[c] = (int16_t)(region->of[c] + (sum->of[c] < 0 ? 0 : sum->of[c]));
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

/* --- asking ---------------------------------------------------------------------------------- */

/* Where the mover's half begins. */
static int first_half(Colour side)
{
    return side == BLACK ? 0 : NET_HALF;
}

static void pool_region(const Wide *sums, Colour side, int shift, uint8_t out[NET_WIDTH])
{
    for (int half = 0; half < NET_WIDTH; half += NET_HALF) {
        const int16_t *from = sums->of + (first_half(side) ^ half);
        for (int c = 0; c < NET_HALF; c++) {
            int16_t x = (int16_t)(from[c] >> shift);
            out[half + c] = (uint8_t)(x > 127 ? 127 : x);
        }
    }
}

/* A sum over the whole board stays within 16 bits up to 16x16 points; beyond, it would be cut off
 * at 127 << NET_WHOLE_SHIFT anyway, so it is held there on the way. */
static void pool_whole(const LineNet *net, Colour side, uint8_t out[NET_WIDTH])
{
    Wide whole = net->region[0];
    for (int r = 1; r < NET_REGIONS; r++)
        for (int c = 0; c < NET_WIDTH; c++) {
            int16_t sum = (int16_t)(whole.of[c] + net->region[r].of[c]);
            whole.of[c] = sum > 16000 ? 16000 : sum;
        }
    pool_region(&whole, side, NET_WHOLE_SHIFT, out);
}

static int net_value(Eval *head, const Board *board)
{
    LineNet *net = (LineNet *)head;
    uint8_t pooled[NET_POOLED] __attribute__((aligned(CACHE_LINE)));
    take_in(net, board);
    for (int r = 0; r < NET_REGIONS; r++)
        pool_region(&net->region[r], board->side, NET_REGION_SHIFT, pooled + r * NET_WIDTH);
    pool_whole(net, board->side, pooled + NET_REGIONS * NET_WIDTH);
    return network_value(&net->network->net.weights->heads[board->side], pooled);
}

static void net_policy(Eval *head, const Board *board, const Point *moves, int count, int *out)
{
    LineNet *net = (LineNet *)head;
    const NetHeads *heads = &net->network->net.weights->heads[board->side];
    uint8_t whole[NET_WIDTH];
    NetPolicy policy;
    take_in(net, board);
    pool_whole(net, board->side, whole);
    network_policy_open(&policy, heads, whole);
    int first = first_half(board->side), second = first ^ NET_HALF;
    for (int i = 0; i < count; i++) {
        const int8_t *sum = net->sum[moves[i]].of;
        uint8_t *feature = net->features[i];
        for (int c = 0; c < NET_HALF; c++)
            feature[c] = (uint8_t)(sum[first + c] < 0 ? 0 : sum[first + c]);
        for (int c = 0; c < NET_HALF; c++)
            feature[NET_HALF + c] = (uint8_t)(sum[second + c] < 0 ? 0 : sum[second + c]);
    }
    network_policy(&policy, (const uint8_t(*)[NET_WIDTH])net->features, count, out);
}

const EvalKind eval_net = {
    .name = "net",
    .dear = true,
    .open = net_open,
    .reset = net_reset,
    .push = net_push,
    .pop = net_pop,
    .value = net_value,
    .policy = net_policy,
    .close = net_close,
};
