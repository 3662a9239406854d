import CryptoPrimitives

/// Random nonces of 12 bytes, drawn from the system by the page so that a page write costs no system call for it.
///
/// It must not be used by two processes: a connection is not carried over a fork.
@safe
struct NoncePool: ~Copyable {
    private static let capacity = 340
    private static let size = capacity * AEADSize.nonce

    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    private var used = size

    deinit {
        unsafe bytes.deallocate()
    }

    /// The address of 12 bytes that nobody was given before; they are there until the next call.
    mutating func next() -> UnsafeRawPointer {
        if used == Self.size {
            unsafe Random.fill(UnsafeMutableRawBufferPointer(start: bytes, count: Self.size))
            used = 0
        }
        defer { used += AEADSize.nonce }
        return unsafe UnsafeRawPointer(bytes + used)
    }
}
