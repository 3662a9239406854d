import CSQLite3
import CryptoPrimitives
import SystemIO

/// An encrypted database that is open (sxkey-formats(5), SEALED DATABASE).
///
/// Like a `Database` it belongs to one thread. The secret that opened it is not kept.
package final class SealedDatabase {
    /// The path as it was given.
    package let path: FilePath
    package let kind: SealedFileKind
    /// The slot that the secret opened; nil in a file that was just made.
    package let openedSlot: Int?
    /// The name of the VFS below, nil for the system's own.
    let baseVFS: String?
    /// Links followed: where the file itself is, and its journal beside it.
    let fullPath: FilePath
    let isReadOnly: Bool
    let patience: Int32

    /// The connection. `rekey` replaces it: do not keep it, or statements of it, across one.
    package internal(set) var database: Database
    var keys: SealedKeys
    /// Tests stop a copy at a step of it.
    var stopping: ((CopyStep) throws(SealedError) -> Void)?

    /// Opens a file with one of its secrets.
    ///
    /// Opening for writing first undoes a change that was interrupted, finishes a half-done change of the header, and takes
    /// away what an interrupted `rekey` left. Opening for reading changes nothing on the disk.
    /// - Parameter patience: milliseconds to wait for a lock of somebody else.
    ///
    /// Errors: before the secret is used `.file`, `.notSealed`, `.truncated`, `.headerDamaged`, `.newerVersion`,
    /// `.wrongKind`, `.slotCost`, `.totalCost`; then `.wrongSecret`, `.headerTampered`; then `.database` with `.damaged`,
    /// `.truncated`, `.locked`, `.readOnly`, `.unfinishedChange`.
    package convenience init(
        opening path: FilePath, kind: SealedFileKind, mode: AccessMode, unlocking secret: UnlockSecret,
        patience: Int32 = Database.defaultPatience, baseVFS: String? = nil
    ) throws(SealedError) {
        let file = try OwnedFile(opening: path, vfs: baseVFS, writing: false)
        let pair = try HeaderPair(reading: file.raw)
        guard let shown = pair.candidates.first else { throw .headerDamaged }
        guard shown.kind == kind else { throw .wrongKind(expected: kind, found: shown.kind) }
        let size = try carried { () throws(DatabaseError) in try file.raw.size() }
        // Not even a journal makes a file of no page whole, and SQLite would take the journal away.
        let least = SealedFormat.headerLength + SealedFormat.pageLength
        guard size >= least else { throw .truncated(expected: least, found: size) }
        let unlocked = try pair.unlock(with: secret)
        try self.init(
            path, keys: unlocked.keys, kind: kind, mode: mode, slot: unlocked.slot, patience: patience,
            baseVFS: baseVFS)
    }

    package enum AccessMode: Hashable, Sendable {
        case readOnly, readWrite
    }

    /// Opens a file of which the keys are known.
    init(
        _ path: FilePath, keys: SealedKeys, kind: SealedFileKind, mode: AccessMode, slot: Int?, patience: Int32,
        baseVFS: String?
    ) throws(SealedError) {
        self.path = path
        self.kind = kind
        self.keys = keys
        self.baseVFS = baseVFS
        self.patience = patience
        openedSlot = slot
        isReadOnly = mode == .readOnly
        fullPath = try FullPath.of(path, vfs: baseVFS)
        database = try Self.connect(
            fullPath, keys: keys, kind: kind, mode: mode == .readOnly ? .readOnly : .readWrite, patience: patience,
            baseVFS: baseVFS)
        try Self.checkLength(database)
        if mode == .readWrite {
            try finishHeaderChange()
            try removeLeftovers()
        }
    }

    /// What the file says of itself without a secret.
    package static func inspect(
        _ path: FilePath, baseVFS: String? = nil
    ) throws(SealedError) -> SealedHeader {
        let file = try OwnedFile(opening: path, vfs: baseVFS, writing: false)
        return try SealedHeader(HeaderPair(reading: file.raw), file: file.raw)
    }

    /// A key for use inside of the database, derived from the master key; `rekey` changes it.
    package func deriveKey(label: String) throws(SealedError) -> SecretBytes {
        try keys.callerKey(label)
    }

    /// The header as it is in the file now.
    package func header() throws(SealedError) -> SealedHeader {
        let file = try rawFile(of: database)
        return try SealedHeader(HeaderPair(reading: file), file: file)
    }
}

// MARK: - Connecting

extension SealedDatabase {
    /// A connection to the file at `path`, of which `keys` are known to be the keys.
    ///
    /// The URI carries a number of the registry, and never a key.
    static func connect(
        _ path: FilePath, keys: SealedKeys, kind: SealedFileKind, mode: Database.OpenMode, patience: Int32,
        baseVFS: String?
    ) throws(SealedError) -> Database {
        let connection = try SealedConnection(keys: keys, kind: kind)
        let number = SealedRegistry.add(connection)
        defer { SealedRegistry.remove(number) }
        do throws(DatabaseError) {
            let vfs = try SealedVFS.name(above: baseVFS)
            return try Database(
                name: uri(path, vfs: vfs, number: number), isURI: true, vfs: vfs, mode, patience: patience
            ) { database throws(DatabaseError) in
                try reserveBytes(database)
            }
        } catch {
            if connection.problem == .header { throw .replaced }
            throw .database(error)
        }
    }

    /// The URI for a file of the registry; also for VACUUM INTO.
    static func uri(_ path: FilePath, vfs: String, number: UInt64) -> [UInt8] {
        var text = Array("file:".utf8)
        for byte in path.bytes {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                text.append(byte)
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += Array("%".utf8) + Array((digits.utf8.count == 1 ? "0" + digits : digits).utf8)
            }
        }
        return text + Array("?vfs=\(vfs)&\(SealedFile.parameter)=\(number)".utf8)
    }

    /// Asks SQLite to leave the last 32 bytes of each page alone, before it makes the first page.
    private static func reserveBytes(_ database: Database) throws(DatabaseError) {
        var reserved = Int32(SealedFormat.reservedLength)
        let code = unsafe sqlite3_file_control(
            database.connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        guard code == SQLITE_OK else { throw .setting("reserve_bytes") }
    }

    /// The first use: takes a lock, undoes an interrupted change, reads page 1.
    static func readSchema(_ database: Database) throws(SealedError) {
        try carried { () throws(DatabaseError) in
            _ = try database.first("SELECT count(*) FROM sqlite_schema") { row throws(DatabaseError) in row.value(0) }
        }
    }

    /// The first use, and whether all pages are there that page 1 counts: SQLite itself would take a part of the last one
    /// for a page until somebody reads it.
    private static func checkLength(_ database: Database) throws(SealedError) {
        try database.transaction(.read) { () throws(SealedError) in
            try readSchema(database)
            if let file = unsafe SealedConnection.file(of: database.connection),
                let missing = unsafe file.pointee.missingPages()
            {
                throw .database(missing)
            }
        }
    }

    /// The file itself below a connection.
    func rawFile(of database: Database) throws(SealedError) -> RawFile {
        guard let file = unsafe SealedConnection.file(of: database.connection) else {
            throw .database(.sql(code: SQLITE_MISUSE, message: "no sealed file"))
        }
        return unsafe RawFile(file.pointee.base)
    }
}

/// Runs `body` and tells its database error as one of the sealed file.
func carried<R: ~Copyable>(_ body: () throws(DatabaseError) -> R) throws(SealedError) -> R {
    do throws(DatabaseError) {
        return try body()
    } catch {
        throw SealedError(error)
    }
}

extension SealedError: DatabaseErrorCarrier {
    /// A file that was replaced is an error of its own.
    package init(_ error: DatabaseError) {
        self = error == .replaced ? .replaced : .database(error)
    }
}
