import CryptoPrimitives

/// Encrypts and decrypts the pages of one open database and its journal: contexts, nonces and memory, all made once.
///
/// Like the connection it serves, it is used by one thread at a time.
@safe
struct PageSealer: ~Copyable {
    private let pages: AESGCM
    private let journal: AESGCM
    private let keystream: AESBlock
    private var nonces = NoncePool()
    /// What is authenticated with a page: kind and page number. Longer for headers of journals.
    private let data = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 16)
    /// One page on its way to the disk, or one of which only a part was asked for.
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: SealedFormat.pageLength, alignment: 64)

    enum Target {
        case database, journal
    }

    init(pages: consuming AESGCM, journal: consuming AESGCM, keystream: consuming AESBlock, kind: SealedFileKind) {
        self.pages = pages
        self.journal = journal
        self.keystream = keystream
        unsafe data.storeBytes(of: UInt32(kind.rawValue).bigEndian, as: UInt32.self)
    }

    deinit {
        unsafe data.deallocate()
        unsafe scratch.deallocate()
    }

    /// Encrypts the page at `page` into `scratch`. False when its reserved bytes are not zero.
    mutating func seal(_ page: UnsafeRawPointer, number: UInt32, for target: Target) -> Bool {
        guard unsafe Self.areZero(page + SealedFormat.textLength, count: SealedFormat.reservedLength) else {
            return false
        }
        let nonce = unsafe scratch + SealedFormat.noncePlace
        unsafe nonce.copyMemory(from: nonces.next(), byteCount: AEADSize.nonce)
        unsafe data.storeBytes(of: number.bigEndian, toByteOffset: 4, as: UInt32.self)
        unsafe (scratch + SealedFormat.zerosPlace).storeBytes(of: 0, as: UInt32.self)
        switch target {
        case .database:
            return unsafe pages.sealPage(
                page, count: SealedFormat.textLength, into: scratch, nonce: nonce,
                authenticating: data, dataCount: 8, tag: scratch + SealedFormat.tagPlace)
        case .journal:
            return unsafe journal.sealPage(
                page, count: SealedFormat.textLength, into: scratch, nonce: nonce,
                authenticating: data, dataCount: 8, tag: scratch + SealedFormat.tagPlace)
        }
    }

    /// Decrypts the page at `page` where it is and shows zeros in its reserved bytes. False, and no plaintext there, when
    /// it is not the page that was written under this number.
    mutating func open(_ page: UnsafeMutableRawPointer, number: UInt32, of target: Target) -> Bool {
        unsafe data.storeBytes(of: number.bigEndian, toByteOffset: 4, as: UInt32.self)
        let nonce = unsafe page + SealedFormat.noncePlace
        let tag = unsafe page + SealedFormat.tagPlace
        let isAuthentic =
            switch target {
            case .database:
                unsafe pages.openPage(
                    page, count: SealedFormat.textLength, into: page, nonce: nonce,
                    authenticating: data, dataCount: 8, tag: tag)
            case .journal:
                unsafe journal.openPage(
                    page, count: SealedFormat.textLength, into: page, nonce: nonce,
                    authenticating: data, dataCount: 8, tag: tag)
            }
        let isWhole = unsafe (page + SealedFormat.zerosPlace).loadUnaligned(as: UInt32.self) == 0
        if isAuthentic, !isWhole {
            unsafe page.initializeMemory(as: UInt8.self, repeating: 0, count: SealedFormat.textLength)
        }
        unsafe (page + SealedFormat.textLength)
            .initializeMemory(as: UInt8.self, repeating: 0, count: SealedFormat.reservedLength)
        return isAuthentic && isWhole
    }

    /// What is XORed with the checksum after the journal's page that has `nonce`.
    func checksumMask(nonce: UnsafeRawPointer) -> UInt32? {
        // 254 blocks of text have the counters 2 to 255.
        unsafe keystream.keystream(nonce: nonce, counter: 256)
    }

    /// Puts nonce and tag behind the first 484 bytes of the journal header at `header`, which will stand at `place`.
    mutating func sealJournalHeader(_ header: UnsafeMutableRawPointer, place: Int64) -> Bool {
        unsafe (header + JournalFormat.noncePlace).copyMemory(from: nonces.next(), byteCount: AEADSize.nonce)
        let count = unsafe prepareData(header, place: place)
        return unsafe journal.sealPage(
            header, count: 0, into: header, nonce: header + JournalFormat.noncePlace,
            authenticating: data, dataCount: count, tag: header + JournalFormat.tagPlace)
    }

    /// Whether the journal header at `header` was written there, as it is.
    mutating func isJournalHeader(_ header: UnsafeMutableRawPointer, place: Int64) -> Bool {
        let count = unsafe prepareData(header, place: place)
        return unsafe journal.openPage(
            header, count: 0, into: header, nonce: header + JournalFormat.noncePlace,
            authenticating: data, dataCount: count, tag: header + JournalFormat.tagPlace)
    }

    private mutating func prepareData(_ header: UnsafeRawPointer, place: Int64) -> Int {
        unsafe data.storeBytes(of: place.bigEndian, toByteOffset: 4, as: Int64.self)
        unsafe (data + 12).copyMemory(from: header, byteCount: JournalFormat.noncePlace)
        return 12 + JournalFormat.noncePlace
    }

    private static func areZero(_ start: UnsafeRawPointer, count: Int) -> Bool {
        var place = 0
        while place < count {
            if unsafe (start + place).loadUnaligned(as: UInt64.self) != 0 { return false }
            place += 8
        }
        return true
    }
}
