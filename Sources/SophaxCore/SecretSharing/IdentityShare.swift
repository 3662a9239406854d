import CryptoPrimitives
import JSONCoding

/// One share of an identity, as the apps keep it, and what sxkey adds to it.
///
/// Format: SophaxChat 4.7 (`SSSShare`) and sxkey-formats(5), "Shares of an identity".
package final class IdentityShare: Sendable {
    /// What sxkey adds: whose share it is, for the people who keep it.
    package struct Owner: Hashable, Sendable {
        /// UTF-8.
        package let name: [UInt8]
        package let fingerprint: Fingerprint

        package init(name: [UInt8], fingerprint: Fingerprint) {
            // Bytes that are no UTF-8 could not be written.
            self.name = Array(String(decoding: name, as: UTF8.self).utf8)
            self.fingerprint = fingerprint
        }

        /// With a name that fits into a share however it is written: no control characters, 512 bytes at the most, whole
        /// scalars. A name is a label here; a longer one must not keep an identity from being shared.
        var shortened: Owner {
            var kept: [UInt8] = []
            for scalar in String(decoding: name, as: UTF8.self).unicodeScalars
            where scalar.properties.generalCategory != .control {
                let bytes = Array(String(scalar).utf8)
                guard kept.count + bytes.count <= IdentityShare.maximumMadeName else { break }
                kept += bytes
            }
            return Owner(name: kept, fingerprint: fingerprint)
        }
    }

    /// Common to all shares of a set: a UUID as text.
    package let id: [UInt8]
    /// 1 to `total`.
    package let index: UInt8
    /// How many shares are needed.
    package let threshold: UInt8
    /// How many there are.
    package let total: UInt8
    /// As long as the secret.
    package let data: SecretBytes
    /// Seconds since 2001.
    package let createdAt: Double
    /// Nil in shares that an app made or has passed on.
    package let owner: Owner?

    init(
        id: [UInt8], index: UInt8, threshold: UInt8, total: UInt8, data: consuming SecretBytes, createdAt: Double,
        owner: Owner?
    ) {
        self.id = id
        self.index = index
        self.threshold = threshold
        self.total = total
        self.data = data
        self.createdAt = createdAt
        self.owner = owner
    }

    /// The text of a share is shorter.
    package static let maximumText = 9_216
    /// More bytes than any id, any name and any secret has.
    static let (maximumID, maximumName, maximumData) = (128, 1024, 1024)
    /// Names in shares that sxkey makes are cut to this many bytes; escaped they are at most three times as long.
    static let maximumMadeName = 512
    static let version: UInt64 = 1
    static let checkLength = 16
}
