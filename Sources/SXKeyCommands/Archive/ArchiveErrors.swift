import Archive
import CommandKit
import History
import SQLiteDatabase
import SystemIO

extension CommandError {
    static func archive(_ error: ArchiveError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot use the archive \(quoted: path): "
        switch error {
        case .database(let error): return database(error, cannot)
        case .sealed(let error): return sealed(error, .archive, path)
        case .source(let error): return historyError(error, path)
        case .damagedRow(let table):
            return Self.error(
                .unreadable, "damaged-row", cannot + "a row of the table \(trusted: table) is not what it must be",
                ["another program has changed it; \"sxkey archive verify --full\" looks at everything"])
        case .noConversation:
            return Self.error(
                .notFound, "no-conversation", "the archive no longer holds this conversation", ["run the command again"]
            )
        case .noAttachment:
            return Self.error(.notFound, "no-attachment", "the archive no longer holds this attachment")
        case .outOfMemory(let requested):
            return Self.error(.failure, "no-memory", cannot + "no memory for \(size: requested)")
        case .stopped: return Self.error(.failure, nil, cannot + "reading was stopped")
        }
    }
}
