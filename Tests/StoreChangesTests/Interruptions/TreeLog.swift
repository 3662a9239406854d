/// What the recorder (Tests/CTreeRecorder) wrote: operations on all that is below one folder, and marks between them.
struct TreeLog {
    enum Kind: UInt64 {
        case create = 1, unnamed, folder, symlink, write, truncate, sync, syncFolder, syncAll, remove, rename, exchange,
            link, status, mark
    }

    struct Operation {
        let kind: Kind
        /// What is made or changed.
        let inode: UInt64
        /// The folder of the name, and of the second name.
        let folder: UInt64
        let other: UInt64
        /// Where a write begins, or the size that a truncation leaves.
        let place: Int
        /// What was written, a name, two names (or a name and what a link says) with a NUL between, or the text of a mark.
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var texts: [String] {
            bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    let operations: [Operation]

    init(_ bytes: [UInt8]) throws {
        func number(_ place: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) }
        }
        let head = 48
        var operations: [Operation] = []
        var place = 0
        while bytes.count - place >= head {
            let count = Int(number(place + 40))
            guard let kind = Kind(rawValue: number(place)), bytes.count - place - head >= count else { break }
            operations.append(
                Operation(
                    kind: kind, inode: number(place + 8), folder: number(place + 16), other: number(place + 24),
                    place: Int(number(place + 32)), bytes: Array(bytes[(place + head)..<(place + head + count)])))
            place += head + count
        }
        guard place == bytes.count else { throw Failure(text: "the log is broken") }
        self.operations = operations
    }
}

struct Failure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}
