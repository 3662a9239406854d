/// Where new keys, ids and salts come from: the system, or what a test has chosen.
///
/// Nonces are not drawn from it: a nonce that comes twice gives the text away, so they are always the system's.
package struct RandomSource: Sendable {
    /// A secret of so many bytes.
    package let secret: @Sendable (_ count: Int) throws(SecretMemoryError) -> SecretBytes
    /// So many bytes that are no secret.
    package let bytes: @Sendable (_ count: Int) -> [UInt8]

    package init(
        secret: @escaping @Sendable (_ count: Int) throws(SecretMemoryError) -> SecretBytes,
        bytes: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.secret = secret
        self.bytes = bytes
    }

    /// The system's random source.
    package static let system = RandomSource(
        secret: { (count) throws(SecretMemoryError) in try SecretBytes(randomCount: count) },
        bytes: { Random.bytes($0) })
}
