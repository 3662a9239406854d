import CZstd
import Glibc

/// Memory of libzstd's contexts, wiped before it is given back: what goes through them has keys in it.
enum ZstdMemory {
    /// In front of each block stands its length; the rest keeps malloc's alignment.
    private static let headLength = 16

    static var functions: ZSTD_customMem {
        unsafe ZSTD_customMem(
            customAlloc: { _, count in unsafe ZstdMemory.allocate(count) },
            customFree: { _, block in unsafe ZstdMemory.release(block) },
            opaque: nil)
    }

    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        let (total, overflow) = count.addingReportingOverflow(headLength)
        guard count >= 0, !overflow, let head = unsafe malloc(total) else { return nil }
        unsafe head.storeBytes(of: count, as: Int.self)
        return unsafe head + headLength
    }

    private static func release(_ block: UnsafeMutableRawPointer?) {
        guard let block = unsafe block else { return }
        let head = unsafe block - headLength
        let count = unsafe head.load(as: Int.self)
        unsafe explicit_bzero(block, count)
        unsafe free(head)
    }
}
