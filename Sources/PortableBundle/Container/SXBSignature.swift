import SophaxCore

/// The signature inside of a bundle, after it was found to be one of all of the bundle's content by `signer`.
///
/// Whether the signer is somebody to trust is for the caller to judge.
package struct SXBSignature: Equatable, Sendable {
    package let signer: IdentityPublicKeys
    /// X25519 public keys that the signer made the bundle for, in the order of their bytes; none for a passphrase.
    package let recipients: [[UInt8]]
    /// The key that opened the bundle is one of `recipients`. If not, somebody who could read the bundle passed it on: the
    /// content is the signer's, and it was not meant for the reader.
    package let isForReader: Bool
}
