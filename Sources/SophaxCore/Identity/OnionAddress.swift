import CryptoPrimitives

/// The Tor version 3 address of an identity: 56 base32 letters and `.onion`, made from the signing key alone.
///
/// Format: SophaxChat 7.4, Tor rend-spec-v3 section 6.
public struct OnionAddress: Hashable, Sendable {
    /// The whole address, 62 ASCII characters, lower case.
    public let text: String

    /// `base32(key ‖ checksum ‖ 3)`, where checksum is the first two bytes of SHA3-256(".onion checksum" ‖ key ‖ 3).
    public init(of keys: IdentityPublicKeys) {
        let version: UInt8 = 3
        let hashed = Array(".onion checksum".utf8) + keys.signing + [version]
        let checksum = SHA3_256.hash(hashed.span)[..<2]
        text = String(decoding: Self.base32(keys.signing + checksum + [version]), as: UTF8.self) + ".onion"
    }

    /// RFC 4648 base32, lower case, for input whose length is a multiple of 5 (35 bytes here), so without padding.
    private static func base32(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 5 * 8)
        var accumulator: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            accumulator = accumulator << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(letter(UInt8(truncatingIfNeeded: accumulator >> bits & 31)))
            }
            accumulator &= (1 << bits) - 1
        }
        return text
    }

    /// a–z for 0–25, 2–7 for 26–31.
    private static func letter(_ value: UInt8) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + value : UInt8(ascii: "2") + (value & 31) - 26
    }
}
