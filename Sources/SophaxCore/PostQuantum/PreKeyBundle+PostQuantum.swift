import CryptoPrimitives

/// What the ML-DSA part of a bundle is.
public enum PostQuantumSignatureState: Hashable, Sendable {
    /// Neither key nor signature.
    case none
    /// A key without a signature, or a signature without a key, which the apps refuse.
    case half
    case valid
    /// Another length, or no signature of the key over what the bundle's Ed25519 signature is over.
    case invalid
}

extension PreKeyBundle {
    /// Whether the ML-DSA signature is one of the ML-DSA key, over the same bytes as the Ed25519 signature.
    ///
    /// That key stands in the bundle and nowhere else, and the Ed25519 signature is not over it: a valid signature alone says
    /// nothing of who made it, only an ML-DSA key that is known does. Format: SophaxChat 8.1.
    public var postQuantumSignature: PostQuantumSignatureState {
        guard let key = extras.mldsaPublicKey, let signature = extras.mldsaSignature else {
            return extras.mldsaPublicKey == nil && extras.mldsaSignature == nil ? .none : .half
        }
        guard let form = signatureForm, key.count == MLDSA65.publicKeyLength,
            signature.count == MLDSA65.signatureLength
        else { return .invalid }
        let message = form.signedBytes(
            signingKey: identityKeys.signing, signedPreKey: signedPreKey.key, timestamp: timestamp)
        // Without memory to verify it in, nothing is taken for valid.
        let isValid = try? MLDSA65.isValid(signature: signature.span, for: message.span, publicKey: key.span)
        return isValid == true ? .valid : .invalid
    }

    /// Puts the public key and its signature over the same bytes as the Ed25519 signature into the bundle.
    /// - Parameter form: the form of the Ed25519 signature.
    /// - Throws: `.memory`, `.libraryFailure`.
    public mutating func addSignature(
        by key: borrowing PostQuantumSigningKey, form: PreKeySignatureForm = .keysAndTime
    ) throws(PreKeyError) {
        let message = form.signedBytes(
            signingKey: identityKeys.signing, signedPreKey: signedPreKey.key, timestamp: timestamp)
        do throws(PostQuantumError) {
            extras.mldsaSignature = try MLDSA65.sign(message.span, seed: key.seed)
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
        extras.mldsaPublicKey = key.publicKey
    }
}

extension PreKeyBundle.Extras {
    /// Offers an ML-KEM key: a prekey with its number, or the identity's own without.
    public mutating func offer(_ pair: borrowing PostQuantumPreKeyPair) {
        postQuantumPreKey = pair.publicKey
        postQuantumPreKeyID = pair.id
    }
}
