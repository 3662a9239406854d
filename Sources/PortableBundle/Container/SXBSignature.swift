import SophaxCore

/// The signature inside of a bundle, after it was found to be one of all of the bundle's content by `signer`.
///
/// Whether the signer is somebody to trust is for the caller to judge.
package struct SXBSignature: Equatable, Sendable {
    package let signer: IdentityPublicKeys
    /// Whom the signer made the bundle for, in the order of the bytes: X25519 public keys, and SHA-256 of X-Wing public keys;
    /// none for a passphrase.
    package let recipients: [[UInt8]]
    /// One of the keys that were there to open the bundle is among `recipients`, be it another than the one that did. If not,
    /// somebody who could read the bundle passed it on: the content is the signer's, and it was not meant for the reader.
    package let isForReader: Bool
}
