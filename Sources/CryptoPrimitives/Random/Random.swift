import CSodium

/// Random bytes from the system's source (`getrandom`), through libsodium.
package enum Random {
    /// Fills `buffer`.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { return }
        SodiumLibrary.start()
        unsafe randombytes_buf(start, buffer.count)
    }

    /// `count` random bytes that need not be secret (nonces, salts); keys are made with `SecretBytes(randomCount:)`.
    package static func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }
}
