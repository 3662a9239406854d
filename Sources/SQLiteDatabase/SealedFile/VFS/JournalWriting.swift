import CSQLite3

// Writing a rollback journal: headers authenticated, pages and checksums encrypted, page numbers as they are.

extension SealedFile {
    func writeJournal(
        _ journal: JournalLayout, _ buffer: UnsafeRawPointer, _ count: Int32, at place: Int64
    ) -> Int32 {
        switch count {
        case Int32(JournalFormat.headerLength) where place % Int64(SealedFormat.sectorLength) == 0:
            return unsafe writeJournalHeader(journal, buffer, at: place)
        case Int32(JournalFormat.commitLength) where journal.isSegment(place):
            return unsafe commitJournalHeader(journal, buffer, at: place)
        case Int32(JournalFormat.usedLength) where place == 0:
            // Zeros over a journal that is done with, where SQLite does not remove it.
            journal.restart()
            return unsafe writeBase(buffer, count, at: place)
        case 1 where !journal.isSegment(place):
            // A zero over what looks like a header behind the end of the journal.
            return unsafe writeBase(buffer, count, at: place)
        default: break
        }
        switch journal.piece(at: place, count: count) {
        case .number:
            journal.number = unsafe UInt32(bigEndian: buffer.loadUnaligned(as: UInt32.self))
            journal.numberPlace = place
            return unsafe writeBase(buffer, count, at: place)
        case .page: return unsafe writeJournalPage(journal, buffer, at: place)
        case .checksum: return unsafe writeJournalChecksum(journal, buffer, at: place)
        case .header, .other: return fails(.refused(.size), SQLITE_IOERR_WRITE_CODE)
        }
    }

    private func writeJournalHeader(
        _ journal: JournalLayout, _ buffer: UnsafeRawPointer, at place: Int64
    ) -> Int32 {
        if place == 0 {
            // What a killed process left must never be taken for a later segment of this journal.
            let code = unsafe base.pointee.pMethods.pointee.xTruncate(base, 0)
            if code != SQLITE_OK { return code }
            journal.restart()
        }
        journal.isWriter = true
        unsafe journal.header.copyMemory(from: buffer, byteCount: JournalFormat.headerLength)
        return sealAndWrite(journal, at: place)
    }

    /// Magic and count, when the records are on the disk.
    private func commitJournalHeader(
        _ journal: JournalLayout, _ buffer: UnsafeRawPointer, at place: Int64
    ) -> Int32 {
        let code = loadHeader(journal, at: place)
        if code != SQLITE_OK { return code }
        unsafe journal.header.copyMemory(from: buffer, byteCount: JournalFormat.commitLength)
        return sealAndWrite(journal, at: place)
    }

    private func sealAndWrite(_ journal: JournalLayout, at place: Int64) -> Int32 {
        let header = unsafe journal.header
        journal.headerPlace = -1
        let count = unsafe header.load(fromByteOffset: JournalFormat.countPlace, as: UInt32.self)
        guard UInt32(bigEndian: count) != JournalFormat.countlessCount else {
            return fails(.refused(.unsyncedJournal), SQLITE_IOERR_WRITE_CODE)
        }
        guard unsafe sealer.pointee.sealJournalHeader(header, place: place) else { return SQLITE_NOMEM }
        let code = unsafe writeBase(header, Int32(JournalFormat.headerLength), at: place)
        if code == SQLITE_OK {
            journal.add(place)
            journal.headerPlace = place
        }
        return code
    }

    private func writeJournalPage(
        _ journal: JournalLayout, _ buffer: UnsafeRawPointer, at place: Int64
    ) -> Int32 {
        guard journal.numberPlace == place - Int64(JournalFormat.numberLength) else {
            return fails(.refused(.size), SQLITE_IOERR_WRITE_CODE)
        }
        journal.pagePlace = -1
        guard unsafe sealer.pointee.seal(buffer, number: journal.number, for: .journal) else {
            return fails(.refused(.reservedBytes), SQLITE_IOERR_WRITE_CODE)
        }
        let scratch = unsafe sealer.pointee.scratch
        guard let mask = unsafe sealer.pointee.checksumMask(nonce: scratch + SealedFormat.noncePlace) else {
            return SQLITE_NOMEM
        }
        let code = unsafe writeBase(scratch, Int32(SealedFormat.pageLength), at: place)
        if code == SQLITE_OK {
            journal.pagePlace = place
            journal.checksumMask = mask
            journal.checksumSum = unsafe JournalFormat.checksum(of: buffer, start: 0)
        }
        return code
    }

    private func writeJournalChecksum(
        _ journal: JournalLayout, _ buffer: UnsafeRawPointer, at place: Int64
    ) -> Int32 {
        guard journal.pagePlace == place - Int64(SealedFormat.pageLength) else {
            return fails(.refused(.size), SQLITE_IOERR_WRITE_CODE)
        }
        var masked = unsafe buffer.loadUnaligned(as: UInt32.self) ^ journal.checksumMask.bigEndian
        return unsafe writeBase(&masked, 4, at: place)
    }
}
