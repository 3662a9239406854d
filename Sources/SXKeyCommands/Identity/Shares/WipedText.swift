import CryptoPrimitives

/// A text with secrets in it that grows, in wiped memory.
struct WipedText: ~Copyable {
    private var block: SecretBytes
    private var count = 0

    init() throws(SecretMemoryError) {
        block = try SecretBytes(count: 4096)
    }

    consuming func finish() throws(SecretMemoryError) -> SecretBytes { try block.prefix(count) }

    /// Text that is no secret.
    mutating func add(_ text: String) throws(SecretMemoryError) {
        let bytes = Array(text.utf8)
        try add(bytes.span)
    }

    mutating func add(_ bytes: Span<UInt8>) throws(SecretMemoryError) {
        try reserve(bytes.count)
        let start = count
        block.withMutableSpan { target in
            for index in 0..<bytes.count { target[start + index] = bytes[index] }
        }
        count += bytes.count
    }

    /// Text for the inside of an HTML element.
    mutating func addEscaped(_ bytes: Span<UInt8>) throws(SecretMemoryError) {
        for index in 0..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "&"): try add("&amp;")
            case UInt8(ascii: "<"): try add("&lt;")
            case UInt8(ascii: ">"): try add("&gt;")
            default: try add(bytes.extracting(index..<index + 1))
            }
        }
    }

    private mutating func reserve(_ more: Int) throws(SecretMemoryError) {
        guard block.count - count < more else { return }
        var larger = try SecretBytes(count: max(block.count * 2, count + more))
        let used = count
        larger.withMutableSpan { target in
            block.withSpan { source in
                for index in 0..<used { target[index] = source[index] }
            }
        }
        block = larger
    }
}
