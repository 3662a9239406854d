import CSodium

/// Is told of memory that from then on is no secret any more, for example the part of a public key; nobody is in the
/// product.
///
/// The proof of constant time marks the seed as undefined and passes a hook that marks such memory as defined again, so
/// that the compiled code that is looked at is the one that is shipped.
@safe
package struct RevealHook: Sendable {
    fileprivate let reveal: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    package init(_ reveal: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        unsafe self.reveal = reveal
    }
}

/// Memory for the secret values of one operation: one guarded block, wiped when the operation ends.
///
/// What is taken from it lives as long as it does. It is the first property of a workspace whose methods do the work,
/// so nothing outlives it.
struct SecretScratch: ~Copyable {
    private var block: SecretBytes
    private var used = 0

    /// Room for `count` bytes, in areas that begin at multiples of 64.
    init(count: Int) throws(PostQuantumError) {
        do { block = try SecretBytes(count: (count + 63) & ~63) } catch { throw .memory(error) }
    }

    /// An area for `count` elements, all zero.
    mutating func take<Element: BitwiseCopyable>(_ count: Int, of type: Element.Type) -> ScratchArea<Element> {
        let length = (count * MemoryLayout<Element>.stride + 63) & ~63
        let start = used
        used += length
        precondition(used <= block.count, "the scratch memory is laid out too small")
        return unsafe block.withUnsafeMutableBytes { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<used])
            return unsafe ScratchArea(base: part.bindMemory(to: Element.self).baseAddress, count: count)
        }
    }
}

/// Memory for numbers that are public: no guard, no lock, no wiping.
@safe
struct PlainScratch: ~Copyable {
    let area: ScratchArea<Int32>

    /// Room for `count` numbers, all zero.
    init(count: Int) {
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        unsafe memory.initialize(repeating: 0, count: count)
        area = unsafe ScratchArea(base: memory, count: count)
    }

    deinit {
        unsafe area.bytes.deallocate()
    }
}

/// A part of a scratch memory: `count` numbers that any function may read and write while the memory lives.
///
/// Its indexes come from loops over fixed lengths and never from data; only debug builds check them.
@safe
struct ScratchArea<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(base: UnsafeMutablePointer<Element>?, count: Int) {
        guard let base = unsafe base else { preconditionFailure("an area needs memory") }
        unsafe self.base = base
        self.count = count
    }

    subscript(index: Int) -> Element {
        @inline(always)
        get {
            assert(index >= 0 && index < count)
            return unsafe base[index]
        }
        @inline(always)
        nonmutating set {
            assert(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }

    /// `count` elements from `start` on.
    @inline(always)
    func part(_ start: Int, _ count: Int) -> ScratchArea {
        assert(start >= 0 && count >= 0 && start <= self.count - count)
        return unsafe ScratchArea(base: base + start, count: count)
    }

    /// The memory, for a C call.
    var bytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: base, count: count * MemoryLayout<Element>.stride)
    }

    /// Tells the proof of constant time that these elements are public from here on.
    @inline(always)
    func reveal(_ hook: RevealHook?) {
        if let hook { unsafe hook.reveal(bytes) }
    }

    /// Takes the elements of `other`, which has as many.
    func copy(from other: ScratchArea) {
        precondition(other.count == count, "areas of different lengths")
        unsafe base.update(from: other.base, count: count)
    }
}

extension ScratchArea<UInt8> {
    /// Takes the bytes of `span`, which has as many.
    func copy(from span: Span<UInt8>) {
        precondition(span.count == count, "areas of different lengths")
        unsafe span.withUnsafeBytes { source in unsafe bytes.copyMemory(from: source) }
    }

    /// Takes the bytes of `secret`, which has as many.
    func copy(from secret: borrowing SecretBytes) {
        secret.withSpan { copy(from: $0) }
    }

    /// A secret of its own with these bytes.
    func secret() throws(PostQuantumError) -> SecretBytes {
        do {
            return try unsafe SecretBytes(count: count) { target in
                unsafe target.copyMemory(from: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw .memory(error)
        }
    }

    /// A plain copy, for what is public.
    func array() -> [UInt8] {
        unsafe [UInt8](bytes)
    }

    /// All ones when the bytes are those of `other`, which has as many, else zero; in time that depends on the length
    /// only.
    func equalityMask(_ other: ScratchArea) -> UInt8 {
        // libsodium gives 0 for equal bytes and -1 for others.
        let difference = unsafe sodium_memcmp(base, other.base, count)
        return ~UInt8(truncatingIfNeeded: difference)
    }
}
