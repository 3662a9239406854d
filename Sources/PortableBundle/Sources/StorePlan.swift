import CryptoPrimitives
import SophaxFiles
import SystemIO

/// What a first pass over a store found: every entry with its size, and where it comes from.
struct StorePlan: Sendable {
    struct Planned: Sendable {
        enum Origin: Sendable {
            /// Messages of these groups of files.
            case conversation(ConversationID, groups: [Int])
            case file(StoreFile, SealedStream.Mark)
        }

        let entry: ManifestEntry
        let origin: Origin
        /// Of a conversation.
        let sum: ConversationPieces.Sum?
    }

    /// The files of one conversation each, by name.
    let groups: [ConversationFiles]
    private(set) var entries: [Planned] = []
    private(set) var problems: [StoreSource.Problem] = []
    private(set) var omissions: [Manifest.Omission] = []
    private(set) var merged = 0

    /// The group that was read last: a file that names several conversations is read once for all of them.
    struct GroupCache: ~Copyable {
        private var place: Int?
        private var messages: [ConversationID: [StoredMessage]] = [:]

        mutating func messages(
            of id: ConversationID, in files: ConversationFiles, at place: Int, _ reader: inout ConversationReader
        ) -> [StoredMessage] {
            if self.place != place {
                // Before the next one is read: there is memory for one.
                messages = [:]
                messages = Dictionary(
                    reader.read(files).byConversation.map { ($0.id, $0.messages) },
                    uniquingKeysWith: { first, _ in first })
                self.place = place
            }
            return messages[id] ?? []
        }
    }

    private enum Job: Sendable {
        case group(Int)
        case file(StoreFile, BundlePart)
    }

    private enum Outcome: Sendable {
        case group([(id: ConversationID, sum: ConversationPieces.Sum)], ConversationReader.Summary, merged: Int)
        case file(Result<SealedStream.Mark, StoreFileFailure>)
    }

    /// What opens files, made once for each thread.
    struct Worker: ~Copyable {
        var reader: ConversationReader
        var stream: SealedStream

        init(_ key: StoreSourceKey) throws(StoreFileFailure) {
            self.init(reader: try ConversationReader(key: key.key), stream: try SealedStream(key: key.key))
        }

        private init(reader: consuming ConversationReader, stream: consuming SealedStream) {
            self.reader = reader
            self.stream = stream
        }
    }

    init(
        _ folder: StoreFolder, key: StoreSourceKey, workers: Int, includesAttachments: Bool,
        progress: @Sendable (Int) -> Void
    ) throws(EntryError) {
        let groups = ConversationFiles.grouping(folder.conversations).sorted { $0.files[0].stem < $1.files[0].stem }
        self.groups = groups
        let blobs = folder.blobs.sorted { $0.stem < $1.stem }
        let attachments = includesAttachments ? folder.attachments.sorted { $0.stem < $1.stem } : []
        var jobs: [(size: Int, job: Job)] = groups.indices.map { (groups[$0].size, .group($0)) }
        jobs += blobs.map { ($0.size, .file($0, .blobs)) } + attachments.map { ($0.size, .file($0, .attachments)) }
        let order = jobs.indices.sorted { jobs[$0].size > jobs[$1].size }
        let outcomes: [(Int, Outcome)]
        do throws(StoreFileFailure) {
            let found = try parallelMap(
                order.map { jobs[$0].job }, workers: workers,
                makeState: { () throws(StoreFileFailure) in try Worker(key) },
                { (worker, job) throws(StoreFileFailure) in
                    let outcome = try Self.run(job, groups, &worker)
                    if case .group(let place) = job { progress(groups[place].size) }
                    if case .file(let file, _) = job { progress(file.size) }
                    return outcome
                })
            outcomes = zip(order, found).sorted { $0.0 < $1.0 }
        } catch {
            throw .storeFile(folder.messagesPath, error)
        }
        var names = EntryNames()
        try takeGroups(outcomes.prefix(groups.count).map(\.1), key, &names)
        for (job, outcome) in zip(jobs, outcomes) {
            guard case .file(let file, let part) = job.job, case .file(let result) = outcome.1 else { continue }
            take(file, part, result, &names)
        }
        problems += folder.foreign.map { StoreSource.Problem(file: $0, kind: .foreign) }
    }

    private static func run(
        _ job: Job, _ groups: [ConversationFiles], _ worker: inout Worker
    ) throws(StoreFileFailure) -> Outcome {
        switch job {
        case .file(let file, _):
            do throws(StoreFileFailure) {
                return .file(.success(try worker.stream.judge(file.path)))
            } catch {
                return .file(.failure(error))
            }
        case .group(let place):
            let content = worker.reader.read(groups[place])
            var sums: [(id: ConversationID, sum: ConversationPieces.Sum)] = []
            var sink = IgnoredEntries()
            for (id, messages) in content.byConversation {
                var pieces = ConversationPieces()
                do throws(EntryError) { try pieces.send(messages, to: &sink) } catch { throw .cipher }
                sums.append((id, pieces.finish()))
            }
            return .group(sums, content.summary, merged: content.merged)
        }
    }

    private mutating func takeGroups(
        _ outcomes: [Outcome], _ key: StoreSourceKey, _ names: inout EntryNames
    ) throws(EntryError) {
        var order: [ConversationID] = []
        var places: [ConversationID: [Int]] = [:]
        var sums: [ConversationID: ConversationPieces.Sum] = [:]
        for (place, outcome) in outcomes.enumerated() {
            guard case .group(let found, let summary, let merged) = outcome else { continue }
            self.merged += merged
            take(summary)
            for (id, sum) in found {
                if places[id] == nil { order.append(id) }
                places[id, default: []].append(place)
                sums[id] = sum
            }
        }
        for id in order {
            let own = places[id] ?? []
            if own.count > 1 { sums[id] = try sum(of: id, in: own, key) }
            guard let sum = sums[id] else { continue }
            let entry = ManifestEntry(
                name: names.name(for: id.text, in: .conversations), size: sum.size, sha256: sum.sha256,
                content: .conversation(id, .ios, messages: sum.messages))
            entries.append(Planned(entry: entry, origin: .conversation(id, groups: own), sum: sum))
        }
    }

    /// A conversation that several groups of files name.
    private func sum(
        of id: ConversationID, in places: [Int], _ key: StoreSourceKey
    ) throws(EntryError) -> ConversationPieces.Sum {
        var pieces = ConversationPieces(isInSeveral: true)
        var cache = GroupCache()
        var sink = IgnoredEntries()
        var worker: Worker
        do throws(StoreFileFailure) {
            worker = try Worker(key)
        } catch {
            throw .storeFile(groups[places[0]].files[0].path, error)
        }
        for place in places {
            try pieces.send(group: cache.messages(of: id, in: groups[place], at: place, &worker.reader), to: &sink)
        }
        return pieces.finish()
    }

    private mutating func take(_ summary: ConversationReader.Summary) {
        for (file, failure) in summary.failures {
            problems.append(.init(file: file, kind: .failure(failure)))
            omissions.append(.init(.conversations, .unreadable, item: file.stem))
        }
        var files: [StoreFile] = []
        for (file, _) in summary.problems where !files.contains(file) { files.append(file) }
        for (number, file) in files.enumerated() {
            let own = summary.problems.filter { $0.file == file }.map(\.problem)
            // Losses beyond the listed ones are of one of the files; which one is not known.
            let lost = own.count(where: \.losesMessage) + (number == 0 ? summary.unlistedLosses : 0)
            problems.append(.init(file: file, kind: .text(problems: own, lost: lost)))
            if lost > 0 { omissions.append(.init(.conversations, .unreadable, item: file.stem)) }
        }
    }

    private mutating func take(
        _ file: StoreFile, _ part: BundlePart, _ result: Result<SealedStream.Mark, StoreFileFailure>,
        _ names: inout EntryNames
    ) {
        switch result {
        case .failure(let failure):
            problems.append(.init(file: file, kind: .failure(failure)))
            omissions.append(.init(part, .unreadable, item: file.stem))
        case .success(let mark):
            let entry = ManifestEntry(
                name: names.name(for: file.stem, in: part), size: mark.size,
                content: part == .blobs ? .blob(file.stem) : .attachment(file.stem))
            entries.append(Planned(entry: entry, origin: .file(file, mark), sum: nil))
        }
    }
}
