import CommandKit
import CryptoPrimitives
import PortableBundle
import SystemIO

extension CommandError {
    /// What is wrong with a `.sxb`, each cause with its own next step.
    static func sxbError(_ failure: SXBError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot open \(quoted: path): "
        switch failure {
        case .file(let failure): return CommandError.output(failure).message
        case .notRegular:
            return error(
                .usage, "pipe",
                cannot + "it is not a regular file, and the end of a bundle is looked at before the rest",
                ["write it to a file first"])
        case .notSXB:
            return error(
                .unreadable, "not-a-bundle", cannot + "it is no bundle of sxkey",
                ["a .sxb begins with the letters SXB2; \"sxkey bundle info\" knows the exports of the apps as well"])
        case .newerVersion(let found, let known):
            return error(
                .newerVersion, nil,
                cannot + "it has version \(found) of the format, and this sxkey knows versions up to \(known)",
                ["a newer sxkey may open it; nothing was changed"])
        case .truncated(let expected, let found):
            let all = expected.map { " of \($0)" } ?? ""
            return error(
                .unreadable, "truncated", cannot + "it is cut off: \(found)\(trusted: all) bytes are here",
                [copyAgain, "an upload or a FAT32 disk may have stopped in the middle"])
        case .trailingData(let expected, let found):
            return error(
                .unreadable, "trailing-data",
                cannot + "it has \(found) bytes, and the bundle ends after \(expected)",
                [
                    "something was appended; \"head -c \(expected) FILE > NEW\" takes it off, and \"sxkey bundle verify\" proves the rest"
                ])
        case .trailerDamaged:
            return error(.unreadable, "damaged", cannot + "its last 16 bytes are damaged", [copyAgain])
        case .headerDamaged:
            return error(.unreadable, "header-damaged", cannot + "its header is damaged", [copyAgain])
        case .headerMalformed(let fault):
            return error(
                .unreadable, "header-malformed",
                cannot + "its header is not as the format says: \(trusted: fault.reason)",
                ["no sxkey writes such a header; nothing was derived or decrypted"])
        case .headerChanged:
            return error(
                .unreadable, "header-changed",
                cannot + "the secret is right, but the header was changed by something else than sxkey", [copyAgain])
        case .cost(let recipient, _):
            return error(
                .unreadable, "recipient-cost",
                cannot + "passphrase \(recipient + 1) asks for more or less work than any sxkey does",
                ["the file is damaged, or made to waste your time; nothing was derived"])
        case .totalCost(let maximum, let found):
            return error(
                .unreadable, "recipient-cost",
                cannot
                    + "its passphrases together ask for \(size: Int(clamping: found) << 10) of work; sxkey does at most \(size: Int(clamping: maximum) << 10)",
                ["the file is damaged, or made to waste your time; nothing was derived"])
        case .wrongPassphrase:
            return error(
                .wrongSecret, "wrong-passphrase", cannot + "wrong passphrase",
                [
                    "the file is whole: its checksum and its end are right",
                    "passphrases are not trimmed; capitals and spaces count",
                ])
        case .noMatchingRecipient:
            return bundleFailure(.needsIdentity(path))
        case .wrongSecretKind(let needed):
            return wrongKind(needed, cannot)
        case .passphraseText(let problem):
            return error(.usage, "passphrase-text", cannot + "the passphrase \(trusted: problem.reason)")
        case .passphraseDerivation(let failure): return CommandError.argon2(failure, cannot)
        case .keyLength(let expected, let found):
            return error(.usage, "bad-key", cannot + "a key has \(found) bytes, not \(expected)")
        case .unusablePublicKey(let index):
            return error(
                .usage, "weak-key",
                "nothing can be encrypted for recipient \(index + 1): no secret can be shared with its key")
        case .recipients(let fault): return recipients(fault)
        case .payloadLength, .payloadForeign, .chunkDamaged, .compression, .archive, .signature:
            return payload(failure, path)
        case .notProven:
            return error(
                .failure, "proof-failed", "what is read back from \(quoted: path) is not what was written",
                ["nothing was left behind; the disk may be failing"])
        case .memory: return error(.failure, "no-memory", cannot + "no locked memory")
        case .thread: return error(.failure, nil, cannot + "no further thread could be started")
        case .library(let name): return error(.failure, nil, cannot + "\(name) failed")
        case .signing: return error(.failure, nil, cannot + "the signature could not be made")
        }
    }

    private static let copyAgain: TerminalText = "copy it again from where it came from, and compare the sizes"

    private static func wrongKind(_ needed: SXBKind, _ cannot: TerminalText) -> ErrorMessage {
        switch needed {
        case .passphrase:
            error(
                .wrongSecret, "needs-passphrase", cannot + "it opens with a passphrase",
                ["give it with --passphrase-file FILE, or run it in a terminal to be asked"])
        case .publicKey:
            error(
                .wrongSecret, "needs-identity", cannot + "it was made for keys, so a passphrase does not open it",
                ["the keyring with the identity that it was made for opens it: --keyring FILE"])
        }
    }

    private static func recipients(_ fault: SXBRecipientFault) -> ErrorMessage {
        switch fault {
        case .none:
            error(.usage, "no-recipient", "a bundle needs a passphrase or a recipient", ["nothing would open it"])
        case .tooMany(let limit, let found):
            error(.usage, "too-many-recipients", "\(found) are more than \(limit), the most that a bundle can have")
        case .mixed, .otherKind:
            error(
                .usage, "recipient-kind", "a bundle for passphrases cannot become one for keys, nor the reverse",
                ["what a bundle is trusted for depends on it: \"sxkey bundle convert\" makes a new one"])
        case .headerLength(let limit, let found):
            error(
                .usage, "too-many-recipients",
                "so many recipients need a header of \(found) bytes; it has at most \(limit)")
        case .notThere(let number):
            error(
                .usage, "no-such-recipient", "there is no recipient \(number + 1) in the bundle",
                ["\"sxkey bundle info\" lists them"])
        case .repeated(let number):
            error(.usage, "repeated-recipient", "recipient \(number + 1) is named twice")
        }
    }

    /// The secret was right.
    private static func payload(_ failure: SXBError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read \(quoted: path): the secret is right, but "
        let notOurs: TerminalText =
            "it is authentic, so another program that knew the secret made it; no sxkey writes such a bundle"
        switch failure {
        case .payloadLength(let length):
            return error(.unreadable, "damaged", cannot + "no content has a length of \(length) bytes", [copyAgain])
        case .payloadForeign:
            return error(
                .unreadable, "damaged", cannot + "the content does not belong to this header", [copyAgain])
        case .chunkDamaged(let index, let offset):
            return error(
                .unreadable, "chunk-damaged", cannot + "chunk \(index), at byte \(offset), is damaged", [copyAgain])
        case .compression(let fault):
            return error(
                .unreadable, "bad-compression",
                cannot + "the content is not compressed as it must be: \(trusted: fault.reason)",
                [notOurs])
        case .archive(let fault):
            return error(.unreadable, "bad-archive", cannot + "\(fault.reason)", [notOurs])
        case .signature(.malformed), .signature(.notAuthentic):
            return error(
                .finding, "bad-signature", cannot + "the signature inside is not one of this content", [notOurs])
        default: return error(.unreadable, "damaged", cannot + "it is damaged", [copyAgain])
        }
    }
}

extension SXBHeaderFault {
    fileprivate var reason: String {
        switch self {
        case .text(let offset): "it is another spelling of JSON at byte \(offset)"
        case .repeatedKey(let offset): "a key stands twice, at byte \(offset)"
        case .key(let name): "its key \(name) is missing, unknown, or has a wrong value"
        case .noRecipients: "it has no recipients"
        case .tooManyRecipients(let limit, let found): "it has \(found) recipients, more than \(limit)"
        case .mixedRecipients: "it has both passphrases and keys"
        }
    }
}

extension SXBCompressionFault {
    fileprivate var reason: String {
        switch self {
        case .notAFrame: "something that is no frame"
        case .window: "a window of more than 8 MiB"
        case .dictionary: "a dictionary is wanted"
        case .emptyFrame: "a frame without content"
        case .checksum: "a checksum does not fit"
        case .unfinished: "it ends in the middle"
        case .malformed: "libzstd does not understand it"
        }
    }
}

extension SXBArchiveFault {
    /// After "the secret is right, but".
    fileprivate var reason: TerminalText {
        switch self {
        case .manifestNotFirst: "the archive inside does not begin with manifest.json"
        case .manifestTooLarge(let limit, let found): "its manifest has \(size: found), more than \(size: limit)"
        case .tooManyEntries(let limit, let found): "it has \(count: found) entries, more than \(count: limit)"
        case .tooLarge(let limit, let found):
            "it would unpack to \(size: Int(clamping: found)), more than \(size: limit): a decompression bomb"
        case .name(let name): "an entry is called \(quoted: name), which leads elsewhere or cannot be"
        case .collision(let first, let second):
            "two entries have names that some systems take for one: \(quoted: first) and \(quoted: second)"
        case .notRegular(_, let name): "the entry \(quoted: name) is a link, a folder or a device"
        case .undeclared(let name): "the entry \(quoted: name) is not in its manifest"
        case .misplaced(let name): "the entry \(quoted: name) stands at another place than its manifest says"
        case .missing(let name): "the entry \(quoted: name) of its manifest is not there"
        case .size(let name, let declared, let found):
            "the entry \(quoted: name) has \(found) bytes, and its manifest says \(declared)"
        case .malformed(let offset): "the archive inside is malformed at byte \(offset)"
        case .trailingData: "something stands behind the end of the archive inside"
        case .truncated: "the archive inside has no end"
        case .written(let declared, let found): "an entry of \(declared) bytes was given \(found)"
        }
    }
}
