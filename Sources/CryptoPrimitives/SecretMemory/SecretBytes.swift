import CSodium

/// Secret bytes in guarded memory: alone owner, lent by closure, wiped before the memory is given back.
///
/// The block comes from `sodium_malloc`: guard pages around it, kept out of core dumps, locked into memory as far as
/// the system allows. It cannot be copied by accident, printed, or compared other than in constant time. The length is
/// not secret. An empty secret is allowed (an empty passphrase is one).
///
/// One block costs tens of microseconds and four mappings of the process, so there are at most 15,000 at a time;
/// `SecretSlab` holds many keys in one block.
@safe
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    /// Sees the wiped bytes just before they are given back; tests use it to prove the wipe.
    typealias ReleaseObserver = @Sendable (UnsafeRawBufferPointer) -> Void

    /// Length in bytes.
    public let count: Int

    private let base: UnsafeMutablePointer<UInt8>
    private let observer: ReleaseObserver?

    /// Makes a secret of `count` zero bytes, to be filled through `withMutableSpan`.
    public init(count: Int) throws(SecretMemoryError) {
        try unsafe self.init(count: count, observer: nil)
    }

    /// Makes a secret as `init(count:)` does; `observer` sees the bytes after the wipe, before the release.
    init(count: Int, observer: ReleaseObserver?) throws(SecretMemoryError) {
        guard count >= 0 else { throw .invalidLength(count) }
        SodiumLibrary.start()
        guard LiveBlocks.add() else { throw .exhausted(requested: count) }
        guard let block = unsafe sodium_malloc(count) else {
            LiveBlocks.remove()
            throw .exhausted(requested: count)
        }
        unsafe sodium_memzero(block, count)
        self.count = count
        unsafe self.base = block.assumingMemoryBound(to: UInt8.self)
        unsafe self.observer = observer
    }

    /// Makes a secret of `count` bytes and lets `filling` write them; they are zero before.
    package init(
        count: Int,
        filling: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SecretMemoryError) {
        try self.init(count: count)
        unsafe filling(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// Makes a secret with the bytes of `source`; wiping `source` stays the caller's duty.
    public init(copying source: Span<UInt8>) throws(SecretMemoryError) {
        try self.init(count: source.count)
        unsafe source.withUnsafeBufferPointer { bytes in
            let target = unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Makes a secret of `randomCount` bytes from the system's random source.
    public init(randomCount: Int) throws(SecretMemoryError) {
        try self.init(count: randomCount)
        unsafe randombytes_buf(base, count)
    }

    deinit {
        unsafe sodium_memzero(base, count)
        unsafe observer?(UnsafeRawBufferPointer(start: base, count: count))
        unsafe sodium_free(base)
        LiveBlocks.remove()
    }
}

// MARK: - Lending

extension SecretBytes {
    /// Lends the bytes for reading.
    public func withSpan<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe UnsafeBufferPointer(start: base, count: count).span)
    }

    /// Lends the bytes for writing.
    public mutating func withMutableSpan<R: ~Copyable, E: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        var span = unsafe UnsafeMutableBufferPointer(start: base, count: count).mutableSpan
        return try body(&span)
    }

    /// Lends the bytes for reading, as memory for a C call.
    package func withUnsafeBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes for writing, as memory for a C call.
    package mutating func withUnsafeMutableBytes<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try unsafe body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }
}

// MARK: - Comparing and making new secrets

extension SecretBytes {
    /// Whether both hold the same bytes, in time that depends on the lengths only.
    public func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe sodium_memcmp(base, other.base, count) == 0
    }

    /// Whether the bytes are those of `other`, in time that depends on the lengths only.
    public func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe other.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return true }
            return unsafe sodium_memcmp(base, start, count) == 0
        }
    }

    /// A second secret with the same bytes.
    public func copy() throws(SecretMemoryError) -> SecretBytes {
        try slice(0..<count)
    }

    /// A secret with the first `length` bytes.
    public func prefix(_ length: Int) throws(SecretMemoryError) -> SecretBytes {
        guard length >= 0 else { throw .invalidLength(length) }
        return try slice(0..<length)
    }

    /// A secret with the bytes of `range`.
    public func slice(_ range: Range<Int>) throws(SecretMemoryError) -> SecretBytes {
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw .outOfBounds(requested: range, count: count)
        }
        return try withSpan { bytes throws(SecretMemoryError) in
            try SecretBytes(copying: bytes.extracting(range))
        }
    }

    /// A secret with these bytes and then those of `other`.
    public func appending(_ other: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        let (total, overflow) = count.addingReportingOverflow(other.count)
        guard !overflow else { throw .exhausted(requested: Int.max) }
        let joined = try SecretBytes(count: total)
        unsafe UnsafeMutableRawPointer(joined.base).copyMemory(from: base, byteCount: count)
        unsafe UnsafeMutableRawPointer(joined.base + count).copyMemory(from: other.base, byteCount: other.count)
        return joined
    }
}
