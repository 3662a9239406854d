import CryptoPrimitives

/// X3DH: a secret between two identities of whom one need not be there, from identity keys, prekeys and a key made for it.
///
/// SK = HKDF-SHA-256(FF×32 ‖ DH1 ‖ DH2 ‖ DH3 [‖ DH4] [‖ ML-KEM secret], salt 00×32, `SophaxChat_X3DH_v1`), 32 bytes, where
/// DH1 = IK_A·SPK_B, DH2 = EK_A·IK_B, DH3 = EK_A·SPK_B, DH4 = EK_A·OPK_B. An all-zero DH is refused. In a hybrid agreement the
/// ML-KEM-768 secret is for the ML-KEM key of the bundle, B's prekey or the identity's own. Format: SophaxChat 8.2.
public enum X3DH {
    /// Begins a session with the owner of `bundle`.
    ///
    /// - Parameters:
    ///   - identity: one's own keys.
    ///   - requirements: what the bundle's signatures and age must be.
    ///   - expected: whose bundle it must be. The signature is by the signing key over prekey and time alone: somebody could
    ///     put a DH key of their own beside it, which only the fingerprint shows.
    ///   - postQuantum: whether the ML-KEM key of the bundle is used; the receiver must have it. A key that is none is an error,
    ///     never a classical agreement.
    /// - Throws: `.otherIdentity`, `.badSignature`, `.signatureFormRefused`, `.halfPostQuantumSignature`,
    ///   `.badPostQuantumSignature`, `.postQuantumSignatureMissing`, `.bundleAge`, `.preKeyIDTooLarge`, `.weakKey`,
    ///   `.postQuantumNotOffered`, `.badPostQuantumKey`, `.memory`, `.libraryFailure`.
    public static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements,
        expected: Fingerprint? = nil, postQuantum: PostQuantumChoice = .whenOffered
    ) throws(X3DHError) -> InitiatedSession {
        try initiate(
            identity: identity, bundle: bundle, requirements: requirements, expected: expected,
            postQuantum: postQuantum, random: nil)
    }

    /// The same with a source of the ephemeral key and the ML-KEM randomness that a test has chosen; nil is the system's.
    package static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements, expected: Fingerprint?,
        postQuantum: PostQuantumChoice, random: RandomSource?
    ) throws(X3DHError) -> InitiatedSession {
        try check(bundle, expected)
        try requirements.check(bundle)
        let part = try PostQuantumPart.make(for: bundle, postQuantum, random: random)
        return try initiate(identity: identity, bundle: bundle, part: part, random: random)
    }

    /// The agreement itself, with a bundle that was judged and a post-quantum part that was made for it.
    package static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, part: consuming PostQuantumPart?, random: RandomSource?
    ) throws(X3DHError) -> InitiatedSession {
        let signedID = try id(bundle.signedPreKey)
        var oneTimeID: UInt32?
        if let oneTime = bundle.oneTimePreKey { oneTimeID = try id(oneTime) }

        var keys = try X3DHKeys()
        try keys.setEphemeral(random)
        try keys.add(identity.dhPrivate, bundle.signedPreKey.key, .signedPreKey)
        try keys.addEphemeral(bundle.identityKeys.dh, .identity)
        try keys.addEphemeral(bundle.signedPreKey.key, .signedPreKey)
        if let oneTime = bundle.oneTimePreKey { try keys.addEphemeral(oneTime.key, .oneTimePreKey) }
        var encapsulatedKey: [UInt8]?
        var postQuantumID: UInt32?
        if let part {
            try keys.add(postQuantumSecret: part.secret)
            (encapsulatedKey, postQuantumID) = (part.encapsulatedKey, part.preKeyID)
        }
        let ephemeral = try keys.ephemeralPublicKey()
        return InitiatedSession(
            sharedSecret: try keys.secret(), remoteKeys: bundle.identityKeys, signedPreKey: bundle.signedPreKey.key,
            ephemeralPublicKey: ephemeral, usedSignedPreKeyID: signedID, usedOneTimePreKeyID: oneTimeID,
            pqEncapsulatedKey: encapsulatedKey, usedPQPreKeyID: postQuantumID)
    }

    /// Answers the request of a first message.
    ///
    /// - Parameters:
    ///   - identity: one's own keys.
    ///   - signedPreKey: the pair that the request names.
    ///   - oneTimePreKey: the pair that the request names; one that it does not name is not used.
    ///   - requirements: what the sender's bundle must be.
    ///   - expected: who the sender must be; see `initiate`.
    ///   - postQuantumKey: the ML-KEM key that a request with a ciphertext names: the prekey of that number, or the identity's
    ///     own where it names none. Without it there is no agreement: the classical secret would be another than the sender's,
    ///     and the first message would not open.
    ///   - requiresPostQuantum: no session without a post-quantum part.
    /// - Throws: `.otherIdentity`, `.badSignature`, `.signatureFormRefused`, `.halfPostQuantumSignature`,
    ///   `.badPostQuantumSignature`, `.postQuantumSignatureMissing`, `.bundleAge`, `.signedPreKeyMissing`,
    ///   `.oneTimePreKeyMissing`, `.postQuantumKeyMissing`, `.postQuantumCiphertextLength`, `.postQuantumNotOffered`,
    ///   `.keyLength`, `.weakKey`, `.memory`, `.libraryFailure`.
    public static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair?,
        oneTimePreKey: borrowing PreKeyPair?, requirements: BundleRequirements, expected: Fingerprint? = nil,
        postQuantumKey: borrowing PostQuantumPreKeyPair? = nil, requiresPostQuantum: Bool = false
    ) throws(X3DHError) -> AcceptedSession {
        try check(request.senderBundle, expected)
        try requirements.check(request.senderBundle)
        let part = try postQuantumSecret(of: request, postQuantumKey)
        if requiresPostQuantum, request.pqEncapsulatedKey == nil { throw .postQuantumNotOffered }
        return try respond(
            identity: identity, to: request, signedPreKey: signedPreKey, oneTimePreKey: oneTimePreKey,
            postQuantumSecret: part)
    }

    /// The agreement itself, with a sender's bundle that was judged and the secret of the request's ML-KEM ciphertext.
    package static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair?,
        oneTimePreKey: borrowing PreKeyPair?, postQuantumSecret: borrowing SecretBytes?
    ) throws(X3DHError) -> AcceptedSession {
        guard request.ephemeralPublicKey.count == KeySlots.keyLength else {
            throw .keyLength(.ephemeral, found: request.ephemeralPublicKey.count)
        }
        let remote = request.senderBundle.identityKeys
        var keys = try X3DHKeys()
        switch signedPreKey {
        case .some(let pair):
            guard pair.id == request.usedSignedPreKeyID else {
                throw .signedPreKeyMissing(id: request.usedSignedPreKeyID)
            }
            try keys.add(pair.privateKey, remote.dh, .identity)
            try keys.add(identity.dhPrivate, request.ephemeralPublicKey, .ephemeral)
            try keys.add(pair.privateKey, request.ephemeralPublicKey, .ephemeral)
        case .none: throw .signedPreKeyMissing(id: request.usedSignedPreKeyID)
        }
        if let id = request.usedOneTimePreKeyID {
            switch oneTimePreKey {
            case .some(let pair):
                guard pair.id == id else { throw .oneTimePreKeyMissing(id: id) }
                try keys.add(pair.privateKey, request.ephemeralPublicKey, .ephemeral)
            case .none: throw .oneTimePreKeyMissing(id: id)
            }
        }
        let isHybrid: Bool
        switch postQuantumSecret {
        case .some(let secret):
            try keys.add(postQuantumSecret: secret)
            isHybrid = true
        case .none: isHybrid = false
        }
        return AcceptedSession(
            sharedSecret: try keys.secret(), remoteKeys: remote, usedSignedPreKeyID: request.usedSignedPreKeyID,
            usedOneTimePreKeyID: request.usedOneTimePreKeyID, isHybrid: isHybrid)
    }

    /// What the request's ML-KEM ciphertext stands for under the key that it names; nil in a classical agreement.
    private static func postQuantumSecret(
        of request: SessionRequest, _ key: borrowing PostQuantumPreKeyPair?
    ) throws(X3DHError) -> SecretBytes? {
        guard let ciphertext = request.pqEncapsulatedKey else {
            guard request.usedPQPreKeyID == nil else { throw .postQuantumCiphertextLength(found: 0) }
            return nil
        }
        guard ciphertext.count == PostQuantumPreKeyPair.ciphertextLength else {
            throw .postQuantumCiphertextLength(found: ciphertext.count)
        }
        switch key {
        case .some(let pair):
            guard pair.id == request.usedPQPreKeyID else { throw .postQuantumKeyMissing(id: request.usedPQPreKeyID) }
            do throws(PostQuantumError) {
                return try MLKEM768.decapsulate(ciphertext.span, seed: pair.seed)
            } catch {
                throw X3DHError(error)
            }
        case .none: throw .postQuantumKeyMissing(id: request.usedPQPreKeyID)
        }
    }

    private static func check(_ bundle: PreKeyBundle, _ expected: Fingerprint?) throws(X3DHError) {
        guard let expected, expected != bundle.fingerprint else { return }
        throw .otherIdentity(found: bundle.fingerprint)
    }

    private static func id(_ key: PublicPreKey) throws(X3DHError) -> UInt32 {
        guard let id = UInt32(exactly: key.id) else { throw .preKeyIDTooLarge(key.id) }
        return id
    }
}
