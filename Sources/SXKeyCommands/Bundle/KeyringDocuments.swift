import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// The documents of a bundle that come from a keyring: one identity with its items, and everybody whom the keyring knows.
struct KeyringDocuments {
    private(set) var documents: [HeldDocument] = []
    private(set) var notIncluded: [Manifest.Omission] = []
    /// Items of each part.
    private(set) var items: [BundlePart: Int] = [:]
    private(set) var contacts = 0

    /// Reads an identity, in one state of the keyring.
    static func read(
        _ identity: KeyringIdentity, in opened: OpenedKeyring, includingSessions: Bool
    ) throws(CommandError) -> KeyringDocuments {
        var result = KeyringDocuments()
        var failure: EntryError?
        try opened.doing { (keyring) throws(KeyringError) in
            try keyring.reading { () throws(KeyringError) in
                let listings = try keyring.items(of: identity)
                let times = try keyring.preKeyTimes(of: identity)
                var records: [ContactRecord] = []
                for contact in try keyring.contacts() {
                    records.append(ContactRecord(contact, try keyring.history(of: contact)))
                }
                result.contacts = records.count
                for part in BundlePart.allCases where part.documentName != nil {
                    let own = listings.filter { BundlePart(ofAccount: $0.account.bytes) == part }
                    if part == .sessions, !includingSessions {
                        result.notIncluded.append(.init(.sessions, own.isEmpty ? .none : .notAsked))
                    } else if own.isEmpty, part != .contacts || records.isEmpty {
                        result.notIncluded.append(.init(part, .none))
                    } else {
                        let document = DocumentBuilder(part, head(of: part, identity, records))
                        for listing in own {
                            guard let value = try keyring.item(listing.account, of: identity) else { continue }
                            document.add(BundleItem(listing, times[listing.account]), value)
                        }
                        switch document.finished() {
                        case .success(let document): result.documents.append(document)
                        case .failure(let error): failure = failure ?? error
                        }
                        result.items[part] = own.count
                    }
                }
            }
        }
        if let failure { throw .entries(failure, opened.path) }
        return result
    }

    private static func head(
        of part: BundlePart, _ identity: KeyringIdentity, _ records: [ContactRecord]
    ) -> DocumentHead {
        var head = DocumentHead()
        switch part {
        case .identity:
            head.fingerprint = identity.fingerprint.hex
            head.name = identity.name.bytes
            head.origin = identity.origin
            head.createdAt = identity.createdAt
        case .contacts: head.contacts = records
        case .preKeys, .groups, .sessions, .conversations, .blobs, .attachments: break
        }
        return head
    }

    /// As a source of a bundle, alone or joined with a store.
    func source(
        _ identity: KeyringIdentity, createdAt: Double
    ) -> DocumentSource {
        let rest: [Manifest.Omission] = [.conversations, .blobs, .attachments].map { .init($0, .notInSource) }
        return DocumentSource(
            documents, createdAt: createdAt, creator: Program.creator,
            owner: .init(name: ByteText(identity.name.bytes), fingerprint: identity.fingerprint.hex),
            notIncluded: notIncluded + rest)
    }
}

/// A document that is written item by item; its first error is kept to the end.
private final class DocumentBuilder {
    private var writer: ItemsWriter?
    private var failure: EntryError?
    private let part: BundlePart

    init(_ part: BundlePart, _ head: DocumentHead) {
        self.part = part
        do throws(EntryError) { writer = try ItemsWriter(part, head: head) } catch { failure = error }
    }

    func add(_ item: BundleItem, _ value: borrowing SecretBytes) {
        guard failure == nil else { return }
        do throws(EntryError) { try writer?.add(item, value) } catch { failure = error }
    }

    func finished() -> Result<HeldDocument, EntryError> {
        do throws(EntryError) {
            if let failure { throw failure }
            guard let writer = writer.take() else { throw .stopped }
            return .success(try HeldDocument(part, writer.finished()))
        } catch {
            return .failure(error)
        }
    }
}

extension BundleItem {
    init(_ listing: ItemListing, _ times: PreKeyTimes?) {
        self.init(
            listing.account.bytes, changedAt: listing.changedAt, madeAt: times?.madeAt, replacedAt: times?.replacedAt,
            publishedAt: times?.publishedAt)
    }
}

extension ContactRecord {
    init(_ contact: Contact, _ history: [ContactEvent]) {
        self.init(
            name: contact.name.bytes, isBlocked: contact.isBlocked, addedAt: contact.addedAt, onion: contact.onion,
            port: contact.port, cardPeerID: contact.cardPeerID?.bytes,
            keys: contact.keys.map { key in
                Key(
                    keys: key.keys, firstSeen: key.firstSeen, lastSeen: key.lastSeen, isCurrent: key.isCurrent,
                    replacedAt: key.replacedAt, origin: key.origin, peerIDs: key.peerIDs.map(\.bytes),
                    mark: key.mark.map { mark in
                        Mark(
                            form: mark.form.rawValue, number: mark.number, markedAt: mark.markedAt,
                            byIdentity: mark.byIdentity?.bytes)
                    })
            },
            events: history.map { event in
                Event(
                    at: event.at, what: event.kind.rawValue, from: event.detail.from, to: event.detail.to,
                    form: event.detail.form, number: event.detail.number, origin: event.detail.origin)
            })
    }

    /// As the keyring restores it. What the keyring does not know of (a form of number, an event of a later version) is
    /// passed over.
    var restored: RestoredContact {
        RestoredContact(
            name: name, isBlocked: isBlocked, addedAt: addedAt, onion: onion, port: port,
            cardPeerID: cardPeerID.map { PeerID(bytes: $0) },
            keys: keys.map { key in
                RestoredContact.Key(
                    keys: key.keys, firstSeen: key.firstSeen, lastSeen: key.lastSeen, isCurrent: key.isCurrent,
                    replacedAt: key.replacedAt, origin: key.origin, peerIDs: key.peerIDs.map { PeerID(bytes: $0) },
                    mark: key.mark.flatMap(VerifiedMark.init))
            },
            events: events.compactMap { event in
                ContactEvent.Kind(rawValue: event.what).map { kind in
                    ContactEvent(
                        at: event.at, kind: kind,
                        detail: .init(
                            from: event.from, to: event.to, form: event.form, number: event.number,
                            origin: event.origin))
                }
            })
    }
}

extension VerifiedMark {
    init?(_ mark: ContactRecord.Mark) {
        guard let form = SafetyNumberPair.Proof(rawValue: mark.form) else { return nil }
        self.init(
            form: form, number: mark.number, markedAt: mark.markedAt,
            byIdentity: mark.byIdentity.flatMap { try? Fingerprint(bytes: $0) })
    }
}
