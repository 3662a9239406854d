import CSodium

/// Why a slab took no key.
public enum SecretSlabError: Error, Equatable, Sendable {
    /// Every slot holds a key.
    case full(capacity: Int)
    /// The key has not the slab's key length.
    case keyLength(expected: Int, found: Int)
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
}

/// Many keys of one length in one guarded block, for when there would be too many `SecretBytes`.
///
/// A slot is wiped when its key is removed, and all of them when the slab goes. A slot of a removed key stays invalid,
/// also after another key has taken its place.
public struct SecretSlab: ~Copyable, Sendable {
    /// The place of one key; worth something only in the slab that gave it.
    public struct Slot: Hashable, Sendable {
        fileprivate let index: Int
        fileprivate let generation: UInt64
    }

    /// Length in bytes of each key.
    public let keyLength: Int
    /// How many keys fit.
    public let capacity: Int
    /// How many keys there are.
    public var count: Int { capacity - free.count }

    private var block: SecretBytes
    /// The generation of the key in each slot, 0 for none.
    private var generations: [UInt64]
    private var nextGeneration: UInt64 = 1
    /// Empty slots, used from the end.
    private var free: [Int]

    /// Makes a slab for `capacity` keys of `keyLength` bytes each.
    public init(keyLength: Int, capacity: Int) throws(SecretMemoryError) {
        guard keyLength > 0, capacity > 0 else { throw .invalidLength(min(keyLength, capacity)) }
        let (size, overflow) = keyLength.multipliedReportingOverflow(by: capacity)
        guard !overflow else { throw .exhausted(requested: Int.max) }
        self.block = try SecretBytes(count: size)
        self.keyLength = keyLength
        self.capacity = capacity
        self.generations = [UInt64](repeating: 0, count: capacity)
        self.free = Array((0..<capacity).reversed())
    }

    /// Copies `key` into an empty slot.
    public mutating func insert(_ key: Span<UInt8>) throws(SecretSlabError) -> Slot {
        guard key.count == keyLength else { throw .keyLength(expected: keyLength, found: key.count) }
        guard let index = free.popLast() else { throw .full(capacity: capacity) }
        let start = index * keyLength
        block.withMutableSpan { bytes in
            for offset in 0..<key.count { bytes[start + offset] = key[offset] }
        }
        let slot = Slot(index: index, generation: nextGeneration)
        generations[index] = nextGeneration
        nextGeneration += 1
        return slot
    }

    /// Copies `key` into an empty slot.
    public mutating func insert(_ key: borrowing SecretBytes) throws(SecretSlabError) -> Slot {
        try key.withSpan { bytes throws(SecretSlabError) in try insert(bytes) }
    }

    /// Lends the key in `slot`; nil when it has been removed.
    public func withKey<R: ~Copyable, E: Error>(
        _ slot: Slot,
        _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R? {
        guard holds(slot) else { return nil }
        let start = slot.index * keyLength
        return try block.withSpan { bytes throws(E) in
            try body(bytes.extracting(start..<(start + keyLength)))
        }
    }

    /// A secret of its own with the key in `slot`; nil when it has been removed.
    public func key(in slot: Slot) throws(SecretMemoryError) -> SecretBytes? {
        guard holds(slot) else { return nil }
        let start = slot.index * keyLength
        return try block.slice(start..<(start + keyLength))
    }

    /// Wipes the key in `slot`; false when it has been removed before.
    @discardableResult
    public mutating func remove(_ slot: Slot) -> Bool {
        guard holds(slot) else { return false }
        let range = (slot.index * keyLength)..<((slot.index + 1) * keyLength)
        unsafe block.withUnsafeMutableBytes { bytes in
            let key = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
            if let start = key.baseAddress { unsafe sodium_memzero(start, key.count) }
        }
        generations[slot.index] = 0
        free.append(slot.index)
        return true
    }

    /// Lends the whole block as it is in memory; tests look there for what should be gone.
    func withBlock<R>(_ body: (Span<UInt8>) -> R) -> R {
        block.withSpan(body)
    }

    private func holds(_ slot: Slot) -> Bool {
        slot.index < capacity && generations[slot.index] == slot.generation
    }
}
