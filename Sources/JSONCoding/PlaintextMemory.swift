import CSimdJSON
import Glibc

/// There is no memory for a text of this size.
package struct OutOfMemory: Error, Equatable, Sendable {
    /// Bytes that were asked for.
    package let requested: Int

    package init(requested: Int) {
        self.requested = requested
    }
}

/// Memory that a file is read into and decrypted in, before it is shared.
///
/// A worker keeps one and uses it for file after file; `freeze` hands it over to a `PlaintextBuffer` instead.
@safe
package struct PlaintextMemory: ~Copyable {
    /// Readable bytes behind every text; their values do not matter.
    package static let padding = Int(SXJ_PADDING)

    @usableFromInline let base: UnsafeMutableRawPointer
    /// Bytes for text, padding not counted.
    package let capacity: Int

    /// Large ones are asked for in huge pages, which saves a page fault for each 4 KiB.
    package init(capacity: Int) throws(OutOfMemory) {
        let (size, overflow) = capacity.addingReportingOverflow(Self.padding)
        guard capacity >= 0, !overflow else { throw OutOfMemory(requested: capacity) }
        let huge = 2 << 20
        var memory: UnsafeMutableRawPointer?
        if size >= 2 * huge {
            guard unsafe posix_memalign(&memory, huge, size) == 0 else { throw OutOfMemory(requested: size) }
            if let memory = unsafe memory { _ = unsafe madvise(memory, size, MADV_HUGEPAGE) }
        } else {
            unsafe memory = malloc(size)
        }
        guard let memory = unsafe memory else { throw OutOfMemory(requested: size) }
        unsafe base = memory
        self.capacity = capacity
    }

    deinit {
        unsafe free(base)
    }

    /// Lends the memory for reading a file and for decrypting in place.
    @inlinable
    package mutating func withUnsafeMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        unsafe try body(UnsafeMutableRawBufferPointer(start: base, count: capacity))
    }

    /// Lends a part of it as text with `padding` readable bytes behind.
    @inlinable
    package borrowing func withText<R, E: Error>(_ text: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R)
        throws(E)
        -> R
    {
        precondition(text.lowerBound >= 0 && text.upperBound <= capacity)
        return unsafe try body(UnsafeRawBufferPointer(start: base + text.lowerBound, count: text.count))
    }

    /// Hands the memory over; `text` says where in it the text is (behind a nonce, for example).
    package consuming func freeze(text: Range<Int>) -> PlaintextBuffer {
        precondition(text.lowerBound >= 0 && text.upperBound <= capacity)
        return unsafe PlaintextBuffer(adopting: release(), text: text)
    }

    /// Gives the memory up without freeing it.
    package consuming func release() -> UnsafeMutableRawPointer {
        let memory = unsafe base
        discard self
        return unsafe memory
    }
}
