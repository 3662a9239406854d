import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// An export of an app that was opened: its identity, contacts and messages.
package struct AppBundleSource: EntrySource {
    package let manifest: Manifest
    private let content: BundleContent
    private let documents: [HeldDocument]
    private let conversations: [(entry: ManifestEntry, conversation: BundleConversation)]

    package var unreadMessages: [ByteText: Int] {
        var unread: [ByteText: Int] = [:]
        for list in content.backup?.messages.lists ?? [] where list.lost > 0 && !list.isBlob {
            unread[list.key, default: 0] += list.lost
        }
        return unread
    }

    /// Reads the messages once for their sizes and sums.
    package init(_ content: BundleContent, createdAt: Double, creator: String) throws(EntryError) {
        self.content = content
        var owner = Manifest.Owner()
        var documents: [HeldDocument] = []
        if let identity = content.identity, let document = try Self.identity(identity) {
            documents.append(document)
            owner.fingerprint = identity.publicKeys?.fingerprint.hex
        }
        if let name = content.identity?.username ?? content.backup?.username, !name.isEmpty {
            owner.name = ByteText(name)
        }
        if owner.fingerprint == nil { owner.fingerprint = content.backup?.fingerprint?.hex }
        if let peers = content.backup?.peers, !peers.isEmpty {
            var head = DocumentHead()
            head.peers = peers.map(\.sourceJSON)
            let writer = try ItemsWriter(.contacts, head: head)
            documents.append(try HeldDocument(.contacts, writer.finished()))
        }
        self.documents = documents
        conversations = try Self.conversations(content)
        var omissions = content.omissions
        for part in BundlePart.allCases {
            let isThere = documents.contains { $0.part == part } || (part == .conversations && content.backup != nil)
            if !isThere { omissions.append(.init(part, .notInSource)) }
        }
        manifest = Manifest(
            createdAt: createdAt, creator: creator, owner: owner,
            entries: documents.map(\.entry) + conversations.map(\.entry), notIncluded: omissions)
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        for document in documents { try document.send(to: &sink) }
        for (entry, conversation) in conversations {
            guard let backup = content.backup else { return }
            let messages: [StoredMessage]
            do throws(OutOfMemory) {
                messages = try backup.messages.messages(of: conversation)
            } catch {
                throw .outOfMemory(requested: error.requested)
            }
            try sink.begin(entry)
            var pieces = ConversationPieces()
            try pieces.send(messages, to: &sink)
            try sink.end(entry)
        }
    }

    private static func conversations(
        _ content: BundleContent
    ) throws(EntryError) -> [(entry: ManifestEntry, conversation: BundleConversation)] {
        guard let backup = content.backup else { return [] }
        let platform: MessagePlatform = content.bundle.header.kind == .android ? .android : .ios
        var names = EntryNames()
        var sink = IgnoredEntries()
        var entries: [(entry: ManifestEntry, conversation: BundleConversation)] = []
        for conversation in backup.messages.conversations.sorted(by: { $0.id < $1.id }) {
            let messages: [StoredMessage]
            do throws(OutOfMemory) {
                messages = try backup.messages.messages(of: conversation)
            } catch {
                throw .outOfMemory(requested: error.requested)
            }
            var pieces = ConversationPieces()
            try pieces.send(messages, to: &sink)
            let sum = pieces.finish()
            let entry = ManifestEntry(
                name: names.name(for: conversation.id.text, in: .conversations), size: sum.size, sha256: sum.sha256,
                content: .conversation(conversation.id, platform, messages: sum.messages))
            entries.append((entry, conversation))
        }
        return entries
    }

    private static func identity(_ identity: BundleIdentity) throws(EntryError) -> HeldDocument? {
        let name = Array(identity.username.utf8)
        let changedAt = identity.exportedAt?.unixSeconds
        return try identity.withKeys { (keys) throws(EntryError) in
            var head = DocumentHead()
            head.fingerprint = keys.fingerprint.hex
            head.name = name
            var writer = try ItemsWriter(.identity, head: head)
            try writer.add(BundleItem(Array("identity.signing".utf8), changedAt: changedAt), keys.signingSeed)
            try writer.add(BundleItem(Array("identity.dh".utf8), changedAt: changedAt), keys.dhPrivate)
            let username: SecretBytes
            do throws(SecretMemoryError) { username = try SecretBytes(copying: name.span) } catch {
                throw .memory(error)
            }
            try writer.add(BundleItem(Array("user.username".utf8), changedAt: changedAt), username)
            return try HeldDocument(.identity, writer.finished())
        }
    }
}

extension BundleContent {
    /// Messages of lists that could not be read, by the key that they stand under.
    fileprivate var omissions: [Manifest.Omission] {
        (backup?.messages.lists ?? []).filter { $0.lost > 0 && !$0.isBlob }
            .map { Manifest.Omission(.conversations, .unreadable, item: $0.key) }
    }
}

/// A document in wiped memory, with its entry. A class, since the text cannot be copied.
package final class HeldDocument: Sendable {
    package let entry: ManifestEntry
    private let text: SecretBytes

    package init(_ part: BundlePart, _ text: consuming SecretText) throws(EntryError) {
        guard text.count <= BundlePart.documentCeiling else {
            throw .document(
                .tooLarge(
                    document: part.documentName ?? part.rawValue, found: text.count,
                    ceiling: BundlePart.documentCeiling))
        }
        do throws(SecretMemoryError) { self.text = try text.copy() } catch { throw .memory(error) }
        entry = ManifestEntry(
            name: part.documentName ?? part.rawValue, size: self.text.count,
            sha256: self.text.withSpan { SHA256.hash($0) },
            content: .document(part))
    }

    package var part: BundlePart? { entry.content.part }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        try text.withSpan { (text) throws(EntryError) in try sink.send(entry, text) }
    }
}

/// Documents, such as those of a keyring's identity.
package struct DocumentSource: EntrySource {
    package let manifest: Manifest
    private let documents: [HeldDocument]

    package init(
        _ documents: [HeldDocument], createdAt: Double, creator: String, owner: Manifest.Owner,
        notIncluded: [Manifest.Omission]
    ) {
        self.documents = documents
        manifest = Manifest(
            createdAt: createdAt, creator: creator, owner: owner, entries: documents.map(\.entry),
            notIncluded: notIncluded)
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        for document in documents { try document.send(to: &sink) }
    }
}

/// Two sources as one, the first one's entries first: the documents of an identity, and the store that it has.
package struct JoinedSource<First: EntrySource, Second: EntrySource>: EntrySource {
    package let manifest: Manifest
    private let first: First
    private let second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
        let (one, other) = (first.manifest, second.manifest)
        // What one of them cannot have the other may.
        let parts = one.parts.union(other.parts)
        let spoken = Set(one.notIncluded.filter { $0.reason != .notInSource }.map(\.part))
        var omissions =
            one.notIncluded.filter { $0.reason != .notInSource }
            + other.notIncluded.filter { omission in
                omission.reason != .notInSource
                    || (!parts.contains(omission.part) && !spoken.contains(omission.part))
            }
        omissions.removeAll { $0.reason == .notInSource && parts.contains($0.part) }
        manifest = Manifest(
            createdAt: one.createdAt, creator: one.creator,
            owner: one.owner == Manifest.Owner() ? other.owner : one.owner, entries: one.entries + other.entries,
            notIncluded: omissions)
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        try first.send(to: &sink)
        try second.send(to: &sink)
    }
}
