/* SPDX-License-Identifier: MIT */
#include "learn/replay.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/os.h"
#include "base/rng.h"
#include "eval/eval.h"
#include "game/ban.h"
#include "learn/archive.h"
#include "learn/planes.h"
#include "search/score.h"

#include <assert.h>
#include <string.h>

enum {
    HEAD_LEN = 12,
    SCRATCH_MAX = 256, /* members of a team */
};

typedef struct {
    uint8_t *bytes;
    size_t len;
    int64_t first; /* number of its first position among all ever added */
    int count;     /* of positions */
} Held;

/* What each thread needs to set positions up. */
typedef struct {
    Board *boards[RULE_COUNT][PLANES_FRAME_MAX + 1];
    ReplayGame game;
} Scratch;

/* A position that was drawn. */
struct Draw {
    int64_t number;  /* among all ever added */
    uint64_t chance; /* where its own dice start */
};

struct Replay {
    int size_min, frame;
    int64_t room;
    Mutex *mutex; /* guards all that follows */
    Rng rng;
    Held *games; /* a ring, oldest at `oldest` */
    size_t ring, oldest, game_count;
    int64_t taken, count;
    struct Draw *draws; /* of a batch */
    int draw_room;
    Scratch *scratch[SCRATCH_MAX];
};

/* --- bytes ----------------------------------------------------------------------------------- */

void replay_encode(const ReplayGame *game, Buf *out)
{
    const Rules *rules = &game->rules;
    size_t start = out->len;
    bytes_put16(out, 0);
    bytes_put16(out, 0);
    buf_add(out,
            (uint8_t[]){(uint8_t)rules->kind, (uint8_t)rules->width, (uint8_t)rules->height,
                        (uint8_t)rules->k, game->winner, 0},
            6);
    bytes_put16(out, (uint16_t)game->plies);
    for (int i = 0; i < game->plies; i++) {
        const ReplayPly *ply = &game->ply[i];
        bytes_put16(out, ply->played);
        buf_add_char(out, (char)ply->targets);
        if (!ply->targets) continue;
        bytes_put16(out, (uint16_t)ply->value);
        for (int t = 0; t < ply->targets; t++) {
            bytes_put16(out, ply->point[t]);
            buf_add_char(out, (char)ply->share[t]);
        }
    }
    size_t len = out->len - start;
    for (int i = 0; i < 4; i++) out->data[start + (size_t)i] = (char)(len >> 8 * i);
}

static size_t decode_ply(const uint8_t *p, size_t len, int area, ReplayPly *ply)
{
    if (len < 3) return 0;
    *ply = (ReplayPly){.played = bytes_get16(p), .targets = p[2]};
    if (ply->played >= area || ply->targets > REPLAY_TARGETS_MAX) return 0;
    if (!ply->targets) return 3;
    size_t need = 5 + 3 * (size_t)ply->targets;
    if (len < need) return 0;
    ply->value = (int16_t)bytes_get16(p + 3);
    for (int t = 0; t < ply->targets; t++) {
        ply->point[t] = bytes_get16(p + 5 + 3 * t);
        ply->share[t] = p[7 + 3 * t];
        if (ply->point[t] >= area) return 0;
    }
    return need;
}

size_t replay_decode(const uint8_t *bytes, size_t len, ReplayGame *game)
{
    uint8_t seen[SIZE_MAX_SIDE * SIZE_MAX_SIDE / 8 + 1] = {0};
    if (len < HEAD_LEN) return 0;
    size_t all = bytes_get32(bytes), at = HEAD_LEN;
    int plies = bytes_get16(bytes + 10);
    if (all > len || plies > REPLAY_PLIES_MAX || bytes[4] >= RULE_COUNT) return 0;
    if (!rules_check(bytes[5], bytes[6], bytes[7], NULL) || bytes[8] > ARCHIVE_UNFINISHED) return 0;
    rules_init(&game->rules, (RuleKind)bytes[4], bytes[5], bytes[6], bytes[7]);
    game->winner = bytes[8];
    game->plies = plies;
    for (int i = 0; i < plies; i++) {
        int area = game->rules.width * game->rules.height;
        size_t used = at < all ? decode_ply(bytes + at, all - at, area, &game->ply[i]) : 0;
        int p = game->ply[i].played;
        if (!used || seen[p / 8] & 1 << p % 8) return 0;
        seen[p / 8] |= (uint8_t)(1 << p % 8);
        at += used;
    }
    return at == all ? all : 0;
}

/* --- the ring -------------------------------------------------------------------------------- */

Replay *replay_open(int size_min, int frame, int64_t positions, uint64_t seed)
{
    assert(frame <= PLANES_FRAME_MAX && positions > 0);
    Replay *replay = mem_zero(sizeof *replay);
    replay->size_min = size_min;
    replay->frame = frame;
    replay->room = positions;
    replay->mutex = os_mutex_open();
    replay->ring = (size_t)positions / 4 + 16; /* games of a few positions are rare */
    replay->games = mem_alloc(replay->ring * sizeof *replay->games);
    rng_seed(&replay->rng, seed);
    return replay;
}

static Held *held_at(const Replay *replay, size_t i)
{
    return &replay->games[(replay->oldest + i) % replay->ring];
}

static void drop_oldest(Replay *replay)
{
    Held *held = held_at(replay, 0);
    replay->count -= held->count;
    mem_free(held->bytes);
    replay->oldest = (replay->oldest + 1) % replay->ring;
    replay->game_count--;
}

void replay_close(Replay *replay)
{
    if (!replay) return;
    while (replay->game_count) drop_oldest(replay);
    for (int i = 0; i < SCRATCH_MAX; i++) {
        Scratch *scratch = replay->scratch[i];
        for (int r = 0; scratch && r < RULE_COUNT; r++)
            for (int s = 0; s <= PLANES_FRAME_MAX; s++)
                if (scratch->boards[r][s]) board_close(scratch->boards[r][s]);
        mem_free(scratch);
    }
    os_mutex_close(replay->mutex);
    mem_free(replay->draws);
    mem_free(replay->games);
    mem_free(replay);
}

int64_t replay_count(Replay *replay)
{
    os_mutex_lock(replay->mutex);
    int64_t count = replay->count;
    os_mutex_unlock(replay->mutex);
    return count;
}

int64_t replay_taken(Replay *replay)
{
    os_mutex_lock(replay->mutex);
    int64_t taken = replay->taken;
    os_mutex_unlock(replay->mutex);
    return taken;
}

/* Boards are held by size. */
static bool takes(const Replay *replay, const Rules *rules)
{
    return rules->width == rules->height && rules->k == 5 && rules->width >= replay->size_min &&
           rules->width <= replay->frame;
}

bool replay_add(Replay *replay, const ReplayGame *game)
{
    int count = 0;
    if (!takes(replay, &game->rules)) return false;
    for (int i = 0; i < game->plies; i++) count += game->ply[i].targets > 0;
    if (!count) return false;
    Buf bytes = BUF_EMPTY;
    replay_encode(game, &bytes);
    os_mutex_lock(replay->mutex);
    if (replay->game_count == replay->ring) drop_oldest(replay);
    *held_at(replay, replay->game_count++) =
        (Held){mem_copy(bytes.data, bytes.len), bytes.len, replay->taken, count};
    replay->count += count;
    replay->taken += count;
    while (replay->count > replay->room && replay->game_count > 1) drop_oldest(replay);
    os_mutex_unlock(replay->mutex);
    buf_free(&bytes);
    return true;
}

/* --- drawing --------------------------------------------------------------------------------- */

typedef struct {
    Replay *replay;
    int stray_percent;
    const ReplayBatch *batch;
} Drawing;

/* The game that holds a position, by its number. */
static const Held *find_game(const Replay *replay, int64_t number)
{
    size_t low = 0, high = replay->game_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (held_at(replay, middle)->first <= number)
            low = middle;
        else
            high = middle;
    }
    return held_at(replay, low);
}

static Scratch *scratch_of(Replay *replay, int member)
{
    if (!replay->scratch[member]) replay->scratch[member] = mem_zero(sizeof(Scratch));
    return replay->scratch[member];
}

static Board *board_of(Scratch *scratch, const Rules *rules)
{
    Board **board = &scratch->boards[rules->kind][rules->width];
    if (!*board)
        *board = board_open(rules, NEAR_SQUARE2_LINE3);
    else
        board_reset(*board);
    return *board;
}

/* One of a few random candidates: the one that matters most to either side. */
static Point stray_move(const Board *board, Rng *rng)
{
    Point moves[PLANES_FRAME_MAX * PLANES_FRAME_MAX], best = POINT_NONE;
    int n = board_candidates(board, moves), most = -1;
    for (uint32_t looks = 1 + rng_below(rng, 4); n && looks; looks--) {
        Point p = moves[rng_below(rng, (uint32_t)n)];
        int matters = (int)board_class(board, p, BLACK) + (int)board_class(board, p, WHITE);
        if (matters > most && ban_allows(board, p, board->side)) best = p, most = matters;
    }
    return best;
}

/* Leaves the game by a move or two. Back to the game if that ends it or makes a five possible,
 * which no network is asked about. */
static bool stray(Board *board, Rng *rng)
{
    uint32_t moves = 1 + rng_below(rng, 2), played = 0;
    bool good = true;
    while (good && played < moves) {
        Point p = stray_move(board, rng);
        if (p == POINT_NONE) return played > 0;
        board_play(board, p);
        played++;
        good = !board_is_over(board) && !board->count[board->side][CLASS_FIVE];
    }
    while (!good && played--) board_undo(board);
    return good;
}

static void draw_one(const Drawing *drawing, Scratch *scratch, const struct Draw *draw, int i)
{
    const Replay *replay = drawing->replay;
    const ReplayBatch *batch = drawing->batch;
    ReplayGame *game = &scratch->game;
    Rng rng;
    rng_seed(&rng, draw->chance);
    Sym sym = (Sym)rng_below(&rng, SYM_MAX);
    const Held *held = find_game(replay, draw->number);
    replay_decode(held->bytes, held->len, game);
    const Rules *rules = &game->rules;
    Board *board = board_of(scratch, rules);
    int at = 0;
    for (int64_t left = draw->number - held->first;; at++) {
        if (game->ply[at].targets && left-- == 0) break;
        board_play(board, rules_nth(rules, game->ply[at].played));
    }
    size_t area = (size_t)(replay->frame * replay->frame);
    const ReplayPly *ply = &game->ply[at];
    bool strays = (int)rng_below(&rng, 100) < drawing->stray_percent && stray(board, &rng);
    if (batch->stray) batch->stray[i] = strays;
    planes_write(board, sym, replay->frame, batch->planes + (size_t)i * PLANES_COUNT * area);
    batch->kind[i] = (uint8_t)planes_kind(board);
    batch->value[i] = (float)ply->value / REPLAY_VALUE_ONE;
    batch->outcome[i] = (int8_t)(game->winner == ARCHIVE_UNFINISHED     ? REPLAY_NO_OUTCOME
                                 : game->winner == CELL_EMPTY           ? 0
                                 : game->winner == (int)board->side + 1 ? 1
                                                                        : -1);
    uint8_t *policy = batch->policy + (size_t)i * area;
    memset(policy, 0, area);
    for (int t = 0; t < ply->targets; t++)
        policy[planes_place(rules, sym, replay->frame, rules_nth(rules, ply->point[t]))] =
            ply->share[t];
}

static void draw_some(void *ctx, int member, int from, int to)
{
    const Drawing *drawing = ctx;
    Scratch *scratch = scratch_of(drawing->replay, member);
    for (int i = from; i < to; i++) draw_one(drawing, scratch, &drawing->replay->draws[i], i);
}

bool replay_sample(Replay *replay, Team *team, int n, int stray_percent, const ReplayBatch *batch)
{
    assert(team_size(team) <= SCRATCH_MAX);
    os_mutex_lock(replay->mutex);
    bool some = replay->count > 0;
    if (n > replay->draw_room) {
        replay->draws = mem_grow(replay->draws, (size_t)n * sizeof *replay->draws);
        replay->draw_room = n;
    }
    for (int i = 0; some && i < n; i++) {
        int64_t oldest = replay->taken - replay->count;
        replay->draws[i] =
            (struct Draw){oldest + (int64_t)rng_below(&replay->rng, (uint32_t)replay->count),
                          rng_next(&replay->rng)};
    }
    Drawing drawing = {replay, stray_percent, batch};
    if (some) team_run(team, draw_some, &drawing, n, 16);
    os_mutex_unlock(replay->mutex);
    return some;
}

/* --- files ----------------------------------------------------------------------------------- */

size_t replay_newest(Replay *replay, uint8_t *out, size_t limit)
{
    os_mutex_lock(replay->mutex);
    size_t bytes = 0, at = 0, i = replay->game_count;
    while (i > 0 && bytes + held_at(replay, i - 1)->len <= limit)
        bytes += held_at(replay, --i)->len;
    for (; i < replay->game_count; i++) {
        const Held *held = held_at(replay, i);
        memcpy(out + at, held->bytes, held->len);
        at += held->len;
    }
    os_mutex_unlock(replay->mutex);
    return at;
}

int64_t replay_load(Replay *replay, const uint8_t *bytes, size_t len)
{
    ReplayGame *game = mem_alloc(sizeof *game);
    int64_t games = 0;
    for (size_t at = 0, used; at < len; at += used) {
        used = replay_decode(bytes + at, len - at, game);
        if (!used) break;
        games += replay_add(replay, game);
    }
    mem_free(game);
    return games;
}

/* Which positions of a game a network would be asked about: not those where a five is to be made
 * or stopped, and not the end, where the winner does nothing but make fours. A search finds what
 * is won by fours before it asks; wins by other means are to be learnt, or only the losing side of
 * every attack would be, and having the move would count for nothing. */
static void mark_open(const ArchiveGame *game, Board *board, bool open[REPLAY_PLIES_MAX])
{
    int fours = game->plies; /* where they begin */
    for (int i = 0; i < game->plies; i++) {
        Point p = rules_nth(&game->rules, game->ply[i].played);
        bool four = board_class(board, p, board->side) >= CLASS_FOUR;
        open[i] = !board->count[BLACK][CLASS_FIVE] && !board->count[WHITE][CLASS_FIVE];
        if ((int)board->side + CELL_BLACK == game->winner) {
            if (!four) fours = game->plies;
            if (four && i < fours) fours = i;
        }
        board_play(board, p);
    }
    for (int i = fours; i < game->plies; i++) open[i] = false;
}

static bool from_archive(const ArchiveGame *old, Board *board, ReplayGame *game)
{
    bool open[REPLAY_PLIES_MAX];
    if (old->plies > REPLAY_PLIES_MAX) return false;
    mark_open(old, board, open);
    game->rules = old->rules;
    game->winner = old->winner;
    game->plies = old->plies;
    for (int i = 0; i < old->plies; i++) {
        const ArchivePly *was = &old->ply[i];
        ReplayPly *ply = &game->ply[i];
        *ply = (ReplayPly){.played = was->played};
        if (was->score == ARCHIVE_NO_SCORE || !open[i]) continue;
        ply->targets = 1;
        ply->point[0] = was->best;
        ply->share[0] = 255;
        double value = score_is_mate(was->score) ? (was->score > 0 ? 1 : -1)
                                                 : 2 * eval_win_rate(was->score) - 1;
        ply->value = (int16_t)(REPLAY_VALUE_ONE * value);
    }
    return true;
}

int64_t replay_load_archive(Replay *replay, const char *path)
{
    Buf bytes = BUF_EMPTY;
    if (!archive_read(path, &bytes, NULL)) {
        buf_free(&bytes);
        return -1;
    }
    ArchiveGame *old = mem_alloc(sizeof *old);
    ReplayGame *game = mem_alloc(sizeof *game);
    int64_t games = 0;
    bool whole;
    for (size_t at = 0; archive_next(&bytes, &at, old, &whole);)
        if (takes(replay, &old->rules) &&
            from_archive(old, board_of(scratch_of(replay, 0), &old->rules), game))
            games += replay_add(replay, game);
    mem_free(game);
    mem_free(old);
    buf_free(&bytes);
    return games;
}
