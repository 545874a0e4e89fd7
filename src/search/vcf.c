/* SPDX-License-Identifier: MIT */
/* Depth first, the most promising four first. Attacker's turn: attack(); defender's: reply(). Both
 * return the plies to the five, or 0.
 *
 * The table says of a position "nothing within n plies" (NONE_EVER once exhausted without meeting
 * the limit of plies) and which attack won last time. Wins themselves are always played out again,
 * so that a line is never taken on the word of a hash key. */
#include "search/vcf.h"

#include "base/mem.h"
#include "base/os.h"
#include "game/ban.h"

#include <assert.h>
#include <string.h>

enum {
    NONE_EVER = 0xffff,
    LIST_MAX = 1 << 16,    /* attacks waiting at all levels together */
    CHECK_EVERY = 1 << 10, /* nodes between looks at the clock and the stop flag */
};

/* Where a keen search found nothing is known to keen ones alone. */
#define KEEN_SALT 0x5bd1e995a3c59ac3u

typedef struct {
    uint64_t key;
    uint16_t none; /* no win within so many plies */
    Point move;    /* the attack that won before; POINT_NONE: none known */
    uint32_t unused;
} Entry;

struct Vcf {
    Entry *table;
    size_t entries; /* a power of two */

    Board *board; /* of the current search, like all that follows */
    const VcfLimits *limits;
    uint64_t salt; /* keeps positions of different rules apart */
    int64_t nodes;
    bool cut;       /* the limit of plies hid something in the subtree being searched */
    bool stopped;   /* a limit was reached: the answer is unknown */
    bool enclosing; /* some row dies when both its ends are taken */
    bool keen;      /* idle fours are left out */
    int list_end;
    Point list[LIST_MAX]; /* attacks of all levels, a stack */
    Point line[VCF_LINE_MAX];
};

Vcf *vcf_try_open(size_t table_bytes)
{
    size_t entries = 64;
    while (entries * 2 * sizeof(Entry) <= table_bytes) entries *= 2;
    Entry *table = mem_try_pages(entries * sizeof *table);
    if (!table) return NULL;
    Vcf *vcf = mem_zero(sizeof *vcf);
    vcf->table = table;
    vcf->entries = entries;
    return vcf;
}

Vcf *vcf_open(size_t table_bytes)
{
    return mem_sure(vcf_try_open(table_bytes), table_bytes);
}

void vcf_close(Vcf *vcf)
{
    if (!vcf) return;
    mem_free_pages(vcf->table, vcf->entries * sizeof *vcf->table);
    mem_free(vcf);
}

void vcf_clear(Vcf *vcf)
{
    memset(vcf->table, 0, vcf->entries * sizeof *vcf->table);
}

/* --- fours ------------------------------------------------------------------------------------ */

static inline bool shape_is_four(Shape shape)
{
    return shape >= SHAPE_FOUR && shape <= SHAPE_OPEN_FOUR;
}

/* What looks foul is a four after all only if it is one four and a double three in appearance. */
static bool foul_is_four(const Board *board, Point p)
{
    int fours = 0;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        Shape shape = board_shape(board, p, BLACK, dir);
        if (shape == SHAPE_DOUBLE_FOUR || shape == SHAPE_OVERLINE) return false;
        fours += shape_is_four(shape);
    }
    return fours == 1 && ban_at(board, p) == BAN_NONE;
}

/* The points that complete a row of the colour's stone at p; `code` holds p's shapes as they were
 * when p was empty. */
static int fives_through(const Board *board, Point p, Colour colour, unsigned code, Point *fives)
{
    int n = 0, k = board->rules.k;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        if (!shape_is_four((Shape)(code >> 4 * dir & 15))) continue;
        int step = board->grid->step[dir];
        for (int sense = -1; sense <= 1; sense += 2) {
            for (int i = 1; i < k; i++) {
                Point q = (Point)(p + sense * i * step);
                Cell cell = (Cell)board->cell[q];
                if (cell == CELL_EMPTY && board_class(board, q, colour) == CLASS_FIVE)
                    fives[n++] = q;
                /* Behind the first empty point no row with one gap reaches back to p. */
                if (cell != colour + 1) break;
            }
        }
    }
    return n;
}

/* --- the search ------------------------------------------------------------------------------ */

static int attack(Vcf *vcf, int ply, int left);

static inline Entry *entry_of(const Vcf *vcf, uint64_t key)
{
    return &vcf->table[key & (vcf->entries - 1)];
}

static bool stop_now(Vcf *vcf)
{
    const VcfLimits *limits = vcf->limits;
    if (limits->nodes && vcf->nodes >= limits->nodes) vcf->stopped = true;
    if (vcf->nodes % CHECK_EVERY == 0) {
        if (limits->stop && atomic_load_explicit(limits->stop, memory_order_relaxed))
            vcf->stopped = true;
        if (limits->deadline && os_clock_ms() >= limits->deadline) vcf->stopped = true;
    }
    return vcf->stopped;
}

static bool forbidden(const Board *board, Point p, Colour colour)
{
    return colour == BLACK && ban_at(board, p) != BAN_NONE;
}

/* The five cannot be stopped: the defender blocks where he may, and the attacker plays it. */
static int finish(Vcf *vcf, int ply, const Point *fives, int n)
{
    Board *board = vcf->board;
    int block = 0;
    while (block < n && forbidden(board, fives[block], board->side)) block++;
    vcf->line[ply] = block < n ? fives[block] : POINT_NONE;
    vcf->line[ply + 1] = fives[block == 0 && n > 1];
    if (vcf->enclosing) { /* the block may have enclosed one of the others */
        Colour attacker = colour_other(board->side);
        board_play(board, vcf->line[ply]);
        board_find(board, attacker, CLASS_FIVE, CLASS_FIVE, &vcf->line[ply + 1], 1);
        board_undo(board);
    }
    return 2;
}

static int try_reply(Vcf *vcf, Point reply, int ply, int left)
{
    vcf->line[ply] = reply;
    board_play(vcf->board, reply);
    int plies = attack(vcf, ply + 1, left - 1);
    board_undo(vcf->board);
    return plies ? plies + 1 : 0;
}

/* Where enclosed rows are dead a block may also take the end of a row. A reply that helps takes the
 * first five away, by its point or by the ends of its rows, and must take all the others too. */
static int enclosing_replies(Board *board, Point five, Point *replies)
{
    Colour attacker = colour_other(board->side);
    Point maybe[VCF_REPLIES_MAX];
    int n = 0, good = 0;
    maybe[n++] = five;
    for (int dir = 0; dir < DIR_COUNT; dir++) {
        if (board_shape(board, five, attacker, dir) != SHAPE_FIVE) continue;
        for (int sense = -1; sense <= 1; sense += 2) {
            int step = sense * board->grid->step[dir];
            int q = five + step;
            while (board->cell[q] == attacker + 1) q += step;
            if (board->cell[q] == CELL_EMPTY) maybe[n++] = (Point)q;
        }
    }
    for (int i = 0; i < n; i++) {
        if (forbidden(board, maybe[i], board->side)) continue;
        board_play(board, maybe[i]);
        if (!board->count[attacker][CLASS_FIVE]) replies[good++] = maybe[i];
        board_undo(board);
    }
    return good;
}

int vcf_replies(Board *board, Point *replies)
{
    Colour attacker = colour_other(board->side);
    Point five = POINT_NONE;
    assert(board->count[attacker][CLASS_FIVE] && !board->count[board->side][CLASS_FIVE]);
    board_find(board, attacker, CLASS_FIVE, CLASS_FIVE, &five, 1);
    if (board->rules.side[attacker].enclosed_dead) return enclosing_replies(board, five, replies);
    if (board->count[attacker][CLASS_FIVE] > 1 || forbidden(board, five, board->side)) return 0;
    replies[0] = five;
    return 1;
}

/* Every reply must lose; the line shows the one that lasts longest. */
static int reply_enclosing(Vcf *vcf, const Point *fives, int n, int ply, int left)
{
    Point replies[VCF_REPLIES_MAX], longest[VCF_LINE_MAX];
    int count = enclosing_replies(vcf->board, fives[0], replies), most = 0;
    if (!count) return finish(vcf, ply, fives, n);
    for (int i = 0; i < count; i++) {
        int plies = try_reply(vcf, replies[i], ply, left);
        if (!plies) return 0;
        if (plies <= most) continue;
        most = plies;
        memcpy(longest, vcf->line + ply, (size_t)most * sizeof *longest);
    }
    memcpy(vcf->line + ply, longest, (size_t)most * sizeof *longest);
    return most;
}

/* The attacker played p, whose shapes were `code`. */
static int reply(Vcf *vcf, Point p, unsigned code, int ply, int left)
{
    Board *board = vcf->board;
    Colour defender = board->side, attacker = colour_other(defender);
    Point fives[2 * DIR_COUNT];
    if (board->count[defender][CLASS_FIVE]) return 0;
    int n = fives_through(board, p, attacker, code, fives);
    if (!n) return 0;
    if (vcf->enclosing) return reply_enclosing(vcf, fives, n, ply, left);
    if (n > 1 || forbidden(board, fives[0], defender)) return finish(vcf, ply, fives, n);
    return try_reply(vcf, fives[0], ply, left);
}

/* How promising an attack is: what else it makes, and whether it goes on where play is. */
static int attack_rank(const Vcf *vcf, Point p, Point last, Point best)
{
    const Board *board = vcf->board;
    Class class = board_class(board, p, board->side);
    if (p == best) return 1000;
    if (class == CLASS_FOUL) class = CLASS_FOUR_OPEN_THREE;
    const Site *a = &board->grid->site[p], *b = &board->grid->site[last];
    int dx = a->x > b->x ? a->x - b->x : b->x - a->x, dy = a->y > b->y ? a->y - b->y : b->y - a->y;
    int distance = dx > dy ? dx : dy;
    return 16 * class + (last == POINT_NONE || distance > 8 ? 0 : 8 - distance);
}

/* The attacks of a position on the list, best first; returns how many. Where the defender has a
 * five, an attack that stops it may be as weak as it likes. */
static int list_attacks(Vcf *vcf, Point best, Point *list, int room)
{
    const Board *board = vcf->board;
    Colour attacker = board->side, defender = colour_other(attacker);
    bool fouls = board->rules.side[attacker].fouls;
    int n = 0;
    if (board->count[defender][CLASS_FIVE] && !vcf->enclosing) {
        Point block;
        if (board->count[defender][CLASS_FIVE] > 1) return 0;
        board_find(board, defender, CLASS_FIVE, CLASS_FIVE, &block, 1);
        Class class = board_class(board, block, attacker);
        if (class < CLASS_FOUR && class != CLASS_FOUL) return 0;
        list[n++] = block;
    } else {
        bool all = !vcf->keen || board->count[defender][CLASS_FIVE];
        Class weakest = all ? CLASS_FOUR : CLASS_FOUR_OPEN_TWO;
        n = board_find(board, attacker, weakest, CLASS_FIVE, list, room);
        if (fouls) n += board_find(board, attacker, CLASS_FOUL, CLASS_FOUL, list + n, room - n);
    }
    /* The attacker's own last stone: the reply to it was forced. */
    Point last = POINT_NONE;
    const Ply *newest = board_last(board);
    if (newest && newest->before)
        last = ((const Ply *)((const char *)board + newest->before))->point;
    int kept = 0;
    int rank[64];
    for (int i = 0; i < n; i++) {
        Point p = list[i];
        if (board_class(board, p, attacker) == CLASS_FOUL && !foul_is_four(board, p)) continue;
        int value = attack_rank(vcf, p, last, best), at = kept++;
        if (at >= 64) { /* more fours than anyone will order */
            list[at] = p;
            continue;
        }
        for (; at > 0 && rank[at - 1] < value; at--) {
            rank[at] = rank[at - 1];
            list[at] = list[at - 1];
        }
        rank[at] = value;
        list[at] = p;
    }
    return kept;
}

static int try_attacks(Vcf *vcf, const Point *list, int n, int ply, int left, Point *winner)
{
    Board *board = vcf->board;
    for (int i = 0; i < n; i++) {
        if (stop_now(vcf)) return 0;
        vcf->nodes++;
        unsigned code = board->code[list[i]] >> 16 * board->side & 0xffff;
        vcf->line[ply] = list[i];
        board_play(board, list[i]);
        int plies = reply(vcf, list[i], code, ply + 1, left - 1);
        board_undo(board);
        if (vcf->stopped) return 0;
        if (plies) {
            *winner = list[i];
            return plies + 1;
        }
    }
    return 0;
}

/* The side to move attacks, `ply` plies into the line and with `left` to go. */
static int attack(Vcf *vcf, int ply, int left)
{
    Board *board = vcf->board;
    if (board->count[board->side][CLASS_FIVE]) {
        board_find(board, board->side, CLASS_FIVE, CLASS_FIVE, &vcf->line[ply], 1);
        return 1;
    }
    if (vcf->keen ? !vcf_is_likely(board) : !vcf_is_possible(board)) return 0;
    uint64_t key = board->hash ^ vcf->salt;
    Entry *entry = entry_of(vcf, key);
    bool known = entry->key == key;
    if (known && entry->none >= left) {
        if (entry->none != NONE_EVER) vcf->cut = true;
        return 0;
    }
    Point *list = vcf->list + vcf->list_end, winner = POINT_NONE;
    int room = LIST_MAX - vcf->list_end;
    int n = room ? list_attacks(vcf, known ? entry->move : POINT_NONE, list, room) : 0;
    if (n == room) { /* the list may be incomplete: the answer is unknown */
        vcf->stopped = true;
        return 0;
    }
    if (left < 3) {
        vcf->cut |= n > 0;
        return 0;
    }
    bool cut_before = vcf->cut;
    vcf->cut = false;
    vcf->list_end += n;
    int plies = try_attacks(vcf, list, n, ply, left, &winner);
    vcf->list_end -= n;
    if (!vcf->stopped) {
        uint16_t none = plies ? 0 : vcf->cut ? (uint16_t)left : NONE_EVER;
        *entry = (Entry){.key = key, .none = none, .move = winner};
    }
    vcf->cut |= cut_before;
    return plies;
}

/* --- from outside ---------------------------------------------------------------------------- */

uint64_t vcf_salt(const Rules *rules)
{
    uint64_t salt = (uint64_t)(rules->width * 128 + rules->height) * 16 + (uint64_t)rules->k;
    for (int c = 0; c < COLOUR_COUNT; c++) {
        const SideRule *side = &rules->side[c];
        salt = salt * 16 + side->overline * 4u + side->enclosed_dead * 2u + side->fouls;
    }
    return salt * 0x9e3779b97f4a7c15u;
}

Verdict vcf_search(Vcf *vcf, Board *board, const VcfLimits *limits, VcfResult *out)
{
    static const VcfLimits none = {0};
    out->move = POINT_NONE;
    out->plies = 0;
    out->nodes = 0;
    if (board->won != CELL_EMPTY || !vcf_is_possible(board)) return SOLVE_NONE;
    vcf->board = board;
    vcf->limits = limits ? limits : &none;
    vcf->keen = vcf->limits->keen && vcf_knows_idle(board);
    vcf->salt = vcf_salt(&board->rules) ^ (vcf->keen ? KEEN_SALT : 0);
    vcf->nodes = 0;
    vcf->stopped = false;
    vcf->enclosing =
        board->rules.side[BLACK].enclosed_dead || board->rules.side[WHITE].enclosed_dead;
    vcf->list_end = 0;
    int most = vcf->limits->plies;
    if (most <= 0 || most > VCF_LINE_MAX) most = VCF_LINE_MAX;
    int plies = 0;
    for (int left = vcf->limits->shortest ? 1 : most; !plies;
         left = left + 2 > most ? most : left + 2) {
        vcf->cut = false;
        plies = attack(vcf, 0, left);
        if (vcf->stopped || !vcf->cut || left == most) break;
    }
    out->nodes = vcf->nodes;
    if (vcf->stopped && !plies) return SOLVE_UNKNOWN;
    if (!plies) return vcf->cut || vcf->keen ? SOLVE_UNKNOWN : SOLVE_NONE;
    out->move = vcf->line[0];
    out->plies = plies;
    memcpy(out->line, vcf->line, (size_t)plies * sizeof *out->line);
    return SOLVE_WIN;
}
