import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

extension CommandError {
    static func capture(_ failure: CaptureError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot read messages from \(quoted: path): "
        return switch failure {
        case .file(let failure): CommandError.file(failure).message
        case .empty: error(.unreadable, "empty", cannot + "it is empty")
        case .foreign(let foreign):
            error(.unreadable, "not-messages", cannot + "\(trusted: foreign.sentence)", foreign.hints)
        case .format(let reason): error(.unreadable, "not-messages", cannot + "\(reason.sentence)", known)
        case .encrypted:
            error(
                .unreadable, "not-messages", cannot + "it is neither JSON nor frames of a connection",
                [
                    "if it is a queue of an app, it opens with the key of the store: --key-file, or --keychain, or the keyring"
                ] + known)
        case .notAuthentic:
            error(
                .wrongSecret, "wrong-key",
                cannot + "the key of the store does not open it: it is another's, or the file is damaged or no queue",
                ["the key is the keychain item storage.master of the app that wrote the queue"])
        case .cipher: error(.failure, nil, cannot + "the cipher of libcrypto failed")
        }
    }

    private static let known: [TerminalText] = [
        "known are a message as JSON, messages one a line, frames with a length of 4 bytes before each, and the apps' "
            + "pending_queue.enc and stored_forward_items.enc"
    ]
}

extension ForeignFile {
    /// What it is instead, behind "cannot read messages from …: ".
    var sentence: String {
        switch self {
        case .appExport: "it is an encrypted export of an app"
        case .portableBundle: "it is a bundle of sxkey"
        case .sealedDatabase: "it is a keyring or an archive of sxkey"
        case .preKeyBundle: "it is a bundle of prekeys, without a message around it"
        case .keychain: "it is a dump of a keychain, with private keys in it"
        case .sealedMessage: "it is a sealed message without the envelope around it"
        case .payload: "it is the payload of a message, without the envelope around it"
        case .btmessage: "it is of btmessage, which is another app, and signs nothing"
        case .conet: "it is sealed by lchat or CoNET, which are other systems, and sign nothing"
        case .otherJSON: "it is JSON, and no message"
        case .binary: "it is neither text, nor frames of a connection, nor an encrypted queue"
        }
    }

    var hints: [TerminalText] {
        switch self {
        case .appExport, .portableBundle: ["\"sxkey bundle info\" shows what it is"]
        case .sealedDatabase: ["\"sxkey keyring info\" and \"sxkey archive info\" show what it is"]
        case .preKeyBundle: ["\"sxkey prekey verify\" judges it"]
        case .keychain: ["--keychain takes the keys from it"]
        case .sealedMessage, .payload: ["the envelope has type, payload, senderID, timestamp and signature"]
        case .btmessage, .conet: ["\"sxkey wire inspect\" shows what it is, and \"sxkey wire open\" opens it"]
        case .otherJSON, .binary: []
        }
    }
}

extension CaptureProblem {
    /// Why a place of a file gives no message; lower case, no full stop.
    var sentence: String {
        switch self {
        case .format(let error): error.sentence
        case .lineTooLong(let limit): "the line is longer than the \(limit) bytes of any message"
        case .foreign(let foreign): foreign.sentence
        case .frame(.tooLong(_, _, let found, let limit)):
            "the length says \(found) bytes, more than the \(limit) of any frame; what follows cannot be read"
        case .frame(.empty): "the frame is empty"
        case .frame(.firstIsNoHello): "the first frame holds no hello"
        case .frame(.truncated(_, _, .some(let missing))): "it is cut off: \(missing) bytes are missing"
        case .frame(.truncated(_, _, nil)): "it is cut off within the length of the next frame"
        }
    }

    /// The word in JSON.
    var code: String {
        switch self {
        case .format(.notJSON): "not-json"
        case .format: "bad-message"
        case .lineTooLong, .frame(.tooLong): "too-long"
        case .foreign(let foreign): foreign.rawValue
        case .frame(.empty): "empty-frame"
        case .frame(.firstIsNoHello): "no-hello"
        case .frame(.truncated): "cut-off"
        }
    }
}
