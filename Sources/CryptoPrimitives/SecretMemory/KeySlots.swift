import CSodium

/// Numbered keys of 32 bytes in one guarded block, and the arithmetic between them.
///
/// The memory of a protocol session: no key leaves the block to make the next one from it, and no call asks for guarded
/// memory but `init` and `grow`. Slots are the owner's to number: one outside of `0..<count` stops the program.
@safe
package struct KeySlots: ~Copyable, Sendable {
    /// Length of each key in bytes.
    package static let keyLength = 32
    /// As many as fit into the one page that the smallest block takes.
    package static let onePage = 127

    /// How many keys there are.
    package private(set) var count: Int
    private var block: SecretBytes

    /// Makes room for `count` keys, all zero.
    package init(count: Int) throws(SecretMemoryError) {
        let (size, overflow) = count.multipliedReportingOverflow(by: Self.keyLength)
        guard count > 0, !overflow else { throw .invalidLength(count) }
        block = try SecretBytes(count: size)
        self.count = count
    }

    /// Makes room for more keys, up to `count`; the old block is wiped.
    package mutating func grow(to count: Int) throws(SecretMemoryError) {
        guard count > self.count else { return }
        var larger = try KeySlots(count: count)
        unsafe block.withUnsafeBytes { old in
            unsafe larger.block.withUnsafeMutableBytes { unsafe $0.copyMemory(from: old) }
        }
        block = larger.block
        self.count = count
    }
}

// MARK: - Keys in and out

extension KeySlots {
    /// Lends the key in `slot`.
    package func withKey<R: ~Copyable, E: Error>(
        _ slot: Int, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try withKeys(slot..<slot + 1, body)
    }

    /// Lends the keys in neighbouring slots.
    package func withKeys<R: ~Copyable, E: Error>(
        _ slots: Range<Int>, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try block.withSpan { bytes throws(E) in
            try body(bytes.extracting(slots.lowerBound * Self.keyLength..<slots.upperBound * Self.keyLength))
        }
    }

    /// Lends the memory of neighbouring slots for writing.
    package mutating func withMutableKeys<R: ~Copyable, E: Error>(
        _ slots: Range<Int>, _ body: (inout MutableSpan<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        var keys = unsafe UnsafeMutableBufferPointer(
            start: pointer(slots), count: slots.count * Self.keyLength
        ).mutableSpan
        return try body(&keys)
    }

    /// Copies a key of 32 bytes into `slot`.
    package mutating func set(_ slot: Int, to key: Span<UInt8>) {
        precondition(key.count == Self.keyLength, "a key has 32 bytes")
        withMutableKeys(slot..<slot + 1) { target in
            for index in 0..<Self.keyLength { target[index] = key[index] }
        }
    }

    /// Copies a key of 32 bytes into `slot`.
    package mutating func set(_ slot: Int, to key: borrowing SecretBytes) {
        key.withSpan { key in set(slot, to: key) }
    }

    /// Writes the key in `slot` as 44 letters of base64 into `text`, from `place` on.
    package func writeBase64(_ slot: Int, into text: inout SecretBytes, at place: Int) {
        withKey(slot) { key in
            text.withMutableSpan { target in KeyEncoding.encode(key, into: &target, at: place) }
        }
    }

    /// Sets `slot` to the key whose base64 is the content of a JSON string; see `KeyEncoding.decode`.
    package mutating func set(_ slot: Int, toBase64 text: Span<UInt8>) -> KeyEncoding.Result {
        withMutableKeys(slot..<slot + 1) { target in KeyEncoding.decode(text, into: &target) }
    }

    /// A secret of its own with the key in `slot`.
    package func copy(of slot: Int) throws(SecretMemoryError) -> SecretBytes {
        try withKey(slot) { key throws(SecretMemoryError) in try SecretBytes(copying: key) }
    }

    /// Fills `slot` with random bytes of the system.
    package mutating func setRandom(_ slot: Int) {
        let target = unsafe pointer(slot)
        SodiumLibrary.start()
        unsafe randombytes_buf(target, Self.keyLength)
    }

    /// Copies the keys in neighbouring slots to as many from `target` on; the two may not overlap.
    package mutating func copy(_ slots: Range<Int>, to target: Int) {
        precondition(target >= slots.upperBound || target + slots.count <= slots.lowerBound)
        let length = slots.count * Self.keyLength
        let source = unsafe pointer(slots)
        unsafe UnsafeMutableRawPointer(pointer(target..<target + slots.count))
            .copyMemory(from: source, byteCount: length)
    }

    /// Wipes the keys in neighbouring slots.
    package mutating func wipe(_ slots: Range<Int>) {
        unsafe sodium_memzero(pointer(slots), slots.count * Self.keyLength)
    }

    /// Whether two slots hold the same key, in constant time.
    package func areEqual(_ left: Int, _ right: Int) -> Bool {
        withKey(left) { left in
            withKey(right) { right in
                unsafe left.withCPointer { left in
                    unsafe right.withCPointer { right in unsafe sodium_memcmp(left, right, Self.keyLength) == 0 }
                }
            }
        }
    }

    /// The memory of a slot. Locked memory does not move, so pointers into it stay good until `grow`.
    private mutating func pointer(_ slot: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe pointer(slot..<slot + 1)
    }

    private mutating func pointer(_ slots: Range<Int>) -> UnsafeMutablePointer<UInt8> {
        precondition(slots.lowerBound >= 0 && slots.upperBound <= count, "no such slot")
        return unsafe block.withUnsafeMutableBytes { bytes in
            unsafe bytes.cPointer + slots.lowerBound * Self.keyLength
        }
    }
}

// MARK: - Keys from keys

extension KeySlots {
    /// Sets `slot` to the HMAC-SHA-256 of one byte under the key in `key`, which may be the same slot.
    package mutating func setCode(_ slot: Int, of byte: UInt8, key: Int) {
        let target = unsafe pointer(slot)
        let key = unsafe UnsafeRawBufferPointer(start: pointer(key), count: Self.keyLength)
        unsafe withUnsafeBytes(of: byte) { message in unsafe ShortHMAC.write(target, key: key, message) }
    }

    /// Fills neighbouring slots by HKDF-SHA-256 from the input key in the slots `inputKey`; `salt` is a slot, or nil for an
    /// empty salt. The slots may be those of the input key or the salt.
    package mutating func derive(_ slots: Range<Int>, inputKey: Range<Int>, salt: Int?, info: Span<UInt8>) {
        precondition(1...255 ~= slots.count, "HKDF gives 255 digests at most")
        let target = unsafe UnsafeMutableRawBufferPointer(
            start: pointer(slots), count: slots.count * Self.keyLength)
        let inputKey = unsafe UnsafeRawBufferPointer(
            start: pointer(inputKey), count: inputKey.count * Self.keyLength)
        var saltKey = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        if let salt { unsafe saltKey = unsafe UnsafeRawBufferPointer(start: pointer(salt), count: Self.keyLength) }
        unsafe info.withUnsafeBytes { info in
            unsafe ShortHKDF.derive(inputKey: inputKey, salt: saltKey, info: info, into: target)
        }
    }

    /// Sets `slot` to the X25519 secret between the private key in `privateKey` and `publicKey`.
    ///
    /// An all-zero result is refused; `slot` is wiped then.
    package mutating func setSharedSecret(
        _ slot: Int, privateKey: Int, publicKey: Span<UInt8>
    ) throws(KeyAgreementError) {
        // Two keys of one block cannot be lent at a time, one of them for writing.
        let key = unsafe UnsafeBufferPointer(start: pointer(privateKey), count: Self.keyLength).span
        var target = unsafe UnsafeMutableBufferPointer(start: pointer(slot), count: Self.keyLength).mutableSpan
        try X25519.sharedSecret(privateKey: key, publicKey: publicKey, into: &target)
    }

    /// Sets `slot` to the X25519 secret between `privateKey` and `publicKey`, as the form for slots does.
    package mutating func setSharedSecret(
        _ slot: Int, privateKey: borrowing SecretBytes, publicKey: Span<UInt8>
    ) throws(KeyAgreementError) {
        try privateKey.withSpan { key throws(KeyAgreementError) in
            try withMutableKeys(slot..<slot + 1) { target throws(KeyAgreementError) in
                try X25519.sharedSecret(privateKey: key, publicKey: publicKey, into: &target)
            }
        }
    }

    /// The X25519 public key of the private key in `slot`.
    package func publicKey(of slot: Int) throws(KeyAgreementError) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: Self.keyLength)
        var target = publicKey.mutableSpan
        try withKey(slot) { key throws(KeyAgreementError) in try X25519.publicKey(of: key, into: &target) }
        return publicKey
    }
}
