import CSQLite3

// The database itself: whole pages, encrypted, behind the header.

/// Where page 1 begins.
private let start = Int64(SealedFormat.headerLength)
private let pageLength = Int64(SealedFormat.pageLength)

extension SealedFile {
    func readDatabase(_ buffer: UnsafeMutableRawPointer, _ count: Int32, at place: Int64) -> Int32 {
        if count == SealedFormat.pageLength, place & (pageLength - 1) == 0 {
            return unsafe readPage(into: buffer, number: UInt32(truncatingIfNeeded: place / pageLength + 1))
        }
        if place == 0, count == 100, lock == SQLITE_LOCK_NONE { return unsafe readFileHeader(into: buffer) }
        return unsafe readParts(buffer, Int(count), at: place)
    }

    /// Reads and decrypts a page into `buffer`; zeros and `SQLITE_IOERR_SHORT_READ` behind the end of the file.
    @inline(__always)
    func readPage(into buffer: UnsafeMutableRawPointer, number: UInt32) -> Int32 {
        let code = unsafe readBase(
            buffer, Int32(SealedFormat.pageLength), at: start + (Int64(number) - 1) * pageLength)
        if code != SQLITE_OK { return unsafe pageNotRead(buffer, number, code) }
        if unsafe sealer.pointee.open(buffer, number: number, of: .database) { return SQLITE_OK }
        return fails(.page(number), SQLITE_IOERR_DATA_CODE)
    }

    /// A page that is not in the file at all is one that SQLite has not written yet; a part of one is damage.
    private func pageNotRead(_ buffer: UnsafeMutableRawPointer, _ number: UInt32, _ code: Int32) -> Int32 {
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: SealedFormat.pageLength)
        guard code == SQLITE_IOERR_SHORT_READ_CODE else { return code }
        var size: Int64 = 0
        let sizeCode = baseSize(&size)
        if sizeCode != SQLITE_OK { return sizeCode }
        if size <= start + (Int64(number) - 1) * pageLength { return SQLITE_IOERR_SHORT_READ_CODE }
        return fails(.pageCut(number), SQLITE_IOERR_DATA_CODE)
    }

    /// SQLite looks at the first 100 bytes when it opens a file, before it has a lock, so that page 1 may be half written
    /// then. It only wants page size and reserved bytes, which never change.
    private func readFileHeader(into buffer: UnsafeMutableRawPointer) -> Int32 {
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: 100)
        var size: Int64 = 0
        let code = baseSize(&size)
        if code != SQLITE_OK { return code }
        if size <= start { return SQLITE_IOERR_SHORT_READ_CODE }
        unsafe buffer.storeBytes(of: UInt16(SealedFormat.pageLength).bigEndian, toByteOffset: 16, as: UInt16.self)
        unsafe buffer.storeBytes(of: UInt8(SealedFormat.reservedLength), toByteOffset: 20, as: UInt8.self)
        return SQLITE_OK
    }

    /// Parts of pages, which are decrypted whole.
    private func readParts(_ buffer: UnsafeMutableRawPointer, _ count: Int, at place: Int64) -> Int32 {
        guard count >= 0, place >= 0 else { return fails(.refused(.size), SQLITE_IOERR_READ_CODE) }
        let scratch = unsafe sealer.pointee.scratch
        var done = 0
        while done < count {
            let at = place + Int64(done)
            let offset = Int(at % pageLength)
            let piece = min(count - done, SealedFormat.pageLength - offset)
            let code = unsafe readPage(into: scratch, number: UInt32(truncatingIfNeeded: at / pageLength + 1))
            if code != SQLITE_OK {
                unsafe (buffer + done).initializeMemory(as: UInt8.self, repeating: 0, count: count - done)
                return code
            }
            unsafe (buffer + done).copyMemory(from: scratch + offset, byteCount: piece)
            done += piece
        }
        return SQLITE_OK
    }

    func writeDatabase(_ buffer: UnsafeRawPointer, _ count: Int32, at place: Int64) -> Int32 {
        guard count == SealedFormat.pageLength, place & (pageLength - 1) == 0 else {
            return fails(.refused(.size), SQLITE_IOERR_WRITE_CODE)
        }
        let number = UInt32(truncatingIfNeeded: place / pageLength + 1)
        guard unsafe sealer.pointee.seal(buffer, number: number, for: .database) else {
            return fails(.refused(.reservedBytes), SQLITE_IOERR_WRITE_CODE)
        }
        return unsafe writeBase(sealer.pointee.scratch, count, at: start + place)
    }

    /// The size as SQLite counts it, without the header.
    func databaseSize(_ size: inout Int64) -> Int32 {
        let code = baseSize(&size)
        size = max(0, size - start)
        return code
    }

    func truncateDatabase(to size: Int64) -> Int32 {
        unsafe base.pointee.pMethods.pointee.xTruncate(base, size + start)
    }
}
