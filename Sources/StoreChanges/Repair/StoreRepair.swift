import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Plans what of a store can be mended with proof.
///
/// What is authentic and no strict JSON is written as strict JSON; messages that stand twice become one; files under a name
/// that is not their conversation's get the right one; a nonce that was used twice is replaced; and damage whose undoing the
/// file's own tag proves is undone. Everything else stays as it is, and is listed.
package struct StoreRepair: Sendable {
    /// One thing that is done.
    package struct Step: Sendable {
        package enum Kind: Sendable {
            case undone(BoxRemedy)
            /// Lists are written anew; see `RebuildPlan.List`.
            case list(RebuildPlan.List)
            /// Encrypted again under a nonce of its own; the other file that had it.
            case freshNonce(other: StoreFile)
        }
        /// The first one, of several.
        package let file: StoreFile
        package let kind: Kind
    }

    package let unit: ChangeUnit
    package private(set) var steps: [Step] = []
    package private(set) var files: [PlannedFile] = []
    package let rebuild: RebuildPlan
    /// Files that cannot be opened and for which there is no remedy: "store salvage" is for these.
    package private(set) var damaged: [(file: StoreFile, failure: StoreFileFailure)] = []
    /// Files that a crash left, as their names tell.
    package let leftovers: [StoreFile]
    /// Authentic files that are no list of messages.
    package let noLists: [StoreFile]
    /// What the survey found that no repair can bring back.
    package let missingAttachments: [Finding]
    package let missingAttachmentCount: Int

    package var isDone: Bool { files.isEmpty }
    /// After it, everything is as it should be as far as it can be proven.
    package var leavesNothing: Bool {
        damaged.isEmpty && noLists.isEmpty && missingAttachmentCount == 0 && rebuild.newlyAside.isEmpty
            && rebuild.blocked.isEmpty
    }

    /// - Parameter report: a survey of the unit's store, attachments included.
    package init(
        _ unit: ChangeUnit, _ report: StoreReport, key: SharedKey, workers: Int
    ) throws(ChangeStepFailure) {
        self.unit = unit
        let conversations = report.conversations.flatMap(\.files)
        leftovers = unit.store.foreign.filter { LeftoverName.matches($0.path.lastComponent) }
        noLists = conversations.filter { $0.isAuthentic && $0.outcome == .notMessages }.map(\.file)
        missingAttachments = report.findings.examples[.missingAttachment] ?? []
        missingAttachmentCount = report.findings.count(.missingAttachment)
        let lists = conversations.filter { $0.isAuthentic && $0.outcome != .notMessages }
        let placements = lists.map(Self.placement)
        let others = conversations.filter { !$0.isAuthentic || $0.outcome == .notMessages }
        rebuild = try RebuildPlan(
            placements, RebuildRules(forNewestApp: false), in: unit, taken: Set(others.map(\.file.stem)), key: key,
            workers: workers)
        files = rebuild.files
        steps = rebuild.lists.map { Step(file: $0.sources[0], kind: .list($0)) }
        freshen(report)
        try cure(report, key)
    }

    /// A file whose messages all name one conversation belongs to that one, whatever it is called (formats section 6.1.1).
    private static func placement(_ report: StoreFileReport) -> Placement {
        let own = report.file.stem
        let guess = ConversationID(guessedFrom: own)
        let needsWork = report.outcome?.isSound == false || report.tally.findings.count(.duplicateID) > 0
        let stays = Placement(report: report, stem: own, conversation: guess, needsWork: needsWork)
        let named = report.tally.conversations
        guard named.count == 1, named[0].messages == report.tally.messages else { return stays }
        let conversation = named[0].id
        let right = StoreNameRule.v1.stem(for: conversation)
        let isCalledSo = StoreNameRule.allCases.contains { $0.stem(for: conversation) == own }
        // A name must be one that the file system takes.
        guard !isCalledSo, !right.bytes.isEmpty, right.bytes.count <= 250, !right.bytes.contains(0) else {
            return stays
        }
        return Placement(report: report, stem: right, conversation: conversation, needsWork: needsWork)
    }

    // MARK: - Nonces

    private mutating func freshen(_ report: StoreReport) {
        let mended = Set(rebuild.lists.filter { !$0.isMove }.flatMap(\.sources).map(\.path))
        var first: [[UInt8]: StoreFileReport] = [:]
        for file in report.allFiles where file.isAuthentic {
            guard let other = first[file.nonce] else {
                first[file.nonce] = file
                continue
            }
            let isCopy = other.tag == file.tag && other.file.size == file.file.size
            guard !isCopy, !mended.contains(file.file.path), !mended.contains(other.file.path) else { continue }
            let source = file.file
            let place = unit.place(of: source)
            let moved = files.firstIndex { planned in
                if case .reseal(let from, _) = planned.action { from.path == source.path } else { false }
            }
            let target = moved.map { files[$0].target } ?? place
            if let moved { files.remove(at: moved) }
            files.append(PlannedFile(target, .write(Self.same(source), replacing: [place])))
            steps.append(Step(file: source, kind: .freshNonce(other: other.file)))
        }
    }

    private static func same(_ file: StoreFile) -> ProducedText {
        ProducedText(
            produce: { (reader) throws(ChangeStepFailure) in
                do throws(StoreFileFailure) { return try reader.bytes(of: file) } catch { throw .source(file, error) }
            })
    }

    // MARK: - Damage

    private mutating func cure(_ report: StoreReport, _ key: SharedKey) throws(ChangeStepFailure) {
        let lists = Set(report.conversations.flatMap(\.files).map(\.file.path))
        let failing = report.allFiles.compactMap { file in file.failure.map { (file: file.file, failure: $0) } }
        guard !failing.isEmpty else { return }
        var doctor = try Self.doctor(key)
        for (file, failure) in failing {
            let isList = lists.contains(file.path)
            guard failure == .notAuthentic, let found = try doctor.text(of: file, isList: isList) else {
                damaged.append((file, failure))
                continue
            }
            let text = ProducedText(
                produce: { (_) throws(ChangeStepFailure) in
                    var doctor = try Self.doctor(key)
                    guard let again = try doctor.text(of: file, isList: isList) else {
                        throw .source(file, .notAuthentic)
                    }
                    return again.text
                })
            let place = unit.place(of: file)
            files.append(PlannedFile(place, .write(text, replacing: [place])))
            steps.append(Step(file: file, kind: .undone(found.remedy)))
        }
    }

    private static func doctor(_ key: SharedKey) throws(ChangeStepFailure) -> BoxDoctor {
        do throws(AEADError) { return try BoxDoctor(key: key.bytes) } catch {
            throw .other("the cipher of libcrypto failed")
        }
    }
}
