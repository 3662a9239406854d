import CSQLite3

// A header that is not there may never have reached the disk, or may have been destroyed since. The database tells.

extension SealedFile {
    /// Checks that the segment at `place`, which has no header, changed nothing: its records and then its header are synced
    /// before any of its pages are written to the database, so that these are still what its records say.
    ///
    /// `SQLITE_IOERR_DATA` when the database has another page than a whole record behind `place`. A journal that begins
    /// with a zero is done with, and its records mean nothing.
    func checkNoEffect(_ place: Int64, isZero: Bool) -> Int32 {
        guard let database = unsafe database, place > 0 || !isZero else { return SQLITE_OK }
        var size: Int64 = 0
        let sizeCode = baseSize(&size)
        if sizeCode != SQLITE_OK { return sizeCode }
        let before = UnsafeMutableRawPointer.allocate(byteCount: SealedFormat.pageLength, alignment: 64)
        let now = UnsafeMutableRawPointer.allocate(byteCount: SealedFormat.pageLength, alignment: 64)
        defer {
            unsafe before.deallocate()
            unsafe now.deallocate()
        }
        var record = place + Int64(JournalFormat.headerLength)
        while record <= size - JournalFormat.recordLength {
            var number: UInt32 = 0
            let numberCode = unsafe readBase(&number, Int32(JournalFormat.numberLength), at: record)
            if numberCode != SQLITE_OK { return numberCode }
            number = UInt32(bigEndian: number)
            let code = unsafe readBase(
                before, Int32(SealedFormat.pageLength), at: record + Int64(JournalFormat.numberLength))
            if code != SQLITE_OK { return code }
            if number > 0, unsafe sealer.pointee.open(before, number: number, of: .journal) {
                let pageCode = unsafe database.pointee.readPage(into: now, number: number)
                let isDamaged = pageCode == SQLITE_IOERR_DATA_CODE || pageCode == SQLITE_IOERR_SHORT_READ_CODE
                if pageCode != SQLITE_OK, !isDamaged { return pageCode }
                if unsafe isDamaged || !Self.areSame(before, now) {
                    return fails(.journal(.header(place: place)), SQLITE_IOERR_DATA_CODE)
                }
            }
            record += JournalFormat.recordLength
        }
        return SQLITE_OK
    }

    /// Whether two pages have the same bytes.
    private static func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
        Swift.stride(from: 0, to: SealedFormat.pageLength, by: 8).allSatisfy {
            unsafe one.load(fromByteOffset: $0, as: UInt64.self) == other.load(fromByteOffset: $0, as: UInt64.self)
        }
    }
}
