import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

/// The keyring as a file.
enum KeyringNoun: SealedNoun {
    static let kind = SealedFileKind.keyring

    static func make(at path: FilePath, slots: [NewSlot]) throws(CommandError) {
        try telling(path) { () throws(KeyringError) in _ = try Keyring.make(at: path, slots: slots) }
    }

    static func rekey(
        _ opened: OpenedSealedFile<Self>, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(CommandError) -> SealedCount {
        items(
            try telling(opened.path) { () throws(KeyringError) in
                try Keyring.rekey(opened.file, secrets: secrets, dropping: dropping)
            })
    }

    static func backup(
        _ opened: OpenedSealedFile<Self>, to path: FilePath, slots: [NewSlot]
    ) throws(CommandError) -> SealedCount {
        items(
            try telling(opened.path) { () throws(KeyringError) in
                try Keyring.backup(opened.file, to: path, slots: slots)
            })
    }

    private static func items(_ count: Int) -> SealedCount {
        SealedCount(key: "items", value: count, title: "private item")
    }

    /// An error of the file is told as one, so that the commands for all sealed files know it.
    private static func telling<R>(
        _ path: FilePath, _ body: () throws(KeyringError) -> R
    ) throws(CommandError) -> R {
        do throws(KeyringError) {
            return try body()
        } catch {
            switch error {
            case .sealed(let failure): throw .sealed(failure, kind, path)
            case .database(let failure): throw .sealed(.database(failure), kind, path)
            default: throw .keyring(error, path)
            }
        }
    }

    static let afterInit: TerminalText = "\"sxkey identity import FILE\", or \"sxkey identity new NAME\""
    static let rekeyDiscussion =
        " Private keys stay the same: a new master key does not help when an identity's own keys are known to somebody."
    static let notRekeyed: TerminalText? = "the private keys of the identities, which are the same"
}
