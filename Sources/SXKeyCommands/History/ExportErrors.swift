import CommandKit
import History
import HistoryExport
import SQLiteDatabase
import SophaxCore
import SophaxFiles
import SystemIO

extension CommandError {
    /// `source` is what was read.
    static func exporting(_ failure: ExportError, _ source: FilePath, isFolder: Bool) -> CommandError {
        switch failure {
        case .source(let error): .history(error, source)
        case .file(let error): isFolder ? .folderOutput(error) : .output(error)
        case .sourceChanged: .sourceChanged(source)
        case .database, .earlier, .stopped: .export(failure)
        }
    }

    static func exportError(_ failure: ExportError) -> ErrorMessage {
        switch failure {
        case .database(.full):
            return error(
                .failure, "no-space", "cannot write the database: no space left on the device",
                [
                    "nothing was left behind; make room, or name another --out"
                ])
        case .database(let failure): return database(failure, "cannot write the database: ")
        case .earlier(let problem, let path): return earlier(problem, path)
        case .source, .sourceChanged, .file, .stopped: return error(.failure, nil, "cannot write the export")
        }
    }

    /// The two readings of `source` differ.
    static func sourceChanged(_ source: FilePath) -> ErrorMessage {
        error(
            .failure, "source-changed", "cannot export \(quoted: source): it changed while it was read",
            ["nothing was written; run the command again"])
    }

    /// An output in a folder that an app takes for its own.
    static func outputInside(_ out: FilePath) -> ErrorMessage {
        error(
            .usage, "output-in-source", "cannot create \(quoted: out): it would be inside the store that is read",
            ["name an --out outside of it"])
    }

    private static func earlier(_ problem: EarlierExportProblem, _ path: FilePath) -> ErrorMessage {
        let what: TerminalText
        var hints: [TerminalText] = ["nothing was changed; a new --out takes a new export"]
        switch problem {
        case .notOurs:
            what = "it is no folder that an export made"
            hints = ["--update adds to a folder that has export.json; without it a new one is made"]
        case .madeByNewer(let version):
            return error(
                .newerVersion, "newer-export",
                "cannot update \(quoted: path): a newer sxkey made it (version \(version))")
        case .otherwiseMade(let option, let then, let now):
            what = "it was made otherwise: \(option) was \(quoted: then), and is \(quoted: now) now"
            hints = ["give the options that it was made with, or a new --out"]
        case .foreign(let file): what = "\(quoted: file) in it is not from the export; move it elsewhere first"
        case .changed(let file): what = "\(quoted: file) in it is missing, or was changed"
        case .lost(let messages, let first):
            what =
                "\(count: messages, "message") in it \(trusted: messages == 1 ? "is" : "are") no longer in the source, the first in conversation \(quoted: first.text.bytes)"
            hints = [
                "nothing was changed; a new --out takes a new export",
                "an archive keeps what a store drops: sxkey archive import, then sxkey archive export",
            ]
        case .displaced(let old):
            return error(
                .wouldOverwrite, "cut-off-update",
                "cannot create \(quoted: path): an update of it was cut off, and has left it as \(quoted: old)",
                ["--update puts it back and goes on; or move it elsewhere first"])
        }
        return error(.wouldOverwrite, "cannot-update", "cannot update \(quoted: path): \(what)", hints)
    }

    /// A name that more than one person has.
    static func severalPeople(_ name: [UInt8], _ fingerprints: [Fingerprint]) -> ErrorMessage {
        error(
            .usage, "ambiguous", "\(quoted: name) is the name of \(fingerprints.count) people",
            [
                "name one by peer id: \(fingerprints.prefix(8).map { "\(String($0.hex.prefix(16)))" as TerminalText }.joined(", "))"
            ])
    }
}

/// What an export could not read, for the error stream.
struct ExportLosses {
    private let outcome: ExportOutcome

    init(_ outcome: ExportOutcome) {
        self.outcome = outcome
    }

    /// `isReported`: the command's own report has the counts.
    func say(_ status: ExitStatus, _ context: Context, isReported: Bool) {
        guard status != .success else { return }
        let attachments = outcome.attachments
        let lost =
            attachments.missing.map { "attachment \(quoted: $0.bytes) is missing" as TerminalText }
            + attachments.damaged.map { "attachment \(quoted: $0.bytes) cannot be read" as TerminalText }
        let reasons = outcome.losses.map(Self.text) + lost
        if context.console.options.json, !isReported {
            context.console.report(
                CommandError.error(
                    status, nil, "\(count: outcome.failed, "file or message", "files or messages") could not be read",
                    Array(reasons.prefix(FindingList.maximumExamples))))
        }
        for reason in reasons.prefix(Self.maximumNotes) { context.console.note("sxkey: \(reason)") }
        if reasons.count > Self.maximumNotes {
            context.console.note("sxkey: and \(reasons.count - Self.maximumNotes) more; --json has the attachments")
        }
    }

    private static let maximumNotes = 50

    private static func text(_ loss: HistoryLoss) -> TerminalText {
        let name = FilePath(bytes: loss.item.bytes).lastComponent
        switch loss.reason {
        case .file(let failure): return "\(quoted: name): \(trusted: failure.reason)"
        case .messages(let count): return "\(quoted: name): \(count: count, "message") could not be read"
        case .notInSource: return "\(quoted: name): the source says that it could not be read when it was made"
        case .wrongContent: return "\(quoted: name): its bytes are not those that the source says"
        case .ownSender(let count):
            return
                "\(quoted: name): \(count: count, "message") made for one's own key with one's own id as sender: somebody else made them"
        case .unknownLines(let count): return "\(quoted: name): \(count: count, "line") of an unknown kind"
        case .notOpened(let count, let failure):
            return "\(quoted: name): \(count: count, "message") not opened: \(trusted: failure.sentence)"
        }
    }
}
