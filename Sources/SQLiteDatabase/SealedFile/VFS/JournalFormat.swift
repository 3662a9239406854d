/// Numbers of SQLite's rollback journal (sqlite.org/fileformat2.html, 3), and of what a sealed one has in its headers.
enum JournalFormat {
    static let headerLength = 512
    /// Magic, count, start of checksums, pages, sector size, page size.
    static let usedLength = 28
    static let noncePlace = 484
    static let tagPlace = 496

    static let magicLength = 8
    /// Magic and count, which are written again when the records are on the disk.
    static let commitLength = 12
    static let countPlace = 8
    static let checksumStartPlace = 12

    static let numberLength = 4
    static let recordLength: Int64 = 4 + 4096 + 4
    static let checksumPlace: Int64 = 4 + 4096

    /// "Until the end of the file", which is only written where nothing is synced.
    static let countlessCount: UInt32 = 0xffff_ffff

    /// SQLite's checksum of a page: its start and every 200th byte from the 200th last on (pager.c, `pager_cksum`).
    static func checksum(of page: UnsafeRawPointer, start: UInt32) -> UInt32 {
        var sum = start
        var place = SealedFormat.pageLength - 200
        while place > 0 {
            sum &+= UInt32(unsafe page.load(fromByteOffset: place, as: UInt8.self))
            place -= 200
        }
        return sum
    }

    /// SQLite's magic of a journal header.
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

    /// Whether 512 bytes have, or may have had before they were damaged, the header of a segment in them: some bytes of
    /// its magic, or its many zeros behind anything else than the zeros of one that was not synced.
    static func resemblesHeader(_ bytes: UnsafeRawPointer) -> Bool {
        if (0..<commitLength).allSatisfy({ unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == 0 }) {
            return false
        }
        let equal = (0..<magicLength).count {
            unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == magic[$0]
        }
        if equal >= 2 { return true }
        let unused = usedLength..<noncePlace
        let zeros = unused.count { unsafe bytes.load(fromByteOffset: $0, as: UInt8.self) == 0 }
        return zeros > unused.count / 2
    }
}
