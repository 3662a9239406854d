import CryptoPrimitives
import JSONCoding

/// A message of btmessage from one person to another: `{kemCiphertext, aesCiphertext}`, or in the earlier form
/// `{ephemeralPublicKey, aesCiphertext}`.
///
/// Nobody signs it: that it opens says that it was made for this key, and not by whom.
package struct BTMessageSealed: Hashable, Sendable {
    package enum Form: String, Hashable, Sendable {
        case xwing
        /// Of its first versions.
        case x25519
    }

    package let form: Form
    /// The ciphertext of X-Wing, 1,120 bytes, or the ephemeral public key of X25519, 32.
    package let agreement: [UInt8]
    package let box: [UInt8]

    private static let info: StaticString = "btmessage-v1"

    /// Reads the object. One that has both forms is taken as the newer app takes it.
    init(_ object: JSONObject) throws(FormatError) {
        if let ciphertext = try object.data("kemCiphertext", length: BTMessageXWing.ciphertextLength) {
            form = .xwing
            agreement = ciphertext
        } else if let key = try object.data("ephemeralPublicKey", length: X25519.keyLength) {
            form = .x25519
            agreement = key
        } else {
            throw object.problem("kemCiphertext", .missing)
        }
        box = try object.sealedBox("aesCiphertext")
    }

    init(_ form: Form, agreement: [UInt8], box: [UInt8]) {
        self.form = form
        self.agreement = agreement
        self.box = box
    }

    package var json: [UInt8] {
        var text = JSONObjectText()
        switch form {
        case .xwing: text.add("kemCiphertext", data: agreement)
        case .x25519: text.add("ephemeralPublicKey", data: agreement)
        }
        text.add("aesCiphertext", data: box)
        return text.finished
    }

    // MARK: - Opening

    /// The key of the box, for whoever has this private key: the seed of X-Wing, or the number of X25519.
    func key(with privateKey: borrowing SecretBytes) throws(RelatedFailure) -> SecretBytes {
        switch form {
        case .xwing:
            let secret = try BTMessageXWing.secret(agreement, seed: privateKey)
            return try RelatedBox.key(from: secret, info: Self.info)
        case .x25519:
            let secret: SecretBytes
            do throws(KeyAgreementError) {
                secret = try X25519.sharedSecret(privateKey: privateKey, publicKey: agreement.span)
            } catch {
                throw RelatedFailure(error)
            }
            return try RelatedBox.key(from: secret, salt: agreement.span, info: Self.info)
        }
    }

    // MARK: - Sealing

    /// Seals a text for the owner of a public key: of X-Wing, 1,216 bytes, or in the earlier form of X25519, 32.
    package static func seal(
        _ text: Span<UInt8>, to publicKey: [UInt8], _ random: RandomSource = .system
    ) throws(RelatedFailure) -> BTMessageSealed {
        switch publicKey.count {
        case BTMessageXWing.publicKeyLength:
            let (secret, ciphertext) = try BTMessageXWing.encapsulate(to: publicKey, random)
            let key = try RelatedBox.key(from: secret.bytes, info: info)
            return BTMessageSealed(.xwing, agreement: ciphertext, box: try RelatedBox.seal(text, with: key))
        case X25519.keyLength: return try sealEarlier(text, to: publicKey, random)
        default: throw .badPublicKey
        }
    }

    private static func sealEarlier(
        _ text: Span<UInt8>, to publicKey: [UInt8], _ random: RandomSource
    ) throws(RelatedFailure) -> BTMessageSealed {
        let ephemeral: SecretBytes
        do { ephemeral = try random.secret(X25519.keyLength) } catch { throw .memory }
        let own: [UInt8]
        let secret: SecretBytes
        do throws(KeyAgreementError) {
            own = try X25519.publicKey(of: ephemeral)
            secret = try X25519.sharedSecret(privateKey: ephemeral, publicKey: publicKey.span)
        } catch {
            throw RelatedFailure(error)
        }
        let key = try RelatedBox.key(from: secret, salt: own.span, info: info)
        return BTMessageSealed(.x25519, agreement: own, box: try RelatedBox.seal(text, with: key))
    }
}

extension JSONObject {
    /// A box in base64: at least nonce and tag.
    func sealedBox(_ key: StaticString) throws(FormatError) -> [UInt8] {
        let box = try required(key, try data(key))
        guard box.count >= RelatedBox.overhead else {
            throw problem(key, .wrongLength(expected: RelatedBox.overhead, found: box.count))
        }
        guard box.count <= RelatedLimits.itemBytes else {
            throw problem(key, .tooLong(limit: RelatedLimits.itemBytes, found: box.count))
        }
        return box
    }

    /// An id or name that must be there, of at most so many bytes.
    func boundedText(_ key: StaticString, limit: Int = RelatedLimits.idBytes) throws(FormatError) -> [UInt8] {
        let text = try required(key, try text(key))
        guard text.count <= limit else { throw problem(key, .tooLong(limit: limit, found: text.count)) }
        return text
    }
}
