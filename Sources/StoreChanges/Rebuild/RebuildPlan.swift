import CryptoPrimitives
import SophaxFiles
import SystemIO

/// A conversation's file and the name that it shall have.
struct Placement: Sendable {
    let report: StoreFileReport
    /// Without `.enc`.
    let stem: ByteText
    /// The conversation of messages in it that name none.
    let conversation: ConversationID
    /// Its list has to be looked at for changes, whatever its name.
    let needsWork: Bool
}

/// Which lists are written anew out of which files, and what stands beside them. Nothing is written by making one.
package struct RebuildPlan: Sendable {
    /// One list of the new folder that is not a file of the old one as it stands.
    package struct List: Sendable {
        package let conversation: ConversationID
        /// The name without `.enc`.
        package let stem: ByteText
        package let sources: [StoreFile]
        package let counts: RebuildCounts
        /// The file only gets another name.
        package let isMove: Bool
        /// No message is left for the list: the app keeps no file then.
        package let isEmpty: Bool
    }

    package private(set) var lists: [List] = []
    /// What the lists do not hold, and what an earlier change kept.
    package private(set) var aside: [AsideEntry] = []
    /// Of `aside`, those that are new.
    package private(set) var newlyAside: [AsideEntry] = []
    /// Files that would have another name if no damaged file had it already.
    package private(set) var blocked: [StoreFile] = []
    package private(set) var files: [PlannedFile] = []

    package var counts: RebuildCounts {
        var sum = RebuildCounts()
        for list in lists { sum.add(list.counts) }
        return sum
    }

    /// `taken` are names that files have which cannot be opened: these stay.
    init(
        _ placements: [Placement], _ rules: RebuildRules, in unit: ChangeUnit, taken: Set<ByteText>, key: SharedKey,
        workers: Int
    ) throws(ChangeStepFailure) {
        var groups: [ByteText: [Placement]] = [:]
        for placement in placements {
            let own = placement.report.file.stem
            if placement.stem != own, taken.contains(placement.stem) {
                blocked.append(placement.report.file)
                groups[own, default: []].append(placement)
            } else {
                groups[placement.stem, default: []].append(placement)
            }
        }
        let jobs = groups.sorted { $0.key < $1.key }.compactMap { stem, placements in
            Job(stem: stem, placements: placements, rules: rules)
        }
        let results = try Self.results(of: jobs, key, workers)
        for (job, result) in zip(jobs, results) { add(job, result, unit) }
        try addAside(unit, key)
    }

    private struct Job: Sendable {
        let stem: ByteText
        let rebuild: ConversationRebuild

        /// Nil where the only file stays as it is.
        init?(stem: ByteText, placements: [Placement], rules: RebuildRules) {
            let first = placements[0]
            let stays = placements.count == 1 && first.report.file.stem == stem
            if stays, !first.needsWork { return nil }
            let ordered = placements.sorted { one, other in
                let (left, right) = (one.report.tally.firstTime ?? .infinity, other.report.tally.firstTime ?? .infinity)
                return left != right ? left < right : one.report.file.stem < other.report.file.stem
            }
            self.stem = stem
            rebuild = ConversationRebuild(ordered.map(\.report.file), guess: first.conversation, rules: rules)
        }

        var size: Int { rebuild.sources.reduce(0) { $0 + $1.size } }
    }

    private static func results(
        of jobs: [Job], _ key: SharedKey, _ workers: Int
    ) throws(ChangeStepFailure) -> [ConversationRebuild.Result] {
        try parallelMap(
            jobs, workers: workers,
            makeState: { () throws(ChangeStepFailure) in try reader(key) },
            { (reader, job) throws(ChangeStepFailure) in
                var result = try job.rebuild.make(&reader)
                // Made again when it is written: a plan does not hold a whole store.
                result.text = []
                return result
            })
    }

    static func reader(_ key: SharedKey) throws(ChangeStepFailure) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key.bytes)
        } catch {
            throw .other("no memory to read files with")
        }
    }

    private mutating func add(_ job: Job, _ result: ConversationRebuild.Result, _ unit: ChangeUnit) {
        let sources = job.rebuild.sources
        let name = FilePath(bytes: job.stem.bytes + Array(".enc".utf8))
        let target = unit.messagePlace(name)
        let places = sources.map { unit.place(of: $0) }
        let isMove = result.isUnchanged && sources.count == 1
        if isMove, places[0] == target { return }
        let isEmpty = result.counts.written == 0 && result.counts.read + result.counts.fragments > 0
        if isMove {
            files.append(PlannedFile(target, .reseal(from: sources[0])))
        } else if isEmpty {
            files += places.map { PlannedFile($0, .leaveOut(reason: "all of it is kept aside")) }
        } else {
            files.append(PlannedFile(target, .write(job.rebuild.produced, replacing: places)))
        }
        newlyAside += result.aside
        lists.append(
            List(
                conversation: job.rebuild.guess, stem: job.stem, sources: sources, counts: result.counts,
                isMove: isMove, isEmpty: isEmpty))
    }

    // MARK: - Beside the lists

    /// Puts what is aside into its file, with what an earlier change put there.
    private mutating func addAside(_ unit: ChangeUnit, _ key: SharedKey) throws(ChangeStepFailure) {
        let old = unit.store.blobs.first { $0.kind == .blob(.refusedMessages) }
        var kept: [AsideEntry] = []
        if let old {
            do throws(StoreFileFailure) {
                var reader = try StoreFileReader(key: key.bytes)
                guard let entries = AsideList.entries(try reader.bytes(of: old)) else {
                    if newlyAside.isEmpty { return }
                    throw StoreFileFailure.notAuthentic
                }
                kept = entries
            } catch {
                if newlyAside.isEmpty { return }
                throw .source(old, error)
            }
        }
        aside = kept.joined(with: newlyAside)
        newlyAside = Array(aside.dropFirst(kept.count))
        guard !newlyAside.isEmpty else { return }
        let entries = aside
        let text = ProducedText(
            produce: { (_) throws(ChangeStepFailure) in AsideList.text(entries) },
            check: { (_, text) throws(ChangeStepFailure) in
                guard let back = AsideList.entries(text.indices.map { text[$0] }),
                    back.map(\.source) == entries.map(\.source)
                else { throw .differs("what is kept aside does not read back") }
            })
        let name = FilePath(BlobKind.refusedMessages.rawValue + ".enc")
        files.append(
            PlannedFile(unit.messagePlace(name), .write(text, replacing: old.map { [unit.place(of: $0)] } ?? [])))
    }
}
