import CryptoPrimitives
import SystemIO

/// What stands beside a folder while it is changed, so that the next run knows what an interrupted one was doing.
///
/// Format: "The journal of a change" in sxkey-formats(5). Records are appended and synced one by one; one that is not whole
/// was never written.
struct ChangeJournal: Equatable, Sendable {
    /// How far a change has come; each is synced before what it says begins.
    enum State: String, Sendable {
        /// The new folder is being made.
        case building
        /// The new folder is whole, synced and proven; the names may have been exchanged.
        case ready
        /// The names are exchanged, on the disk too, and nothing came to the old folder meanwhile: it may go.
        case exchanged
        /// The new folder shall go again.
        case undoing
    }

    /// What a change is, in the first record.
    struct Beginning: Equatable, Sendable {
        let verb: ChangeVerb
        /// 16 hex digits in the names of the new folder and of its marker.
        let mark: String
        /// A folder stands under the name, and is exchanged; false for a new store.
        let exchanges: Bool
        let keeps: Bool
        /// `yyyy-MM-dd`, for the name of the kept folder.
        let date: String
    }

    let beginning: Beginning
    var state: State
    /// Bytes of the whole records.
    var length: Int

    /// Why a journal says nothing.
    enum Problem: Error, Equatable {
        /// Nothing, or no whole record: whoever made it got no further.
        case empty
        case newerVersion
    }

    static let sizeLimit = 4096
    private static let firstLine = "sxkey-change 1"
    private static let markLength = 16

    init(_ beginning: Beginning, _ state: State) {
        self.beginning = beginning
        self.state = state
        length = 0
    }

    /// Reads the bytes of a journal.
    init(_ bytes: [UInt8]) throws(Problem) {
        let name = Array("sxkey-change ".utf8)
        if bytes.starts(with: name), !bytes.starts(with: Array((Self.firstLine + "\n").utf8)),
            bytes.dropFirst(name.count).first.map({ (0x31...0x39).contains($0) }) == true,
            bytes.contains(UInt8(ascii: "\n"))
        {
            throw .newerVersion
        }
        var place = 0
        guard let first = Self.record(in: bytes, at: &place), let beginning = Self.beginning(first) else {
            throw .empty
        }
        self.beginning = beginning
        state = .building
        length = place
        while let next = Self.record(in: bytes, at: &place), next.count == 1, next[0].key == "state",
            let state = State(rawValue: next[0].value)
        {
            self.state = state
            length = place
        }
    }

    /// The first record.
    static func text(_ beginning: Beginning) -> [UInt8] {
        let lines = [
            firstLine, "state building", "verb \(beginning.verb.rawValue)", "mark \(beginning.mark)",
            "target \(beginning.exchanges ? "folder" : "none")", "keep \(beginning.keeps ? "yes" : "no")",
            "date \(beginning.date)",
        ]
        return closed(Array(lines.map { $0 + "\n" }.joined().utf8), after: [])
    }

    /// A further record, to be put behind `before`.
    static func text(_ state: State, after before: [UInt8]) -> [UInt8] {
        closed(Array("state \(state.rawValue)\n".utf8), after: before)
    }

    private static func closed(_ record: [UInt8], after before: [UInt8]) -> [UInt8] {
        record + Array("sum \(sum(before + record))\n".utf8)
    }

    private static func sum(_ bytes: [UInt8]) -> String {
        SHA256.hash(bytes.span).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private typealias Line = (key: String, value: String)

    /// The lines of the record at `place`, which moves behind it; nil when there is no whole one.
    private static func record(in bytes: [UInt8], at place: inout Int) -> [Line]? {
        var lines: [Line] = []
        var start = place
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<end]
            guard line.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let (key, value) = (String(parts[0]), String(parts[1]))
            if key == "sum" {
                guard value == sum(Array(bytes[..<start])) else { return nil }
                place = end + 1
                return lines
            }
            lines.append((key, value))
            start = end + 1
        }
        return nil
    }

    private static func beginning(_ lines: [Line]) -> Beginning? {
        let keys = ["sxkey-change", "state", "verb", "mark", "target", "keep", "date"]
        guard lines.map(\.key) == keys, lines[1].value == "building", let verb = ChangeVerb(rawValue: lines[2].value)
        else { return nil }
        let mark = lines[3].value
        guard mark.utf8.count == markLength, mark.utf8.allSatisfy(isHexDigit) else { return nil }
        guard ["folder", "none"].contains(lines[4].value), ["yes", "no"].contains(lines[5].value) else { return nil }
        let date = lines[6].value
        guard date.utf8.count == 10, date.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }) else {
            return nil
        }
        return Beginning(
            verb: verb, mark: mark, exchanges: lines[4].value == "folder", keeps: lines[5].value == "yes", date: date)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
