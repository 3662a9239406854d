import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SystemIO

/// What is told of a database whoever it belongs to; `cannot` is the beginning of the sentence, such as
/// `cannot use the keyring "x": `.
extension CommandError {
    static func memory(_ error: SecretMemoryError, _ cannot: TerminalText) -> ErrorMessage {
        Self.error(.failure, "no-memory", cannot + "no locked memory for its keys")
    }

    static func database(_ error: DatabaseError, _ cannot: TerminalText) -> ErrorMessage {
        switch error {
        case .locked:
            return Self.error(
                .locked, nil, cannot + "another process is using it", ["wait until it has finished, and run this again"]
            )
        case .newerSchema(let found, let known):
            return Self.error(
                .newerVersion, "newer-schema",
                cannot + "a newer sxkey made it (schema \(found), this one knows \(known))",
                ["nothing was changed; use that sxkey"])
        case .notThisKind:
            return Self.error(.unreadable, "other-kind", cannot + "what is inside was not made by sxkey")
        case .damaged(let what):
            return Self.error(
                .unreadable, "damaged", cannot + "it is damaged: \(what)", ["take a backup of it back into use"])
        case .truncated(let expected, let found):
            return Self.error(
                .unreadable, "truncated", cannot + "it is cut off: \(found) pages, where \(expected) must be",
                ["take a backup of it back into use"])
        case .laterJournal:
            return Self.error(
                .unreadable, "later-journal",
                cannot + "the journal beside it (its name with -journal) belongs to a later state of the file",
                [
                    "put back the file that the journal belongs to, and the interrupted change is undone",
                    "if this earlier copy is what you want, move the journal away first",
                ])
        case .replaced:
            return Self.error(
                .failure, "replaced", cannot + "another file was put in its place meanwhile", ["run the command again"])
        case .readOnly:
            return Self.error(.failure, "read-only", cannot + "it cannot be written here")
        case .unfinishedChange:
            return Self.error(
                .failure, "unfinished-change",
                cannot + "a change was interrupted and must be undone, and it cannot be written here",
                ["run the command where the file and its folder can be written"])
        case .full:
            return Self.error(
                .failure, "no-space", cannot + "no space left on the device",
                ["nothing was changed; make room, and run the command again"])
        case .inputOutput(_, let code):
            let reason = FileError(.read, "", code: code).reason
            return Self.error(.failure, nil, cannot + "reading or writing failed: \(trusted: reason)")
        case .cannotOpen(let code):
            let reason = FileError(.open, "", code: code).reason
            return Self.error(.failure, nil, cannot + "\(trusted: reason)")
        case .libraryTooOld(let found, let needed):
            return Self.error(.failure, nil, cannot + "libsqlite3 is too old: \(found), needed is \(needed)")
        case .libraryLacks(let what): return Self.error(.failure, nil, cannot + "this libsqlite3 has no \(what)")
        case .constraint(_, let rule): return Self.error(.failure, nil, cannot + "it would break a rule: \(rule)")
        case .outOfMemory: return Self.error(.failure, "no-memory", cannot + "no memory")
        case .tooBig: return Self.error(.failure, "too-large", cannot + "a value is too large")
        case .interrupted: return Self.error(.failure, nil, cannot + "interrupted")
        case .nestedTransaction:
            return Self.error(.failure, nil, cannot + "a change inside of a change (a fault of sxkey)")
        case .setting(let name): return Self.error(.failure, nil, cannot + "SQLite did not take the setting \(name)")
        case .sql(let code, let message):
            return Self.error(.failure, nil, cannot + "SQLite says \(quoted: message) (\(code); a fault of sxkey)")
        }
    }
}
