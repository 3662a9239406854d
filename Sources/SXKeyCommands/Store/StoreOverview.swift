import CommandKit
import SophaxFiles
import SystemIO

/// The conversations of a store that was opened.
struct StoreOverview: Report {
    let report: StoreReport
    let path: FilePath
    let zone: LocalZone
    let opened: OpenedStoreKey

    func writeText(to stream: TextStream) {
        let attachments = report.folder.attachments
        let messages: TerminalText =
            "\(count: report.conversations.count, "conversation"), \(count: report.messages, "message")"
        let bytes = attachments.reduce(0) { $0 + $1.size }
        stream.line("Store       \(path)   (\(messages), \(size: bytes) of attachments)")
        let authentic = report.allFiles.count(where: \.isAuthentic)
        stream.line("Key         \(opened.origin); it opens \(authentic) of \(report.allFiles.count) message files")
        stream.line()
        var table = Table([
            .init("CONVERSATION"), .init("KIND"), .init("MESSAGES", .right), .init("FIRST"), .init("LAST"),
            .init("SIZE", .right), .init("NOTES"),
        ])
        for conversation in report.conversations {
            table.add([
                opened.names.title(of: conversation.id), "\(trusted: conversation.id.kind.rawValue)",
                conversation.isReadable ? "\(count: conversation.messages)" : "?",
                day(conversation.firstTime), day(conversation.lastTime),
                "\(size: conversation.size)", notes(conversation),
            ])
        }
        table.write(to: stream)
        for blob in report.blobs {
            if case .blob(let kind) = blob.file.kind {
                let entries = blob.blobEntries.map { " (\(Quantity.count($0)))" } ?? ""
                let state = blob.isAuthentic ? entries : ", cannot be opened"
                stream.line("  \(blob.file.path.lastComponent): \(trusted: kind.meaning)\(trusted: state)")
            }
        }
        if !report.folder.foreign.isEmpty {
            stream.line("  \(count: report.folder.foreign.count, "file") that no app made")
        }
    }

    private func day(_ time: Double?) -> TerminalText {
        guard let time, let local = zone.time(at: time) else { return "–" }
        return "\(trusted: local.date.dayText)"
    }

    private func notes(_ conversation: ConversationSummary) -> TerminalText {
        var notes: [TerminalText] = []
        for file in conversation.files {
            if let failure = file.failure { notes.append("\(trusted: failure.shortReason, .red)") }
        }
        if conversation.isAtRisk { notes.append("\(trusted: "at risk", .yellow): newer apps cannot read it") }
        if conversation.onlyInOrphan > 0 { notes.append("\(conversation.onlyInOrphan) only in an orphaned older file") }
        return notes.joined("; ")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("messages", report.messages)
            json.member("attachments", report.folder.attachments.count)
            json.member("attachmentBytes", report.folder.attachments.reduce(0) { $0 + $1.size })
            json.member("conversations") { json in
                json.array(report.conversations) { json, conversation in Self.write(conversation, to: &json) }
            }
            json.member("otherFiles") { json in
                json.array(report.blobs) { json, blob in
                    json.object { json in
                        json.member("name", blob.file.path.lastComponent.bytes)
                        json.member("entries", blob.blobEntries)
                        json.member("readable", blob.isAuthentic)
                    }
                }
            }
        }
    }

    static func write(_ conversation: ConversationSummary, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", conversation.id.text.bytes)
            json.member("kind", conversation.id.kind.rawValue)
            json.member("messages", conversation.isReadable ? conversation.messages : nil)
            json.member("first", conversation.firstTime.flatMap { RFC3339.format(unixSeconds: $0) })
            json.member("last", conversation.lastTime.flatMap { RFC3339.format(unixSeconds: $0) })
            json.member("size", conversation.size)
            json.member("atRisk", conversation.isAtRisk)
            json.member("onlyInOrphanedFile", conversation.onlyInOrphan)
            json.member("files") { json in
                json.array(conversation.files) { json, file in
                    json.object { json in
                        json.member("name", file.file.path.lastComponent.bytes)
                        json.member("readable", file.isAuthentic)
                        if let failure = file.failure { json.member("reason", failure.reason) }
                    }
                }
            }
        }
    }
}

extension StoreFileFailure {
    /// A few words for a table.
    var shortReason: String {
        switch self {
        case .notAuthentic: "damaged or another key"
        case .tooShort: "cut off"
        case .file(let error): error.reason
        case .outOfMemory, .changing, .cipher: reason
        }
    }
}
