import JSONCoding
import SophaxFiles
import SystemIO

/// Plans which messages and attachments of a store go.
///
/// An attachment goes only when nothing that stays refers to it, and only when everything that might was read.
package struct StorePruning: Sendable {
    /// What goes of one conversation.
    package struct Conversation: Sendable {
        package let id: ConversationID
        package var pruned: [PrunedMessage]
        /// Its messages before.
        package var messages: Int
    }

    /// Why a file that may hold messages of the selection stays as it is.
    package struct Skipped: Sendable {
        package enum Reason: Sendable {
            case failure(StoreFileFailure)
            /// Parts of it are no messages: what they are of cannot be told.
            case fragments
            case noList
        }
        package let file: StoreFile
        package let reason: Reason
    }

    package let unit: ChangeUnit
    package private(set) var conversations: [Conversation] = []
    package private(set) var skipped: [Skipped] = []
    /// Attachments that go because only messages that go referred to them.
    package private(set) var attachments: [StoreFile] = []
    /// Attachments that go because nothing referred to them anyway.
    package private(set) var orphans: [StoreFile] = []
    /// Attachments that would go if everything could be read.
    package private(set) var heldBack: [StoreFile] = []
    /// Entries that go of what an earlier change kept aside.
    package private(set) var aside = 0
    package private(set) var files: [PlannedFile] = []
    /// Messages that were read, and that stay.
    package private(set) var read = 0
    package private(set) var kept = 0

    package var pruned: Int { conversations.reduce(0) { $0 + $1.pruned.count } }
    package var isDone: Bool { files.isEmpty }

    /// - Parameter report: a survey of the unit's store, attachments left out.
    package init(
        _ unit: ChangeUnit, _ report: StoreReport, _ selection: PruneSelection, orphanedAttachments: Bool,
        key: SharedKey, workers: Int
    ) throws(ChangeStepFailure) {
        self.unit = unit
        let reports = report.conversations.flatMap(\.files)
        var mayReferToAnything = false
        for file in reports {
            if let failure = file.failure {
                mayReferToAnything = true
                let id = ConversationID(guessedFrom: file.file.stem)
                if !selection.isEmpty, selection.takes(id) {
                    skipped.append(Skipped(file: file.file, reason: .failure(failure)))
                }
            } else if file.outcome == .notMessages {
                mayReferToAnything = true
                let id = ConversationID(guessedFrom: file.file.stem)
                if !selection.isEmpty, selection.takes(id) {
                    skipped.append(Skipped(file: file.file, reason: .noList))
                }
            }
        }
        // What a merge or an app left beside the lists, such as x.enc.unproven, is no list that anybody reads.
        if unit.store.foreign.contains(where: { Self.mayHoldMessages($0, unit) }) { mayReferToAnything = true }
        let jobs = reports.filter { $0.isAuthentic && $0.outcome != .notMessages }
            .map { FilePruning(file: $0.file, selection: selection) }
        let results = try Self.results(of: jobs, key, workers)
        var going: Set<ByteText> = []
        var staying: Set<ByteText> = []
        for (job, result) in zip(jobs, results) {
            read += result.prunedCount + result.kept
            let isSkipped = result.hasFragments && !result.isGone && result.prunedCount > 0
            if isSkipped { skipped.append(Skipped(file: job.file, reason: .fragments)) }
            if result.hasFragments, !result.isGone { mayReferToAnything = true }
            staying.formUnion(result.keptAttachments)
            if isSkipped {
                staying.formUnion(result.prunedAttachments)
                kept += result.prunedCount + result.kept
                continue
            }
            kept += result.kept
            going.formUnion(result.prunedAttachments)
            add(result)
            let place = unit.place(of: job.file)
            if result.isGone {
                files.append(PlannedFile(place, .leaveOut(reason: "all its messages go")))
            } else if result.prunedCount > 0 {
                files.append(PlannedFile(place, .write(job.produced, replacing: [place])))
            }
        }
        try pruneAside(selection, key, &going, &staying, &mayReferToAnything)
        // Apps write ids in capitals or not; one that differs in that alone is taken for the same.
        let needed = Set(staying.map(\.folded))
        pruneAttachments(going.filter { !needed.contains($0.folded) }, unless: mayReferToAnything)
        if orphanedAttachments {
            let referred = needed.union(going.map(\.folded))
            let free = unit.store.attachments.filter { !referred.contains($0.stem.folded) }
            if mayReferToAnything {
                heldBack += free
            } else {
                orphans = free
                files += free.map { PlannedFile(unit.place(of: $0), .leaveOut(reason: "nothing refers to it")) }
            }
        }
        conversations.sort { $0.pruned.count != $1.pruned.count ? $0.pruned.count > $1.pruned.count : $0.id < $1.id }
    }

    private static func mayHoldMessages(_ file: StoreFile, _ unit: ChangeUnit) -> Bool {
        let name = file.path.lastComponent.bytes
        return file.path.parent == unit.store.messagesPath
            && !name.split(separator: UInt8(ascii: ".")).dropFirst()
                .filter { $0.elementsEqual("enc".utf8) }.isEmpty
    }

    private static func results(
        of jobs: [FilePruning], _ key: SharedKey, _ workers: Int
    ) throws(ChangeStepFailure) -> [FilePruning.Result] {
        try parallelMap(
            jobs, workers: workers,
            makeState: { () throws(ChangeStepFailure) in try RebuildPlan.reader(key) },
            { (reader, job) throws(ChangeStepFailure) in try job.look(&reader) })
    }

    /// A conversation may be spread over several files.
    private mutating func add(_ result: FilePruning.Result) {
        for (id, pruned) in result.pruned {
            let before = result.before[id] ?? 0
            if let index = conversations.firstIndex(where: { $0.id == id }) {
                conversations[index].pruned += pruned
                conversations[index].messages += before
            } else {
                conversations.append(Conversation(id: id, pruned: pruned, messages: before))
            }
        }
    }

    private mutating func pruneAttachments(_ going: Set<ByteText>, unless uncertain: Bool) {
        let there = unit.store.attachments.filter { going.contains($0.stem) }
        if uncertain {
            heldBack += there
        } else {
            attachments = there
            files += there.map { PlannedFile(unit.place(of: $0), .leaveOut(reason: "its messages go")) }
        }
    }

    // MARK: - What an earlier change kept aside

    private mutating func pruneAside(
        _ selection: PruneSelection, _ key: SharedKey, _ going: inout Set<ByteText>, _ staying: inout Set<ByteText>,
        _ mayReferToAnything: inout Bool
    ) throws(ChangeStepFailure) {
        guard let file = unit.store.blobs.first(where: { $0.kind == .blob(.refusedMessages) }) else { return }
        var reader = try RebuildPlan.reader(key)
        guard let text = try? reader.bytes(of: file), let entries = AsideList.entries(text) else {
            mayReferToAnything = true
            return
        }
        var left: [AsideEntry] = []
        for entry in entries {
            let messages: [StoredMessage]
            do {
                messages = try reader.messages(in: PlaintextBuffer(copying: [0x5B] + entry.source + [0x5D])).messages
            } catch {
                throw .source(file, .cipher)
            }
            let takes =
                messages.count == 1
                ? selection.takes(messages[0], in: entry.conversation)
                : selection.isByConversation && selection.takes(entry.conversation)
            let names = messages.compactMap { $0.text(.attachmentID).map { attachmentFileName(for: $0.byteText) } }
            if takes {
                going.formUnion(names)
                aside += 1
            } else {
                staying.formUnion(names)
                if messages.count != 1 { mayReferToAnything = true }
                left.append(entry)
            }
        }
        guard aside > 0 else { return }
        let place = unit.place(of: file)
        if left.isEmpty {
            files.append(PlannedFile(place, .leaveOut(reason: "all its messages go")))
            return
        }
        let rest = left
        let produced = ProducedText(produce: { (_) throws(ChangeStepFailure) in AsideList.text(rest) })
        files.append(PlannedFile(place, .write(produced, replacing: [place])))
    }
}

extension ByteText {
    /// With small ASCII letters.
    fileprivate var folded: [UInt8] { bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
}
