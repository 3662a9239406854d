import CommandKit
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store rekey`
struct StoreRekey: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "rekey",
        summary: "encrypt a store under a new key",
        discussion: [
            "Every message, attachment and other file of the store is decrypted with the old key, encrypted under a new one with a "
                + "fresh nonce, read back and compared. It is made in a new folder beside the old one, and the two exchange their names "
                + "in one step when all of it is proven: the store's name never stands for less than a whole store.",
            "The key comes from the keyring: the new one is random, is put there before anything else, and becomes storage.master "
                + "when the store has it; the old one stays as storage.master.before-DATE. With --key-file the new key is that of "
                + "--new-key-file, or a random one that is written to --out as 64 hex digits.",
            "The old folder stays as NAME.before-rekey-DATE, and the old key still opens it, as it opens every copy of the store that "
                + "was made earlier: remove them when the old key has become known to somebody. --no-keep removes the old folder.",
            "Messages and attachments share one key, so a folder of messages without its attachments is refused unless "
                + "--messages-only says that there are none that matter. What the key does not open, and what no app makes, comes along "
                + "as it is and is listed. A run that was interrupted is finished or undone by the next one.",
        ],
        operands: [StoreArguments.folderOperand],
        options: [
            .value(
                "new-key-file", "FILE", .file, "the new key: 32 raw bytes, hex, base64, or keychain items as JSON"),
            .value("out", short: "o", "FILE", .file, "write a random new key to this file, which must not exist"),
            .flag("messages-only", "leave attachments aside: they keep the old key"),
        ] + StoreChangeOptions.specifications,
        examples: [
            Example(
                "sxkey store rekey phone --key-file storage.key --out new.key",
                "encrypt a store under a random key"),
            Example(
                "sxkey store rekey phone --key-file storage.key --out new.key --no-keep",
                "the same, and remove what the old key opens"),
            Example(
                "sxkey store rekey phone --key-file storage.key --dry-run",
                "see what would be written"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "something came along as it was, not proven"),
            StatusNote(.wrongSecret, "the key opens not one of the files; nothing was written"),
            StatusNote(.locked, "another process is changing this store"),
            StatusNote(.wouldOverwrite, "the file of --out exists already"),
            StatusNote(.notFound, "no such folder, or no attachments beside the messages"), StatusNote(.interrupted),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let change: StoreChangeOptions
    private let newKey: NewKeyOptions
    private let messagesOnly: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try StoreChangeOptions(arguments)
        messagesOnly = arguments.flag("messages-only")
        newKey = try NewKeyOptions(arguments, source: change.store.source)
    }

    private var scope: ChangeUnit.Scope { messagesOnly ? .messages : .messagesAndAttachments }

    /// The unit, with its attachments.
    private func unit() throws(CommandError) -> ChangeUnit {
        let unit = try change.unit(.rekey, scope)
        if !messagesOnly, unit.attachments == nil { throw .rekey(.noAttachments(change.path)) }
        return unit
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let unit = try unit()
        if change.isDryRun { return try showPlan(unit, context) }
        let keys = try RekeyKeys(newKey, unit, context)
        // Not before: a prompt is left at once.
        Interrupts.beginOrderlyWork()
        defer { Interrupts.endOrderlyWork() }
        var turn = try change.turn(.rekey, unit)
        let recovered = try change.recover(&turn, .rekey, context)
        let current = try self.unit()
        let census = KeyCensus(current.store)
        if try !census.opens(keys.old) {
            guard let candidate = keys.candidate, try census.opens(candidate) else { throw .wrongStoreKey(change.path) }
            return try finish(current, keys, recovered, context)
        }
        try keys.prepare(mayReuse: turn.foundLeftover, context)
        let outcome: ChangeOutcome
        do throws(CommandError) {
            let plan = try self.plan(current)
            context.progress.say(
                StoreRekeySummary(current, messagesOnly: messagesOnly).planned(
                    keeps: change.keeps, plan, date: StoreChangeOptions.date(context)))
            let rekey = StoreChange(
                plan, oldKey: keys.old, newKey: try keys.new(), keeps: change.keeps,
                workers: change.store.workers(context), date: StoreChangeOptions.date(context))
            outcome = try change.run(rekey, turn, label: "Encrypting", context)
        } catch {
            if !error.isChanged { keys.takeBack(context) }
            throw error
        }
        let place = try keys.settle(context)
        var report = StoreChangeReport(outcome: outcome, recovered: recovered, path: change.path)
        report.isWorkingFolder = current.holdsWorkingFolder
        let counts = outcome.resealed
        report.details = [("Encrypted", "\(counts.text), each with a fresh nonce, read back and compared")]
        report.details += keys.lines(
            opens: counts.all, oldOpens: counts.all, folder: change.path, kept: outcome.kept, place: place,
            messagesOnly: messagesOnly)
        report.writeMembers = { json in
            keys.writeMembers(newOpens: counts.all, oldOpens: outcome.kept == nil ? 0 : counts.all, to: &json)
        }
        context.console.present(report)
        return report.status
    }

    private func plan(_ unit: ChangeUnit) throws(CommandError) -> ChangePlan {
        do throws(ChangeError) {
            return try ChangePlan(.rekey, unit)
        } catch {
            throw .change(error, .rekey, change.path)
        }
    }

    private func showPlan(_ unit: ChangeUnit, _ context: Context) throws(CommandError) -> ExitStatus {
        change.store.noteInterrupted(context)
        let opened = try change.store.source.read(context, opening: unit.store)
        guard try KeyCensus(unit.store).opens(try opened.shared()) else { throw .wrongStoreKey(change.path) }
        let date = StoreChangeOptions.date(context)
        let summary = StoreRekeySummary(unit, messagesOnly: messagesOnly)
        context.console.present(
            StorePlanReport(
                plan: try plan(unit), path: change.path, keeps: change.keeps, date: date,
                details: ["\(summary.text) will be encrypted under a new key"]))
        return .success
    }

    /// An earlier run got as far as the exchange: what is left to do is the keyring, and to say so.
    private func finish(
        _ unit: ChangeUnit, _ keys: RekeyKeys, _ recovered: [Recovery], _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let workers = change.store.workers(context)
        let kept = recovered.compactMap { if case .finished(.rekey, let kept) = $0 { kept } else { nil } }.first
        let counts: FileCounts
        var old = FileCounts()
        // What the earlier run carried along is as unproven now as it was then.
        let plan = try self.plan(unit)
        var unproven = plan.carried.count { !$0.reason.isKnown } + plan.notCarried.count
        do throws(ChangeError) {
            let census = KeyCensus(unit.store)
            counts = try census.count(try keys.found(), workers: workers)
            unproven += census.total - counts.all
            if let kept, let store = try? StoreFolder(at: kept) {
                old = try KeyCensus(store).count(keys.old, workers: workers)
            }
        } catch {
            throw .change(error, .rekey, change.path)
        }
        let place = try keys.settle(context)
        let report = FinishedRekey(
            path: change.path, folder: unit.path, kept: kept, opened: counts, oldOpens: old.all, unproven: unproven,
            keys: keys, place: place, messagesOnly: messagesOnly)
        context.console.present(report)
        return report.status
    }
}

/// What of a store is encrypted anew.
struct StoreRekeySummary {
    private let conversations: Int
    private let attachments: Int
    private let blobs: Int

    init(_ unit: ChangeUnit, messagesOnly: Bool) {
        conversations = ConversationFiles.grouping(unit.store.conversations).count
        attachments = messagesOnly ? 0 : unit.store.attachments.count
        blobs = unit.store.blobs.count
    }

    var text: TerminalText {
        "\(count: conversations, "conversation"), \(count: attachments, "attachment"), \(count: blobs, "other file")"
    }

    func planned(keeps: Bool, _ plan: ChangePlan, date: String) -> TerminalText {
        let name = plan.verb.keptName(of: plan.unit.place.name, date: date)
        let old: TerminalText =
            keeps ? "the old folder stays as \(name)" : "the old folder goes when the new one is proven"
        return "Plan: \(text) will be encrypted under a new key; \(old)"
    }
}

extension FileCounts {
    /// `12 files of conversations, 1,204 attachments, 3 other files`
    var text: TerminalText {
        "\(count: conversations, "file of conversations", "files of conversations"), "
            + "\(count: attachments, "attachment"), \(count: blobs, "other file")"
    }
}

extension CommandError {
    /// The store stands under the new key in spite of the error.
    fileprivate var isChanged: Bool {
        if case .change(.changedButNotCleared, _, _) = self { true } else { false }
    }
}

/// A rekey that an earlier run had begun, and this one ended.
private struct FinishedRekey: Report {
    let path: FilePath
    let folder: FilePath
    let kept: FilePath?
    let opened: FileCounts
    let oldOpens: Int
    /// Files that the new key does not open, and what no app makes.
    let unproven: Int
    let keys: RekeyKeys
    let place: TerminalText
    let messagesOnly: Bool

    var status: ExitStatus { unproven == 0 ? .success : .someDamaged }

    func writeText(to stream: TextStream) {
        stream.line(
            "\(quoted: path): encrypted under the new key already, by a run that was interrupted; it is finished now")
        let details = keys.lines(
            opens: opened.all, oldOpens: oldOpens, folder: path, kept: kept, place: place, messagesOnly: messagesOnly)
        for detail in details {
            let gap = String(repeating: " ", count: max(1, 14 - detail.label.utf8.count))
            stream.line("  \(trusted: detail.label + gap)\(detail.text)")
        }
        if unproven > 0 {
            stream.line(
                "  As it was     \(count: unproven, "file") that the new key does not open, or that no app makes")
        }
        stream.line(
            "read \(count: opened.all + unproven) · written 0 · carried \(count: unproven) · skipped 0 · failed 0")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("verb", ChangeVerb.rekey.rawValue)
            json.member("folder", folder.bytes)
            json.member("kept", kept?.bytes)
            json.member("finished", true)
            keys.writeMembers(newOpens: opened.all, oldOpens: oldOpens, to: &json)
            json.member("exit", Int(status.rawValue))
        }
    }
}
