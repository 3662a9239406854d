import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// Reads everything in a bundle and judges it: every document, every message, and whether the parts fit each other.
///
/// Bytes, sizes and hashes are the source's to check: an entry that arrives whole is what the manifest says.
package final class BundleAudit: EntrySink {
    /// A conversation as it was found.
    package struct Conversation: Sendable {
        package let id: ConversationID
        package let platform: MessagePlatform
        package let messages: Int
        /// Seconds since 1970.
        package let firstTime: Double?
        package let lastTime: Double?
        /// Newer apps cannot decode it.
        package let isAtRisk: Bool
        package let lost: Int
    }

    /// The identity in the bundle.
    package struct Owner: Sendable {
        package let name: [UInt8]
        package let keys: IdentityPublicKeys
        /// Private items besides the two keys and the name.
        package let otherItems: Int
    }

    /// Somebody among the contacts.
    package struct Contact: Sendable {
        package let name: [UInt8]
        package let id: [UInt8]
        package let fingerprint: String?
        package let isVerified: Bool
    }

    package private(set) var owner: Owner?
    package private(set) var preKeys = 0
    package private(set) var groups = 0
    package private(set) var sessions = 0
    package private(set) var contacts: [Contact] = []
    package private(set) var conversations: [Conversation] = []
    package private(set) var blobs = 0
    package private(set) var attachments = 0
    package private(set) var attachmentBytes = 0
    package private(set) var findings = FindingList()
    /// Bytes of all entries.
    package private(set) var bytes = 0

    package var messages: Int { conversations.reduce(0) { $0 + $1.messages } }

    private let now: Double
    private let progress: (Int) -> Void
    private var text: [UInt8] = []
    private var secret: SecretText?
    private var scanner: MessageScanner
    /// Attachments that messages refer to, with the conversation that does it first.
    private var wanted: [ByteText: ConversationID] = [:]
    private var there: Set<ByteText> = []
    private let manifest: Manifest
    private let look: (ItemsDocument) throws(DocumentError) -> Void

    /// `now`: seconds since 1970. `progress` hears of bytes, `look` gets the documents with private items.
    package static func run(
        _ source: some EntrySource, now: Double, progress: @escaping (Int) -> Void = { _ in },
        look: @escaping (ItemsDocument) throws(DocumentError) -> Void = { (_) throws(DocumentError) in }
    ) throws(EntryError) -> BundleAudit {
        var audit = try BundleAudit(source.manifest, now, progress, look)
        try source.send(to: &audit)
        audit.finish()
        return audit
    }

    private init(
        _ manifest: Manifest, _ now: Double, _ progress: @escaping (Int) -> Void,
        _ look: @escaping (ItemsDocument) throws(DocumentError) -> Void
    ) throws(EntryError) {
        self.look = look
        self.manifest = manifest
        self.now = now
        self.progress = progress
        do throws(OutOfMemory) { scanner = try MessageScanner() } catch { throw .outOfMemory(requested: 0) }
    }

    // MARK: Entries

    package func begin(_ entry: ManifestEntry) throws(EntryError) {
        text = []
        switch entry.content {
        case .document:
            do throws(SecretMemoryError) {
                secret = try SecretText(capacity: entry.size)
            } catch {
                throw .memory(error)
            }
        case .conversation: text.reserveCapacity(entry.size + 2)
        case .blob, .attachment, .other: break
        }
    }

    package func take(_ piece: Span<UInt8>) throws(EntryError) {
        bytes += piece.count
        progress(piece.count)
        if secret != nil {
            do throws(SecretMemoryError) { try secret?.append(piece) } catch { throw .memory(error) }
        } else if text.capacity > 0 {
            text.append(piece)
        }
    }

    package func end(_ entry: ManifestEntry) throws(EntryError) {
        switch entry.content {
        case .document(let part):
            guard let secret = secret.take() else { return }
            try judge(part, secret.frozen())
        case .conversation(let id, let platform, let messages):
            try judge(id, platform, declared: messages)
        case .blob: blobs += 1
        case .attachment(let id):
            attachments += 1
            attachmentBytes += entry.size
            there.insert(id)
        case .other:
            findings.add(Finding(.foreignFile, item: ByteText(entry.name), detail: "of a later version of the format"))
        }
        text = []
    }

    private func judge(
        _ id: ConversationID, _ platform: MessagePlatform, declared: Int
    ) throws(EntryError) {
        var sink = Sink(audit: MessageAudit(now: now, platform: platform))
        let outcome: ScanOutcome
        do throws(OutOfMemory) {
            let buffer = try PlaintextBuffer(copying: ConversationText.array(of: text))
            outcome = try scanner.scan(buffer, 0..<buffer.count, into: &sink)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        var found = sink.audit.tally
        switch outcome {
        case .strict, .stopped: break
        case .notMessages: found.findings.add(Finding(.notMessages, conversation: id, item: id.text))
        case .tolerant(let problems): found.findings.add(problems, conversation: id, item: id.text)
        }
        for (attachment, _) in found.attachments where wanted[attachment] == nil { wanted[attachment] = id }
        for other in found.conversations where other.id != id {
            found.findings.add(
                Finding(
                    .otherConversation, conversation: id, item: other.id.text, detail: "filed under \(id.text.string)"))
        }
        let lost = outcome.losses
        if found.messages + lost != declared {
            found.findings.add(
                Finding(
                    .unreadableContent, conversation: id, item: id.text,
                    detail: "the manifest counts \(declared) messages, and there are \(found.messages + lost)"))
        }
        findings.add(contentsOf: found.findings.inConversation(id))
        conversations.append(
            Conversation(
                id: id, platform: platform, messages: found.messages, firstTime: found.firstTime,
                lastTime: found.lastTime, isAtRisk: !outcome.isSound || found.unreadableByApps > 0, lost: lost))
    }

    private struct Sink: MessageSink {
        var audit: MessageAudit

        mutating func restart() { audit.restart() }
        mutating func take(_ batch: borrowing MessageBatch) -> Bool { audit.take(batch) }
    }

    // MARK: Documents

    private func judge(_ part: BundlePart, _ text: PlaintextBuffer) throws(EntryError) {
        do throws(DocumentError) {
            let document = try ItemsDocument(text, part)
            try look(document)
            switch part {
            case .identity: try judgeIdentity(document)
            case .preKeys: preKeys = document.count
            case .groups: groups = document.head.groups.count
            case .sessions: sessions = document.count
            case .contacts: judgePeople(document.head)
            case .conversations, .blobs, .attachments: break
            }
        } catch {
            throw .document(error)
        }
    }

    private func judgeIdentity(_ document: ItemsDocument) throws(DocumentError) {
        let name = document.head.name ?? []
        guard let signing = try document.value(of: "identity.signing"), let dh = try document.value(of: "identity.dh")
        else {
            findings.add(Finding(.unreadableContent, item: "identity", detail: "a private key is missing"))
            return
        }
        let lengths = (signing.count, dh.count)
        let keys: IdentityPublicKeys
        do {
            // Android keeps seed and public key together (format SophaxChat 6.5).
            let seed = try signing.prefix(min(signing.count, Identity.keyLength))
            let identity = try Identity(signingSeed: seed, dhPrivate: dh, username: "")
            keys = identity.publicKeys
        } catch {
            findings.add(
                Finding(
                    .unreadableContent, item: "identity",
                    detail: "private keys of \(lengths.0) and \(lengths.1) bytes in place of 32"))
            return
        }
        if let stated = document.head.fingerprint ?? manifest.owner.fingerprint, stated != keys.fingerprint.hex {
            findings.add(
                Finding(
                    .fingerprintMismatch, item: ByteText(stated), detail: "its keys have \(keys.fingerprint.hex)"))
        }
        let known: Set<[UInt8]> = ["identity.signing", "identity.dh", "user.username"].reduce(into: []) {
            $0.insert(Array($1.utf8))
        }
        let others = try document.listing().count { !known.contains($0.account) }
        owner = Owner(name: name, keys: keys, otherItems: others)
    }

    private func judgePeople(_ head: DocumentHead) {
        for record in head.contacts {
            let fingerprint = record.currentKey?.keys.fingerprint.hex
            let id = fingerprint.map { Array($0.utf8.prefix(16)) } ?? record.cardPeerID ?? []
            contacts.append(
                Contact(name: record.name, id: id, fingerprint: fingerprint, isVerified: record.currentKey?.mark != nil)
            )
        }
        let known = Set(contacts.map { ByteText(Array($0.id.prefix(16))) })
        for (place, source) in head.peers.enumerated() {
            guard let peer = KnownPeer.read(source, path: "peers[\(place)]", findings: &findings) else { continue }
            guard !known.contains(ByteText(Array(peer.id.bytes.prefix(16)))) else { continue }
            contacts.append(
                Contact(
                    name: Array(peer.username.utf8), id: peer.id.bytes, fingerprint: peer.publicKeys?.fingerprint.hex,
                    isVerified: false))
        }
    }

    /// What can only be said at the end.
    private func finish() {
        // Without a part of attachments the manifest says why there are none.
        let hasRoom =
            manifest.parts.contains(.attachments) || !manifest.notIncluded.contains { $0.part == .attachments }
        for (id, conversation) in wanted.sorted(by: { $0.key < $1.key }) where !there.contains(id) {
            findings.add(
                hasRoom
                    ? Finding(.missingAttachment, conversation: conversation, item: id)
                    : Finding(.attachmentsNotIncluded, conversation: conversation, item: id))
        }
        for id in there.sorted() where wanted[id] == nil { findings.add(Finding(.orphanedAttachment, item: id)) }
    }
}
