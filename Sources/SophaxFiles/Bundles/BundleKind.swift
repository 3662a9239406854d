/// The four kinds of export that the apps write. Format: SophaxChat 3.1.
package enum BundleKind: String, CaseIterable, Hashable, Sendable {
    /// `.sophaxid`, magic `SXID`: the two private keys and the user name.
    case identity
    /// `.sophaxbackup`, magic `SXBK`: messages and contacts.
    case backup
    /// `.sxfe`, magic `SXFE`: identity and backup in one file.
    case fullExport = "full-export"
    /// The Android backup: messages, in a file without magic or version.
    case android

    /// The first four bytes of the file, nil where the kind has none.
    package var magic: [UInt8]? {
        switch self {
        case .identity: Array("SXID".utf8)
        case .backup: Array("SXBK".utf8)
        case .fullExport: Array("SXFE".utf8)
        case .android: nil
        }
    }

    /// The one name that lets a file without magic be taken for an Android backup.
    package static let androidFileName = "sophaxchat-backup.bin"

    /// The kind whose magic `bytes` begins with.
    package init?(magicOf bytes: Span<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        let found = [bytes[0], bytes[1], bytes[2], bytes[3]]
        guard let kind = Self.allCases.first(where: { $0.magic == found }) else { return nil }
        self = kind
    }

    /// The fewest PBKDF2 iterations that the app accepts on reading, nil where the file has no such field.
    ///
    /// SXID's own comment says 100,000; the code says 600,000. Format: SophaxChat 3.2.2, 3.4.
    package var iterationFloor: UInt32? {
        switch self {
        case .identity: 600_000
        case .fullExport: 100_000
        case .backup, .android: nil
        }
    }
}
