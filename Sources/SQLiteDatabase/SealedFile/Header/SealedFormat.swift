import CryptoPrimitives

/// Numbers of the sealed database, version 1 (sxkey-formats(5), SEALED DATABASE).
enum SealedFormat {
    static let magic = Array("SXDB".utf8)
    static let version = 1

    /// Bytes before page 1: two copies of the header.
    static let headerLength = 8192
    static let copyLength = 4096
    static let copies = 2

    static let slotsPlace = 64
    static let slotLength = 256
    static let slots = 8
    static let codePlace = 4032
    static let digestPlace = 4064

    static let pageLength = 4096
    /// At the end of each page: nonce, tag, and zeros.
    static let reservedLength = 32
    static let textLength = pageLength - reservedLength
    static let noncePlace = textLength
    static let tagPlace = noncePlace + AEADSize.nonce
    static let zerosPlace = tagPlace + AEADSize.tag

    /// In page 1: counts the changes of the database (sqlite.org/fileformat2.html, 1.3.7).
    static let changeCountPlace = 24

    /// The page whose bytes SQLite locks when the file is that large (sqlite.org/fileformat2.html, 1.5).
    static let lockPage: UInt32 = 0x4000_0000 / 4096 + 1

    /// Bytes of a sector: what a journal header fills, and where one may begin.
    static let sectorLength = 512

    static let masterKeyLength = 32
    static let keyFileLength = 32
}

/// What a sealed database holds.
package enum SealedFileKind: UInt16, Sendable, CaseIterable {
    case keyring = 1
    case archive = 2
}

/// Big-endian numbers in byte arrays; a place outside of the array is a programmer's error.
extension Array<UInt8> {
    func number(at place: Int, bytes: Int) -> UInt64 {
        var value: UInt64 = 0
        for byte in self[place..<(place + bytes)] { value = value << 8 | UInt64(byte) }
        return value
    }

    mutating func setNumber(_ value: UInt64, at place: Int, bytes: Int) {
        for index in 0..<bytes {
            self[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (bytes - 1 - index)))
        }
    }
}
