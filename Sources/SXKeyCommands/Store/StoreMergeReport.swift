import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// What a merge did, or would do.
struct StoreMergeReport: Report {
    let paths: [FilePath]
    let out: FilePath?
    let plan: StoreMerge.Plan
    let results: [ConversationUnion.Result]
    /// Nil for a dry run.
    let outcome: ChangeOutcome?

    private static let shown = 10

    private var first: Int { results.reduce(0) { $0 + $1.first } }
    private var counts: MessageMerge.Counts {
        results.reduce(into: MessageMerge.Counts()) { $0 += $1.counts }
    }
    private var conflicts: [MessageMerge.Conflict] { results.flatMap(\.conflicts) }
    private var lost: Int { results.reduce(0) { $0 + $1.lostOfFirst + $1.lostOfSecond } }
    private var failed: Int { results.reduce(0) { $0 + $1.lostOfSecond } }
    private var unreadable: Int { results.reduce(0) { $0 + $1.unreadableByApps } }
    private var completed: Int { results.reduce(0) { $0 + $1.completed } }
    private var unproven: [CarriedFile] { outcome?.carried.filter { !$0.reason.isKnown } ?? [] }
    private var conflictingFiles: [FilePath] { plan.attachments.conflicting + plan.others.conflicting }

    var status: CommandKit.ExitStatus {
        let isDamaged = lost > 0 || !plan.damaged.isEmpty || !plan.notCarried.isEmpty || !unproven.isEmpty
        let isConflicting = counts.conflicting > 0 || unreadable > 0 || !conflictingFiles.isEmpty
        return (isDamaged ? CommandKit.ExitStatus.someDamaged : .success)
            .combined(with: isConflicting ? .finding : .success)
    }

    /// Of the messages of the second store; they add up to those that were read.
    private var messageCounts: [(name: String, value: Int)] {
        [
            ("read", counts.total + failed), ("new", counts.new), ("already there", counts.alreadyThere),
            ("changed", counts.changed), ("conflicting", counts.conflicting), ("skipped", 0), ("failed", failed),
        ]
    }

    func writeText(to stream: TextStream) {
        if let out, outcome != nil {
            stream.line("\(quoted: out): \(quoted: paths[0]) and \(quoted: paths[1]) united")
        } else {
            stream.line("\(quoted: paths[0]) and \(quoted: paths[1]) would be united so:")
        }
        line(
            "Messages",
            "\(count: first, "message") of the first, \(count: counts.new + counts.conflicting, "message") more of the second",
            stream)
        line("In", "\(count: results.count, "conversation")", stream)
        if completed > 0 {
            line("Completed", "\(count: completed, "message") got what newer apps require, and lost nothing", stream)
        }
        if unreadable > 0 {
            line("At risk", "\(count: unreadable, "message") stay as they are, and newer apps cannot read them", stream)
        }
        line("Attachments", tally(plan.attachments), stream)
        if plan.others.first + plan.others.second > 0 { line("Other files", tally(plan.others), stream) }
        writeConflicts(to: stream)
        writeUnproven(to: stream)
        if outcome == nil { stream.line("Nothing was done (--dry-run)") }
        stream.line(
            "\(trusted: messageCounts.map { "\($0.name) \(Quantity.count($0.value))" }.joined(separator: " · "))")
    }

    private func tally(_ tally: StoreMerge.FileTally) -> TerminalText {
        "\(tally.first) of the first, \(tally.new) new, \(tally.alreadyThere) already there, "
            + "\(tally.conflicting.count) conflicting"
    }

    private func line(_ label: String, _ text: TerminalText, _ stream: TextStream) {
        let gap = String(repeating: " ", count: max(1, 14 - label.utf8.count))
        stream.line("  \(trusted: label + gap)\(text)")
    }

    private func writeConflicts(to stream: TextStream) {
        for conflict in conflicts.prefix(Self.shown) {
            let field: TerminalText =
                conflict.field.bytes.isEmpty ? "one is not strict JSON" : "they differ in \(conflict.field.bytes)"
            line(
                "Conflicting", "\(conflict.id.bytes) in \(conflict.conversation.text.bytes): \(field); both are kept",
                stream)
        }
        if conflicts.count > Self.shown {
            line("", "and \(conflicts.count - Self.shown) more; --json lists all", stream)
        }
        for name in conflictingFiles.prefix(Self.shown) {
            line("Conflicting", "\(name) holds the second store's file of that name", stream)
        }
    }

    private func writeUnproven(to stream: TextStream) {
        for path in plan.damaged.prefix(Self.shown) where outcome == nil {
            line("As it is", "\(path) does not authenticate, and comes along byte for byte", stream)
        }
        for file in unproven.prefix(Self.shown) {
            line("As it was", "\(file.path): \(file.reason.text)", stream)
        }
        if unproven.count > Self.shown { line("", "and \(unproven.count - Self.shown) more; --json lists all", stream) }
        if lost > 0 {
            line(
                "Not messages",
                "\(count: lost, "element") of lists; their files are kept with .original behind the name", stream)
        }
        for path in plan.notCarried.prefix(Self.shown) {
            line("Left behind", "\(path), which is no file", stream)
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("paths") { json in json.array(paths) { json, path in json.value(path.bytes) } }
            json.member("out", out?.bytes)
            json.member("verb", ChangeVerb.merge.rawValue)
            json.member("dryRun", outcome == nil)
            json.member("first", first)
            json.member("counts") { json in
                json.object { json in
                    for count in messageCounts {
                        json.member(count.name == "already there" ? "alreadyThere" : count.name, count.value)
                    }
                }
            }
            json.member("completed", completed)
            json.member("unreadableByApps", unreadable)
            json.member("conversations") { json in
                json.array(results) { json, result in write(result, to: &json) }
            }
            json.member("conflicts") { json in
                json.array(conflicts) { json, conflict in
                    json.object { json in
                        json.member("conversation", conflict.conversation.text.bytes)
                        json.member("id", conflict.id.bytes)
                        json.member("field", conflict.field.bytes)
                    }
                }
            }
            json.member("attachments") { json in write(plan.attachments, to: &json) }
            json.member("otherFiles") { json in write(plan.others, to: &json) }
            json.member("damaged") { json in json.array(plan.damaged) { json, path in json.value(path.bytes) } }
            json.member("carried") { json in
                json.array(outcome?.carried ?? []) { json, file in file.writeJSON(to: &json) }
            }
            json.member("leftBehind") { json in
                json.array(plan.notCarried) { json, path in json.value(path.bytes) }
            }
            json.member("exit", Int(status.rawValue))
        }
    }

    private func write(_ result: ConversationUnion.Result, to json: inout JSONWriter) {
        json.object { json in
            json.member("conversation", result.conversation.text.bytes)
            json.member("first", result.first)
            json.member("new", result.counts.new)
            json.member("alreadyThere", result.counts.alreadyThere)
            json.member("changed", result.counts.changed)
            json.member("conflicting", result.counts.conflicting)
            json.member("failed", result.lostOfSecond)
        }
    }

    private func write(_ tally: StoreMerge.FileTally, to json: inout JSONWriter) {
        json.object { json in
            json.member("first", tally.first)
            json.member("new", tally.new)
            json.member("alreadyThere", tally.alreadyThere)
            json.member("conflicting") { json in
                json.array(tally.conflicting) { json, path in json.value(path.bytes) }
            }
        }
    }
}
