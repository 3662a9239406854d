import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Text with private keys in it that grows in wiped memory.
package struct SecretText: ~Copyable {
    private var bytes: SecretBytes
    /// Bytes so far.
    package private(set) var count = 0

    package init(capacity: Int = 4096) throws(SecretMemoryError) {
        bytes = try SecretBytes(count: max(64, capacity) + PlaintextMemory.padding)
    }

    package mutating func append(_ text: Span<UInt8>) throws(SecretMemoryError) {
        let (needed, overflow) = count.addingReportingOverflow(text.count)
        guard !overflow, needed <= Int.max / 4 else { throw .exhausted(requested: Int.max) }
        if needed > bytes.count - PlaintextMemory.padding {
            var larger = try SecretBytes(count: max(needed, count * 2) + PlaintextMemory.padding)
            unsafe bytes.withUnsafeBytes { source in
                unsafe larger.withUnsafeMutableBytes { target in
                    unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
                }
            }
            bytes = larger
        }
        let place = count
        unsafe text.withUnsafeBytes { source in
            unsafe bytes.withUnsafeMutableBytes { target in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[place..<needed]).copyMemory(from: source)
            }
        }
        count = needed
    }

    package mutating func append(_ text: [UInt8]) throws(SecretMemoryError) {
        try append(text.span)
    }

    /// A JSON string with `secret` in base64, made in constant time.
    package mutating func appendBase64(_ secret: borrowing SecretBytes) throws(SecretMemoryError) {
        let encoded: SecretBytes
        do throws(EncodingError) {
            encoded = try SecretEncoding.encodeBase64(secret)
        } catch {
            switch error {
            case .memory(let memory): throw memory
            // Any bytes can be encoded.
            case .malformed: throw .invalidLength(secret.count)
            }
        }
        let quote: [UInt8] = [UInt8(ascii: "\"")]
        try append(quote)
        try encoded.withSpan { (text) throws(SecretMemoryError) in try append(text) }
        try append(quote)
    }

    package func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try bytes.withSpan { (all) throws(E) in try body(all.extracting(0..<count)) }
    }

    /// The text for reading; what is behind it is zero.
    package consuming func frozen() -> PlaintextBuffer {
        let count = self.count
        return PlaintextBuffer(secret: bytes, text: 0..<count)
    }

    /// A secret with exactly the text.
    package func copy() throws(SecretMemoryError) -> SecretBytes {
        try bytes.prefix(count)
    }
}
