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

    /// Checks that the journal is not of a later state of the database than the one that is there: an earlier copy of the
    /// file was put beside it, and rolling back would mix the two.
    ///
    /// Every change of the database counts up in page 1, so that this page never has a lower count than the journal's
    /// record of it. A journal without such a record, or a page 1 that is torn, says nothing. A record that cannot be read
    /// is found when it is played back.
    func checkState(_ journal: JournalLayout) -> Int32 {
        guard let database = unsafe database, let record = firstPageRecord(journal) else { return SQLITE_OK }
        let page = UnsafeMutableRawPointer.allocate(byteCount: SealedFormat.pageLength, alignment: 64)
        defer { unsafe page.deallocate() }
        let length = Int32(SealedFormat.pageLength)
        guard unsafe readBase(page, length, at: record + Int64(JournalFormat.numberLength)) == SQLITE_OK,
            unsafe sealer.pointee.open(page, number: 1, of: .journal)
        else { return SQLITE_OK }
        let before = unsafe page.load(fromByteOffset: SealedFormat.changeCountPlace, as: UInt32.self)
        guard unsafe database.pointee.readBase(page, length, at: Int64(SealedFormat.headerLength)) == SQLITE_OK,
            unsafe sealer.pointee.open(page, number: 1, of: .database)
        else { return SQLITE_OK }
        let now = unsafe page.load(fromByteOffset: SealedFormat.changeCountPlace, as: UInt32.self)
        // The count may wrap around.
        let isLower = Int32(bitPattern: UInt32(bigEndian: now) &- UInt32(bigEndian: before)) < 0
        return isLower ? fails(.laterJournal, SQLITE_IOERR_DATA_CODE) : SQLITE_OK
    }

    /// Where the record of page 1 begins, among those that valid headers count.
    private func firstPageRecord(_ journal: JournalLayout) -> Int64? {
        var size: Int64 = 0
        guard baseSize(&size) == SQLITE_OK else { return nil }
        defer { journal.headerPlace = -1 }
        var segment: Int64 = 0
        while segment <= size - Int64(JournalFormat.headerLength) {
            journal.headerPlace = -1
            guard unsafe readBase(journal.header, Int32(JournalFormat.headerLength), at: segment) == SQLITE_OK,
                unsafe sealer.pointee.isJournalHeader(journal.header, place: segment)
            else { return nil }
            let count = Int64(
                UInt32(
                    bigEndian: unsafe journal.header.load(
                        fromByteOffset: JournalFormat.countPlace, as: UInt32.self)))
            var record = segment + Int64(JournalFormat.headerLength)
            for _ in 0..<count {
                var number: UInt32 = 0
                guard record <= size - JournalFormat.recordLength,
                    unsafe readBase(&number, Int32(JournalFormat.numberLength), at: record) == SQLITE_OK
                else { return nil }
                if UInt32(bigEndian: number) == 1 { return record }
                record += JournalFormat.recordLength
            }
            let sector = Int64(SealedFormat.sectorLength)
            segment = (record + sector - 1) / sector * sector
        }
        return nil
    }

    /// Whether two pages have the same bytes.
    private static func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer) -> Bool {
        Swift.stride(from: 0, to: SealedFormat.pageLength, by: 8).allSatisfy {
            unsafe one.load(fromByteOffset: $0, as: UInt64.self) == other.load(fromByteOffset: $0, as: UInt64.self)
        }
    }
}
