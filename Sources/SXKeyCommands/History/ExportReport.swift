import CommandKit
import HistoryExport
import SophaxFiles
import SystemIO

/// What an export did.
struct ExportReport: Report {
    let path: FilePath
    let format: ExportFormat
    let outcome: ExportOutcome
    let status: ExitStatus

    func writeText(to stream: TextStream) {
        let totals = outcome.totals
        stream.line(
            "Wrote \(count: totals.written, "message") of \(count: totals.conversations, "conversation") to \(path) (\(trusted: format.rawValue), \(size: outcome.bytes))"
        )
        let attachments = outcome.attachments
        if attachments.unreferred > 0 {
            stream.line(
                "Kept \(count: attachments.unreferred, "attachment") that no message refers to any more"
            )
        }
        if attachments.referred > 0 {
            stream.line(
                "Wrote \(count: attachments.written, "attachment") (\(size: attachments.bytes)) · missing \(count: attachments.missing.count) · damaged \(count: attachments.damaged.count)"
            )
        }
        if outcome.aside > 0 {
            stream.line("Wrote \(count: outcome.aside, "entry", "entries") that the store keeps aside")
        }
        if outcome.files > 0 { stream.line("The folder has \(count: outcome.files, "file")") }
        if let added = outcome.added {
            stream.line("New are \(count: added.messages, "message") and \(count: added.attachments, "attachment")")
        }
        stream.line(
            "read \(count: totals.read) · written \(count: totals.written) · not selected \(count: totals.read - totals.written) · failed \(count: outcome.failed)"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        let totals = outcome.totals
        json.object { json in
            json.member("path", path.bytes)
            json.member("format", format.rawValue)
            json.member("conversations", totals.conversations)
            json.member("read", totals.read)
            json.member("written", totals.written)
            json.member("notSelected", totals.read - totals.written)
            json.member("failed", outcome.failed)
            let attachments = outcome.attachments
            if attachments.referred > 0 || attachments.unreferred > 0 {
                json.member("attachments") { json in
                    json.object { json in
                        json.member("referred", attachments.referred)
                        if attachments.unreferred > 0 { json.member("unreferred", attachments.unreferred) }
                        json.member("written", attachments.written)
                        json.member("bytes", attachments.bytes)
                        json.member("missing") { json in
                            json.array(attachments.missing) { json, id in json.value(id.bytes) }
                        }
                        json.member("damaged") { json in
                            json.array(attachments.damaged) { json, id in json.value(id.bytes) }
                        }
                    }
                }
            }
            if outcome.aside > 0 { json.member("aside", outcome.aside) }
            if outcome.files > 0 { json.member("files", outcome.files) }
            if let added = outcome.added {
                json.member("added") { json in
                    json.object { json in
                        json.member("messages", added.messages)
                        json.member("attachments", added.attachments)
                    }
                }
            }
            json.member("bytes", outcome.bytes)
            json.member("exit", Int(status.rawValue))
        }
    }
}
