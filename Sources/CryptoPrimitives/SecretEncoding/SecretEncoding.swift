import CSodium

/// Why encoded text could not be read.
package enum EncodingError: Error, Equatable, Sendable {
    /// Not the alphabet, the padding or the length of the encoding.
    case malformed
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
}

/// Base64 (RFC 4648, 4: standard alphabet, padded) and hexadecimal for secrets, in constant time through libsodium.
///
/// That is said of the decoding alone: a text out of JSON went through a parser before, whose time depends on where `/` is
/// escaped.
package enum SecretEncoding {
    /// The secret that is written in base64; anything but the one right spelling is refused.
    package static func decodeBase64(_ text: Span<UInt8>) throws(EncodingError) -> SecretBytes {
        guard let length = CText.base64DecodedLength(text) else { throw .malformed }
        // libsodium 1.0.18 takes every byte above 7F for the letter "/".
        var allBits: UInt8 = 0
        for index in 0..<text.count { allBits |= text[index] }
        guard allBits < 0x80 else { throw .malformed }
        var secret = try makeSecret(count: length)
        var count = 0
        let status = unsafe secret.withUnsafeMutableBytes { target in
            unsafe text.withCPointer { start in
                unsafe sodium_base642bin(
                    target.cPointer, target.count, CText.characters(start), text.count, nil, &count, nil,
                    CText.base64Variant)
            }
        }
        guard status == 0, count == length else { throw .malformed }
        return secret
    }

    /// The secret that is written in base64url without padding (RFC 7515, 2); anything but the one right spelling is refused.
    package static func decodeBase64URL(_ text: Span<UInt8>) throws(EncodingError) -> SecretBytes {
        // One letter alone stands for less than a byte.
        guard text.count % 4 != 1 else { throw .malformed }
        var allBits: UInt8 = 0
        for index in 0..<text.count { allBits |= text[index] }
        guard allBits < 0x80 else { throw .malformed }
        var secret = try makeSecret(count: text.count / 4 * 3 + max(text.count % 4 - 1, 0))
        var count = 0
        let status = unsafe secret.withUnsafeMutableBytes { target in
            unsafe text.withCPointer { start in
                unsafe sodium_base642bin(
                    target.cPointer, target.count, CText.characters(start), text.count, nil, &count, nil,
                    Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING))
            }
        }
        guard status == 0, count == secret.count else { throw .malformed }
        return secret
    }

    /// The secret that is written in hexadecimal digits of either case.
    package static func decodeHex(_ text: Span<UInt8>) throws(EncodingError) -> SecretBytes {
        guard text.count.isMultiple(of: 2) else { throw .malformed }
        var secret = try makeSecret(count: text.count / 2)
        var count = 0
        let status = unsafe secret.withUnsafeMutableBytes { target in
            unsafe text.withCPointer { start in
                unsafe sodium_hex2bin(
                    target.cPointer, target.count, CText.characters(start), text.count, nil, &count, nil)
            }
        }
        guard status == 0, count == secret.count else { throw .malformed }
        return secret
    }

    /// `secret` in base64, as ASCII in a secret.
    package static func encodeBase64(_ secret: borrowing SecretBytes) throws(EncodingError) -> SecretBytes {
        var text = try makeSecret(count: CText.base64Length(secret.count) + 1)
        unsafe text.withUnsafeMutableBytes { target in
            unsafe secret.withUnsafeBytes { source in
                _ = unsafe sodium_bin2base64(
                    CText.characters(target.cPointer), target.count, source.cPointer, source.count,
                    CText.base64Variant)
            }
        }
        do { return try text.prefix(text.count - 1) } catch { throw .memory(error) }
    }

    /// `secret` in lower-case hexadecimal digits, as ASCII in a secret.
    package static func encodeHex(_ secret: borrowing SecretBytes) throws(EncodingError) -> SecretBytes {
        var text = try makeSecret(count: secret.count * 2 + 1)
        unsafe text.withUnsafeMutableBytes { target in
            unsafe secret.withUnsafeBytes { source in
                _ = unsafe sodium_bin2hex(
                    CText.characters(target.cPointer), target.count, source.cPointer, source.count)
            }
        }
        do { return try text.prefix(text.count - 1) } catch { throw .memory(error) }
    }

    private static func makeSecret(count: Int) throws(EncodingError) -> SecretBytes {
        do { return try SecretBytes(count: count) } catch { throw .memory(error) }
    }
}

/// What libsodium's text functions want from Swift; they end what they write with a NUL.
enum CText {
    static let base64Variant = Int32(sodium_base64_VARIANT_ORIGINAL)

    /// Length of the base64 text of `count` bytes, with its padding.
    static func base64Length(_ count: Int) -> Int {
        (count / 3 + (count.isMultiple(of: 3) ? 0 : 1)) * 4
    }

    /// Length of the bytes behind a base64 text; nil when the text cannot be padded base64. The padding is no secret.
    static func base64DecodedLength(_ text: Span<UInt8>) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        guard text.count > 0 else { return 0 }
        let equalsSign = UInt8(ascii: "=")
        let padding =
            text[text.count - 1] != equalsSign ? 0 : text[text.count - 2] != equalsSign ? 1 : 2
        return text.count / 4 * 3 - padding
    }

    static func characters(_ start: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
    }

    static func characters(_ start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<CChar> {
        unsafe UnsafeMutableRawPointer(start).assumingMemoryBound(to: CChar.self)
    }
}
