import CryptoPrimitives

/// The identity fingerprint: SHA-256(signing public ‖ DH public), 32 bytes.
///
/// The same value is the DHT node id; its first hex digits are the peer id. Format: SophaxChat 7.1.
public struct Fingerprint: Hashable, Sendable {
    /// Length in bytes.
    public static let length = 32

    /// The 32 bytes of the hash.
    public let bytes: [UInt8]

    init(hashing keys: IdentityPublicKeys) {
        bytes = SHA256.hash((keys.signing + keys.dh).span)
    }

    /// Takes the 32 bytes of a fingerprint.
    /// - Throws: `.wrongLength` for any other count.
    public init(bytes: [UInt8]) throws(IdentityError) {
        guard bytes.count == Self.length else {
            throw .wrongLength(.fingerprint, expected: Self.length, found: bytes.count)
        }
        self.bytes = bytes
    }

    /// Reads the form that backups hold: exactly 64 lower-case hex digits.
    /// - Throws: `.wrongLength` (counted in digits) or `.notHexadecimal`.
    public init(hex text: Span<UInt8>) throws(IdentityError) {
        let digits = Self.length * 2
        guard text.count == digits else {
            throw .wrongLength(.fingerprint, expected: digits, found: text.count)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        for index in 0..<Self.length {
            guard let high = HexDigit.value(text[index * 2]), let low = HexDigit.value(text[index * 2 + 1]) else {
                throw .notHexadecimal(.fingerprint)
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 lower-case hex digits as ASCII bytes.
    public var hexBytes: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(Self.length * 2)
        for byte in bytes {
            text.append(HexDigit.character(byte >> 4))
            text.append(HexDigit.character(byte & 15))
        }
        return text
    }

    /// 64 lower-case hex digits.
    public var hex: String {
        String(decoding: hexBytes, as: UTF8.self)
    }
}
