import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SystemIO

/// Why a command does not get at a sealed file.
package enum SealedAccessError: Error {
    /// Neither the option, the variable, XDG_DATA_HOME nor HOME.
    case noPlace(SealedFileKind)
    case noFile(SealedFileKind, FilePath)
    case fileExists(SealedFileKind, FilePath)
    /// It opens with key files only, and none was given.
    case onlyKeyFiles(SealedFileKind, FilePath)
    /// Scalars of a new passphrase.
    case shortPassphrase(found: Int, minimum: Int)
}

extension CommandError {
    static func sealedAccess(_ error: SealedAccessError) -> ErrorMessage {
        switch error {
        case .noPlace(let kind):
            let name = TerminalText(trusted: kind.name)
            return Self.error(
                .usage, "no-\(kind.name)-place", "there is no place for the \(name): HOME is not set",
                ["name it with --\(name) FILE, or in the variable \(trusted: kind.variable)"])
        case .noFile(let kind, let path):
            let name = TerminalText(trusted: kind.name)
            return Self.error(
                .notFound, "no-\(kind.name)", "there is no \(name) at \(quoted: path)",
                [
                    "\"sxkey \(name) init\" makes one",
                    "--\(name) FILE and the variable \(trusted: kind.variable) name another",
                ])
        case .fileExists(let kind, let path):
            return Self.error(
                .wouldOverwrite, "\(kind.name)-exists", "there is a file at \(quoted: path) already",
                [
                    "\(trusted: kind.titleWithArticle) is never overwritten; \"sxkey \(trusted: kind.name) info\" shows what it is"
                ])
        case .onlyKeyFiles(let kind, let path):
            let name = TerminalText(trusted: kind.name)
            return Self.error(
                .usage, "needs-key-file", "the \(name) \(quoted: path) opens with a key file, not with a passphrase",
                ["give it with --\(name)-key-file FILE"])
        case .shortPassphrase(let found, let minimum):
            return Self.error(
                .usage, "short-passphrase",
                "the new passphrase has \(found) characters; at least \(minimum) are needed",
                ["four or more random words are easy to keep and hard to guess"])
        }
    }

    /// What is told of the file of a noun.
    static func sealed(_ error: SealedError, _ kind: SealedFileKind, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot use the \(trusted: kind.name) \(quoted: path): "
        let noun = TerminalText(trusted: "sxkey " + kind.name)
        let restore: TerminalText = "take a copy of it back into use; \"\(noun) backup\" makes such copies"
        switch error {
        case .file(let failure): return CommandError.file(failure).message
        case .notSealed:
            return Self.error(.unreadable, "not-sealed", cannot + "it is no sealed database of sxkey")
        case .truncated(let expected, let found):
            return Self.error(
                .unreadable, "truncated", cannot + "it is cut off: \(found) bytes, where at least \(expected) must be",
                [restore])
        case .headerDamaged:
            return Self.error(.unreadable, "damaged", cannot + "both copies of its header are damaged", [restore])
        case .headerTampered:
            return Self.error(
                .unreadable, "tampered",
                cannot + "the secret is right, but its header was changed by something else than sxkey", [restore])
        case .newerVersion(let found, let known):
            return Self.error(
                .newerVersion, nil,
                cannot + "it has version \(found) of the format, and this sxkey knows versions up to \(known)",
                ["a newer sxkey may open it; nothing was changed"])
        case .wrongKind(let expected, let found):
            return Self.error(
                .unreadable, "other-kind",
                cannot + "it is \(trusted: found.titleWithArticle), not \(trusted: expected.titleWithArticle)")
        case .slotCost(let slot, _):
            return Self.error(
                .unreadable, "slot-cost",
                cannot + "slot \(slot) asks for more work or memory than any sxkey does",
                ["the file is damaged, or made to waste your time; nothing was derived"])
        case .totalCost:
            return Self.error(
                .unreadable, "slot-cost", cannot + "its slots together would cost more work than is allowed",
                ["memory times passes over all slots is at most 16 GiB"])
        case .wrongSecret:
            return Self.error(
                .wrongSecret, "wrong-secret", cannot + "wrong passphrase or key file",
                [
                    "passphrases are not trimmed; capitals and spaces count",
                    "\"\(noun) info\" shows whether it opens with a passphrase, a key file, or either",
                ])
        case .keyFileLength(let expected, let found):
            return Self.error(
                .wrongSecret, "bad-key-file", cannot + "the key has \(found) bytes, not \(expected)")
        case .passphraseText(let problem):
            return Self.error(
                .usage, "passphrase-text", cannot + "the passphrase \(trusted: problem.reason)")
        case .noSuchSlot(let slot):
            return Self.error(
                .notFound, "no-slot", cannot + "there is no slot \(slot)", ["\"\(noun) info\" lists the slots"])
        case .wrongSecretForm(let slot):
            return Self.error(
                .usage, "secret-form", cannot + "slot \(slot) needs the other kind of secret",
                ["a slot opens with a passphrase or with a key file; \"\(noun) info\" says which"])
        case .slotOfLaterVersion(let slot):
            return Self.error(
                .newerVersion, "newer-slot", cannot + "slot \(slot) was made by a newer sxkey, which can change it")
        case .wrongSecretForSlot(let slot):
            return Self.error(
                .wrongSecret, "wrong-secret", cannot + "wrong passphrase or key file for slot \(slot)")
        case .slotsWithoutSecret(let slots):
            let names = slots.map(String.init).joined(separator: ", ")
            return Self.error(
                .usage, "slots-without-secret",
                cannot + "the new key cannot be put into slot \(trusted: names) without the secret of that slot",
                [
                    "--slot-passphrase-file N=FILE or --slot-key-file N=FILE gives it",
                    "--drop-slot N leaves a slot out: what opens it now opens nothing afterwards",
                ])
        case .noFreeSlot:
            return Self.error(
                .failure, "no-free-slot", cannot + "all 8 slots are in use", ["\"\(noun) slot remove\" frees one"]
            )
        case .noSlots:
            return Self.error(.usage, "no-slot", cannot + "\(trusted: kind.titleWithArticle) needs at least one secret")
        case .lastSlot:
            return Self.error(
                .usage, "last-slot", cannot + "the last slot cannot be removed: nothing would open it any more",
                ["add another slot first, or change its secret with \"\(noun) passwd\""])
        case .database(let error): return database(error, cannot)
        case .replaced:
            return Self.error(
                .failure, "replaced", cannot + "another file was put in its place meanwhile",
                ["run the command again"])
        case .proof(let lack):
            return Self.error(
                .failure, "proof-failed",
                cannot + "what was written is not what is read back (\(trusted: lack.reason)); nothing was changed")
        case .passphraseDerivation(let error):
            return argon2(error, cannot)
        case .keyDerivation, .cipher: return Self.error(.failure, nil, cannot + "the crypto library failed")
        case .memory(let error): return memory(error, cannot)
        }
    }

    static func argon2(_ error: Argon2Error, _ cannot: TerminalText) -> ErrorMessage {
        switch error {
        case .workingMemory(let requested):
            return Self.error(
                .failure, "no-memory",
                cannot + "no memory for the key derivation, which needs \(size: Int(requested) << 10)")
        case .passphraseLength(let maximum, _):
            return Self.error(.usage, "too-long", cannot + "the passphrase is longer than \(maximum) bytes")
        case .memory(let error): return memory(error, cannot)
        case .memoryKiB, .passes, .lanes, .work:
            return Self.error(.usage, "slot-cost", cannot + "the cost is outside of what is allowed")
        case .saltLength, .outputLength, .library:
            return Self.error(.failure, nil, cannot + "libargon2 failed")
        }
    }
}

extension UnicodeError {
    /// After "the passphrase".
    var reason: String {
        switch self {
        case .notUTF8: "is not UTF-8"
        case .tooLong: "is too long"
        case .tooManyMarks: "has too many marks on one letter"
        case .memory: "finds no locked memory"
        case .library: "cannot be brought to Unicode normal form"
        }
    }
}

extension SealedProof {
    fileprivate var reason: String {
        switch self {
        case .header: "the header"
        case .page(let number): "page \(number)"
        case .integrity: "the structure"
        case .content(let table): "the table \(String(decoding: table, as: UTF8.self))"
        case .schema: "the schema"
        }
    }
}
