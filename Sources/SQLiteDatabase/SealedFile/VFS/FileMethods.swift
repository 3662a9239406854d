import CSQLite3
import SystemIO

/// The methods of the files of the sealed VFS: those of the first version, so without shared memory (no WAL) and without
/// mapped memory. One table each for the process, as SQLite keeps the address.
enum FileMethods {
    nonisolated(unsafe) static let database = unsafe table(
        read: { file, buffer, count, place in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.readDatabase(buffer, count, at: place)
        },
        write: { file, buffer, count, place in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.writeDatabase(buffer, count, at: place)
        },
        truncate: { file, size in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.truncateDatabase(to: size)
        },
        size: { file, size in
            guard let file = unsafe file, let size = unsafe size else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.databaseSize(&size.pointee)
        })

    nonisolated(unsafe) static let journal = unsafe table(
        read: { file, buffer, count, place in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            let own = unsafe SealedFile.of(file)
            guard let journal = unsafe own.pointee.journal else { return SQLITE_IOERR }
            return unsafe journal._withUnsafeGuaranteedRef { journal in
                unsafe own.pointee.readJournal(journal, buffer, count, at: place)
            }
        },
        write: { file, buffer, count, place in
            guard let file = unsafe file, let buffer = unsafe buffer else { return SQLITE_IOERR }
            let own = unsafe SealedFile.of(file)
            guard let journal = unsafe own.pointee.journal else { return SQLITE_IOERR }
            return unsafe journal._withUnsafeGuaranteedRef { journal in
                unsafe own.pointee.writeJournal(journal, buffer, count, at: place)
            }
        },
        truncate: { file, size in
            guard let file = unsafe file else { return SQLITE_IOERR }
            let base = unsafe SealedFile.of(file).pointee.base
            return unsafe base.pointee.pMethods.pointee.xTruncate(base, size)
        },
        size: { file, size in
            guard let file = unsafe file, let size = unsafe size else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.baseSize(&size.pointee)
        })

    private typealias Transfer =
        @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeMutableRawPointer?, Int32, sqlite3_int64) -> Int32
    private typealias Writing =
        @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64) -> Int32
    private typealias Truncating = @convention(c) (UnsafeMutablePointer<sqlite3_file>?, sqlite3_int64) -> Int32
    private typealias Measuring =
        @convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeMutablePointer<sqlite3_int64>?) -> Int32

    private static func table(
        read: Transfer, write: Writing, truncate: Truncating, size: Measuring
    ) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        unsafe methods.xClose = { file in
            guard let file = unsafe file else { return SQLITE_OK }
            return unsafe SealedFile.close(file)
        }
        unsafe methods.xRead = read
        unsafe methods.xWrite = write
        unsafe methods.xTruncate = truncate
        unsafe methods.xFileSize = size
        unsafe methods.xSync = { file, flags in
            guard let file = unsafe file else { return SQLITE_IOERR }
            let base = unsafe SealedFile.of(file).pointee.base
            return unsafe base.pointee.pMethods.pointee.xSync(base, flags)
        }
        unsafe methods.xLock = { file, level in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.takeLock(level)
        }
        unsafe methods.xUnlock = { file, level in
            guard let file = unsafe file else { return SQLITE_IOERR }
            return unsafe SealedFile.of(file).pointee.giveLock(level)
        }
        unsafe methods.xCheckReservedLock = { file, result in
            guard let file = unsafe file else { return SQLITE_IOERR }
            let base = unsafe SealedFile.of(file).pointee.base
            return unsafe base.pointee.pMethods.pointee.xCheckReservedLock(base, result)
        }
        unsafe methods.xFileControl = { file, operation, argument in
            guard let file = unsafe file else { return SQLITE_NOTFOUND }
            return unsafe SealedFile.of(file).pointee.control(operation, argument)
        }
        unsafe methods.xSectorSize = { _ in Int32(SealedFormat.sectorLength) }
        // Nothing that would let SQLite leave out a sync or a journal.
        unsafe methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        unsafe table.initialize(to: methods)
        return unsafe table
    }
}

// MARK: - Locks, questions, closing

extension SealedFile {
    /// Takes a lock of the file below. With the first one it is asked whether the name still stands for this file: after a
    /// rekey by somebody else it does not, and what was written here would be lost.
    mutating func takeLock(_ level: Int32) -> Int32 {
        let code = unsafe base.pointee.pMethods.pointee.xLock(base, level)
        if code != SQLITE_OK { return code }
        if lock == SQLITE_LOCK_NONE {
            var hasMoved: Int32 = 0
            let asked = unsafe base.pointee.pMethods.pointee.xFileControl(base, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
            if asked == SQLITE_OK, hasMoved != 0 {
                _ = unsafe base.pointee.pMethods.pointee.xUnlock(base, SQLITE_LOCK_NONE)
                return fails(.replaced, SQLITE_IOERR_LOCK_CODE)
            }
            unsafe connection._withUnsafeGuaranteedRef { $0.problem = nil }
        }
        lock = max(lock, level)
        return SQLITE_OK
    }

    mutating func giveLock(_ level: Int32) -> Int32 {
        lock = min(lock, level)
        return unsafe base.pointee.pMethods.pointee.xUnlock(base, level)
    }

    /// Only what needs no size, or has none, goes on to the file below: sizes here are those without the header.
    func control(_ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        switch operation {
        case SealedControl.connection:
            unsafe argument?.storeBytes(of: connection.toOpaque(), as: UnsafeMutableRawPointer.self)
            return SQLITE_OK
        case SealedControl.baseFile:
            unsafe argument?.storeBytes(of: base, as: UnsafeMutablePointer<sqlite3_file>.self)
            return SQLITE_OK
        case SQLITE_FCNTL_HAS_MOVED, SQLITE_FCNTL_LOCKSTATE, SQLITE_FCNTL_LAST_ERRNO, SQLITE_FCNTL_SYNC,
            SQLITE_FCNTL_COMMIT_PHASETWO:
            return unsafe base.pointee.pMethods.pointee.xFileControl(base, operation, argument)
        default: return SQLITE_NOTFOUND
        }
    }

    static func close(_ file: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        let own = unsafe SealedFile.of(file)
        let base = unsafe own.pointee.base
        let code = unsafe base.pointee.pMethods?.pointee.xClose(base) ?? SQLITE_OK
        unsafe own.pointee.journal?.release()
        unsafe own.pointee.connection.release()
        unsafe file.pointee.pMethods = nil
        return code
    }
}

/// Questions that only a file of the sealed VFS answers; numbers below 100 are SQLite's.
enum SealedControl {
    /// Gives the `SealedConnection`, not retained.
    static let connection: Int32 = 0x5358_0001
    /// Gives the file of the VFS below.
    static let baseFile: Int32 = 0x5358_0002
}
