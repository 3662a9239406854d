import CryptoPrimitives
import JSONCoding
import SophaxCore

/// Who somebody is in btmessage: a peer id and a private key of X-Wing, of X25519 in the earlier form, or both.
package final class BTMessageIdentity: Sendable {
    /// An upper-case UUID of version 4.
    package let peerID: ByteText?
    package let xwing: RelatedSecret?
    package let x25519: RelatedSecret?
    /// Of X-Wing, 1,216 bytes.
    package let xwingPublic: [UInt8]?
    /// Of X25519, 32 bytes.
    package let x25519Public: [UInt8]?

    /// The accounts of the app's keychain; the last one is sxkey's own name for the key of the earlier form, whose account
    /// is not documented.
    package static let peerIDAccount: StaticString = "btmessage.identity.peerID"
    package static let xwingAccount: StaticString = "btmessage.identity.xwing"
    package static let x25519Account: StaticString = "btmessage.identity.x25519"

    /// - Parameters:
    ///   - peerID: UTF-8.
    ///   - xwing: as it is stored: seed ‖ SHA3-256 of the public key, 64 bytes.
    ///   - x25519: 32 bytes.
    package init(
        peerID: [UInt8]?, xwing: consuming SecretBytes?, x25519: consuming SecretBytes?
    ) throws(RelatedKeyError) {
        if let peerID, !Self.isPeerID(peerID) { throw .notAPeerID }
        self.peerID = peerID.map { ByteText($0) }
        if let stored = xwing.take() {
            let (seed, publicKey) = try BTMessageXWing.read(stored)
            self.xwing = seed
            xwingPublic = publicKey
        } else {
            self.xwing = nil
            xwingPublic = nil
        }
        if let key = x25519.take() {
            guard key.count == X25519.keyLength else {
                throw .keyLength(.x25519, expected: X25519.keyLength, found: key.count)
            }
            do throws(KeyAgreementError) {
                x25519Public = try X25519.publicKey(of: key)
            } catch {
                throw .libraryFailure
            }
            self.x25519 = RelatedSecret(key)
        } else {
            self.x25519 = nil
            x25519Public = nil
        }
    }

    /// Whether the text is a UUID of version 4 in capitals, as the app makes its peer ids.
    package static func isPeerID(_ text: [UInt8]) -> Bool {
        guard text.count == 36 else { return false }
        for (place, byte) in text.enumerated() {
            switch place {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            case 14: guard byte == UInt8(ascii: "4") else { return false }
            case 19: guard "89AB".utf8.contains(byte) else { return false }
            default: guard "0123456789ABCDEF".utf8.contains(byte) else { return false }
            }
        }
        return true
    }

    /// The items as JSON, account → base64, as a dump of the app's keychain has them.
    package func itemsText() throws(SecretMemoryError) -> SecretBytes {
        var text = try SecretObjectText(capacity: 512)
        if let peerID { try text.add(Self.peerIDAccount, data: peerID.bytes) }
        if let stored = try xwingItem() { try text.add(Self.xwingAccount, secret: stored.bytes) }
        if let x25519 { try text.add(Self.x25519Account, secret: x25519.bytes) }
        return try text.finish()
    }

    /// The item `btmessage.identity.xwing`: seed ‖ SHA3-256 of the public key.
    package func xwingItem() throws(SecretMemoryError) -> RelatedSecret? {
        guard let xwing, let xwingPublic else { return nil }
        let hash = SHA3_256.hash(xwingPublic.span)
        return RelatedSecret(try xwing.bytes.appending(try SecretBytes(copying: hash.span)))
    }
}
