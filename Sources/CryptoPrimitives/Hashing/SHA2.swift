/// SHA-256 (FIPS 180-4), whole or piece by piece.
package struct SHA256: HashFunction, ~Copyable {
    package static var digestLength: Int { 32 }
    private var context = DigestContext(.sha256)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    package mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == Self.digestLength, "a digest needs its length")
        unsafe context.finish(into: target)
    }
}

/// SHA-512 (FIPS 180-4), whole or piece by piece.
package struct SHA512: HashFunction, ~Copyable {
    package static var digestLength: Int { 64 }
    private var context = DigestContext(.sha512)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    package mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == Self.digestLength, "a digest needs its length")
        unsafe context.finish(into: target)
    }
}
