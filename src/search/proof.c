/* SPDX-License-Identifier: MIT */
#include "search/proof.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "game/ban.h"
#include "game/notation.h"
#include "game/sym.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- lines ----------------------------------------------------------------------------------- */

static bool has_five(const Board *board, Colour colour)
{
    return board->count[colour][CLASS_FIVE] > 0;
}

/* Is every point where the other side completes a row forbidden to the side to move? */
static bool blocks_are_forbidden(const Board *board)
{
    Colour other = colour_other(board->side);
    if (!has_five(board, other)) return false;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p) && board_class(board, p, other) == CLASS_FIVE &&
            ban_allows(board, p, board->side))
            return false;
    }
    return true;
}

static bool step_holds(Board *board, Point p, bool attacks, bool last, Goal goal, Err *err)
{
    char text[POINT_TEXT_MAX];
    Colour mover = board->side;
    point_text(&board->rules, p, text);
    if (board->won != CELL_EMPTY) return err_set(err, "the line goes on after a win");
    if (!attacks && has_five(board, mover))
        return err_set(err, "before %s the defender wins", text);
    if (p == POINT_NONE) {
        if (attacks || !blocks_are_forbidden(board))
            return err_set(err, "a pass where there are moves");
        board_pass(board);
        return true;
    }
    if (!ban_allows(board, p, mover)) return err_set(err, "%s is not legal", text);
    board_play(board, p);
    Point row[2 * SIZE_MAX_SIDE];
    if (last && !board_winning_row(board, p, row)) return err_set(err, "%s does not win", text);
    if (!last && attacks && goal == GOAL_VCF && !has_five(board, mover))
        return err_set(err, "%s makes no four", text);
    return true;
}

bool proof_line_holds(Board *board, const Point *line, int plies, Goal goal, Err *err)
{
    if (plies < 1 || plies % 2 == 0) return err_set(err, "a line of %d plies", plies);
    int before = board->plies;
    bool good = true;
    for (int i = 0; i < plies && good; i++)
        good = step_holds(board, line[i], i % 2 == 0, i == plies - 1, goal, err);
    while (board->plies > before) board_undo(board);
    return good;
}

/* --- certificates ---------------------------------------------------------------------------- */

typedef struct {
    uint64_t key; /* 0: a free place; sym_key is never 0 in practice and 1 stands for it */
    Point move;   /* in the canonical image */
    bool done;    /* all that follows was written, or replayed */
} Item;

/* The list of a certificate as a hash table that grows. */
typedef struct {
    Item *items;       /* owned */
    size_t cap, count; /* cap: a power of two */
} Items;

static Item *items_find(const Items *items, uint64_t key)
{
    size_t i = key & (items->cap - 1);
    while (items->items[i].key && items->items[i].key != key) i = (i + 1) & (items->cap - 1);
    return &items->items[i];
}

static void items_add(Items *items, uint64_t key, Point move)
{
    if (items->count * 2 >= items->cap) {
        Items bigger = {NULL, items->cap ? items->cap * 2 : 1 << 12, items->count};
        bigger.items = mem_zero(bigger.cap * sizeof *bigger.items);
        for (size_t i = 0; i < items->cap; i++)
            if (items->items[i].key) *items_find(&bigger, items->items[i].key) = items->items[i];
        mem_free(items->items);
        *items = bigger;
    }
    Item *item = items_find(items, key);
    items->count += item->key == 0;
    *item = (Item){key, move, false};
}

/* A position as the certificate sees it. */
typedef struct {
    uint64_t key;
    Sym sym; /* to its canonical image */
} Seen;

typedef struct {
    Board *board;
    Colour attacker;
    ProofMove *move_of; /* NULL: the moves come from the list and are checked */
    void *ctx;
    Items items;
    int64_t most, positions;
    Err *err;
    Point stones[SIZE_MAX_SIDE * SIZE_MAX_SIDE]; /* what stones_list found */
    uint8_t colours[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
} Walk;

static int stones_list(Walk *walk)
{
    const Board *board = walk->board;
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p)) continue;
        walk->stones[n] = p;
        walk->colours[n++] = (uint8_t)(board->cell[p] - 1);
    }
    return n;
}

static Seen seen_of(Walk *walk)
{
    const Rules *rules = &walk->board->rules;
    int n = stones_list(walk);
    uint64_t key = sym_key(rules, walk->stones, walk->colours, n, walk->board->side);
    return (Seen){key ? key : 1, sym_canonical(rules, walk->stones, walk->colours, n)};
}

static bool walk_attacker(Walk *walk);

static bool walk_fail(Walk *walk, const char *what)
{
    Buf text = BUF_EMPTY;
    Position position = {walk->stones, walk->colours, stones_list(walk), false, walk->board->side};
    position_write(&walk->board->rules, &position, &text);
    err_set(walk->err, "%s at %s", what, buf_text(&text));
    buf_free(&text);
    return false;
}

/* The defender is to move: whatever he plays, the attacker must have an answer. */
static bool walk_defender(Walk *walk)
{
    Board *board = walk->board;
    bool moved = false;
    if (has_five(board, board->side)) return walk_fail(walk, "the defender wins");
    if (board_is_full(board)) return walk_fail(walk, "the board is full");
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!ban_allows(board, p, board->side)) continue;
        moved = true;
        board_play(board, p);
        bool good = walk_attacker(walk);
        board_undo(board);
        if (!good) return false;
    }
    if (moved) return true;
    board_pass(board);
    bool good = walk_attacker(walk);
    board_undo(board);
    return good;
}

static bool walk_attacker(Walk *walk)
{
    Board *board = walk->board;
    if (has_five(board, walk->attacker)) return true;
    Seen seen = seen_of(walk);
    Item *item = walk->items.cap ? items_find(&walk->items, seen.key) : NULL;
    bool known = item && item->key;
    if (known && item->done) return true;
    if (!known && !walk->move_of) return walk_fail(walk, "no move is given");
    if (!known && walk->positions >= walk->most) return walk_fail(walk, "too many positions");
    Point move = known ? sym_point(&board->rules, sym_inverse(seen.sym), item->move)
                       : walk->move_of(walk->ctx, board);
    if (move == POINT_NONE) return walk_fail(walk, "no move is known");
    if (!known) items_add(&walk->items, seen.key, sym_point(&board->rules, seen.sym, move));
    walk->positions++;
    if (!ban_allows(board, move, board->side)) return walk_fail(walk, "the move is not legal");
    board_play(board, move);
    bool good = walk_defender(walk);
    board_undo(board);
    if (good) items_find(&walk->items, seen.key)->done = true;
    return good;
}

static bool walk_run(Walk *walk)
{
    return walk->board->side == walk->attacker ? walk_attacker(walk) : walk_defender(walk);
}

static int item_compare(const void *a, const void *b)
{
    uint64_t x = ((const Item *)a)->key, y = ((const Item *)b)->key;
    return x < y ? -1 : x > y;
}

/* Smallest key first, so that the same proof is the same file. */
static void items_write(Items *items, const Rules *rules, Buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < items->cap; i++)
        if (items->items[i].key) items->items[n++] = items->items[i];
    if (n) qsort(items->items, n, sizeof *items->items, item_compare);
    buf_printf(out, "moves %zu\n", n);
    for (size_t i = 0; i < n; i++) {
        char text[POINT_TEXT_MAX];
        buf_printf(out, "%016" PRIx64 " %s\n", items->items[i].key,
                   point_text(rules, items->items[i].move, text));
    }
}

bool proof_write(Board *board, Colour attacker, ProofMove *move_of, void *ctx, int64_t most,
                 Buf *out, Err *err)
{
    const Rules *rules = &board->rules;
    Walk walk = {.board = board,
                 .attacker = attacker,
                 .move_of = move_of,
                 .ctx = ctx,
                 .most = most,
                 .err = err};
    bool good = walk_run(&walk);
    if (good) {
        buf_printf(out,
                   "goren-proof 1\nrule %s\nsize %dx%d\nwin %d\nattacker %c\nside %c\nposition ",
                   rule_name(rules->kind), rules->width, rules->height, rules->k,
                   attacker == BLACK ? 'b' : 'w', board->side == BLACK ? 'b' : 'w');
        for (int colour = BLACK; colour <= WHITE; colour++) {
            buf_add_text(out, colour == BLACK ? "b:" : "/w:");
            for (int i = 0; i < rules->width * rules->height; i++) {
                char text[POINT_TEXT_MAX];
                Point p = rules_nth(rules, i);
                if (board->cell[p] == colour + 1) buf_add_text(out, point_text(rules, p, text));
            }
        }
        buf_add_char(out, '\n');
        items_write(&walk.items, rules, out);
    }
    mem_free(walk.items.items);
    return good;
}

/* --- reading certificates -------------------------------------------------------------------- */

typedef struct {
    const char *at; /* NUL-terminated */
    int line;
} Reader;

/* The rest of a line that begins with a word; NULL if it begins otherwise. Cuts no memory: the text
 * ends at the line's end, `len` bytes on. */
static const char *reader_field(Reader *reader, const char *word, size_t *len)
{
    size_t n = strlen(word);
    if (strncmp(reader->at, word, n) != 0 || reader->at[n] != ' ') return NULL;
    const char *value = reader->at + n + 1;
    *len = strcspn(value, "\n");
    reader->at = value + *len + (value[*len] == '\n');
    if (*len && value[*len - 1] == '\r') --*len;
    reader->line++;
    return value;
}

static bool read_text(Reader *reader, const char *word, char *out, size_t size, Err *err)
{
    size_t len;
    const char *value = reader_field(reader, word, &len);
    if (!value) return err_set(err, "line %d: expected \"%s …\"", reader->line + 1, word);
    if (len >= size) return err_set(err, "line %d: too long", reader->line);
    memcpy(out, value, len);
    out[len] = '\0';
    return true;
}

static bool read_colour(Reader *reader, const char *word, Colour *colour, Err *err)
{
    char text[8];
    if (!read_text(reader, word, text, sizeof text, err)) return false;
    if (strcmp(text, "b") != 0 && strcmp(text, "w") != 0)
        return err_set(err, "line %d: %s is b or w", reader->line, word);
    *colour = text[0] == 'b' ? BLACK : WHITE;
    return true;
}

static bool read_rules(Reader *reader, Rules *rules, Err *err)
{
    char rule[32], size[32], win[8], rest;
    RuleKind kind;
    int width, height, k;
    if (!read_text(reader, "rule", rule, sizeof rule, err) || !rule_parse(rule, &kind, err) ||
        !read_text(reader, "size", size, sizeof size, err) ||
        !read_text(reader, "win", win, sizeof win, err))
        return false;
    if (sscanf(size, "%3dx%3d%c", &width, &height, &rest) != 2 ||
        sscanf(win, "%3d%c", &k, &rest) != 1)
        return err_set(err, "line %d: a size is 15x15, win a number", reader->line);
    if (!rules_check(width, height, k, err)) return false;
    rules_init(rules, kind, width, height, k);
    return true;
}

static Board *read_board(Reader *reader, const Rules *rules, Colour side, Err *err)
{
    size_t len;
    const char *value = reader_field(reader, "position", &len);
    Position position;
    if (!value) {
        err_set(err, "line %d: expected \"position …\"", reader->line + 1);
        return NULL;
    }
    Buf text = BUF_EMPTY;
    buf_add(&text, value, len);
    bool good = position_parse(rules, buf_text(&text), side == BLACK ? 'b' : 'w', &position, err);
    buf_free(&text);
    if (!good) return NULL;
    Board *board = board_open(rules, NEAR_ALL);
    for (int i = 0; i < position.count; i++)
        board_put(board, position.stones[i], (Colour)position.colours[i]);
    board_set_side(board, side);
    position_free(&position);
    return board;
}

static bool read_items(Reader *reader, const Rules *rules, Items *items, int64_t *count, Err *err)
{
    char text[32];
    if (!read_text(reader, "moves", text, sizeof text, err)) return false;
    *count = strtoll(text, NULL, 10);
    for (int64_t i = 0; i < *count; i++) {
        char *end;
        Point move;
        uint64_t key = strtoull(reader->at, &end, 16);
        if (end != reader->at + 16 || *end != ' ')
            return err_set(err, "line %d: expected a key and a move", reader->line + 1);
        reader->at = end + 1;
        reader->line++;
        if (!point_parse(rules, &reader->at, &move, err)) return false;
        reader->at += *reader->at == '\r';
        if (*reader->at++ != '\n') return err_set(err, "line %d: no end of line", reader->line);
        items_add(items, key, move);
    }
    return *reader->at == '\0' || err_set(err, "line %d: more than the list", reader->line + 1);
}

bool proof_check(const char *text, size_t len, ProofSummary *summary, Err *err)
{
    Reader reader = {text + utf8_mark(text, len), 0};
    Walk walk = {.most = INT64_MAX, .err = err};
    char version[8];
    Colour side = BLACK;
    *summary = (ProofSummary){0};
    if (strlen(text) != len) return err_set(err, "not a text file");
    summary->is_one =
        read_text(&reader, "goren-proof", version, sizeof version, err) &&
        (strcmp(version, "1") == 0 || err_set(err, "version %s is not known", version));
    bool good = summary->is_one && read_rules(&reader, &summary->rules, err) &&
                read_colour(&reader, "attacker", &summary->attacker, err) &&
                read_colour(&reader, "side", &side, err);
    if (good) good = (walk.board = read_board(&reader, &summary->rules, side, err)) != NULL;
    walk.attacker = summary->attacker;
    good = good && read_items(&reader, &summary->rules, &walk.items, &summary->moves, err);
    if (good && board_scan_winner(walk.board) != CELL_EMPTY)
        good = err_set(err, "the game is over already");
    good = good && walk_run(&walk);
    summary->positions = walk.positions;
    board_close(walk.board);
    mem_free(walk.items.items);
    return good;
}
