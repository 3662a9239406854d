import CryptoPrimitives
import Glibc

/// Decrypted text of one file, shared by everything that was read from it.
///
/// Message text lives in plain memory. A text that has keys in it (an export with an identity, keychain items) lives in
/// `SecretBytes`, which is wiped when the last owner lets go.
///
/// `@unchecked Sendable`: the bytes are written before the buffer exists, and never afterwards.
@safe
package final class PlaintextBuffer: @unchecked Sendable {
    /// Bytes of text, padding not counted.
    package let count: Int
    @usableFromInline let start: UnsafeRawPointer
    private let owned: UnsafeMutableRawPointer?
    private let secret: SecretBytes?

    /// Takes over memory from `malloc`.
    package init(adopting memory: UnsafeMutableRawPointer, text: Range<Int>) {
        unsafe start = UnsafeRawPointer(memory + text.lowerBound)
        unsafe owned = memory
        count = text.count
        secret = nil
    }

    /// Takes over wiped memory; `text` must leave `PlaintextMemory.padding` bytes behind it.
    package init(secret: consuming SecretBytes, text: Range<Int>) {
        precondition(text.lowerBound >= 0 && text.upperBound <= secret.count - PlaintextMemory.padding)
        // The pointer stays good: locked memory does not move, and `secret` lives as long as this object.
        unsafe start = secret.withUnsafeBytes { bytes in
            // Not empty: it has at least the padding.
            unsafe bytes.baseAddress.unsafelyUnwrapped + text.lowerBound
        }
        unsafe owned = nil
        count = text.count
        self.secret = consume secret
    }

    /// A copy of a text with secrets in it, in wiped memory.
    package convenience init(secretCopyOf text: borrowing SecretBytes) throws(SecretMemoryError) {
        var padded = try SecretBytes(count: text.count + PlaintextMemory.padding)
        unsafe text.withUnsafeBytes { source in
            unsafe padded.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
        }
        self.init(secret: padded, text: 0..<text.count)
    }

    /// A copy of `bytes`, for small texts.
    package convenience init(copying bytes: [UInt8]) throws(OutOfMemory) {
        try self.init(copying: bytes.span)
    }

    /// A copy of `bytes`.
    package convenience init(copying bytes: Span<UInt8>) throws(OutOfMemory) {
        var memory = try PlaintextMemory(capacity: bytes.count)
        unsafe memory.withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
        unsafe self.init(adopting: memory.release(), text: 0..<bytes.count)
    }

    deinit {
        unsafe free(owned)
    }

    /// Lends the text.
    @inlinable
    package func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        unsafe try body(UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count).span)
    }

    /// Lends a part of the text for C; at least `PlaintextMemory.padding` bytes behind it are readable.
    @inlinable
    package func withUnsafeBytes<R, E: Error>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe try body(UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    /// A copy of a part; empty where the range does not fit.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= count else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count))
    }
}
