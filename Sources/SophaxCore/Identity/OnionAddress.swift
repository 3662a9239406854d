import CryptoPrimitives

/// The Tor version 3 address of an identity: 56 base32 letters and `.onion`, made from the signing key alone.
///
/// Format: SophaxChat 7.4, Tor rend-spec-v3 section 6.
public struct OnionAddress: Hashable, Sendable {
    /// The whole address, 62 ASCII characters, lower case.
    public let text: String

    /// `base32(key ‖ checksum ‖ 3)`, where checksum is the first two bytes of SHA3-256(".onion checksum" ‖ key ‖ 3).
    public init(of keys: IdentityPublicKeys) {
        let bytes = keys.signing + Self.checksum(keys.signing) + [Self.version]
        text = String(decoding: Self.base32(bytes), as: UTF8.self) + ".onion"
    }

    /// What can be said of an address that came from elsewhere.
    enum Judgement: Hashable {
        case good
        /// 56 letters of base32 and version 3, but the two bytes of the checksum are others.
        case checksum
        case notVersion3
    }

    /// 56 letters of lower-case base32 before `.onion`: the pattern that Android demands.
    static func hasVersion3Letters(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.dropLast(6)
        return text.count == 62 && text.suffix(6).elementsEqual(".onion".utf8)
            && letters.allSatisfy { value(ofLetter: $0) != nil }
    }

    /// The 35 bytes of an address with the right letters: key, checksum, version.
    fileprivate static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard hasVersion3Letters(text) else { return nil }
        var bytes: [UInt8] = []
        var accumulator: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text.dropLast(6) {
            accumulator = accumulator << 5 | UInt32(value(ofLetter: letter) ?? 0)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> bits))
            }
            accumulator &= (1 << bits) - 1
        }
        return bytes
    }

    private static func value(ofLetter letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): letter - UInt8(ascii: "2") + 26
        default: nil
        }
    }

    /// The two bytes of the checksum of a key.
    fileprivate static func checksum(_ key: [UInt8]) -> [UInt8] {
        let hashed = Array(".onion checksum".utf8) + key + [version]
        return Array(SHA3_256.hash(hashed.span)[..<2])
    }

    fileprivate static let version: UInt8 = 3

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

extension OnionAddress.Judgement {
    /// Judges `<letters>.onion` in lower case.
    init(of text: ArraySlice<UInt8>) {
        guard let bytes = OnionAddress.decoded(text), bytes.last == OnionAddress.version else {
            self = .notVersion3
            return
        }
        self = OnionAddress.checksum(Array(bytes[..<32])).elementsEqual(bytes[32..<34]) ? .good : .checksum
    }
}
