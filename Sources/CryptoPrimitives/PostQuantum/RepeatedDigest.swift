/// A hash function of libcrypto whose one context serves many short messages, as lattice schemes hash them.
struct RepeatedDigest: ~Copyable {
    private var context: DigestContext

    init(_ algorithm: LibcryptoAlgorithm) {
        context = DigestContext(algorithm)
    }

    /// Hashes the next bytes of the message.
    mutating func absorb(_ bytes: ScratchArea<UInt8>) {
        unsafe context.update(UnsafeRawBufferPointer(bytes.bytes))
    }

    /// Hashes the next bytes of the message.
    mutating func absorb(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    /// Hashes the next byte of the message.
    mutating func absorb(byte: UInt8) {
        var byte = byte
        unsafe withUnsafeBytes(of: &byte) { unsafe context.update($0) }
    }

    /// Ends the message, writes its digest of fixed length, and begins a new message.
    mutating func finish(into target: ScratchArea<UInt8>) {
        unsafe context.finish(into: target.bytes)
        context.restart()
    }

    /// Ends the message of an extendable function, fills `target`, and begins a new message.
    mutating func finish(extendedInto target: ScratchArea<UInt8>) {
        unsafe context.finish(extendedInto: target.bytes)
        context.restart()
    }

    /// The same for the first `count` bytes of an output that is public.
    mutating func finish(publicCount count: Int) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: count)
        var span = output.mutableSpan
        unsafe span.withUnsafeMutableBytes { unsafe context.finish(extendedInto: $0) }
        context.restart()
        return output
    }
}
