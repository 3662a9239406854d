import CSQLite3
import Glibc

/// Why a database did not do what it was asked.
///
/// What was bound to a statement is in none of them: it may be somebody's message.
package enum DatabaseError: Error, Hashable, Sendable {
    /// The libsqlite3 of this system is older than the SQL in use; see `SQLiteLibrary.text(ofVersionNumber:)`.
    case libraryTooOld(found: Int, needed: Int)

    /// The libsqlite3 of this system was compiled without something that is needed.
    case libraryLacks(String)

    /// There is no such file, or it may not be opened; the errno, 0 when there is none.
    case cannotOpen(errno: Int32)

    /// Another process, or another connection, holds a lock that is in the way.
    case locked

    /// The file, its folder or the connection cannot be written.
    case readOnly

    /// A change was interrupted and must be undone first, which cannot be done where the file cannot be written.
    case unfinishedChange

    /// No space left on the device, or over the quota.
    case full

    /// Reading or writing failed: SQLite's extended result code and the errno.
    case inputOutput(code: Int32, errno: Int32)

    /// The file is not what SQLite, or the schema, says that it must be.
    case damaged(String)

    /// The file ends before the last of its pages: how many it should have, and how many are there.
    case truncated(expectedPages: Int, foundPages: Int)

    /// The journal beside the file belongs to a later state of it: an earlier copy was put in its place. Nothing was changed.
    case laterJournal

    /// The name stands for another file by now, which another process put there (rekey): the file must be opened anew.
    case replaced

    /// The schema was made by a newer version.
    case newerSchema(found: Int, known: Int)

    /// A database, but of another application: its application id.
    case notThisKind(found: Int32, expected: Int32)

    /// A rule of the schema would be broken; `rule` names the table and the column as far as SQLite tells.
    case constraint(Constraint, rule: String)

    /// A value or a statement beyond SQLite's limits.
    case tooBig

    case outOfMemory

    /// `Database.interrupt` was called.
    case interrupted

    /// A transaction inside a transaction.
    case nestedTransaction

    /// A setting that did not take: its name.
    case setting(String)

    /// Any other failure: the code, and what SQLite says of it. The SQL is wrong, so this is a bug.
    case sql(code: Int32, message: String)

    package enum Constraint: Hashable, Sendable {
        case unique, notNull, foreignKey, check, type, other
    }
}

/// An error that a failing database can be told in, so that a body which runs inside a transaction or over rows may throw
/// the errors of its own layer.
package protocol DatabaseErrorCarrier: Error {
    init(_ error: DatabaseError)
}

extension DatabaseError: DatabaseErrorCarrier {
    package init(_ error: DatabaseError) { self = error }
}

/// Runs `body` and tells its database error as an `E`.
func carried<R: ~Copyable, E: DatabaseErrorCarrier>(
    as error: E.Type, _ body: () throws(DatabaseError) -> R
) throws(E) -> R {
    do throws(DatabaseError) {
        return try body()
    } catch {
        throw E(error)
    }
}

extension DatabaseError {
    /// Where the error came from: only what `prepare` says is about the SQL text alone, and that is sxkey's own.
    enum Stage {
        case preparing, running
    }

    /// The error of the last call on `connection`, which gave the extended result `code`.
    init(code: Int32, connection: OpaquePointer?, stage: Stage) {
        if let known = unsafe Self.ofSealedFile(connection, code: code) {
            self = known
            return
        }
        let systemCode = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
        let message = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) }
            .map { unsafe String(cString: $0) }
        let general = unsafe sqlite3_errstr(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        switch code {
        case SQLITE_READONLY_ROLLBACK_CODE: self = .unfinishedChange
        case SQLITE_IOERR_NOMEM_CODE: self = .outOfMemory
        case SQLITE_IOERR_DATA_CODE, SQLITE_IOERR_CORRUPTFS_CODE: self = .damaged("a page does not fit its check value")
        case SQLITE_IOERR_BLOCKED_CODE, SQLITE_IOERR_LOCK_CODE: self = .locked
        default:
            switch code & 0xff {
            case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
            case SQLITE_READONLY: self = .readOnly
            case SQLITE_FULL: self = .full
            case SQLITE_IOERR where systemCode == ENOSPC || systemCode == EDQUOT || systemCode == EFBIG: self = .full
            case SQLITE_IOERR: self = .inputOutput(code: code, errno: systemCode)
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: self = .damaged(general)
            case SQLITE_CANTOPEN: self = .cannotOpen(errno: systemCode)
            case SQLITE_CONSTRAINT: self = .constraint(Constraint(code: code), rule: message ?? general)
            case SQLITE_TOOBIG: self = .tooBig
            case SQLITE_NOMEM: self = .outOfMemory
            case SQLITE_INTERRUPT: self = .interrupted
            default: self = .sql(code: code, message: stage == .preparing ? message ?? general : general)
            }
        }
    }
}

extension DatabaseError.Constraint {
    fileprivate init(code: Int32) {
        self =
            switch code >> 8 {
            case 1: .check
            case 3: .foreignKey
            case 5: .notNull
            case 6, 8, 10: .unique
            case 12: .type
            default: .other
            }
    }
}

// The extended codes are macros with shifts, which the module does not show (sqlite3.h, "Extended Result Codes").
let SQLITE_READONLY_ROLLBACK_CODE = SQLITE_READONLY | 3 << 8
let SQLITE_IOERR_BLOCKED_CODE = SQLITE_IOERR | 11 << 8
let SQLITE_IOERR_NOMEM_CODE = SQLITE_IOERR | 12 << 8
let SQLITE_IOERR_LOCK_CODE = SQLITE_IOERR | 15 << 8
let SQLITE_IOERR_DATA_CODE = SQLITE_IOERR | 32 << 8
let SQLITE_IOERR_CORRUPTFS_CODE = SQLITE_IOERR | 33 << 8
