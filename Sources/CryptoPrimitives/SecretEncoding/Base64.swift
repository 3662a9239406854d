import CSodium

/// Base64 (RFC 4648, 4: standard alphabet, padded) for what is no secret.
package enum Base64 {
    /// The text of `bytes`.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        let length = CText.base64Length(bytes.count)
        return unsafe PublicText.make(length: length) { target in
            unsafe bytes.withCPointer { source in
                _ = unsafe sodium_bin2base64(target, length + 1, source, bytes.count, CText.base64Variant)
            }
        }
    }

    /// The bytes of `text`; nil for anything but the one right spelling.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let length = CText.base64DecodedLength(text) else { return nil }
        return unsafe PublicText.read(text, length: length) { target, targetCount, start, count in
            unsafe sodium_base642bin(
                target, targetCount, CText.characters(start), text.count, nil, &count, nil, CText.base64Variant)
        }
    }
}

/// Hexadecimal digits for what is no secret.
package enum Hex {
    /// The lower-case digits of `bytes`.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        unsafe PublicText.make(length: bytes.count * 2) { target in
            unsafe bytes.withCPointer { source in
                _ = unsafe sodium_bin2hex(target, bytes.count * 2 + 1, source, bytes.count)
            }
        }
    }

    /// The bytes of `text`, digits of either case; nil for anything else.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        return unsafe PublicText.read(text, length: text.count / 2) { target, targetCount, start, count in
            unsafe sodium_hex2bin(target, targetCount, CText.characters(start), text.count, nil, &count, nil)
        }
    }
}

/// Buffers around libsodium's text functions.
private enum PublicText {
    /// A string of `length` ASCII characters that `body` writes, and a NUL behind them.
    static func make(length: Int, _ body: (UnsafeMutablePointer<CChar>) -> Void) -> String {
        unsafe String(unsafeUninitializedCapacity: length + 1) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            unsafe body(CText.characters(start))
            return length
        }
    }

    /// The `length` bytes that `body` reads from `text`; nil when it refuses.
    static func read(
        _ text: Span<UInt8>,
        length: Int,
        _ body: (UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, inout Int) -> Int32
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        var count = 0
        var span = bytes.mutableSpan
        let status = unsafe span.withCPointer { target in
            unsafe text.withCPointer { start in unsafe body(target, length, start, &count) }
        }
        return status == 0 && count == length ? bytes : nil
    }
}
