import SystemIO

/// What is done to a store; the raw value is the verb of the command line and part of the kept folder's name.
package enum ChangeVerb: String, CaseIterable, Hashable, Sendable {
    case rekey
    case migrate
    case repair
    case merge
    case prune
    case restore

    /// The name that the folder as it was gets beside the changed one: `NAME.before-VERB-DATE`, with a number when that
    /// name is taken.
    ///
    /// - Parameter date: the day, as `yyyy-MM-dd`.
    package func keptName(of folder: FilePath, date: String, number: Int = 1) -> FilePath {
        folder.appendingSuffix(".before-\(rawValue)-\(date)" + (number > 1 ? "-\(number)" : ""))
    }

    /// Whether a name was made by `keptName`.
    package static func isKeptName(_ name: FilePath) -> Bool {
        allCases.contains { verb in
            let mark = Array(".before-\(verb.rawValue)-".utf8)
            let bytes = name.bytes
            guard bytes.count >= mark.count + dateLength else { return false }
            // The mark is followed by a date and perhaps a number, so it is near the end.
            return bytes.indices.reversed().contains { start in
                guard bytes[start...].starts(with: mark) else { return false }
                let rest = bytes[(start + mark.count)...]
                return rest.count >= dateLength
                    && rest.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
            }
        }
    }

    /// `yyyy-MM-dd`.
    private static let dateLength = 10
}
