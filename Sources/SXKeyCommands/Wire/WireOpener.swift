import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles

/// Opens what is encrypted in messages with the keys of one identity. Nothing that is kept changes: sessions and group keys
/// move on in memory only, so that the messages of one run open whatever their order.
///
/// A message that is not by whom it says is opened where it can be, and changes nothing of what others are opened with: a
/// forged one neither brings sessions and keys nor uses any up.
final class WireOpener {
    /// Holds a session, which cannot be copied.
    private final class Session {
        var ratchet: RatchetSession
        /// Who it is with, as the account or the first message has it.
        let peer: PeerID
        let origin: WirePlaintext.Session

        init(_ ratchet: consuming RatchetSession, peer: PeerID, origin: WirePlaintext.Session) {
            self.ratchet = ratchet
            self.peer = peer
            self.origin = origin
        }

        /// - Parameter keeping: the session moves on; else a copy of it does, which is thrown away.
        func decrypt(_ message: RatchetMessage, ad: [[UInt8]], keeping: Bool) throws(RatchetError) -> SecretBytes {
            guard !keeping else { return try ratchet.decryptSecret(message, ad: ad) }
            let state: SecretBytes
            do throws(SecretMemoryError) { state = try ratchet.state() } catch { throw .memory(error) }
            var copy: RatchetSession
            do throws(RatchetStateError) {
                copy = try RatchetSession(state: state)
            } catch {
                if case .memory(let memory) = error { throw .memory(memory) }
                throw .incompleteSession
            }
            return try copy.decryptSecret(message, ad: ad)
        }
    }

    private let keys: OpenedKeys
    /// Nil for a dump without the two private keys, which may have keys of groups all the same.
    private let identity: Identity?
    private let fingerprint: Fingerprint?
    private var groups: WireGroups
    /// The same keys once more, for messages that nobody is proven to have sent.
    private var doubtfulGroups: WireGroups
    /// Those that are agreed in this run first.
    private var sessions: [Session] = []
    private var loaded: Set<[UInt8]> = []
    /// Why sessions that are kept cannot be used, by account.
    private var unusable: [(peer: PeerID, reason: String)] = []
    /// Digests of what was opened: a message may come by several ways.
    private var opened: Set<[UInt8]> = []
    private static let maximumOpened = 1_000_000

    init(_ keys: OpenedKeys) throws(CommandError) {
        self.keys = keys
        fingerprint = keys.publicKeys?.fingerprint
        identity = fingerprint == nil ? nil : try keys.privateKeys()
        groups = try WireGroups(keys)
        doubtfulGroups = try WireGroups(keys)
    }

    /// The JSON of the message that is sealed for this identity.
    func unseal(_ message: SealedMessage) throws(WireOpenFailure) -> [UInt8] {
        switch identity {
        case .some(let identity):
            do throws(SealedSenderError) {
                return try SealedSender.open(message, for: identity).inner
            } catch {
                throw .sealed(error)
            }
        case .none: throw .noIdentity
        }
    }

    /// Opens the payload of a message whose sender may have these keys.
    func open(_ payload: WirePayload, of shown: ShownMessage, senders: [SenderKey]) -> ShownMessage.Outcome {
        do throws(WireOpenFailure) {
            if let digest = payload.digest(from: shown.message.senderID) {
                if opened.contains(digest) { return .opened(.repeated) }
                let plaintext = try openEncrypted(payload, shown, senders)
                if shown.mayHandOn, opened.count < Self.maximumOpened { opened.insert(digest) }
                return .opened(plaintext)
            }
            switch payload {
            case .sssShareDelivery: throw .sealedShare(isAnswer: false)
            case .sssShareResponse: throw .sealedShare(isAnswer: true)
            case .mlsMessage, .mlsReaction, .mlsGroupEditMessage, .mlsWelcome: throw .notSupported("MLS groups")
            default: return .clear
            }
        } catch {
            return .notOpened(error)
        }
    }

    private func openEncrypted(
        _ payload: WirePayload, _ shown: ShownMessage, _ senders: [SenderKey]
    ) throws(WireOpenFailure) -> WirePlaintext {
        switch payload {
        case .initiateSession(let payload): try begin(payload, shown)
        case .message(let payload): try open(payload.ratchetMessage, shown, senders)
        case .editMessage(.withID(let payload)): try open(payload.ratchetMessage, shown, senders)
        case .editMessage(.alone(let ratchet)): try open(ratchet, shown, senders)
        case .groupMessage(let payload): .group(try open(payload, shown))
        default: throw .notSupported("messages of this type")
        }
    }

    /// Every member has the keys, so only the signature says whose number in the chain a message uses up.
    private func open(
        _ payload: GroupMessagePayload, _ shown: ShownMessage
    ) throws(WireOpenFailure) -> OpenedGroupMessage {
        let isOwn = isOwn(shown.message)
        return shown.mayHandOn && shown.proof.isSigned
            ? try groups.open(payload, isOwn: isOwn) : try doubtfulGroups.open(payload, isOwn: isOwn)
    }

    private func isOwn(_ message: WireMessage) -> Bool { fingerprint.map(message.senderID.matches) ?? false }

    // MARK: - Sessions

    private func open(
        _ ratchet: RatchetMessage, _ shown: ShownMessage, _ senders: [SenderKey]
    ) throws(WireOpenFailure) -> WirePlaintext {
        let message = shown.message
        if isOwn(message) { throw .sentByOneself }
        guard let fingerprint else { throw .noIdentity }
        try load(message.senderID)
        var failure: WireOpenFailure?
        for session in sessions where session.peer.isSamePerson(as: message.senderID) {
            let ad = Self.associatedData(fingerprint, session.peer, message, senders)
            let plaintext: SecretBytes
            do throws(RatchetError) {
                plaintext = try session.decrypt(ratchet, ad: ad, keeping: shown.mayHandOn)
            } catch {
                failure = failure ?? .ratchet(error)
                continue
            }
            return .content(try content(plaintext, shown), session: session.origin)
        }
        if let failure { throw failure }
        if let bad = unusable.first(where: { $0.peer.isSamePerson(as: message.senderID) }) {
            throw .sessionUnusable(bad.reason)
        }
        throw .noSession
    }

    private func begin(
        _ payload: InitiateSessionPayload, _ shown: ShownMessage
    ) throws(WireOpenFailure) -> WirePlaintext {
        let message = shown.message
        if isOwn(message) { throw .sentByOneself }
        let session = try agree(SessionRequest(payload), message.senderID)
        let bundle = payload.senderBundle.bundle
        let isSigned = bundle.postQuantumSignature != .invalid
        guard let fingerprint else { throw .noIdentity }
        let key = SenderKey(bundle.identityKeys, .message)
        let plaintext: SecretBytes
        do throws(RatchetError) {
            plaintext = try session.decrypt(
                payload.initialMessage, ad: Self.associatedData(fingerprint, session.peer, message, [key]),
                keeping: true)
        } catch {
            throw .ratchet(error)
        }
        if shown.mayHandOn { sessions.insert(session, at: 0) }
        return .content(try content(plaintext, shown), session: isSigned ? .agreed : .agreedWithoutSignature)
    }

    private func agree(_ request: SessionRequest, _ peer: PeerID) throws(WireOpenFailure) -> Session {
        switch identity {
        case .some(let identity):
            let signed = try pair(request.usedSignedPreKeyID, ItemAccount.signedPreKey)
            let oneTime = try pair(request.usedOneTimePreKeyID, ItemAccount.oneTimePreKey)
            let lattice = request.pqEncapsulatedKey == nil ? nil : try postQuantumPair(request.usedPQPreKeyID)
            do throws(X3DHError) {
                return try agree(request, peer, identity, signed, oneTime, lattice)
            } catch {
                throw .agreement(error)
            }
        case .none: throw .noIdentity
        }
    }

    /// What the first message of a session asks of the sender's bundle. The ML-DSA signature is not part of it: apps before
    /// iOS 19 do not look at it, so a message with a bad one was shown.
    private static let requirements = BundleRequirements(
        signatureForms: Set(PreKeySignatureForm.allCases), age: nil, postQuantumSignature: .bothOrNeither)

    private func agree(
        _ request: SessionRequest, _ peer: PeerID, _ identity: borrowing Identity, _ signed: borrowing PreKeyPair?,
        _ oneTime: borrowing PreKeyPair?, _ lattice: borrowing PostQuantumPreKeyPair?
    ) throws(X3DHError) -> Session {
        let agreed = try X3DH.respond(
            identity: identity, to: request, signedPreKey: signed, oneTimePreKey: oneTime,
            requirements: Self.requirements,
            postQuantumKey: lattice)
        switch signed {
        case .none: throw .signedPreKeyMissing(id: request.usedSignedPreKeyID)
        case .some(let own):
            do throws(RatchetError) {
                return Session(try RatchetSession(responder: agreed, signedPreKey: own), peer: peer, origin: .agreed)
            } catch {
                if case .memory(let memory) = error { throw .memory(memory) }
                throw .libraryFailure
            }
        }
    }

    /// The ML-KEM prekey of a number, or the identity's own ML-KEM key; nil when there is none.
    private func postQuantumPair(_ id: UInt32?) throws(WireOpenFailure) -> PostQuantumPreKeyPair? {
        let account = id.map { .postQuantumPreKey($0) } ?? ItemAccount.mlKEM
        guard let item = try item(account) else { return nil }
        do throws(CheckedSeedError) {
            return try PostQuantumPreKeyPair(id: id, stored: item)
        } catch {
            if case .memory(let memory) = error { throw .agreement(.memory(memory)) }
            throw .keyUnusable(account)
        }
    }

    /// The prekey that is kept under a number; nil when there is none.
    private func pair(_ id: UInt32?, _ account: (UInt32) -> ItemAccount) throws(WireOpenFailure) -> PreKeyPair? {
        guard let id, let item = try item(account(id)) else { return nil }
        do throws(PreKeyError) {
            return try PreKeyPair(id: id, privateKey: item)
        } catch {
            if case .memory(let memory) = error { throw .agreement(.memory(memory)) }
            throw .keyUnusable(account(id))
        }
    }

    private func item(_ account: ItemAccount) throws(WireOpenFailure) -> SecretBytes? {
        do throws(CommandError) { return try keys.item(account) } catch { throw .keyUnusable(account) }
    }

    /// What may be under the tag: the two ids in the form of the account, then those of both lengths, then nothing, as on
    /// Android.
    private static func associatedData(
        _ own: Fingerprint, _ peer: PeerID, _ message: WireMessage, _ senders: [SenderKey]
    ) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for id in [peer, message.senderID] {
            found.append(AssociatedData.between(PeerID(own, form: id.form), id))
        }
        for sender in senders { found += AssociatedData.candidates(own, sender.keys.fingerprint) }
        found.append([])
        return found.enumerated().filter { index, data in found.firstIndex(of: data) == index }.map(\.element)
    }

    /// What was in a message of a session. Group keys in it are taken: that the other end of the session made it is proven
    /// by its having opened, whether or not a key for the signature around it is known.
    private func content(
        _ plaintext: borrowing SecretBytes, _ shown: ShownMessage
    ) throws(WireOpenFailure) -> MessageContent {
        do throws(FormatError) {
            let content = try MessageContent(json: plaintext)
            guard shown.mayHandOn else { return content }
            let (sender, time) = (shown.message.senderID, content.timestamp.secondsSince2001)
            groups.take(content, from: sender, at: time, mayReplace: shown.proof.isVouchedFor)
            doubtfulGroups.take(content, from: sender, at: time, mayReplace: shown.proof.isVouchedFor)
            return content
        } catch {
            throw .content(error)
        }
    }

    /// Reads the sessions that are kept with somebody, once.
    private func load(_ peer: PeerID) throws(WireOpenFailure) {
        for listing in keys.listings(of: .session, .staleSession) {
            let account = listing.account
            let id = PeerID(bytes: account.subject)
            guard id.isSamePerson(as: peer), loaded.insert(account.bytes).inserted else { continue }
            do throws(CommandError) {
                guard let blob = try keys.item(account) else { continue }
                let macKey = try keys.sessionMACKey(isStale: account.isStale)
                if let session = read(blob, macKey, id, account) { sessions.append(session) }
            } catch {
                throw .sessionUnusable("the item cannot be read")
            }
        }
    }

    private func read(
        _ blob: borrowing SecretBytes, _ macKey: PrivateItem?, _ id: PeerID, _ account: ItemAccount
    ) -> Session? {
        do throws(SessionBlob.Failure) {
            let content = try SessionExamination.open(blob, macKey: macKey)
            guard content.verdict != .forged else {
                unusable.append((id, "its HMAC is wrong: it was changed, or session.mac_key belongs to other sessions"))
                return nil
            }
            do throws(RatchetStateError) {
                return Session(
                    try RatchetSession(state: content.state), peer: id, origin: account.isStale ? .stale : .kept)
            } catch {
                unusable.append((id, "its state is not what the format says"))
                return nil
            }
        } catch {
            unusable.append((id, "it is no session"))
            return nil
        }
    }
}

extension WirePayload {
    /// SHA-256 of a sender and what is encrypted with a key that opens once; nil when nothing is.
    fileprivate func digest(from sender: PeerID) -> [UInt8]? {
        let encrypted: [[UInt8]]
        switch self {
        case .initiateSession(let payload): encrypted = payload.initialMessage.boxes
        case .message(let payload): encrypted = payload.ratchetMessage.boxes
        case .editMessage(let payload):
            guard let ratchet = payload.ratchetMessage else { return nil }
            encrypted = ratchet.boxes
        case .groupMessage(let payload):
            let number = payload.senderKeyIteration.map { LittleEndian.bytes(of: $0) } ?? []
            encrypted = [
                payload.groupID, payload.senderPeerID.bytes, number, payload.ciphertext,
                payload.attachmentCiphertext ?? [],
            ]
        default: return nil
        }
        // Each with its length before it, so that no two lists look alike.
        let text = ([sender.bytes] + encrypted).flatMap { LittleEndian.bytes(of: UInt32(clamping: $0.count)) + $0 }
        return SHA256.hash(text.span)
    }
}

extension RatchetMessage {
    fileprivate var boxes: [[UInt8]] { [encryptedHeader, ciphertext] }
}
