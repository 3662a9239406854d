import CryptoPrimitives
import SophaxFiles

@testable import PortableBundle

/// A source out of a test's head.
struct MadeSource: EntrySource {
    let manifest: Manifest
    private let parts: [(entry: ManifestEntry, bytes: [UInt8])]

    func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        for (entry, bytes) in parts { try sink.send(entry, bytes.span) }
    }

    static let seed = [UInt8](0..<32)
    static let dh = [UInt8](32..<64)
    /// Of the two keys above. Format: SophaxChat 12.
    static let fingerprint = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"
    static let peer = ConversationID(ByteText("08c4cab788bd5f92"))

    /// Documents first, then conversations and attachments in their order.
    init(
        at time: Double = 1_780_000_000, owner: String? = nil, identity: [(String, [UInt8])]? = nil,
        preKeys: [(String, [UInt8])]? = nil, head: DocumentHead? = nil,
        conversations: [(ConversationID, MessagePlatform, [String])] = [], blobs: [(String, String)] = [],
        attachments: [(String, [UInt8])] = [], others: [(String, [UInt8])] = [], notIncluded: [Manifest.Omission] = []
    ) throws {
        var parts: [(entry: ManifestEntry, bytes: [UInt8])] = []
        var documentHead = DocumentHead()
        documentHead.fingerprint = owner
        documentHead.name = Array("ana".utf8)
        if let identity { parts.append(try Self.document(.identity, documentHead, identity)) }
        if let preKeys { parts.append(try Self.document(.preKeys, DocumentHead(), preKeys)) }
        if let head { parts.append(try Self.document(.contacts, head, [])) }
        var names = EntryNames()
        for (id, platform, messages) in conversations {
            let text = Array((messages.joined(separator: "\n") + (messages.isEmpty ? "" : "\n")).utf8)
            let content = ManifestEntry.Content.conversation(id, platform, messages: messages.count)
            parts.append(Self.entry(names.name(for: id.text, in: .conversations), text, content))
        }
        for (id, text) in blobs {
            parts.append(
                Self.entry(names.name(for: ByteText(id), in: .blobs), Array(text.utf8), .blob(ByteText(id))))
        }
        for (id, bytes) in attachments {
            let name = names.name(for: ByteText(id), in: .attachments)
            let entry = ManifestEntry(name: name, size: bytes.count, content: .attachment(ByteText(id)))
            parts.append((entry, bytes))
        }
        // What a later version may put there.
        for (name, bytes) in others { parts.append(Self.entry(name, bytes, .other)) }
        self.parts = parts
        manifest = Manifest(
            createdAt: time, creator: "a test", owner: Manifest.Owner(name: nil, fingerprint: owner),
            entries: parts.map(\.entry), notIncluded: notIncluded)
    }

    /// The identity of the check values with some more items.
    static func ana(_ more: [(String, [UInt8])] = []) -> [(String, [UInt8])] {
        [("identity.signing", seed), ("identity.dh", dh), ("user.username", Array("ana".utf8))] + more
    }

    static func message(
        _ id: String, body: String = "hi", peer: ConversationID = peer, time: Int = 795_000_001, more: String = ""
    ) -> String {
        #"{"id":"\#(id)","peerID":"\#(peer.text.string)","direction":"sent","body":"\#(body)","timestamp":\#(time),"#
            + #""status":"read","isEdited":false\#(more)}"#
    }

    private static func entry(
        _ name: String, _ bytes: [UInt8], _ content: ManifestEntry.Content
    ) -> (entry: ManifestEntry, bytes: [UInt8]) {
        (ManifestEntry(name: name, size: bytes.count, sha256: SHA256.hash(bytes.span), content: content), bytes)
    }

    private static func document(
        _ part: BundlePart, _ head: DocumentHead, _ items: [(String, [UInt8])]
    ) throws -> (entry: ManifestEntry, bytes: [UInt8]) {
        var writer = try ItemsWriter(part, head: head)
        for (account, value) in items {
            try writer.add(BundleItem(Array(account.utf8)), SecretBytes(copying: value.span))
        }
        let text = try writer.finished()
        let bytes = text.withSpan { span in span.indices.map { span[$0] } }
        return entry(part.documentName ?? "", bytes, .document(part))
    }
}

/// Reads all of a source.
func collected(_ source: some EntrySource) throws -> CollectingSink {
    var sink = CollectingSink()
    try source.send(to: &sink)
    return sink
}
