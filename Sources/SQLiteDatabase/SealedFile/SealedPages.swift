import CSQLite3

/// The pages of an open sealed database, one by one and without SQLite's cache. A transaction must hold a lock meanwhile.
@safe
struct SealedPages: ~Copyable {
    private let file: UnsafeMutablePointer<SealedFile>
    private let page = UnsafeMutableRawPointer.allocate(byteCount: SealedFormat.pageLength, alignment: 64)

    init(_ database: Database) throws(SealedError) {
        guard let file = unsafe SealedConnection.file(of: database.connection) else {
            throw .database(.sql(code: SQLITE_MISUSE, message: "no sealed file"))
        }
        unsafe self.file = file
    }

    deinit {
        // What was found here is no reason for what may fail later.
        unsafe file.pointee.connection._withUnsafeGuaranteedRef { $0.problem = nil }
        unsafe page.deallocate()
    }

    /// Pages in the file, a part of one included.
    func count() throws(SealedError) -> UInt32 {
        var size: Int64 = 0
        let code = unsafe file.pointee.databaseSize(&size)
        guard code == SQLITE_OK else { throw .database(DatabaseError(code: code)) }
        let length = Int64(SealedFormat.pageLength)
        return UInt32(truncatingIfNeeded: (size + length - 1) / length)
    }

    /// Whether the page is what was written there. Error: `.database` when it cannot be read from the disk.
    func isAuthentic(_ number: UInt32) throws(SealedError) -> Bool {
        let code = unsafe file.pointee.readPage(into: page, number: number)
        if code == SQLITE_OK { return true }
        if code == SQLITE_IOERR_DATA_CODE || code == SQLITE_IOERR_SHORT_READ_CODE { return false }
        throw .database(DatabaseError(code: code))
    }

    /// A big-endian number of the page that was looked at last.
    func number(at place: Int) -> UInt32 {
        UInt32(bigEndian: unsafe page.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    /// The pages whose content is of no use to anybody: the leaves of the list of free pages (fileformat2, 1.5). What
    /// cannot be followed is left out.
    func freeLeaves() throws(SealedError) -> Set<UInt32> {
        let total = try count()
        guard total > 0, try isAuthentic(1) else { return [] }
        var trunk = number(at: 32)
        var trunks: Set<UInt32> = []
        var leaves: Set<UInt32> = []
        while trunk > 1, trunk <= total, trunks.insert(trunk).inserted, try isAuthentic(trunk) {
            let next = number(at: 0)
            let listed = min(Int(number(at: 4)), (SealedFormat.textLength - 8) / 4)
            for index in 0..<listed {
                let leaf = number(at: 8 + 4 * index)
                if leaf > 1, leaf <= total { leaves.insert(leaf) }
            }
            trunk = next
        }
        return leaves
    }

    /// Numbers of the pages up to `last` that are not what was written there, at most `limit`.
    func damaged(upTo last: UInt32 = .max, limit: Int) throws(SealedError) -> [UInt32] {
        var found: [UInt32] = []
        let total = min(last, try count())
        var number: UInt32 = 0
        while number < total, found.count < limit {
            number += 1
            if number != SealedFormat.lockPage, try !isAuthentic(number) { found.append(number) }
        }
        return found
    }
}
