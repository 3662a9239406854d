import CLibcrypto
import CSodium

/// HMAC-SHA-256 (RFC 2104) of short messages in one call, for chains of keys that lie in lent memory.
///
/// Nothing is kept between calls and no guarded memory is asked for: what goes into the hash stands on the stack and is
/// wiped there. `HMAC` is for long messages, and for those that come in pieces.
package enum ShortHMAC {
    /// Length of a code in bytes.
    package static let codeLength = 32
    private static let blockLength = 64

    /// Writes the code of `message` under `key`, of any length, into `target`, which has 32 bytes.
    package static func code(for message: Span<UInt8>, key: Span<UInt8>, into target: inout MutableSpan<UInt8>) {
        precondition(target.count == codeLength, "a code needs its length")
        unsafe message.withUnsafeBytes { message in
            unsafe key.withUnsafeBytes { key in
                unsafe target.withCPointer { target in unsafe write(target, key: key, message) }
            }
        }
    }

    /// Writes 32 bytes, the code of `first` ‖ `second` ‖ `third`, to `target`, which may be the memory of any of them.
    static func write(
        _ target: UnsafeMutablePointer<UInt8>, key: UnsafeRawBufferPointer, _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
        _ third: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    ) {
        let messageLength = first.count + second.count + third.count
        let outer = blockLength + messageLength
        let size = outer + blockLength + codeLength
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { scratch in
            unsafe setPads(scratch, outer: outer, key: key)
            unsafe copy(first, to: scratch, at: blockLength)
            unsafe copy(second, to: scratch, at: blockLength + first.count)
            unsafe copy(third, to: scratch, at: blockLength + first.count + second.count)
            unsafe hash(scratch[0..<outer], into: scratch.cPointer + outer + blockLength)
            unsafe hash(scratch[outer..<size], into: target)
            unsafe sodium_memzero(scratch.cPointer, size)
        }
    }

    /// The key, xored with 36 at the beginning and with 5C at `outer`.
    private static func setPads(_ scratch: UnsafeMutableRawBufferPointer, outer: Int, key: UnsafeRawBufferPointer) {
        for index in 0..<blockLength {
            unsafe scratch[index] = 0x36
            unsafe scratch[outer + index] = 0x5C
        }
        guard key.count > blockLength else {
            for index in 0..<key.count {
                unsafe scratch[index] ^= key[index]
                unsafe scratch[outer + index] ^= key[index]
            }
            return
        }
        // A longer key is hashed first; the digest's place is that of the inner digest, which comes later.
        let digest = outer + blockLength
        unsafe hash(key[0..<key.count], into: scratch.cPointer + digest)
        for index in 0..<codeLength {
            unsafe scratch[index] ^= scratch[digest + index]
            unsafe scratch[outer + index] ^= scratch[digest + index]
        }
    }

    private static func copy(
        _ part: UnsafeRawBufferPointer, to scratch: UnsafeMutableRawBufferPointer, at place: Int
    ) {
        unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[place..<place + part.count]).copyMemory(from: part)
    }

    private static func hash(_ text: Slice<UnsafeMutableRawBufferPointer>, into target: UnsafeMutablePointer<UInt8>) {
        unsafe hash(UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: text)), into: target)
    }

    private static func hash(_ text: Slice<UnsafeRawBufferPointer>, into target: UnsafeMutablePointer<UInt8>) {
        unsafe hash(UnsafeRawBufferPointer(rebasing: text), into: target)
    }

    /// One call that makes a context and wipes it; libcrypto uses the processor's SHA instructions where it has them.
    private static func hash(_ text: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<UInt8>) {
        let status = unsafe EVP_Digest(
            text.baseAddress, text.count, target, nil, LibcryptoAlgorithm.sha256.handle, nil)
        precondition(status == 1, "libcrypto refused to hash")
    }
}
