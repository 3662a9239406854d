import CryptoPrimitives

/// How a passphrase becomes the 32-byte AES key of a bundle.
package enum BundleKeyDerivation: Hashable, Sendable {
    /// HKDF-SHA256 with the info string `sophax-backup-v1`: the first backups. Costs nothing to guess against.
    case hkdf
    /// PBKDF2-HMAC-SHA256.
    case pbkdf2(iterations: UInt32)

    /// The info string of the HKDF form.
    package static let hkdfInfo = "sophax-backup-v1"

    /// Length of the key in bytes.
    package static let keyLength = 32

    /// The key for one passphrase.
    package func key(passphrase: borrowing SecretBytes, salt: [UInt8]) throws(BundleError) -> SecretBytes {
        do {
            switch self {
            case .hkdf:
                let info = Array(Self.hkdfInfo.utf8)
                return try HKDF.derive(
                    inputKey: passphrase, salt: salt.span, info: info.span, length: Self.keyLength, using: .sha256)
            case .pbkdf2(let iterations):
                return try PBKDF2.deriveSHA256(
                    passphrase: passphrase, salt: salt.span, iterations: iterations, length: Self.keyLength)
            }
        } catch {
            switch error {
            case .memory(let memory): throw BundleError(memory)
            // Salt and length are fixed; iterations were checked with the header; a passphrase of 2 GiB does not exist.
            case .outputLength, .iterations, .inputLength, .libraryFailure: throw .libraryFailure
            }
        }
    }
}

extension BundleHeader {
    /// The derivations that can belong to this file, the likely one first.
    ///
    /// Only a backup has more than one: three were used, and its version byte does not tell them apart reliably, so it
    /// only orders them. Format: SophaxChat 3.3.2.
    package func derivations(_ limits: BundleLimits = .standard) -> [BundleKeyDerivation] {
        switch kind {
        case .identity, .fullExport:
            [.pbkdf2(iterations: iterations ?? limits.firstIdentityIterations)]
        case .backup where version == 1:
            [
                .hkdf, .pbkdf2(iterations: limits.olderBackupIterations),
                .pbkdf2(iterations: limits.backupIterations),
            ]
        case .backup:
            [
                .pbkdf2(iterations: limits.backupIterations), .pbkdf2(iterations: limits.olderBackupIterations),
                .hkdf,
            ]
        case .android:
            [.pbkdf2(iterations: limits.androidIterations)]
        }
    }
}
