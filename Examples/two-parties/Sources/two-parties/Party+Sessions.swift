import CryptoPrimitives
import SophaxCore

// MARK: - Hello

extension Party {
    // guide: bundle
    /// The bundle that others begin a session with. `time`: seconds since 2001.
    func bundle(at time: Double, withOneTimePreKey: Bool = true) throws -> PreKeyBundle {
        try PreKeyBundle(
            signedBy: identity, signedPreKey: signedPreKey.publicPreKey,
            oneTimePreKey: withOneTimePreKey ? oneTimePreKeys.values.first?.pair.publicPreKey : nil, timestamp: time)
    }

    /// Signs a payload; every wire message goes through here.
    func sign(_ payload: WirePayload, at time: Double) throws -> WireMessage {
        guard let date = WireDate(secondsSince2001: time) else { throw PartyError.unexpected("no date") }
        return try WireMessage.sign(payload, from: peerID, at: date, by: identity)
    }

    func hello(at time: Double) throws -> WireMessage {
        try sign(.hello(HelloPayload(bundle: CarriedBundle(bundle(at: time)))), at: time)
    }
    // guide: end

    // guide: verify
    /// The bundle of a hello, when everything about it is right.
    static func bundle(in message: WireMessage) throws -> PreKeyBundle {
        guard case .hello(let hello) = try message.readPayload() else { throw PartyError.unexpected("no hello") }
        let bundle = hello.bundle.bundle
        // The id must be that of the keys, and the message signed by them: else anybody could hand out anybody's bundle.
        guard message.isSent(by: bundle.identityKeys) else { throw PartyError.badSignature }
        return bundle
    }
    // guide: end
}

// MARK: - X3DH and the first message

extension Party {
    // guide: initiate
    /// Begins a session with the owner of a bundle, and gives the message that tells him.
    ///
    /// `peer` is the fingerprint that is known of the owner: the bundle's signature is not over all of its keys.
    func initiate(
        with bundle: PreKeyBundle, of peer: Fingerprint, saying text: String, at time: Double
    ) throws -> WireMessage {
        let agreed = try X3DH.initiate(
            identity: identity, bundle: bundle,
            requirements: .newest(now: time + PreKeyBundle.epoch2001), expected: peer)
        let request = agreed.request(senderBundle: try self.bundle(at: time))
        // Takes the agreement, whose secret is gone with it.
        var session = try RatchetSession(initiator: agreed)
        let plaintext = try content(text, at: time)
        let first = try session.encrypt(plaintext, ad: associatedData(with: peer))
        self.session = consume session
        return try sign(.initiateSession(InitiateSessionPayload(request, initialMessage: first)), at: time)
    }
    // guide: end

    // guide: respond
    /// Answers a first message: the session, and what it says.
    func respond(to message: WireMessage, at time: Double) throws -> String {
        guard case .initiateSession(let payload) = try message.readPayload() else {
            throw PartyError.unexpected("no first message")
        }
        let sender = payload.senderBundle.bundle
        guard message.isSent(by: sender.identityKeys) else { throw PartyError.badSignature }
        let accepted = try accept(SessionRequest(payload), at: time)
        var session = try RatchetSession(responder: accepted, signedPreKey: signedPreKey)
        let plaintext = try session.decryptSecret(
            payload.initialMessage, ad: AssociatedData.candidates(identity.fingerprint, sender.fingerprint))
        // Only now: a message that does not open must not cost a prekey.
        if let used = payload.usedOneTimePreKeyId { removeOneTimePreKey(used) }
        self.session = consume session
        return try text(of: plaintext)
    }

    private func accept(_ request: SessionRequest, at time: Double) throws -> AcceptedSession {
        let requirements = BundleRequirements.newest(now: time + PreKeyBundle.epoch2001)
        guard let id = request.usedOneTimePreKeyID else {
            return try X3DH.respond(
                identity: identity, to: request, signedPreKey: signedPreKey, requirements: requirements)
        }
        guard let oneTime = oneTimePreKeys[id] else { throw PartyError.noPreKey(id) }
        return try X3DH.respond(
            identity: identity, to: request, signedPreKey: signedPreKey, oneTimePreKey: oneTime.pair,
            requirements: requirements)
    }
    // guide: end
}

// MARK: - The ratchet, and sealed sender

extension Party {
    // guide: ratchet
    /// The next message of the session.
    func encrypt(_ plaintext: borrowing SecretBytes, for peer: Fingerprint) throws -> RatchetMessage {
        let ad = associatedData(with: peer)
        return try plaintext.withSpan { text in
            try withSession { session in try session.encrypt(text, ad: ad) }
        }
    }

    /// Opens a message, in whatever order it comes, into guarded memory: it may hand out the key of a group. One that does
    /// not open leaves the session as it was.
    func decrypt(_ message: RatchetMessage, from peer: Fingerprint) throws -> SecretBytes {
        let candidates = AssociatedData.candidates(identity.fingerprint, peer)
        return try withSession { session in try session.decryptSecret(message, ad: candidates) }
    }

    private func withSession<R: ~Copyable>(_ body: (inout RatchetSession) throws -> R) throws -> R {
        guard var session = session.take() else { throw PartyError.noSession }
        let result = Result { try body(&session) }
        self.session = consume session
        return try result.get()
    }

    func associatedData(with peer: Fingerprint) -> [UInt8] {
        AssociatedData.between(peerID, PeerID(peer, form: .hex32))
    }
    // guide: end

    // guide: sealed
    /// Seals a ratchet message once more, so that nobody on the way sees who wrote it.
    func seal(_ message: RatchetMessage, id: String, for peer: IdentityPublicKeys, at time: Double) throws
        -> WireMessage
    {
        let inner = try sign(.message(ChatMessagePayload(ratchetMessage: message, messageID: Array(id.utf8))), at: time)
        return try sign(.sealed(SealedSender.seal(inner.json, to: peer.dh)), at: time)
    }

    /// Opens a sealed message down to its text; the signature of the inner one is what proves the sender.
    func open(_ message: WireMessage, from peer: IdentityPublicKeys) throws -> SecretBytes {
        guard case .sealed(let sealed) = try message.readPayload() else { throw PartyError.unexpected("not sealed") }
        let proven = try SealedSender.openAndVerify(sealed, for: identity) { $0.matches(peer.fingerprint) ? peer : nil }
        guard case .message(let chat) = try proven.message.readPayload() else {
            throw PartyError.unexpected("no message")
        }
        return try decrypt(chat.ratchetMessage, from: peer.fingerprint)
    }
    // guide: end

    /// The plaintext of a ratchet message with a text.
    func content(_ text: String, at time: Double) throws -> SecretBytes {
        guard let date = WireDate(secondsSince2001: time) else { throw PartyError.unexpected("no date") }
        let content = MessageContent(body: Array(text.utf8), timestamp: date)
        if let problem = content.sendingProblem { throw problem }
        return try content.json()
    }

    func text(of plaintext: borrowing SecretBytes) throws -> String {
        String(decoding: try MessageContent(json: plaintext).body, as: UTF8.self)
    }
}
