import CryptoPrimitives

/// Why no session was begun.
public enum X3DHError: Error, Equatable, Sendable {
    /// A public key of an agreement.
    public enum Key: String, Hashable, Sendable {
        case identity = "identity key"
        case signedPreKey = "signed prekey"
        case oneTimePreKey = "one-time prekey"
        case ephemeral = "ephemeral key"
    }

    /// The bundle has other identity keys than those that were expected.
    case otherIdentity(found: Fingerprint)

    /// The bundle has an ML-DSA key without a signature by it, or a signature without a key.
    case halfPostQuantumSignature

    /// The bundle's signature is none of its signing key.
    case badSignature

    /// The signature is good, over less than the caller asks for.
    case signatureFormRefused(PreKeySignatureForm)

    /// The bundle is too old, or from the future (below zero), by the caller's clock.
    case bundleAge(seconds: Double)

    /// A prekey's id is beyond what an iOS message holds: a bundle of the Android app.
    case preKeyIDTooLarge(UInt64)

    /// The signed prekey that the message names is not the one given.
    case signedPreKeyMissing(id: UInt32)

    /// The message names a one-time prekey, and it is not given: used before, or never one's own.
    case oneTimePreKeyMissing(id: UInt32)

    /// The message has an ML-KEM ciphertext for this key (nil: the identity's own), and the key is not given. A classical secret
    /// would be another than the sender's, and the first message would not open without a hint.
    case postQuantumKeyMissing(id: UInt32?)

    /// The caller wants a post-quantum part, and the bundle offers no ML-KEM key, or the message has no ciphertext.
    case postQuantumNotOffered

    /// The bundle's ML-KEM key is none: its length, a coefficient, or a number without a key.
    case badPostQuantumKey

    /// The bundle's ML-DSA signature is none of its ML-DSA key.
    case badPostQuantumSignature

    /// The caller wants an ML-DSA signature, and the bundle has none.
    case postQuantumSignatureMissing

    /// An ML-KEM ciphertext of another length than 1,088 bytes.
    case postQuantumCiphertextLength(found: Int)

    /// A key of another length than 32 bytes.
    case keyLength(Key, found: Int)

    /// A shared secret of another length than 32 bytes.
    case postQuantumSecretLength(found: Int)

    /// A key of small order: everybody would know the secret.
    case weakKey(Key)

    /// The guarded memory could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}
