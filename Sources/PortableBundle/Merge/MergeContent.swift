import CryptoPrimitives
import SophaxFiles

/// What a merge keeps of one bundle: documents in wiped memory, messages as they are, attachments as hashes.
final class MergeContent: EntrySink {
    /// An attachment.
    struct File: Sendable {
        let entry: ManifestEntry
        let sha256: [UInt8]
    }

    /// The lines of a conversation.
    struct Conversation: Sendable {
        let id: ConversationID
        let platform: MessagePlatform
        let lines: [UInt8]
    }

    private(set) var documents: [BundlePart: ItemsDocument] = [:]
    private(set) var conversations: [Conversation] = []
    private(set) var blobs: [ByteText: [UInt8]] = [:]
    private(set) var files: [File] = []
    /// SHA-256 by id.
    private(set) var attachments: [ByteText: [UInt8]] = [:]
    /// Entries that only a later version knows.
    private(set) var unknown: [ManifestEntry] = []

    private var text: [UInt8] = []
    private var secret: SecretText?
    private var hash: SHA256?
    private var keeps = false

    private init() {}

    static func read(_ source: some EntrySource, isFirst: Bool) throws(MergeError) -> MergeContent {
        var content = MergeContent()
        do throws(EntryError) {
            try source.send(to: &content)
        } catch {
            throw .entries(error, isFirst: isFirst)
        }
        return content
    }

    func begin(_ entry: ManifestEntry) throws(EntryError) {
        text = []
        hash = SHA256()
        keeps = false
        switch entry.content {
        case .document:
            do throws(SecretMemoryError) {
                secret = try SecretText(capacity: entry.size)
            } catch {
                throw .memory(error)
            }
        case .conversation, .blob:
            keeps = true
            text.reserveCapacity(entry.size)
        case .attachment, .other: break
        }
    }

    func take(_ bytes: Span<UInt8>) throws(EntryError) {
        if secret != nil {
            do throws(SecretMemoryError) { try secret?.append(bytes) } catch { throw .memory(error) }
        } else if keeps {
            text.append(bytes)
        } else {
            hash?.update(bytes)
        }
    }

    func end(_ entry: ManifestEntry) throws(EntryError) {
        switch entry.content {
        case .document(let part):
            guard let secret = secret.take() else { return }
            do throws(DocumentError) {
                documents[part] = try ItemsDocument(secret.frozen(), part)
            } catch {
                throw .document(error)
            }
        case .conversation(let id, let platform, _):
            conversations.append(Conversation(id: id, platform: platform, lines: text))
        case .blob(let id): blobs[id] = text
        case .attachment(let id):
            let file = File(entry: entry, sha256: hash.take()?.finish() ?? [])
            attachments[id] = file.sha256
            files.append(file)
        case .other: unknown.append(entry)
        }
        text = []
    }
}
