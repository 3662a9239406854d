import SophaxCore

/// An identity of the keyring: its public side and what is known of it. The private keys are items.
package struct KeyringIdentity: Hashable, Sendable {
    let id: Int64
    package let keys: IdentityPublicKeys
    /// UTF-8.
    package let name: IdentityName
    /// Where it came from: `new`, or the kind of file that it was imported from.
    package let origin: String
    /// When the keyring got it, Unix seconds.
    package let createdAt: Double
    package let isCurrent: Bool

    package var fingerprint: Fingerprint { keys.fingerprint }
}

/// An export of an identity that was written and, when `readBackAt` is there, read back and found to hold it.
package struct IdentityExportRecord: Hashable, Sendable {
    /// Unix seconds.
    package let madeAt: Double
    /// `sophaxid-v2`, `sophaxid-v1`, `keychain-json`.
    package let kind: String
    /// Bytes of the path as it was given.
    package let path: [UInt8]
    /// SHA-256 of the file, 32 bytes.
    package let sha256: [UInt8]
    /// Unix seconds.
    package let readBackAt: Double?

    package init(madeAt: Double, kind: String, path: [UInt8], sha256: [UInt8], readBackAt: Double?) {
        self.madeAt = madeAt
        self.kind = kind
        self.path = path
        self.sha256 = sha256
        self.readBackAt = readBackAt
    }
}
