import CryptoPrimitives
import JSONCoding
import SophaxFiles
import StoreChanges
import SystemIO

/// Puts the messages and attachments of a bundle into the folder of a store that is being made, or changed; without a folder
/// it only finds out what would become of them.
///
/// Attachments go through in pieces; a conversation is in memory as a whole, one at a time.
@safe
package struct RestoreSink: EntrySink, ~Copyable {
    private let targets: RestoreTargets
    /// Entries in the order of the manifest come one after the other.
    private var next = 0
    /// Lent for as long as entries come.
    private let folder: UnsafeMutablePointer<FolderAddition>?
    private var present: PresentStore?
    private let progress: (Int) -> Void
    /// Unix seconds for messages of Android without a time.
    private let readAt: Double
    package private(set) var result = RestoredStore()
    /// What stopped it, when that was the new folder.
    package private(set) var failure: ChangeError?

    private enum Mode {
        case nothing
        /// Pieces go straight into the file.
        case through
        /// Pieces are compared with a file that is there.
        case comparing
        case collecting
    }
    private var mode = Mode.nothing
    private var text: [UInt8] = []
    private var hash: HashSink?
    /// Earlier conversations that go into one file with those to come.
    private var waiting: [FilePath: [RestoredConversation]] = [:]

    /// - Parameter present: the store that the bundle is merged into.
    init(
        _ targets: RestoreTargets, _ manifest: Manifest, into folder: UnsafeMutablePointer<FolderAddition>?,
        present: consuming PresentStore? = nil, readAt: Double, progress: @escaping (Int) -> Void
    ) {
        self.targets = targets
        self.readAt = readAt
        self.progress = progress
        self.present = present
        unsafe self.folder = folder
        result.refused = targets.refused.map { (manifest.entries[$0.entry].name, $0.reason) }
    }

    package mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
        text.removeAll(keepingCapacity: true)
        mode = .nothing
        guard let file = targets.file(ofEntry: next) else { return }
        if file.part == .conversations {
            mode = .collecting
        } else if present?.file(file) != nil {
            mode = .comparing
            hash = HashSink()
        } else if let path = place(of: file) {
            mode = .through
            try change { (folder) throws(ChangeError) in try folder.begin(path) }
        } else {
            result.refused.append((entry.name, "the store has no folder for attachments"))
        }
    }

    package mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        progress(bytes.count)
        switch mode {
        case .nothing: return
        case .collecting: unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        case .comparing: hash?.take(bytes)
        case .through: try change { (folder) throws(ChangeError) in try folder.add(bytes) }
        }
    }

    package mutating func end(_ entry: ManifestEntry) throws(EntryError) {
        let index = next
        next += 1
        guard let file = targets.file(ofEntry: index) else { return }
        switch mode {
        case .nothing: return
        case .through:
            try change { (folder) throws(ChangeError) in try folder.end() }
            if file.part == .attachments { result.attachments += 1 } else { result.blobs += 1 }
        case .comparing:
            let sum = hash.take()?.finish()
            if let sum, present?.sum(of: file) == sum {
                result.same += 1
            } else {
                result.different.append(entry.id ?? ByteText(entry.name))
            }
        case .collecting: try finish(entry, file, isLast: file.entries.last == index)
        }
    }

    /// Where a file is in the folder that is made; nil where it has no place.
    private func place(of file: RestoreTargets.File) -> FilePath? {
        switch present {
        case .some(let present): present.place(of: file)
        case nil: file.path
        }
    }

    private mutating func finish(
        _ entry: ManifestEntry, _ file: RestoreTargets.File, isLast: Bool
    ) throws(EntryError) {
        guard case .conversation(let id, let platform, let declared) = entry.content else { return }
        var lines: [UInt8] = []
        swap(&lines, &text)
        let read: RestoredConversation
        do throws(OutOfMemory) {
            read = try RestoredConversation(lines, of: id, platform: platform, readAt: readAt, &result)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        let lost = max(declared - read.found, read.lost)
        if lost > 0 { result.lost.append((entry.name, lost)) }
        if present?.isBlocked(file) == true {
            result.blocked.append(id)
            return
        }
        result.conversations += 1
        var all = waiting.removeValue(forKey: file.path) ?? []
        all.append(read)
        guard isLast else {
            waiting[file.path] = all
            return
        }
        var list = AppMessageList(reservingBytes: lines.count)
        if present != nil {
            try merge(all, file, into: &list)
        } else {
            for conversation in all { conversation.append(to: &list, &result) }
        }
        guard let path = place(of: file) else { return }
        let json = list.finished()
        try change { (folder) throws(ChangeError) in
            try folder.begin(path)
            try folder.add(json.span)
            try folder.end()
        }
    }

    /// Unites the messages with those of the store, which come first.
    private mutating func merge(
        _ new: [RestoredConversation], _ file: RestoreTargets.File, into list: inout AppMessageList
    ) throws(EntryError) {
        guard let last = new.last else { return }
        let old = present?.conversation(file)
        // Its files go: what cannot be read a second time would go with them.
        if let failed = old?.failures.first {
            failure = .step(failed.file.path, .source(failed.file, failed.failure))
            throw .stopped
        }
        let peerIDs = present?.peerIDs
        let merge = MessageMerge(
            MessageMerge.Side(
                old?.messages ?? [], isStrict: old?.isStrict ?? true, conversation: old?.guess ?? last.id),
            MessageMerge.Side(
                new.flatMap(\.messages), isStrict: new.allSatisfy(\.isStrict), conversation: last.id),
            peerIDs: peerIDs)
        for item in merge.items { list.append(item.json) }
        result.merge += merge.counts
        result.conflicts += merge.conflicts
    }

    private mutating func change(
        _ body: (inout FolderAddition) throws(ChangeError) -> Void
    ) throws(EntryError) {
        guard let folder = unsafe folder else { return }
        do throws(ChangeError) {
            try unsafe body(&folder.pointee)
        } catch {
            failure = error
            throw .stopped
        }
    }
}

extension RestoreSink {
    /// Sends a bundle into a folder that is being made. What is wrong with the bundle is in `failure`, and stops the change.
    static func fill<Source: EntrySource>(
        _ addition: inout FolderAddition, from source: Source, _ targets: RestoreTargets,
        present: consuming PresentStore? = nil, readAt: Double, progress: @escaping (Int) -> Void,
        failure: inout EntryError?
    ) throws(ChangeError) -> RestoredStore {
        var found = RestoredStore()
        var stopped: ChangeError?
        var problem: EntryError?
        var store = Optional(consume present)
        unsafe withUnsafeMutablePointer(to: &addition) { folder in
            var sink = unsafe RestoreSink(
                targets, source.manifest, into: folder, present: store.take() ?? nil, readAt: readAt,
                progress: progress)
            do throws(EntryError) {
                try source.send(to: &sink)
            } catch {
                problem = error
            }
            stopped = sink.failure
            found = sink.result
        }
        if let stopped { throw stopped }
        if let problem {
            failure = problem
            throw .step("", .other("the bundle could not be read"))
        }
        return found
    }

    /// What would become of a bundle: it is read to its end, and nothing is written.
    static func plan<Source: EntrySource>(
        _ source: Source, _ targets: RestoreTargets, present: consuming PresentStore? = nil, readAt: Double,
        progress: @escaping (Int) -> Void
    ) throws(EntryError) -> RestoredStore {
        var sink = unsafe RestoreSink(
            targets, source.manifest, into: nil, present: present, readAt: readAt, progress: progress)
        try source.send(to: &sink)
        return sink.result
    }
}
