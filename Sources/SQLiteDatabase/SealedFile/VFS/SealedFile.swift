import CSQLite3

/// A file of the sealed VFS, in memory that SQLite gives: `sqlite3_file` is its beginning, as for a structure of C, and
/// the file of the VFS below follows it.
@safe
struct SealedFile {
    var head: sqlite3_file
    /// The file of the VFS below.
    let base: UnsafeMutablePointer<sqlite3_file>
    let connection: Unmanaged<SealedConnection>
    /// Encrypts; a part of `connection`.
    let sealer: UnsafeMutablePointer<PageSealer>
    /// Nil for the database itself.
    let journal: Unmanaged<JournalLayout>?
    /// The database of a journal, open as long as the journal is; nil for the database itself.
    let database: UnsafeMutablePointer<SealedFile>?
    var lock: Int32 = SQLITE_LOCK_NONE

    /// Bytes before the file below.
    static let stride = (MemoryLayout<SealedFile>.stride + 15) & ~15

    @inline(__always)
    static func of(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<SealedFile> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: SealedFile.self)
    }

    /// Remembers `problem` for the one who asks why, and gives the code for SQLite.
    func fails(_ problem: SealedProblem, _ code: Int32) -> Int32 {
        unsafe connection._withUnsafeGuaranteedRef { $0.problem = problem }
        return code
    }
}

// MARK: - The file below

extension SealedFile {
    @inline(__always)
    var methods: sqlite3_io_methods { unsafe base.pointee.pMethods.pointee }

    @inline(__always)
    func readBase(_ buffer: UnsafeMutableRawPointer, _ count: Int32, at place: Int64) -> Int32 {
        unsafe base.pointee.pMethods.pointee.xRead(base, buffer, count, place)
    }

    @inline(__always)
    func writeBase(_ buffer: UnsafeRawPointer, _ count: Int32, at place: Int64) -> Int32 {
        unsafe base.pointee.pMethods.pointee.xWrite(base, buffer, count, place)
    }

    func baseSize(_ size: inout Int64) -> Int32 {
        unsafe base.pointee.pMethods.pointee.xFileSize(base, &size)
    }
}
