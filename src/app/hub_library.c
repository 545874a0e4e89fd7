/* SPDX-License-Identifier: MIT */
/* Requests about the library: games found again, tidied up, brought in and taken out. */
#include "app/hub_games.h"

#include "base/mem.h"
#include "game/sym.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIST_MAX = 200,
    DELETE_MAX = 1000,
    WORK_MAX = 1000000, /* stones times points of a position that is explored */
    COMMENT_SHOWN = 200
};

/* Whose games a client may see: NULL everybody's. */
static bool read_owner(const Client *client, const json_t *body, const char **owner, Refusal *no)
{
    const char *scope = client->hub->plan.one_user ? "all" : "mine";
    if (!field_text(body, "scope", 10, &scope, no)) return false;
    bool all = strcmp(scope, "all") == 0;
    if (!all && strcmp(scope, "mine") != 0)
        return refuse(no, "bad", "\"scope\" must be mine or all.");
    if (all && !client->hub->plan.one_user)
        return refuse(no, "denied", "This server shows everybody only their own games.");
    *owner = all ? NULL : client->token;
    return true;
}

/* ---- list ---- */

static bool has_position(const json_t *body)
{
    return json_object_get(body, "position") || json_object_get(body, "game");
}

/* The stones of a board, in reading order; returns how many. */
static int board_stones(const Board *board, Point *stones, uint8_t *colours)
{
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        if (board_is_empty(board, p)) continue;
        stones[n] = p;
        colours[n++] = board->cell[p] == CELL_BLACK ? BLACK : WHITE;
    }
    return n;
}

static uint64_t key_of(const Board *board)
{
    Point stones[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    uint8_t colours[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int n = board_stones(board, stones, colours);
    return sym_key(&board->rules, stones, colours, n, board->side);
}

static bool read_choice(const json_t *body, const char *key, const char *const *names, int count,
                        int *choice, Refusal *no)
{
    const char *name = NULL;
    if (!field_text(body, key, 20, &name, no)) return false;
    for (int i = 0; name && i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            *choice = i;
            return true;
        }
    }
    return !name || refuse(no, "bad", "\"%s\" cannot be %s.", key, name);
}

/* *specs: the list as library.h wants it. */
static bool read_specs(const json_t *body, Buf *specs, Refusal *no)
{
    enum { SPECS_MAX = 50 };
    json_t *list = NULL;
    if (!field_array(body, "specs", SPECS_MAX, &list, no)) return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *spec = json_string_value(json_array_get(list, i));
        if (!spec || strchr(spec, '\n'))
            return refuse(no, "bad", "\"specs\" must be a list of players.");
        buf_printf(specs, "\n%s\n", spec);
    }
    return true;
}

static bool read_query(Client *client, const json_t *body, LibraryQuery *q, Buf *specs, Refusal *no)
{
    static const char *const results[] = {"open", "b", "w", "draw"};
    static const char *const orders[] = {"changed", "created", "plies", "name"};
    const char *rule = NULL;
    int order = LIBRARY_BY_CHANGE;
    *q = (LibraryQuery){.rule = -1, .result = -1, .limit = 50};
    if (!read_owner(client, body, &q->owner, no) || !read_specs(body, specs, no) ||
        !field_text(body, "text", TEXT_MAX_NAME, &q->text, no) ||
        !field_text(body, "player", TEXT_MAX_NAME, &q->player, no) ||
        !field_text(body, "tag", TEXT_MAX_NAME, &q->tag, no) ||
        !field_text(body, "from", 10, &q->from, no) || !field_text(body, "to", 10, &q->to, no) ||
        !field_text(body, "rule", 20, &rule, no) ||
        !read_choice(body, "result", results, 4, &q->result, no) ||
        !read_choice(body, "order", orders, 4, &order, no) ||
        !field_whole(body, "offset", 0, INT64_C(1) << 40, &q->offset, no) ||
        !field_whole(body, "limit", 0, LIST_MAX, &q->limit, no))
        return false;
    q->order = (LibraryOrder)order;
    q->specs = buf_text(specs);
    if (rule) {
        RuleKind kind;
        if (!rule_parse(rule, &kind, &no->err)) return refuse_so(no, "bad");
        q->rule = (int)kind;
    }
    if (!has_position(body)) return true;
    Board *board = request_board(client, body, no);
    if (!board) return false;
    q->has_key = true;
    q->key = key_of(board);
    board_close(board);
    return true;
}

static const char *result_name(LibraryResult result)
{
    static const char *const names[] = {"open", "b", "w", "draw"};
    return names[result & 3];
}

/* Whoever has Black. */
static const char *player_of(const LibraryGame *game, Colour colour)
{
    int seat = (colour == BLACK) == game->swapped ? SEAT_SECOND : SEAT_FIRST;
    return *game->player_name[seat] ? game->player_name[seat] : game->player[seat];
}

typedef struct {
    json_t *list;
    bool with_ply;
} Lister;

static bool list_game(void *ctx, const LibraryGame *game, int ply)
{
    const Lister *lister = ctx;
    size_t len = strlen(game->comment);
    while (len > COMMENT_SHOWN ||
           (len < strlen(game->comment) && (game->comment[len] & 0xc0) == 0x80))
        len--;
    json_t *match = lister->with_ply ? json_pack("{s:i}", "ply", ply) : json_null();
    json_array_append_new(
        lister->list,
        json_pack(
            "{s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:o, s:o, s:s, s:s, s:o}",
            "game", game->id, "name", game->name, "rules", json_rules(&game->rules), "phase",
            phase_name(game->phase < PHASE_COUNT ? game->phase : PHASE_NORMAL), "black",
            player_of(game, BLACK), "white", player_of(game, WHITE), "result",
            result_name(game->result), "reason", game->reason, "plies", game->plies, "created",
            game->created, "changed", game->changed, "tags", table_json_tags(game->tags), "comment",
            json_stringn(game->comment, len), "source", game->source, "moves",
            game->plies <= 400 ? game->moves : "", "match", match));
    return true;
}

static bool do_list(Client *client, Request *request, json_t *reply, Refusal *no)
{
    LibraryQuery query;
    Buf specs = BUF_EMPTY;
    int64_t total = 0;
    bool good = read_query(client, request->body, &query, &specs, no);
    if (good) {
        Lister lister = {json_array(), query.has_key};
        json_object_set_new(reply, "games", lister.list);
        good = library_list(client->hub->library, &query, list_game, &lister, &total, &no->err) ||
               refuse_so(no, "failed");
    }
    buf_free(&specs);
    json_object_set_new(reply, "total", json_integer(total));
    return good;
}

/* ---- what was played from a position ---- */

/* A move, by the position that it leads to: moves that a symmetry makes equal have one. */
typedef struct {
    uint64_t key;
    Point point;
    int64_t games[4]; /* by LibraryResult */
} Branch;

typedef struct {
    Branch *branches; /* in the order of their keys */
    int count;
} Explorer;

static int compare_branches(const void *a, const void *b)
{
    const Branch *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

/* Every empty point, of equal ones the first; none where that would be too much work, on the
 * largest boards with many stones. */
static void explorer_open(Explorer *explorer, Board *board)
{
    Point stones[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    uint8_t colours[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int points = board->rules.width * board->rules.height, count = 0, kept = 0;
    int n = board_stones(board, stones, colours);
    Branch *branches = mem_zero((size_t)points * sizeof *branches);
    bool much = (int64_t)n * points > WORK_MAX;
    for (int i = 0; !much && i < points; i++) {
        Point p = rules_nth(&board->rules, i);
        if (!board_is_empty(board, p)) continue;
        stones[n] = p;
        colours[n] = (uint8_t)board->side;
        branches[count++] = (Branch){
            sym_key(&board->rules, stones, colours, n + 1, colour_other(board->side)), p, {0}};
    }
    qsort(branches, (size_t)count, sizeof *branches, compare_branches);
    for (int i = 0; i < count; i++) {
        if (!kept || branches[kept - 1].key != branches[i].key) branches[kept++] = branches[i];
    }
    *explorer = (Explorer){branches, kept};
}

static void count_branch(void *ctx, uint64_t next, LibraryResult result)
{
    const Explorer *explorer = ctx;
    int low = 0, high = explorer->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (explorer->branches[middle].key < next) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < explorer->count && explorer->branches[low].key == next)
        explorer->branches[low].games[result]++;
}

static int64_t branch_games(const Branch *branch)
{
    const int64_t *n = branch->games;
    return n[0] + n[1] + n[2] + n[3];
}

static int compare_games(const void *a, const void *b)
{
    int64_t x = branch_games(a), y = branch_games(b);
    return x != y ? (x < y ? 1 : -1) : compare_branches(a, b);
}

static bool do_moves(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const char *owner = NULL;
    int64_t total = 0;
    Explorer explorer;
    if (!read_owner(client, request->body, &owner, no)) return false;
    Board *board = request_board(client, request->body, no);
    if (!board) return false;
    explorer_open(&explorer, board);
    bool good = library_next(client->hub->library, key_of(board), owner, count_branch, &explorer,
                             &no->err) ||
                refuse_so(no, "failed");
    qsort(explorer.branches, (size_t)explorer.count, sizeof *explorer.branches, compare_games);
    json_t *moves = json_array();
    for (int i = 0; good && i < explorer.count; i++) {
        const int64_t *n = explorer.branches[i].games;
        int64_t games = branch_games(&explorer.branches[i]);
        if (!games) break;
        total += games;
        json_array_append_new(
            moves, json_pack("{s:o, s:I, s:I, s:I, s:I}", "p",
                             json_point(&board->rules, explorer.branches[i].point), "games",
                             (json_int_t)games, "black", (json_int_t)n[LIBRARY_BLACK], "white",
                             (json_int_t)n[LIBRARY_WHITE], "draws", (json_int_t)n[LIBRARY_DRAW]));
    }
    json_object_set_new(reply, "moves", moves);
    json_object_set_new(reply, "total", json_integer(total));
    mem_free(explorer.branches);
    board_close(board);
    return good;
}

/* ---- tags, deleting ---- */

static void count_tags(void *ctx, const char *tags, int64_t games)
{
    json_t *counts = ctx, *list = table_json_tags(tags);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *tag = json_string_value(json_array_get(list, i));
        json_int_t before = json_integer_value(json_object_get(counts, tag));
        json_object_set_new(counts, tag, json_integer(before + games));
    }
    json_decref(list);
}

static bool do_tags(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const char *owner = NULL, *tag;
    json_t *counts = json_object(), *list = json_array(), *games;
    bool good = read_owner(client, request->body, &owner, no) &&
                (library_tags(client->hub->library, owner, count_tags, counts, &no->err) ||
                 refuse_so(no, "failed"));
    json_object_foreach(counts, tag, games)
    {
        json_array_append_new(list, json_pack("{s:s, s:O}", "tag", tag, "games", games));
    }
    json_decref(counts);
    json_object_set_new(reply, "tags", list);
    return good;
}

static bool read_ids(const json_t *body, int most, json_t **ids, Refusal *no)
{
    if (!field_array(body, "games", (size_t)most, ids, no)) return false;
    for (size_t i = 0; *ids && i < json_array_size(*ids); i++) {
        if (!json_is_string(json_array_get(*ids, i)))
            return refuse(no, "bad", "\"games\" must be a list of games.");
    }
    return *ids || refuse(no, "bad", "\"games\" is missing, a list of games.");
}

static bool do_delete(Client *client, Request *request, json_t *reply, Refusal *no)
{
    json_t *ids = NULL;
    int count = 0;
    if (!read_ids(request->body, DELETE_MAX, &ids, no)) return false;
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));
        bool deleted = false;
        if (!library_delete(client->hub->library, id,
                            client->hub->plan.one_user ? NULL : client->token, &deleted, &no->err))
            return refuse_so(no, "failed");
        count += deleted;
        if (deleted) games_gone(client->hub, id);
    }
    json_object_set_new(reply, "deleted", json_integer(count));
    return true;
}

/* ---- in and out ---- */

const Verb library_verbs[] = {
    {"library.list", do_list},
    {"library.moves", do_moves},
    {"library.tags", do_tags},
    {"library.delete", do_delete},
    {0},
};
