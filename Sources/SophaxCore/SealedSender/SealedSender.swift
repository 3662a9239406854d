import CryptoPrimitives

/// Encrypts to a person's DH key under a key made for this message alone, so that the payload names no sender.
///
/// Key = HKDF-SHA256(X25519(ephemeral, recipient), no salt, info `SophaxChat_SealedSender_v1`, 32 bytes). The recipient
/// learns who the sender is from the wire message inside, whose signature is still to be checked. Format: SophaxChat 8.6.
public enum SealedSender {
    /// What is authenticated beside the payload; app versions read their own form only.
    public enum Form: Hashable, Sendable, CaseIterable {
        /// The recipient's DH public key, 32 bytes: later versions.
        case recipientKey
        /// Nothing: earlier versions.
        case plain
    }

    /// What a sealed message held.
    public struct Opened: Hashable, Sendable {
        /// The JSON of the inner wire message, if the sender kept to the format.
        public let inner: [UInt8]
        /// The form that fitted.
        public let form: Form
    }

    static let info = Array("SophaxChat_SealedSender_v1".utf8)

    /// Seals `inner`, the JSON of a signed wire message, for the owner of `recipientDH` (32 bytes).
    /// - Throws: `.wrongLength` or `.smallOrder` for the recipient's key, `.tooLarge`, `.memory`, `.libraryFailure`.
    public static func seal(
        _ inner: [UInt8], to recipientDH: [UInt8], form: Form = .recipientKey
    ) throws(SealedSenderError) -> SealedMessage {
        try seal(inner, to: recipientDH, form: form, random: .system)
    }

    /// Seals as the public function does, with an ephemeral key from `random`.
    package static func seal(
        _ inner: [UInt8], to recipientDH: [UInt8], form: Form, random: RandomSource
    ) throws(SealedSenderError) -> SealedMessage {
        let ceiling = SealedMessage.maximumPayload - AEADSize.overhead
        guard inner.count <= ceiling else { throw .tooLarge(found: inner.count, ceiling: ceiling) }
        let ephemeral: SecretBytes
        do throws(SecretMemoryError) {
            ephemeral = try random.secret(X25519.keyLength)
        } catch {
            throw .memory(error)
        }
        let ephemeralPublic = try publicKey(of: ephemeral)
        let key = try key(ephemeral, recipientDH, .recipientKey)
        do throws(AEADError) {
            var cipher = try ChaChaPoly(key: key)
            let data = form == .recipientKey ? recipientDH : []
            return SealedMessage(
                ephemeralPublicKey: ephemeralPublic,
                encryptedPayload: try cipher.sealCombined(inner.span, authenticating: data.span))
        } catch {
            throw SealedSenderError(error)
        }
    }

    /// Opens a message with the recipient's private DH key; the newer form is tried first.
    /// - Throws: `.notAuthentic` when neither form fits; `.wrongLength`, `.smallOrder`, `.tooShort`, `.tooLarge`, `.memory`,
    ///   `.libraryFailure`.
    public static func open(
        _ message: SealedMessage, with dhPrivate: borrowing SecretBytes
    ) throws(SealedSenderError) -> Opened {
        try open(message, with: dhPrivate, publicKey: publicKey(of: dhPrivate))
    }

    /// Opens a message for `identity`; the newer form is tried first.
    public static func open(
        _ message: SealedMessage, for identity: borrowing Identity
    ) throws(SealedSenderError) -> Opened {
        try open(message, with: identity.dhPrivate, publicKey: identity.publicKeys.dh)
    }

    private static func open(
        _ message: SealedMessage, with dhPrivate: borrowing SecretBytes, publicKey: [UInt8]
    ) throws(SealedSenderError) -> Opened {
        let payload = message.encryptedPayload
        guard payload.count >= AEADSize.overhead else { throw .tooShort(found: payload.count) }
        guard payload.count <= SealedMessage.maximumPayload else {
            throw .tooLarge(found: payload.count, ceiling: SealedMessage.maximumPayload)
        }
        let key = try key(dhPrivate, message.ephemeralPublicKey, .ephemeralKey)
        do throws(AEADError) {
            var cipher = try ChaChaPoly(key: key)
            if let inner = try cipher.openIfAuthentic(payload, authenticating: publicKey) {
                return Opened(inner: inner, form: .recipientKey)
            }
            if let inner = try cipher.openIfAuthentic(payload, authenticating: []) {
                return Opened(inner: inner, form: .plain)
            }
        } catch {
            throw SealedSenderError(error)
        }
        throw .notAuthentic
    }

    /// The key that both ends derive; `part` is what errors call the public key.
    private static func key(
        _ privateKey: borrowing SecretBytes, _ publicKey: [UInt8], _ part: SealedSenderError.Part
    ) throws(SealedSenderError) -> SecretBytes {
        let shared: SecretBytes
        do throws(KeyAgreementError) {
            guard publicKey.count == X25519.keyLength else {
                throw .keyLength(expected: X25519.keyLength, found: publicKey.count)
            }
            shared = try X25519.sharedSecret(privateKey: privateKey, publicKey: publicKey.span)
        } catch {
            throw SealedSenderError(error, part)
        }
        do throws(KeyDerivationError) {
            return try HKDF.derive(inputKey: shared, info: info.span, length: AEADSize.key, using: .sha256)
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
    }

    private static func publicKey(of privateKey: borrowing SecretBytes) throws(SealedSenderError) -> [UInt8] {
        do throws(KeyAgreementError) {
            return try X25519.publicKey(of: privateKey)
        } catch {
            throw SealedSenderError(error, .privateKey)
        }
    }
}

extension SealedSenderError {
    init(_ error: AEADError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .memory(let memory): self = .memory(memory)
        case .tooShort(_, let found): self = .tooShort(found: found)
        case .tooLong(let maximum, let found): self = .tooLarge(found: found, ceiling: maximum)
        case .keyLength, .nonceLength, .tagLength, .libraryFailure: self = .libraryFailure
        }
    }

    init(_ error: KeyAgreementError, _ part: Part) {
        switch error {
        case .keyLength(let expected, let found): self = .wrongLength(part, expected: expected, found: found)
        case .allZero: self = .smallOrder(part)
        case .memory(let memory): self = .memory(memory)
        case .libraryFailure: self = .libraryFailure
        }
    }
}

extension ChaChaPoly {
    /// The text of a combined box; nil when it does not authenticate, so that another form can be tried.
    mutating func openIfAuthentic(_ box: [UInt8], authenticating data: [UInt8]) throws(AEADError) -> [UInt8]? {
        var text = box
        do throws(AEADError) {
            var span = text.mutableSpan
            let range = try openCombined(inPlace: &span, authenticating: data.span)
            text.removeLast(text.count - range.upperBound)
            text.removeFirst(range.lowerBound)
            return text
        } catch {
            guard error == .notAuthentic else { throw error }
            return nil
        }
    }
}
