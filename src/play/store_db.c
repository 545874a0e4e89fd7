/* SPDX-License-Identifier: MIT */
/* SQLite files: see store_db.h. */
#include "play/store_db.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BUSY_MS = 60000 };

bool db_fail(Db *db, Err *err)
{
    return err_set(err, "store: %s", sqlite3_errmsg(db->sql));
}

bool db_exec(Db *db, const char *sql, Err *err)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK || db_fail(db, err);
}

bool db_end(Db *db, bool good, Err *err)
{
    return db_exec(db, good ? "COMMIT" : "ROLLBACK", good ? err : NULL) && good;
}

sqlite3_stmt *db_prepare(Db *db, const char *sql, Err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(db->sql, sql, -1, &stmt, NULL) != SQLITE_OK) db_fail(db, err);
    return stmt;
}

bool db_step_done(Db *db, sqlite3_stmt *stmt, Err *err)
{
    bool good = stmt && (sqlite3_step(stmt) == SQLITE_DONE || db_fail(db, err));
    sqlite3_finalize(stmt);
    return good;
}

bool db_number(Db *db, const char *sql, int64_t other, int64_t *value, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(db, sql, err);
    if (!stmt) return false;
    int rc = sqlite3_step(stmt);
    *value = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : other;
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(db, err);
    sqlite3_finalize(stmt);
    return good;
}

void db_bind_text(sqlite3_stmt *stmt, int place, const char *text)
{
    sqlite3_bind_text(stmt, place, text, -1, SQLITE_TRANSIENT);
}

const char *db_column_text(sqlite3_stmt *stmt, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);
    return text ? (const char *)text : "";
}

/* ---- the file ---- */

/* Looks without writing: is it of the kind? *work: the statements it still wants, to be made or to
 * be brought up to date; NULL: none. */
static bool check_kind(Db *db, const DbKind *kind, const char **work, Err *err)
{
    int64_t version, application, tables;
    *work = NULL;
    if (!db_number(db, "PRAGMA user_version", 0, &version, err) ||
        !db_number(db, "PRAGMA application_id", 0, &application, err) ||
        !db_number(db, "SELECT count(*) FROM sqlite_master", 0, &tables, err))
        return false;
    if (tables == 0) {
        *work = kind->schema;
        return true;
    }
    if (application != kind->application)
        return err_set(err, "it is an SQLite file, but no %s", kind->what);
    if (version == kind->version - 1) *work = kind->upgrade;
    return version == kind->version || *work ||
           err_set(err, "it was written by another version of goren (%s %" PRId64 ", not %d)",
                   kind->what, version, kind->version);
}

/* Two may find the same file wanting; the later one looks again. */
static bool make_schema(Db *db, const DbKind *kind, Err *err)
{
    char mark[80];
    const char *work;
    snprintf(mark, sizeof mark, "PRAGMA application_id=%d; PRAGMA user_version=%d",
             kind->application, kind->version);
    if (!db_exec(db, "BEGIN IMMEDIATE", err)) return false;
    bool good = check_kind(db, kind, &work, err);
    if (good && work) good = db_exec(db, work, err) && db_exec(db, mark, err);
    return db_end(db, good, err);
}

static bool is_read_only(const Db *db)
{
    return sqlite3_db_readonly(db->sql, "main") == 1;
}

/* What another user keeps, or a disk that cannot be written: SQLite wants to write a file beside
 * it even so, unless it is told that nobody writes. Somebody who does has such a file there. */
static bool open_as_it_stands(Db *db, const char *path, Err *err)
{
    Buf uri = BUF_EMPTY;
    db_close(db);
    buf_add_text(&uri, "file:");
    for (const char *at = path; *at; at++)
        buf_printf(&uri, strchr("%?#", *at) ? "%%%02x" : "%c", (unsigned char)*at);
    buf_add_text(&uri, "?immutable=1");
    bool good = sqlite3_open_v2(buf_text(&uri), &db->sql, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                                NULL) == SQLITE_OK ||
                db_fail(db, err);
    buf_free(&uri);
    return good;
}

static bool open_file(Db *db, const char *file, bool create, Err *err)
{
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(file, &db->sql, flags, NULL) != SQLITE_OK) return db_fail(db, err);
    sqlite3_busy_timeout(db->sql, BUSY_MS);
    return !is_read_only(db) || db_exec(db, "PRAGMA user_version", NULL) ||
           open_as_it_stands(db, file, err);
}

/* The cache (64 MB) is taken as it is needed: places of games lie all over their table. */
bool db_open(Db *db, const char *path, const DbKind *kind, bool create, Err *err)
{
    const char *file = path ? path : ":memory:";
    const char *work;
    db->sql = NULL;
    bool good = open_file(db, file, create, err) && check_kind(db, kind, &work, err);
    if (good && is_read_only(db))
        good = !work || err_set(err, "it is of an older version and cannot be written");
    else
        good = good &&
               db_exec(db,
                       "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                       "PRAGMA cache_size=-65536;",
                       err) &&
               (!work || make_schema(db, kind, err));
    if (good) return true;
    err_prefix(err, "%s", file);
    db_close(db);
    return false;
}

void db_close(Db *db)
{
    sqlite3_close(db->sql);
    db->sql = NULL;
}

bool db_is_sqlite(const char *path)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    /* What is read of a pipe is gone for who comes after. */
    size_t n = fseek(file, 0, SEEK_SET) == 0 ? fread(head, 1, sizeof head, file) : 0;
    fclose(file);
    return n == sizeof head && memcmp(head, magic, sizeof magic) == 0;
}

bool db_first_difference(const char **a, const char **b)
{
    while (**a || **b) {
        size_t n = strcspn(*a, "\n"), m = strcspn(*b, "\n");
        if (n != m || memcmp(*a, *b, n) != 0) return true;
        *a += n + ((*a)[n] != '\0');
        *b += m + ((*b)[m] != '\0');
    }
    return false;
}
