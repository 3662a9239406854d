import CommandKit
import SystemIO

/// Why no session is looked at.
package enum SessionFailure: Error {
    /// Nobody of this name or id has a session; `known` are those who have.
    case noSession([UInt8], known: [TerminalText])
    case severalSessions([UInt8], [TerminalText])
    /// A file that is no session in either form.
    case notASession(FilePath)
}

extension CommandError {
    static func session(_ failure: SessionFailure) -> ErrorMessage {
        switch failure {
        case .noSession(let word, let known):
            let people = known.prefix(10).joined(", ")
            return Self.error(
                .notFound, "no-session", "there is no session with \(quoted: word), and no file of that name",
                [known.isEmpty ? "there are no sessions at all" : "there is one with \(people)"])
        case .severalSessions(let word, let people):
            return Self.error(
                .usage, "ambiguous", "\(quoted: word) means sessions with \(people.count) people",
                ["one of \(people.prefix(10).joined(", "))"])
        case .notASession(let path):
            return Self.error(
                .unreadable, "not-a-session",
                "\(quoted: path) is no session: neither JSON nor an HMAC with JSON behind it",
                ["a session is the value of a keychain item session.…; --keychain FILE takes a whole dump"])
        }
    }
}
