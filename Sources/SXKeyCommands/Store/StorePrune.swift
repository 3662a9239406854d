import CommandKit
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// `sxkey store prune`
struct StorePrune: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "prune",
        summary: "remove messages from a store: expired ones, old ones, whole conversations",
        discussion: [
            "Shows which messages would go, and does nothing, unless --apply is given. A message goes when it meets every condition "
                + "that is given: --conversation alone takes whole conversations, with --before what is old in them.",
            "An attachment goes with the messages that refer to it, when no message that stays refers to it; while a file of messages "
                + "cannot be read, which might refer to anything, all attachments stay. Attachments that no message refers to in the "
                + "first place go with --orphaned-attachments only. A conversation without any message left has no file, as in the app. "
                + "Messages that wait to be sent are not touched.",
            "The folder as it was stays as NAME.before-prune-DATE, and everything that was pruned is still in it. For privacy, use "
                + "--no-keep: it removes that folder once the new one is proven. Copies elsewhere, and what a disk keeps of removed "
                + "files, are out of reach.",
        ],
        operands: [StoreArguments.folderOperand],
        options: [
            .flag("expired", "messages that should have disappeared by now"),
            .value("before", "DATE", .date, "messages from before then: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30"),
            .value(
                "conversation", "ID", .text,
                "messages of this conversation: its id or the beginning of it, \"notes\" for notes to self",
                isRepeatable: true),
            .flag("orphaned-attachments", "attachments that no message refers to"),
            .flag("apply", "do it; without it only the plan is shown"),
        ] + StoreChangeOptions.specifications,
        examples: [
            Example(
                "sxkey store prune phone --expired --key-file storage.key", "see which messages should have disappeared"
            ),
            Example(
                "sxkey store prune phone --expired --key-file storage.key --apply --no-keep",
                "remove them, and the folder that has them"),
            Example(
                "sxkey store prune phone --before 2026-01 --conversation notes --key-file storage.key",
                "see what of the notes to self is from before 2026"),
        ],
        exitStatuses: [
            StatusNote(.success, "it is done, or the plan is shown"),
            StatusNote(.someDamaged, "something that could not be read stays, and may be among what should go"),
            StatusNote(.wrongSecret, "the key opens not one of the files; nothing was written"),
            StatusNote(.locked, "another process is changing this store"),
            StatusNote(.notFound, "no such folder or conversation"), StatusNote(.interrupted),
        ]
    )

    private let change: StoreChangeOptions
    private let expired: Bool
    private let before: Double?
    private let words: [[UInt8]]
    private let orphans: Bool
    private let applies: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        change = try StoreChangeOptions(arguments)
        expired = arguments.flag("expired")
        before = try arguments.date("before", zone: LocalZone())?.start
        words = arguments.values("conversation")
        orphans = arguments.flag("orphaned-attachments")
        applies = arguments.flag("apply")
        if applies, change.isDryRun { throw .conflict("apply", "dry-run") }
        if !expired, before == nil, words.isEmpty, !orphans {
            throw .other(
                "nothing is said to go", hint: "name --expired, --before, --conversation or --orphaned-attachments")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var found: (pruning: StorePruning, names: ContactNames, earlier: [FilePath])?
        let result = try change.change(
            .prune, .messagesAndAttachments, label: "Pruning", dryRun: !applies, context
        ) { (unit, opened) throws(CommandError) in
            let key = try opened.shared()
            let report = try change.store.survey(unit.store, key: opened.key, includingAttachments: false, context)
            let selection = PruneSelection(
                expiredAt: expired ? context.now : nil, before: before,
                conversations: words.isEmpty
                    ? nil
                    : try Self.conversations(words, in: report))
            let pruning: StorePruning
            do throws(ChangeStepFailure) {
                pruning = try StorePruning(
                    unit, report, selection, orphanedAttachments: orphans,
                    key: key, workers: change.store.workers(context))
            } catch {
                throw .change(.step("", error), .prune, change.path)
            }
            found = (pruning, opened.names, Self.earlierCopies(of: unit))
            return try pruning.isDone ? nil : change.plan(.prune, unit, pruning.files)
        }
        guard let found else { return .failure }
        let text = PruneText(pruning: found.pruning, names: found.names, zone: context.zone)
        var details = text.lines
        if applies, case .changed(let outcome, _)? = result, outcome.kept != nil {
            details.append(
                (
                    "Still there",
                    "everything that was pruned is in the folder as it was; --no-keep would have removed it"
                ))
        }
        for kept in found.earlier {
            details.append(("Earlier copy", "\(kept) may have it as well: it was kept by an earlier change"))
        }
        return try change.present(
            result, details: details,
            ownStatus: found.pruning.skipped.isEmpty && found.pruning.heldBack.isEmpty ? .success : .someDamaged,
            nothing: "nothing is to go", closing: "Nothing was done; --apply does it", context
        ) { json in text.writeMembers(to: &json) }
    }

    /// Folders in and beside the unit that earlier changes kept, as they were before this one.
    private static func earlierCopies(of unit: ChangeUnit) -> [FilePath] {
        let beginning = unit.place.name.bytes + Array(".before-".utf8)
        let beside = ((try? listFolder(unit.place.parent)) ?? []).filter { $0.name.bytes.starts(with: beginning) }
        let inside = (try? listFolder(unit.path)) ?? []
        return (beside + inside).filter { $0.kind == .folder && ChangeVerb.isKeptName($0.name) }.map(\.name)
    }

    private static func conversations(
        _ words: [[UInt8]], in report: StoreReport
    ) throws(CommandError) -> Set<ConversationID> {
        var ids: Set<ConversationID> = []
        for word in words { ids.formUnion(try conversations(word, in: report)) }
        return ids
    }

    /// The conversation whose id is or begins with `word`: one, or the same peer's ids of several lengths.
    private static func conversations(
        _ word: [UInt8], in report: StoreReport
    ) throws(CommandError) -> Set<ConversationID> {
        var ids: Set<ConversationID> = []
        for conversation in report.conversations {
            ids.insert(conversation.id)
            for file in conversation.files { ids.formUnion(file.tally.conversations.map(\.id)) }
        }
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        if ids.contains(wanted) { return try allLengths(wanted, in: ids, word) }
        let beginning = ids.filter {
            !word.isEmpty
                && ($0.text.bytes.starts(with: word) || $0.text.bytes.starts(with: Array("group.".utf8) + word))
        }.sorted()
        guard let longest = beginning.max(by: { $0.text.bytes.count < $1.text.bytes.count }) else {
            throw .noConversation(word, known: Array(ids.sorted().prefix(5)))
        }
        let same = try allLengths(longest, in: ids, word)
        guard same.isSuperset(of: beginning) else { throw .severalConversations(word, matching: beginning) }
        return same
    }

    /// App versions write a peer's id with 16 digits or more of the same hash: all of them are the one conversation. Where two
    /// long ids begin with one short id it is not known whose that is.
    private static func allLengths(
        _ id: ConversationID, in ids: Set<ConversationID>, _ word: [UInt8]
    ) throws(CommandError) -> Set<ConversationID> {
        func digits(_ id: ConversationID) -> Int? { PeerID(bytes: id.text.bytes).form.digits }
        guard digits(id) != nil else { return [id] }
        let alike = ids.filter { other in
            guard digits(other) != nil else { return false }
            let (one, two) = (id.text.bytes, other.text.bytes)
            return one.starts(with: two) || two.starts(with: one)
        }
        let longest = alike.max { $0.text.bytes.count < $1.text.bytes.count } ?? id
        guard alike.allSatisfy({ longest.text.bytes.starts(with: $0.text.bytes) }) else {
            throw .severalConversations(word, matching: alike.sorted())
        }
        return alike
    }
}

/// What is told of messages that go.
struct PruneText {
    let pruning: StorePruning
    let names: ContactNames
    let zone: LocalZone

    private static let shown = 20
    private static let shownIDs = 5

    var lines: [(label: String, text: TerminalText)] {
        var lines: [(label: String, text: TerminalText)] = [
            (
                "Messages",
                "\(count: pruning.pruned) of \(count: pruning.read, "message") go, \(count: pruning.kept) stay"
            )
        ]
        for conversation in pruning.conversations.prefix(Self.shown) {
            let times = conversation.pruned.compactMap(\.time)
            let span: TerminalText =
                times.isEmpty ? "" : ", \(day(times.min() ?? 0)) to \(day(times.max() ?? 0))"
            lines.append(
                (
                    "",
                    "\(names.title(of: conversation.id)): \(count: conversation.pruned.count) of \(count: conversation.messages, "message")\(span)"
                ))
            let ids = conversation.pruned.prefix(Self.shownIDs).map { "\($0.id?.bytes ?? [])" as TerminalText }
            let more = conversation.pruned.count - ids.count
            lines.append(("", "  \(ids.joined(", "))\(more > 0 ? ", and \(more) more; --json lists all" : "")"))
        }
        if !pruning.attachments.isEmpty {
            lines.append(("Attachments", "\(count: pruning.attachments.count) that only these messages refer to go"))
        }
        if !pruning.orphans.isEmpty {
            lines.append(("Attachments", "\(count: pruning.orphans.count) that no message refers to go"))
        }
        if pruning.aside > 0 {
            lines.append(("Kept aside", "\(count: pruning.aside, "entry", "entries") of refused_messages.enc go"))
        }
        for skipped in pruning.skipped {
            lines.append(("Stays", "\(skipped.file.path.lastComponent): \(trusted: skipped.reason.sentence)"))
        }
        if !pruning.heldBack.isEmpty {
            lines.append(
                (
                    "Stays",
                    "\(count: pruning.heldBack.count, "attachment"): not everything that may refer to them can be read"
                ))
        }
        return lines
    }

    private func day(_ time: Double) -> TerminalText {
        guard let local = zone.time(at: time) else { return "?" }
        return "\(trusted: local.date.dayText)"
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("messages") { json in
            json.object { json in
                json.member("read", pruning.read)
                json.member("pruned", pruning.pruned)
                json.member("stay", pruning.kept)
                json.member("aside", pruning.aside)
            }
        }
        json.member("conversations") { json in
            json.array(pruning.conversations) { json, conversation in
                json.object { json in
                    json.member("id", conversation.id.text.bytes)
                    json.member("messages", conversation.messages)
                    json.member("pruned") { json in
                        json.array(conversation.pruned) { json, message in
                            json.object { json in
                                json.member("id", message.id?.bytes)
                                json.member("time", message.time.flatMap { RFC3339.format(unixSeconds: $0) })
                            }
                        }
                    }
                }
            }
        }
        json.member("attachments") { json in
            json.array(pruning.attachments + pruning.orphans) { json, file in json.value(file.stem.bytes) }
        }
        json.member("stays") { json in
            json.array(pruning.skipped) { json, skipped in
                json.object { json in
                    json.member("file", skipped.file.path.lastComponent.bytes)
                    json.member("reason", skipped.reason.sentence)
                }
            }
        }
        json.member("heldBack") { json in
            json.array(pruning.heldBack) { json, file in json.value(file.stem.bytes) }
        }
    }
}

extension StorePruning.Skipped.Reason {
    /// Why it stays; lower case, no full stop.
    var sentence: String {
        switch self {
        case .failure(let failure): failure.reason
        case .fragments: "parts of it are no messages; \"sxkey store repair\" first"
        case .noList: "authentic, but no list of messages"
        }
    }
}
