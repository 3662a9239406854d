import CSodium

/// Hexadecimal digits for what is no secret, through libsodium.
package enum Hex {
    /// The lower-case digits of `bytes`.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        // libsodium ends the text with a NUL, which is not part of the string.
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2 + 1) { buffer in
            guard let target = buffer.baseAddress else { return 0 }
            unsafe bytes.withCPointer { source in
                _ = unsafe sodium_bin2hex(CText.characters(target), bytes.count * 2 + 1, source, bytes.count)
            }
            return bytes.count * 2
        }
    }

    /// The bytes of `text`, digits of either case; nil for anything else.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count / 2)
        var count = 0
        var span = bytes.mutableSpan
        let status = unsafe span.withCPointer { target in
            unsafe text.withCPointer { start in
                unsafe sodium_hex2bin(
                    target, text.count / 2, CText.characters(start), text.count, nil, &count, nil)
            }
        }
        return status == 0 && count == bytes.count ? bytes : nil
    }
}
