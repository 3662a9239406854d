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
    ///   - postQuantum: an ML-KEM secret that the receiver finds as well; nil for a classical agreement.
    /// - Throws: `.badSignature`, `.signatureFormRefused`, `.bundleAge`, `.preKeyIDTooLarge`, `.weakKey`,
    ///   `.postQuantumSecretLength`, `.memory`, `.libraryFailure`.
    public static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements,
        postQuantum: consuming PostQuantumPart? = nil
    ) throws(X3DHError) -> InitiatedSession {
        try initiate(
            identity: identity, bundle: bundle, requirements: requirements, postQuantum: postQuantum, random: nil)
    }

    /// The same with a source of the ephemeral key that a test has chosen; nil is the system's.
    package static func initiate(
        identity: borrowing Identity, bundle: PreKeyBundle, requirements: BundleRequirements,
        postQuantum: consuming PostQuantumPart?, random: RandomSource?
    ) throws(X3DHError) -> InitiatedSession {
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
    ///   - postQuantumSecret: what the request's ML-KEM ciphertext stands for, 32 bytes.
    /// - Throws: `.badSignature`, `.signatureFormRefused`, `.bundleAge`, `.signedPreKeyMissing`, `.oneTimePreKeyMissing`,
    ///   `.postQuantumSecretMissing`, `.postQuantumSecretLength`, `.keyLength`, `.weakKey`, `.memory`, `.libraryFailure`.
    public static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair?,
        oneTimePreKey: borrowing PreKeyPair?, requirements: BundleRequirements,
        postQuantumSecret: borrowing SecretBytes? = nil
    ) throws(X3DHError) -> AcceptedSession {
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
        if request.pqEncapsulatedKey != nil {
            switch postQuantumSecret {
            case .some(let secret): try keys.add(postQuantumSecret: secret)
            case .none: throw .postQuantumSecretMissing
            }
        }
        return AcceptedSession(
            sharedSecret: try keys.secret(), remoteKeys: remote, usedOneTimePreKeyID: request.usedOneTimePreKeyID)
    }

    private static func id(_ key: PublicPreKey) throws(X3DHError) -> UInt32 {
        guard let id = UInt32(exactly: key.id) else { throw .preKeyIDTooLarge(key.id) }
        return id
    }
}
