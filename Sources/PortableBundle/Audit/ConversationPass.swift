import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Lends the conversations of a source one after the other, and what its documents say of people; memory holds one
/// conversation at a time.
package final class ConversationPass: EntrySink {
    /// A conversation as it was read.
    package struct Conversation: Sendable {
        package let id: ConversationID
        package let platform: MessagePlatform
        package let messages: [StoredMessage]
        /// Every line is strict JSON.
        package let isStrict: Bool
        /// Lines that are no message.
        package let lost: Int
    }

    /// What comes in the order of the source.
    package enum Part {
        case document(ItemsDocument)
        case conversation(Conversation)
    }

    private let wants: (ManifestEntry) -> Bool
    /// False to stop.
    private let body: (Part) -> Bool
    private var text: [UInt8] = []
    private var secret: SecretText?
    private var isWanted = false

    private init(wants: @escaping (ManifestEntry) -> Bool, body: @escaping (Part) -> Bool) {
        self.wants = wants
        self.body = body
    }

    /// Reads a source and hands over the entries that are wanted. `body` gives false to stop; the error is `.stopped` then.
    package static func run(
        _ source: some EntrySource, wants: @escaping (ManifestEntry) -> Bool, body: @escaping (Part) -> Bool
    ) throws(EntryError) {
        var pass = ConversationPass(wants: wants, body: body)
        try source.send(to: &pass)
    }

    package func begin(_ entry: ManifestEntry) throws(EntryError) {
        isWanted = wants(entry)
        text = []
        secret = nil
        guard isWanted else { return }
        switch entry.content {
        case .conversation: text.reserveCapacity(entry.size)
        case .document:
            do throws(SecretMemoryError) {
                secret = try SecretText(capacity: entry.size)
            } catch {
                throw .memory(error)
            }
        case .blob, .attachment, .other: isWanted = false
        }
    }

    package func take(_ bytes: Span<UInt8>) throws(EntryError) {
        guard isWanted else { return }
        if secret != nil {
            do throws(SecretMemoryError) { try secret?.append(bytes) } catch { throw .memory(error) }
        } else {
            text.append(bytes)
        }
    }

    package func end(_ entry: ManifestEntry) throws(EntryError) {
        guard isWanted else { return }
        let part: Part
        switch entry.content {
        case .document(let kind):
            guard let secret = secret.take() else { return }
            do throws(DocumentError) {
                part = .document(try ItemsDocument(secret.frozen(), kind))
            } catch {
                throw .document(error)
            }
        case .conversation(let id, let platform, _):
            do throws(OutOfMemory) {
                let (messages, outcome) = try ConversationText.messages(of: text, platform: platform)
                part = .conversation(
                    Conversation(
                        id: id, platform: platform, messages: messages, isStrict: outcome == .strict,
                        lost: outcome.losses))
            } catch {
                throw .outOfMemory(requested: error.requested)
            }
            text = []
        case .blob, .attachment, .other: return
        }
        guard body(part) else { throw .stopped }
    }
}

extension ScanOutcome {
    /// Messages that could not be read.
    package var losses: Int {
        switch self {
        case .strict, .stopped: 0
        case .tolerant(let problems): problems.losses
        case .notMessages: 1
        }
    }
}

extension [UInt8] {
    /// Appends lent bytes.
    mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }
}
