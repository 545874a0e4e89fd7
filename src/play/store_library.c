/* SPDX-License-Identifier: MIT */
/* The library's tables: see library.h. */
#include "play/library.h"

#include "base/mem.h"
#include "play/store_places.h"

#include <stdio.h>
#include <string.h>

/* A board that was opened and left empty is no game yet, unless somebody wrote something to it. */
#define IS_LISTED "(plies>0 OR setup||name||comment||tags<>'' OR notes<>'{}')"
/* Games are counted and put in order without a look at their rows, which are long. */
#define LIST_INDEXES                                                                               \
    "CREATE INDEX kept_listed ON kept(owner, rule, result) WHERE " IS_LISTED ";"                   \
    "CREATE INDEX kept_name ON kept(name, number DESC);"                                           \
    "CREATE INDEX kept_plies ON kept(plies);"                                                      \
    "CREATE INDEX kept_created ON kept(created);"

static const char schema_sql[] =
    "CREATE TABLE kept(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL,"
    " source TEXT NOT NULL, rule INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,"
    " win INTEGER NOT NULL, phase INTEGER NOT NULL, setup TEXT NOT NULL, setup_side TEXT NOT NULL,"
    " first TEXT NOT NULL, second TEXT NOT NULL, first_name TEXT NOT NULL,"
    " second_name TEXT NOT NULL, swapped INTEGER NOT NULL, match_ms INTEGER NOT NULL,"
    " turn_ms INTEGER NOT NULL, increment_ms INTEGER NOT NULL, think_ms INTEGER NOT NULL,"
    " delay_ms INTEGER NOT NULL, acts TEXT NOT NULL, times TEXT NOT NULL, thoughts TEXT NOT NULL,"
    " standing INTEGER NOT NULL, ending TEXT NOT NULL, result INTEGER NOT NULL,"
    " reason TEXT NOT NULL, name TEXT NOT NULL, comment TEXT NOT NULL, notes TEXT NOT NULL,"
    " tags TEXT NOT NULL, moves TEXT NOT NULL, plies INTEGER NOT NULL, created TEXT NOT NULL,"
    " changed TEXT NOT NULL);"
    "CREATE INDEX kept_changed ON kept(changed);" LIST_INDEXES
    "CREATE TABLE place" PLACES_TABLE PLACES_INDEX
    "CREATE TABLE solved(owner TEXT NOT NULL, suite TEXT NOT NULL, number INTEGER NOT NULL,"
    " PRIMARY KEY(owner, suite, number)) WITHOUT ROWID;";

/* Version 1 knew of a place neither what came next nor the result. */
static const char upgrade_sql[] =
    "CREATE TABLE place_now" PLACES_TABLE
    "INSERT INTO place_now SELECT key, game, ply, (SELECT after.key FROM place after WHERE"
    " after.game=place.game AND after.ply=place.ply+1), result FROM place JOIN kept ON number=game;"
    "DROP TABLE place;"
    "ALTER TABLE place_now RENAME TO place;" PLACES_INDEX LIST_INDEXES;

static const DbKind library_kind = {"library of games", 0x676f6c69, 2, schema_sql, upgrade_sql};

struct Library {
    Db db;
    bool begun; /* between library_begin and library_end */
};

Library *library_open(const char *path, Err *err)
{
    Library *library = mem_zero(sizeof *library);
    if (db_open(&library->db, path, &library_kind, true, err)) return library;
    mem_free(library);
    return NULL;
}

void library_close(Library *library)
{
    if (!library) return;
    db_close(&library->db);
    mem_free(library);
}

/* ---- columns, in the order of the table ---- */

enum { KEPT_COLUMNS = 36 };

static const char put_sql[] =
    "INSERT OR REPLACE INTO kept VALUES((SELECT number FROM kept WHERE id=?2),"
    "?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,"
    "?27,?28,?29,?30,?31,?32,?33,?34,?35,?36)";

/* One walk over the columns, for reading and for writing: what stands here is their order. */
typedef struct {
    sqlite3_stmt *stmt;
    int column; /* of a row, from 0; a parameter has one more */
    bool writing;
    Arena *texts; /* where texts that are read go; NULL: they are good until the next row */
} Walk;

static void walk_text(Walk *walk, const char **text)
{
    int column = walk->column++;
    if (walk->writing) {
        db_bind_text(walk->stmt, column + 1, *text);
        return;
    }
    *text = db_column_text(walk->stmt, column);
    if (walk->texts) *text = arena_text(walk->texts, *text, strlen(*text));
}

static int64_t walk_number(Walk *walk, int64_t number)
{
    int column = walk->column++;
    if (!walk->writing) return sqlite3_column_int64(walk->stmt, column);
    sqlite3_bind_int64(walk->stmt, column + 1, number);
    return number;
}

static void walk_game(Walk *walk, LibraryGame *game)
{
    Rules *rules = &game->rules;
    walk->column = 1;
    walk_text(walk, &game->id);
    walk_text(walk, &game->owner);
    walk_text(walk, &game->source);
    RuleKind kind = (RuleKind)walk_number(walk, rules->kind);
    int width = (int)walk_number(walk, rules->width);
    int height = (int)walk_number(walk, rules->height);
    int k = (int)walk_number(walk, rules->k);
    if (!walk->writing && kind < RULE_COUNT && rules_check(width, height, k, NULL))
        rules_init(rules, kind, width, height, k);
    game->phase = (Phase)walk_number(walk, game->phase);
    walk_text(walk, &game->setup);
    walk_text(walk, &game->setup_side);
    for (int seat = 0; seat < SEAT_COUNT; seat++) walk_text(walk, &game->player[seat]);
    for (int seat = 0; seat < SEAT_COUNT; seat++) walk_text(walk, &game->player_name[seat]);
    game->swapped = walk_number(walk, game->swapped) != 0;
    game->clock.match_ms = walk_number(walk, game->clock.match_ms);
    game->clock.turn_ms = walk_number(walk, game->clock.turn_ms);
    game->clock.increment_ms = walk_number(walk, game->clock.increment_ms);
    game->think_ms = walk_number(walk, game->think_ms);
    game->delay_ms = walk_number(walk, game->delay_ms);
    walk_text(walk, &game->acts);
    walk_text(walk, &game->times);
    walk_text(walk, &game->thoughts);
    game->standing = (int)walk_number(walk, game->standing);
    walk_text(walk, &game->ending);
    game->result = (LibraryResult)walk_number(walk, game->result);
    walk_text(walk, &game->reason);
    walk_text(walk, &game->name);
    walk_text(walk, &game->comment);
    walk_text(walk, &game->notes);
    walk_text(walk, &game->tags);
    walk_text(walk, &game->moves);
    game->plies = (int)walk_number(walk, game->plies);
    walk_text(walk, &game->created);
    walk_text(walk, &game->changed);
}

/* ---- one game ---- */

static bool number_of(Library *library, const char *id, int64_t *number, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&library->db, "SELECT number FROM kept WHERE id=?1", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, id);
    int rc = sqlite3_step(stmt);
    *number = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(&library->db, err);
    sqlite3_finalize(stmt);
    return good;
}

static bool put_row(Library *library, const LibraryGame *game, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&library->db, put_sql, err);
    if (!stmt) return false;
    LibraryGame copy = *game;
    walk_game(&(Walk){.stmt = stmt, .writing = true}, &copy);
    return db_step_done(&library->db, stmt, err);
}

bool library_begin(Library *library, Err *err)
{
    library->begun = db_exec(&library->db, "BEGIN IMMEDIATE", err);
    return library->begun;
}

bool library_end(Library *library, bool good, Err *err)
{
    library->begun = false;
    return db_end(&library->db, good, err);
}

bool library_put(Library *library, const LibraryGame *game, const uint64_t *keys, int from,
                 Err *err)
{
    int64_t number = 0;
    bool alone = !library->begun;
    if (alone && !library_begin(library, err)) return false;
    bool good = put_row(library, game, err) && number_of(library, game->id, &number, err) &&
                places_put(&library->db, number, keys, from, game->plies, game->result, err);
    return alone ? library_end(library, good, err) : good;
}

bool library_get(Library *library, const char *id, Arena *texts, LibraryGame *game, bool *found,
                 Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&library->db, "SELECT * FROM kept WHERE id=?1", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, id);
    int rc = sqlite3_step(stmt);
    *found = rc == SQLITE_ROW;
    *game = (LibraryGame){0};
    if (*found) walk_game(&(Walk){.stmt = stmt, .texts = texts}, game);
    bool good = *found || rc == SQLITE_DONE || db_fail(&library->db, err);
    sqlite3_finalize(stmt);
    if (*found && !game->rules.width) return err_set(err, "game %s: the store holds nonsense", id);
    return good;
}

bool library_delete(Library *library, const char *id, const char *owner, bool *deleted, Err *err)
{
    int64_t number = 0;
    if (!db_exec(&library->db, "BEGIN IMMEDIATE", err)) return false;
    bool good = number_of(library, id, &number, err);
    sqlite3_stmt *stmt = good ? db_prepare(&library->db,
                                           "DELETE FROM kept WHERE number=?1 AND"
                                           " (?2 IS NULL OR owner=?2)",
                                           err)
                              : NULL;
    if (stmt) {
        sqlite3_bind_int64(stmt, 1, number);
        if (owner) db_bind_text(stmt, 2, owner);
    }
    good = stmt && db_step_done(&library->db, stmt, err);
    *deleted = good && number && sqlite3_changes(library->db.sql) > 0;
    if (*deleted) good = places_drop(&library->db, number, 0, err);
    return db_end(&library->db, good, err);
}

/* ---- many ---- */

enum {
    PLACE_KEY = 1,
    PLACE_OWNER,
    PLACE_TEXT,
    PLACE_PLAYER,
    PLACE_TAG,
    PLACE_FROM,
    PLACE_TO,
    PLACE_RULE,
    PLACE_RESULT,
    PLACE_LIMIT,
    PLACE_OFFSET,
    PLACE_SPECS
};

/* A player who has no name is shown by what he is: by a word of the reader's (PLACE_SPECS), or as
 * his spec says, which the text may begin. A human is no such word. */
#define IS_SHOWN_AS(seat)                                                                          \
    " OR (" seat "_name='' AND (instr(?12, char(10)||" seat "||char(10)) OR " seat "<>'human' AND" \
    " instr(lower(" seat "), lower(?3))=1))"

static void add_conditions(const LibraryQuery *q, Buf *sql)
{
    /* Stones only come: a position is never twice in one game. */
    buf_add_text(sql,
                 q->has_key ? " FROM kept JOIN place ON game=number AND key=?1" : " FROM kept");
    buf_add_text(sql, " WHERE " IS_LISTED);
    if (q->owner) buf_add_text(sql, " AND owner=?2");
    if (q->text)
        buf_add_text(sql, " AND (instr(lower(name||' '||comment||' '||notes||' '||tags||' '||"
                          "first_name||' '||second_name), lower(?3))" IS_SHOWN_AS("first")
                              IS_SHOWN_AS("second") ")");
    if (q->player)
        buf_add_text(sql, " AND instr(lower(first_name||' '||second_name||' '||first||' '||second),"
                          " lower(?4))");
    if (q->tag) buf_add_text(sql, " AND instr(tags, char(10)||?5||char(10))");
    if (q->from) buf_add_text(sql, " AND substr(created,1,10)>=?6");
    if (q->to) buf_add_text(sql, " AND substr(created,1,10)<=?7");
    if (q->rule >= 0) buf_add_text(sql, " AND rule=?8");
    if (q->result >= 0) buf_add_text(sql, " AND kept.result=?9");
}

static void bind_query(sqlite3_stmt *stmt, const LibraryQuery *q)
{
    const char *const texts[] = {q->owner, q->text, q->player, q->tag, q->from, q->to};
    sqlite3_bind_int64(stmt, PLACE_KEY, (int64_t)q->key);
    for (int i = 0; i < 6; i++) {
        if (texts[i]) db_bind_text(stmt, PLACE_OWNER + i, texts[i]);
    }
    sqlite3_bind_int(stmt, PLACE_RULE, q->rule);
    sqlite3_bind_int(stmt, PLACE_RESULT, q->result);
    sqlite3_bind_int64(stmt, PLACE_LIMIT, q->limit);
    sqlite3_bind_int64(stmt, PLACE_OFFSET, q->offset);
    if (q->specs) db_bind_text(stmt, PLACE_SPECS, q->specs);
}

static bool count_games(Library *library, const LibraryQuery *q, int64_t *total, Err *err)
{
    Buf sql = BUF_EMPTY;
    buf_add_text(&sql, "SELECT count(*)");
    add_conditions(q, &sql);
    sqlite3_stmt *stmt = db_prepare(&library->db, sql.data, err);
    buf_free(&sql);
    if (!stmt) return false;
    bind_query(stmt, q);
    bool good = sqlite3_step(stmt) == SQLITE_ROW || db_fail(&library->db, err);
    *total = good ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_finalize(stmt);
    return good;
}

bool library_list(Library *library, const LibraryQuery *q, LibraryVisit *visit, void *ctx,
                  int64_t *total, Err *err)
{
    static const char *const orders[] = {"changed DESC", "created DESC", "plies DESC", "name"};
    Buf sql = BUF_EMPTY;
    if (!count_games(library, q, total, err)) return false;
    /* Only numbers are put in order, not whole rows. */
    buf_printf(&sql, "SELECT kept.*, at FROM (SELECT number AS found, %s AS at",
               q->has_key ? "ply" : "0");
    add_conditions(q, &sql);
    buf_printf(&sql,
               " ORDER BY %s, number DESC LIMIT ?10 OFFSET ?11) JOIN kept ON number=found"
               " ORDER BY %s, number DESC",
               orders[q->order], orders[q->order]);
    sqlite3_stmt *stmt = db_prepare(&library->db, sql.data, err);
    buf_free(&sql);
    if (!stmt) return false;
    bind_query(stmt, q);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        LibraryGame game = {0};
        walk_game(&(Walk){.stmt = stmt}, &game);
        if (game.rules.width && !visit(ctx, &game, sqlite3_column_int(stmt, KEPT_COLUMNS))) break;
    }
    bool good = rc == SQLITE_DONE || rc == SQLITE_ROW || db_fail(&library->db, err);
    sqlite3_finalize(stmt);
    return good;
}

bool library_next(Library *library, uint64_t key, const char *owner, LibraryNext *next, void *ctx,
                  Err *err)
{
    return places_next(&library->db, key, owner, next, ctx, err);
}

bool library_tags(Library *library, const char *owner, LibraryTags *tags, void *ctx, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(
        &library->db,
        "SELECT tags, count(*) FROM kept WHERE tags<>'' AND (?1 IS NULL OR owner=?1) GROUP BY tags",
        err);
    if (!stmt) return false;
    if (owner) db_bind_text(stmt, 1, owner);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        tags(ctx, db_column_text(stmt, 0), sqlite3_column_int64(stmt, 1));
    bool good = rc == SQLITE_DONE || db_fail(&library->db, err);
    sqlite3_finalize(stmt);
    return good;
}

/* ---- problems ---- */

bool library_set_solved(Library *library, const char *owner, const char *suite, int64_t number,
                        Err *err)
{
    sqlite3_stmt *stmt =
        db_prepare(&library->db, "INSERT OR IGNORE INTO solved VALUES(?1,?2,?3)", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, owner);
    db_bind_text(stmt, 2, suite);
    sqlite3_bind_int64(stmt, 3, number);
    return db_step_done(&library->db, stmt, err);
}

bool library_solved(Library *library, const char *owner, const char *suite, LibrarySolved *solved,
                    void *ctx, Err *err)
{
    sqlite3_stmt *stmt =
        db_prepare(&library->db, "SELECT number FROM solved WHERE owner=?1 AND suite=?2", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, owner);
    db_bind_text(stmt, 2, suite);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) solved(ctx, sqlite3_column_int64(stmt, 0));
    bool good = rc == SQLITE_DONE || db_fail(&library->db, err);
    sqlite3_finalize(stmt);
    return good;
}
