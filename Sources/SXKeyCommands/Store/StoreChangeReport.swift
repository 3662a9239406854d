import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// What a changing verb did: one view for all of them, with lines and members of the verb's own.
struct StoreChangeReport: Report {
    let outcome: ChangeOutcome
    let recovered: [Recovery]
    /// As the user named the store.
    let path: FilePath
    /// Labelled lines of the verb's own, after what was written.
    var details: [(label: String, text: TerminalText)] = []
    /// Members of the verb's own.
    var writeMembers: (inout JSONWriter) -> Void = { _ in }
    /// The shell that ran the command works in the old folder now.
    var isWorkingFolder = false
    /// A verb's own reason for another status.
    var ownStatus = CommandKit.ExitStatus.success

    var status: CommandKit.ExitStatus {
        (outcome.isWhole ? .success : CommandKit.ExitStatus.someDamaged).combined(with: ownStatus)
    }

    /// How many of the unproven are shown by name.
    private static let shownCarried = 10
    private static let labelColumns = 14

    func writeText(to stream: TextStream) {
        stream.line("\(quoted: path): \(trusted: outcome.verb.done)")
        for detail in details { line(detail.label, detail.text, stream) }
        if let kept = outcome.kept {
            line("Kept", "\(kept), the folder as it was", stream)
        } else {
            line("Not kept", "the folder as it was: --no-keep, and all of it was proven", stream)
        }
        writeCarried(to: stream)
        if isWorkingFolder {
            line("Note", "your shell works in the old folder now; go to \(quoted: outcome.folder) again", stream)
        }
        stream.line(
            "\(trusted: Self.counts(outcome).map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))"
        )
    }

    private func line(_ label: String, _ text: TerminalText, _ stream: TextStream) {
        let gap = String(repeating: " ", count: max(1, Self.labelColumns - label.utf8.count))
        stream.line("  \(trusted: label + gap)\(text)")
    }

    private func writeCarried(to stream: TextStream) {
        let unproven = outcome.carried.filter { !$0.reason.isKnown }
        if !unproven.isEmpty {
            line("As it was", "\(count: unproven.count, "file") came along byte for byte, and not proven:", stream)
            for file in unproven.prefix(Self.shownCarried) { line("", "\(file.path): \(file.reason.text)", stream) }
            if unproven.count > Self.shownCarried {
                line("", "and \(unproven.count - Self.shownCarried) more; --json lists all", stream)
            }
        }
        let kept = Set(outcome.carried.filter { $0.reason == .keptFolder }.map { $0.path.topFolder.bytes })
        for folder in kept.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            line("As it was", "\(folder): an earlier copy of the store, under the key of its time", stream)
        }
        if !outcome.notCarried.isEmpty {
            line("Left behind", "what cannot be copied: sockets, pipes or devices", stream)
            for path in outcome.notCarried.prefix(Self.shownCarried) { line("", "\(path)", stream) }
        }
    }

    /// Read, written, carried, skipped and failed; a failure of one file ends a change, so that is 0.
    static func counts(_ outcome: ChangeOutcome) -> [(name: String, value: Int)] {
        [
            ("read", outcome.read), ("written", outcome.resealed.all + outcome.written),
            ("carried", outcome.carried.count), ("skipped", outcome.leftOut + outcome.notCarried.count), ("failed", 0),
        ]
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("verb", outcome.verb.rawValue)
            json.member("folder", outcome.folder.bytes)
            json.member("kept", outcome.kept?.bytes)
            json.member("counts") { json in
                json.object { json in
                    for count in Self.counts(outcome) { json.member(count.name, count.value) }
                    json.member("conversations", outcome.resealed.conversations)
                    json.member("otherFiles", outcome.resealed.blobs)
                    json.member("attachments", outcome.resealed.attachments)
                    json.member("bytes", outcome.bytes)
                }
            }
            json.member("carried") { json in
                json.array(outcome.carried) { json, file in file.writeJSON(to: &json) }
            }
            json.member("leftBehind") { json in
                json.array(outcome.notCarried) { json, path in json.value(path.bytes) }
            }
            json.member("recovered") { json in
                json.array(recovered) { json, recovery in recovery.writeJSON(to: &json) }
            }
            writeMembers(&json)
            json.member("exit", Int(status.rawValue))
        }
    }
}

/// What a changing verb would do.
struct StorePlanReport: Report {
    let plan: ChangePlan
    let path: FilePath
    let keeps: Bool
    /// Today, for the name of the kept folder.
    let date: String
    /// Sentences of the verb's own, without a full stop.
    var details: [TerminalText] = []
    /// The last line.
    var closing: TerminalText = "Nothing was done (--dry-run)"
    var writeMembers: (inout JSONWriter) -> Void = { _ in }

    private static let shownCarried = 10

    var keptName: FilePath { plan.verb.keptName(of: plan.unit.place.name, date: date) }

    func writeText(to stream: TextStream) {
        for detail in details { stream.line(detail) }
        stream.line(
            "\(size: plan.bytes) in \(count: plan.files.count, "file") will be written beside \(quoted: plan.unit.path)"
        )
        stream.line(keeps ? "the old folder stays as \(keptName)" : "the old folder goes when the new one is proven")
        let carried = plan.carried.filter { !$0.reason.isKnown }
        if !carried.isEmpty {
            let more: TerminalText = keeps ? "" : ", so --no-keep will be refused"
            stream.line("\(count: carried.count, "file") will come along as they are, not proven\(more)")
            for file in carried.prefix(Self.shownCarried) { stream.line("  \(file.path): \(file.reason.text)") }
        }
        for path in plan.notCarried.prefix(Self.shownCarried) {
            stream.line("\(quoted: path) cannot be copied, and stays behind")
        }
        stream.line(closing)
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("verb", plan.verb.rawValue)
            json.member("folder", plan.unit.path.bytes)
            json.member("dryRun", true)
            json.member("kept", keeps ? plan.unit.place.parent.appending(keptName).bytes : nil)
            json.member("files", plan.files.count)
            json.member("bytes", plan.bytes)
            json.member("carried") { json in
                json.array(plan.carried) { json, file in file.writeJSON(to: &json) }
            }
            json.member("leftBehind") { json in
                json.array(plan.notCarried) { json, path in json.value(path.bytes) }
            }
            writeMembers(&json)
        }
    }
}

extension CarriedFile {
    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", path.bytes)
            json.member("reason", reason.code)
            json.member("text", reason.text.plain)
        }
    }
}

extension CarriedFile.Reason {
    /// The word in JSON.
    var code: String {
        switch self {
        case .notAuthentic: "not-authentic"
        case .unknown: "unknown"
        case .link: "link"
        case .keptFolder: "kept-folder"
        case .appFolder: "app-folder"
        case .other: "other"
        }
    }

    /// Why, in plain words.
    var text: TerminalText {
        switch self {
        case .notAuthentic(let failure): "\(trusted: failure.reason)"
        case .unknown: "no app and no command makes such a file"
        case .link: "a link, which says what it said"
        case .keptFolder: "in a folder kept by an earlier change, under the key of its time"
        case .appFolder: "in a folder of the app that holds no messages"
        case .other(let reason): "\(reason)"
        }
    }
}

extension Recovery {
    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("verb", verb.rawValue)
            switch self {
            case .undone: json.member("done", "undone")
            case .finished(_, let kept):
                json.member("done", "finished")
                json.member("kept", kept?.bytes)
            case .cleared: json.member("done", "cleared")
            }
        }
    }
}

extension ChangeVerb {
    /// What was done, after the store's name.
    var done: String {
        switch self {
        case .rekey: "encrypted under a new key"
        case .migrate: "written as the newest apps read it"
        case .repair: "repaired"
        case .merge: "merged"
        case .prune: "pruned"
        case .restore: "restored"
        }
    }
}

extension FilePath {
    /// The first component of a relative path.
    fileprivate var topFolder: FilePath {
        FilePath(bytes: Array(bytes.prefix { $0 != UInt8(ascii: "/") }))
    }
}
