import CryptoPrimitives

/// Pieces of wiped memory that two threads hand to each other.
@safe
final class PieceMemory: @unchecked Sendable {
    private let bytes: SecretBytes
    private let base: UnsafeMutableRawPointer
    let length: Int

    init(pieces: Int, length: Int) throws(SXBError) {
        do throws(SecretMemoryError) {
            var bytes = try SecretBytes(count: pieces * length)
            // The pointer stays good: locked memory does not move, and `bytes` lives as long as this object.
            unsafe base = bytes.withUnsafeMutableBytes { memory in
                unsafe memory.baseAddress.unsafelyUnwrapped
            }
            self.bytes = bytes
        } catch {
            throw .memory(error)
        }
        self.length = length
    }

    func piece(_ number: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: base + number * length, count: length)
    }
}
