import CommandKit
import SophaxFiles
import SystemIO

/// Why keys of related apps were not taken, shown or written.
package enum RelatedProgramFailure: Error {
    /// Items of the keyring, or of a dump, that cannot be read.
    case items(RelatedKeyError)
    /// Nothing that could be written.
    case nothingToExport
    /// A file without a key that could be kept.
    case nothingToImport(FilePath)
    /// Two files of one run have different values for one item.
    case twoValues([UInt8], FilePath, FilePath)
    /// The keys that were given have no private key of lchat, or several.
    case privateKeys(Int)
    /// A file that has not one key of a thread.
    case threadKeys(Int)
    /// A key of a thread that was not wrapped.
    case wrapping(RelatedFailure)
    /// Test vectors that were not made.
    case vectors(RelatedFailure)
    case memory
}

extension CommandError {
    static func relatedKey(_ failure: RelatedKeyError, _ path: FilePath) -> ErrorMessage {
        error(
            failure == .memory || failure == .libraryFailure ? .failure : .unreadable, "not-a-related-key",
            "cannot take keys from \(quoted: path): \(trusted: failure.sentence)", failure.hints)
    }

    static func relatedFile(_ failure: RelatedFileError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read messages from \(quoted: path): "
        return switch failure {
        case .file(let failure): CommandError.file(failure).message
        case .format(let reason): error(.unreadable, "not-messages", cannot + "\(reason.sentence)")
        case .tooMany(let limit): error(.unreadable, "too-many", cannot + "it has more than \(limit) messages")
        case .keys:
            error(
                .unreadable, "not-messages",
                cannot + "it is a file with keys of a related app, with no messages in it",
                ["\"sxkey related show\" says which", "--related-key takes the keys from it"])
        case .historyFragment:
            error(
                .unreadable, "history-fragment",
                cannot + "\(trusted: RelatedFailure.historyFragment.sentence)",
                [
                    "the app itself can show this history; what it sends over a mailbox stream opens with the stream's key"
                ])
        }
    }

    /// A source of history of which nothing opens.
    static func relatedNotOpened(_ failure: RelatedFailure, _ path: FilePath) -> ErrorMessage {
        failure == .noMessages
            ? error(
                .unreadable, failure.code, "cannot read messages from \(quoted: path): \(trusted: failure.sentence)")
            : error(
                .wrongSecret, failure.code, "nothing in \(quoted: path) opens: \(trusted: failure.sentence)",
                failure.hints)
    }

    static func related(_ failure: RelatedProgramFailure) -> ErrorMessage {
        switch failure {
        case .items(let reason):
            error(
                .unreadable, "bad-items",
                "cannot take keys of related apps from the items: \(trusted: reason.sentence)")
        case .nothingToExport:
            error(
                .notFound, "no-keys", "this identity has no keys of related apps",
                ["\"sxkey related import\" takes them into the keyring"])
        case .nothingToImport(let path):
            error(
                .unreadable, "no-keys", "nothing in \(quoted: path) says what it is for",
                ["--as says what 32 bytes are for"])
        case .twoValues(let account, let first, let second):
            error(
                .finding, "two-values",
                "cannot take keys: \(quoted: first) and \(quoted: second) have different values for \(account)",
                ["nothing was taken; import one of them, and the other into another identity (--identity)"])
        case .privateKeys(let count):
            error(
                .unreadable, "no-keys",
                "the files have \(count) private keys of lchat in place of one",
                ["--related-key FILE names a file with one: PKCS#8, a JWK, or 32 bytes"])
        case .threadKeys(let count):
            error(
                .unreadable, "no-keys", "the file has \(count) keys of threads in place of one",
                ["\"sxkey related show\" says what a file of keys has, \"sxkey wire inspect\" what is wrapped in one"])
        case .wrapping(let reason):
            error(.failure, reason.code, "cannot wrap the key: \(trusted: reason.sentence)", reason.hints)
        case .vectors(let reason):
            error(.failure, reason.code, "cannot make test vectors: \(trusted: reason.sentence)", reason.hints)
        case .memory: error(.failure, "no-memory", "there is no locked memory for the keys")
        }
    }
}

extension RelatedKeyError {
    /// What is wrong with the file, behind "cannot take keys from …: "; lower case, no full stop.
    var sentence: String {
        switch self {
        case .empty: "it is empty"
        case .tooLarge(let limit): "it has more than \(limit) bytes"
        case .propertyList: "it is a property list, which is not read"
        case .unknownForm: "it is none of the known forms"
        case .noKeys: "nothing in it is a key of btmessage, lchat or CoNET"
        case .format(let error): error.sentence
        case .notAPeerID: "its peer id is no UUID of version 4 in capitals, as btmessage has them"
        case .keyLength(let kind, let expected, let found):
            "its \(kind.title) has \(found) bytes in place of \(expected)"
        case .hashDiffers: "the hash behind the seed is not that of its public key: the item is damaged"
        case .publicKeyDiffers: "the keys in it are not of one pair"
        case .notAPrivateKey: "the number in it is no private key of P-256"
        case .notPKCS8: "it is no private key in PKCS#8, or something follows it"
        case .otherCurve: "its key is of another curve than P-256"
        case .otherPEM: "it is PEM, and no \"PRIVATE KEY\" (PKCS#8)"
        case .encryptedPEM: "its private key is under a passphrase"
        case .tooMany(let limit): "there are more than \(limit) keys"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }

    var hints: [TerminalText] {
        switch self {
        case .propertyList: ["\"plutil -convert json FILE\" makes JSON of it"]
        case .unknownForm, .noKeys:
            [
                "known are keychain items and preferences of btmessage as JSON, a private key of P-256 as PKCS#8 (PEM or DER) or "
                    + "JWK, and a key of 32 bytes, raw, in hex or in base64"
            ]
        case .otherPEM, .encryptedPEM: ["\"openssl pkcs8 -topk8 -nocrypt\" writes it as PKCS#8 without a passphrase"]
        default: []
        }
    }
}

extension RelatedKeyKind {
    /// Inside a sentence.
    var title: String {
        switch self {
        case .xwing: "private key of X-Wing of btmessage"
        case .x25519: "private key of X25519 of btmessage"
        case .groupKey: "key of a group of btmessage"
        case .privateKey: "private key of lchat"
        case .threadKey: "key of a thread of lchat"
        case .streamKey: "key of a stream of CoNET"
        case .any: "key of 32 bytes"
        }
    }
}

extension RelatedFailure {
    /// The word in JSON.
    var code: String {
        switch self {
        case .noKey: "no-key"
        case .notAuthentic, .openPGP(.notDecrypted): "not-authentic"
        case .badPublicKey: "bad-public-key"
        case .keyLength, .boxLength, .format: "bad-content"
        case .openPGP(.notEncrypted): "not-encrypted"
        case .openPGP(.notInstalled), .openPGP(.cannotStart): "no-gpg"
        case .openPGP: "gpg-failed"
        case .historyFragment: "history-fragment"
        case .noMessages: "no-messages"
        case .tooManyAttempts: "too-many-attempts"
        case .memory, .libraryFailure: "failure"
        }
    }

    /// Why, behind "not opened: "; lower case, no full stop.
    var sentence: String {
        switch self {
        case .noKey(let kinds): "it needs a " + kinds.map(\.title).joined(separator: " or a ")
        case .notAuthentic: "no key at hand opens it: a wrong key, or it is damaged; the format does not tell which"
        case .badPublicKey: "its public key is none that a secret can be agreed with"
        case .keyLength(let found): "the key in it has \(found) bytes in place of 32"
        case .boxLength(let found): "it has \(found) bytes, and no sealed message has so many"
        case .format(let error): "it was opened, and is not what the format says: \(error.sentence)"
        case .openPGP(let error): error.sentence
        case .historyFragment:
            "a history fragment of CoNET has a key that is derived from a signature, and how is not public"
        case .noMessages: "there are keys, titles, acknowledgements or an invitation in it, and no messages"
        case .tooManyAttempts: "so many messages and keys would take too long: \(RelatedLimits.attempts) were tried"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }

    private static let giving: TerminalText =
        "--related-key FILE gives one; those of \"sxkey related import\" are found where --keyring-key-file or another of its options opens the keyring"

    var hints: [TerminalText] {
        switch self {
        case .noKey(let kinds):
            kinds.contains(.streamKey) && kinds.contains(.threadKey)
                ? [
                    Self.giving,
                    "a history fragment of CoNET does not open with any: how its key is derived is not public",
                ] : [Self.giving]
        case .openPGP(.notInstalled):
            ["install GnuPG, and import the private key there: gpg is what opens OpenPGP messages"]
        case .openPGP(.notDecrypted): ["\"gpg --list-secret-keys\" lists the keys that gpg has"]
        default: []
        }
    }
}

extension OpenPGPError {
    fileprivate var sentence: String {
        switch self {
        case .notInstalled: "it is an OpenPGP message, and gpg is not installed"
        case .cannotStart(let code): "gpg cannot be started (error \(code))"
        case .notDecrypted: "gpg has no private key for it, or it is damaged"
        case .notEncrypted: "it is an OpenPGP message in which nothing is encrypted: anybody can have written it"
        case .tooLarge(let limit): "it decrypts to more than \(limit) bytes"
        case .tookTooLong(let seconds): "gpg was not done in \(seconds) seconds"
        case .died(let signal): "gpg was ended by signal \(signal)"
        case .connection(let code): "talking to gpg failed (error \(code))"
        }
    }
}

extension RelatedProblem {
    /// What is wrong at a place of a file; lower case, no full stop.
    var sentence: String {
        switch self {
        case .format(let error): error.sentence
        case .notBase64: "it is not base64"
        case .unknownObject: "it is nothing of a related app"
        case .notAThreadKey: "it is no wrapped thread key: 125 bytes that begin with a point of P-256"
        case .boxLength(let found): "it has \(found) bytes, and no sealed message has so many"
        case .tooLong(let limit): "it is longer than the \(limit) bytes of any message"
        }
    }

    /// The word in JSON.
    var code: String {
        switch self {
        case .format(.notJSON): "not-json"
        case .format, .unknownObject: "bad-message"
        case .notBase64: "not-base64"
        case .notAThreadKey: "bad-thread-key"
        case .boxLength: "bad-length"
        case .tooLong: "too-long"
        }
    }
}
