import CSQLite3

// The extended codes are macros with shifts, which the module does not show (sqlite3.h, "Extended Result Codes").
let SQLITE_READONLY_DBMOVED_CODE = SQLITE_READONLY | 4 << 8
let SQLITE_IOERR_READ_CODE = SQLITE_IOERR | 1 << 8
let SQLITE_IOERR_SHORT_READ_CODE = SQLITE_IOERR | 2 << 8
let SQLITE_IOERR_WRITE_CODE = SQLITE_IOERR | 3 << 8
