import CryptoPrimitives
import SophaxFiles

/// Two bundles as one: what either has, each thing once.
///
/// Both are read once here, for the manifest stands before everything else: documents and messages stay in memory, attachments
/// pass and leave their hashes. Sending reads the sources a second time, for the attachments alone.
package struct MergedSource<First: EntrySource, Second: EntrySource>: EntrySource {
    package let manifest: Manifest
    package let report: MergeReport
    private let first: First
    private let second: Second
    private let documents: [HeldDocument]
    private let texts: [HeldText]
    /// Of each side: the attachments that are taken from it, by their name there.
    private let taken: (first: [String: ManifestEntry], second: [String: ManifestEntry])

    /// Reads both. `createdAt` in Unix seconds and `creator` are those of the new bundle.
    package init(_ first: First, _ second: Second, createdAt: Double, creator: String) throws(MergeError) {
        try Self.checkOwners(first.manifest.owner, second.manifest.owner)
        let (mine, theirs) = (
            try MergeContent.read(first, isFirst: true), try MergeContent.read(second, isFirst: false)
        )
        let isSecondNewer = second.manifest.createdAt > first.manifest.createdAt
        var report = MergeReport()
        for (content, isFirst) in [(mine, true), (theirs, false)] {
            report.notMerged += content.unknown.map { .init(name: $0.name, bytes: $0.size, isFirst: isFirst) }
        }
        var names = EntryNames()
        do throws(EntryError) {
            documents = try Self.documents(mine, theirs, isSecondNewer, &report)
            texts =
                try ConversationMerge.merged(mine, theirs, &names, &report)
                + Self.blobs(mine, theirs, isSecondNewer, &names, &report)
        } catch {
            throw .entries(error, isFirst: true)
        }
        let files = Self.files(mine, theirs, &names, &report)
        self.first = first
        self.second = second
        self.report = report
        taken = (files.first, files.second)
        manifest = Manifest(
            createdAt: createdAt, creator: creator, owner: Self.owner(first.manifest, second.manifest, isSecondNewer),
            entries: documents.map(\.entry) + texts.map(\.entry) + files.entries,
            notIncluded: Self.omissions(first.manifest, second.manifest))
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        for document in documents { try document.send(to: &sink) }
        for text in texts { try sink.send(text.entry, text.bytes.span) }
        if !taken.first.isEmpty { try RenamingSink.send(first, only: taken.first, to: &sink) }
        if !taken.second.isEmpty { try RenamingSink.send(second, only: taken.second, to: &sink) }
    }

    // MARK: Whose it is

    /// Two identities are two people, as far as a bundle can tell (fault L6).
    private static func checkOwners(_ first: Manifest.Owner, _ second: Manifest.Owner) throws(MergeError) {
        if let mine = first.fingerprint, let theirs = second.fingerprint, mine != theirs {
            throw .otherIdentity(mine, theirs)
        }
    }

    private static func owner(_ first: Manifest, _ second: Manifest, _ isSecondNewer: Bool) -> Manifest.Owner {
        let (newer, older) = isSecondNewer ? (second.owner, first.owner) : (first.owner, second.owner)
        return Manifest.Owner(name: newer.name ?? older.name, fingerprint: newer.fingerprint ?? older.fingerprint)
    }

    /// What neither has.
    private static func omissions(_ first: Manifest, _ second: Manifest) -> [Manifest.Omission] {
        let parts = first.parts.union(second.parts)
        var all: [Manifest.Omission] = []
        var seen: Set<[ByteText?]> = []
        for omission in first.notIncluded + second.notIncluded {
            if omission.item == nil, parts.contains(omission.part) { continue }
            if seen.insert([ByteText(omission.part.rawValue), omission.item]).inserted { all.append(omission) }
        }
        return all
    }

    // MARK: What is in it

    private static func documents(
        _ first: MergeContent, _ second: MergeContent, _ isSecondNewer: Bool, _ report: inout MergeReport
    ) throws(EntryError) -> [HeldDocument] {
        var held: [HeldDocument] = []
        let people = PeopleMerge(isSecondNewer: isSecondNewer)
        for part in BundlePart.allCases where part.isSecret {
            let (mine, theirs) = (first.documents[part], second.documents[part])
            let head = people.merged(mine?.head, theirs?.head, &report)
            let merge = ItemMerge(part: part, first: mine, second: theirs, isSecondNewer: isSecondNewer)
            if let text = try merge.merged(head: head, &report) { held.append(try HeldDocument(part, text)) }
        }
        return held
    }

    /// What waits beside the conversations: one file of a name, so the newer bundle's counts, and the other is noted.
    private static func blobs(
        _ first: MergeContent, _ second: MergeContent, _ isSecondNewer: Bool, _ names: inout EntryNames,
        _ report: inout MergeReport
    ) -> [HeldText] {
        var held: [HeldText] = []
        for id in Set(first.blobs.keys).union(second.blobs.keys).sorted() {
            let (mine, theirs) = (first.blobs[id], second.blobs[id])
            if mine == theirs {
                report[.blobs].same += 1
            } else if theirs == nil {
                report[.blobs].fromFirst += 1
            } else if mine == nil {
                report[.blobs].fromSecond += 1
            } else {
                report[.blobs].updated += 1
                report.note(
                    .blobs, id, "that of the \(isSecondNewer ? "second" : "first") bundle, which is newer, is taken")
            }
            let bytes = (isSecondNewer ? theirs ?? mine : mine ?? theirs) ?? []
            held.append(HeldText(name: names.name(for: id, in: .blobs), bytes: bytes, content: .blob(id)))
        }
        return held
    }

    private static func files(
        _ first: MergeContent, _ second: MergeContent, _ names: inout EntryNames, _ report: inout MergeReport
    ) -> (first: [String: ManifestEntry], second: [String: ManifestEntry], entries: [ManifestEntry]) {
        var (mine, theirs): ([String: ManifestEntry], [String: ManifestEntry]) = ([:], [:])
        var entries: [ManifestEntry] = []
        var ids = Set(first.attachments.keys).union(second.attachments.keys)
        func entry(_ id: ByteText, _ file: MergeContent.File) -> ManifestEntry {
            ManifestEntry(
                name: names.name(for: id, in: .attachments), size: file.entry.size, sha256: file.sha256,
                content: .attachment(id))
        }
        // In the order in which each source sends them: first all of the first, then what only the second has.
        for file in first.files {
            guard case .attachment(let id) = file.entry.content else { continue }
            let new = entry(id, file)
            mine[file.entry.name] = new
            entries.append(new)
            if second.attachments[id] == nil { report[.attachments].fromFirst += 1 }
        }
        for file in second.files {
            guard case .attachment(let id) = file.entry.content else { continue }
            var name = id
            if let other = first.attachments[id] {
                if other == file.sha256 {
                    report[.attachments].same += 1
                    continue
                }
                var number = 2
                repeat {
                    name = ByteText(id.bytes + Array("~\(number)".utf8))
                    number += 1
                } while !ids.insert(name).inserted
                report[.attachments].conflicting += 1
                report.note(.attachments, id, "other bytes in the second bundle, kept as \(name.string)")
            } else {
                report[.attachments].fromSecond += 1
            }
            let new = entry(name, file)
            theirs[file.entry.name] = new
            entries.append(new)
        }
        return (mine, theirs, entries)
    }
}

/// An entry that is no secret, in memory.
struct HeldText: Sendable {
    let entry: ManifestEntry
    let bytes: [UInt8]

    init(name: String, bytes: [UInt8], content: ManifestEntry.Content) {
        self.bytes = bytes
        entry = ManifestEntry(name: name, size: bytes.count, sha256: SHA256.hash(bytes.span), content: content)
    }
}

/// Hands some entries of a source on under other names.
@safe
private struct RenamingSink<Target: EntrySink & ~Copyable>: EntrySink {
    /// Lent for one pass: a sink that cannot be copied cannot be put into another one and taken out again.
    private let target: UnsafeMutablePointer<Target>
    private let names: [String: ManifestEntry]
    private var current: ManifestEntry?

    private init(_ target: UnsafeMutablePointer<Target>, _ names: [String: ManifestEntry]) {
        unsafe self.target = target
        self.names = names
    }

    static func send(
        _ source: some EntrySource, only names: [String: ManifestEntry], to target: inout Target
    ) throws(EntryError) {
        try unsafe withUnsafeMutablePointer(to: &target) { (target) throws(EntryError) in
            var sink = unsafe RenamingSink(target, names)
            try source.send(to: &sink)
        }
    }

    mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
        current = names[entry.name]
        if let current { try unsafe target.pointee.begin(current) }
    }

    mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        if current != nil { try unsafe target.pointee.take(bytes) }
    }

    mutating func end(_ entry: ManifestEntry) throws(EntryError) {
        if let current { try unsafe target.pointee.end(current) }
        current = nil
    }
}
