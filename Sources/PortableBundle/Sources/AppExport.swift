import CryptoPrimitives
import SophaxCore
import SophaxFiles

/// The export of an app, made of any source, before it is sealed.
package struct AppExport: ~Copyable {
    package let kind: BundleKind
    /// The JSON, with private keys in it.
    package let text: SecretBytes
    /// What of the source is not in it, or what no app takes out of it again.
    package let losses: [FormatLoss]
    package let conversations: Int
    package let messages: Int
    package let contacts: Int

    /// Why there is no export of this kind.
    package enum Failure: Error, Equatable, Sendable {
        case entries(EntryError)
        /// The kind has the private keys in it, and the source has none.
        case noIdentity(BundleKind)
        case damagedKeys
    }

    /// Reads all of a source. `now`: Unix seconds.
    package static func make<Source: EntrySource>(
        _ kind: BundleKind, of source: Source, now: Double, progress: @escaping (Int) -> Void = { _ in }
    ) throws(Failure) -> AppExport {
        let manifest = source.manifest
        var sink = DocumentSplit(rest: AppExportCollector(kind, readAt: now), progress: progress)
        let documents: [BundlePart: ItemsDocument]
        do throws(EntryError) {
            try source.send(to: &sink)
            documents = try sink.documents()
        } catch {
            throw .entries(error)
        }
        let collected = sink.rest
        var losses = collected.losses
        let inventory = try Inventory(manifest, documents)
        losses.add(inventory.counts, notHeldBy: kind)
        let peers = kind == .identity ? [] : try Self.peers(documents[.contacts], manifest)
        let unusable = kind == .android ? 0 : peers.count { !$0.hasKeys }
        losses.add(.contactsWithoutKeys, count: unusable + (kind == .identity ? 0 : inventory.cards))
        if collected.unreadable > 0 { losses.add(.messagesRefused(.unreadable), count: collected.unreadable) }
        let content = AppExportContent(
            username: try Self.name(manifest, documents), createdAt: now - AppTime.epoch2001,
            fingerprint: try Self.fingerprint(manifest, documents), peers: peers,
            conversations: collected.conversations)
        return AppExport(
            kind: kind, text: try Self.text(kind, content, documents), losses: losses.all,
            conversations: content.conversations.count, messages: collected.messages,
            contacts: peers.count - unusable)
    }

    private init(
        kind: BundleKind, text: consuming SecretBytes, losses: [FormatLoss], conversations: Int, messages: Int,
        contacts: Int
    ) {
        self.kind = kind
        self.text = text
        self.losses = losses
        self.conversations = conversations
        self.messages = messages
        self.contacts = contacts
    }

    private static func text(
        _ kind: BundleKind, _ content: AppExportContent, _ documents: [BundlePart: ItemsDocument]
    ) throws(Failure) -> SecretBytes {
        do throws(EncodingError) {
            switch kind {
            case .backup: return try AppExportWriter.backup(content)
            case .android: return try AppExportWriter.android(content)
            case .identity, .fullExport: break
            }
        } catch {
            throw .entries(.outOfMemory(requested: 0))
        }
        let identity = try identity(kind, documents, named: content.username)
        do throws(EncodingError) {
            return kind == .identity
                ? try AppExportWriter.identity(identity, exportedAt: content.createdAt)
                : try AppExportWriter.fullExport(identity, content)
        } catch {
            throw .entries(.outOfMemory(requested: 0))
        }
    }

    private static func identity(
        _ kind: BundleKind, _ documents: [BundlePart: ItemsDocument], named name: [UInt8]
    ) throws(Failure) -> Identity {
        guard let document = documents[.identity] else { throw .noIdentity(kind) }
        let seed = try value(of: "identity.signing", in: document)
        let dh = try value(of: "identity.dh", in: document)
        guard let seed, let dh else { throw .damagedKeys }
        do throws(IdentityError) {
            return try Identity(signingSeed: seed, dhPrivate: dh, username: String(decoding: name, as: UTF8.self))
        } catch {
            throw .damagedKeys
        }
    }

    private static func value(of account: String, in document: ItemsDocument) throws(Failure) -> SecretBytes? {
        do throws(DocumentError) { return try document.value(of: account) } catch { throw .entries(.document(error)) }
    }

    private static func name(
        _ manifest: Manifest, _ documents: [BundlePart: ItemsDocument]
    ) throws(Failure) -> [UInt8] {
        if let document = documents[.identity] {
            if let item = try value(of: "user.username", in: document) {
                return item.withSpan { bytes in bytes.indices.map { bytes[$0] } }
            }
            if let name = document.head.name { return name }
        }
        return manifest.owner.name?.bytes ?? []
    }

    private static func fingerprint(
        _ manifest: Manifest, _ documents: [BundlePart: ItemsDocument]
    ) throws(Failure) -> Fingerprint? {
        guard let text = documents[.identity]?.head.fingerprint ?? manifest.owner.fingerprint else { return nil }
        let digits = Array(text.utf8)
        return try? Fingerprint(hex: digits.span)
    }

    /// The contacts: those that came from an app as they are, and those of a keyring.
    private static func peers(
        _ document: ItemsDocument?, _ manifest: Manifest
    ) throws(Failure) -> [AppExportPeer] {
        guard let head = document?.head else { return [] }
        let known = head.peers.compactMap { KnownPeer.read(source: $0) }
        let taken = Set(known.compactMap { $0.publicKeys?.fingerprint })
        let usesLongIDs = manifest.entries.contains { entry in
            entry.id.map { PeerID(bytes: $0.bytes).form == .hex32 } ?? false
        }
        return known.map { AppExportPeer($0) }
            + head.contacts.compactMap { contact -> AppExportPeer? in
                guard let key = contact.currentKey, !taken.contains(key.keys.fingerprint) else { return nil }
                let seen = key.peerIDs.map { PeerID(bytes: $0) }
                let usual: PeerID.Form = usesLongIDs ? .hex32 : .hex16
                let id = PeerID(
                    key.keys.fingerprint,
                    form: seen.contains { $0.form == usual } ? usual : seen.first { $0.form != .other }?.form ?? usual)
                return AppExportPeer(
                    id: id, username: contact.name, keys: key.keys, lastSeen: key.lastSeen - AppTime.epoch2001,
                    tcpAddress: contact.onion.map { onion in contact.port.map { "\(onion):\($0)" } ?? onion },
                    isAccepted: !contact.isBlocked)
            }
    }

    /// How much of each kind a source has.
    private struct Inventory {
        private(set) var counts: [PortableKind: Int] = [:]
        /// Contacts whose keys are not known.
        private(set) var cards = 0

        init(_ manifest: Manifest, _ documents: [BundlePart: ItemsDocument]) throws(Failure) {
            counts[.attachments] = manifest.entries(of: .attachments).count
            counts[.blobs] = manifest.entries(of: .blobs).count
            counts[.messages] = manifest.messages
            if documents[.identity] != nil { counts[.identity] = 1 }
            for document in documents.values {
                let listing: [BundleItem]
                do throws(DocumentError) { listing = try document.listing() } catch { throw .entries(.document(error)) }
                for item in listing { count(item.account) }
                counts[.groups, default: 0] += document.head.groups.count
            }
            guard let head = documents[.contacts]?.head else { return }
            cards = head.contacts.count { $0.currentKey == nil }
            counts[.contacts, default: 0] += head.contacts.count - cards + head.peers.count
            counts[.verifiedMarks, default: 0] += head.contacts.count { $0.currentKey?.mark != nil }
            counts[.blockedPeople, default: 0] += head.contacts.count { $0.isBlocked }
            counts[.keyHistory] = head.contacts.reduce(0) { $0 + $1.keys.count { !$0.isCurrent } }
        }

        private mutating func count(_ account: [UInt8]) {
            let name = String(decoding: account, as: UTF8.self)
            let kind: PortableKind
            switch BundlePart(ofAccount: account) {
            case .preKeys: kind = .preKeys
            case .groups: kind = .groupKeys
            case .sessions: kind = .sessions
            default:
                switch name {
                case "identity.signing", "identity.dh", "user.username": return
                case "verified.peers": kind = .verifiedMarks
                case "peer.aliases": kind = .aliases
                case "blocked.peers": kind = .blockedPeople
                case "pinned.messages": kind = .pinnedMessages
                case "linked.devices", "trustedWipePeers": kind = .linkedDevices
                case "sss.shares", "sss.manifest": kind = .shares
                default: kind = .otherItems
                }
            }
            counts[kind, default: 0] += 1
        }
    }
}

extension FormatLoss {
    /// It is not in the file. The rest is there, and only no app takes it out again.
    package var isFromFile: Bool {
        switch reason {
        case .noPlace, .contactsWithoutKeys, .messagesRefused, .messagesChanged: true
        case .notRestored, .droppedByAndroid: false
        }
    }
}
