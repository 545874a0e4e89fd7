/* SPDX-License-Identifier: MIT */
/* Positions of games in their table: see store_places.h. */
#include "play/store_places.h"

bool places_drop(Db *db, int64_t game, int from, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM place WHERE game=?1 AND ply>=?2", err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, game);
    sqlite3_bind_int(stmt, 2, from);
    return db_step_done(db, stmt, err);
}

/* Has the game another result than its rows say? Then all of them change. */
static bool has_other_result(Db *db, int64_t game, LibraryResult result, bool *other, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT result FROM place WHERE game=?1 LIMIT 1", err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, game);
    int rc = sqlite3_step(stmt);
    *other = rc == SQLITE_ROW && sqlite3_column_int(stmt, 0) != (int)result;
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(db, err);
    sqlite3_finalize(stmt);
    return good;
}

bool places_put(Db *db, int64_t game, const uint64_t *keys, int from, int plies,
                LibraryResult result, Err *err)
{
    bool other;
    if (!has_other_result(db, game, result, &other, err)) return false;
    /* The last one that stays has another position after it. */
    from = other || from < 1 ? 0 : from - 1;
    if (!places_drop(db, game, from, err)) return false;
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO place VALUES(?1,?2,?3,?4,?5)", err);
    bool good = stmt != NULL;
    for (int ply = from; good && ply <= plies; ply++) {
        sqlite3_bind_int64(stmt, 1, (int64_t)keys[ply]);
        sqlite3_bind_int64(stmt, 2, game);
        sqlite3_bind_int(stmt, 3, ply);
        if (ply < plies) {
            sqlite3_bind_int64(stmt, 4, (int64_t)keys[ply + 1]);
        } else {
            sqlite3_bind_null(stmt, 4);
        }
        sqlite3_bind_int(stmt, 5, (int)result);
        good = sqlite3_step(stmt) == SQLITE_DONE || db_fail(db, err);
        sqlite3_reset(stmt);
    }
    sqlite3_finalize(stmt);
    return good;
}

bool places_next(Db *db, uint64_t key, const char *owner, LibraryNext *next, void *ctx, Err *err)
{
    sqlite3_stmt *stmt =
        db_prepare(db,
                   owner ? "SELECT next, place.result FROM place JOIN kept ON number=game WHERE"
                           " key=?1 AND next IS NOT NULL AND owner=?2"
                         : "SELECT next, result FROM place WHERE key=?1 AND next IS NOT NULL",
                   err);
    if (!stmt) return false;
    sqlite3_bind_int64(stmt, 1, (int64_t)key);
    if (owner) db_bind_text(stmt, 2, owner);
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
        next(ctx, (uint64_t)sqlite3_column_int64(stmt, 0),
             (LibraryResult)(sqlite3_column_int(stmt, 1) & 3));
    bool good = rc == SQLITE_DONE || db_fail(db, err);
    sqlite3_finalize(stmt);
    return good;
}
