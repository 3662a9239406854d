import CryptoPrimitives

/// X3DH: a secret between two identities of whom one need not be there, from identity keys, prekeys and a key made for it.
///
/// SK = HKDF-SHA-256(FF×32 ‖ DH1 ‖ DH2 ‖ DH3 [‖ DH4] [‖ ML-KEM secret], salt 00×32, `SophaxChat_X3DH_v1`), 32 bytes, where
/// DH1 = IK_A·SPK_B, DH2 = EK_A·IK_B, DH3 = EK_A·SPK_B, DH4 = EK_A·OPK_B. An all-zero DH is refused. Format: SophaxChat 8.2.
public enum X3DH {
    /// Begins a session with the owner of `bundle`.
    ///
    /// - Parameters:
    ///   - identity: one's own keys.
    ///   - requirements: what the bundle's signature and age must be.
    ///   - expected: whose bundle it must be. The signature is by the signing key over prekey and time alone: somebody could
    ///     put a DH key of their own beside it, which only the fingerprint shows.
    ///   - postQuantum: an ML-KEM secret that the receiver finds as well; nil for a classical agreement.
    /// - Throws: `.otherIdentity`, `.badSignature`, `.signatureFormRefused`, `.halfPostQuantumSignature`, `.bundleAge`,
    ///   `.preKeyIDTooLarge`, `.weakKey`, `.postQuantumKeyNotOffered`, `.postQuantumCiphertextLength`,
    ///   `.postQuantumSecretLength`, `.memory`, `.libraryFailure`.
    public static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements,
        expected: Fingerprint? = nil, postQuantum: consuming PostQuantumPart? = nil
    ) throws(X3DHError) -> InitiatedSession {
        try initiate(
            identity: identity, bundle: bundle, requirements: requirements, expected: expected,
            postQuantum: postQuantum, random: nil)
    }

    /// The same with a source of the ephemeral key that a test has chosen; nil is the system's.
    package static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements, expected: Fingerprint?,
        postQuantum: consuming PostQuantumPart?, random: RandomSource?
    ) throws(X3DHError) -> InitiatedSession {
        try check(bundle, expected)
        try requirements.check(bundle)
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
        if let postQuantum {
            // Else the receiver finds another key, or none, and a secret of its own: the first message would not open.
            guard bundle.extras.postQuantumPreKey != nil, bundle.extras.postQuantumPreKeyID == postQuantum.preKeyID
            else { throw .postQuantumKeyNotOffered(id: postQuantum.preKeyID) }
            try check(ciphertext: postQuantum.encapsulatedKey)
            try keys.add(postQuantumSecret: postQuantum.secret)
            (encapsulatedKey, postQuantumID) = (postQuantum.encapsulatedKey, postQuantum.preKeyID)
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
    ///   - postQuantumSecret: what the request's ML-KEM ciphertext stands for, 32 bytes.
    /// - Throws: `.otherIdentity`, `.badSignature`, `.signatureFormRefused`, `.halfPostQuantumSignature`, `.bundleAge`,
    ///   `.signedPreKeyMissing`, `.oneTimePreKeyMissing`, `.postQuantumCiphertextLength`, `.postQuantumSecretMissing`,
    ///   `.postQuantumSecretLength`, `.keyLength`, `.weakKey`, `.memory`, `.libraryFailure`.
    public static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair?,
        oneTimePreKey: borrowing PreKeyPair?, requirements: BundleRequirements, expected: Fingerprint? = nil,
        postQuantumSecret: borrowing SecretBytes? = nil
    ) throws(X3DHError) -> AcceptedSession {
        try check(request.senderBundle, expected)
        try requirements.check(request.senderBundle)
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
        if let ciphertext = request.pqEncapsulatedKey {
            try check(ciphertext: ciphertext)
            switch postQuantumSecret {
            case .some(let secret): try keys.add(postQuantumSecret: secret)
            case .none: throw .postQuantumSecretMissing
            }
        }
        return AcceptedSession(
            sharedSecret: try keys.secret(), remoteKeys: remote, usedSignedPreKeyID: request.usedSignedPreKeyID,
            usedOneTimePreKeyID: request.usedOneTimePreKeyID)
    }

    private static func check(_ bundle: PreKeyBundle, _ expected: Fingerprint?) throws(X3DHError) {
        guard let expected, expected != bundle.fingerprint else { return }
        throw .otherIdentity(found: bundle.fingerprint)
    }

    private static func check(ciphertext: [UInt8]) throws(X3DHError) {
        guard ciphertext.count == PostQuantumPart.ciphertextLength else {
            throw .postQuantumCiphertextLength(found: ciphertext.count)
        }
    }

    private static func id(_ key: PublicPreKey) throws(X3DHError) -> UInt32 {
        guard let id = UInt32(exactly: key.id) else { throw .preKeyIDTooLarge(key.id) }
        return id
    }
}
