/* SPDX-License-Identifier: MIT */
/* Matches in an SQLite file: see store.h. */
#include "play/store.h"

#include "base/mem.h"
#include "base/os.h"
#include "play/store_db.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct Store {
    Db db;
    sqlite3_stmt *add; /* kept ready: the one that is used all the time */
    int64_t run;
};

static const char schema_sql[] =
    "CREATE TABLE match(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " conditions TEXT NOT NULL, began TEXT NOT NULL);"
    "CREATE TABLE entrant(match INTEGER NOT NULL REFERENCES match, number INTEGER NOT NULL,"
    " name TEXT NOT NULL, spec TEXT NOT NULL, PRIMARY KEY(match, number)) WITHOUT ROWID;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,"
    " began TEXT NOT NULL, version TEXT NOT NULL, players TEXT NOT NULL);"
    "CREATE TABLE game(match INTEGER NOT NULL REFERENCES match, job INTEGER NOT NULL,"
    " run INTEGER NOT NULL REFERENCES run, first INTEGER NOT NULL, second INTEGER NOT NULL,"
    " black INTEGER NOT NULL, winner INTEGER, reason TEXT NOT NULL, detail TEXT NOT NULL,"
    " ended TEXT NOT NULL, ms INTEGER NOT NULL, moves TEXT NOT NULL, seats TEXT NOT NULL,"
    " times TEXT NOT NULL, clocks TEXT NOT NULL, evals TEXT NOT NULL, depths TEXT NOT NULL,"
    " nodes TEXT NOT NULL, late_first INTEGER NOT NULL, late_second INTEGER NOT NULL,"
    " PRIMARY KEY(match, job)) WITHOUT ROWID;";

static const DbKind kind = {"store of matches", 0x676f7265, 1, schema_sql, NULL};

static Store *open_with(const char *path, bool create, Err *err)
{
    Store *store = mem_zero(sizeof *store);
    if (db_open(&store->db, path, &kind, create, err)) return store;
    mem_free(store);
    return NULL;
}

Store *store_open(const char *path, Err *err)
{
    return open_with(path, true, err);
}

bool store_is_one(const char *path)
{
    return db_is_sqlite(path);
}

Store *store_open_existing(const char *path, Err *err)
{
    return open_with(path, false, err);
}

void store_close(Store *store)
{
    if (!store) return;
    sqlite3_finalize(store->add);
    db_close(&store->db);
    mem_free(store);
}

/* ---- matches ---- */

/* Names the first line in which the two differ. */
static bool conditions_differ(const char *name, const char *was, const char *is, Err *err)
{
    db_first_difference(&was, &is);
    return err_set(err,
                   "the match \"%s\" in this store has other conditions: \"%.*s\" there, \"%.*s\" "
                   "here; give this one another --name, or run that one as it was",
                   name, (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

/* The match of this name, or of these conditions; *match 0: there is none. */
static bool find_match(Store *store, const char *name, const char *conditions, int64_t *match,
                       Err *err)
{
    sqlite3_stmt *stmt = db_prepare(
        &store->db,
        name ? "SELECT id, conditions FROM match WHERE name=?1"
             : "SELECT id, conditions FROM match WHERE conditions=?1 ORDER BY id DESC LIMIT 1",
        err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, name ? name : conditions);
    int rc = sqlite3_step(stmt);
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(&store->db, err);
    *match = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    if (rc == SQLITE_ROW && strcmp(db_column_text(stmt, 1), conditions) != 0)
        good = conditions_differ(name, db_column_text(stmt, 1), conditions, err);
    sqlite3_finalize(stmt);
    return good;
}

static bool add_entrants(Store *store, int64_t match, const MatchPlan *plan, Err *err)
{
    for (int i = 0; i < plan->player_count; i++) {
        sqlite3_stmt *stmt = db_prepare(&store->db, "INSERT INTO entrant VALUES(?1,?2,?3,?4)", err);
        if (!stmt) return false;
        sqlite3_bind_int64(stmt, 1, match);
        sqlite3_bind_int(stmt, 2, i);
        db_bind_text(stmt, 3, plan->players[i].name);
        db_bind_text(stmt, 4, plan->players[i].spec);
        if (!db_step_done(&store->db, stmt, err)) return false;
    }
    return true;
}

static bool add_match(Store *store, const char *name, const char *conditions, const MatchPlan *plan,
                      int64_t *match, Err *err)
{
    char date[OS_DATE_MAX], called[40];
    int64_t number;
    if (!db_number(&store->db, "SELECT coalesce(max(id), 0) + 1 FROM match", 1, &number, err))
        return false;
    snprintf(called, sizeof called, "match %" PRId64, number);
    sqlite3_stmt *stmt =
        db_prepare(&store->db, "INSERT INTO match(name, conditions, began) VALUES(?1,?2,?3)", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, name ? name : called);
    db_bind_text(stmt, 2, conditions);
    db_bind_text(stmt, 3, os_date_text(date));
    if (!db_step_done(&store->db, stmt, err)) return false;
    *match = sqlite3_last_insert_rowid(store->db.sql);
    return add_entrants(store, *match, plan, err);
}

bool store_match(Store *store, const char *name, const MatchPlan *plan, int64_t *match,
                 int64_t *games, Err *err)
{
    Buf conditions = BUF_EMPTY;
    schedule_conditions(plan, &conditions);
    bool good = db_exec(&store->db, "BEGIN IMMEDIATE", err);
    if (good) {
        good = find_match(store, name, conditions.data, match, err) &&
               (*match || add_match(store, name, conditions.data, plan, match, err));
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM game WHERE match=%" PRId64, *match);
        good = good && db_number(&store->db, sql, 0, games, err);
        good = db_end(&store->db, good, err);
    }
    buf_free(&conditions);
    return good;
}

bool store_run(Store *store, int64_t match, const char *version, const char *players, Err *err)
{
    char date[OS_DATE_MAX];
    sqlite3_stmt *stmt = db_prepare(
        &store->db, "INSERT INTO run(match, began, version, players) VALUES(?1,?2,?3,?4)", err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, match);
    db_bind_text(stmt, 2, os_date_text(date));
    db_bind_text(stmt, 3, version);
    db_bind_text(stmt, 4, players);
    if (!db_step_done(&store->db, stmt, err)) return false;
    store->run = sqlite3_last_insert_rowid(store->db.sql);
    return true;
}

/* ---- games ---- */

static const char add_sql[] = "INSERT INTO game VALUES"
                              "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,"
                              "?19,?20)";
enum { ADD_LISTS = 12, ADD_LATE = 19 };

bool store_add(Store *store, int64_t match, const Rules *rules, const Bout *bout, Err *err)
{
    char date[OS_DATE_MAX];
    if (!store->add) store->add = db_prepare(&store->db, add_sql, err);
    if (!store->add) return false;
    sqlite3_stmt *stmt = store->add;
    sqlite3_bind_int64(stmt, 1, match);
    sqlite3_bind_int64(stmt, 2, bout->job);
    sqlite3_bind_int64(stmt, 3, store->run);
    sqlite3_bind_int(stmt, 4, bout->player[SEAT_FIRST]);
    sqlite3_bind_int(stmt, 5, bout->player[SEAT_SECOND]);
    sqlite3_bind_int(stmt, 6, bout->player[bout->colour[SEAT_FIRST] == BLACK ? 0 : 1]);
    if (bout->winner >= 0) {
        sqlite3_bind_int(stmt, 7, bout->player[bout->winner]);
    } else {
        sqlite3_bind_null(stmt, 7);
    }
    db_bind_text(stmt, 8, record_reason_name(bout->reason));
    db_bind_text(stmt, 9, bout->detail);
    db_bind_text(stmt, 10, os_date_text(date));
    sqlite3_bind_int64(stmt, 11, bout->ms);
    for (int list = 0; list < BOUT_LISTS; list++) {
        Buf text = BUF_EMPTY;
        bout_list_write(rules, bout, (BoutList)list, &text);
        db_bind_text(stmt, ADD_LISTS + list, buf_text(&text));
        buf_free(&text);
    }
    for (int seat = 0; seat < SEAT_COUNT; seat++)
        sqlite3_bind_int64(stmt, ADD_LATE + seat, bout->late_ms[seat]);
    int rc = sqlite3_step(stmt);
    bool good = rc == SQLITE_DONE;
    if (rc == SQLITE_CONSTRAINT) {
        err_set(err, "game %" PRId64 " is there already: is the same match running elsewhere?",
                bout->job);
    } else if (!good) {
        db_fail(&store->db, err);
    }
    sqlite3_reset(stmt);
    return good;
}

bool store_cut(Store *store, int64_t match, int64_t last_job, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&store->db, "DELETE FROM game WHERE match=?1 AND job>?2", err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, match);
    sqlite3_bind_int64(stmt, 2, last_job);
    return db_step_done(&store->db, stmt, err);
}

bool store_forget(Store *store, const char *name, Err *err)
{
    static const char *const tables[] = {
        "DELETE FROM game WHERE match=(SELECT id FROM match WHERE name=?1)",
        "DELETE FROM run WHERE match=(SELECT id FROM match WHERE name=?1)",
        "DELETE FROM entrant WHERE match=(SELECT id FROM match WHERE name=?1)",
        "DELETE FROM match WHERE name=?1",
    };
    bool good = db_exec(&store->db, "BEGIN IMMEDIATE", err);
    if (!good) return false;
    for (size_t i = 0; good && i < sizeof tables / sizeof *tables; i++) {
        sqlite3_stmt *stmt = db_prepare(&store->db, tables[i], err);
        if (stmt) db_bind_text(stmt, 1, name);
        good = db_step_done(&store->db, stmt, err);
    }
    return db_end(&store->db, good, err);
}

/* A row of "SELECT * FROM game". */
static bool read_bout(const Rules *rules, sqlite3_stmt *row, Bout *bout, Err *err)
{
    *bout = (Bout){
        .job = sqlite3_column_int64(row, 1),
        .player = {sqlite3_column_int(row, 3), sqlite3_column_int(row, 4)},
        .winner = -1,
        .reason = record_reason_parse(db_column_text(row, 7)),
        .ms = sqlite3_column_int64(row, 10),
        .late_ms = {sqlite3_column_int64(row, 18), sqlite3_column_int64(row, 19)},
    };
    bool first_black = sqlite3_column_int(row, 5) == bout->player[SEAT_FIRST];
    bout->colour[SEAT_FIRST] = first_black ? BLACK : WHITE;
    bout->colour[SEAT_SECOND] = first_black ? WHITE : BLACK;
    if (sqlite3_column_type(row, 6) != SQLITE_NULL)
        bout->winner =
            sqlite3_column_int(row, 6) == bout->player[SEAT_FIRST] ? SEAT_FIRST : SEAT_SECOND;
    snprintf(bout->detail, sizeof bout->detail, "%s", db_column_text(row, 8));
    for (int list = 0; list < BOUT_LISTS; list++) {
        const char *text = db_column_text(row, ADD_LISTS - 1 + list);
        if (!bout_list_read(rules, bout, (BoutList)list, text, err))
            return err_prefix(err, "game %" PRId64, bout->job);
    }
    return true;
}

bool store_games(Store *store, int64_t match, const Rules *rules, StoreGame *game, void *ctx,
                 Err *err)
{
    return store_games_from(store, match, 0, rules, game, ctx, err);
}

bool store_find(Store *store, const char *name, int64_t *match, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&store->db, "SELECT id FROM match WHERE name=?1", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, name);
    int rc = sqlite3_step(stmt);
    *match = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}

bool store_games_from(Store *store, int64_t match, int64_t job, const Rules *rules, StoreGame *game,
                      void *ctx, Err *err)
{
    sqlite3_stmt *stmt =
        db_prepare(&store->db, "SELECT * FROM game WHERE match=?1 AND job>=?2 ORDER BY job", err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, match);
    sqlite3_bind_int64(stmt, 2, job);
    bool good = true, going = true;
    while (good && going) {
        int rc = sqlite3_step(stmt);
        if (rc != SQLITE_ROW) {
            good = rc == SQLITE_DONE || db_fail(&store->db, err);
            break;
        }
        Bout bout;
        good = read_bout(rules, stmt, &bout, err);
        if (good) going = game(ctx, &bout, db_column_text(stmt, 9));
        bout_close(&bout);
    }
    sqlite3_finalize(stmt);
    return good;
}

/* Is there such a match, and does every name stand for one player? */
static bool results_are_clear(Store *store, const char *match, Err *err)
{
    sqlite3_stmt *stmt =
        db_prepare(&store->db,
                   "SELECT e.name, min(e.spec), max(e.spec)"
                   " FROM entrant e JOIN match m ON m.id=e.match WHERE ?1 IS NULL OR m.name=?1"
                   " GROUP BY e.name ORDER BY min(e.spec)=max(e.spec)",
                   err);
    if (!stmt) return false;
    sqlite3_bind_text(stmt, 1, match, -1, SQLITE_STATIC);
    int rc = sqlite3_step(stmt);
    bool good = true;
    if (rc == SQLITE_ROW) {
        const char *one = db_column_text(stmt, 1), *other = db_column_text(stmt, 2);
        if (strcmp(one, other) != 0)
            good = err_set(err, "'%.40s' is %.80s in one match and %.80s in another: take one",
                           db_column_text(stmt, 0), one, other);
    } else if (rc != SQLITE_DONE) {
        good = db_fail(&store->db, err);
    } else if (match) {
        good = err_set(err, "there is no match '%.40s'", match);
    }
    sqlite3_finalize(stmt);
    return good;
}

bool store_results(Store *store, const char *match, StoreResult *result, void *ctx, Err *err)
{
    if (!results_are_clear(store, match, err)) return false;
    sqlite3_stmt *stmt = db_prepare(
        &store->db,
        "SELECT a.name, b.name, CASE WHEN winner IS NULL THEN 1 WHEN winner=first THEN 2 ELSE 0 END"
        " FROM game JOIN entrant a ON a.match=game.match AND a.number=first"
        " JOIN entrant b ON b.match=game.match AND b.number=second"
        " JOIN match m ON m.id=game.match WHERE ?1 IS NULL OR m.name=?1 ORDER BY game.match, job",
        err);
    if (!stmt) return false;
    sqlite3_bind_text(stmt, 1, match, -1, SQLITE_STATIC);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        result(ctx, db_column_text(stmt, 0), db_column_text(stmt, 1), sqlite3_column_int(stmt, 2));
    bool good = rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}
