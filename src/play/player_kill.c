/* SPDX-License-Identifier: MIT */
/* The player `kill`: the minimax of the project report "gomoku-ai". First the search for a killing
 * move (kill.h); without one, alpha-beta to depth 5 over the three children that look best. The
 * report's table of threats, updated with the board, is a Stance; the evaluation asks it for
 * decisive patterns first and adds up the others only where there are none. */
#include "base/mem.h"
#include "eval/stance.h"
#include "play/house.h"
#include "search/kill.h"
#include "search/moves.h"

typedef struct {
    int depth, children, plies;
    int64_t nodes;
    bool rigid;
    size_t memory;
} KillPlayerOptions;

typedef struct {
    House house;
    KillPlayerOptions options;
    Kill *kill;   /* NULL before the first question */
    Plain *plain; /* likewise */
    Stance stance;
    int *worth; /* room for one list of moves */
} KillPlayer;

static const Opt kill_opts[] = {
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(KillPlayerOptions, depth),
     .min = 1,
     .max = PLAIN_DEPTH_MAX,
     .standard = "5",
     .help = "how many moves the minimax looks ahead"},
    {.name = "children",
     .type = OPT_INT,
     .offset = offsetof(KillPlayerOptions, children),
     .min = 1,
     .max = 10000,
     .standard = "3",
     .help = "moves looked at in each position"},
    {.name = "plies",
     .type = OPT_INT,
     .offset = offsetof(KillPlayerOptions, plies),
     .min = 1,
     .max = 100,
     .standard = "17",
     .help = "longest kill by threats that is searched for"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(KillPlayerOptions, nodes),
     .standard = "20000",
     .help = "positions looked at for a kill; 0: no limit"},
    {.name = "rigid",
     .type = OPT_BOOL,
     .offset = offsetof(KillPlayerOptions, rigid),
     .standard = "no",
     .help = "the defender may also answer a three with fours: fewer kills, but all real"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(KillPlayerOptions, memory),
     .min = 1 << 12,
     .max = 1e12,
     .standard = "8M",
     .help = "bytes of each of the two tables, of kills and of the minimax"},
    {0},
};

static const OptTable kill_table = {
    .name = "kill",
    .about = "Minimax over three moves with a search for killing moves, as in a students' report.",
    .example = "kill:depth=5,children=3",
    .opts = kill_opts,
};

static Player *kill_player_open(const char *keys, Err *err)
{
    KillPlayerOptions options = {0};
    if (!house_options(&kill_table, keys, &options, err)) return NULL;
    KillPlayer *player = mem_zero(sizeof *player);
    player->options = options;
    return &player->house.head;
}

static void drop(KillPlayer *player)
{
    kill_close(player->kill);
    plain_close(player->plain);
    stance_close(&player->stance);
    mem_free(player->worth);
    player->kill = NULL;
    player->plain = NULL;
    player->worth = NULL;
}

/* ---- the judge ---- */

/* Of one stone in one direction, where nothing is decisive. */
static const int8_t worth_of[SHAPE_COUNT] = {
    [SHAPE_ONE] = 1,       [SHAPE_OPEN_ONE] = 3,       [SHAPE_TWO] = 6,
    [SHAPE_OPEN_TWO] = 18, [SHAPE_OPEN_TWO_WIDE] = 21, [SHAPE_OPEN_TWO_FULL] = 24,
    [SHAPE_THREE] = 22,    [SHAPE_OPEN_THREE] = 70,    [SHAPE_OPEN_THREE_TWIN] = 80,
    [SHAPE_FOUR] = 60,     [SHAPE_DOUBLE_FOUR] = 100,  [SHAPE_OPEN_FOUR] = 100,
};

/* Stones of a colour in each of the report's threats. */
typedef struct {
    int fours, open_fours, open_threes, sum;
} Threats;

static Threats threats_of(const Stance *stance, Colour colour)
{
    const int16_t *n = stance->now.count[colour];
    Threats threats = {.fours = n[SHAPE_FOUR],
                       .open_fours = n[SHAPE_OPEN_FOUR] + n[SHAPE_DOUBLE_FOUR],
                       .open_threes = n[SHAPE_OPEN_THREE] + n[SHAPE_OPEN_THREE_TWIN]};
    for (int shape = 0; shape < SHAPE_COUNT; shape++) threats.sum += worth_of[shape] * n[shape];
    return threats;
}

/* Decisive patterns first, by who is first to use them. The four stones of a four are counted each,
 * so more of them than one four has are two fours. */
static int judge_value(void *ctx, const Board *board)
{
    const KillPlayer *player = ctx;
    int four = board->rules.k - 1, three = board->rules.k - 2;
    Threats own = threats_of(&player->stance, board->side);
    Threats their = threats_of(&player->stance, colour_other(board->side));
    int sum = own.sum + own.sum / 8 - their.sum;
    if (own.fours || own.open_fours) return 16000;
    if (their.open_fours || their.fours > four) return -15000;
    if (their.fours && their.open_threes) return -9000 + sum;
    if (own.open_threes && !their.fours) return 8000 + sum;
    if (their.open_threes > three) return -3000 + sum;
    return sum;
}

static void judge_reset(void *ctx, const Board *board)
{
    stance_reset(&((KillPlayer *)ctx)->stance, board);
}

static void judge_push(void *ctx, const Board *board)
{
    stance_push(&((KillPlayer *)ctx)->stance, board);
}

static void judge_pop(void *ctx, const Board *board)
{
    (void)board;
    stance_pop(&((KillPlayer *)ctx)->stance);
}

/* Each move is made in thought and the position after it judged; the best few are kept. */
static int keep_children(KillPlayer *player, Board *board, Point *moves, int count, int most)
{
    for (int i = 0; i < count; i++) {
        board_play(board, moves[i]);
        stance_push(&player->stance, board);
        player->worth[i] = board->won ? PLAIN_VALUE_MAX : -judge_value(player, board);
        stance_pop(&player->stance);
        board_undo(board);
    }
    return house_sort(moves, player->worth, count, most);
}

static int judge_list(void *ctx, Board *board, Point *moves)
{
    KillPlayer *player = ctx;
    const Limits none = {0};
    Threat threat = moves_threat(board);
    int count =
        threat == THREAT_NONE ? house_moves(board, &none, moves) : moves_list(board, threat, moves);
    return keep_children(player, board, moves, count, player->options.children);
}

static const PlainJudge kill_judge = {SCORE_WIN, judge_reset, judge_push,
                                      judge_pop, judge_value, judge_list};

/* ---- the player ---- */

static bool ready(KillPlayer *player, const Rules *rules, bool same, Err *err)
{
    if (player->plain && same) return true;
    drop(player);
    player->plain = plain_open(rules, &kill_judge, player, player->options.memory, err);
    if (player->plain) player->kill = kill_open(player->options.memory, err);
    if (!player->kill) {
        drop(player);
        return false;
    }
    stance_open(&player->stance, rules);
    player->worth = mem_alloc((size_t)rules->width * (size_t)rules->height * sizeof(int));
    return true;
}

/* The root, too, has its few children; what may not be played leaves room for the next. */
static int root_moves(KillPlayer *player, Board *board, const Limits *limits, Point *moves)
{
    Threat threat = moves_threat(board);
    int count = threat == THREAT_NONE ? 0 : moves_list(board, threat, moves), left = 0;
    for (int i = 0; i < count; i++)
        if (!limits_block(limits, moves[i])) moves[left++] = moves[i];
    if (!left) left = house_moves(board, limits, moves);
    stance_reset(&player->stance, board);
    return keep_children(player, board, moves, left, player->options.children);
}

static bool kill_think(Player *head, const Board *asked, const Limits *limits, Thought *thought,
                       Err *err)
{
    KillPlayer *player = (KillPlayer *)head;
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    KillResult killed;
    PlainResult result;
    Leash leash;
    bool same = house_begin(&player->house, asked, NEAR_SQUARE2, limits, 16, &leash);
    if (!ready(player, &asked->rules, same, err)) return false;
    Board *board = player->house.board;
    KillOptions options = {player->options.plies, player->options.nodes, player->options.rigid};
    if (limits->nodes && (!options.nodes || options.nodes > limits->nodes / 2))
        options.nodes = limits->nodes / 2 + 1;
    int depth = house_depth(limits, player->options.depth);
    int count = root_moves(player, board, limits, moves);
    if (count) player->house.first = moves[0];
    player->house.plain = player->plain;
    kill_search(player->kill, board, &options, &leash, &killed);
    thought_set_move(thought, POINT_NONE);
    if (killed.kind != KILL_NONE && !limits_block(limits, killed.move)) {
        thought_set_move(thought, killed.move);
        thought->has_value = true;
        thought->value = 1;
    } else if (count) {
        plain_run(player->plain, board, moves, count, depth, 1, depth, &leash, &result);
        house_fill_plain(&result, thought);
    }
    house_end(&leash, thought);
    return true;
}

static void kill_new_game(Player *head)
{
    KillPlayer *player = (KillPlayer *)head;
    if (player->plain) plain_forget(player->plain);
    if (player->kill) kill_forget(player->kill);
}

static void kill_player_close(Player *head)
{
    KillPlayer *player = (KillPlayer *)head;
    drop(player);
    house_close(&player->house);
}

const PlayerKind player_kill = {
    .options = &kill_table,
    .open = kill_player_open,
    .think = kill_think,
    .stop = house_stop,
    .new_game = kill_new_game,
    .close = kill_player_close,
};
