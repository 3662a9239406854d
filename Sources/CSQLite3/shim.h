#ifndef SXKEY_CSQLITE3_SHIM_H
#define SXKEY_CSQLITE3_SHIM_H

#include <sqlite3.h>

// What Swift cannot call by itself: variadic functions, and destructors that are small numbers.

/// Sets one of the on/off settings of sqlite3_db_config and tells in `result` what it is now.
static inline int sx_sqlite3_set_flag(sqlite3 *database, int setting, int on, int *result) {
    return sqlite3_db_config(database, setting, on, result);
}

/// Stops counting the memory in use, which takes a lock for each piece of it. Before anything else is called.
static inline int sx_sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Binds text that SQLite copies.
static inline int sx_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds a blob that SQLite copies.
static inline int sx_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a blob that stays the caller's and must stay valid until the parameter is bound anew.
static inline int sx_sqlite3_lend_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

#endif
