import CryptoPrimitives

/// What the signature of a bundle is over. App versions differ, and nothing in the bundle says which.
///
/// A comment in the app's source names a form between the two, prekey ‖ time; code for it was not found, so it is not
/// tried. Format: SophaxChat 8.1.
public enum PreKeySignatureForm: Hashable, Sendable, CaseIterable {
    /// v0: the signed prekey, 32 bytes. Earlier iOS versions, and Android. The time of the bundle is not signed, so an old
    /// bundle can be sent again with a new time.
    case keyOnly

    /// v2: signing key 32 ‖ signed prekey 32 ‖ the timestamp as a little-endian double, 8 bytes. Newer iOS versions.
    case keysAndTime

    /// Whether the time of the bundle is under the signature.
    public var coversTime: Bool { self == .keysAndTime }

    /// The message that the Ed25519 signature is over.
    /// - Parameters:
    ///   - signingKey: Ed25519 public key of the identity, 32 bytes.
    ///   - signedPreKey: X25519 public key, 32 bytes.
    ///   - timestamp: seconds since 2001, exactly the double that goes into the JSON.
    public func signedBytes(signingKey: [UInt8], signedPreKey: [UInt8], timestamp: Double) -> [UInt8] {
        switch self {
        case .keyOnly: signedPreKey
        case .keysAndTime: signingKey + signedPreKey + LittleEndian.bytes(of: timestamp)
        }
    }
}

extension PreKeyBundle {
    /// The form in which the signature is one of the identity's signing key over the signed prekey; nil when it is none.
    ///
    /// The forms have messages of different length, so a signature fits one of them at most. A signing key that is not
    /// canonical or of small order fits none.
    public var signatureForm: PreKeySignatureForm? {
        PreKeySignatureForm.allCases.first { isSigned(in: $0) }
    }

    /// Whether the signature is one in this form.
    func isSigned(in form: PreKeySignatureForm) -> Bool {
        let message = form.signedBytes(
            signingKey: identityKeys.signing, signedPreKey: signedPreKey.key, timestamp: timestamp)
        return Ed25519.isValid(signature: signature.span, for: message.span, publicKey: identityKeys.signing.span)
    }

    /// Makes a bundle and signs it as the newest iOS app does.
    ///
    /// - Parameters:
    ///   - identity: signs, and gives keys and user name.
    ///   - signedPreKey, oneTimePreKey: public halves of prekeys that the identity's owner has.
    ///   - timestamp: seconds since 2001; it goes into the signature as it is.
    ///   - form: an older form where an earlier app is to read the bundle.
    /// - Throws: `.idTooLarge`, `.timestampNotFinite`, `.memory`, `.libraryFailure`.
    public init(
        signedBy identity: borrowing Identity, signedPreKey: PublicPreKey, oneTimePreKey: PublicPreKey?,
        timestamp: Double, extras: Extras = Extras(), form: PreKeySignatureForm = .keysAndTime
    ) throws(PreKeyError) {
        let message = form.signedBytes(
            signingKey: identity.publicKeys.signing, signedPreKey: signedPreKey.key, timestamp: timestamp)
        let signature: [UInt8]
        do throws(SigningError) {
            signature = try Ed25519.sign(message.span, seed: identity.signingSeed)
        } catch {
            switch error {
            case .memory(let memory): throw .memory(memory)
            case .seedLength, .libraryFailure: throw .libraryFailure
            }
        }
        try self.init(
            identityKeys: identity.publicKeys, signedPreKey: signedPreKey, signature: signature,
            oneTimePreKey: oneTimePreKey, username: Array(identity.username.utf8), timestamp: timestamp, extras: extras)
    }

    /// Those of the bundle's X25519 keys with which an agreement gives a secret that everybody knows: keys of small order,
    /// which no app makes.
    public var weakKeys: [[UInt8]] {
        let keys = [identityKeys.dh, signedPreKey.key] + (oneTimePreKey.map { [$0.key] } ?? [])
        return keys.filter { !X25519.isPublicKey($0.span) }
    }
}
