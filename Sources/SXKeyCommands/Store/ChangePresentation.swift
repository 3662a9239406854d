import CommandKit
import StoreChanges
import SystemIO

extension StoreChangeOptions {
    /// The plan of a verb from what it wants to do to the files it knows.
    func plan(
        _ verb: ChangeVerb, _ unit: ChangeUnit, _ files: [PlannedFile]
    ) throws(CommandError) -> ChangePlan {
        do throws(ChangeError) {
            return try ChangePlan(verb, unit, files)
        } catch {
            throw .change(error, verb, path)
        }
    }

    /// Shows what a verb did, would do, or had nothing to do; gives the exit status.
    ///
    /// - Parameters:
    ///   - nothing: what is said where nothing was to be done.
    ///   - closing: the last line of a plan, where it is not that of `--dry-run`.
    func present(
        _ result: Result?, details: [(label: String, text: TerminalText)], ownStatus: CommandKit.ExitStatus,
        nothing: TerminalText, closing: TerminalText? = nil, _ context: Context,
        writeMembers: @escaping (inout JSONWriter) -> Void
    ) throws(CommandError) -> CommandKit.ExitStatus {
        switch result {
        case .changed(let outcome, let recovered):
            var report = StoreChangeReport(outcome: outcome, recovered: recovered, path: path)
            report.details = details
            report.ownStatus = ownStatus
            report.writeMembers = writeMembers
            context.console.present(report)
            return report.status
        case .planned(let plan):
            var report = StorePlanReport(
                plan: plan, path: path, keeps: keeps, date: Self.date(context),
                details: details.map { $0.label.isEmpty ? "  \($0.text)" : "\(trusted: $0.label): \($0.text)" })
            if let closing { report.closing = closing }
            report.writeMembers = writeMembers
            context.console.present(report)
            return ownStatus
        case nil:
            context.console.present(
                NothingReport(
                    path: path, nothing: nothing, details: details, status: ownStatus, writeMembers: writeMembers))
            return ownStatus
        }
    }
}

/// A verb that had nothing to do.
private struct NothingReport: Report {
    let path: FilePath
    let nothing: TerminalText
    let details: [(label: String, text: TerminalText)]
    let status: CommandKit.ExitStatus
    let writeMembers: (inout JSONWriter) -> Void

    func writeText(to stream: TextStream) {
        stream.line("\(quoted: path): \(nothing); nothing was written")
        for detail in details {
            let gap = String(repeating: " ", count: max(1, 14 - detail.label.utf8.count))
            stream.line("  \(trusted: detail.label + gap)\(detail.text)")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("nothingToDo", true)
            writeMembers(&json)
            json.member("exit", Int(status.rawValue))
        }
    }
}
