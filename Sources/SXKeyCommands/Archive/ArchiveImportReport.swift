import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

/// What an import did with each of its sources.
struct ArchiveImportReport: Report {
    struct Source {
        let path: FilePath
        let origin: HistoryOrigin
        let report: ImportReport
    }

    let path: FilePath
    let isDryRun: Bool
    var sources: [Source] = []

    /// How many items of a list people see; JSON has more.
    private static let shown = 10

    /// A signal asked for the end.
    var wasStopped: Bool { sources.last?.report.wasStopped ?? false }

    var status: ExitStatus {
        var status = ExitStatus.success
        for source in sources {
            if source.report.isIncomplete { status = status.combined(with: .someDamaged) }
            if let failure = source.report.failure {
                status = status.combined(with: CommandError.history(failure, source.path).message.exit)
            }
        }
        return status
    }

    private static func counts(_ report: ImportReport) -> [(name: String, key: String, value: Int)] {
        let counts = report.counts
        return [
            ("read", "read", report.read), ("new", "new", counts.new),
            ("already there", "alreadyThere", counts.alreadyThere), ("changed", "changed", counts.changed),
            ("conflicting", "conflicting", counts.conflicting),
            ("removed before", "removedBefore", counts.removedBefore), ("skipped", "skipped", counts.skipped),
            ("failed", "failed", counts.failed),
        ]
    }

    private static func attachmentCounts(_ report: ImportReport) -> [(name: String, key: String, value: Int)] {
        let counts = report.attachments
        return [
            ("read", "read", counts.read), ("new", "new", counts.new),
            ("already there", "alreadyThere", counts.alreadyThere), ("other content", "different", counts.different),
            ("failed", "failed", counts.failed),
        ]
    }

    private static func line(_ counts: [(name: String, key: String, value: Int)]) -> TerminalText {
        TerminalText(trusted: counts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))
    }

    func writeText(to stream: TextStream) {
        for source in sources {
            let done = isDryRun ? "Would import" : "Imported"
            let owner: TerminalText = source.origin.ownerName.map { " of \($0.bytes)" } ?? ""
            stream.line(
                "\(trusted: done) \(quoted: source.path) (\(trusted: source.origin.kind.title)\(owner)): \(count: source.report.conversations, "conversation")"
            )
            writeLists(of: source, to: stream)
            stream.line("  Messages     \(Self.line(Self.counts(source.report)))")
            if source.report.attachments != ImportReport.AttachmentCounts() {
                stream.line("  Attachments  \(Self.line(Self.attachmentCounts(source.report)))")
            }
            if source.report.removalsLearned > 0 {
                stream.line(
                    "  Removed      \(count: source.report.removalsLearned, "message") that were removed there are not taken in here either"
                )
            }
            stream.line()
        }
        if isDryRun { stream.line("Nothing was changed (--dry-run)") }
    }

    private func writeLists(of source: Source, to stream: TextStream) {
        let report = source.report
        if let failure = report.failure {
            let message = CommandError.history(failure, source.path).message.message
            stream.line("  \(trusted: "failed", .red)       \(message); what was read before that is in the archive")
        }
        Self.write(
            report.conflicts.map { conflict in
                let field: TerminalText =
                    conflict.field.bytes.isEmpty ? "" : ", which differ in \(conflict.field.bytes)"
                return "two messages \(conflict.id.bytes) in \(conflict.conversation.text.bytes)\(field); both are kept"
            }, of: report.counts.conflicting, label: "conflicting", to: stream)
        Self.write(
            report.losses.map { "\($0.item.bytes): \($0.reason.text)" as TerminalText }, of: report.lossCount,
            label: "lost", to: stream)
        Self.write(
            report.differentAttachments.map { "\($0.bytes) has several contents; all are kept" },
            of: report.attachments.different, label: "attachment", to: stream)
    }

    private static func write(_ lines: [TerminalText], of count: Int, label: String, to stream: TextStream) {
        let mark = TerminalText(trusted: label.padding(to: 11), .yellow)
        for line in lines.prefix(shown) { stream.line("  \(mark)  \(line)") }
        let rest = count - min(lines.count, shown)
        if rest > 0 { stream.line("               and \(count: rest) more \(trusted: "(--json lists them)", .dim)") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("dryRun", isDryRun)
            json.member("sources") { json in
                json.array(sources) { json, source in source.writeJSON(to: &json) }
            }
            json.member("exit", Int(status.rawValue))
        }
    }

    fileprivate static func write(
        _ counts: [(name: String, key: String, value: Int)], to json: inout JSONWriter
    ) {
        json.object { json in for count in counts { json.member(count.key, count.value) } }
    }

    fileprivate static func write(counts report: ImportReport, to json: inout JSONWriter) {
        json.member("counts") { json in write(counts(report), to: &json) }
        json.member("attachments") { json in write(attachmentCounts(report), to: &json) }
    }
}

extension ArchiveImportReport.Source {
    fileprivate func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("kind", origin.kind.rawValue)
            if let name = origin.ownerName { json.member("owner", name.bytes) }
            json.member("conversations", report.conversations)
            ArchiveImportReport.write(counts: report, to: &json)
            json.member("removalsLearned", report.removalsLearned)
            json.member("conflicts") { json in
                json.array(report.conflicts) { json, conflict in
                    json.object { json in
                        json.member("conversation", conflict.conversation.text.bytes)
                        json.member("id", conflict.id.bytes)
                        json.member("field", conflict.field.bytes)
                    }
                }
            }
            json.member("losses") { json in
                json.array(report.losses) { json, loss in
                    json.object { json in
                        json.member("item", loss.item.bytes)
                        json.member("part", loss.part.rawValue)
                        json.member("reason", loss.reason.text.plain)
                    }
                }
            }
            json.member("otherContent") { json in
                json.array(report.differentAttachments) { json, id in json.value(id.bytes) }
            }
            if let failure = report.failure {
                json.member("failure", CommandError.history(failure, path).message.message.plain)
            }
            json.member("interrupted", report.wasStopped)
        }
    }
}

extension ImportReport {
    /// Something of the source is not in the archive, though it should be.
    var isIncomplete: Bool {
        counts.failed > 0 || counts.skipped > 0 || attachments.failed > 0 || lossCount > 0 || failure != nil
    }
}

extension HistoryLoss.Reason {
    /// Why it did not come; lower case, no full stop.
    var text: TerminalText {
        switch self {
        case .file(let failure): "\(trusted: failure.reason)"
        case .messages(let number): "\(count: number, "message") of it cannot be read"
        case .unknownLines(let number): "\(count: number, "line") of it are of a kind that this sxkey does not know"
        case .notOpened(let number, let failure):
            "\(count: number, "message") of it not opened: \(trusted: failure.sentence)"
        case .ownSender(let number):
            "\(count: number, "message") of it made for one's own key with one's own id as sender: somebody else made them, and they count as received"
        case .notInSource: "the source itself says that it has not got this"
        case .wrongContent: "its bytes are not those that the source speaks of"
        }
    }
}

extension HistoryOrigin.Kind {
    /// What people call it, inside a sentence.
    var title: String {
        switch self {
        case .store: "message store"
        case .sxb: "bundle of sxkey"
        case .archive: "archive"
        case .jsonl: "JSON lines"
        case .fullExport: "full export"
        case .backup: "message backup"
        case .identity: "identity export"
        case .android: "Android backup"
        case .btmessage: "messages of btmessage"
        case .lchat: "messages of lchat"
        case .conet: "messages of CoNET"
        case .openpgp: "OpenPGP messages"
        }
    }
}

extension String {
    /// With spaces behind it, up to so many columns of ASCII.
    func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - utf8.count))
    }
}
