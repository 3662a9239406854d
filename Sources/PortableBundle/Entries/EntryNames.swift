import CryptoPrimitives
import SophaxFiles

/// Makes names of entries from ids that others chose: safe on every file system, none twice.
///
/// ASCII letters, digits, `-`, `_`, and `.` behind the first byte stay; every other byte becomes `%` and two hex digits. A
/// long one is replaced by its SHA-256. Names that differ only in case count as the same, and get `~2`, `~3`, … at their
/// end: a bundle may be unpacked where case does not count.
package struct EntryNames {
    /// Bytes of the middle part of a name; the rest fits into the 255 of a file name, and the whole into a ustar header.
    static let longest = 64

    private var taken: Set<[UInt8]> = []
    private var nextNumbers: [[UInt8]: Int] = [:]

    package init() {}

    /// The name for the entry of `part` whose id is `id`.
    package mutating func name(for id: ByteText, in part: BundlePart) -> String {
        guard let form = part.nameForm else { return part.documentName ?? part.rawValue }
        let stem = Self.stem(id.bytes)
        let key = Array(form.prefix.utf8) + stem.map(Self.folded)
        var name = stem
        var number = nextNumbers[key] ?? 1
        repeat {
            if number > 1 { name = stem + Array("~\(number)".utf8) }
            number += 1
        } while !taken.insert(Array(form.prefix.utf8) + name.map(Self.folded)).inserted
        nextNumbers[key] = number
        return form.prefix + String(decoding: name, as: UTF8.self) + form.suffix
    }

    private static func stem(_ id: [UInt8]) -> [UInt8] {
        guard !id.isEmpty else { return Array("%".utf8) }
        let digits = Array("0123456789ABCDEF".utf8)
        var stem: [UInt8] = []
        for (index, byte) in id.enumerated() {
            if isPlain(byte) || (byte == UInt8(ascii: ".") && index > 0) {
                stem.append(byte)
            } else {
                stem += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            if stem.count > longest {
                return Array("%".utf8) + Array(Hex.encode(SHA256.hash(id.span).span).utf8.prefix(62))
            }
        }
        // Windows takes a dot off the end of a name.
        if stem.last == UInt8(ascii: ".") { stem.replaceSubrange(stem.count - 1..<stem.count, with: Array("%2E".utf8)) }
        return stem
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
