import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// What a bundle holds in a form that can be compared: messages and attachments as hashes, documents as they are.
package final class BundleIndex: EntrySink {
    /// Bytes of something that is compared as a whole.
    struct Blob: Hashable, Sendable {
        let size: Int
        let sha256: [UInt8]
    }

    package let manifest: Manifest
    package let shape: BundleShape
    private(set) var conversations: [ConversationID: MessageIndex] = [:]
    private(set) var blobs: [ByteText: Blob] = [:]
    private(set) var attachments: [ByteText: Blob] = [:]
    private(set) var documents: [BundlePart: ItemsDocument] = [:]
    /// Entries of a later version.
    private(set) var others: [String: Blob] = [:]
    /// Lines that are no message.
    package private(set) var unreadable = 0

    private var hash: SHA256?
    private var size = 0
    private var text: [UInt8] = []
    /// The entry is read as text; of all others only a hash is kept.
    private var isText = false
    private var secret = SecretHolder()

    /// Documents in the making.
    private final class SecretHolder {
        var text: SecretText?
    }

    /// Messages are compared as Android keeps them; nil for as they are.
    private let conversion: PlatformConversion?

    /// Reads all of a source.
    ///
    /// - Parameter asAndroid: messages are turned into Android's shape, with its ids, for a comparison with Android's.
    package init(of source: some EntrySource, shape: BundleShape, asAndroid: Bool = false) throws(EntryError) {
        manifest = source.manifest
        self.shape = shape
        conversion = asAndroid ? .toAndroid : nil
        var sink = self
        try source.send(to: &sink)
    }

    package func begin(_ entry: ManifestEntry) throws(EntryError) {
        hash = SHA256()
        size = 0
        isText = false
        switch entry.content {
        case .document:
            do throws(SecretMemoryError) {
                secret.text = try SecretText(capacity: entry.size)
            } catch {
                throw .memory(error)
            }
        case .conversation:
            isText = true
            text = []
            text.reserveCapacity(entry.size)
        case .blob, .attachment, .other: break
        }
    }

    package func take(_ bytes: Span<UInt8>) throws(EntryError) {
        if secret.text != nil {
            do throws(SecretMemoryError) { try secret.text?.append(bytes) } catch { throw .memory(error) }
            return
        }
        size += bytes.count
        hash?.update(bytes)
        if isText { text.append(bytes) }
    }

    package func end(_ entry: ManifestEntry) throws(EntryError) {
        let blob = Blob(size: size, sha256: hash.take()?.finish() ?? [])
        switch entry.content {
        case .document(let part):
            guard let text = secret.text.take() else { return }
            do throws(DocumentError) {
                documents[part] = try ItemsDocument(text.frozen(), part)
            } catch {
                throw .document(error)
            }
        case .conversation(let id, let platform, _):
            try add(id, platform)
        case .blob(let id): blobs[id] = blob
        case .attachment(let id): attachments[id] = blob
        case .other: others[entry.name] = blob
        }
    }

    private func add(_ id: ConversationID, _ platform: MessagePlatform) throws(EntryError) {
        let (messages, outcome): ([StoredMessage], ScanOutcome)
        do throws(OutOfMemory) {
            (messages, outcome) = try ConversationText.messages(of: text, platform: platform)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        text = []
        unreadable += outcome.losses
        let key = conversion == nil ? id : PeerIDForm.short.conversation(id)
        for message in messages {
            conversations[key, default: MessageIndex()].add(
                id: message.id?.bytes ?? [], MessageIndex.Digest(of: canonical(message, id, outcome).bytes))
        }
    }

    private func canonical(
        _ message: StoredMessage, _ id: ConversationID, _ outcome: ScanOutcome
    ) -> CanonicalMessage {
        guard let conversion else { return CanonicalMessage(message) }
        if !message.isAndroid,
            case .changed(let json, _) = conversion.convert(message, isStrict: outcome == .strict, in: id)
        {
            return CanonicalMessage(source: json, platform: .android, peerIDs: .short)
        }
        return CanonicalMessage(message, peerIDs: .short)
    }
}

extension Manifest {
    /// Whose messages it has.
    package var platforms: Set<MessagePlatform> {
        Set(
            entries.compactMap { entry in
                if case .conversation(_, let platform, _) = entry.content { platform } else { nil }
            })
    }
}
