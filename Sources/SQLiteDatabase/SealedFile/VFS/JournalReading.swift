import CSQLite3

// Reading a rollback journal. SQLite takes whatever does not fit for the end of the journal and goes on; here it is damage
// wherever a valid header says that it must be there, and then SQLite stops and leaves the journal as it is.

extension SealedFile {
    func readJournal(
        _ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer, _ count: Int32, at place: Int64
    ) -> Int32 {
        if count == 1, place == 0 { return unsafe readFirstByte(journal, buffer) }
        if count == Int32(JournalFormat.magicLength), place % Int64(SealedFormat.sectorLength) == 0 {
            return unsafe readMagic(journal, buffer, at: place)
        }
        switch journal.piece(at: place, count: count) {
        case .header(let segment, let offset):
            guard count == 4, offset + 4 <= JournalFormat.usedLength else { break }
            let code = loadHeader(journal, at: segment)
            if code == SQLITE_OK { unsafe buffer.copyMemory(from: journal.header + offset, byteCount: 4) }
            return code
        case .number:
            let code = unsafe readRecordPart(journal, buffer, count, at: place, record: place)
            if code == SQLITE_OK {
                journal.number = unsafe UInt32(bigEndian: buffer.loadUnaligned(as: UInt32.self))
                journal.numberPlace = place
            }
            return code
        case .page: return unsafe readJournalPage(journal, buffer, at: place)
        case .checksum: return unsafe readChecksum(journal, buffer, at: place)
        case .other: break
        }
        // The name of a journal of several files would stand at the end; sealed journals never have one.
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: Int(count))
        return SQLITE_OK
    }

    /// A byte other than zero says that there is something to roll back.
    private func readFirstByte(_ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer) -> Int32 {
        let code = unsafe readBase(buffer, 1, at: 0)
        guard code == SQLITE_OK, unsafe buffer.load(as: UInt8.self) != 0 else { return code }
        var size: Int64 = 0
        let sizeCode = baseSize(&size)
        if sizeCode != SQLITE_OK { return sizeCode }
        // The first byte is written last of all, when the header has long been there.
        if size < Int64(JournalFormat.headerLength) {
            return fails(.journal(.header(place: 0)), SQLITE_IOERR_DATA_CODE)
        }
        return SQLITE_OK
    }

    private func readMagic(
        _ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer, at place: Int64
    ) -> Int32 {
        if journal.isWriter, !journal.isSegment(place) {
            return unsafe readBase(buffer, Int32(JournalFormat.magicLength), at: place)
        }
        if !journal.isSegment(place) {
            // A segment that had not been synced had changed nothing. After a power cut zeros stand in its place, or what
            // the disk held before.
            let code = unsafe readBase(journal.header, Int32(JournalFormat.headerLength), at: place)
            if code != SQLITE_OK, code != SQLITE_IOERR_SHORT_READ_CODE { return code }
            journal.headerPlace = -1
            if unsafe !JournalFormat.resemblesHeader(journal.header) {
                let effectCode = unsafe checkNoEffect(
                    place, isZero: journal.header.load(as: UInt8.self) == 0)
                if effectCode != SQLITE_OK { return effectCode }
                unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: JournalFormat.magicLength)
                return code
            }
            if place == 0 {
                let stateCode = checkState(journal)
                if stateCode != SQLITE_OK { return stateCode }
            }
        }
        let code = loadHeader(journal, at: place)
        if code == SQLITE_OK {
            unsafe buffer.copyMemory(from: journal.header, byteCount: JournalFormat.magicLength)
            journal.add(place)
        }
        return code
    }

    /// Reads the header at `place` into `journal.header`, unless it is there, and checks it.
    func loadHeader(_ journal: JournalLayout, at place: Int64) -> Int32 {
        if journal.headerPlace == place { return SQLITE_OK }
        journal.headerPlace = -1
        let code = unsafe readBase(journal.header, Int32(JournalFormat.headerLength), at: place)
        guard code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ_CODE else { return code }
        guard code == SQLITE_OK, unsafe sealer.pointee.isJournalHeader(journal.header, place: place) else {
            return fails(.journal(.header(place: place)), SQLITE_IOERR_DATA_CODE)
        }
        journal.headerPlace = place
        return SQLITE_OK
    }

    /// Reads a part of a record. One that is cut off is damage, except in a journal that this connection is writing.
    private func readRecordPart(
        _ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer, _ count: Int32, at place: Int64, record: Int64
    ) -> Int32 {
        let code = unsafe readBase(buffer, count, at: place)
        guard code == SQLITE_IOERR_SHORT_READ_CODE, !journal.isWriter else { return code }
        return fails(.journal(.record(place: record)), SQLITE_IOERR_DATA_CODE)
    }

    private func readJournalPage(
        _ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer, at place: Int64
    ) -> Int32 {
        let record = place - Int64(JournalFormat.numberLength)
        if journal.numberPlace != record {
            var number: UInt32 = 0
            let code = unsafe readRecordPart(
                journal, &number, Int32(JournalFormat.numberLength), at: record, record: record)
            if code != SQLITE_OK { return code }
            journal.number = UInt32(bigEndian: number)
            journal.numberPlace = record
        }
        journal.pagePlace = -1
        let code = unsafe readRecordPart(
            journal, buffer, Int32(SealedFormat.pageLength), at: place, record: record)
        if code != SQLITE_OK { return code }
        guard let mask = unsafe sealer.pointee.checksumMask(nonce: buffer + SealedFormat.noncePlace) else {
            return SQLITE_NOMEM
        }
        guard unsafe sealer.pointee.open(buffer, number: journal.number, of: .journal) else {
            return fails(.journal(.record(place: record)), SQLITE_IOERR_DATA_CODE)
        }
        journal.pagePlace = place
        journal.checksumMask = mask
        journal.checksumSum = unsafe JournalFormat.checksum(of: buffer, start: 0)
        return SQLITE_OK
    }

    private func readChecksum(
        _ journal: JournalLayout, _ buffer: UnsafeMutableRawPointer, at place: Int64
    ) -> Int32 {
        let page = place - Int64(SealedFormat.pageLength)
        let record = page - Int64(JournalFormat.numberLength)
        if journal.pagePlace != page {
            let code = unsafe readJournalPage(journal, sealer.pointee.scratch, at: page)
            if code != SQLITE_OK { return code }
        }
        guard let segment = journal.segment(of: record) else { return SQLITE_IOERR_READ_CODE }
        let headerCode = loadHeader(journal, at: segment)
        if headerCode != SQLITE_OK { return headerCode }
        var masked: UInt32 = 0
        let code = unsafe readRecordPart(journal, &masked, 4, at: place, record: record)
        if code != SQLITE_OK { return code }
        let sum = UInt32(bigEndian: masked) ^ journal.checksumMask
        let start = unsafe journal.header.load(fromByteOffset: JournalFormat.checksumStartPlace, as: UInt32.self)
        guard sum == UInt32(bigEndian: start) &+ journal.checksumSum else {
            return fails(.journal(.record(place: record)), SQLITE_IOERR_DATA_CODE)
        }
        unsafe buffer.storeBytes(of: sum.bigEndian, as: UInt32.self)
        return SQLITE_OK
    }
}
