import CommandKit
import SystemIO

extension CommandError {
    /// An import that a signal ended in an orderly way.
    static func importInterrupted(_ signal: Int32, isDryRun: Bool) -> ErrorMessage {
        error(
            signal == 2 ? .interrupted : .terminated, "interrupted",
            isDryRun
                ? "interrupted; nothing was changed"
                : "interrupted; nothing is lost: every conversation that was finished is in the archive",
            isDryRun ? [] : ["run the same command again to go on: what is there already is not stored again"])
    }

    static func importsItself(_ path: FilePath) -> ErrorMessage {
        error(.usage, "same-archive", "\(quoted: path) is the archive itself, which has all of it already")
    }

    /// No message has this id.
    static func noMessage(_ id: [UInt8]) -> ErrorMessage {
        error(
            .notFound, "no-message", "there is no message \(quoted: id) in the archive",
            ["\"sxkey archive show CONVERSATION --json\" and \"sxkey archive search --json\" show ids"])
    }
}
