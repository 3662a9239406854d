import CSQLite3
import SystemIO

/// A file of the VFS below, read and written as it is on the disk, and owned by somebody else.
///
/// The header of a database that is open must only be read and written so: a descriptor of one's own would, when it is
/// closed, take all of the process's locks on the file away (fcntl(2)).
@safe
struct RawFile {
    private let file: UnsafeMutablePointer<sqlite3_file>

    init(_ file: UnsafeMutablePointer<sqlite3_file>) {
        unsafe self.file = file
    }

    /// `count` bytes from `place` on, fewer at the end of the file.
    func read(_ count: Int, at place: Int) throws(DatabaseError) -> [UInt8] {
        let size = try self.size()
        let available = max(0, min(count, size - place))
        guard available > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: available)
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe file.pointee.pMethods.pointee.xRead(
                file, buffer.baseAddress, Int32(truncatingIfNeeded: available), Int64(place))
        }
        guard code == SQLITE_OK else { throw .init(code: code) }
        return bytes
    }

    func write(_ bytes: [UInt8], at place: Int) throws(DatabaseError) {
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe file.pointee.pMethods.pointee.xWrite(
                file, buffer.baseAddress, Int32(truncatingIfNeeded: buffer.count), Int64(place))
        }
        guard code == SQLITE_OK else { throw .init(code: code) }
    }

    func sync() throws(DatabaseError) {
        let code = unsafe file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else { throw .init(code: code) }
    }

    func size() throws(DatabaseError) -> Int {
        var size: Int64 = 0
        let code = unsafe file.pointee.pMethods.pointee.xFileSize(file, &size)
        guard code == SQLITE_OK else { throw .init(code: code) }
        return Int(exactly: size) ?? 0
    }
}

/// A file of the VFS below that is opened for itself: before there is a connection, or while nothing else has it open.
@safe
struct OwnedFile: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let name: sqlite3_filename

    /// Opens the regular file at `path`, which must be there.
    init(opening path: FilePath, vfs: String?, writing: Bool) throws(SealedError) {
        let status: FileStatus
        do throws(FileError) { status = try fileStatus(at: path) } catch { throw .file(error) }
        guard status.kind != .folder else { throw .file(FileError(.open, path, .isFolder)) }
        // Opening a pipe would wait for its other end.
        guard status.kind == .regular else { throw .file(FileError(.open, path, .notRegular)) }
        guard let base = unsafe BaseVFS.find(vfs) else {
            throw .database(.sql(code: SQLITE_ERROR, message: "no VFS \(vfs ?? "")"))
        }
        let full = try FullPath.of(path, vfs: vfs)
        let name = unsafe (full.bytes + [0]).withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_create_filename(characters.baseAddress, "", "", 0, nil)
            }
        }
        guard let name = unsafe name else { throw .database(.outOfMemory) }
        let memory = unsafe UnsafeMutableRawPointer.allocate(
            byteCount: Int(base.pointee.szOsFile), alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(base.pointee.szOsFile))
        let file = unsafe memory.assumingMemoryBound(to: sqlite3_file.self)
        let access = writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        var outFlags: Int32 = 0
        let code = unsafe base.pointee.xOpen(base, name, file, access | SQLITE_OPEN_MAIN_DB, &outFlags)
        guard code == SQLITE_OK else {
            if unsafe file.pointee.pMethods != nil { _ = unsafe file.pointee.pMethods.pointee.xClose(file) }
            unsafe memory.deallocate()
            unsafe sqlite3_free_filename(name)
            // SQLite says no more than that it could not; the system says why. Trying with a descriptor of one's own would
            // cost the locks of other connections.
            let reason = unsafe base.pointee.xGetLastError?(base, 0, nil) ?? 0
            throw reason == 0 ? .database(DatabaseError(code: code)) : .file(FileError(.open, path, code: reason))
        }
        unsafe self.memory = memory
        unsafe self.name = unsafe name
    }

    deinit {
        let file = unsafe memory.assumingMemoryBound(to: sqlite3_file.self)
        _ = unsafe file.pointee.pMethods.pointee.xClose(file)
        unsafe memory.deallocate()
        unsafe sqlite3_free_filename(name)
    }

    var raw: RawFile { unsafe RawFile(memory.assumingMemoryBound(to: sqlite3_file.self)) }
}

/// The path by which SQLite knows a file, links followed: journals stand beside it.
enum FullPath {
    static func of(_ path: FilePath, vfs: String?) throws(SealedError) -> FilePath {
        guard let base = unsafe BaseVFS.find(vfs), !path.bytes.isEmpty, !path.bytes.contains(0) else {
            throw .file(FileError(.open, path, .notFound))
        }
        let capacity = Int(unsafe base.pointee.mxPathname) + 1
        var result = [CChar](repeating: 0, count: capacity)
        let code = unsafe (path.bytes + [0]).withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe result.withUnsafeMutableBufferPointer { result in
                    unsafe base.pointee.xFullPathname(
                        base, characters.baseAddress, Int32(truncatingIfNeeded: capacity), result.baseAddress)
                }
            }
        }
        // SQLITE_OK_SYMLINK says that a link was followed.
        guard code & 0xff == SQLITE_OK else { throw .database(DatabaseError(code: code)) }
        return FilePath(bytes: result.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }
}

extension DatabaseError {
    /// The error of a file that was used without a connection.
    init(code: Int32) {
        unsafe self.init(code: code, connection: nil, stage: .running)
    }
}
