import CommandKit
import SystemIO

/// Why no session is looked at.
package enum SessionFailure: Error {
    /// Nobody of this name or id has a session; `known` are those who have. A folder may be called so.
    case noSession([UInt8], known: [TerminalText], isFolder: Bool = false)
    case severalSessions([UInt8], [TerminalText])
    /// A file that is no session in either form; a dump of a keychain may have some in it.
    case notASession(FilePath, isKeychain: Bool)
}

extension CommandError {
    static func session(_ failure: SessionFailure) -> ErrorMessage {
        switch failure {
        case .noSession(let word, let known, let isFolder):
            let people = known.prefix(10).joined(", ")
            let file: TerminalText = isFolder ? "what is called so here is a folder" : "no file of that name"
            return Self.error(
                .notFound, "no-session", "there is no session with \(quoted: word), and " + file,
                [known.isEmpty ? "there are no sessions at all" : "there is one with \(people)"])
        case .severalSessions(let word, let people):
            return Self.error(
                .usage, "ambiguous", "\(quoted: word) means sessions with \(people.count) people",
                ["one of \(people.prefix(10).joined(", "))"])
        case .notASession(let path, let isKeychain):
            let what: TerminalText =
                isKeychain
                ? "it is a dump of a keychain" : "neither the JSON of a state nor an HMAC with one behind it"
            let hint: TerminalText =
                isKeychain
                ? "--keychain \(quoted: path) takes the sessions in it"
                : "a session is the value of a keychain item session.…; --keychain FILE takes a whole dump"
            return Self.error(.unreadable, "not-a-session", "\(quoted: path) is no session: " + what, [hint])
        }
    }
}
