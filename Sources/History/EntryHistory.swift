import CryptoPrimitives
import JSONCoding
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// History of a bundle: of an app's export, or of sxkey's own. One pass over its entries; memory holds one conversation.
package struct EntryHistory: HistorySource {
    package let origin: HistoryOrigin
    private let source: any EntrySource

    package init(_ source: some EntrySource, _ kind: HistoryOrigin.Kind, path: FilePath) {
        self.source = source
        let manifest = source.manifest
        let bytes = manifest.entries.reduce(0) { sum, entry in
            switch entry.content {
            case .conversation, .attachment: sum + entry.size
            case .document, .blob, .other: sum
            }
        }
        origin = HistoryOrigin(
            kind, path: path, ownerName: manifest.owner.name, ownerFingerprint: manifest.owner.fingerprint,
            bytes: bytes, messages: manifest.messages)
    }

    package func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        for omission in source.manifest.notIncluded where omission.reason == .unreadable {
            guard omission.part == .conversations || omission.part == .attachments else { continue }
            let item = omission.item ?? ByteText(omission.part.rawValue)
            if omission.part == .conversations, let count = source.unreadMessages[item] {
                guard request.conversations(ConversationID(guessedFrom: item)) else { continue }
                try sink.take(HistoryLoss(item, .conversations, .messages(count)))
                continue
            }
            try sink.take(HistoryLoss(item, omission.part, .notInSource))
        }
        var pass = EntryPass(request, sink)
        do throws(EntryError) {
            try source.send(to: &pass)
        } catch {
            throw pass.failure ?? .entries(error)
        }
    }
}

/// Sorts the entries of a bundle: people, conversations and attachments go on, the rest passes.
private final class EntryPass: EntrySink {
    private enum Doing {
        case passing
        case document(BundlePart)
        case conversation(ConversationID, MessagePlatform)
        case attachment
    }

    private let request: HistoryRequest
    private let sink: any HistorySink
    private var doing = Doing.passing
    private var text: [UInt8] = []
    private var secret: SecretText?
    /// Why the sink refused.
    private(set) var failure: HistoryError?

    init(_ request: HistoryRequest, _ sink: any HistorySink) {
        self.request = request
        self.sink = sink
    }

    func begin(_ entry: ManifestEntry) throws(EntryError) {
        doing = .passing
        switch entry.content {
        case .document(.contacts):
            doing = .document(.contacts)
            do throws(SecretMemoryError) { secret = try SecretText(capacity: entry.size) } catch {
                throw .memory(error)
            }
        case .conversation(let id, let platform, _) where request.conversations(id):
            doing = .conversation(id, platform)
            text.reserveCapacity(entry.size)
        case .attachment(let id) where request.takes(attachment: id):
            let isWanted = try asking { (sink) throws(HistoryError) in try sink.begin(attachment: id, size: entry.size)
            }
            if isWanted { doing = .attachment }
        case .document, .conversation, .blob, .attachment, .other: break
        }
    }

    func take(_ bytes: Span<UInt8>) throws(EntryError) {
        switch doing {
        case .passing: break
        case .document: do throws(SecretMemoryError) { try secret?.append(bytes) } catch { throw .memory(error) }
        case .conversation: unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
        case .attachment:
            request.progress(bytes.count)
            let sink = sink
            do throws(HistoryError) { try sink.take(attachment: bytes) } catch { throw refused(error) }
        }
    }

    func end(_ entry: ManifestEntry) throws(EntryError) {
        switch doing {
        case .passing: break
        case .document(let part):
            guard let held = secret.take() else { break }
            let names: PeerNames
            do throws(DocumentError) {
                names = PeerNames(try ItemsDocument(held.frozen(), part).head)
            } catch {
                throw .document(error)
            }
            try asking { (sink) throws(HistoryError) in try sink.take(names) }
        case .conversation(let id, let platform): try endConversation(id, platform, entry)
        case .attachment: try asking { (sink) throws(HistoryError) in try sink.endAttachment() }
        }
        doing = .passing
    }

    private func endConversation(
        _ id: ConversationID, _ platform: MessagePlatform, _ entry: ManifestEntry
    ) throws(EntryError) {
        var lines: [UInt8] = []
        swap(&lines, &text)
        var part: HistoryPart
        let lost: Int
        do throws(OutOfMemory) {
            let (messages, outcome) = try ConversationText.messages(of: lines, platform: platform)
            part = HistoryPart(id, messages, isStrict: outcome == .strict, bytes: entry.size)
            part.item = ByteText(entry.name)
            part.sha256 = entry.sha256
            lost = outcome.losses
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        request.progress(entry.size)
        try asking { (sink) throws(HistoryError) in
            if lost > 0 { try sink.take(HistoryLoss(id.text, .conversations, .messages(lost))) }
            try sink.take(part)
        }
    }

    private func asking<R>(_ body: (any HistorySink) throws(HistoryError) -> R) throws(EntryError) -> R {
        do throws(HistoryError) { return try body(sink) } catch { throw refused(error) }
    }

    private func refused(_ error: HistoryError) -> EntryError {
        failure = error
        return .stopped
    }
}

extension PeerNames {
    /// The names that a bundle has for people: contacts first, then the apps' lists.
    package init(_ head: DocumentHead) {
        self.init()
        var seen: Set<Fingerprint> = []
        for record in head.contacts {
            for key in record.keys {
                add(record.name, of: key.keys.fingerprint)
                seen.insert(key.keys.fingerprint)
            }
        }
        var ignored = FindingList()
        for source in head.peers {
            guard let peer = KnownPeer.read(source, path: "peers", findings: &ignored), let keys = peer.publicKeys,
                seen.insert(keys.fingerprint).inserted
            else { continue }
            add(Array(peer.username.utf8), of: keys.fingerprint)
        }
    }
}
