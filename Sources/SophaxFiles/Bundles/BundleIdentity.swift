import CryptoPrimitives
import JSONCoding
import SophaxCore

/// The identity of an export: who it is, and the private keys.
///
/// A class, since the keys cannot be copied and live as long as somebody looks at them.
package final class BundleIdentity: Sendable {
    package let username: String
    package let exportedAt: AppTime?

    /// The public keys; nil when a private key is missing or not 32 bytes, which is among the findings.
    package let publicKeys: IdentityPublicKeys?

    private let keys: Identity?

    private init(
        username: String, exportedAt: AppTime?, publicKeys: IdentityPublicKeys?, keys: consuming Identity?
    ) {
        self.username = username
        self.exportedAt = exportedAt
        self.publicKeys = publicKeys
        self.keys = keys
    }

    /// Lends the private keys; nil when there are none.
    package func withKeys<R, E: Error>(_ body: (borrowing Identity) throws(E) -> R) throws(E) -> R? {
        switch keys {
        case .some(let keys): try body(keys)
        case nil: nil
        }
    }

    private static let signingKeyPrivate = BundleObject.Key.required("signingKeyPrivate")
    private static let dhKeyPrivate = BundleObject.Key.required("dhKeyPrivate")
    private static let username = BundleObject.Key.required("username")
    private static let exportedAt = BundleObject.Key.required("exportedAt")

    /// The keys of the plaintext. Format: SophaxChat 3.2.3.
    static let jsonKeys = [signingKeyPrivate, dhKeyPrivate, username, exportedAt]

    /// Reads the identity from the top of a bundle.
    static func read(_ object: inout BundleObject) throws(BundleContentError) -> BundleIdentity {
        let username = object.text(Self.username).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let exportedAt = object.date(Self.exportedAt)
        let seed = try privateKey(signingKeyPrivate, in: &object)
        let dhPrivate = try privateKey(dhKeyPrivate, in: &object)
        guard let seed, let dhPrivate else {
            return BundleIdentity(username: username, exportedAt: exportedAt, publicKeys: nil, keys: nil)
        }
        do throws(IdentityError) {
            let keys = try Identity(signingSeed: seed, dhPrivate: dhPrivate, username: username)
            let publicKeys = keys.publicKeys
            return BundleIdentity(username: username, exportedAt: exportedAt, publicKeys: publicKeys, keys: keys)
        } catch {
            // The lengths were checked.
            throw .outOfMemory
        }
    }

    /// A private key straight from the wiped text; what is no key of 32 bytes becomes a finding.
    private static func privateKey(
        _ key: BundleObject.Key, in object: inout BundleObject
    ) throws(BundleContentError) -> SecretBytes? {
        guard let member = object.value(key, .string) else { return nil }
        let secret: SecretBytes
        do throws(EncodingError) {
            secret = try SecretString(member, in: object.buffer).decodeBase64()
        } catch {
            switch error {
            case .malformed:
                object.reject(key)
                return nil
            case .memory: throw .outOfMemory
            }
        }
        guard secret.count == Identity.keyLength else {
            object.note(.unreadableContent, key, detail: "a private key of \(secret.count) bytes in place of 32")
            return nil
        }
        return secret
    }
}
