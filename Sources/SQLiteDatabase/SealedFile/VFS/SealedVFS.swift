import CSQLite3
import Synchronization
import SystemIO

/// The VFS that encrypts: `sxdb` above the system's own, `sxdb-NAME` above one called NAME.
///
/// Registered on first use and never taken away. Everything that is not about the bytes of a file goes to the VFS below.
enum SealedVFS {
    private static let registered = Mutex<Set<String>>([])

    /// The name of the VFS above `base`, nil for the system's own. Error: `.sql` when there is no such base.
    static func name(above base: String?) throws(DatabaseError) -> String {
        let name = base.map { "sxdb-" + $0 } ?? "sxdb"
        let code = registered.withLock { registered in
            guard !registered.contains(name) else { return SQLITE_OK }
            let code = unsafe register(name, above: BaseVFS.find(base))
            if code == SQLITE_OK { registered.insert(name) }
            return code
        }
        guard code == SQLITE_OK else { throw .sql(code: code, message: "no VFS \(base ?? "") to build on") }
        return name
    }

    private static func register(_ name: String, above base: UnsafeMutablePointer<sqlite3_vfs>?) -> Int32 {
        guard let base = unsafe base else { return SQLITE_ERROR }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        var made = unsafe sqlite3_vfs()
        unsafe made.iVersion = 2
        unsafe made.szOsFile = Int32(SealedFile.stride) + base.pointee.szOsFile
        unsafe made.mxPathname = base.pointee.mxPathname
        unsafe made.zName = UnsafePointer(copy(name))
        unsafe made.pAppData = UnsafeMutableRawPointer(base)
        unsafe made.xOpen = { vfs, name, file, flags, outFlags in
            guard let vfs = unsafe vfs, let file = unsafe file else { return SQLITE_CANTOPEN }
            return unsafe SealedFile.open(vfs, name, file, flags, outFlags)
        }
        unsafe made.xDelete = { vfs, name, sync in
            guard let base = unsafe BaseVFS.below(vfs) else { return SQLITE_IOERR }
            return unsafe base.pointee.xDelete(base, name, sync)
        }
        unsafe made.xAccess = { vfs, name, flags, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return SQLITE_IOERR }
            // There is never a WAL: a file of such a name is somebody else's, and no reason not to open the database.
            if let name = unsafe name, unsafe String(cString: name).utf8.suffix(4).elementsEqual("-wal".utf8) {
                unsafe result?.pointee = 0
                return SQLITE_OK
            }
            return unsafe base.pointee.xAccess(base, name, flags, result)
        }
        unsafe made.xFullPathname = { vfs, name, count, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return SQLITE_IOERR }
            return unsafe base.pointee.xFullPathname(base, name, count, result)
        }
        // No extension is ever loaded.
        unsafe made.xDlOpen = { _, _ in nil }
        unsafe made.xDlError = { _, _, _ in }
        unsafe made.xDlSym = { _, _, _ in nil }
        unsafe made.xDlClose = { _, _ in }
        unsafe made.xRandomness = { vfs, count, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return 0 }
            return unsafe base.pointee.xRandomness(base, count, result)
        }
        unsafe made.xSleep = { vfs, microseconds in
            guard let base = unsafe BaseVFS.below(vfs) else { return 0 }
            return unsafe base.pointee.xSleep(base, microseconds)
        }
        unsafe made.xCurrentTime = { vfs, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return SQLITE_ERROR }
            return unsafe base.pointee.xCurrentTime(base, result)
        }
        unsafe made.xGetLastError = { vfs, count, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return 0 }
            return unsafe base.pointee.xGetLastError(base, count, result)
        }
        unsafe made.xCurrentTimeInt64 = { vfs, result in
            guard let base = unsafe BaseVFS.below(vfs) else { return SQLITE_ERROR }
            return unsafe base.pointee.xCurrentTimeInt64(base, result)
        }
        unsafe vfs.initialize(to: made)
        return unsafe sqlite3_vfs_register(vfs, 0)
    }

    /// A C string that stays for ever, as SQLite keeps the address of a VFS's name.
    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let characters = Array(text.utf8CString)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
        unsafe copy.initialize(from: characters, count: characters.count)
        return unsafe copy
    }
}

/// The VFS below.
enum BaseVFS {
    static func find(_ name: String?) -> UnsafeMutablePointer<sqlite3_vfs>? {
        // To look for a VFS is to begin with SQLite, and what is set for all of it must be set before.
        try? SQLiteLibrary.check()
        guard let name else { return unsafe sqlite3_vfs_find(nil) }
        return unsafe sqlite3_vfs_find(name)
    }

    static func below(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> UnsafeMutablePointer<sqlite3_vfs>? {
        unsafe vfs?.pointee.pAppData?.assumingMemoryBound(to: sqlite3_vfs.self)
    }
}

// MARK: - Opening

extension SealedFile {
    /// The parameter of the URI with the number of the connection in `SealedRegistry`.
    static let parameter = "sealed"

    /// Opens a database that is in the registry, or the journal of one that is open. Nothing else: temporary files would
    /// hold plaintext, a WAL has it in its checksums, and a journal of several files is never needed.
    static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        unsafe file.pointee.pMethods = nil
        guard let name = unsafe name else { return SQLITE_CANTOPEN }
        if flags & SQLITE_OPEN_MAIN_DB != 0 {
            let number = unsafe sqlite3_uri_int64(name, parameter, 0)
            guard let connection = SealedRegistry.connection(UInt64(truncatingIfNeeded: number)) else {
                return SQLITE_CANTOPEN
            }
            return unsafe open(vfs, name, file, flags, outFlags, connection, journal: nil, of: nil)
        }
        guard flags & SQLITE_OPEN_MAIN_JOURNAL != 0, let database = unsafe sqlite3_database_file_object(name),
            unsafe database.pointee.pMethods == UnsafePointer(FileMethods.database)
        else { return SQLITE_CANTOPEN }
        let connection = unsafe SealedFile.of(database).pointee.connection.takeUnretainedValue()
        return unsafe open(
            vfs, name, file, flags, outFlags, connection, journal: JournalLayout(), of: SealedFile.of(database))
    }

    private static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>, _ name: UnsafePointer<CChar>,
        _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?,
        _ connection: SealedConnection, journal: JournalLayout?, of database: UnsafeMutablePointer<SealedFile>?
    ) -> Int32 {
        guard let below = unsafe BaseVFS.below(vfs) else { return SQLITE_CANTOPEN }
        let base = unsafe (UnsafeMutableRawPointer(file) + stride).assumingMemoryBound(to: sqlite3_file.self)
        unsafe base.pointee.pMethods = nil
        let code = unsafe below.pointee.xOpen(below, name, base, flags, outFlags)
        guard code == SQLITE_OK else {
            // A file that could not be opened may want to be closed all the same (sqlite3.h, xOpen).
            if unsafe base.pointee.pMethods != nil { _ = unsafe base.pointee.pMethods.pointee.xClose(base) }
            return code
        }
        if journal == nil, !HeaderPair.isOf(connection.keys, file: unsafe RawFile(base)) {
            _ = unsafe base.pointee.pMethods.pointee.xClose(base)
            connection.problem = .header
            return SQLITE_CANTOPEN
        }
        var head = unsafe sqlite3_file()
        unsafe head.pMethods = UnsafePointer(journal == nil ? FileMethods.database : FileMethods.journal)
        unsafe SealedFile.of(file).initialize(
            to: SealedFile(
                head: head, base: base, connection: Unmanaged.passRetained(connection), sealer: connection.sealer,
                journal: journal.map { unsafe Unmanaged.passRetained($0) }, database: database))
        return SQLITE_OK
    }
}
