import CryptoPrimitives
import SophaxCore
import SophaxFiles
import StoreChanges
import SystemIO

/// A store that a bundle is merged into, as it was before.
struct PresentStore: ~Copyable {
    private let unit: ChangeUnit
    /// The form that peer ids get; nil where the store does not tell.
    let peerIDs: PeerIDForm?
    /// The files of each conversation, by the name that the newest apps give it.
    private let groups: [FilePath: ConversationFiles]
    /// Queues and attachments, by part and name.
    private let others: [BundlePart: [FilePath: StoreFile]]
    /// Conversations whose files cannot be read whole, by name.
    private var blocked: Set<FilePath> = []
    private var reader: ConversationReader
    private var stream: SealedStream

    /// Reads the conversations that the bundle has too, to see whether they can be written anew.
    init(_ unit: ChangeUnit, key: SharedKey, _ targets: RestoreTargets) throws(StoreFileFailure) {
        self.init(unit, try ConversationReader(key: key.bytes), try SealedStream(key: key.bytes))
        for file in targets.files where file.part == .conversations {
            guard let content = conversation(file) else { continue }
            let lost = content.problems.contains { $0.problem.losesMessage } || content.unlistedLosses > 0
            if !content.failures.isEmpty || lost { blocked.insert(file.path.lastComponent) }
        }
    }

    /// The length that peer ids have in a store: the apps disagree, and what is merged in follows what is there. Nil where no
    /// conversation has one.
    static func peerIDs(of unit: ChangeUnit) -> PeerIDForm? {
        let ids = ConversationFiles.grouping(unit.store.conversations).map { PeerID(bytes: $0.guess.text.bytes) }
        if ids.contains(where: { $0.form == .hex32 }) { return .long(known: ids) }
        return ids.contains { $0.form == .hex16 } ? .short : nil
    }

    private init(_ unit: ChangeUnit, _ reader: consuming ConversationReader, _ stream: consuming SealedStream) {
        self.unit = unit
        peerIDs = Self.peerIDs(of: unit)
        groups = Dictionary(
            ConversationFiles.grouping(unit.store.conversations).map {
                (RestoreTargets.conversationName($0.guess), $0)
            }, uniquingKeysWith: { first, _ in first })
        func byName(_ files: [StoreFile]) -> [FilePath: StoreFile] {
            Dictionary(files.map { ($0.path.lastComponent, $0) }, uniquingKeysWith: { first, _ in first })
        }
        others = [.blobs: byName(unit.store.blobs), .attachments: byName(unit.store.attachments)]
        self.reader = reader
        self.stream = stream
    }

    /// Where a file is in the unit; nil where the unit has no place for it.
    func place(of file: RestoreTargets.File) -> FilePath? {
        let name = file.path.lastComponent
        return file.part == .attachments ? unit.attachmentPlace(name) : unit.messagePlace(name)
    }

    /// The conversation's files cannot be written anew without losing something.
    func isBlocked(_ file: RestoreTargets.File) -> Bool { blocked.contains(file.path.lastComponent) }

    /// The messages of the files that a conversation has; nil where it has none.
    mutating func conversation(_ file: RestoreTargets.File) -> ConversationReader.Content? {
        groups[file.path.lastComponent].map { reader.read($0) }
    }

    /// A queue or attachment of this name.
    func file(_ file: RestoreTargets.File) -> StoreFile? { others[file.part]?[file.path.lastComponent] }

    /// The SHA-256 of its text; nil where it does not authenticate.
    mutating func sum(of file: RestoreTargets.File) -> [UInt8]? {
        guard let own = self.file(file) else { return nil }
        var sink = HashSink()
        guard (try? stream.read(own.path, into: &sink)) != nil else { return nil }
        return sink.finish()
    }

    /// Files of the store that are written anew, because the bundle has their conversations too.
    func replaced(by targets: RestoreTargets) -> [StoreFile] {
        targets.files.filter { $0.part == .conversations && !isBlocked($0) }
            .flatMap { groups[$0.path.lastComponent]?.files ?? [] }
    }
}

/// Sums up bytes.
struct HashSink: EntrySink, ~Copyable {
    private var hash = SHA256()

    mutating func begin(_ entry: ManifestEntry) {}
    mutating func take(_ bytes: Span<UInt8>) { hash.update(bytes) }
    mutating func end(_ entry: ManifestEntry) {}
    consuming func finish() -> [UInt8] { hash.finish() }
}
