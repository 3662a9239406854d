import CommandKit
import SQLiteDatabase
import SystemIO

/// A noun whose things are all in one sealed file, the keyring or the archive: what its commands that look after the file
/// call things, and what they do with the content.
protocol SealedNoun: Sendable {
    static var kind: SealedFileKind { get }

    /// Makes a file with empty tables, where nothing may be.
    static func make(at path: FilePath, slots: [NewSlot]) throws(CommandError)

    /// Encrypts everything anew; gives what the report counts.
    static func rekey(
        _ opened: OpenedSealedFile<Self>, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(CommandError) -> SealedCount

    /// Writes a copy under a master key of its own; gives what the report counts.
    static func backup(
        _ opened: OpenedSealedFile<Self>, to path: FilePath, slots: [NewSlot]
    ) throws(CommandError) -> SealedCount

    /// The commands that usually come after `init`.
    static var afterInit: TerminalText { get }
    /// A sentence on what a new master key does not help against; empty when there is none.
    static var rekeyDiscussion: String { get }
    /// What `rekey` leaves as it is; nil when there is nothing.
    static var notRekeyed: TerminalText? { get }
}

/// How many things a file holds.
struct SealedCount {
    /// The member in JSON.
    let key: String
    let value: Int
    /// One of them, for people.
    let title: String

    var text: TerminalText { "\(count: value, title)" }
}

extension SealedFileKind {
    /// The noun of the commands, and what people call the file.
    var name: String {
        switch self {
        case .keyring: "keyring"
        case .archive: "archive"
        }
    }

    var titleWithArticle: String {
        switch self {
        case .keyring: "a keyring"
        case .archive: "an archive"
        }
    }

    /// What stands before the options for its secret.
    var secretPrefix: PassphraseOption.Prefix {
        switch self {
        case .keyring: .keyring
        case .archive: .archive
        }
    }

    /// What stands before the options for a new secret.
    var newSecretPrefix: PassphraseOption.Prefix {
        switch self {
        case .keyring: .newKeyring
        case .archive: .newArchive
        }
    }
}
