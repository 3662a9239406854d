import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

extension PreKeyBundleFile {
    /// Reads an operand that holds a bundle; `-` is standard input.
    static func forCommand(_ path: FilePath) throws(CommandError) -> PreKeyBundleFile {
        var input = try InputFile.forCommand(path)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try input.readAll(limit: PreKeyBundleFile.sizeCeiling)
        } catch {
            throw .file(error)
        }
        do throws(PreKeyFileError) {
            return try PreKeyBundleFile.read(bytes)
        } catch {
            throw .preKeyFile(error, path)
        }
    }
}

extension CommandError {
    static func preKeyFile(_ error: PreKeyFileError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read \(quoted: path): "
        let known: TerminalText =
            "a bundle is a JSON object; hello and initiateSession messages and the text of a device link hold one too"
        return switch error {
        case .tooLarge(let found, let ceiling):
            Self.error(
                .unreadable, "too-large", cannot + "\(size: found) are more than the \(size: ceiling) of any message")
        case .notJSON(let offset):
            Self.error(.unreadable, "not-json", cannot + "it is no JSON object, at byte \(offset)", [known])
        case .notRecognised:
            Self.error(.unreadable, "not-a-bundle", cannot + "it holds no bundle of prekeys", [known])
        case .otherMessage(let type):
            Self.error(
                .unreadable, "not-a-bundle", cannot + "a message of type \(quoted: type) brings no bundle of prekeys",
                [known])
        case .field(let field, let reason):
            Self.error(.unreadable, "bad-bundle", cannot + "\(quoted: field) \(trusted: reason.sentence)")
        case .outOfMemory: Self.error(.failure, nil, cannot + "there is no memory for it")
        }
    }

    static func preKey(_ error: PreKeyError) -> ErrorMessage {
        switch error {
        case .wrongLength(let part, let expected, let found):
            Self.error(
                .unreadable, "bad-prekey", "the \(trusted: part.rawValue) has \(found) bytes in place of \(expected)")
        case .idTooLarge(let part, let found):
            Self.error(.unreadable, "bad-prekey", "\(trusted: String(found)) is no id of a \(trusted: part.rawValue)")
        case .timestampNotFinite: Self.error(.failure, nil, "the time is no number")
        case .memory: Self.error(.failure, nil, "there is no locked memory for a prekey")
        case .libraryFailure: Self.error(.failure, nil, "a function of the crypto library failed")
        }
    }
}

extension PreKeyBundleFile.Source {
    /// What people call it, with its article.
    var title: String {
        switch self {
        case .bundle: "a bundle of prekeys"
        case .hello: "a hello message with a bundle of prekeys"
        case .initiateSession: "the message that begins a session, with the sender's bundle of prekeys"
        case .deviceLink: "a device link with a bundle of prekeys"
        }
    }
}

extension PreKeyBundle.Platform {
    var title: String { self == .ios ? "iOS" : "Android" }
    /// The word in JSON.
    var name: String { self == .ios ? "ios" : "android" }
}

extension PreKeySignatureForm {
    /// The word in JSON.
    var name: String { self == .keyOnly ? "v0" : "v2" }
}
