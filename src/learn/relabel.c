/* SPDX-License-Identifier: MIT */
#include "learn/relabel.h"

#include "base/buf.h"
#include "base/mem.h"
#include "game/board.h"
#include "search/vcf.h"

#include <assert.h>
#include <string.h>

enum {
    WALK_NODES = 600,  /* of the search whose leaves are looked at */
    WALK_PERCENT = 75, /* of positions; the others are those of the games */
    LEAVES_KEPT = 4,   /* tried one after another until one is not won by fours */
    FOURS_NODES = 200, /* to see that */
    FOURS_BYTES = 1 << 16,
};

struct Relabel {
    Buf *files;
    int file_count;
    struct Place {
        int file;
        size_t at;
    } * games;
    size_t count, room;
};

/* --- the games ------------------------------------------------------------------------------- */

static void note_game(Relabel *relabel, int file, size_t at)
{
    if (relabel->count == relabel->room) {
        relabel->room = relabel->room ? 2 * relabel->room : 1024;
        relabel->games = mem_grow(relabel->games, relabel->room * sizeof *relabel->games);
    }
    relabel->games[relabel->count++] = (struct Place){file, at};
}

/* A game that leaves something to judge. */
static bool is_wanted(const ArchiveGame *game, RuleKind rule)
{
    const Rules *rules = &game->rules;
    return rules->kind == rule && rules->width == rules->height && rules->k == 5 &&
           game->winner != ARCHIVE_UNFINISHED && game->plies > 1 && game->plies > game->opening;
}

static bool take_file(Relabel *relabel, const char *path, RuleKind rule, Err *err)
{
    int file = relabel->file_count++;
    relabel->files = mem_grow(relabel->files, (size_t)relabel->file_count * sizeof(Buf));
    Buf *bytes = &relabel->files[file];
    *bytes = (Buf){0};
    if (!archive_read(path, bytes, err)) return false;
    ArchiveGame *game = mem_alloc(sizeof *game);
    bool whole;
    for (size_t at = 0, next = 0; archive_next(bytes, &next, game, &whole); at = next)
        if (is_wanted(game, rule)) note_game(relabel, file, at);
    mem_free(game);
    return true;
}

Relabel *relabel_open(const char *paths, RuleKind rule, Err *err)
{
    Relabel *relabel = mem_zero(sizeof *relabel);
    char *list = mem_copy(paths, strlen(paths) + 1);
    bool good = true;
    for (char *path = list, *next; good && path; path = next) {
        next = strchr(path, ',');
        if (next) *next++ = '\0';
        good = take_file(relabel, path, rule, err);
    }
    mem_free(list);
    if (good && !relabel->count)
        good = err_set(err, "%s: no games of the rule %s", paths, rule_name(rule));
    if (good) return relabel;
    relabel_close(relabel);
    return NULL;
}

void relabel_close(Relabel *relabel)
{
    if (!relabel) return;
    for (int i = 0; i < relabel->file_count; i++) buf_free(&relabel->files[i]);
    mem_free(relabel->files);
    mem_free(relabel->games);
    mem_free(relabel);
}

void relabel_draw(const Relabel *relabel, Rng *rng, ArchiveGame *game)
{
    const struct Place *place = &relabel->games[rng_below(rng, (uint32_t)relabel->count)];
    size_t at = place->at;
    uint32_t number = game->number;
    bool whole;
    archive_next(&relabel->files[place->file], &at, game, &whole);
    game->number = number;
    int least = game->opening ? game->opening : 1;
    game->plies = least + (int)rng_below(rng, (uint32_t)(game->plies - least));
}

/* --- the search for a position --------------------------------------------------------------- */

/* Stones as they are played: Black's and White's in turn, in no order that matters. */
typedef struct {
    Point stone[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int count; /* 0: none was seen */
} Leaf;

/* Some of the leaves of a search, each with the same chance. */
typedef struct {
    Rng *rng;
    uint32_t seen;
    Leaf leaf[LEAVES_KEPT];
} Leaves;

static void leaf_take(Leaf *leaf, const Board *board)
{
    int next[COLOUR_COUNT] = {0, 1}; /* Black's stones are the first, third, … */
    leaf->count = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board->cell[p] == CELL_EMPTY) continue;
        Colour colour = (Colour)(board->cell[p] - 1);
        leaf->stone[next[colour]] = p;
        next[colour] += 2;
    }
    leaf->count = board->stones;
    assert(next[BLACK] - next[WHITE] == (board->side == BLACK ? -1 : 1));
}

static void on_leaf(void *ctx, const Board *board)
{
    Leaves *leaves = ctx;
    uint32_t place =
        leaves->seen < LEAVES_KEPT ? leaves->seen : rng_below(leaves->rng, leaves->seen + 1);
    leaves->seen++;
    if (place < LEAVES_KEPT) leaf_take(&leaves->leaf[place], board);
}

/* Sets the leaf up; false if it is none to judge. A row of six that does not win may have been one
 * of five on the way: such positions are left out too. */
static bool leaf_set(const Leaf *leaf, Board *board, Vcf *vcf)
{
    VcfResult fours;
    board_reset(board);
    for (int i = 0; i < leaf->count; i++) {
        board_play(board, leaf->stone[i]);
        if (board_is_over(board)) return false;
    }
    return vcf_search(vcf, board, &(VcfLimits){.nodes = FOURS_NODES}, &fours) != SOLVE_WIN;
}

static void walk(Search *search, Board *board, Rng *rng)
{
    Leaves *leaves = mem_alloc(sizeof *leaves);
    Vcf *vcf = vcf_open(FOURS_BYTES);
    Leaf start;
    SearchResult result;
    leaf_take(&start, board);
    leaves->rng = rng;
    leaves->seen = 0;
    search_look(search, on_leaf, leaves);
    search_run(search, board, &(Limits){.nodes = WALK_NODES}, NULL, NULL, &result);
    search_look(search, NULL, NULL);
    uint32_t kept = leaves->seen < LEAVES_KEPT ? leaves->seen : LEAVES_KEPT, i = 0;
    while (i < kept && !leaf_set(&leaves->leaf[i], board, vcf)) i++;
    if (i == kept) {
        board_reset(board);
        for (int s = 0; s < start.count; s++) board_play(board, start.stone[s]);
    }
    vcf_close(vcf);
    mem_free(leaves);
}

static uint16_t place_of(const Rules *rules, Point p)
{
    return (uint16_t)(rules_y(rules, p) * rules->width + rules_x(rules, p));
}

void relabel_judge(Search *search, int64_t nodes, Rng *rng, ArchiveGame *game)
{
    const Rules *rules = &game->rules;
    Board *board = board_open(rules, NEAR_SQUARE2_LINE3);
    Leaf leaf;
    SearchResult seen;
    for (int i = 0; i < game->plies; i++) board_play(board, rules_nth(rules, game->ply[i].played));
    search_new_game(search);
    if (rng_below(rng, 100) < WALK_PERCENT) walk(search, board, rng);
    search_new_game(search);
    search_run(search, board, &(Limits){.nodes = nodes, .forced_too = true}, NULL, NULL, &seen);
    leaf_take(&leaf, board);
    game->plies = game->opening = leaf.count;
    for (int i = 0; i < leaf.count; i++) {
        uint16_t at = place_of(rules, leaf.stone[i]);
        game->ply[i] = (ArchivePly){at, at, ARCHIVE_NO_SCORE};
    }
    if (seen.move) {
        uint16_t at = place_of(rules, seen.move);
        game->ply[game->plies++] = (ArchivePly){at, at, (int16_t)seen.score};
    }
    game->winner = ARCHIVE_UNFINISHED;
    board_close(board);
}
