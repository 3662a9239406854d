import CryptoPrimitives

/// The bytes that keys, nonces and ids of a sample are made of: SHA-256 of a seed and a counter.
///
/// With the fixed seed every run writes the same files, which tests compare; such keys are no secret, so they may pass
/// through arrays. Real data never comes from here.
struct SampleRandomness {
    private let seed: [UInt8]
    private var counter: UInt64 = 0

    /// A seed of the system's random source, or the fixed one.
    init(deterministic: Bool) {
        seed = deterministic ? Array("sxkey sample data".utf8) : Random.bytes(32)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let block = seed + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * $0)) }
            counter += 1
            bytes += SHA256.hash(block.span)
        }
        return Array(bytes.prefix(count))
    }

    mutating func secret(_ count: Int) throws(SecretMemoryError) -> SecretBytes {
        let bytes = bytes(count)
        return try SecretBytes(copying: bytes.span)
    }

    /// A UUID of version 4 in upper case, as iOS writes it.
    mutating func uuid() -> String {
        var bytes = bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Hex.encode(bytes.span).uppercased()
        var parts: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}
