/// The header of one entry as this format has it: the bytes that a name, a size and a time give, and no others
/// (POSIX.1-2017, pax: ustar with extended headers where they are needed).
enum TarHeader {
    static let blockLength = 512
    /// Two blocks of zeros.
    static let endLength = 2 * blockLength
    /// The text of a pax header; a name of 1024 bytes needs little more than that.
    static let paxCeiling = 4096

    static let regular = UInt8(ascii: "0")
    static let extended = UInt8(ascii: "x")
    static let paxName = Array("././@PaxHeader".utf8)

    private static let nameLength = 100
    /// The first number that 11 octal digits do not hold.
    private static let octalCeiling = 1 << 33

    private enum Place {
        static let mode = 100
        static let owner = 108
        static let group = 116
        static let size = 124
        static let modified = 136
        static let sum = 148
        static let type = 156
        static let magic = 257
        static let major = 329
        static let minor = 337
    }

    /// Zeros that bring `size` bytes to whole blocks.
    static func padding(_ size: Int) -> Int { (blockLength - size % blockLength) % blockLength }

    /// All blocks before the bytes of an entry.
    static func bytes(_ entry: SXBEntry) -> [UInt8] {
        let records = paxRecords(entry)
        var bytes: [UInt8] = []
        if !records.isEmpty {
            bytes += block(name: paxName, size: records.count, modified: 0, type: extended)
            bytes += records
            bytes += [UInt8](repeating: 0, count: padding(records.count))
        }
        let name = needsPax(entry.name) ? plainName(entry.name) : entry.name
        let size = entry.size < octalCeiling ? entry.size : 0
        let modified = (0..<Int64(octalCeiling)).contains(entry.modified) ? Int(entry.modified) : 0
        return bytes + block(name: name, size: size, modified: modified, type: regular)
    }

    /// What does not fit into a ustar header; empty when all fits.
    static func paxRecords(_ entry: SXBEntry) -> [UInt8] {
        var records: [UInt8] = []
        if !(0..<Int64(octalCeiling)).contains(entry.modified) {
            records += record("mtime", Array(String(entry.modified).utf8))
        }
        if needsPax(entry.name) { records += record("path", entry.name) }
        if entry.size >= octalCeiling { records += record("size", Array(String(entry.size).utf8)) }
        return records
    }

    private static func needsPax(_ name: [UInt8]) -> Bool {
        name.count > nameLength || name.contains { $0 >= 0x80 }
    }

    private static func plainName(_ name: [UInt8]) -> [UInt8] {
        name.prefix(nameLength).map { $0 < 0x80 ? $0 : UInt8(ascii: "_") }
    }

    /// `length key=value\n`, where the length counts itself.
    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let rest = [UInt8(ascii: " ")] + Array(key.utf8) + [UInt8(ascii: "=")] + value + [UInt8(ascii: "\n")]
        var length = rest.count
        while String(length).utf8.count + rest.count != length { length = String(length).utf8.count + rest.count }
        return Array(String(length).utf8) + rest
    }

    private static func block(name: [UInt8], size: Int, modified: Int, type: UInt8) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockLength)
        block.replaceSubrange(0..<name.count, with: name)
        put(0o600, digits: 7, at: Place.mode, in: &block)
        put(0, digits: 7, at: Place.owner, in: &block)
        put(0, digits: 7, at: Place.group, in: &block)
        put(size, digits: 11, at: Place.size, in: &block)
        put(modified, digits: 11, at: Place.modified, in: &block)
        block[Place.type] = type
        block.replaceSubrange(Place.magic..<(Place.magic + 8), with: Array("ustar\u{0}00".utf8))
        put(0, digits: 7, at: Place.major, in: &block)
        put(0, digits: 7, at: Place.minor, in: &block)
        block.replaceSubrange(Place.sum..<(Place.sum + 8), with: [UInt8](repeating: UInt8(ascii: " "), count: 8))
        let sum = block.reduce(0) { $0 + Int($1) }
        put(sum, digits: 6, at: Place.sum, in: &block)
        block[Place.sum + 6] = 0
        return block
    }

    private static func put(_ number: Int, digits: Int, at place: Int, in block: inout [UInt8]) {
        for index in 0..<digits {
            block[place + index] =
                UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number >> (3 * (digits - 1 - index)) & 7)
        }
    }
}

// MARK: - Reading

extension TarHeader {
    /// What a block says, before it is compared with what it should be.
    struct Fields {
        let name: [UInt8]
        let size: Int
        let modified: Int64
        let type: UInt8
        /// The block is the end of the archive.
        let isZero: Bool

        /// Nil when a number is none.
        init?(_ block: [UInt8]) {
            isZero = block.allSatisfy { $0 == 0 }
            name = Array(block[..<TarHeader.nameLength].prefix { $0 != 0 })
            type = block[Place.type]
            guard !isZero else {
                size = 0
                modified = 0
                return
            }
            guard let size = Self.number(block[Place.size..<(Place.size + 11)]),
                let modified = Self.number(block[Place.modified..<(Place.modified + 11)])
            else { return nil }
            self.size = size
            self.modified = Int64(modified)
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
            var number = 0
            for digit in digits {
                guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
                number = number << 3 | Int(digit - UInt8(ascii: "0"))
            }
            return number
        }
    }

    /// The entry that a header and the text of the pax header before it describe; nil when they are not the very bytes that
    /// this format has for it.
    static func entry(_ header: [UInt8], pax: [UInt8]?) -> SXBEntry? {
        guard let fields = Fields(header), fields.type == regular else { return nil }
        var (name, size, modified) = (fields.name, fields.size, fields.modified)
        if let pax {
            guard let records = records(pax) else { return nil }
            for (key, value) in records {
                switch key {
                case "path": name = value
                case "size":
                    guard let number = Int(String(decoding: value, as: UTF8.self)) else { return nil }
                    size = number
                case "mtime":
                    guard let number = Int64(String(decoding: value, as: UTF8.self)) else { return nil }
                    modified = number
                default: return nil
                }
            }
        }
        guard size >= 0 else { return nil }
        let entry = SXBEntry(name, size: size, modified: modified)
        let expected = bytes(entry)
        guard expected.suffix(blockLength).elementsEqual(header), paxRecords(entry) == pax ?? [] else { return nil }
        return entry
    }

    private static func records(_ text: [UInt8]) -> [(key: String, value: [UInt8])]? {
        var records: [(key: String, value: [UInt8])] = []
        var rest = text[...]
        while !rest.isEmpty {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard digits.count <= 4, let length = Int(String(decoding: digits, as: UTF8.self)), length <= rest.count
            else { return nil }
            let record = rest.prefix(length)
            rest = rest.dropFirst(length)
            let pair = record.dropFirst(digits.count)
            guard pair.first == UInt8(ascii: " "), pair.last == UInt8(ascii: "\n"),
                let equals = pair.firstIndex(of: UInt8(ascii: "="))
            else { return nil }
            let key = String(decoding: pair[(pair.startIndex + 1)..<equals], as: UTF8.self)
            records.append((key, Array(pair[(equals + 1)...].dropLast())))
        }
        return records
    }

    /// Whether a block is just the header of a pax text of `size` bytes.
    static func isPaxHeader(_ header: [UInt8], size: Int) -> Bool {
        header == block(name: paxName, size: size, modified: 0, type: extended)
    }
}
