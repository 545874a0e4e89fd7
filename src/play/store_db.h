/* SPDX-License-Identifier: MIT */
/* Db: an SQLite file of one kind, as the stores see it. Only files called store* know SQLite.
 *
 * Write-ahead logging: a commit is one append, and a reader (a rating, a page) does not disturb a
 * writer. A file that is not of the kind, or of another version, is refused before anything in it
 * is touched, but for the version before where there is a way from it. */
#pragma once

#include "base/err.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *what;    /* "store of matches" */
    int application;     /* marks files of this kind */
    int version;         /* of the schema */
    const char *schema;  /* makes the tables */
    const char *upgrade; /* from the version before; NULL: that one is refused, too */
} DbKind;

typedef struct {
    sqlite3 *sql;
} Db;

/* path NULL: in memory. An empty file becomes one of the kind; create: a missing one too. */
bool db_open(Db *db, const char *path, const DbKind *kind, bool create, Err *err);
void db_close(Db *db);
/* Does the file begin like an SQLite file? False also if it cannot be read. */
bool db_is_sqlite(const char *path);

bool db_fail(Db *db, Err *err); /* says what SQLite said last; false */
bool db_exec(Db *db, const char *sql, Err *err);
bool db_end(Db *db, bool good, Err *err); /* commits, or rolls back; good if all was */
sqlite3_stmt *db_prepare(Db *db, const char *sql, Err *err); /* NULL: refused */
bool db_step_done(Db *db, sqlite3_stmt *stmt, Err *err);     /* runs and frees; NULL is false */
/* One number that a query gives; `other` if it gives no row. */
bool db_number(Db *db, const char *sql, int64_t other, int64_t *value, Err *err);
void db_bind_text(sqlite3_stmt *stmt, int place, const char *text);
const char *db_column_text(sqlite3_stmt *stmt, int column);

/* Moves both texts on to the first line in which they differ; false: they are the same. */
bool db_first_difference(const char **a, const char **b);
