import CryptoPrimitives

/// The key of a thread of lchat, wrapped for one person:
/// `ephemeral public key (65) ‖ nonce (12) ‖ ciphertext (32) ‖ tag (16)`.
package struct LChatThreadKey: Hashable, Sendable {
    package let bytes: [UInt8]

    package static let length = P256.publicKeyLength + RelatedBox.overhead + RelatedBox.keyLength
    private static let info: StaticString = "lchat-thread-wrap"

    /// Nil for bytes of another length, or that do not begin as an uncompressed point does. Whether it is a point of the curve is
    /// looked at when it is unwrapped.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.first == 4 else { return nil }
        self.bytes = bytes
    }

    /// Whether it begins with a point of the curve: bytes that are something else do so in one of some 2²⁵⁶ cases.
    package var hasPoint: Bool { P256.isPublicKey(bytes.span.extracting(first: P256.publicKeyLength)) }

    /// The thread key, 32 bytes, for the owner of the private key.
    package func unwrap(with privateKey: borrowing SecretBytes) throws(RelatedFailure) -> SecretBytes {
        let secret: SecretBytes
        do throws(P256Error) {
            secret = try P256.sharedSecret(
                privateKey: privateKey, publicKey: bytes.span.extracting(first: P256.publicKeyLength))
        } catch {
            throw RelatedFailure(error)
        }
        let key = try RelatedBox.key(from: secret, info: Self.info)
        return try RelatedBox.openKey(Array(bytes[P256.publicKeyLength...]), with: key)
    }

    /// Wraps a thread key, 32 bytes, for the owner of a public key, 65 bytes.
    package static func wrap(
        _ threadKey: borrowing SecretBytes, for publicKey: [UInt8], _ random: RandomSource = .system
    ) throws(RelatedFailure) -> LChatThreadKey {
        guard threadKey.count == RelatedBox.keyLength else { throw .keyLength(found: threadKey.count) }
        let own: [UInt8]
        let secret: SecretBytes
        do throws(P256Error) {
            let ephemeral = try P256.makePrivateKey(random)
            own = try P256.publicKey(of: ephemeral)
            secret = try P256.sharedSecret(privateKey: ephemeral, publicKey: publicKey.span)
        } catch {
            throw RelatedFailure(error)
        }
        let key = try RelatedBox.key(from: secret, info: info)
        let box = try threadKey.withSpan { (text) throws(RelatedFailure) in try RelatedBox.seal(text, with: key) }
        guard let wrapped = LChatThreadKey(own + box) else { throw .libraryFailure }
        return wrapped
    }
}
