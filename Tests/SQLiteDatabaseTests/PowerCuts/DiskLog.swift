/// What the recorder (Tests/CDiskRecorder) wrote: operations on the files of one folder, and marks between them.
struct DiskLog {
    enum Kind: UInt64 {
        case create = 1, unnamed, write, truncate, sync, syncFolder, unlink, rename, link, mark
    }

    struct Operation {
        let kind: Kind
        let inode: UInt64
        /// Where a write begins, or the size that a truncation leaves.
        let place: Int
        /// What was written, a name, two names with a NUL between them, or the text of a mark.
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    let operations: [Operation]

    init(_ bytes: [UInt8]) throws {
        func number(_ place: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
        }
        var operations: [Operation] = []
        var place = 0
        while bytes.count - place >= 32 {
            let count = Int(number(place + 24))
            guard let kind = Kind(rawValue: number(place)), bytes.count - place - 32 >= count else { break }
            operations.append(
                Operation(
                    kind: kind, inode: number(place + 8), place: Int(number(place + 16)),
                    bytes: Array(bytes[(place + 32)..<(place + 32 + count)])))
            place += 32 + count
        }
        guard place == bytes.count else { throw Broken() }
        self.operations = operations
    }

    struct Broken: Error {}
}
