// Bytes lent to a C function, which gets an address also when there are none: libsodium's headers allow no null.

/// An address for empty input; nothing is ever read or written there.
@safe
private struct EmptyBytes: @unchecked Sendable {
    static let shared = EmptyBytes()
    let address = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}

extension Span<UInt8> {
    func withCPointer<R: ~Copyable, E: Error>(_ body: (UnsafePointer<UInt8>) throws(E) -> R) throws(E) -> R {
        try unsafe withUnsafeBufferPointer { bytes throws(E) in
            try unsafe body(bytes.baseAddress ?? UnsafePointer(EmptyBytes.shared.address))
        }
    }
}

extension MutableSpan<UInt8> {
    mutating func withCPointer<R: ~Copyable, E: Error>(
        _ body: (UnsafeMutablePointer<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try unsafe withUnsafeMutableBufferPointer { bytes throws(E) in
            try unsafe body(bytes.baseAddress ?? EmptyBytes.shared.address)
        }
    }
}

extension UnsafeRawBufferPointer {
    var cPointer: UnsafePointer<UInt8> {
        unsafe bindMemory(to: UInt8.self).baseAddress ?? UnsafePointer(EmptyBytes.shared.address)
    }
}

extension UnsafeMutableRawBufferPointer {
    var cPointer: UnsafeMutablePointer<UInt8> {
        unsafe bindMemory(to: UInt8.self).baseAddress ?? EmptyBytes.shared.address
    }
}
