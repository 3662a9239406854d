import CommandKit
import Keyring
import SophaxCore
import SystemIO

/// Why numbers are not compared.
package enum SafetyFailure: Error {
    case typed(TypedSafetyNumber.Problem)
    /// A QR code in a picture that is no number.
    case scanned(FilePath, TypedSafetyNumber.Problem)
    /// The QR code is a contact card or another text of the app; the words say whose.
    case notANumber(FilePath, String)
    case different(SafetyVerdict)
}

extension CommandError {
    static func safety(_ failure: SafetyFailure) -> ErrorMessage {
        switch failure {
        case .typed(let problem):
            return error(.usage, "not-a-number", "this is no safety number: \(problem.sentence)", [Self.numbers])
        case .scanned(let path, let problem):
            return error(
                .unreadable, "not-a-number", "the QR code in \(quoted: path) is no safety number: \(problem.sentence)",
                [Self.numbers])
        case .notANumber(let path, let what):
            return error(
                .unreadable, "not-a-number",
                "the QR code in \(quoted: path) is no safety number: it is \(trusted: what)",
                ["\"sxkey contact add\" reads cards; the safety number has a QR code of its own"])
        case .different(let verdict):
            return error(
                .finding, verdict.outcome, "not marked: \(verdict.sentence)", verdict.advice.map { [$0] } ?? [])
        }
    }

    private static let numbers: TerminalText =
        "an iPhone shows 30 digits, an Android phone 60; spaces, dashes and line breaks do not matter"
}

extension TypedSafetyNumber.Problem {
    /// Why, in plain words; lower case, no full stop.
    var sentence: TerminalText {
        switch self {
        case .empty: "there are no digits in it"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .notUTF8: "it is not UTF-8"
        case .foreign(let scalar): "it has \(quoted: String(scalar)) in it"
        case .peerID(let id): "\(id.bytes) is a peer id or fingerprint"
        }
    }
}
