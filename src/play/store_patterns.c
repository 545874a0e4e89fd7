/* SPDX-License-Identifier: MIT */
/* Patterns in an SQLite file: see store_patterns.h. */
#include "play/store_patterns.h"

#include "base/data.h"
#include "base/mem.h"
#include "base/os.h"
#include "play/store_db.h"

#include <string.h>

DATA_DECLARE(patterns_txt);

struct PatternStore {
    Db db;
};

static const char schema_sql[] =
    "CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE game(number INTEGER PRIMARY KEY, black TEXT NOT NULL, white TEXT NOT NULL,"
    " winner TEXT, moves TEXT NOT NULL, losses REAL NOT NULL, loss_games INTEGER NOT NULL);"
    "CREATE TABLE pattern(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE,"
    " born INTEGER NOT NULL);"
    "CREATE TABLE state(pattern INTEGER NOT NULL REFERENCES pattern, game INTEGER NOT NULL,"
    " score INTEGER NOT NULL, sightings INTEGER NOT NULL, wins INTEGER NOT NULL,"
    " losses INTEGER NOT NULL, PRIMARY KEY(pattern, game)) WITHOUT ROWID;";

static const DbKind kind = {"database of patterns", 0x676f7061, 1, schema_sql, NULL};

static PatternStore *open_with(const char *path, bool create, Err *err)
{
    PatternStore *store = mem_zero(sizeof *store);
    if (db_open(&store->db, path, &kind, create, err)) return store;
    mem_free(store);
    return NULL;
}

PatternStore *pattern_store_open(const char *path, Err *err)
{
    return open_with(path, true, err);
}

PatternStore *pattern_store_open_existing(const char *path, Err *err)
{
    return open_with(path, false, err);
}

void pattern_store_close(PatternStore *store)
{
    if (!store) return;
    db_close(&store->db);
    mem_free(store);
}

/* ---- about ---- */

static bool get_about(PatternStore *store, const char *key, Buf *value, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&store->db, "SELECT value FROM about WHERE key=?1", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, key);
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) buf_add_text(value, db_column_text(stmt, 0));
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}

static bool set_about(PatternStore *store, const char *key, const char *value, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&store->db, "INSERT OR REPLACE INTO about VALUES(?1,?2)", err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, key);
    db_bind_text(stmt, 2, value);
    return db_step_done(&store->db, stmt, err);
}

static bool set_win(PatternStore *store, int k, Err *err)
{
    char text[4] = {(char)('0' + k / 10), (char)('0' + k % 10)};
    return set_about(store, "win", k < 10 ? text + 1 : text, err);
}

static bool get_win(PatternStore *store, int *k, Err *err)
{
    int64_t value;
    if (!db_number(&store->db, "SELECT value FROM about WHERE key='win'", 0, &value, err))
        return false;
    if (value != 0 && (value < WIN_MIN || value > WIN_MAX))
        return err_set(err, "its patterns are for %lld in a row, which there is not",
                       (long long)value);
    *k = (int)value;
    return true;
}

static bool game_count(PatternStore *store, int *games, Err *err)
{
    int64_t value;
    if (!db_number(&store->db, "SELECT coalesce(max(number), 0) FROM game", 0, &value, err))
        return false;
    *games = (int)value;
    return true;
}

bool pattern_store_about(PatternStore *store, int *k, int *games, Buf *conditions, Err *err)
{
    return (!k || get_win(store, k, err)) && (!games || game_count(store, games, err)) &&
           (!conditions || get_about(store, "conditions", conditions, err));
}

static bool conditions_agree(const char *was, const char *is, Err *err)
{
    if (!db_first_difference(&was, &is)) return true;
    return err_set(err,
                   "it was learnt under other conditions: \"%.*s\" there, \"%.*s\" here; go on as "
                   "it was begun, or give another file",
                   (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

bool pattern_store_begin(PatternStore *store, int k, const char *conditions, Err *err)
{
    int games = 0, was_k = 0;
    Buf was = BUF_EMPTY;
    if (!db_exec(&store->db, "BEGIN IMMEDIATE", err)) return false;
    bool good = pattern_store_about(store, &was_k, &games, &was, err);
    if (good && was_k && was_k != k)
        good = err_set(err, "its patterns are for %d in a row, not for %d", was_k, k);
    if (good && games > 0) good = conditions_agree(buf_text(&was), conditions, err);
    good = good && set_win(store, k, err) && set_about(store, "conditions", conditions, err);
    buf_free(&was);
    return db_end(&store->db, good, err);
}

bool pattern_store_head(PatternStore *store, PatternStoreHead *head, Err *err)
{
    *head = (PatternStoreHead){0};
    sqlite3_stmt *stmt =
        db_prepare(&store->db,
                   "SELECT number, losses, loss_games FROM game ORDER BY number DESC LIMIT 1", err);
    if (!stmt) return false;
    int rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *head = (PatternStoreHead){sqlite3_column_int(stmt, 0), sqlite3_column_double(stmt, 1),
                                   sqlite3_column_int64(stmt, 2)};
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}

bool pattern_store_flush(PatternStore *store, Err *err)
{
    return db_exec(&store->db, "PRAGMA wal_checkpoint(PASSIVE)", err);
}

/* ---- patterns ---- */

static const char load_sql[] =
    "SELECT text, score, sightings, wins, losses FROM pattern JOIN state ON state.pattern=id"
    " WHERE game=(SELECT max(game) FROM state s WHERE s.pattern=id AND s.game<=?1) ORDER BY id";

static bool read_row(sqlite3_stmt *stmt, PatternBook *book, Err *err)
{
    const char *text = db_column_text(stmt, 0);
    Pattern pattern;
    bool is_new;
    if (!pattern_parse(text, strlen(text), book->k, &pattern, err)) return false;
    *pattern_book_add(book, &pattern, &is_new) = (PatternRow){
        .pattern = pattern,
        .score = sqlite3_column_int(stmt, 1),
        .sightings = sqlite3_column_int(stmt, 2),
        .wins = sqlite3_column_int(stmt, 3),
        .losses = sqlite3_column_int(stmt, 4),
    };
    return true;
}

static bool load_rows(PatternStore *store, int game, PatternBook *book, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(&store->db, load_sql, err);
    if (!stmt) return false;
    sqlite3_bind_int(stmt, 1, game);
    bool good = true;
    int rc = SQLITE_DONE;
    while (good && (rc = sqlite3_step(stmt)) == SQLITE_ROW) good = read_row(stmt, book, err);
    if (good && rc != SQLITE_DONE) good = db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}

bool pattern_store_load(PatternStore *store, int game, PatternBook *book, Err *err)
{
    int k = 0, games = 0;
    if (!pattern_store_about(store, &k, &games, NULL, err)) return false;
    if (k == 0) return err_set(err, "it is empty: nothing was learnt or imported");
    if (game > games)
        return err_set(err, "it has learnt from %d games, so there is no state after game %d",
                       games, game);
    pattern_book_init(book, k);
    if (load_rows(store, game == PATTERNS_NOW ? games : game, book, err)) return true;
    pattern_book_free(book);
    return false;
}

/* ---- games ---- */

typedef struct {
    PatternStore *store;
    sqlite3_stmt *born, *state;
} Writer;

static bool writer_open(Writer *w, PatternStore *store, Err *err)
{
    w->store = store;
    w->born = db_prepare(&store->db,
                         "INSERT INTO pattern(text, born) VALUES(?1,?2)"
                         " ON CONFLICT(text) DO NOTHING",
                         err);
    w->state = db_prepare(
        &store->db, "INSERT INTO state SELECT id,?2,?3,?4,?5,?6 FROM pattern WHERE text=?1", err);
    return w->born && w->state;
}

static void writer_close(Writer *w)
{
    sqlite3_finalize(w->born);
    sqlite3_finalize(w->state);
}

static bool run(Writer *w, sqlite3_stmt *stmt, Err *err)
{
    bool good = sqlite3_step(stmt) == SQLITE_DONE || db_fail(&w->store->db, err);
    sqlite3_reset(stmt);
    return good;
}

static bool write_row(Writer *w, int game, const PatternRow *row, Err *err)
{
    char text[PATTERN_TEXT_MAX];
    pattern_text(&row->pattern, text);
    db_bind_text(w->born, 1, text);
    sqlite3_bind_int(w->born, 2, game);
    db_bind_text(w->state, 1, text);
    const int values[] = {game, row->score, row->sightings, row->wins, row->losses};
    for (int i = 0; i < 5; i++) sqlite3_bind_int(w->state, 2 + i, values[i]);
    return run(w, w->born, err) && run(w, w->state, err);
}

static bool is_changed(const PatternRow *row, const PatternBook *before)
{
    const PatternRow *was = before ? pattern_book_find(before, &row->pattern) : NULL;
    return !was || was->score != row->score || was->sightings != row->sightings ||
           was->wins != row->wins || was->losses != row->losses;
}

static bool write_rows(PatternStore *store, int game, const PatternBook *before,
                       const PatternBook *after, Err *err)
{
    Writer writer;
    bool good = writer_open(&writer, store, err);
    for (int i = 0; good && i < after->count; i++)
        if (is_changed(&after->rows[i], before))
            good = write_row(&writer, game, &after->rows[i], err);
    writer_close(&writer);
    return good;
}

static bool write_game(PatternStore *store, const PatternGame *game, Err *err)
{
    static const char *const names[] = {"b", "w"};
    sqlite3_stmt *stmt =
        db_prepare(&store->db, "INSERT INTO game VALUES(?1,?2,?3,?4,?5,?6,?7)", err);
    if (!stmt) return false;
    sqlite3_bind_int(stmt, 1, game->number);
    db_bind_text(stmt, 2, game->black);
    db_bind_text(stmt, 3, game->white);
    if (game->winner >= 0) db_bind_text(stmt, 4, names[game->winner]);
    db_bind_text(stmt, 5, game->moves);
    sqlite3_bind_double(stmt, 6, game->losses);
    sqlite3_bind_int64(stmt, 7, game->loss_games);
    int rc = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    if (rc == SQLITE_CONSTRAINT)
        return err_set(err, "game %d is there already: is someone else learning into this file?",
                       game->number);
    return rc == SQLITE_DONE || db_fail(&store->db, err);
}

bool pattern_store_add(PatternStore *store, const PatternGame *game, const PatternBook *before,
                       const PatternBook *after, Err *err)
{
    if (!db_exec(&store->db, "BEGIN IMMEDIATE", err)) return false;
    bool good = write_game(store, game, err) && write_rows(store, game->number, before, after, err);
    return db_end(&store->db, good, err);
}

bool pattern_store_import(PatternStore *store, const PatternBook *book, Err *err)
{
    int games = 0;
    if (!db_exec(&store->db, "BEGIN IMMEDIATE", err)) return false;
    bool good = game_count(store, &games, err);
    if (good && games > 0)
        good = err_set(err,
                       "it has learnt from %d game%s, which an import would wipe out; import "
                       "into a new file",
                       games, games == 1 ? "" : "s");
    good = good && db_exec(&store->db, "DELETE FROM state; DELETE FROM pattern;", err) &&
           set_win(store, book->k, err) && write_rows(store, 0, NULL, book, err);
    return db_end(&store->db, good, err);
}

/* ---- what happened ---- */

bool pattern_store_history(PatternStore *store, const Pattern *pattern, PatternStateSeen *seen,
                           void *ctx, Err *err)
{
    char text[PATTERN_TEXT_MAX];
    PatternRow row = {.pattern = *pattern};
    sqlite3_stmt *stmt =
        db_prepare(&store->db,
                   "SELECT game, score, sightings, wins, losses FROM state JOIN pattern"
                   " ON state.pattern=id WHERE text=?1 ORDER BY game",
                   err);
    if (!stmt) return false;
    db_bind_text(stmt, 1, pattern_text(pattern, text));
    int rc, count = 0;
    for (; (rc = sqlite3_step(stmt)) == SQLITE_ROW; count++) {
        row.score = sqlite3_column_int(stmt, 1);
        row.sightings = sqlite3_column_int(stmt, 2);
        row.wins = sqlite3_column_int(stmt, 3);
        row.losses = sqlite3_column_int(stmt, 4);
        seen(ctx, sqlite3_column_int(stmt, 0), &row);
    }
    bool good = rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    if (good && count == 0) good = err_set(err, "it does not know the pattern %s", text);
    return good;
}

bool pattern_store_games(PatternStore *store, PatternGameSeen *seen, void *ctx, Err *err)
{
    sqlite3_stmt *stmt = db_prepare(
        &store->db, "SELECT number, black, white, winner, moves FROM game ORDER BY number", err);
    if (!stmt) return false;
    int rc;
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        const char *winner = db_column_text(stmt, 3);
        PatternGame game = {
            .number = sqlite3_column_int(stmt, 0),
            .black = db_column_text(stmt, 1),
            .white = db_column_text(stmt, 2),
            .winner = *winner ? *winner == 'w' : -1,
            .moves = db_column_text(stmt, 4),
        };
        seen(ctx, &game);
    }
    bool good = rc == SQLITE_DONE || db_fail(&store->db, err);
    sqlite3_finalize(stmt);
    return good;
}

/* ---- files ---- */

static bool load_text(const char *path, int game, PatternBook *book, Err *err)
{
    Buf text = BUF_EMPTY;
    if (game != PATTERNS_NOW)
        return err_set(err, "%s: it is a text and has no states of earlier games", path);
    bool good = os_file_read(path, PATTERN_TEXT_BYTES, &text, err) &&
                pattern_book_parse(buf_text(&text), text.len, path, book, err);
    buf_free(&text);
    return good;
}

bool pattern_file_load(const char *path, int game, PatternBook *book, Err *err)
{
    if (!db_is_sqlite(path)) return load_text(path, game, book, err);
    PatternStore *store = pattern_store_open_existing(path, err);
    if (!store) return false;
    bool good = pattern_store_load(store, game, book, err) || err_prefix(err, "%s", path);
    pattern_store_close(store);
    return good;
}

bool pattern_builtin_load(PatternBook *book, Err *err)
{
    return pattern_book_parse((const char *)data_patterns_txt, (size_t)data_patterns_txt_size,
                              "data/patterns.txt", book, err);
}
